#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A PyTorch network as a model of paradl: one forward pass on the "meta" device, without weights, memory or a GPU.

    python paradl_export.py torchvision.models:resnet50 --input 3,224,224 -o resnet50.json
    python paradl_export.py my_code:make_gpt --tokens 1024 -o gpt.json
    python paradl_export.py torchvision.models:resnet50 --input 3,224,224 --time cuda --batch 64 -o times.json

or from paradl_export import export. What it sees are ATen operations and the modules they are in. Attention (two products and a
softmax, or scaled_dot_product_attention) becomes one layer with the projections of its module; linear, activation, linear on
tokens becomes an mlp. What cannot be said is refused, with the name of the operation. PyTorch 1.13 or later."""
import argparse
import importlib
import json
import sys
import time

import torch

from paradl_forms import NeedsTokens, Shaper, is_patches, make_patches, numel
from paradl_trace import BATCH, Recorder, refuse

INSIDE = {"bmm": "a product of two activations", "mask": "a mask", "sdpa": "attention", "class": "a token that is put in front",
          "positions": "a table of positions", "scores": "a table that is added to scores", "slice": "a slice"}  # of other layers only


def windows_of(layers, inside, at):
    """Heads, their size, and how many tokens see one another."""
    layer = layers[at]
    if layer["type"] == "sdpa":
        keys = layer["keys"]
        return keys["heads"], keys["head"], keys["queries"], keys["keys"]
    shape = layer["shape"]
    head = layers[next(i for i in inside if layers[i]["type"] == "bmm")]["keys"]["head"]
    return (shape[-3] if len(shape) > 3 else shape[0] // BATCH), head, shape[-2], shape[-1]


def fold_attention(layers):
    """All layers of a module that attends, from its first product to its last, become one; the others read it instead."""
    paths = {}
    for i, layer in enumerate(layers):
        if layer["type"] == "sdpa" or (layer["keys"].get("kind") == "softmax" and i and layers[layer["reads"][0]]["type"] in ("bmm", "mask", "scores")):
            paths[layer["path"]] = i
    for path, at in paths.items():
        inside = [i for i, l in enumerate(layers) if l["path"] == path or l["path"].startswith(path + ".")]
        linear = [i for i in inside if layers[i]["type"] == "linear"]
        before, after = [i for i in linear if i < at], [i for i in linear if i > at]
        heads, head, queries, seen = windows_of(layers, inside, at)
        if not before:
            refuse(path, "attention without a product before it")
        width = sum(layers[i]["keys"]["out"] for i in before)
        groups = (width // head - heads) // 2
        if queries != seen or (heads + 2 * groups) * head != width:
            refuse(path, f"attention of {queries} queries to {seen} keys, {heads} heads of {head} from products of {width}")
        masks = any(layers[i]["type"] == "mask" or layers[i]["keys"].get("causal") for i in inside)
        bias = bool(after) and layers[after[-1]]["keys"]["bias"]
        first = layers[before[0]]
        first["out"] = layers[after[-1]]["keys"]["out"] if after else heads * head
        keys = {"heads": heads, "kv_heads": groups, "head_dim": head, "causal": masks, "bias": bias,
                "qkv_bias": first["keys"]["bias"], "kernel": "flash" if layers[at]["type"] == "sdpa" or layers[at]["fused"] else "unfused"}
        if seen != numel(first["shape"][:-1]) // BATCH:
            keys["block"] = seen
        tables = sum(layers[i]["keys"]["items"] for i in inside if layers[i]["type"] == "scores")
        if tables % heads:
            refuse(path, f"positions of {tables} items for {heads} heads")
        if tables:
            keys["positions"] = tables // heads
        first.update(type="attention", keys=keys, path=path)
        for i in inside:
            if before[0] < i <= (after[-1] if after else inside[-1]):
                layers[i]["type"] = None
                layers[i]["instead"] = before[0]


def fold_embeddings(layers):
    """Tables of positions belong to the table of tokens that they are added to."""
    tables = [i for i, l in enumerate(layers) if l["type"] == "embedding"]
    for i in tables[1:]:
        layers[tables[0]]["keys"]["positions"] = layers[i]["keys"]["rows"]
        layers[i].update(type=None, instead=tables[0])


def fold_patches(layers, source):
    """A convolution whose windows lie side by side, with a token in front and positions: an embedding of patches."""
    for i, layer in enumerate(layers):
        if layer["type"] not in ("class", "positions"):
            continue
        at = source(layer["reads"][0])
        made = layers[at] if at >= 0 else {"type": "input", "keys": {}}
        if at >= 0 and is_patches(made):
            make_patches(made)
        key = "class_token" if layer["type"] == "class" else "positions"
        if made["type"] != "embedding" or key in made["keys"] or (key == "class_token" and layer["keys"]["rows"] != 1):
            continue
        made["keys"][key] = True if key == "class_token" else layer["keys"]["rows"]
        layer.update(type=None, instead=at)


def fold_slices(layers):
    """Slices that are all put side by side again: the items under another shape, which move once."""
    for layer in layers:
        parts = [layers[i] for i in layer["reads"] if i >= 0]
        if layer["type"] != "concat" or not parts or any(p["type"] != "slice" or p["path"] != layer["path"] for p in parts):
            continue
        cuts = [first_cut(layers, i) for i in layer["reads"]]
        if len({cut["reads"][0] for cut in cuts}) == 1 and numel(cuts[0]["inputs"][0]) == numel(layer["shape"]):
            layer.update(type="move", reads=cuts[0]["reads"], inputs=cuts[0]["inputs"], keys={})
    used = {i for layer in layers if layer["type"] not in (None, "slice") for i in layer["reads"]}
    for i in reversed(range(len(layers))):
        if layers[i]["type"] == "slice" and i in used:
            used.update(layers[i]["reads"])
        elif layers[i]["type"] == "slice":
            layers[i].update(type=None, instead=layers[i]["reads"][0])


def first_cut(layers, i):
    """The first of slices of slices."""
    while layers[i]["reads"][0] >= 0 and layers[layers[i]["reads"][0]]["type"] == "slice":
        i = layers[i]["reads"][0]
    return layers[i]


def fold_mlps(layers, readers):
    for i, layer in enumerate(layers[:-2]):
        middle, last = layers[i + 1], layers[i + 2]
        if (layer["type"], middle["type"], last["type"]) != ("linear", "act", "linear") or readers[i] != 1 or readers[i + 1] != 1:
            continue
        if layer["keys"]["bias"] != last["keys"]["bias"] or last["keys"]["out"] != layer["width"]:
            continue
        if middle["reads"] == [i] and last["reads"] == [i + 1] and middle["keys"]["kind"] in ("relu", "gelu", "silu"):
            layer.update(type="mlp", keys={"hidden": layer["keys"]["out"], "act": middle["keys"]["kind"], "bias": layer["keys"]["bias"]})
            middle.update(type=None, instead=i)
            last.update(type=None, instead=i)


def clean(kind, keys):
    """Without what is the default, and one number for equal ones."""
    usual = {"stride": 1, "pad": 0, "dilation": 1, "groups": 1, "transposed": False, "ceil": False, "axis": 0}
    if kind == "conv":
        usual["bias"] = True
    if kind == "attention":
        usual.update(kv_heads=keys["heads"], causal=True, bias=False, qkv_bias=keys["bias"], kernel="flash")
    out = {}
    for key, value in keys.items():
        if isinstance(value, list) and len(set(value)) == 1 and key != "out_shape":
            value = value[0]
        if key not in usual or value != usual[key] or (kind, key) in (("pool", "stride"), ("norm", "groups")):
            out[key] = value
    return out


def export(model, shape=None, tokens=0, name=None, batch_per_gpu=0):
    """The model as a dict. shape: (channels, height, width) of a sample; or tokens: how many of them."""
    first, tied = {}, {}  # moving to "meta" forgets which parameters are one
    for path, module in model.named_modules():
        for key, parameter in module._parameters.items():
            tied[f"{path}.{key}"] = first.setdefault(id(parameter), f"{path}.{key}")
    model = model.to("meta").train()
    x = torch.empty((BATCH, tokens), dtype=torch.long, device="meta") if tokens else torch.empty((BATCH, *shape), device="meta")
    recorder = Recorder(model, tied, not tokens)
    recorder.made[id(x)] = -1
    with torch.no_grad(), recorder:
        model(x)
    for path, place in recorder.touched.items():
        if place:
            refuse(place, f"the use of {path}")
    layers = recorder.layers
    fold_attention(layers)
    fold_embeddings(layers)
    fold_slices(layers)

    def source(i):
        while i >= 0 and layers[i]["type"] is None:
            i = layers[i]["instead"]
        return i

    def settle():
        count = [0] * len(layers)
        for layer in layers:
            layer["reads"] = list(dict.fromkeys(source(i) for i in layer["reads"]))
            if layer["type"] in ("add", "multiply") and len(layer["reads"]) == 1:  # positions, or within attention
                layer.update(type=None, instead=layer["reads"][0])
            for i in layer["reads"] if layer["type"] else ():
                count[i] += i >= 0
        return count
    fold_patches(layers, source)
    readers = settle()
    if tokens:
        fold_mlps(layers, readers)
        settle()
    else:
        layers = shaped(layers, shape, readers, settle)
    return document(model, layers, shape, tokens, name or type(model).__name__, batch_per_gpu)


def shaped(layers, shape, readers, settle):
    """With reshapes where samples take another form. Places are tokens only where something attends or mixes them."""
    if not any(layer["type"] in ("attention", "embedding") for layer in layers):
        try:
            return Shaper(layers, shape, False).shape()
        except NeedsTokens:
            pass
    fold_mlps(layers, readers)
    settle()
    return Shaper(layers, shape, True).shape()


def document(model, layers, shape, tokens, name, batch_per_gpu):
    names, used, rows, previous, table = {}, {}, [], -1, None
    for layer in layers:  # what no other layer has taken up
        if layer["type"] in INSIDE:
            refuse(layer["path"], f"{INSIDE[layer['type']]}, {layer['shape'][1:]}")
    for i, layer in enumerate(layers):
        if layer["type"] is None:
            continue
        parts = layer["type"] in ("conv", "linear", "norm", "attention", "mlp", "embedding") and layer["path"]
        label = parts or (layer["path"] + "." if layer["path"] else "") + layer["type"]
        used[label] = used.get(label, 0) + 1
        names[i] = label if used[label] == 1 else f"{label}.{used[label]}"
        kind, keys = layer["type"], layer["keys"]
        if kind == "embedding":
            table = layer
        if kind == "linear" and tokens and table and layer["weight"] == table.get("weight"):
            kind, keys = "head", {"out": keys["out"], "tied": names[layers.index(table)]}
        row = {"name": names[i], "type": kind, **clean(kind, keys)}
        if layer["reads"] != [previous] and layer["reads"]:
            if -1 in layer["reads"]:
                refuse(names[i], "reading the input after other layers have")
            row["from"] = [names[j] for j in layer["reads"]]
        rows.append(row)
        previous = i
    rows.append({"type": "loss", "kind": "cross-entropy"})
    return {"format": "paradl-model", "version": 1, "name": name, "_source": f"paradl_export, PyTorch {torch.__version__}",
            "input": {"tokens": tokens} if tokens else {"channels": shape[0], "shape": list(shape[1:])},
            "training": {"precision": "fp32", "optimizer": "sgd-momentum", **({"batch_per_gpu": batch_per_gpu} if batch_per_gpu else {})},
            "layers": rows}


def times(make, name, shape, device, batch):
    """Forward and backward of each module that has weights, by itself, as a paradl-profile."""
    model, seen = make().to(device).train(), {}
    for path, module in model.named_modules():
        if not list(module.children()):
            module.register_forward_hook(lambda m, x, y, path=path: seen.setdefault(path, (m, x[0].detach())) and None)
    model(torch.randn((batch, *shape), device=device))
    wait = torch.cuda.synchronize if str(device).startswith("cuda") else lambda: None

    def best(run, repeats=10):
        results = []
        for _ in range(repeats + 2):
            wait()
            start = time.perf_counter()
            run()
            wait()
            results.append(time.perf_counter() - start)
        return sorted(results[2:])[repeats // 2]
    layers = {}
    for path, (module, x) in seen.items():
        if any(True for _ in module.parameters()):
            x = x.clone().requires_grad_(x.is_floating_point())
            forward = best(lambda: module(x))
            both = best(lambda: module(x).sum().backward())
            layers[path] = {"fw": f"{forward:.4g} s", "bw": f"{max(both - forward, 0):.4g} s"}
    return {"format": "paradl-profile", "version": 1, "model": name, "device": str(device), "precision": "fp32",
            "samples": [{"batch": batch, "layers": layers}]}


def main():
    parser = argparse.ArgumentParser(description="Write a PyTorch network as a model of paradl.")
    parser.add_argument("network", help="package.module:callable that makes the network")
    parser.add_argument("--input", help="channels and extents of one sample: 3,224,224")
    parser.add_argument("--tokens", type=int, default=0, help="tokens of one sample, for networks that take indices")
    parser.add_argument("--name", help="of the model")
    parser.add_argument("--batch", type=int, default=0, help="samples that a GPU takes")
    parser.add_argument("--time", metavar="DEVICE", help="measure layers on cuda or cpu and write their times instead")
    parser.add_argument("-o", "--output", default="-")
    options = parser.parse_args()
    if options.time and options.tokens:
        parser.error("--time is for networks of images: layers of tokens stand for several modules")
    if bool(options.input) == bool(options.tokens):
        parser.error("say either --input or --tokens")
    sys.path.insert(0, ".")
    module, _, function = options.network.partition(":")
    make = getattr(importlib.import_module(module), function)
    shape = tuple(int(n) for n in options.input.split(",")) if options.input else None
    name = options.name or function
    if options.time:
        result = times(make, name, shape, options.time, options.batch or 1)
    else:
        result = export(make(), shape, options.tokens, name, options.batch)
    text = json.dumps({k: v for k, v in result.items() if k != "layers"}, indent=2)[:-2]
    if "layers" in result:
        text += ',\n  "layers": [\n    ' + ",\n    ".join(json.dumps(layer) for layer in result["layers"]) + "\n  ]"
    text += "\n}\n"
    with sys.stdout if options.output == "-" else open(options.output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
