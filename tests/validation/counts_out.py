#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of collectives at numbers of nodes that nobody measured: each number of nodes of a machine's curves is left out in turn,
and asked from those that are left, which carries curves on to more nodes or between others.

    python3 counts_out.py PARADL          the errors of 1 MiB and more, and how many are inside the bands that were printed
    python3 counts_out.py PARADL --hold   and 1 where they are beyond what is held

The least number of nodes is not left out: times of fewer nodes than any are not made of curves. Counts that `check` finds to be out of
line with the others were slow when they were measured, and no law meets them: they are in the sum, and apart."""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MACHINES = ("abci", "abci-2", "dgx-a100-superpod")
LEAST_BYTES = 1 << 20
MOST_MEDIAN, MOST_IN_LINE, LEAST_INSIDE, MOST_INSIDE = 0.103, 0.10, 0.85, 0.95


def groups(machine):
    """The curves of each operation, library and number of devices in a node, if there are more than two."""
    found = {}
    for curve in machine["curves"]:
        key = curve["operation"], curve["library"], curve["devices"] // curve["nodes"]
        found.setdefault(key, []).append(curve)
    return {key: curves for key, curves in found.items() if len(curves) > 2}


def out_of_line(paradl, name):
    """The indices of the curves of a shipped machine that `check` says are out of line."""
    path = os.path.join(ROOT, "hw-profiles", name + ".json")
    answer = subprocess.run([paradl, "check", path, "--json"], check=True, capture_output=True, text=True).stdout
    return {int(index) for index in re.findall(r"/curves/(\d+): \d+ nodes take up to", answer)}


def ask(paradl, machine, left, out, folder):
    """The rows that the curves in `left` give at the sizes of the one in `out`."""
    path = os.path.join(folder, "machine.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(machine | {"curves": left}, file)
    sizes = [size for size in out["bytes"] if size >= LEAST_BYTES]
    words = [paradl, "collective", out["operation"], "--hw", path, "--ranks", str(out["devices"]), "--bytes", ",".join(map(str, sizes)), "--json"]
    answer = subprocess.run(words, check=True, capture_output=True, text=True, env=os.environ | {"PARADL_PATH": ROOT}).stdout
    return json.loads(answer)["networks"][0]["rows"]


def left_out(paradl):
    """Machine, operation, library, nodes, whether more than all others, bytes, relative error, band of each size, and whether in line."""
    for name in MACHINES:
        with open(os.path.join(ROOT, "hw-profiles", name + ".json"), encoding="utf-8") as file:
            machine = json.load(file)
        slow = [machine["curves"][index] for index in out_of_line(paradl, name)]
        for (operation, library, _), curves in groups(machine).items():
            counts = sorted(curve["nodes"] for curve in curves)
            for out in curves:
                if out["nodes"] == counts[0]:
                    continue
                measured = dict(zip(out["bytes"], out["us"]))
                with tempfile.TemporaryDirectory() as folder:
                    for row in ask(paradl, machine, [c for c in curves if c is not out], out, folder):
                        error = row["time_s"] * 1e6 / measured[row["bytes"]] - 1
                        yield name, operation, library, out["nodes"], out["nodes"] == counts[-1], row["bytes"], error, row["error_share"] or 0, out not in slow


def score(rows, title):
    median = statistics.median(abs(row[6]) for row in rows)
    # The band is of the projected time: a measured one is inside of it if it is no farther from that.
    inside = sum(abs(1 - 1 / (1 + row[6])) <= row[7] for row in rows) / len(rows)
    band = statistics.median(row[7] for row in rows)
    print(f"{title:44} {len(rows):4} times, median error {100 * median:5.1f} %, median band {100 * band:5.1f} %, inside {100 * inside:3.0f} %")
    return median, inside


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paradl")
    parser.add_argument("--hold", action="store_true")
    arguments = parser.parse_args()
    rows = list(left_out(os.path.realpath(arguments.paradl)))
    for key in sorted({row[:4] for row in rows}):
        score([row for row in rows if row[:4] == key], f"{key[0]} {key[1]}, {key[2]}, {key[3]} nodes")
    score([row for row in rows if not row[4]], "between others")
    score([row for row in rows if row[4]], "more than all others")
    score([row for row in rows if not row[8]], "out of line")
    in_line, _ = score([row for row in rows if row[8]], "in line")
    median, inside = score(rows, "all")
    return arguments.hold and not (median <= MOST_MEDIAN and in_line <= MOST_IN_LINE and LEAST_INSIDE <= inside <= MOST_INSIDE)


if __name__ == "__main__":
    sys.exit(main())
