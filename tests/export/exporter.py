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
import image_nets
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
# parameters as torchvision publishes them; multiply-adds are those of PyTorch's own counter
COUNTED = {"vit_b_16": 86567656, "swin_t": 28288354, "convnext_tiny": 28589128, "maxvit_t": 30919624, "shufflenet_v2_x1_0": 2278604,
           "googlenet": 13004888}
# small networks: layers of each type that must come out
IMAGES = {
    "Patches": {"embedding": 1, "attention": 1, "mlp": 1, "reshape": 0},
    "Windows": {"embedding": 1, "attention": 1, "mlp": 1, "reshape": 5},  # two shifts, into windows and back, merged
    "Mixer": {"embedding": 1, "mlp": 2, "reshape": 2},  # transposed and back
    "Shuffled": {"conv": 2, "concat": 1, "reshape": 3},  # two slices, shuffled
    "Standardized": {"conv": 1, "linear": 1},
    "Placed": {"conv": 4, "norm": 1},
}
REFUSED = {"Across": "attention of 32 queries", "Warmed": "mul of"}
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


def torch_count(model, shape):
    """Multiply-adds of a sample, as PyTorch counts them."""
    from torch.utils.flop_counter import FlopCounterMode
    counter = FlopCounterMode(display=False)
    with torch.no_grad(), counter:
        model.to("meta").train()(torch.empty((2, *shape), device="meta"))
    return counter.get_total_flops() / 4


def check_counts(name, make, shape):
    document = export(make(), shape, name=name)
    parameters, multiplies = counts(document)
    expect(name, parameters, sum(p.numel() for p in make().parameters()))
    expected = torch_count(make(), shape)
    if abs(multiplies / expected - 1) > 0.01:
        problems.append(f"{name}: {multiplies} multiply-adds, not {expected}")
    return document


def check_images(name, kinds):
    layers = check_counts(name, getattr(image_nets, name), (3, 32, 32))["layers"]
    found = [layer["type"] for layer in layers]
    for layer in layers:
        if layer["type"] == "attention":
            expect(f"{name}: kernel", layer.get("kernel", "flash"), "unfused" if "positions" in layer else "flash")
    for kind, number in kinds.items():
        expect(f"{name}: {kind}", found.count(kind), number)


def check_refused(name, words):
    try:
        export(getattr(image_nets, name)(), (3, 32, 32), name=name)
    except SystemExit as refusal:
        if words not in str(refusal):
            problems.append(f"{name}: {refusal}")
    else:
        problems.append(f"{name} is not refused")


def main():
    check_small("GPT", {"attention": 3, "mlp": 3, "head": 1, "norm": 7, "add": 6})
    check_small("Encoder", {"attention": 2, "mlp": 2, "norm": 4, "add": 4, "pool": 1})
    for name, kinds in IMAGES.items():
        check_images(name, kinds)
    for name, words in REFUSED.items():
        check_refused(name, words)
    try:
        import torchvision
    except ImportError:
        print("no torchvision")
    else:
        for name, wanted in PUBLISHED.items():
            expect(name, counts(export(getattr(torchvision.models, name)(), (3, 224, 224), name=name)), wanted)
        for name, wanted in COUNTED.items():
            plain = {"init_weights": False} if name == "googlenet" else {}
            make = lambda name=name, plain=plain: getattr(torchvision.models, name)(**plain)
            expect(name, counts(check_counts(name, make, (3, 224, 224)))[0], wanted)
    print(*problems, sep="\n")
    sys.exit(bool(problems))


main()
