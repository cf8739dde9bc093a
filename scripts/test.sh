#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds with gcc and with clang and its sanitizers, and runs every check there is.
# The last line is the sum; the exit status is 1 if anything failed.
#   PARADL_TEST_QUICK=1  only the first build and its tests
#   FUZZ_SECONDS=3       time for each fuzzer
set -eu
cd "$(dirname "$0")/.."
. scripts/deps.sh
install_missing build test

builds=build-test
jobs=$(nproc 2>/dev/null || echo 2)
counts="$builds/counts"
mkdir -p "$builds"
: >"$counts"

# count PASSED FAILED SKIPPED: a line each time, so that lanes need not wait for each other
count()
{
	echo "$*" >>"$counts"
}

# step NAME COMMAND...: one check; its output is shown if it fails
step()
{
	name=$1
	shift
	log="$builds/$(echo "$name" | tr -c '[:alnum:]\n' '-').log"
	begin=$(date +%s)
	if "$@" >"$log" 2>&1; then
		count 1 0 0
		echo "ok     $name ($(($(date +%s) - begin)) s)"
	else
		count 0 1 0
		tail -n 60 "$log"
		echo "FAILED $name; the whole log: $log"
		return 1
	fi
}

# configure DIRECTORY COMPILER C++_COMPILER MESON_OPTION...
configure()
{
	directory="$builds/$1" compiler=$2 cpp_compiler=$3
	shift 3
	rm -rf "$directory"
	env CC="$compiler" CXX="$cpp_compiler" meson setup "$directory" -Dwerror=true -Dtests=enabled "$@"
}

# build DIRECTORY COMPILER C++_COMPILER MESON_OPTION...
build()
{
	configure "$@" && ninja -C "$builds/$1" -j "$jobs"
}

# run_tests DIRECTORY MESON_TEST_OPTION...: adds what meson counted; a failure it did not count is one
run_tests()
{
	directory="$builds/$1"
	shift
	mkdir -p "$directory"
	log=$(mktemp -p "$builds" tests.XXXXXX)
	status=0
	meson test -C "$directory" --no-rebuild --print-errorlogs --num-processes "$jobs" "$@" >"$log" 2>&1 || status=$?
	cat "$log"
	found=$(awk '
	/^Ok:/ {p += $2} /^Expected Fail:/ {p += $3} /^Fail:/ {f += $2} /^Unexpected Pass:/ {f += $3}
	/^Timeout:/ {f += $2} /^Skipped:/ {s += $2} END {print p + 0, f + 0, s + 0}' "$log")
	rm -f "$log"
	# shellcheck disable=SC2086
	set -- $found
	[ "$status" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
	count "$@"
}

# The database of a plain build is all that clang-tidy needs. A third of the analyzer's usual 225,000 states a function takes
# a third of its time; what lies deeper is left to the sanitizers, which run those functions.
tidy()
{
	configure tidy clang clang++ -Ddocs=disabled || return 1
	find src -name '*.c' -print0 | xargs -0 -n 1 -P "$jobs" clang-tidy -p "$builds/tidy" --extra-arg=-O0 \
		--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=75000 --quiet
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

fuzz_names()
{
	for source in tests/fuzz/fuzz_*.c; do
		basename "$source" .c
	done
}

# Only the fuzzers and the library, for once without threads: the rest was built with the same compiler and sanitizers.
build_fuzzers()
{
	configure fuzz clang clang++ -Ddocs=disabled -Dopenmp=disabled -Dfuzzers=true --buildtype=debugoptimized \
		-Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-fno-sanitize-recover=all &&
		fuzz_names | sed 's|^|tests/|' | xargs ninja -C "$builds/fuzz" -j "$jobs"
}

fuzz()
{
	target=$1
	mkdir -p "$builds/corpus/$target"
	"$builds/fuzz/tests/$target" -max_total_time="${FUZZ_SECONDS:-3}" -timeout=10 -rss_limit_mb=2048 \
		-print_final_stats=1 -artifact_prefix="$builds/" "$builds/corpus/$target" "tests/fuzz/corpus/${target#fuzz_}"
}

# Everything that gcc's build is tested with. Of valgrind there remains what sanitizers cannot see, reads of what was never
# written, and leaks in threads of a runtime that is exempt there; it runs the short tests, since the long ones take the
# same code through more numbers. Time limits are for a machine to oneself, and there is the other lane.
plain_lane()
{
	run_tests gcc --timeout-multiplier 4
	run_tests gcc --suite unit --no-suite long --logbase valgrind \
		--wrapper 'valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite'
	step 'install' installed
	step 'cppcheck' check_source
	step 'clang-tidy' tidy
}

# One build is both clang's and the sanitizers': unit tests and sessions in it also hold clang's warnings and digits to gcc's.
checked_lane()
{
	export LSAN_OPTIONS="suppressions=$PWD/tests/leaks.supp:print_suppressions=0"
	step 'build with clang and sanitizers' build sanitize clang clang++ -Ddocs=disabled --buildtype=debugoptimized \
		-Db_sanitize=address,undefined -Db_lundef=false '-Dc_args=-DARENA_DEBUG -fno-sanitize-recover=all' &&
		run_tests sanitize --no-suite lint --no-suite validation --timeout-multiplier 4
	step 'build the fuzzers' build_fuzzers || return 0
	for target in $(fuzz_names); do
		step "fuzz ${target#fuzz_}" fuzz "$target"
	done
}

# Tests that wait, or that must run alone, leave cores idle: two lanes of steps share them.
thorough()
{
	checked_lane >"$builds/checked.log" 2>&1 &
	plain_lane
	wait $!
	cat "$builds/checked.log"
}

set +e # from here on a failure is counted
if step 'build with gcc' build gcc gcc g++ -Ddocs=enabled; then
	if [ -n "${PARADL_TEST_QUICK:-}" ]; then
		run_tests gcc
	else
		thorough
	fi
fi

echo
awk '{p += $1; f += $2; s += $3} END {printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0}' "$counts"
