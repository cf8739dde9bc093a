# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers of a PyTorch network in the order they run: what paradl_export.py makes a model of.

What it sees are ATen operations and the modules they are in. Views take up the place of what they are views of; a value that is made
of weights alone stands for those weights."""
import torch
from torch.utils._python_dispatch import TorchDispatchMode

BATCH = 2  # of the pass; norms over a batch want more than one
VIEWS = {"view", "_unsafe_view", "reshape", "_reshape_alias", "t", "transpose", "permute", "contiguous", "clone", "expand",
         "unsqueeze", "squeeze", "alias", "detach", "_to_copy", "slice", "div", "div_", "flatten", "unflatten", "copy"}
SLICES = {"split", "split_with_sizes", "chunk", "slice", "select", "narrow", "unbind"}
ACTS = {"relu": "relu", "gelu": "gelu", "silu": "silu", "sigmoid": "sigmoid", "tanh": "tanh", "hardswish": "hardswish",
        "leaky_relu": "leaky-relu", "hardtanh": "relu6", "hardsigmoid": "sigmoid", "_softmax": "softmax", "_safe_softmax": "softmax",
        "_log_softmax": "softmax"}
NORMS = ("batch_norm", "layer_norm", "group_norm", "rms_norm")


def refuse(place, what):
    raise SystemExit(f"{place}: {what} is not exported")


class Recorder(TorchDispatchMode):
    """Layers in the order they run; each has `reads`, positions of the layers (-1: the input) whose outputs it takes."""

    def __init__(self, model, tied, images):
        super().__init__()
        self.images = images
        self.layers, self.made, self.alive, self.stack, self.params = [], {}, [], [("", model)], {}
        self.inputs, self.sizes, self.touched = [], {}, {}  # of parameters: their items; operations that took them, until a layer has them
        for name, module in model.named_modules():
            for key, parameter in module._parameters.items():
                path = tied.get(f"{name}.{key}", f"{name}.{key}")
                self.params[id(parameter)] = (path,)
                self.sizes[path] = parameter.numel() if parameter is not None else 0
            module.register_forward_pre_hook(lambda m, x, name=name: self.stack.append((name, m)))
            module.register_forward_hook(lambda m, x, y: self.stack.pop() and None)

    def add(self, result, reads, type_, /, **keys):
        self.layers.append({"path": self.stack[-1][0], "module": self.stack[-1][1], "reads": reads, "type": type_, "keys": keys,
                            "shape": tuple(result.shape), "inputs": self.inputs})
        self.made[id(result)] = len(self.layers) - 1
        return self.layers[-1]

    def weights(self, flat):
        """The parameters that these come from; the layer that was added last has them."""
        paths = tuple(dict.fromkeys(p for a in flat for p in self.params.get(id(a), ())))
        self.layers[-1]["weights"] = self.layers[-1].get("weights", ()) + paths
        for path in paths:
            self.touched[path] = None
        return sum(self.sizes[path] for path in paths)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        name = func._schema.name.split("::")[1]
        first = out[0] if isinstance(out, (tuple, list)) else out
        flat = [a for b in args for a in (b if isinstance(b, (tuple, list)) else [b]) if isinstance(a, torch.Tensor)]
        self.alive += flat + [a for a in (out if isinstance(out, (tuple, list)) else [out]) if isinstance(a, torch.Tensor)]
        reads = [self.made[id(a)] for a in flat if id(a) in self.made]
        self.inputs = [tuple(a.shape) for a in flat if id(a) in self.made]
        if isinstance(first, torch.Tensor):
            self.record(name, args, out, first, flat, reads)
        return out

    def record(self, name, args, out, y, flat, reads):
        base = name.rstrip("_")
        if name.startswith("new_") or name.endswith("_like"):  # has the shape of an activation only
            return
        paths = tuple(dict.fromkeys(p for a in flat for p in self.params.get(id(a), ())))
        if paths and not reads and base != "embedding":  # made of weights alone: a transposed weight, a table by its index
            self.params[id(y)] = paths
            return
        for path in paths:
            self.touched.setdefault(path, f"{self.stack[-1][0]}: {name}")
        if "convolution" in name:
            self.convolution(args, y, flat, reads)
        elif base in ("addmm", "mm", "linear") and paths:
            width = next((a.shape[-1] for a in flat if id(a) in self.made), 0)
            layer = self.add(y, reads, "linear", out=y.shape[-1], bias=base == "addmm" or (base == "linear" and len(flat) > 2))
            layer.update(width=width, weight=[self.params[id(a)] for a in flat if id(a) in self.params and a.dim() == 2][-1:])
            self.weights(flat)
        elif "scaled_dot_product" in name or "_flash_attention" in name:
            causal = any(a is True for a in args[3:]) or len([a for a in args[3:5] if isinstance(a, torch.Tensor)]) > 0
            self.add(y, reads, "sdpa", heads=flat[0].shape[1], head=flat[0].shape[-1], causal=causal and not self.images,
                     queries=flat[0].shape[-2], keys=flat[1].shape[-2])
        elif base in ("bmm", "baddbmm") and reads:
            self.add(y, reads, "bmm", head=flat[-2].shape[-1], batch=y.shape[0], causal=base == "baddbmm")
        elif base in ("masked_fill", "where") and reads:
            self.add(y, reads[-1:], "mask")
        elif base in ACTS and reads:
            self.add(y, reads, "act", kind=ACTS[base])
            self.layers[-1]["fused"] = base == "_safe_softmax"  # of scaled_dot_product_attention, which "meta" takes apart
        elif any(n in name for n in NORMS) and reads:
            self.norm(name, args, y, flat, reads)
        elif "max_pool" in name or base.startswith("avg_pool"):
            a = list(args[1:]) + [[]] * 3
            kind = "max" if "max" in name else "avg"
            ceil = bool(a[4] if kind == "max" and len(args) > 5 else len(args) > 4 and kind == "avg" and args[4])
            self.add(y, reads, "pool", kind=kind, kernel=list(a[0]), stride=list(a[1] or a[0]), pad=list(a[2] or [0]), ceil=ceil)
        elif "adaptive_avg_pool" in name or (base == "mean" and reads):
            self.mean(base, y, flat, reads)
        elif base == "embedding":
            self.add(y, [], "embedding", rows=flat[0].shape[0], out=flat[0].shape[1])
            self.layers[-1]["weight"] = [self.params.get(id(flat[0]))]
            self.layers[-1]["looks_up"] = id(flat[1]) in self.made  # what the input says; else positions
            self.weights(flat)
        elif base in ("add", "mul") and len(reads) == 1 and paths:
            self.by_weight(name, base, y, flat, reads)
        elif base in ("add", "sub", "mul") and len(reads) == 2 and len(set(reads)) == 2:
            self.add(y, reads, "multiply" if base == "mul" else "add")
        elif base == "cat" and len(reads) > 1:
            dim = args[1] if len(args) > 1 else 0
            self.add(y, reads, "concat", axis=dim % y.dim() - 1)
        elif base == "cat" and reads and paths and y.dim() == 3:
            self.add(y, reads, "class", rows=y.shape[1] - flat[-1].shape[1])
            self.weights(flat)
        elif base.startswith("upsample") and reads:
            self.add(y, reads, "upsample", kind="nearest" if "nearest" in name else "linear", size=list(y.shape[2:]))
        elif base == "select" and reads and flat[0].dim() == 3 and args[1] == 1:
            self.add(y, reads, "pool", kind="first")
        elif self.images and reads and base in SLICES and y.numel() != flat[0].numel():
            for part in out if isinstance(out, (tuple, list)) else [out]:
                self.add(part, reads[:1], "slice")
        elif self.images and reads and (base == "roll" or (base == "clone" and y.dim() > 4)):  # windows, shuffled channels
            self.add(y, reads[:1], "copy")
        elif reads:  # views, scales, masks of dropout
            if self.images and y.dim() > 1 and y.numel() != flat[0].numel() and name not in ("expand", "native_dropout"):
                refuse(self.stack[-1][0], f"{name} of {tuple(flat[0].shape)} to {tuple(y.shape)}")
            self.made[id(y)] = reads[0]
            for other in out[1:] if isinstance(out, (tuple, list)) else ():
                self.made[id(other)] = reads[0]

    def convolution(self, args, y, flat, reads):
        _, w, b, stride, pad, dilation, transposed, _, groups = args[:9]
        same = transposed and any(args[7])
        self.add(y, reads, "conv", out=y.shape[1], kernel=list(w.shape[2:]), stride=list(stride), dilation=list(dilation),
                 pad="same" if same else list(pad), groups=groups, bias=b is not None, transposed=bool(transposed))
        gains = self.weights(flat) - w.numel() - (b.numel() if b is not None else 0)
        if gains == y.shape[1]:  # the weights that it takes are those of the file, standardised and scaled
            self.layers[-1]["keys"]["standardized"] = True
        elif gains:
            refuse(self.stack[-1][0], f"a convolution whose {w.numel()} weights are made of {gains + w.numel()}")

    def norm(self, name, args, y, flat, reads):
        kind = next(n for n in NORMS if n in name).split("_")[0]
        if "InstanceNorm" in type(self.stack[-1][1]).__name__:
            kind = "instance"
        if self.images and kind in ("layer", "rms") and len(args[1]) != 1:
            refuse(self.stack[-1][0], f"{name} over {len(args[1])} dimensions")
        self.add(y, reads[:1], "norm", kind=kind, **({"groups": args[6]} if kind == "group" else {}))
        self.weights(flat)

    def mean(self, base, y, flat, reads):
        if base == "mean" or all(s == 1 for s in y.shape[2:]):
            self.add(y, reads, "pool", kind="avg", **{"global": True})
        elif tuple(y.shape) == tuple(flat[0].shape):
            self.made[id(y)] = reads[0]
        else:  # windows of unequal extents, which overlap as these do
            stride = [x // to for x, to in zip(flat[0].shape[2:], y.shape[2:])]
            kernel = [x - (to - 1) * s for x, to, s in zip(flat[0].shape[2:], y.shape[2:], stride)]
            self.add(y, reads, "pool", kind="avg", kernel=kernel, stride=stride)

    def by_weight(self, name, base, y, flat, reads):
        """A weight is added to an activation, or scales it."""
        weight = next(a for a in flat if id(a) not in self.made)
        before = self.layers[reads[0]] if reads[0] >= 0 else {"type": "input"}
        if base == "add" and before["type"] == "linear" and weight.dim() == 1:  # a bias by itself
            before["keys"]["bias"] = True
            self.made[id(y)] = reads[0]
            before["weights"] += self.params[id(weight)]
            self.touched.update(dict.fromkeys(self.params[id(weight)]))
        elif base == "add" and before["type"] in ("bmm", "mask", "scores"):
            self.add(y, reads, "scores", items=self.sizes_of(weight))
            self.weights(flat)
        elif base == "add" and y.dim() == 3 and weight.numel() * BATCH == y.numel() == BATCH * self.sizes_of(weight):
            self.add(y, reads, "positions", rows=y.shape[1])
            self.weights(flat)
        elif self.images and base == "mul" and y.dim() == 4 and weight.numel() in (y.shape[1], y.shape[-1]):  # layer scale
            self.add(y, reads, "scale", out=weight.numel(), kernel=[1, 1], groups=weight.numel(), bias=False)
            self.weights(flat)
        else:
            refuse(self.stack[-1][0], f"{name} of {tuple(y.shape)} by weights of {tuple(weight.shape)}")

    def sizes_of(self, weight):
        return sum(self.sizes[path] for path in self.params[id(weight)])
