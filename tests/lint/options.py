#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every option of every command is used in a session: options.py PARADL ROOT. Prints those that are not."""
import pathlib
import re
import subprocess
import sys


def options_of_commands(paradl):
    """Returns the (command, option) pairs, and by command the options of letters."""
    pairs, letters = set(), {}
    rows = subprocess.run([paradl, "completion", "fish"], capture_output=True, text=True, check=True).stdout
    for found in re.finditer(r"__fish_seen_subcommand_from ([a-z ]+)' -l (\S+)(?: -s (\w))?", rows):
        for command in found[1].split():
            pairs.add((command, found[2]))
            if found[3]:
                letters[command, found[3]] = found[2]
    return pairs, letters


def commands_in(text, indent):
    """Yields what a session types, with continuation lines joined."""
    typed = ""
    for line in text.splitlines():
        if line.startswith(indent + "$ "):
            if typed:
                yield typed
            typed = line[len(indent) + 2:]
        elif typed and line.startswith(indent + "> "):
            typed += "\n" + line[len(indent) + 2:]
        elif typed:
            yield typed
            typed = ""
    if typed:
        yield typed


def words_of(typed):
    """Yields the words of a command line, loops written out: $x of "for x in a b; do" is "a|b"."""
    loops = dict(re.findall(r"for (\w+) in ([\w\s-]+);", typed.replace("\\\n", " ")))
    for word in re.findall(r"[|;&(){}\n]|[^\s|;&(){}\n]+", typed.replace("\\\n", " ")):
        word = word if word == "\n" else word.strip("'\"`")
        yield "|".join(loops[word[1:]].split()) if word[1:] in loops and word[0] == "$" else word.lstrip("$") or word


def used_in(path, letters, names):
    """Yields the (command, option) pairs of a session. A function stands for the commands in it, or runs that of its first word."""
    functions, variables = {}, {}
    for typed in commands_in(path.read_text(encoding="utf-8"), "    " if path.suffix == ".md" else "  "):
        defined = re.match(r"(\w+)\s*\(\)", typed)
        commands, expects_name = set(), False
        variables.update(re.findall(r"^(\w+)=[\"'](\w+) ", typed))
        for word in words_of(typed):
            word = variables.get(word, word)
            if word in "|;&(){}\n":
                commands, expects_name = set(), False
            elif expects_name:
                commands, expects_name = names.intersection(word.split("|")), False
                if defined:
                    functions.setdefault(defined[1], set()).update(commands)
            elif word in ("paradl", "paradl-mpi") or word.endswith("/paradl"):
                expects_name = True
            elif not commands and word in functions:
                commands, expects_name = functions[word], not functions[word]
            elif word.startswith("--"):
                yield from ((name, word[2:].split("=")[0]) for name in commands)
            elif word.startswith("-"):
                yield from ((name, letters[name, letter]) for name in commands for letter in word[1:]
                            if (name, letter) in letters)


def main():
    paradl, root = sys.argv[1], pathlib.Path(sys.argv[2])
    pairs, letters = options_of_commands(paradl)
    names = {command for command, option in pairs}
    used = set()
    for path in [*root.glob("tests/cli/*.t"), *root.glob("examples/*/README.md"), root / "README.md"]:
        used.update(used_in(path, letters, names))
    missing = sorted(pairs - used)
    for command, option in missing:
        print(f"{command} --{option}: no session in tests/cli or examples uses it")
    return len(missing) > 0


sys.exit(main())
