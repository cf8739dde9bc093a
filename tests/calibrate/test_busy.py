#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine that is busy, and really so, is noticed: test_busy.py PARADL PARADL-MEASURE-CPU

Two loops for each processor run beside the measurement: its points say so, no profile is made of them, and one that is forced is marked."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

paradl, measure = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
processors = len(os.sched_getaffinity(0))
with tempfile.TemporaryDirectory() as folder:
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * processors)]
    try:
        subprocess.run([measure, "--quick", "--cap", "0.05", "--only", "gemm,memory", "--out", f"{folder}/busy.jsonl", "--launch", "0"],
                       check=True, stdout=subprocess.DEVNULL, timeout=600)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    points = [json.loads(line) for line in open(f"{folder}/busy.jsonl", encoding="utf-8")]
    points = [point for point in points if "seconds" in point]
    busy = [point for point in points if "contended" in point["flags"]]
    share = sorted(point["processors"] for point in points)[len(points) // 2]
    print(f"{len(busy)} of {len(points)} points are contended; the median one had {share:.2f} processors")
    assert len(busy) > 0.2 * len(points), "it was not noticed"
    fit = [paradl, "fit", f"{folder}/busy.jsonl", "--into", f"{folder}/busy.json", "-q"]
    refused = subprocess.run(fit, capture_output=True, text=True)
    assert refused.returncode == 1 and "is not written" in refused.stderr, refused.stderr
    assert not os.path.exists(f"{folder}/busy.json")
    forced = subprocess.run([*fit, "--force"], capture_output=True, text=True)
    assert forced.returncode == 0, forced.stderr
    origins = json.load(open(f"{folder}/devices/busy.json", encoding="utf-8"))["from"].values()
    assert all(origin.startswith(("assumed: ", "derived: ")) for origin in origins), origins
    answer = subprocess.run([paradl, "estimate", "tiny-cnn", "--hw", f"{folder}/busy.json", "-s", "serial", "--json"], capture_output=True, text=True)
    assert "written by force" in answer.stderr and "written by force" in " ".join(json.loads(answer.stdout)["warnings"]), answer.stderr
