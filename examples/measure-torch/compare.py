#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What 'paradl calibrate --gpu' measured, measured again by PyTorch: do both see the same machine?

    python3 compare.py gpu-samples.jsonl [--search] > compared.csv

A row for each product, convolution and attention of the file: the point, seconds of calibrate (median), how PyTorch ran it,
seconds by PyTorch. Products in fp8 run with and without fast accumulation; convolutions by cuDNN's heuristics and, with
--search, by its search too, which takes seconds for each; attention by scaled_dot_product_attention, causal. The time is
the device's: launches are enqueued behind a kernel that waits. Needs PyTorch 2 and a GPU: without, exit status 77."""
import csv
import json
import re
import statistics
import sys
import time

try:
    import torch
    from torch.nn import functional as F
except ImportError:
    sys.exit(print("compare.py: PyTorch is not installed: python3 -m pip install torch", file=sys.stderr) or 77)

SEARCH = "--search" in sys.argv[2:]
TYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "tf32": torch.float32, "fp32": torch.float32,
         "fp8": torch.float8_e4m3fn}
SHAPE = re.compile(r"b(\d+)n(\d)c(\d+)f(\d+)g(\d+)k{0}s{0}p{0}d{0}x{0}y{0}$".format(r"(\d+x\d+x\d+)"))
CACHE_BYTES, SAMPLES, SAMPLE_S, LEAST_CALLS, WARM_S = 256 << 20, 7, 1e-3, 3, 0.1


def seconds_of(run, copies):
    """Median device seconds of run(i), where i goes round the copies of its operands."""
    def sample(calls):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(4_000_000)
        begin.record()
        for i in range(calls):
            run(i % copies)
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) * 1e-3 / calls
    once = min(sample(1) for _ in range(3))
    calls = max(LEAST_CALLS, min(100, int(SAMPLE_S / once)))
    warm = time.monotonic() + WARM_S
    while time.monotonic() < warm:
        for i in range(calls):
            run(i % copies)
        torch.cuda.synchronize()
    return statistics.median(sample(calls) for _ in range(SAMPLES))


def copies_for(bytes_each):
    return max(1, min(64, -(-CACHE_BYTES // max(1, bytes_each))))


def random(shape, kind):
    return torch.randn(shape, device="cuda", dtype=torch.float32 if kind == torch.float8_e4m3fn else kind).to(kind)


def gemm(p):
    kind, m, n, k = TYPES[p["precision"]], p["m"], p["n"], p["k"]
    copies = copies_for((m * k + n * k + m * n) * kind.itemsize)
    x, w = [random((m, k), kind) for _ in range(copies)], [random((n, k), kind) for _ in range(copies)]
    if p["precision"] != "fp8":
        out = [torch.empty(m, n, device="cuda", dtype=kind) for _ in range(copies)]
        yield "matmul", seconds_of(lambda i: torch.matmul(x[i], w[i].t(), out=out[i]), copies)
        return
    one = torch.ones((), device="cuda")
    for fast in (False, True):
        yield "fast" if fast else "slow", seconds_of(lambda i: torch._scaled_mm(
            x[i], w[i].t(), one, one, out_dtype=torch.bfloat16, use_fast_accum=fast), copies)


def convolution(name, p):
    found = SHAPE.search(name)
    batch, dimensions, channels, filters, groups = (int(found[i]) for i in range(1, 6))
    kernel, stride, pad, dilation, x_extent, y_extent = (
        [int(e) for e in found[i].split("x")][:dimensions] for i in range(6, 12))
    kind = TYPES[p["precision"]]
    layout = {"memory_format": torch.channels_last if dimensions == 2 else torch.channels_last_3d} if p["layout"] == "nhwc" else {}
    shapes = (batch, channels, *x_extent), (filters, channels // groups, *kernel), (batch, filters, *y_extent)
    copies = copies_for(sum(torch.Size(s).numel() for s in shapes) * kind.itemsize)
    x, w, y = ([random(s, kind).contiguous(**layout) for _ in range(copies)] for s in shapes)
    rest = [0] * dimensions
    backward = [p["pass"] == "backward-data", p["pass"] == "backward-filter", False]
    for search in (False, True) if SEARCH else (False,):
        torch.backends.cudnn.benchmark = search
        how = "search" if search else "heuristic"
        if p["pass"] == "forward":
            yield how, seconds_of(lambda i: torch.convolution(x[i], w[i], None, stride, pad, dilation, False, rest, groups), copies)
        else:
            yield how, seconds_of(lambda i: torch.ops.aten.convolution_backward(
                y[i], x[i], w[i], None, stride, pad, dilation, False, rest, groups, backward), copies)


def attention(p):
    kind, shape = TYPES[p["precision"]], (p["batch"], p["heads"], p["sequence"], p["head"])
    copies = copies_for(4 * torch.Size(shape).numel() * kind.itemsize)
    q, k, v, d = ([random(shape, kind).requires_grad_() for _ in range(copies)] for _ in range(4))
    if p["pass"] == "forward":
        with torch.no_grad():
            yield "fused", seconds_of(lambda i: F.scaled_dot_product_attention(q[i], k[i], v[i], is_causal=True), copies)
        return
    out = [F.scaled_dot_product_attention(q[i], k[i], v[i], is_causal=True) for i in range(copies)]
    yield "fused", seconds_of(lambda i: torch.autograd.grad(out[i], (q[i], k[i], v[i]), d[i].detach(), retain_graph=True), copies)


def ways(name, bench, parameters):
    if bench == "gemm" and parameters["count"] == 1:
        return gemm(parameters)
    if bench == "convolution":
        return convolution(name, parameters)
    return attention(parameters) if bench == "attention" else ()


def main():
    if not torch.cuda.is_available():
        print("compare.py: PyTorch finds no GPU it can use", file=sys.stderr)
        return 77
    measured = {}
    with open(sys.argv[1]) as file:
        for line in map(json.loads, file):
            if line.get("seconds"):
                measured.setdefault(line["point"], (line, []))[1].extend(line["seconds"])
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("point", "seconds", "way", "torch_s"))
    for name, (line, seconds) in sorted(measured.items()):
        fp32 = line["parameters"].get("precision") == "fp32"
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = not fp32
        torch.cuda.empty_cache()
        try:
            for way, torch_s in ways(name, line["bench"], line["parameters"]):
                out.writerow((name, f"{statistics.median(seconds):.6g}", way, f"{torch_s:.6g}"))
        except RuntimeError as error:
            print(f"compare.py: {name}: {str(error).splitlines()[0]}", file=sys.stderr)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
