#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes what the program prints now into the sessions given (default: all of them): refresh.sh BUILD [FILE...]
# Look at each difference before you commit it.
set -eu
build=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- tests/cli/*.t README.md examples/README.md
export PARADL="$build/paradl" PARADL_PATH="$PWD" SOURCE="$PWD" PATH="$build:$PATH" COLUMNS=100 LC_ALL=C.UTF-8
for file in "$@"; do
	case $file in
	*.md) set -- --preserve-env --indent=4 ;;
	*) set -- ;;
	esac
	cram3 -q "$@" "$file" >/dev/null && continue
	# cram writes bytes outside ASCII as \xNN and marks the line.
	python3 -c '
import re, sys
line = re.compile(rb"^(.*) \(esc\)$")
for text in sys.stdin.buffer:
    found = line.match(text.rstrip(b"\n"))
    text = found[1].decode("unicode_escape").encode("latin-1") + b"\n" if found else text
    sys.stdout.buffer.write(text)' <"$file.err" >"$file"
	rm -f "$file.err"
	echo "$file"
done
