#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What src/paradl.h promises is kept: programs that were compiled with version 1 of the header, tests/library/paradl-1.h,
# run on with this library, and its map exports what the header declares: interface.sh LIBRARY SOURCE
set -eu
library=$1 source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0

# Prints the functions that a header declares.
declared()
{
	tr '\n' ' ' <"$1" | sed 's/PARADL_API/\n&/g' | sed -nE 's/^PARADL_API [^;]*[ *](paradl_[a-z_]+)\(.*/\1/p' | LC_ALL=C sort
}

declared "$source/src/paradl.h" >"$scratch/declared"
sed -nE '/^PARADL_1 /,/^}/s/^\t(paradl_[a-z_]+);$/\1/p' "$source/src/paradl.map" >"$scratch/mapped"
diff "$scratch/declared" "$scratch/mapped" || { echo "src/paradl.map does not list what src/paradl.h declares"; failed=1; }
nm -D --defined-only "$library" | sed -nE 's/.* (paradl_[a-z_]+)@@PARADL_1$/\1/p' | LC_ALL=C sort >"$scratch/exported"
diff "$scratch/declared" "$scratch/exported" || { echo "$library does not export what src/paradl.h declares"; failed=1; }

command -v abidiff >/dev/null || { echo "abidiff is missing: layouts are not compared"; [ "$failed" -eq 0 ] && exit 77; exit 1; }
# The functions with empty bodies, with debug information: what abidiff reads of types is then the header's alone.
for version in "$source/tests/library/paradl-1.h" "$source/src/paradl.h"; do
	name=$(basename "$version" .h)
	awk '/^PARADL_API/ {inside = 1} inside && /;$/ {sub(/;$/, " { __builtin_trap(); }"); inside = 0} {print}' "$version" \
		>"$scratch/$name.c"
	cc -g -w -fPIC -shared -o "$scratch/$name.so" "$scratch/$name.c"
done
abidiff --no-added-syms --suppressions "$source/tests/library/grows.abignore" "$scratch/paradl-1.so" "$scratch/paradl.so" ||
	{ echo "src/paradl.h breaks programs that were compiled with version 1"; failed=1; }
exit "$failed"
