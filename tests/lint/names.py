#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sources that texts and comments name are there: names.py ROOT

Looks at the documents for developers, and at every comment of src/. A name without a folder is that of any source; with folders it
is the end of a path. No two sources of src/ have one name, but for the public header of a room, in src/paradl/."""
import collections
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
SOURCE = re.compile(r"(?<![\w./*<-])((?:[a-z_][\w-]*/)*[a-z_]\w*\.(?:c|h|def))(?![\w.])")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
FOREIGN = re.compile(r"(?:std\w+|string|math|pthread|mpi|nccl|cuda\w*|gsl\w*|cJSON|yaml|errno|limits|locale|a)\.h$|^b\.c$")

sources = [path.relative_to(root) for folder in ("src", "calibrate", "tests", "page", "examples", "packaging") for path in (root / folder).rglob("*.*")
           if path.suffix in (".c", ".h", ".def")]
ends = set()
for source in sources:
    for first in range(len(source.parts)):
        ends.add("/".join(source.parts[first:]))

problems = []


def look(path, text, first):
    for match in SOURCE.finditer(text):
        if match[1] not in ends and "NAME" not in match[1] and not FOREIGN.search(match[1]):
            problems.append(f"{path}:{first + text.count(chr(10), 0, match.start())}: there is no {match[1]}")


for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/rooms.md"):
    look(name, (root / name).read_text(), 1)
for source in sources:
    if source.parts[0] == "src":
        text = (root / source).read_text()
        for comment in COMMENT.finditer(text):
            look(source, comment[0], 1 + text.count("\n", 0, comment.start()))

names = collections.Counter(source.name for source in sources
                            if source.parts[0] == "src" and source.suffix != ".def" and source.parts[1] != "paradl")
problems.extend(f"src: {count} files are called {name}" for name, count in names.items() if count > 1)

assert "src/oracle/oracle.h" in ends and not FOREIGN.search("oracle.h"), "no sources were found"
print("\n".join(problems) or f"{len(sources)} sources")
sys.exit(bool(problems))
