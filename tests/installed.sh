#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What `meson install` put below PREFIX is all there and works from there: installed.sh PREFIX
set -eu
prefix=$1
source=$(cd "$(dirname "$0")/.." && pwd)
failed=0

for file in bin/paradl include/paradl.h include/paradl/oracle.h share/paradl/models/resnet50.json share/paradl/datasets/imagenet-1k.json share/paradl/hw-profiles/abci.json \
	share/paradl/schemas/model-1.schema.json share/doc/paradl/README.md share/doc/paradl/examples/library/rank.c \
	share/man/man1/paradl.1 share/man/man1/paradl-advise.1 share/man/man3/libparadl.3 share/man/man5/paradl-hw.5 \
	share/man/man7/paradl-formulas.7 share/bash-completion/completions/paradl \
	share/zsh/site-functions/_paradl share/fish/vendor_completions.d/paradl.fish; do
	[ -s "$prefix/$file" ] || { echo "not installed: $file"; failed=1; }
done
[ "$failed" -eq 0 ] || exit 1

# A program of somebody else, in an empty directory, with nothing but what was installed.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name paradl.pc)")
export PKG_CONFIG_PATH
libraries=$(pkg-config --define-variable=prefix="$prefix" --variable=libdir paradl)
# shellcheck disable=SC2046
cc -std=c11 -Wall -Wextra -Werror -o rank "$source/examples/library/rank.c" $(pkg-config --define-variable=prefix="$prefix" --cflags --libs paradl)
LD_LIBRARY_PATH="$libraries" ./rank "$prefix/share/paradl/hw-profiles/abci.json" 64 >rank.out
[ -s rank.out ]
for header in "$prefix"/include/paradl/*.h; do # each by itself
	printf '#include <paradl/%s>\n' "$(basename "$header")" >header.c
	# shellcheck disable=SC2046
	cc -std=c11 -Wall -Wextra -Werror -c -o header.o header.c $(pkg-config --define-variable=prefix="$prefix" --cflags paradl)
done
"$prefix/bin/paradl" advise "$prefix/share/paradl/models/resnet50.json" \
	--hw "$prefix/share/paradl/hw-profiles/abci.json" --gpus 64 >advise.out
[ -s advise.out ]
