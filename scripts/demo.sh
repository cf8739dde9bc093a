#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh machine to an answer: installs what is missing, builds the command into build/, ranks the ways to train
# ResNet-50, and draws them: rank.png, with rank.gp and rank.dat to edit.
set -eu
cd "$(dirname "$0")/.."
. scripts/deps.sh
install_missing build

# Runs a step of the build; if it fails, says in one line what went wrong and what to do.
quietly()
{
	if ! "$@" >build.log 2>&1; then
		reason=$(grep -m 1 -E 'ERROR:|error: ' build.log || tail -n 1 build.log)
		echo "demo: $1 failed: $reason; mend that (build.log says more), remove build/ and run this again" >&2
		exit 5
	fi
	rm -f build.log
}

echo "Building into build/ ..." >&2
[ -f build/build.ninja ] ||
	quietly meson setup build -Dtests=disabled -Ddocs=disabled -Dmpi=disabled -Dcuda=disabled -Dopenblas=disabled
quietly ninja -C build paradl

echo "How to train ResNet-50 on 64 V100 GPUs of ABCI? Every way to decompose the work, ranked:"
echo "\$ build/paradl advise models/resnet50.json --hw hw-profiles/abci.json --gpus 64 --plot=rank.png"
echo
exec build/paradl advise models/resnet50.json --hw hw-profiles/abci.json --gpus 64 --plot=rank.png
