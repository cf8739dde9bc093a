#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The picture of README.md is what the program draws now, but for how gnuplot of another version writes it: drawing.sh PARADL ROOT
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
words() { grep -o '<text>.*</text>\|<tspan.*</tspan>' "$1" | sed 's/<[^>]*>//g'; }
PARADL_PATH=$2 "$1" advise resnet50 --hw abci --gpus 64 --top 5 --plot="$scratch/now.svg" -q >/dev/null
words "$2/docs/ranking.svg" >"$scratch/before"
words "$scratch/now.svg" >"$scratch/after"
[ -s "$scratch/before" ]
diff "$scratch/before" "$scratch/after" || { echo 'docs/ranking.svg is stale: sh tests/refresh.sh BUILD'; exit 1; }
