#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of MLPerf HPC on machines that nobody fitted: each machine of mlperf_hpc.csv is left out in turn, the passes over memory that
convolutions in three dimensions cost ("volume_passes" of the A100) are fitted again to the others, and its rows are projected.

    python3 hpc_out.py PARADL          the errors
    python3 hpc_out.py PARADL --hold   and 1 where one is beyond the bar, or the shipped number is not that of all rows

DeepCAM has two dimensions, and no say in it: it is left out whatever is fitted. Fugaku's one row is all there is on A64FX, whose rate
("volume") is fitted to it: left out, that is 1, as of libraries that do not lag behind, and its error is printed but has no bar."""
import argparse
import csv
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(HERE, "mlperf_hpc.csv")
DEVICES = os.path.join("hw-profiles", "devices")
A100, A64FX = "a100-sxm4-80gb", "a64fx-32gb"
LOWEST, HIGHEST = 1, 500
BAR, ALONE = 0.3, "fugaku"


def put(folder, device, **numbers):
    with open(os.path.join(ROOT, DEVICES, device + ".json"), encoding="utf-8") as file:
        tree = json.load(file)
    tree["convolution"].update(numbers)
    with open(os.path.join(folder, DEVICES, device + ".json"), "w", encoding="utf-8") as file:
        json.dump(tree, file)


def project(folder, passes):
    """Rows, with the logarithms of projected over measured times."""
    put(folder, A100, volume_passes=passes)
    words = [PARADL, "validate", "--measured", TABLE, "--csv", "--tolerance", "100%"]
    text = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout
    return [row | {"log": math.log(float(row["projected_total_s"]) / float(row["measured_total_s"]))} for row in csv.DictReader(text.splitlines())]


def fit(folder, use):
    """The passes with the least sum of squares, of rows that they are for; times grow with them."""
    low, high = LOWEST, HIGHEST
    while high - low > 0.25:
        thirds = [low + (high - low) * part / 3 for part in (1, 2)]
        left, right = (sum(row["log"] ** 2 for row in project(folder, at) if "cosmoflow" in row["model"] and use(row)) for at in thirds)
        low, high = (low, thirds[1]) if left < right else (thirds[0], high)
    return round((low + high) / 2)


def worst_of(rows):
    return max(abs(math.expm1(row["log"])) for row in rows)


def main():
    parser = argparse.ArgumentParser(description="Errors of machines of MLPerf HPC that were left out.")
    parser.add_argument("paradl", help="the program")
    parser.add_argument("--hold", action="store_true", help="exit with 1 where errors are beyond the bar")
    options = parser.parse_args()
    global PARADL
    PARADL = os.path.abspath(options.paradl)
    with open(os.path.join(ROOT, DEVICES, A100 + ".json"), encoding="utf-8") as file:
        shipped = json.load(file)["convolution"]["volume_passes"]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(ROOT, "hw-profiles"), os.path.join(folder, "hw-profiles"))
        os.symlink(os.path.join(ROOT, "models"), os.path.join(folder, "models"))
        fitted = fit(folder, lambda row: True)
        rows = project(folder, shipped)
        print(f"volume_passes are {shipped:g}, fitted to all rows {fitted:g}; errors of all rows at most {100 * worst_of(rows):.1f} %")
        worst = worst_of(rows)
        put(folder, A64FX, volume={})
        for machine in dict.fromkeys(row["hw"] for row in rows):
            passes = fit(folder, lambda row, name=machine: row["hw"] != name)
            own = [row for row in project(folder, passes) if row["hw"] == machine]
            for row in own:
                print(f"without {machine:17} {passes:3} passes: {row['model']:13} {row['strategy']:10} {100 * math.expm1(row['log']):+6.1f} %")
            worst = max(worst, 0 if machine == ALONE else worst_of(own))
    print(f"at most {100 * worst:.1f} %, bar {100 * BAR:.0f} %")
    return 1 if options.hold and (worst > BAR or shipped != fitted) else 0


if __name__ == "__main__":
    sys.exit(main())
