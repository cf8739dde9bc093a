# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes options.py of the package: the options of each command that answers, as its help has them, in Python's spelling.

    options.py PARADL OUTPUT COMMAND.."""
import json
import re
import subprocess
import sys

OPTION = re.compile(r"  (?:-\w, )?--([\w-]+)(\[?)(?:[ =]([A-Z][^ \]]*)\]?)?(?: +(.*))?$")


def paradl(program, *arguments, question=None):
    return subprocess.run([program, *arguments], input=question, capture_output=True, text=True, check=question is None).stdout


def options(program, command):
    """Yields heading, name, value and words of each option that a question may have."""
    heading, found = None, []
    for line in paradl(program, command, "--help", "--width", "100").splitlines():
        option = OPTION.match(line)
        if option:
            found.append([heading, option[1].replace("-", "_"), "True" if option[2] or not option[3] else option[3], option[4] or ""])
        elif re.match(r"[A-Z]\w*$", line):
            heading = line
        elif found and line.startswith(" " * 20):
            found[-1][3] += " " + line.strip()
    for option in found:
        if "has no meaning" not in paradl(program, "ask", question=json.dumps({"ask": command, option[1]: True})):
            yield option


def main():
    program, output, *commands = sys.argv[1:]
    with open(output, "w", encoding="utf-8") as file:
        file.write("# Written by options.py of the source.\nOPTIONS = {\n")
        for command in commands:
            file.write(f"    {command!r}: {list(map(tuple, options(program, command)))!r},\n")
        file.write("}\n")


main()
