# SPDX-License-Identifier: BSD-3-Clause
"""Layers of images and of tokens as modules of PyTorch, as programs of today write them."""
import math

import torch
from torch import nn
from torch.nn import functional

from torch_file import Trouble

CONVOLUTIONS = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}
BATCH_NORMS = {1: nn.BatchNorm1d, 2: nn.BatchNorm2d, 3: nn.BatchNorm3d}
MAX_POOLS = {1: nn.MaxPool1d, 2: nn.MaxPool2d, 3: nn.MaxPool3d}
MEAN_POOLS = {1: nn.AvgPool1d, 2: nn.AvgPool2d, 3: nn.AvgPool3d}
WHOLE_POOLS = {"max": {1: nn.AdaptiveMaxPool1d, 2: nn.AdaptiveMaxPool2d, 3: nn.AdaptiveMaxPool3d},
               "avg": {1: nn.AdaptiveAvgPool1d, 2: nn.AdaptiveAvgPool2d, 3: nn.AdaptiveAvgPool3d}}
ACTIVATIONS = {"relu": nn.ReLU, "relu6": nn.ReLU6, "leaky-relu": nn.LeakyReLU, "tanh": nn.Tanh, "sigmoid": nn.Sigmoid, "gelu": nn.GELU,
               "silu": nn.SiLU, "hardswish": nn.Hardswish, "elu": nn.ELU, "hardsigmoid": nn.Hardsigmoid}


class Squared(nn.Module):
    """The square of relu."""

    def forward(self, x):
        return functional.relu(x).square()


class Rms(nn.Module):
    """Items over their root mean square, for versions of PyTorch without nn.RMSNorm."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        wide = x.float()
        return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * self.weight


class Embedding(nn.Module):
    """Tokens looked up in a table, and learned positions."""

    def __init__(self, rows, width, positions):
        super().__init__()
        self.table = nn.Embedding(rows, width)
        self.positions = nn.Embedding(positions, width) if positions else None
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, tokens):
        x = self.table(tokens)
        if self.positions is None:
            return x
        return x + self.positions(torch.arange(tokens.shape[1], device=tokens.device))


def rotations(sequence, width):
    """Cosines and sines that turn pairs of items by their place (RoPE)."""
    rates = 10000.0 ** (-torch.arange(0, width, 2, dtype=torch.float32) / width)
    angles = torch.arange(sequence, dtype=torch.float32)[:, None] * rates[None, :]
    return torch.cat((angles, angles), -1).cos(), torch.cat((angles, angles), -1).sin()


def turned(x, cosines, sines):
    first, second = x.chunk(2, -1)
    return x * cosines + torch.cat((-second, first), -1) * sines


class Attention(nn.Module):
    """Self-attention by the kernel that PyTorch chooses for it; one product makes queries, keys and values."""

    def __init__(self, width, sequence, layer, turns):
        super().__init__()
        self.heads = layer["heads"]
        self.kv_heads = layer.get("kv_heads", self.heads)
        self.size = layer.get("head_dim", width // self.heads)
        self.causal = layer.get("causal", True)
        self.dropout = layer.get("dropout", 0)
        biased = layer.get("bias", False)
        self.qkv = nn.Linear(width, (self.heads + 2 * self.kv_heads) * self.size, bias=layer.get("qkv_bias", biased))
        self.out = nn.Linear(self.heads * self.size, width, bias=biased)
        self.turns = turns
        if turns:
            cosines, sines = rotations(sequence, self.size)
            self.register_buffer("cosines", cosines, persistent=False)
            self.register_buffer("sines", sines, persistent=False)

    def forward(self, x):
        batch, sequence, _ = x.shape
        parts = self.qkv(x).view(batch, sequence, self.heads + 2 * self.kv_heads, self.size).transpose(1, 2)
        q, k, v = parts.split((self.heads, self.kv_heads, self.kv_heads), 1)
        if self.turns:
            cosines, sines = self.cosines.to(x.dtype), self.sines.to(x.dtype)
            q, k = turned(q, cosines, sines), turned(k, cosines, sines)
        if self.kv_heads < self.heads:
            k, v = (part.repeat_interleave(self.heads // self.kv_heads, 1) for part in (k, v))
        y = functional.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout if self.training else 0.0, is_causal=self.causal)
        return self.out(y.transpose(1, 2).reshape(batch, sequence, -1))


class Mlp(nn.Module):
    """Two products with an activation between; gated: a third one, which that multiplies."""

    def __init__(self, width, layer):
        super().__init__()
        hidden, biased = layer["hidden"], layer.get("bias", False)
        self.up = nn.Linear(width, hidden, bias=biased)
        self.gate = nn.Linear(width, hidden, bias=biased) if layer.get("gated") else None
        self.down = nn.Linear(hidden, width, bias=biased)
        self.act = Squared() if layer.get("act") == "relu2" else activation(layer.get("act", "gelu"))

    def forward(self, x):
        y = self.act(self.up(x)) if self.gate is None else self.act(self.gate(x)) * self.up(x)
        return self.down(y)


class Head(nn.Module):
    """Scores of a vocabulary, by a table of its own or by that of the embedding."""

    def __init__(self, width, rows, biased, tied):
        super().__init__()
        self.scores = nn.Linear(width, rows, bias=biased)
        if tied is not None:
            self.scores.weight = tied.table.weight

    def forward(self, x):
        return self.scores(x)


class Joined(nn.Module):
    """Branches that read the same input: their sum, product, or all side by side."""

    def __init__(self, kind, branches, in_place):
        super().__init__()
        self.branches = nn.ModuleList(branches)
        self.kind, self.in_place = kind, in_place

    def forward(self, x):
        parts = [branch(x) for branch in self.branches]
        if self.kind == "concat":
            return torch.cat(parts, 1)
        y = parts[0]
        for part in parts[1:]:
            if self.kind == "multiply":
                y = y * part
            elif self.in_place:
                y += part
            else:
                y = y + part
        return y


class Loss(nn.Module):
    """How far outputs are from what they should be, one number."""

    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def forward(self, y, target):
        if self.kind == "cross-entropy":
            # Classes are the last axis of tokens, and the first after the samples elsewhere.
            return functional.cross_entropy(y.flatten(0, -2) if y.dim() == 3 and target.dim() == 2 else y, target.flatten() if y.dim() == 3 else target)
        if self.kind == "mse":
            return functional.mse_loss(y, target)
        if self.kind == "bce":
            return functional.binary_cross_entropy_with_logits(y, target)
        return y.float().mean()


def activation(kind, in_place=False):
    if kind not in ACTIVATIONS:
        raise Trouble(f"activation {kind} is not run here; these are: {', '.join(sorted(ACTIVATIONS))}")
    return ACTIVATIONS[kind](inplace=True) if in_place and kind in ("relu", "relu6") else ACTIVATIONS[kind]()


def spread(value, dimensions):
    """A number for each dimension."""
    return tuple(value) if isinstance(value, list) else (value,) * dimensions


def extents_after(extents, kernel, stride, pad, dilation=None, ceil=False):
    """Extents after a window has moved over others."""
    dilation = dilation or (1,) * len(extents)
    found = []
    for size, k, s, p, d in zip(extents, kernel, stride, pad, dilation):
        steps = (size + 2 * p - d * (k - 1) - 1) / s
        count = (math.ceil(steps) if ceil else math.floor(steps)) + 1
        found.append(count - 1 if ceil and (count - 1) * s >= size + p else count)
    return tuple(found)
