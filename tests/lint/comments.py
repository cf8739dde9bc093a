#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A comment above a function begins with a verb in the third person: "Returns ...", "Adds ...". comments.py ROOT"""
import pathlib
import re
import sys

# Words that end in s and are no verbs, or no good beginnings.
NO_VERBS = set("""This Its Is Was Has Does Always Unless Less Thus Plus Minus Besides Keys Bytes Items Rows Names Lines Values Numbers Parts Layers Plans
Words Options Times Costs Ways Groups Devices Nodes Weights Collectives Blocks Events Samples Ends Sums Shares Links Messages Ranks Others Constants
Points Files Columns Texts Classes Prices Curves Machines Networks Ranges Seconds Steps Flows Routes Ports Terms Errors Units Needs Choices Kinds
Places Sizes Bounds Models Tokens Experts Heads Stages Axes Replicas Loads Rates Bands Peaks Results Answers Questions Programs Frameworks Algorithms
Phases Passes Calls Kernels Products Buckets Images Tables Pages Pictures Figures Sentences""".split())
TYPE = r"(?:static |extern |inline |const |PARADL_API |bool |void |int |double |size_t |char |unsigned |struct \w+ |enum \w+ |\w+_t |\*)*"
ABOVE = re.compile(r"^[\t ]*/\*((?:[^*]|\*(?!/))*)\*/\n" + TYPE + r"\**\w+\(", re.M)

wrong = []
for path in sorted(pathlib.Path(sys.argv[1], "src").rglob("*.[ch]")):
    text = path.read_text()
    for found in ABOVE.finditer(text):
        words = re.sub(r"\s*\n[\t ]*\*", " ", found[1]).split()
        if words and not words[0].startswith("NOLINT") and (not re.fullmatch(r"[A-Z][a-z]+s", words[0]) or words[0] in NO_VERBS):
            wrong.append(f"{path}:{text[:found.start()].count(chr(10)) + 1}: begins with no verb: {' '.join(words)[:80]}")
sys.exit("\n".join(wrong) or 0)
