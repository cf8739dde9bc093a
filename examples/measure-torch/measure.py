#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training steps of one GPU, as rows of paradl-measured(5).

    python3 measure.py --hw MACHINE > gpu_measured.csv    (in this folder: rows name models by path)
    paradl validate --measured gpu_measured.csv

Networks: those of torchvision that paradl ships (fp32 with tf32 products, channels last; and fp16 by autocast; without
torchvision ResNet-50 and VGG-16), GPT-2 XL, and the blocks of gpt2-like.json, llama-like.json and llama-wide.json beside this
file (bf16 by autocast). Each step is forward, loss, backward and update on data that are on the GPU already. Warm-up is left
out; the median of the steps, timed by events, is printed. A batch that does not fit is said on standard error and has no row.
--kernels FILE adds what the GPU was busy with in one more step, by kernel: model, batch, precision, kernel, calls, seconds.
Needs PyTorch 2 and a GPU: without, exit status 77.
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
    """GPT-2 with biases and a tied head, or Llama; dropout is left out."""

    def __init__(self, llama, hidden, heads, kv_heads, wide, layers, seq, vocab):
        super().__init__()
        self.seq = seq
        norm = RootMeanSquare if llama else nn.LayerNorm
        self.embed = nn.Embedding(vocab, hidden)
        self.positions = None if llama else nn.Parameter(torch.zeros(self.seq, hidden))
        self.blocks = nn.ModuleList(nn.ModuleList((
            norm(hidden), Attention(hidden, heads, kv_heads, not llama), norm(hidden),
            Gated(hidden, wide) if llama else nn.Sequential(
                nn.Linear(hidden, wide), nn.GELU(), nn.Linear(wide, hidden)))) for _ in range(layers))
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


# What the row names: what makes the network; shipped names, or files beside this one.
IMAGES = {"resnet50": resnet50, "vgg16": vgg16}
try:
    from torchvision import models as torchvision_models
    IMAGES.update({name.replace("_", "-") if name != "vit_b_16" else "vit-b16": getattr(torchvision_models, name) for name in (
        "alexnet", "densenet121", "efficientnet_b0", "mobilenet_v2", "resnet101", "resnet152", "vgg19", "vit_b_16")})
    IMAGES["googlenet"] = lambda: torchvision_models.googlenet(aux_logits=False, init_weights=False)
except ImportError:
    pass
TOKENS = {
    "gpt2-like.json": (lambda: Tokens(False, 1024, 16, 16, 4096, 4, 1024, 50257), (1, 4, 8, 16)),
    "gpt2-xl": (lambda: Tokens(False, 1600, 25, 25, 6400, 48, 1024, 50257), (1, 4, 8)),
    "llama-like.json": (lambda: Tokens(True, 2048, 16, 4, 5632, 4, 2048, 32000), (1, 4, 8)),
    "llama-wide.json": (lambda: Tokens(True, 4096, 32, 32, 11008, 4, 2048, 32000), (1, 2, 4)),
}


def cases(batches):
    """Name, network, precision of the row, type of autocast, batch."""
    for name, make in IMAGES.items():
        for precision, autocast in (("tf32", None), ("fp16-mixed", torch.float16)):
            for batch in batches or (16, 32, 64, 128, 256):
                yield name, make, precision, autocast, batch
    for name, (make, usual) in TOKENS.items():
        for batch in usual:
            yield name, make, "bf16-mixed", torch.bfloat16, batch


def inputs(network, batch):
    if isinstance(network, Tokens):
        tokens = torch.randint(0, network.head.out_features, (batch, network.seq), device="cuda")
        return tokens, tokens.flatten()
    images = torch.randn(batch, 3, 224, 224, device="cuda").contiguous(memory_format=torch.channels_last)
    return images, torch.randint(0, 1000, (batch,), device="cuda")


class Step:
    """Forward, loss, backward and update of one network."""

    def __init__(self, make, autocast, batch, compiled):
        network = make().cuda().train()
        tokens = isinstance(network, Tokens)
        self.x, self.target = inputs(network, batch)
        self.network = network if tokens else network.to(memory_format=torch.channels_last)
        self.update = (torch.optim.AdamW(network.parameters(), 1e-5, fused=True) if tokens
                       else torch.optim.SGD(network.parameters(), 1e-3, momentum=0.9))
        self.scaler = torch.amp.GradScaler("cuda", enabled=autocast is torch.float16)
        self.autocast = autocast
        if compiled:
            self.network = torch.compile(self.network)

    def __call__(self):
        with torch.autocast("cuda", self.autocast or torch.float16, enabled=self.autocast is not None):
            loss = F.cross_entropy(self.network(self.x).float(), self.target)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.update)
        self.scaler.update()
        self.update.zero_grad(set_to_none=True)


def kernels_of(step):
    """(name, calls, seconds) of the kernels and copies of one step."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        step()
        torch.cuda.synchronize()
    return [(event.key, event.count, event.self_device_time_total * 1e-6) for event in profile.key_averages()
            if event.self_device_time_total > 0]


def measure(step, warm_up, steps):
    """Median seconds of a step, their spread, and bytes of the fullest moment."""
    for _ in range(warm_up):
        step()
    ends = [torch.cuda.Event(enable_timing=True) for _ in range(steps + 1)]
    ends[0].record()
    for end in ends[1:]:
        step()
        end.record()
    torch.cuda.synchronize()
    seconds = [begin.elapsed_time(end) * 1e-3 for begin, end in zip(ends, ends[1:])]
    return statistics.median(seconds), max(seconds) / min(seconds) - 1, torch.cuda.max_memory_allocated()


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hw", required=True, help="name or path of this machine's profile, for the column hw")
    parser.add_argument("--framework", default="", help="name of a framework profile, for the column framework")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--warm-up", type=int, default=20)
    parser.add_argument("--only", help="these networks: resnet50,gpt2-xl")
    parser.add_argument("--batches", help="of networks of images: 32,128")
    parser.add_argument("--search", action="store_true", help="cuDNN tries algorithms for each convolution first")
    parser.add_argument("--compile", action="store_true", help="by torch.compile; sets are named after it, as after --search")
    parser.add_argument("--kernels", metavar="FILE", help="what the GPU was busy with, as CSV")
    given = parser.parse_args()
    given.only = given.only and given.only.split(",")
    given.batches = given.batches and [int(batch) for batch in given.batches.split(",")]
    return given


def main():
    given = options()
    if not torch.cuda.is_available():
        print("measure.py: PyTorch finds no GPU it can use", file=sys.stderr)
        return 77
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = given.search
    source = f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}"
    out = csv.DictWriter(sys.stdout, COLUMNS, restval="", lineterminator="\n")
    out.writeheader()
    kernels = csv.writer(open(given.kernels, "w")) if given.kernels else None
    for name, make, precision, autocast, batch in cases(given.batches):
        if given.only and name not in given.only:
            continue
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        step = None
        try:
            step = Step(make, autocast, batch, given.compile)
            seconds, spread, memory = measure(step, given.warm_up, given.steps)
            for kernel in kernels_of(step) if kernels else ():
                kernels.writerow((name, batch, precision, *kernel))
        except torch.cuda.OutOfMemoryError:
            print(f"measure.py: {name}, batch {batch}, {precision}: out of memory", file=sys.stderr)
            continue
        finally:
            del step
        out.writerow({
            "model": name, "hw": given.hw, "strategy": "serial", "batch": batch, "precision": precision,
            "unit": "iter", "compute_s": f"{seconds:.6g}", "total_s": f"{seconds:.6g}", "memory_bytes": memory,
            "framework": given.framework, "set": name.removesuffix(".json") + ("-compiled" if given.compile else "") + ("-searched" if given.search else ""),
            "source": source, "notes": f"median of {given.steps} steps, spread {100 * spread:.0f} %"})
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
