#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# readme.sh: runs the first commands of README.md as they stand there, in a fresh clone; pictures must come of them.
set -eu
commands=$(awk '/^```/ {++fence; next} fence == 1' README.md)
echo "$commands" | grep -q '^sh scripts/demo.sh'
echo "$commands" | sh -eux
for picture in rank.png llama.png; do
	[ -s "$picture" ]
done
