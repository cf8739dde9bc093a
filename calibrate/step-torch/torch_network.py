# SPDX-License-Identifier: BSD-3-Clause
"""A network of PyTorch from the layers of a paradl-model(5) file, so that what runs is what paradl projects."""
import torch
from torch import nn

import torch_layers as made
from torch_file import Trouble


class Network(nn.Module):
    """All layers, one after the other; the last one compares with what should come out."""

    def __init__(self, layers, loss):
        super().__init__()
        self.body, self.loss = layers, loss

    def forward(self, x, target):
        return self.loss(self.body(x), target)


class Builder:
    """Follows the shape of a sample through the layers, as modules are made."""

    def __init__(self, file):
        self.file = file
        self.tokens = file.sequence
        self.channels = 0 if self.tokens else file.number(file.source["channels"])
        self.extents = () if self.tokens else tuple(file.number(extent) for extent in file.source["shape"])
        self.rows = 0  # of the vocabulary
        self.tables = {}
        self.has_positions = True
        self.makers = {"conv": self.conv, "linear": self.linear, "norm": self.norm, "pool": self.pool, "act": self.act, "flatten": self.flatten,
                       "dropout": self.dropout, "embedding": self.embedding, "attention": self.attention, "mlp": self.mlp, "head": self.head,
                       "add": self.joined, "multiply": self.joined, "concat": self.joined}
        self.before = ""

    def refuse(self, layer, why):
        raise Trouble(f"{self.file.path}: layer {layer.get('name', layer['type'])}: {why}")

    def sequence(self, layers):
        modules = []
        for layer in layers:
            make = self.makers.get(layer["type"])
            if make is None:
                self.refuse(layer, f"type {layer['type']} is not run here; these are: {', '.join(sorted(self.makers))}, loss")
            modules.append(make(layer))
            self.before = layer["type"]
        return nn.Sequential(*modules)

    def only(self, layer, *known):
        """Refuses keys that would change what runs and that are not followed."""
        for key in layer:
            if key not in ("name", "type", *known) and not key.startswith(("_", "$")):
                self.refuse(layer, f"{key} is not run here")

    def conv(self, layer):
        self.only(layer, "out", "kernel", "stride", "pad", "dilation", "groups", "bias")
        count = len(self.extents)
        kernel, stride, dilation = (made.spread(layer.get(key, 1), count) for key in ("kernel", "stride", "dilation"))
        pad = layer.get("pad", 0)
        whole = pad == "same" and all(step == 1 for step in stride)
        if pad == "same" and not whole and any(k % 2 == 0 for k in kernel):
            self.refuse(layer, "padding to the same extents, of an even kernel with a stride, is not run here")
        pad = tuple(d * (k - 1) // 2 for k, d in zip(kernel, dilation)) if pad == "same" else made.spread(pad, count)
        channels, self.channels = self.channels, layer["out"]
        self.extents = self.extents if whole else made.extents_after(self.extents, kernel, stride, pad, dilation)
        pad = "same" if whole else pad
        return made.CONVOLUTIONS[count](channels, layer["out"], kernel, stride, pad, dilation, layer.get("groups", 1), bias=layer.get("bias", True))

    def linear(self, layer):
        self.only(layer, "out", "bias")
        if self.tokens:
            width, self.channels = self.channels, layer["out"]
            return nn.Linear(width, layer["out"], bias=layer.get("bias", True))
        flat = self.flatten(layer)
        width, self.channels = self.channels, layer["out"]
        line = nn.Linear(width, layer["out"], bias=layer.get("bias", True))
        return nn.Sequential(flat, line) if isinstance(flat, nn.Flatten) else line

    def flatten(self, layer):
        if self.tokens:
            self.refuse(layer, "tokens are not flattened here")
        had_extents = bool(self.extents)
        for extent in self.extents:
            self.channels *= extent
        self.extents = ()
        return nn.Flatten() if had_extents else nn.Identity()

    def norm(self, layer):
        self.only(layer, "kind", "groups", "bias")
        kind = layer["kind"]
        if kind == "batch" and self.extents:
            return made.BATCH_NORMS[len(self.extents)](self.channels)
        if kind == "group" and self.extents:
            return nn.GroupNorm(layer["groups"], self.channels)
        if kind == "layer" and self.tokens:
            return nn.LayerNorm(self.channels, bias=layer["bias"]) if "bias" in layer else nn.LayerNorm(self.channels)
        if kind == "rms" and self.tokens:
            return nn.RMSNorm(self.channels) if hasattr(nn, "RMSNorm") else made.Rms(self.channels)
        return self.refuse(layer, f"norm {kind} of {'tokens' if self.tokens else 'images'} is not run here")

    def pool(self, layer):
        self.only(layer, "kind", "kernel", "stride", "pad", "ceil", "global")
        count = len(self.extents)
        if not count or layer["kind"] not in made.WHOLE_POOLS:
            self.refuse(layer, f"pool {layer['kind']} is run of images only, by max and avg")
        if layer.get("global"):
            self.extents = (1,) * count
            return made.WHOLE_POOLS[layer["kind"]][count](1)
        kernel = made.spread(layer["kernel"], count)
        stride, pad = made.spread(layer.get("stride", list(kernel)), count), made.spread(layer.get("pad", 0), count)
        self.extents = made.extents_after(self.extents, kernel, stride, pad, ceil=layer.get("ceil", False))
        return (made.MAX_POOLS if layer["kind"] == "max" else made.MEAN_POOLS)[count](kernel, stride, pad, ceil_mode=layer.get("ceil", False))

    def act(self, layer):
        self.only(layer, "kind")
        if layer["kind"] == "softmax":
            return nn.Softmax(-1 if self.tokens else 1)
        return made.activation(layer["kind"], in_place=self.before in ("conv", "norm", "linear", "add"))

    def dropout(self, layer):
        self.only(layer, "p")
        return nn.Dropout(layer.get("p", 0.5))

    def embedding(self, layer):
        self.only(layer, "kind", "rows", "out", "positions")
        if layer.get("kind", "token") != "token":
            self.refuse(layer, "an embedding of patches is not run here")
        self.channels, self.rows = layer["out"], layer["rows"]
        self.has_positions = bool(layer.get("positions"))
        if self.has_positions and layer["positions"] < self.tokens:
            self.refuse(layer, f"there are {layer['positions']} positions, and {self.tokens} tokens")
        table = made.Embedding(layer["rows"], layer["out"], layer.get("positions"))
        self.tables[layer.get("name", "")] = table
        return table

    def attention(self, layer):
        self.only(layer, "heads", "kv_heads", "head_dim", "causal", "bias", "qkv_bias", "dropout", "kernel", "window")
        if layer.get("window", self.tokens) < self.tokens or layer.get("kernel", "flash") != "flash":
            self.refuse(layer, "attention by PyTorch's own kernel sees all keys and keeps no scores; windows and unfused ones are not run here")
        return made.Attention(self.channels, self.tokens, layer, not self.has_positions)

    def mlp(self, layer):
        self.only(layer, "hidden", "gated", "act", "bias")
        return made.Mlp(self.channels, layer)

    def head(self, layer):
        self.only(layer, "out", "tied", "bias")
        tied = self.tables.get(layer["tied"]) if "tied" in layer else None
        if "tied" in layer and tied is None:
            self.refuse(layer, f"no embedding {layer['tied']}")
        width, self.channels = self.channels, layer["out"]
        return made.Head(width, layer["out"], layer.get("bias", False), tied)

    def joined(self, layer):
        self.only(layer, "branches", "axis")
        if layer["type"] == "concat" and (layer.get("axis", 0) != 0 or self.tokens):
            self.refuse(layer, "only channels of images are put side by side here")
        begin, ends, branches = (self.channels, self.extents), [], []
        for branch in layer["branches"]:
            (self.channels, self.extents), self.before = begin, ""
            branches.append(self.sequence(branch))
            ends.append((self.channels, self.extents))
        self.channels, self.extents = ends[0]
        if layer["type"] == "concat":
            self.channels = sum(channels for channels, _ in ends)
        last = layer["branches"][0][-1] if layer["branches"][0] else {}
        return made.Joined(layer["type"], branches, in_place=last.get("type") == "norm" and last.get("kind") == "batch")


class Task:
    """A network and how its samples look."""

    def __init__(self, file):
        builder = Builder(file)
        if not file.layers or file.layers[-1]["type"] != "loss":
            raise Trouble(f"{file.path}: the last layer is no loss, so there is nothing to train for")
        loss = file.layers[-1].get("kind", "none")
        body = builder.sequence(file.layers[:-1])
        self.module = Network(body, made.Loss(loss))
        self.tokens, self.rows, self.loss = builder.tokens, builder.rows, loss
        self.shape = () if self.tokens else (file.number(file.source["channels"]), *(file.number(extent) for extent in file.source["shape"]))
        self.output = (builder.channels, *builder.extents)

    def parameters(self):
        """How many there are; shared tables count once."""
        return sum(parameter.numel() for parameter in self.module.parameters())

    def samples(self, batch, device):
        """Random samples, and what should come of them."""
        if self.tokens:
            x = torch.randint(self.rows, (batch, self.tokens), device=device)
        else:
            x = torch.randn(batch, *self.shape, device=device)
        if self.loss == "cross-entropy":
            places = (self.tokens,) if self.tokens else self.output[1:]
            return x, torch.randint(self.output[0], (batch, *places), device=device)
        return x, torch.rand(batch, *self.output, device=device)
