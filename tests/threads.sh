#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What threads share, under ThreadSanitizer: threads.sh ROOT. Needs clang; exits with 77 where there is none.
set -eu
cd "$1"
command -v clang >/dev/null || { echo 'needs clang'; exit 77; }
build=${2:-$(mktemp -d)}
[ -n "${2:-}" ] || trap 'rm -rf "$build"' EXIT
programs='tests/base-pool tests/oracle-threads tests/search-search tests/search-search_team tests/study-sweep tests/network-compile_kept tests/ask-threads'
env CC="${CC:-clang}" meson setup "$build" -Dtests=enabled -Ddocs=disabled -Dmpi=disabled -Dcuda=disabled --buildtype=debug \
	-Doptimization=1 -Db_sanitize=thread -Db_lundef=false >/dev/null
# shellcheck disable=SC2086
ninja -C "$build" paradl $programs >"$build/build.log" 2>&1 || { tail -n 30 "$build/build.log"; exit 1; }
export TSAN_OPTIONS=halt_on_error=1:exitcode=66 PARADL_PATH="$PWD/tests/cli/data:$PWD" CMOCKA_MESSAGE_OUTPUT=STDOUT
for program in $programs; do
	"$build/$program" >"$build/log" 2>&1 || { cat "$build/log"; echo "$program"; exit 1; }
done
for question in 'advise tiny --hw toy --threads 4' 'search resnet50 --hw abci --gpus 16 --threads 4' \
	'sweep tiny --hw toy --gpus 2..8 --vary batch=16..256 --threads 4' 'search llama2-7b --hw aws-p5 --gpus 16 --threads 4' \
	'collective allreduce --hw abci --ranks 16 --threads 4' 'whatif tiny --hw toy -s data=4 --perturb 10% --threads 4'; do
	# shellcheck disable=SC2086
	"$build/paradl" $question >"$build/log" 2>&1 || [ $? -le 2 ] || { cat "$build/log"; echo "$question"; exit 1; }
done
echo "no two threads meet: $(echo $programs | wc -w) programs, 6 questions"
