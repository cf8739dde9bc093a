# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands in the place of PyTorch: a GPU whose fused attention takes what its products take, at a share of a rate that is known.

MADE_UP_RATE is the rate of products in flop/s, MADE_UP_FORWARD and MADE_UP_BACKWARD the shares. Time is no clock's: kernels add to it."""
import os
import random
import sys
import types

__version__ = "2.6.0+made-up"
rate, shares = float(os.environ["MADE_UP_RATE"]), {name: float(os.environ["MADE_UP_" + name.upper()]) for name in ("forward", "backward")}
now = 0.0
BLOCK = 128  # queries, and keys, that are worked on together
bfloat16, float16 = "bfloat16", "float16"
chance = random.Random(1)


class Tensor:
    def __init__(self, shape, requires_grad=False):
        self.shape, self.requires_grad = shape, requires_grad


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = now

    def synchronize(self):
        pass

    def elapsed_time(self, later):
        return 1e3 * (later.at - self.at)


def run(name, queries, products):
    """Scores are computed in blocks, and half of those on the diagonal are masked; a product has two operations for an item of a head."""
    global now
    sequences, heads, tokens, width = queries.shape
    now += products * 2 * sequences * heads * tokens * (tokens + BLOCK) / 2 * width / (rate * shares[name]) * chance.uniform(0.99, 1.01)


class Within:
    depth = 0

    def __init__(self, backend):
        assert backend == "flash"

    def __enter__(self):
        Within.depth += 1

    def __exit__(self, *_):
        Within.depth -= 1


def scaled_dot_product_attention(queries, keys, values, is_causal=False, enable_gqa=False):
    assert Within.depth == 1 and is_causal and keys.shape == values.shape and queries.shape[2:] == keys.shape[2:]
    assert enable_gqa == (keys.shape[1] < queries.shape[1]) and queries.shape[1] % keys.shape[1] == 0
    if queries.shape[2] >= float(os.environ.get("MADE_UP_MOST_TOKENS", "inf")):
        raise OutOfMemoryError("CUDA out of memory")
    run("forward", queries, 2)
    made = Tensor(queries.shape)
    made.inputs = (queries, keys, values)
    return made


def grad(result, inputs, gradient, retain_graph=False):
    assert retain_graph and tuple(inputs) == result.inputs and gradient.shape == result.shape and all(one.requires_grad for one in inputs)
    run("backward", inputs[0], 5)
    return inputs


class OutOfMemoryError(RuntimeError):
    pass


def randn(shape, device, dtype, requires_grad=False):
    assert device.type == "cuda" and dtype in (bfloat16, float16)
    return Tensor(shape, requires_grad)


def manual_seed(_):
    pass


def device(name):
    return types.SimpleNamespace(type=name)


def nothing(*_):
    pass


cuda = types.SimpleNamespace(is_available=lambda: True, set_device=nothing, synchronize=nothing, empty_cache=nothing, reset_peak_memory_stats=nothing, Event=Event,
                             get_device_name=lambda _: "made up", get_device_properties=lambda _: types.SimpleNamespace(total_memory=1 << 36))
version = types.SimpleNamespace(cuda="12.4")
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: 90100))
autograd = types.SimpleNamespace(grad=grad)
nn = types.ModuleType("torch.nn")
nn.functional = types.SimpleNamespace(scaled_dot_product_attention=scaled_dot_product_attention)
nn.attention = types.ModuleType("torch.nn.attention")
nn.attention.SDPBackend = types.SimpleNamespace(FLASH_ATTENTION="flash")
nn.attention.sdpa_kernel = Within
sys.modules.update({"torch.nn": nn, "torch.nn.attention": nn.attention})
