#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds with gcc, with sanitizers and with clang, and runs every check there is.
# The last line is the sum; the exit status is 1 if anything failed.
#   PARADL_TEST_QUICK=1  only the first build and its tests
#   FUZZ_SECONDS=3       time for each fuzzer
set -eu
cd "$(dirname "$0")/.."
. scripts/deps.sh
install_missing build test

builds=build-test
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 skipped=0
mkdir -p "$builds"

# step NAME COMMAND...: one check; its output is shown if it fails
step()
{
	name=$1
	shift
	log="$builds/$(echo "$name" | tr -c '[:alnum:]\n' '-').log"
	if "$@" >"$log" 2>&1; then
		passed=$((passed + 1))
		echo "ok     $name"
	else
		failed=$((failed + 1))
		tail -n 60 "$log"
		echo "FAILED $name; the whole log: $log"
		return 1
	fi
}

# build DIRECTORY COMPILER C++_COMPILER MESON_OPTION...
build()
{
	directory="$builds/$1" compiler=$2 cpp_compiler=$3
	shift 3
	rm -rf "$directory"
	env CC="$compiler" CXX="$cpp_compiler" meson setup "$directory" -Dwerror=true -Dtests=enabled "$@" || return 1
	ninja -C "$directory" -j "$jobs"
}

# run_tests DIRECTORY MESON_TEST_OPTION...: adds what meson counted; a failure it did not count is one
run_tests()
{
	directory="$builds/$1"
	shift
	mkdir -p "$directory"
	status=0
	meson test -C "$directory" --no-rebuild --print-errorlogs "$@" >"$directory/test.log" 2>&1 || status=$?
	cat "$directory/test.log"
	counts=$(awk '
	/^Ok:/ {p += $2} /^Expected Fail:/ {p += $3} /^Fail:/ {f += $2} /^Unexpected Pass:/ {f += $3}
	/^Timeout:/ {f += $2} /^Skipped:/ {s += $2} END {print p + 0, f + 0, s + 0}' "$directory/test.log")
	# shellcheck disable=SC2086
	set -- $counts
	[ "$status" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

tidy()
{
	find src -name '*.c' -print0 | xargs -0 -n 1 -P "$jobs" clang-tidy -p "$builds/clang" --extra-arg=-O0 --quiet
}

check_source()
{
	cppcheck --project="$builds/gcc/compile_commands.json" --enable=warning,style,performance,portability \
		--inline-suppr --suppress=missingIncludeSystem --error-exitcode=1 --quiet -j "$jobs" -itests/
}

# What `meson install` puts in place is enough to build and run a program against it.
installed()
{
	rm -rf "$builds/root"
	DESTDIR="$PWD/$builds/root" meson install -C "$builds/gcc" --no-rebuild --quiet &&
		sh tests/installed.sh "$PWD/$builds/root/usr/local"
}

fuzz()
{
	target=$1
	mkdir -p "$builds/corpus/$target"
	"$builds/fuzz/tests/fuzz_$target" -max_total_time="${FUZZ_SECONDS:-3}" -timeout=10 -rss_limit_mb=2048 \
		-print_final_stats=1 -artifact_prefix="$builds/" "$builds/corpus/$target" "tests/fuzz/corpus/$target"
}

thorough()
{
	step 'build with sanitizers' build sanitize gcc g++ -Ddocs=disabled --buildtype=debugoptimized \
		-Db_sanitize=address,undefined -Db_lundef=false '-Dc_args=-DARENA_DEBUG -fno-sanitize-recover=all' &&
		run_tests sanitize --no-suite lint --no-suite validation --timeout-multiplier 4
	step 'build with clang' build clang clang clang++ -Ddocs=disabled &&
		run_tests clang --no-suite lint --no-suite simgrid --no-suite validation --no-suite calibrate
	run_tests gcc --suite unit --no-suite long --timeout-multiplier 20 --logbase valgrind \
		--wrapper 'valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite'
	step 'clang-tidy' tidy
	step 'cppcheck' check_source
	step 'install' installed
	step 'build the fuzzers' build fuzz clang clang++ -Ddocs=disabled -Dfuzzers=true \
		--buildtype=debugoptimized -Db_sanitize=address,undefined -Db_lundef=false \
		-Dc_args=-fno-sanitize-recover=all || return 0
	for source in tests/fuzz/fuzz_*.c; do
		target=$(basename "$source" .c)
		step "fuzz ${target#fuzz_}" fuzz "${target#fuzz_}"
	done
}

set +e # from here on a failure is counted
step 'build with gcc' build gcc gcc g++ -Ddocs=enabled && run_tests gcc
[ -n "${PARADL_TEST_QUICK:-}" ] || thorough

echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
