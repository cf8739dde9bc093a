#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# From a fresh machine to an answer: installs what is missing, builds into build/, ranks the ways to train ResNet-50, and
# draws them: rank.png, with rank.gp and rank.dat to edit.
set -eu
cd "$(dirname "$0")/.."
. scripts/deps.sh
install_missing build

quietly()
{
	if ! "$@" >build.log 2>&1; then
		cat build.log >&2
		rm -f build.log
		exit 5
	fi
	rm -f build.log
}

echo "Building into build/ ..." >&2
[ -f build/build.ninja ] || quietly meson setup build
quietly ninja -C build paradl

echo "How to train ResNet-50 on 64 V100 GPUs of ABCI? Every way to decompose the work, ranked:"
echo "\$ build/paradl advise models/resnet50.json --hw hw-profiles/abci.json --gpus 64 --plot=rank.png"
echo
exec build/paradl advise models/resnet50.json --hw hw-profiles/abci.json --gpus 64 --plot=rank.png
