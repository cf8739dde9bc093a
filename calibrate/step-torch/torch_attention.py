# SPDX-License-Identifier: BSD-3-Clause
"""Fused attention alone, forward and backward: causal, with as many heads of keys as of queries or fewer."""
import time

import torch_rows as rows
from torch_file import Trouble

LEAST_SWITCHES, MOST_SWITCHES = 3, 20  # the second a second: more often others had the processor
PASSES = ("forward", "backward")
BACKWARD_WORK = 2.5  # products of backward: two of forward, and the scores once more
# Sequences, heads of queries, heads of keys, tokens, width of a head; of GPT-2, Llama 2 and 3. A forward pass of each takes a GPU some 0.1 ms at
# least: the host is ahead then.
SHAPES = ((64, 12, 12, 1024, 64), (4, 32, 32, 4096, 128), (16, 32, 8, 2048, 128),
          (128, 16, 16, 512, 64), (32, 25, 25, 1024, 64), (2, 64, 8, 4096, 128), (1, 64, 8, 8192, 128))
QUICK_SHAPES = 3
TYPES = {"bf16": "bfloat16", "fp16": "float16"}


class Point:
    """One pass over one shape in one number format."""

    def __init__(self, shape, precision, which):
        self.shape, self.precision, self.which = shape, precision, which
        self.batch, self.heads, self.kv_heads, self.seq, self.head = shape
        self.name = f"attention/{which}/{precision}/{self.batch}x{self.seq}/{self.heads}-{self.kv_heads}x{self.head}"
        self.parameters = {"kind": which, "precision": precision, "kernel": "portable", "sequences": self.batch, "seq": self.seq,
                           "heads": self.heads, "kv_heads": self.kv_heads, "head": self.head, "causal": 1}

    def flop(self):
        """Products of the scores that a causal mask leaves, and of the values."""
        forward = 2 * self.batch * self.seq * self.seq / 2 * self.heads * 2 * self.head
        return forward if self.which == "forward" else BACKWARD_WORK * forward


def points_of(effort, precisions):
    """Every shape in every number format, both passes."""
    shapes = SHAPES[:QUICK_SHAPES] if effort == "quick" else SHAPES
    unknown = [name for name in precisions if name not in TYPES]
    if unknown:
        raise Trouble(f"fused attention is measured in {' and '.join(TYPES)}, not in {unknown[0]}")
    return [Point(shape, precision, which) for shape in shapes for precision in precisions or ("bf16",) for which in PASSES]


class Call:
    """Tensors of a point, and one call of its pass."""

    def __init__(self, point, device):
        import torch
        import torch.nn.attention
        device.forget()
        self.torch, kind = torch, getattr(torch, TYPES[point.precision])
        how = {"device": device.torch, "dtype": kind}
        self.backend = torch.nn.attention.SDPBackend.FLASH_ATTENTION
        self.inputs = [torch.randn((point.batch, heads, point.seq, point.head), requires_grad=point.which == "backward", **how)
                       for heads in (point.heads, point.kv_heads, point.kv_heads)]
        self.shares_keys = {"enable_gqa": True} if point.kv_heads < point.heads else {}
        self.once = self.forward
        if point.which == "backward":
            self.result = self.forward()
            self.gradient = torch.randn((point.batch, point.heads, point.seq, point.head), **how)
            self.once = self.backward

    def forward(self):
        with self.torch.nn.attention.sdpa_kernel(self.backend):
            return self.torch.nn.functional.scaled_dot_product_attention(*self.inputs, is_causal=True, **self.shares_keys)

    def backward(self):
        return self.torch.autograd.grad(self.result, self.inputs, self.gradient, retain_graph=True)


def measure(point, device, effort, cap_s):
    """Times of single calls that follow one another, and what is told with them."""
    from torch_device import busy
    count = {"quick": 20, "usual": 100, "full": 300}[effort]
    call = Call(point, device)
    device.steps(call.once, count // 4, time.perf_counter() + cap_s / 4)  # kernels are loaded, clocks rise
    used, switches = busy()
    begin = time.perf_counter()
    seconds, _ = device.steps(call.once, count, begin + cap_s)
    wall = max(time.perf_counter() - begin, 1e-9)
    now_used, now_switches = busy()
    flags = ["contended"] if now_switches - switches > max(LEAST_SWITCHES, MOST_SWITCHES * wall) else []
    return seconds, {"flop": point.flop(), "bytes": 0, "calls": 1, "processors": round((now_used - used) / wall, 4), "switches": now_switches - switches,
                     "timed": "events" if device.is_gpu else "wall", "flags": flags, **device.look()}


def run_point(point, options, device, samples, cap_s):
    """Measures one point. Returns whether that went well."""
    rows.say("start", point.name)
    try:
        seconds, others = measure(point, device, options.effort, cap_s)
    except (RuntimeError, TypeError) as error:  # TypeError: this PyTorch knows no shared heads of keys
        absent = type(error).__name__ == "OutOfMemoryError"
        reason = "out of memory" if absent else (str(error).splitlines() or [type(error).__name__])[0]
        samples.failed(point.name, point.parameters, reason, absent)
        rows.say("absent" if absent else "failed", point.name, reason)
        device.wait()  # raises where the device is lost
        return absent
    samples.add(point.name, point.parameters, seconds, **others)
    rows.say("done", point.name, f"{rows.percentile(seconds, 0.5):.7g}", f"{rows.half_width(seconds):.4g}", len(seconds))
    return True
