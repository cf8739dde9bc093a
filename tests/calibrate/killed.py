#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calibrations that are killed at random moments lose nothing: killed.py PARADL PROGRAM

PROGRAM measures (or says so) as paradl-measure-fake. Again and again either it or paradl gets a SIGKILL, and the calibration is
resumed. In the end every point that was ever reported is in the file, once in each launch, and all lines are whole."""
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

KILLS, POINTS, LAUNCHES = 20, 30, 3
paradl, program = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
seed = random.randrange(10**6)
chance = random.Random(seed)
reported = set()
problems = []


def children(process):
    """Ids of the processes that it has started."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (entry / "stat").read_text().rpartition(") ")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == process and state != "Z":
            found.append(int(entry.name))
    return found


def calibrate(folder, *more, kill=None):
    """One run, which is killed some time after its first point; its exit status."""
    command = [folder / "paradl", "calibrate", "--fake", "--launches", str(LAUNCHES), "-v", "-o", folder / "x.jsonl", *more]
    with open(folder / "log", "w+") as log:
        run = subprocess.Popen(command, stderr=log, stdout=log, env=dict(os.environ, TELL=f"points={POINTS // 2} sleep=0.01"))
        if kill:
            time.sleep(chance.uniform(0.1, 0.9))
            started = children(run.pid)  # before the kill: orphans have another parent
            for victim in [run.pid] if kill == "paradl" else started:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        left = started if kill == "paradl" else []
        status = run.wait(timeout=60)
        log.seek(0)
        for launch, point in re.findall(r"launch (\d+)/\d+ fake (\S+) 1\.05 ms", log.read()):
            reported.add((int(launch) - 1, point))
    return status, left


def samples(folder):
    """(launch, point) of every line, how often; the last line may be torn unless the run ended by itself."""
    count = collections.Counter()
    if not (folder / "x.jsonl").exists():
        return count
    text = (folder / "x.jsonl").read_bytes()
    for line in text[: text.rfind(b"\n") + 1].splitlines():
        values = json.loads(line)
        if "point" in values and "seconds" in values:
            count[int(values["launch"].rpartition(".")[2]), values["point"]] += 1
    return count


def check(folder, when):
    count = samples(folder)
    lost = [point for point in reported if not count[point]]
    twice = [point for point, times in count.items() if times > 1]
    if lost or twice:
        problems.append(f"{when}: lost {lost}, twice {twice}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "calibrate" / "fake").mkdir(parents=True)
    shutil.copy(paradl, folder / "paradl")
    shutil.copy(program, folder / "calibrate" / "fake" / "paradl-measure-fake")
    kills = collections.Counter()
    for i in range(KILLS):
        victim = chance.choice(["paradl", "program"])
        status, left = calibrate(folder, "--resume", kill=victim)
        kills[victim, status] += 1
        check(folder, f"kill {i} of {victim}")
        # A program that has lost its paradl ends by itself; until then the file is locked.
        patience = time.monotonic() + 20
        while status == -signal.SIGKILL and any(os.path.exists(f"/proc/{id}") for id in left) and time.monotonic() < patience:
            time.sleep(0.02)
        if len(samples(folder)) == LAUNCHES * POINTS:
            os.unlink(folder / "x.jsonl")
            reported.clear()
    status, left = calibrate(folder, "--resume")
    if status:
        problems.append(f"the last run ended with {status}: {(folder / 'log').read_text()}")
    check(folder, "the end")
    count = samples(folder)
    if len(count) < LAUNCHES * POINTS - KILLS:
        problems.append(f"only {len(count)} points in the end")
    if subprocess.run([paradl, "check", folder / "x.jsonl"], stdout=subprocess.DEVNULL).returncode:
        problems.append("paradl check finds mistakes")
    if not any(kills[victim, -signal.SIGKILL] for victim in ["paradl"]):
        problems.append(f"paradl was never killed: {dict(kills)}")
print(f"seed {seed}: {dict(kills)}, {len(count)} points")
print(*problems, sep="\n")
sys.exit(bool(problems))
