#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A PyTorch network as a model of paradl: one forward pass on the "meta" device, without weights, memory or a GPU.

    python paradl_export.py torchvision.models:resnet50 --input 3,224,224 -o resnet50.json
    python paradl_export.py my_code:make_gpt --tokens 1024 -o gpt.json
    python paradl_export.py torchvision.models:resnet50 --input 3,224,224 --time cuda --batch 64 -o times.json

or from paradl_export import export. What it sees are ATen operations and the modules they are in. Attention (two products and a
softmax, or scaled_dot_product_attention) becomes one layer with the projections of its module; linear, activation, linear on
tokens becomes an mlp. PyTorch 1.13 or later."""
import argparse
import importlib
import json
import sys
import time

import torch
from torch.utils._python_dispatch import TorchDispatchMode

BATCH = 2  # of the pass; norms over a batch want more than one
VIEWS = {"view", "_unsafe_view", "reshape", "_reshape_alias", "t", "transpose", "permute", "contiguous", "clone", "expand",
         "unsqueeze", "squeeze", "alias", "detach", "_to_copy", "slice", "div", "div_", "flatten", "unflatten", "copy"}
ACTS = {"relu": "relu", "gelu": "gelu", "silu": "silu", "sigmoid": "sigmoid", "tanh": "tanh", "hardswish": "hardswish",
        "leaky_relu": "leaky-relu", "hardtanh": "relu6", "hardsigmoid": "sigmoid", "_softmax": "softmax", "_safe_softmax": "softmax",
        "_log_softmax": "softmax"}
NORMS = ("batch_norm", "layer_norm", "group_norm", "rms_norm")


class Recorder(TorchDispatchMode):
    """Layers in the order they run; each has `reads`, positions of the layers (-1: the input) whose outputs it takes."""

    def __init__(self, model, tied, images):
        super().__init__()
        self.images = images
        self.layers, self.made, self.alive, self.stack, self.params = [], {}, [], [("", model)], {}
        for name, module in model.named_modules():
            for key, parameter in module._parameters.items():
                self.params[id(parameter)] = tied.get(f"{name}.{key}", f"{name}.{key}")
            module.register_forward_pre_hook(lambda m, x, name=name: self.stack.append((name, m)))
            module.register_forward_hook(lambda m, x, y: self.stack.pop() and None)

    def add(self, result, reads, type_, /, **keys):
        self.layers.append({"path": self.stack[-1][0], "module": self.stack[-1][1], "reads": reads, "type": type_, "keys": keys,
                            "shape": tuple(result.shape)})
        self.made[id(result)] = len(self.layers) - 1

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        name = func._schema.name.split("::")[1]
        first = out[0] if isinstance(out, (tuple, list)) else out
        flat = [a for b in args for a in (b if isinstance(b, (tuple, list)) else [b]) if isinstance(a, torch.Tensor)]
        self.alive += flat + ([first] if isinstance(first, torch.Tensor) else [])
        reads = [self.made[id(a)] for a in flat if id(a) in self.made]
        if isinstance(first, torch.Tensor):
            self.record(name, args, out, first, flat, reads)
        return out

    def record(self, name, args, out, y, flat, reads):
        base = name.rstrip("_")
        if name in VIEWS and flat and id(flat[0]) in self.params:  # weight.t() is still that weight
            self.params[id(y)] = self.params[id(flat[0])]
        elif "convolution" in name:
            _, w, b, stride, pad, dilation, transposed, _, groups = args[:9]
            same = transposed and any(args[7])
            self.add(y, reads, "conv", out=y.shape[1], kernel=list(w.shape[2:]), stride=list(stride), dilation=list(dilation),
                     pad="same" if same else list(pad), groups=groups, bias=b is not None, transposed=bool(transposed))
        elif base in ("addmm", "mm", "linear") and any(id(a) in self.params for a in flat):
            weight = [self.params[id(a)] for a in flat if id(a) in self.params and a.dim() == 2]
            if self.images and y.numel() // y.shape[-1] != BATCH and reads:  # of each place: channels lie last
                before = self.layers[reads[0]]["shape"] if reads[0] >= 0 else ()
                places = 1
                for extent in before:
                    places *= extent
                width = next(a.shape[-1] for a in flat if id(a) in self.made)
                if len(before) < 2 or places // width != y.numel() // y.shape[-1] or (len(before) == 3):
                    raise SystemExit(f"{self.stack[-1][0]}: {name} of {tuple(before)} to {tuple(y.shape)} is not exported")
                self.add(y, reads, "conv", out=y.shape[-1], kernel=[1, 1], bias=base == "addmm" or (base == "linear" and len(flat) > 2))
                return
            self.add(y, reads, "linear", out=y.shape[-1], bias=base == "addmm" or (base == "linear" and len(flat) > 2))
            self.layers[-1]["weight"] = weight[-1] if weight else None
        elif "scaled_dot_product" in name or "_flash_attention" in name:
            causal = any(a is True for a in args[3:]) or len([a for a in args[3:5] if isinstance(a, torch.Tensor)]) > 0
            self.add(y, reads, "sdpa", heads=flat[0].shape[1], head=flat[0].shape[-1], causal=causal)
        elif base in ("bmm", "baddbmm") and reads:
            self.add(y, reads, "bmm", head=flat[-2].shape[-1], batch=y.shape[0], causal=base == "baddbmm")
        elif base in ("masked_fill", "where") and reads:
            self.add(y, reads[-1:], "mask")
        elif base in ACTS and reads:
            self.add(y, reads, "act", kind=ACTS[base])
        elif any(n in name for n in NORMS) and reads:
            kind = next(n for n in NORMS if n in name).split("_")[0]
            if "InstanceNorm" in type(self.stack[-1][1]).__name__:
                kind = "instance"
            self.add(y, reads[:1], "norm", kind=kind, **({"groups": args[6]} if kind == "group" else {}))
        elif "max_pool" in name or base.startswith("avg_pool"):
            a = list(args[1:]) + [[]] * 3
            kind = "max" if "max" in name else "avg"
            ceil = bool(a[4] if kind == "max" and len(args) > 5 else len(args) > 4 and kind == "avg" and args[4])
            self.add(y, reads, "pool", kind=kind, kernel=list(a[0]), stride=list(a[1] or a[0]), pad=list(a[2] or [0]), ceil=ceil)
        elif "adaptive_avg_pool" in name or (base == "mean" and reads):
            if base != "mean" and any(s != 1 for s in y.shape[2:]):
                if tuple(y.shape) != tuple(flat[0].shape):
                    raise SystemExit(f"{self.stack[-1][0]}: adaptive pooling to {tuple(y.shape[2:])} is not exported")
                self.made[id(y)] = reads[0]
            else:
                self.add(y, reads, "pool", kind="avg", **{"global": True})
        elif base == "embedding":
            self.add(y, [], "embedding", rows=flat[0].shape[0], out=flat[0].shape[1])
            self.layers[-1]["weight"] = self.params.get(id(flat[0]))
            self.layers[-1]["looks_up"] = id(flat[1]) in self.made  # what the input says; else positions
        elif base == "add" and len(reads) == 1 and self.layers[reads[0]]["type"] == "linear" and any(
                id(a) in self.params and a.dim() == 1 for a in flat):  # a bias by itself
            self.layers[reads[0]]["keys"]["bias"] = True
            self.made[id(y)] = reads[0]
        elif base in ("add", "sub", "mul") and len(reads) == 2 and len(set(reads)) == 2:
            self.add(y, reads, "multiply" if base == "mul" else "add")
        elif self.images and base == "mul" and len(reads) == 1 and any(id(a) in self.params for a in flat):  # layer scale
            scale = next(a for a in flat if id(a) in self.params)
            if scale.numel() not in (y.shape[1], y.shape[-1]) or y.dim() != 4:
                raise SystemExit(f"{self.stack[-1][0]}: {name} of {tuple(y.shape)} by {tuple(scale.shape)} is not exported")
            self.add(y, reads, "conv", out=scale.numel(), kernel=[1, 1], groups=scale.numel(), bias=False)
        elif base == "cat" and len(reads) > 1:
            dim = args[1] if len(args) > 1 else 0
            self.add(y, reads, "concat", axis=dim % y.dim() - 1)
        elif base.startswith("upsample") and reads:
            self.add(y, reads, "upsample", kind="nearest" if "nearest" in name else "linear", size=list(y.shape[2:]))
        elif base == "select" and reads and flat[0].dim() == 3 and args[1] == 1:
            self.add(y, reads, "pool", kind="first")
        elif reads:  # views, scales, masks of dropout
            if self.images and y.dim() > 1 and y.numel() != flat[0].numel() and name not in ("expand", "native_dropout"):
                raise SystemExit(f"{self.stack[-1][0]}: {name} of {tuple(flat[0].shape)} to {tuple(y.shape)} is not exported")
            self.made[id(y)] = reads[0]
            for other in out[1:] if isinstance(out, (tuple, list)) else ():
                self.made[id(other)] = reads[0]


def fold_attention(layers):
    """All layers of a module that attends become one; the others read it instead."""
    paths = {}
    for i, layer in enumerate(layers):
        if layer["type"] == "sdpa" or (layer["keys"].get("kind") == "softmax" and i and layers[layer["reads"][0]]["type"] in ("bmm", "mask")):
            paths[layer["path"]] = i
    for path, at in paths.items():
        inside = [i for i, l in enumerate(layers) if l["path"] == path or l["path"].startswith(path + ".")]
        linear = [i for i in inside if layers[i]["type"] == "linear"]
        before, after = [i for i in linear if i < at], [i for i in linear if i > at]
        source = layers[at]["keys"] if layers[at]["type"] == "sdpa" else layers[[i for i in inside if layers[i]["type"] == "bmm"][0]]["keys"]
        head = source["head"]
        heads = source.get("heads") or layers[at]["shape"][1 if len(layers[at]["shape"]) == 4 else 0] // (
            1 if len(layers[at]["shape"]) == 4 else BATCH)
        groups = (sum(layers[i]["keys"]["out"] for i in before) // head - heads) // 2
        masks = any(layers[i]["type"] == "mask" or layers[i]["keys"].get("causal") for i in inside)
        bias = bool(after) and layers[after[-1]]["keys"]["bias"]
        keys = {"heads": heads, "kv_heads": groups, "head_dim": head, "causal": masks, "bias": bias,
                "qkv_bias": layers[before[0]]["keys"]["bias"]}
        layers[before[0]].update(type="attention", keys=keys, path=path)
        for i in inside:
            if i != before[0]:
                layers[i]["type"] = None
                layers[i]["instead"] = before[0]


def fold_embeddings(layers):
    """Tables of positions belong to the table of tokens that they are added to."""
    tables = [i for i, l in enumerate(layers) if l["type"] == "embedding"]
    for i in tables[1:]:
        layers[tables[0]]["keys"]["positions"] = layers[i]["keys"]["rows"]
        layers[i].update(type=None, instead=tables[0])


def fold_mlps(layers, readers):
    for i, layer in enumerate(layers[:-2]):
        middle, last = layers[i + 1], layers[i + 2]
        if (layer["type"], middle["type"], last["type"]) != ("linear", "act", "linear") or readers[i] != 1 or readers[i + 1] != 1:
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
        usual.update(kv_heads=keys["heads"], causal=True, bias=False, qkv_bias=keys["bias"])
    out = {}
    for key, value in keys.items():
        if isinstance(value, list) and len(set(value)) == 1:
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
    layers = recorder.layers
    fold_attention(layers)
    fold_embeddings(layers)

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
    readers = settle()
    if tokens:
        fold_mlps(layers, readers)
        settle()
    return document(model, layers, shape, tokens, name or type(model).__name__, batch_per_gpu)


def document(model, layers, shape, tokens, name, batch_per_gpu):
    names, used, rows, previous, table = {}, {}, [], -1, None
    for layer in layers:  # what no attention of this exporter has taken up
        if layer["type"] in ("bmm", "mask", "sdpa") or (layer["type"] == "attention" and not tokens):
            raise SystemExit(f"{layer['path']}: {layer['type']} of {layer['shape']} is not exported")
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
        if kind == "linear" and tokens and table and layer.get("weight") == table.get("weight"):
            kind, keys = "head", {"out": keys["out"], "tied": names[layers.index(table)]}
        row = {"name": names[i], "type": kind, **clean(kind, keys)}
        if layer["reads"] != [previous] and layer["reads"]:
            if -1 in layer["reads"]:
                raise SystemExit(f"{names[i]} reads the input after other layers have: this is not exported")
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
