#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every point that is measured on a GPU moves a number: uses.py PARADL FAKE LIBRARIES [--quick]

Devices are made up; so are their times, with a little noise, so that no two are alike. A point is of use if a number or a curve of the
fitted profile changes when it is left out or takes twice as long, in a profile that is new or in one of a device that is known."""
import json
import os
import random
import subprocess
import sys
import tempfile

paradl, fake, libraries = (os.path.realpath(argument) for argument in sys.argv[1:4])
BASES = [[], ["--base", "dgx-h100-superpod"]]
environment = dict(os.environ, FAKE_MEMORY="100000000000", LD_LIBRARY_PATH=libraries)


def measure(folder, *options, **settings):
    """Lines of a launch."""
    path = os.path.join(folder, f"{len(os.listdir(folder))}.jsonl")
    done = subprocess.run([fake, "--cap", "0.005", "--out", path, *options], env=dict(environment, **settings),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, (options, done.stdout[-2000:], done.stderr[-2000:])
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def fitted(folder, lines, base):
    """Numbers and curves, without what they rest on."""
    path = os.path.join(folder, "fit.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([paradl, "fit", path, "--json", "-q", *base], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    return [(number["file"], number["path"], number["value"]) for number in found["numbers"]], \
        [(curve["operation"], curve["devices"], [(point["bytes"], point["time_s"]) for point in curve["points"]])
         for curve in found["curves"]]


def is_used(folder, lines, at, whole):
    doubled = dict(lines[at], seconds=[2 * second for second in lines[at]["seconds"]])
    return any(fitted(folder, lines[:at] + changed + lines[at + 1:], base) != before
               for base, before in zip(BASES, whole) for changed in ([], [doubled]))


def unused(folder, lines):
    whole = [fitted(folder, lines, base) for base in BASES]
    return [line["point"] for at, line in enumerate(lines) if "point" in line and not is_used(folder, lines, at, whole)]


def main():
    effort = sys.argv[4:] or []
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        alone = measure(folder, "--only", "gemm,burst,convolution,attention,memory,launch,transfer", *effort, FAKE_DEVICES="3")
        # Messages are really carried, so they are short.
        several = measure(folder, "--only", "point-to-point,allreduce,allgather,reduce-scatter,all-to-all,broadcast", *effort,
                          FAKE_DEVICES="4", FAKE_MEMORY="5000000")
        lines = alone + [line for line in several if "point" in line]
        failed = [line for line in lines if "failed" in line]
        assert all(line.get("absent") for line in failed), failed[:3]
        lines = [line for line in lines if "failed" not in line]
        for line in lines:
            if "point" in line:
                factor = chance.uniform(0.97, 1.03)
                line["seconds"] = [second * factor for second in line["seconds"]]
        names = unused(folder, lines)
    for name in names:
        print("moves no number:", name)
    print(f"{len(names)} of {sum('point' in line for line in lines)} points move no number")
    return bool(names)


sys.exit(main())
