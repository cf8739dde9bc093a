#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the page together: assemble.py PAGE.html ENGINE.wasm OUTPUT

The folder of PAGE.html has style/ and script/. The same files give the same page, byte by byte."""
import base64
import gzip
import pathlib
import re
import sys

page, engine, output = map(pathlib.Path, sys.argv[1:])
WORKER = ["engine", "words", "worker"]
PAGE = ["draw", "state", "sources", "controls", "show", "main"]


def text(folder, name, ending):
    """Returns a file without its lines of comment and the blanks that lines begin with."""
    lines = (page.parent / folder / (name + ending)).read_text(encoding="utf-8").splitlines()
    if ending == ".js":
        lines = [line for line in lines if not re.match(r"\s*//", line) and line != '"use strict";']
    return "\n".join(line.strip() for line in lines if line.strip())


def scripts(names):
    code = '"use strict";\n' + "\n".join(text("script", name, ".js") for name in names)
    if "</script" in code or "<!--" in code:
        sys.exit("a script would end within itself")
    return code


parts = {
    "STYLE": "\n".join(text("style", name, ".css") for name in ("base", "page")),
    "ENGINE": base64.b64encode(gzip.compress(engine.read_bytes(), 9, mtime=0)).decode(),
    "WORKER": scripts(WORKER),
    "PAGE": scripts(PAGE),
}
output.write_text(re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]], page.read_text(encoding="utf-8")), encoding="utf-8")
