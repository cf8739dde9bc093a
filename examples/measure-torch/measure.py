#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training steps of one GPU, as rows of paradl-measured(5).

    python3 measure.py --hw MACHINE > gpu_measured.csv    (in this folder: rows name models by path)
    paradl validate --measured gpu_measured.csv

Networks: ResNet-50 and VGG-16 (fp32 with tf32 products, channels last; and fp16 by autocast) and the blocks of
gpt2-like.json and llama-like.json beside this file (bf16 by autocast). Each step is forward, loss, backward and update on
data that are on the GPU already. Warm-up is left out; the median of the steps, timed by events, is printed. A batch that does
not fit is said on standard error and has no row. Needs PyTorch 2 and a GPU: without, exit status 77.
"""
import argparse
import csv
import statistics
import sys

try:
    import torch
    from torch import nn
    from torch.nn import functional as F
except ImportError:
    sys.exit(print("measure.py: PyTorch is not installed: python3 -m pip install torch", file=sys.stderr) or 77)

COLUMNS = ("model,hw,strategy,batch,seq,precision,unit,compute_s,communication_s,io_s,total_s,memory_bytes,framework,"
           "includes,set,source,notes").split(",")


class Bottleneck(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        out = 4 * width
        self.body = nn.Sequential(
            nn.Conv2d(channels, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True),
            nn.Conv2d(width, out, 1, bias=False), nn.BatchNorm2d(out))
        self.shortcut = nn.Identity() if channels == out else nn.Sequential(
            nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        return F.relu(self.body(x) + self.shortcut(x))


def resnet50():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            layers.append(Bottleneck(channels, 64 << stage, 2 if stage and not block else 1))
            channels = 256 << stage
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000))


def vgg16():
    layers, channels = [], 3
    for width, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            layers += [nn.Conv2d(channels, width, 3, 1, 1), nn.ReLU(inplace=True)]
            channels = width
        layers.append(nn.MaxPool2d(2, 2))
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(25088, 4096), nn.ReLU(inplace=True), nn.Dropout(),
                         nn.Linear(4096, 4096), nn.ReLU(inplace=True), nn.Dropout(), nn.Linear(4096, 1000))


class Attention(nn.Module):
    def __init__(self, hidden, heads, kv_heads, bias):
        super().__init__()
        self.head, self.kv_heads = hidden // heads, kv_heads
        self.qkv = nn.Linear(hidden, (heads + 2 * kv_heads) * self.head, bias=bias)
        self.out = nn.Linear(hidden, hidden, bias=bias)
        self.heads = heads

    def forward(self, x):
        batch, seq, hidden = x.shape
        parts = self.qkv(x).view(batch, seq, self.heads + 2 * self.kv_heads, self.head).transpose(1, 2)
        q, k, v = parts.split((self.heads, self.kv_heads, self.kv_heads), 1)
        if self.kv_heads < self.heads:
            k, v = (t.repeat_interleave(self.heads // self.kv_heads, 1) for t in (k, v))
        return self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(x.shape))


class RootMeanSquare(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))

    def forward(self, x):
        return x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-5).to(x.dtype) * self.weight


class Gated(nn.Module):
    def __init__(self, hidden, wide):
        super().__init__()
        self.up, self.down = nn.Linear(hidden, 2 * wide, bias=False), nn.Linear(wide, hidden, bias=False)

    def forward(self, x):
        gate, value = self.up(x).chunk(2, -1)
        return self.down(F.silu(gate) * value)


class Tokens(nn.Module):
    """The layers of gpt2-like.json (llama False) and llama-like.json."""

    def __init__(self, llama):
        super().__init__()
        hidden, self.seq, vocab = (2048, 2048, 32000) if llama else (1024, 1024, 50257)
        norm = RootMeanSquare if llama else nn.LayerNorm
        self.embed = nn.Embedding(vocab, hidden)
        self.positions = None if llama else nn.Parameter(torch.zeros(self.seq, hidden))
        self.blocks = nn.ModuleList(nn.ModuleList((
            norm(hidden), Attention(hidden, 16, 4 if llama else 16, not llama), norm(hidden),
            Gated(hidden, 5632) if llama else nn.Sequential(
                nn.Linear(hidden, 4096), nn.GELU(), nn.Linear(4096, hidden)))) for _ in range(4))
        self.norm, self.head = norm(hidden), nn.Linear(hidden, vocab, bias=False)
        if not llama:
            self.head.weight = self.embed.weight

    def forward(self, tokens):
        x = self.embed(tokens)
        if self.positions is not None:
            x = x + self.positions
        for first, attention, second, mlp in self.blocks:
            x = x + attention(first(x))
            x = x + mlp(second(x))
        return self.head(self.norm(x)).flatten(0, 1)


# name in the row, network, precision of the row, autocast, batches
CASES = (
    ("resnet50", resnet50, "tf32", None, (16, 32, 64, 128, 256)),
    ("resnet50", resnet50, "fp16-mixed", torch.float16, (16, 32, 64, 128, 256)),
    ("vgg16", vgg16, "tf32", None, (16, 32, 64, 128)),
    ("vgg16", vgg16, "fp16-mixed", torch.float16, (16, 32, 64, 128)),
    ("gpt2-like.json", lambda: Tokens(False), "bf16-mixed", torch.bfloat16, (1, 2, 4, 8, 16)),
    ("llama-like.json", lambda: Tokens(True), "bf16-mixed", torch.bfloat16, (1, 2, 4, 8)),
)


def inputs(network, batch):
    if isinstance(network, Tokens):
        tokens = torch.randint(0, network.head.out_features, (batch, network.seq), device="cuda")
        return tokens, tokens.flatten()
    images = torch.randn(batch, 3, 224, 224, device="cuda").contiguous(memory_format=torch.channels_last)
    return images, torch.randint(0, 1000, (batch,), device="cuda")


def measure(make, autocast, batch, warm_up, steps):
    """Median seconds of a step, and bytes of the fullest moment."""
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    network = make().cuda().train()
    tokens = isinstance(network, Tokens)
    if not tokens:
        network = network.to(memory_format=torch.channels_last)
    update = (torch.optim.AdamW(network.parameters(), 1e-5, fused=True) if tokens
              else torch.optim.SGD(network.parameters(), 1e-3, momentum=0.9))
    scaler = torch.cuda.amp.GradScaler(enabled=autocast is torch.float16)
    x, target = inputs(network, batch)
    seconds = []
    for step in range(warm_up + steps):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        with torch.autocast("cuda", autocast or torch.float16, enabled=autocast is not None):
            loss = F.cross_entropy(network(x).float(), target)
        scaler.scale(loss).backward()
        scaler.step(update)
        scaler.update()
        update.zero_grad(set_to_none=True)
        end.record()
        end.synchronize()
        if step >= warm_up:
            seconds.append(begin.elapsed_time(end) * 1e-3)
    return statistics.median(seconds), torch.cuda.max_memory_allocated(), max(seconds) / min(seconds) - 1


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--hw", required=True, help="name or path of this machine's profile, for the column hw")
    options.add_argument("--framework", default="", help="name of a framework profile, for the column framework")
    options.add_argument("--steps", type=int, default=50)
    options.add_argument("--warm-up", type=int, default=20)
    given = options.parse_args()
    if not torch.cuda.is_available():
        print("measure.py: PyTorch finds no GPU it can use", file=sys.stderr)
        return 77
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    source = f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}"
    out = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    out.writeheader()
    for name, make, precision, autocast, batches in CASES:
        for batch in batches:
            try:
                seconds, memory, spread = measure(make, autocast, batch, given.warm_up, given.steps)
            except torch.cuda.OutOfMemoryError:
                print(f"measure.py: {name}, batch {batch}, {precision}: out of memory", file=sys.stderr)
                continue
            out.writerow({
                "model": name, "hw": given.hw, "strategy": "serial", "batch": batch, "precision": precision,
                "unit": "iter", "compute_s": f"{seconds:.6g}", "total_s": f"{seconds:.6g}", "memory_bytes": memory,
                "framework": given.framework, "set": name.removesuffix(".json"), "source": source,
                "notes": f"median of {given.steps} steps, spread {100 * spread:.0f} %"})
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
