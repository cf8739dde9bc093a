#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nothing lies beside the build: sources.sh ROOT BUILD
# Every C file is compiled, every session is a test, every manual page is made.
set -eu
cd "$1"
failed=0

missing()
{
	echo "$1 is not in $2"
	failed=1
}

# Without MPI, BLAS or CUDA, what needs it is not compiled.
without_library()
{
	case $1 in
	calibrate/cpu/* | calibrate/cuda/* | calibrate/mpi/* | calibrate/step/*)
		! grep -qF "${1%/*}/main.c" "$2/compile_commands.json"
		;;
	src/cli/mpi/*) ! grep -qF /cli/mpi/ "$2/compile_commands.json" ;;
	tests/calibrate/test_mpi.c) ! grep -qF calibrate/mpi/main.c "$2/compile_commands.json" ;;
	tests/calibrate/cuda/*) ! grep -qF tests/calibrate/cuda/ "$2/compile_commands.json" ;;
	tests/calibrate/test_cpu_*) ! grep -qF calibrate/cpu/main.c "$2/compile_commands.json" ;;
	tests/mpi/*) ! grep -qF tests/mpi/ "$2/compile_commands.json" ;;
	tests/calibrate/*step*.c) ! grep -qF calibrate/step/main.c "$2/compile_commands.json" ;;
	*) false ;;
	esac
}

for file in $(find src calibrate tests examples \( -name '*.c' -o -name '*.cpp' \) | LC_ALL=C sort); do
	grep -qF "/$file\"" "$2/compile_commands.json" || grep -qF " ../$file" "$2/compile_commands.json" ||
		{ [ "$file" = tests/fuzz/replay.c ] || [ "${file%.cpp}" != "$file" ] || without_library "$file" "$2" ||
			missing "$file" "any meson.build"; }
done
sessions=$(sed -n "/^sessions = \[/,/^\]/p; /^ *sessions += /p" tests/meson.build)
for file in tests/cli/*.t; do
	[ -e "$file" ] || continue
	echo "$sessions" | grep -qF "'$(basename "$file" .t)'" || missing "$file" 'the sessions of tests/meson.build'
done
for file in man/*.scd; do
	page=$(basename "$file" .scd)
	command=${page#paradl-}
	grep -qE "'($page|${command%.1})'" man/meson.build || missing "$file" man/meson.build
done
exit "$failed"
