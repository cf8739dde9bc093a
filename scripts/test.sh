#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds with gcc and with clang's sanitizers, and checks what a change can break: within ten
# minutes on two cores. The last line is the sum; the exit status is 1 if anything failed.
#   --quick              the first build and its tests
#   --long               everything, some three quarters of an hour: measuring programs, all tests under the sanitizers,
#                        valgrind, fuzzers, constants left out one by one, all files through clang-tidy, a bare Debian
#   FUZZ_SECONDS=3       time for each fuzzer
set -eu
cd "$(dirname "$0")/.."
extent=usual
case "$*" in
'') ;;
--quick | --long) extent=${1#--} ;;
*)
	sed -n '/^#   -/s/^#   //p' "$0" >&2
	exit 2
	;;
esac
. scripts/deps.sh
case $extent in
long) install_missing build test page ;;
*) install_missing build test ;;
esac

builds=build-test
jobs=$(nproc 2>/dev/null || echo 2)
counts="$builds/counts"
mkdir -p "$builds"

# Where `python3` is a script that looks for the interpreter, as pyenv's, it takes ten times as long to begin as the interpreter.
python=$(python3 -c 'import sys; print(sys.executable)')
[ "$python" = "$(command -v python3)" ] || PATH="${python%/*}:$PATH"
: >"$counts"

# Adds PASSED FAILED SKIPPED to the sum, as a line of its own, so that lanes need not wait for each other.
count()
{
	echo "$*" >>"$counts"
}

# Runs one check, NAME COMMAND...; its output is shown if it fails. The exit status 77 says that it cannot be done here.
step()
{
	name=$1
	shift
	log="$builds/$(echo "$name" | tr -c '[:alnum:]\n' '-').log"
	begin=$(date +%s)
	status=0
	"$@" >"$log" 2>&1 || status=$?
	took="($(($(date +%s) - begin)) s)"
	case $status in
	0)
		count 1 0 0
		echo "ok     $name $took"
		;;
	77)
		count 0 0 1
		echo "SKIP   $name: $(tail -n 1 "$log")"
		;;
	*)
		count 0 1 0
		tail -n 60 "$log"
		echo "FAILED $name $took; the whole log: $log"
		return 1
		;;
	esac
}

# Hundreds of programs are linked: the usual linker takes twice as long for each as these two. What README builds is left to it.
linker=$(for name in lld gold; do ! command -v "ld.$name" >/dev/null || echo "$name"; done | head -n 1)

# What README builds first has been compiled by gcc's build: with the same arguments, as both folders are one below their root, but
# that warnings are errors in one of them. So it is not compiled again, where there is ccache.
cache=$(command -v ccache || true)
export CCACHE_DIR="$PWD/$builds/ccache"
mkdir -p "$CCACHE_DIR"
printf '%s\n' 'depend_mode = true' 'ignore_options = -Werror' 'sloppiness = locale' >"$CCACHE_DIR/ccache.conf"

# configure DIRECTORY COMPILER C++_COMPILER MESON_OPTION...
configure()
{
	directory="$builds-$1" compiler=$2 cpp_compiler=$3
	shift 3
	rm -rf "$directory"
	[ -z "$linker" ] || set -- -Dc_link_args=-fuse-ld="$linker" -Dcpp_link_args=-fuse-ld="$linker" "$@"
	[ "$compiler" = clang ] || compiler="${cache:+ccache }$compiler"
	env CC="$compiler" CXX="$cpp_compiler" meson setup "$directory" -Dwerror=true -Dtests=enabled \
		-Dpython=enabled -Dgpu_architectures=90 "$@"
}

# build DIRECTORY COMPILER C++_COMPILER MESON_OPTION...
build()
{
	configure "$@" && ninja -C "$builds-$1" -j "$jobs"
}

# Builds what tests need and runs them, NAME DIRECTORY MESON_TEST_OPTION..., and adds what meson counted; a failure it did
# not count is one.
run_tests()
{
	name=$1 directory="$builds-$2"
	shift 2
	begin=$(date +%s)
	log=$(mktemp -p "$builds" tests.XXXXXX)
	status=0
	meson test -C "$directory" --print-errorlogs --num-processes "$jobs" --timeout-multiplier 4 "$@" \
		>"$log" 2>&1 || status=$?
	[ "$status" -eq 0 ] || cat "$log"
	found=$(awk '
	/^Ok:/ {p += $2} /^Expected Fail:/ {p += $3} /^Fail:/ {f += $2} /^Unexpected Pass:/ {f += $3}
	/^Timeout:/ {f += $2} /^Skipped:/ {s += $2} END {print p + 0, f + 0, s + 0}' "$log")
	rm -f "$log"
	# shellcheck disable=SC2086
	set -- $found
	[ "$status" -eq 0 ] || [ "$2" -gt 0 ] || set -- "$1" 1 "$3"
	count "$@"
	verdict=ok
	[ "$2" -eq 0 ] || verdict=FAILED
	printf '%-6s %s: %d passed, %d failed, %d skipped (%d s)\n' "$verdict" "$name" "$1" "$2" "$3" \
		$(($(date +%s) - begin))
}

# -- checks ---------------------------------------------------------------------------------------------------

# What the first commands of README, and Meson without any option, meet on a machine that has only the packages for building,
# found by its PATH and pkg-config: commands and libraries that only tests need are not there, whatever else this machine has.
# `cc` is gcc, behind what keeps the results of its build.
set_up()
(
	stand="$PWD/$builds/stand"
	rm -rf "$stand"
	mkdir -p "$stand/bin" "$stand/packages"
	for name in $commands_build python3 gcc as ld ar nm ranlib strip awk basename cat chmod cp cut date dirname env expr \
		grep head id install ln ls mkdir mktemp mv nproc readlink rm sed sh sort tail test touch tr uname wc; do
		found=$(PATH=/usr/bin:/bin:$PATH command -v "$name") && case $found in /*) ln -s "$found" "$stand/bin/$name" ;; esac
	done
	for name in $libraries_build; do
		for folder in $(pkg-config --variable pc_path pkg-config | tr : ' '); do
			[ ! -e "$folder/$name.pc" ] || ln -s "$folder/$name.pc" "$stand/packages/"
		done
	done
	if [ -n "$cache" ]; then
		rm "$stand/bin/cc"
		printf '#!/bin/sh\nexport CCACHE_DIR="%s"\nexec "%s" "%s" "$@"\n' \
			"$CCACHE_DIR" "$cache" "$(command -v gcc)" >"$stand/bin/cc"
		chmod +x "$stand/bin/cc"
	fi
	git clone -q . "$stand/clone" && cd "$stand/clone" &&
		env -i PATH="$stand/bin" PKG_CONFIG_LIBDIR="$stand/packages" HOME="$stand" LC_ALL=C.UTF-8 \
			sh -c 'meson setup build-plain && sh tests/packaging/readme.sh'
)

# The same on a minimal Debian, with nothing else installed at all: fetched, so that it takes root, debootstrap and minutes.
set_up_bare()
{
	command -v debootstrap >/dev/null && [ "$(id -u)" = 0 ] || {
		echo 'takes root and debootstrap'
		return 77
	}
	sh tests/packaging/bare.sh sh tests/packaging/readme.sh
}

# What `meson install` puts in place is enough to build and run a program against it.
installed()
{
	rm -rf "$builds/root"
	DESTDIR="$PWD/$builds/root" meson install -C "$builds-gcc" --no-rebuild --quiet &&
		sh tests/installed.sh "$PWD/$builds/root/usr/local"
}

# What `$1` lists goes through cppcheck, with `$2` as the place where it keeps what it knows of each source.
check_source()
{
	"$1" | sort -u | while read -r source; do # only what is built here: a filter without any file is an error
		! grep -qF "/$source\"" "$builds-gcc/compile_commands.json" || echo "--file-filter=*$source"
	done >"$builds/filters"
	[ -s "$builds/filters" ] || return 0
	mkdir -p "$2"
	xargs cppcheck --project="$builds-gcc/compile_commands.json" --enable=warning,style,performance,portability \
		--inline-suppr --suppress=missingIncludeSystem --error-exitcode=1 --quiet -j "$jobs" \
		--cppcheck-build-dir="$2" <"$builds/filters"
}

all_sources()
{
	find src calibrate -name '*.c'
}

# Prints the sources that changed since the commit that tests/lint/tidied names, or that include what changed.
changed_sources()
{
	since=$(cat tests/lint/tidied)
	if ! git cat-file -e "$since^{commit}" 2>/dev/null || ! git diff --quiet "$since" -- .clang-tidy; then
		all_sources
		return
	fi
	git diff --name-only --diff-filter=d "$since" -- src calibrate >"$builds/changed"
	git ls-files --others --exclude-standard -- src calibrate >>"$builds/changed"
	grep '\.c$' "$builds/changed" || true
	ninja -C "$builds-gcc" -t deps | awk -v root="../" '
	FNR == NR {changed[root $0] = 1; next}
	/^[^ ]/ {source = ""; next}
	{if (source == "") {source = $1} else if ($1 in changed && source ~ /(src|calibrate)\/.*\.c$/) print substr(source, length(root) + 1)}
	' "$builds/changed" - | sort -u
}

# The database of a plain build is all that clang-tidy needs. A third of the analyzer's usual 225,000 states a function takes
# a third of its time; what lies deeper is left to the sanitizers, which run those functions.
tidy()
{
	configure tidy clang clang++ -Ddocs=disabled || return 1
	"$1" | grep '^src/' | sort -u | xargs -r -n 1 -P "$jobs" clang-tidy -p "$builds-tidy" --extra-arg=-O0 \
		--extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=max-nodes=75000 --quiet
}

# What is committed now is the new mark: all of it has passed cppcheck and clang-tidy.
mark_checked()
{
	[ -n "$(git status --porcelain -- src calibrate .clang-tidy)" ] || git rev-parse HEAD >tests/lint/tidied
}

fuzz_names()
{
	for source in tests/fuzz/fuzz_*.c; do
		basename "$source" .c
	done
}

build_fuzzers()
{
	configure fuzz clang clang++ -Ddocs=disabled -Dfuzzers=true --buildtype=debugoptimized \
		-Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-fno-sanitize-recover=all &&
		fuzz_names | sed 's|^|tests/|' | xargs ninja -C "$builds-fuzz" -j "$jobs"
}

fuzz()
{
	target=$1
	mkdir -p "$builds/corpus/$target"
	"$builds-fuzz/tests/$target" -max_total_time="${FUZZ_SECONDS:-3}" -timeout=10 -rss_limit_mb=2048 \
		-error_exitcode=1 -print_final_stats=1 -artifact_prefix="$builds/" "$builds/corpus/$target" "tests/fuzz/corpus/${target#fuzz_}"
}

# One build is both clang's and the sanitizers': unit tests and sessions in it also hold clang's warnings and digits to gcc's.
# Lines are all that reports say of the sources; without the rest a file takes a fifth less to compile. Another fifth is for what
# the address sanitizer finds as well, or a warning (casts that align): `left_out` leaves it out, all of it is looked for in --long. And
# code for frames on the heap, which clang 14 emits and runs only if ASAN_OPTIONS asks for it.
left_out='-fno-sanitize=null,alignment,object-size -fsanitize-address-use-after-return=never'

configure_sanitized()
{
	configure sanitize clang clang++ -Ddocs=disabled --buildtype=debug -Doptimization=1 \
		-Db_sanitize=address,undefined -Db_lundef=false '-Dc_args=-DARENA_DEBUG -fno-sanitize-recover=all -gline-tables-only'"${1:+ $1}"
}

# Threads take turns: without that one that is busy may keep all others waiting.
valgrind="valgrind --quiet --fair-sched=try --suppressions=$PWD/tests/valgrind.supp --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite"

# -- which of them, and in what order -------------------------------------------------------------------------

# Tests that wait, or that must run alone, leave cores idle: two lanes of steps share them.
usual()
{
	{
		step 'set-up with the packages for building' set_up
		step 'set-up with clang and sanitizers' configure_sanitized "$left_out" &&
			run_tests 'build and tests with sanitizers' sanitize --no-suite long --no-suite lint --no-suite slow
	} >"$builds/checked.log" 2>&1 &
	run_tests 'tests' gcc --no-suite slow
	step 'install' installed
	step 'cppcheck of what changed' check_source changed_sources "$builds/cppcheck"
	step 'clang-tidy of what changed' tidy changed_sources
	# What sanitizers cannot see, reads of what was never written; the parsers and the allocator have most of them.
	run_tests 'tests with valgrind' gcc --logbase valgrind --wrapper "$valgrind" base/arena base/json_read base/pool \
		import/onnx model/graph network/compile oracle/schedule
	wait $!
	cat "$builds/checked.log"
}

long()
{
	export PARADL_TESTS_LONG=1 # tests take all their cases
	{
		step 'set-up with the packages for building' set_up
		step 'set-up on a bare Debian' set_up_bare
		step 'set-up with clang and sanitizers' configure_sanitized &&
			run_tests 'build and tests with sanitizers' sanitize --no-suite lint
		if step 'build the fuzzers' build_fuzzers; then
			for target in $(fuzz_names); do
				step "fuzz ${target#fuzz_}" fuzz "$target"
			done
		fi
	} >"$builds/checked.log" 2>&1 &
	run_tests 'tests' gcc
	step 'install' installed
	run_tests 'tests with valgrind' gcc --suite unit --no-suite long --no-suite slow --logbase valgrind --wrapper "$valgrind"
	step 'cppcheck' check_source all_sources "$builds/cppcheck" && step 'clang-tidy' tidy all_sources && mark_checked
	wait $!
	cat "$builds/checked.log"
}

set +e # from here on a failure is counted
begin_all=$(date +%s)
if step 'build with gcc' build gcc gcc g++ -Ddocs=enabled; then
	case $extent in
	quick) run_tests 'tests' gcc --no-suite slow ;;
	*) $extent ;;
	esac
fi

echo "took $((($(date +%s) - begin_all) / 60)) min $((($(date +%s) - begin_all) % 60)) s"
echo
awk '{p += $1; f += $2; s += $3} END {printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 || p == 0}' "$counts"
