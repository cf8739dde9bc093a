#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The examples of the manual pages of file formats are files of those formats: manual.sh PARADL MAN
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
for page in "$2"/*.5.scd; do
	file="$scratch/$(basename "$page" .5.scd).json"
	awk '/^```/ {inside = !inside; next} inside' "$page" >"$file"
	if head -n 1 "$file" | grep -q '^{'; then
		"$1" check "$file"
		count=$((count + 1))
	fi
done
[ "$count" -ge 3 ]
