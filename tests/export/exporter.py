#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The exporter for PyTorch against the counts of PyTorch and torchvision: exporter.py PARADL ROOT

Skipped (77) without PyTorch. Multiply-adds of convolutional networks are those of hooks on their convolutions and products."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import torch
except ImportError:
    print("no PyTorch")
    sys.exit(77)

paradl, root = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path[:0] = [str(root / "examples/export"), str(root / "tests/export")]
import small_nets
from paradl_export import export

# parameters and multiply-adds of one forward pass at 224 x 224, as torchvision publishes them
PUBLISHED = {
    "resnet50": (25557032, 4089184256),
    "vgg16": (138357544, 15470264320),
    "densenet121": (7978856, 2834161664),
    "mobilenet_v2": (3504872, 300774272),
    "efficientnet_b0": (5288548, 385814752),
}
problems = []


def counts(document):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(document, file)
        file.flush()
        subprocess.run([paradl, "check", file.name], check=True, stdout=subprocess.DEVNULL)
        rows = subprocess.run([paradl, "list", file.name, "--csv"], check=True, capture_output=True, text=True).stdout
    layers = list(csv.DictReader(rows.splitlines()))
    return sum(float(l["parameters"]) for l in layers), sum(float(l["forward_flop"]) for l in layers) / 2


def expect(name, got, wanted):
    print(name, got, wanted)
    if got != wanted:
        problems.append(f"{name}: {got}, not {wanted}")


def check_small(name, kinds):
    make = getattr(small_nets, name)
    document = export(make(), tokens=32, name=name)
    expect(name, counts(document)[0], sum(p.numel() for p in make().parameters()))
    found = [layer["type"] for layer in document["layers"]]
    for kind, number in kinds.items():
        expect(f"{name}: {kind}", found.count(kind), number)
    attention = next(layer for layer in document["layers"] if layer["type"] == "attention")
    expect(f"{name}: heads", attention["heads"], 4)
    expect(f"{name}: causal", attention.get("causal", True), name == "GPT")


def main():
    check_small("GPT", {"attention": 3, "mlp": 3, "head": 1, "norm": 7, "add": 6})
    check_small("Encoder", {"attention": 2, "mlp": 2, "norm": 4, "add": 4, "pool": 1})
    try:
        import torchvision
    except ImportError:
        print("no torchvision")
    else:
        for name, wanted in PUBLISHED.items():
            expect(name, counts(export(getattr(torchvision.models, name)(), (3, 224, 224), name=name)), wanted)
    print(*problems, sep="\n")
    sys.exit(bool(problems))


main()
