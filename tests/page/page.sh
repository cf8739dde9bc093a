#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page with controls, built and tried: page.sh PARADL BUILD
# 77: what it takes is not here, emcc, node or chromium.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
paradl=$1 build=$2
for name in node python3; do
	command -v "$name" >/dev/null || { echo "$name is missing" && exit 77; }
done
sh "$here/../../scripts/page.sh" "$build" || exit $?
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PARADL_PATH="$build" LC_ALL=C.UTF-8
size=$(gzip -9 -c "$build/page/engine.wasm" | wc -c)
[ "$size" -le 3000000 ] || { echo "the engine has $size bytes, compressed" && exit 1; }
"$paradl" report resnet50 --hw abci --hw alps --gpus 64 --interactive -o "$folder/1.html"
"$paradl" report llama3-8b --hw dgx-h100-superpod --hw frontier --hw tpu-v4 --gpus 64 --interactive -o "$folder/2.html"
"$paradl" report cosmoflow-128 --hw summit --gpus 32 --interactive -o "$folder/3.html"
"$paradl" report llama3-8b --hw dgx-h100-superpod --gpus 8 --inference --interactive -o "$folder/4.html"
"$paradl" report "$here/../data/onnx/light_resnet50.onnx" --hw abci --gpus 16 --interactive -o "$folder/5.html"
node "$here/equal.mjs" "$paradl" 200 "$folder"/?.html
python3 "$here/browser.py" "$paradl" "$build"
