#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole loop on an idle machine, again and again: loop.py PARADL ROUNDS [MPIRUN]

This host is calibrated (--cpu --mpi --quick), a profile is fitted, and training steps of tiny-cnn are run and compared. No fit may be refused,
and the median over rounds of the median error of the steps may be 15 %. A round takes some seven minutes, so no suite runs it."""
import json
import os
import statistics
import subprocess
import sys
import tempfile

MOST_ERROR = 0.15
paradl, rounds = os.path.realpath(sys.argv[1]), int(sys.argv[2])
launcher = ["--mpirun", sys.argv[3]] if len(sys.argv) > 3 else []


def run(*words, folder):
    return subprocess.run([paradl, *words, "-q"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def round_of(folder):
    """The median error of the steps, and what the calibration took of what it promised; None for an error where the fit was refused."""
    done = run("calibrate", "--cpu", "--mpi", "--quick", "-o", "samples.jsonl", "--json", *launcher, folder=folder)
    assert done.returncode in (0, 1), done.stderr
    said = json.loads(done.stdout)
    share = sum(program["seconds"] for program in said["programs"]) / said["planned_s"]
    fitted = run("fit", "samples.jsonl", "--into", "here.json", folder=folder)
    if fitted.returncode != 0:
        print(fitted.stderr.strip())
        return None, share
    done = run("validate", "--run", "--quick", "--launches", "3", "--hw", "./here.json", "--json", *launcher, folder=folder)
    errors = [abs(row["error"]) for row in json.loads(done.stdout)["rows"] if not row["skipped"]]
    return statistics.median(errors), share


found = []
for number in range(rounds):
    with tempfile.TemporaryDirectory() as scratch:
        error, share = round_of(scratch)
    print(f"round {number + 1}: {'refused' if error is None else f'{100 * error:.1f} %'}; {100 * share:.1f} % of the planned time", flush=True)
    found.append(error)
errors = [error for error in found if error is not None]
median = statistics.median(errors) if errors else float("inf")
print(f"{found.count(None)} of {rounds} fits refused, median error {100 * median:.1f} %")
sys.exit(None in found or median > MOST_ERROR)
