#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training rates of one GPU that nobody fitted: each network of cnn_one_gpu.csv is left out of the fit in turn, wherever it was
measured, and projected by the constants of all others.

    python3 networks_out.py PARADL             the errors
    python3 networks_out.py PARADL --hold      and 1 where they are beyond the bars
    python3 networks_out.py PARADL --shipped   nothing is left out: 1 where constants in hw-profiles are not those of the fit

`paradl fit` has no row of the network to fit to; images.py and images_constants.csv say to what and what it fits."""
import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
LARGE, SMALL = 64, 16  # samples of a batch: at least, at most
WITHIN = 1e-3  # of a constant: another machine's last digit


def spearman(pairs):
    ranks = [{i: r for r, i in enumerate(sorted(range(len(pairs)), key=lambda i: pairs[i][k]))} for k in (0, 1)]
    mean = (len(pairs) - 1) / 2
    square = sum((r - mean) ** 2 for r in range(len(pairs)))
    return sum((ranks[0][i] - mean) * (ranks[1][i] - mean) for i in range(len(pairs))) / square


def run(directory, *words):
    return subprocess.run([PARADL, *words], cwd=directory, check=True, capture_output=True, text=True).stdout


def fitted(folder, *words):
    """Profiles in the folder, with the constants that fit its table."""
    profiles = os.path.join(folder, "hw-profiles")
    shutil.rmtree(profiles, ignore_errors=True)
    shutil.copytree(os.path.join(ROOT, "hw-profiles"), profiles)
    run(folder, "fit", "--measured", "images.csv", "--constants", os.path.join(HERE, "images_constants.csv"), *words, "--into", profiles)


def prepare(folder, *words):
    with open(os.path.join(folder, "images.csv"), "w", encoding="utf-8") as out:
        subprocess.run([sys.executable, os.path.join(HERE, "images.py"), *words], check=True, stdout=out)
    os.symlink(os.path.join(HERE, "networks"), os.path.join(folder, "networks"))


def numbers(tree, path=()):
    """Each number of a profile, or the words that hold one, by where it stands."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield from numbers(value, (*path, str(key)))
    if not items and path[0] != "from":
        yield ".".join(path), str(tree).split(" ", 1)


def differ(shipped, fit):
    try:
        return shipped[1:] != fit[1:] or abs(float(shipped[0]) - float(fit[0])) > WITHIN * abs(float(fit[0]))
    except ValueError:
        return shipped != fit


def stale(folder):
    """Prints constants that are not those of the fit."""
    count = 0
    fitted(folder)
    for kind in ("devices", "frameworks"):
        for name in sorted(os.listdir(os.path.join(ROOT, "hw-profiles", kind))):
            shipped, fit = ({}, {})
            for values, root in ((shipped, ROOT), (fit, folder)):
                with open(os.path.join(root, "hw-profiles", kind, name), encoding="utf-8") as file:
                    values.update(numbers(json.load(file)))
            for where, value in fit.items():
                if differ(shipped[where], value):
                    print(f"{kind}/{name}: {where} is {' '.join(shipped[where])}, fitted {' '.join(value)}")
                    count += 1
    print(f"{count} constants are not those of the fit")
    return count


def left_out(folder):
    """Rows of cnn_one_gpu.csv as projected by fits without their networks."""
    rates = os.path.join(HERE, "cnn_one_gpu.csv")
    with open(rates, encoding="utf-8") as file:
        networks = sorted({row["model"].split("_", 1)[-1] for row in csv.DictReader(file)})
    for network in networks:
        fitted(folder, "--leave-out", network)
        for row in csv.DictReader(run(folder, "validate", "--measured", rates, "--csv", "--tolerance", "100%").splitlines()):
            if row["model"].split("_", 1)[-1] == network:
                yield row


def score(rows, title):
    sets = {}
    for row in rows:
        sets.setdefault(row["set"], []).append(row)
    errors = {name: [abs(float(row["error"])) for row in group] for name, group in sets.items()}
    every = [error for group in errors.values() for error in group]
    order = [spearman([(float(r["measured_total_s"]) / float(r["batch"]), float(r["projected_total_s"]) / float(r["batch"])) for r in group])
             for group in sets.values()]
    mean = statistics.mean(statistics.mean(group) for group in errors.values())
    print(f"{title}: {len(every)} rows, mean over sets {100 * mean:.1f} %, median {100 * statistics.median(every):.1f} %, "
          f"Spearman {statistics.mean(order):.3f}")
    for name, group in errors.items():
        print(f"    {name:36s} {len(group):3d} rows {100 * statistics.mean(group):5.1f} %")
    return mean, statistics.median(every), statistics.mean(order)


def main():
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(folder, *([] if options.shipped else ["--networks"]))
        if options.shipped:
            return 1 if stale(folder) else 0
        rows = list(left_out(folder))
    large = score([row for row in rows if float(row["batch"]) >= LARGE], f"batch >= {LARGE}")
    small = score([row for row in rows if float(row["batch"]) <= SMALL], f"batch <= {SMALL}")
    held = large[0] <= 0.12 and large[1] <= 0.07 and large[2] >= 0.93 and small[0] <= 0.15
    return 1 if options.hold and not held else 0


parser = argparse.ArgumentParser(description="Errors of networks that were left out of the fit.")
parser.add_argument("paradl", help="the program")
parser.add_argument("--hold", action="store_true", help="exit with 1 where errors are beyond the bars")
parser.add_argument("--shipped", action="store_true", help="exit with 1 where constants are not those of the fit")
PARADL = os.path.abspath(parser.parse_args().paradl)

if __name__ == "__main__":
    sys.exit(main())
