#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# packages.sh PARADL: launches checked by the programs' own packages, none of which needs a GPU: megatron-core builds the networks,
# torchtitan and DeepSpeed read their configurations. Skipped (77) where there is no PyTorch, or packages cannot be fetched.
set -eu
paradl=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
python3 -c 'import torch' 2>/dev/null || {
	echo 'no PyTorch'
	exit 77
}
# Beside the PyTorch that is there: what they say they need would bring another one.
python3 -m venv --system-site-packages "$top/venv" &&
	"$top/venv/bin/pip" install -q --no-deps 'megatron-core==0.16.1' 'megatron-bridge==0.3.1' 'torchtitan==0.3.0' 'deepspeed==0.19.8' torchdata torchao==0.18.0 spmd_types==0.2.3 \
		>"$top/log" 2>&1 &&
	"$top/venv/bin/pip" install -q packaging numpy tyro psutil hjson py-cpuinfo msgpack ninja pydantic einops tensorboard tokenizers \
		'datasets<4.8' >>"$top/log" 2>&1 || {
	echo "no packages of Python: $(tail -n 1 "$top/log")"
	exit 77
}
failed=0
for program in megatron torchtitan deepspeed recorded; do
	"$top/venv/bin/python" -W ignore "$here/flags_$program.py" "$paradl" packages >"$top/$program" 2>&1 || {
		failed=1
		tail -n 20 "$top/$program"
	}
	grep -E 'parameters|layout|recomputes|refused|configurations|fields' "$top/$program" || true
done
exit "$failed"
