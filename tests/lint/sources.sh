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

# Without MPI, what needs it is not compiled.
without_mpi()
{
	case $1 in
	src/cli/mpi/*) ! grep -qF /cli/mpi/ "$2/compile_commands.json" ;;
	tests/mpi/*) ! grep -qF tests/mpi/ "$2/compile_commands.json" ;;
	*) false ;;
	esac
}

for file in $(find src tests examples \( -name '*.c' -o -name '*.cpp' \) | LC_ALL=C sort); do
	grep -qF "/$file\"" "$2/compile_commands.json" || grep -qF " ../$file" "$2/compile_commands.json" ||
		{ [ "$file" = tests/fuzz/replay.c ] || [ "${file%.cpp}" != "$file" ] || without_mpi "$file" "$2" ||
			missing "$file" "any meson.build"; }
done
for file in tests/cli/*.t; do
	[ -e "$file" ] || continue
	grep -qF "'$(basename "$file" .t)'" tests/meson.build || missing "$file" tests/meson.build
done
for file in man/*.scd; do
	page=$(basename "$file" .scd)
	command=${page#paradl-}
	grep -qE "'($page|${command%.1})'" man/meson.build || missing "$file" man/meson.build
done
exit "$failed"
