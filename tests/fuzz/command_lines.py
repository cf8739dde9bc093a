#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Command lines that were made wrong: command_lines.py PARADL ROOT [--cases N] [--seed N] [--first N]

The commands of all sessions that have an answer where none of the sessions' files are, with words replaced, left out, doubled, taken from others or added: options of any command, and values at the
ends of their ranges, beyond them or in another's place. Each ends in time and of itself, with a status that is documented, a word about
why where that is not 0, and no file that it left half written. A case that does not is printed."""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

STATUSES = range(6)
BOUND_S = 60
NEVER = {"calibrate"}  # it would measure; sessions of its own give it bad options
ODD = ["", " ", "0", "-1", "1", "3", "1000", "65536", "2147483648", "1e6", "9e15", "1e20", "1e308", "1e309", "1e-320", "0.5", "nan", "inf", "0x10",
       "1,5", "150%", "null", "1 s", "0 s", "1e30 s", "1 fortnight", "0 GB/s", "1 B/s", "1 GiB", "*", "..", "../x", "/dev/zero", "/dev/null", "/", ".", "-",
       "--", "--help", "=cmd|' /C calc'!A0", "%s%n", "\\", "'", "a,b", "a\tb", "fp32", "bf16-mixed", "none", "auto", "data=4", "data=*", "data=2,data=2",
       "data=4294967296", "data=0", "data=", "tensor=2", "pipeline=8,micro=4,schedule=interleaved:2", "data=4,zero=3", "fat-tree:2x2", "torus:1x1",
       "torus:100000x100000", "ring:0", "dragonfly:2,2,2", "hw.levels.*.bandwidth=x2", "model.layers.*=0", "1..4", "1..1e9", "4..1", "2026-02-30",
       "allreduce", "\u202e", "\u00e9", "\U0001d11e", "\x1b[31m", "tiny", "toy", "missing.json"]


def typed_in(root):
    """Yields the words of each command of a session, up to what a shell makes of its answer."""
    for path in sorted((root / "tests" / "cli").glob("*.t")):
        for line in path.read_text(encoding="utf-8").splitlines():
            found = re.match(r"  \$ paradl ([^|<>&;`$*(){}\\#]+)( [|>&;].*)?$", line)
            try:
                words = shlex.split(found[1]) if found else []
            except ValueError:
                continue
            if words and words[0] not in NEVER and "--run" not in words:
                yield words


def options_of_commands(paradl):
    rows = subprocess.run([paradl, "completion", "fish"], capture_output=True, text=True, check=True).stdout
    return sorted({"--" + name for name in re.findall(r"__fish_seen_subcommand_from [a-z ]+' -l (\S+)", rows)} - {"--run"})


def options_in(words):
    """Yields each option with the words up to the next."""
    starts = [at for at, word in enumerate(words) if word.startswith("-")] + [len(words)]
    for begin, end in zip(starts, starts[1:]):
        yield words[begin:end]


def changed(chance, words, corpus, options):
    words = list(words)
    for _ in range(chance.choice((1, 1, 1, 2))):
        values = [at for at, word in enumerate(words) if at and not word.startswith("-")]
        at = chance.choice(values) if values else 0
        kind = chance.choices(range(7), (3, 3, 4, 1, 1, 1, 1))[0]
        if kind == 0:
            words[at] = chance.choice(ODD)
        elif kind == 1:
            words[at] = chance.choice(chance.choice(corpus))
        elif kind == 2:
            more = [option for line in corpus if line[0] == words[0] for option in options_in(line)]
            words += chance.choice(more) if more else []
        elif kind == 3:
            del words[at]
        elif kind == 4:
            words.insert(at, words[at])
        elif kind == 5:
            words += [chance.choice(options), chance.choice(ODD)]
        else:
            words[at] = words[at].partition("=")[0] + "=" + chance.choice(ODD)
        if not words:
            break
    return words


def start(paradl, root, folder, words):
    environment = dict(os.environ, PARADL_PATH=f"{root}/tests/cli/data:{root}", HOME=str(folder), COLUMNS="100", LC_ALL="C.UTF-8")
    return subprocess.run([paradl, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=BOUND_S)


def fault(paradl, root, folder, words):
    """What is wrong with how a command line ends; None: nothing."""
    try:
        done = start(paradl, root, folder, words)
    except subprocess.TimeoutExpired:
        return "takes too long"
    if done.returncode not in STATUSES:
        return f"ends with {done.returncode}: {done.stderr[-300:]!r}"
    if done.returncode and not done.stdout + done.stderr:
        return f"ends with {done.returncode} and no word"
    left = [path.name for path in folder.rglob("*.tmp*")]
    return f"leaves {left}" if left else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("paradl", type=pathlib.Path)
    parser.add_argument("root", type=pathlib.Path)
    for name, otherwise in ("cases", 10000), ("seed", 1), ("first", 0):
        parser.add_argument("--" + name, type=int, default=otherwise)
    asked = parser.parse_args()
    root = asked.root.resolve()
    corpus, options = list(typed_in(root)), options_of_commands(asked.paradl.resolve())
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        paradl = shutil.copy(asked.paradl, top / "paradl")  # where no programs that measure are beside it

        def scratch(number, make):
            folder = top / "cases" / str(number) / "here"
            folder.mkdir(parents=True)
            found = make(folder)
            shutil.rmtree(folder.parent, ignore_errors=True)
            return found

        answered = [words for at, words in enumerate(corpus)
                    if scratch(f"base {at}", lambda folder: start(paradl, root, folder, words)).returncode in (0, 1)]

        def case(number):
            chance = random.Random(f"{asked.seed} {number}")
            words = changed(chance, chance.choice(answered), corpus, options)
            why = None if words and words[0] in NEVER else scratch(number, lambda folder: fault(paradl, root, folder, words))
            return number, words, why

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for number, words, why in pool.map(case, range(asked.first, asked.first + asked.cases)):
                if why:
                    wrong += 1
                    print(f"case {number}: {why}: paradl {shlex.join(words)}", flush=True)
    print(f"{asked.cases} command lines of {len(answered)} (seed {asked.seed}): {wrong} violations")
    return wrong > 0


sys.exit(main())
