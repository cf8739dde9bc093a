# SPDX-License-Identifier: GPL-3.0-or-later
"""paradl-measure-cpu: what it lists, and that its samples say what they are of: test_cpu.py PROGRAM"""
import os
import sys
import tempfile

import samples

CASES = """# a network
convolution layer=res2/0/a model=resnet50 batch=2 dimensions=2 channels=16 filters=32 groups=1 kernel=3x3x1 \
stride=2x2x1 pad=1x1x1 dilation=1x1x1 x=14x14x1 y=7x7x1 backward_data=1
convolution layer=conv1 model=resnet50 batch=2 dimensions=2 channels=3 filters=8 groups=1 kernel=7x7x1 stride=2x2x1 \
pad=3x3x0 dilation=1x1x1 x=28x28x1 y=14x14x1 backward_data=0
convolution layer=bad model=resnet50 batch=2 dimensions=2 channels=3 filters=8 groups=2 kernel=1x1x1 stride=1x1x1 \
pad=0x0x0 dilation=1x1x1 x=8x8x1 y=8x8x1 backward_data=0
linear layer=fc model=resnet50 batch=2 channels=64 filters=10 bias=1 backward_data=1
gemm layer=h/0 model=gpt m=24 n=16 k=8 count=12 precision=fp32
gemm layer=h/0 model=gpt m=24 n=16 k=8 count=12 precision=bf16
"""

program = sys.argv[1]


def check_gemm(p, line):
    assert line["flop"] == 2 * p["m"] * p["n"] * p["k"] * p["count"], line
    sides = p["m"] * p["n"] + p["m"] * p["k"] + p["n"] * p["k"]
    assert line["bytes"] == 4 * sides * p["count"], line


def check_convolution(p, line):
    rows, filters = p["batch"] * p["positions"], p["filters"] // p["groups"]
    length = p["channels"] // p["groups"] * p["volume"]
    sides = {
        "forward": (rows, filters, length),
        "backward-data": (rows, length, filters),
        "backward-filter": (filters, length, rows),
    }
    assert (p["m"], p["n"], p["k"]) == sides[p["pass"]], line
    assert line["flop"] == 2 * rows * filters * length * p["groups"], line
    assert p["patch_items"] in (0, rows * p["channels"] * p["volume"]), line
    assert (p["patch_items"] == 0) == (p["volume"] == 1 and p["stride"] == 1), line


def check_moved(_, line):
    assert line["bytes"] > 0, line


CHECKS = {"gemm": check_gemm, "convolution": check_convolution, "launch": lambda *_: None}

for effort in ("--quick", "--full"):
    samples.names(program, effort)
samples.names(program)

benches = {line.split()[0] for line in samples.output(program, "--benches").splitlines()}
assert benches >= {"gemm", "convolution", "memory", "elementwise", "update", "launch"}, benches

with tempfile.TemporaryDirectory() as directory:
    cases, out = os.path.join(directory, "cases.txt"), os.path.join(directory, "samples.jsonl")
    with open(cases, "w", encoding="utf-8") as file:
        file.write(CASES)
    options = ["--quick", "--cap", "0.01", "--cases", cases, "--out", out]
    samples.output(program, *options, status=1)
    found = samples.points(out)
    assert set(found) == set(samples.names(program, "--quick", "--cases", cases))
    assert {line["bench"] for line in found.values()} == benches
    failed = {name for name, line in found.items() if "failed" in line}
    assert len(failed) > 0 and all("bad" in name or "bf16" in name for name in failed), failed
    for line in found.values():
        if "seconds" in line:
            assert line["parameters"]["busy"] >= 1, line
            CHECKS.get(line["bench"], check_moved)(line["parameters"], line)
    of_layer = [line for line in found.values() if line["parameters"].get("layer") == "conv1"]
    assert {line["parameters"]["pass"] for line in of_layer} == {"forward", "backward-filter"}, of_layer
    linear = [line["parameters"] for line in found.values() if line["parameters"].get("layer") == "fc"]
    assert {p["pass"] for p in linear} == {"forward", "backward-data", "backward-filter"}, linear
    assert all(p["model"] == "resnet50" and p["positions"] == 1 and p["dimensions"] == 0 for p in linear), linear
