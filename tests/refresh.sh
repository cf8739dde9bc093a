#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes what the program prints now into the sessions given (default: all of them): refresh.sh BUILD [FILE...]
# Look at each difference before you commit it. The picture of README.md is drawn again, too.
set -eu
build=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")/.."
all=
[ $# -gt 0 ] || all=yes
[ -z "$all" ] || set -- tests/cli/*.t README.md examples/*/README.md
export PARADL="$build/paradl" PARADL_PATH="$PWD" SOURCE="$PWD" PATH="$build:$PATH" COLUMNS=100 LC_ALL=C.UTF-8
[ -z "$all" ] || paradl advise resnet50 --hw abci --gpus 64 --top 5 --plot=docs/ranking.svg -q >/dev/null
for file in "$@"; do
	case $file in
	*.md) set -- --preserve-env --indent=4 ;;
	*) set -- ;;
	esac
	cram3 -q "$@" "$file" >/dev/null && continue
	# cram writes bytes outside ASCII as \xNN and marks the line. Lines that match loosely stay as they are.
	python3 -c '
import difflib, fnmatch, re, sys
escaped = re.compile(r"^(.*) \(esc\)$", re.S)
def read(path):
    for line in open(path, encoding="utf-8", errors="surrogateescape", newline="\n"):
        found = escaped.match(line.rstrip("\n"))
        yield found[1].encode().decode("unicode_escape").encode("latin-1").decode() + "\n" if found else line
def loose(old, new):
    return old.endswith(" (glob)\n") and fnmatch.fnmatchcase(new, old[:-len(" (glob)\n")].replace("[", "[[]") + "\n")
old, new = list(read(sys.argv[1])), list(read(sys.argv[1] + ".err"))
out = []
for kind, i, j, k, l in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
    for at in range(k, l):
        kept = next((line for line in old[i:j] if loose(line, new[at])), new[at]) if kind == "replace" else new[at]
        out.append(kept)
with open(sys.argv[1], "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
    file.writelines(out)' "$file"
	rm -f "$file.err"
	echo "$file"
done
# The notebook needs pandas.
if [ -n "$all" ] && [ -d "$build/python" ] && python3 -c "import pandas" 2>/dev/null; then
	PYTHONPATH="$build/python" LD_LIBRARY_PATH="$build/src" python3 tests/python/notebook.py examples/15-notebook/asking.ipynb --write
fi
