#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a choice among algorithms of collectives costs on machines where all of them were measured: choices.csv has medians with one rank on each
node, in host memory (github.com/HLC-Lab/pico), of which nothing was fitted. At each size the algorithm that paradl finds the fastest of those measured is taken;
its regret is how much longer it took than the fastest of them did. A message's start-up and rate from host memory are those of the machine's own ring
of an allgather, of its least and its largest size: profiles have those of GPUs' libraries.

    python3 choices_out.py PARADL          the regrets, and those of the libraries' own choices
    python3 choices_out.py PARADL --hold   and 1 where they are beyond what is held"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PER_NODE = {"leonardo": 4, "lumi-g": 8, "marenostrum5": 4}
MOST_MEAN, MOST_MEDIAN = 0.092, 0.03


def model(paradl, machine, operation, nodes, algorithm, sizes, changes):
    words = [paradl, "collective", operation, "--hw", machine, "--ranks", str(nodes), "--stride", str(PER_NODE[machine]), "--concurrent", "1"]
    words += ["--algo", algorithm, "--bytes", ",".join(map(str, sizes)), "--csv"]
    words += [word for key, value in changes.items() for word in ("--set", f"hw.network.links.port.{key}={value}")]
    answer = subprocess.run(words, check=True, capture_output=True, text=True, env=os.environ | {"PARADL_PATH": ROOT}).stdout
    return {int(float(row["bytes"])): float(row["model_s"]) for row in csv.DictReader(answer.splitlines())}


def facts(paradl, machine, groups):
    """Latency and rate of a port, so that rings of small and of large sizes take what they did."""
    with open(os.path.join(ROOT, "hw-profiles", machine + ".json"), encoding="utf-8") as file:
        latency_us = float(json.load(file)["network"]["links"]["port"]["latency"].split()[0])
    (nodes, sizes), = [(key[2], sizes) for key, sizes in groups.items() if key[:2] == (machine, "allgather")]
    ring = {size: times["ring"] for size, times in sizes.items() if "ring" in times}
    least, most = min(ring), max(ring)
    ours = model(paradl, machine, "allgather", nodes, "ring", [least], {})
    latency_us += (ring[least] - ours[least] * 1e6) / (nodes - 1) / 2  # both ends of a message have a port
    rate = (most - least) * (nodes - 1) / nodes / (ring[most] - ring[least]) / 1e3
    return {"latency": f"{latency_us:.3f} us", "bandwidth": f"{rate:.2f} GB/s", "sustained": f"{rate:.2f} GB/s"}


def regrets(paradl):
    """Machine, operation, bytes, the algorithm that was chosen, its regret and that of the library's choice."""
    groups = {}
    with open(os.path.join(HERE, "choices.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sizes = groups.setdefault((row["machine"], row["operation"], int(row["nodes"])), {})
            sizes.setdefault(int(row["bytes"]), {})[row["algorithm"]] = float(row["median_us"])
    changes = {machine: facts(paradl, machine, groups) for machine in PER_NODE}
    for (machine, operation, nodes), sizes in groups.items():
        names = sorted({name for times in sizes.values() for name in times} - {"default"})
        ours = {name: model(paradl, machine, operation, nodes, name, sorted(sizes), changes[machine]) for name in names}
        for size, times in sorted(sizes.items()):
            measured = {name: time for name, time in times.items() if name != "default"}
            if len(measured) < 2:
                continue
            least = min(measured.values())
            chosen = min(measured, key=lambda name: ours[name][size])
            default = max(times["default"] / least - 1, 0) if "default" in times else None
            yield machine, operation, size, chosen, measured[chosen] / least - 1, default


def score(rows, title):
    mean, median = (f([row[4] for row in rows]) for f in (statistics.mean, statistics.median))
    default = statistics.mean(row[5] for row in rows if row[5] is not None)
    print(f"{title:32} {len(rows):3} choices, mean regret {100 * mean:5.1f} %, median {100 * median:4.1f} %, of the library {100 * default:5.1f} %")
    return mean, median


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paradl")
    parser.add_argument("--hold", action="store_true")
    arguments = parser.parse_args()
    rows = list(regrets(os.path.realpath(arguments.paradl)))
    for key in sorted({row[:2] for row in rows}):
        score([row for row in rows if row[:2] == key], f"{key[0]} {key[1]}")
    mean, median = score(rows, "all")
    return arguments.hold and not (mean <= MOST_MEAN and median <= MOST_MEDIAN)


if __name__ == "__main__":
    sys.exit(main())
