#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of PyTorch on this processor: test_step_torch.py PROGRAM PARADL ROOT. Skipped (77) where there is no PyTorch.

What is compared with what: networks with paradl's counts of parameters and operations; products of 8 bits with those of 32; attention with its
formula; measured rows with what paradl reads of them. The way to a GPU is followed with the calls of CUDA replaced."""
import json
import os
import subprocess
import sys
import tempfile
import time
import types

program, paradl, root = (os.path.realpath(argument) for argument in sys.argv[1:4])
sys.path.insert(0, os.path.dirname(program))
sys.dont_write_bytecode = True
os.environ["PARADL_PATH"] = root
os.environ["PATH"] = os.path.dirname(sys.executable) + ":" + os.environ["PATH"]

try:
    import torch
except (ImportError, OSError) as error:
    print("no PyTorch:", error)
    sys.exit(77)
if tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2]) < (2, 5):
    print("PyTorch is older than 2.5:", torch.__version__)
    sys.exit(77)

import torch_formats as formats  # noqa: E402
import torch_layers as layers  # noqa: E402
import torch_step as step  # noqa: E402
from torch_device import Device  # noqa: E402
from torch_file import NetworkFile, Trouble  # noqa: E402
from torch_network import Task  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

torch.set_num_threads(1)
SHIPPED = sorted(name[:-5] for name in os.listdir(os.path.join(root, "models")) if name.endswith(".json"))
NEEDED = {"resnet50", "vgg16", "gpt2-xl", "llama2-7b", "llama3-8b", "mobilenet-v2", "densenet121", "resnext101-32x4d", "cosmoflow-256"}


def asked(*words):
    return json.loads(subprocess.run([paradl, *words, "--json", "-q"], stdout=subprocess.PIPE, text=True, check=False).stdout)


def networks():
    """Parameters of all networks that run here; operations of forward of some, counted by PyTorch without computing."""
    same = []
    for name in SHIPPED:
        try:
            with torch.device("meta"):
                task = Task(NetworkFile(name))
        except Trouble:
            assert name not in NEEDED, name
            continue
        model = asked("estimate", name, "-s", "data=1", "--hw", "dgx-h100-superpod")["model"]
        assert task.parameters() == model["parameters"], (name, task.parameters(), model["parameters"])
        same.append(name)
        if name not in ("resnet50", "vgg16", "mobilenet-v2", "llama2-7b", "gpt2-xl"):
            continue
        with torch.device("meta"), FlopCounterMode(display=False) as counter:
            task.module.eval()(*task.samples(1, torch.device("meta")))
        ratio = counter.get_total_flops() / model["forward_flop_per_sample"]
        # paradl counts passes over memory besides products; PyTorch counts attention as if no key were masked, paradl half of the keys.
        assert 0.93 < ratio < 1.07, (name, ratio)
    assert NEEDED <= set(same), NEEDED - set(same)
    return f"{len(same)} networks have paradl's numbers of parameters"


def kernels():
    torch.manual_seed(1)
    x, line = torch.randn(64, 128, requires_grad=True), torch.nn.Linear(128, 96)
    y, upper = line(x), torch.randn(64, 96)
    wanted = torch.autograd.grad(y, (x, line.weight), upper)
    narrow = formats.Linear8(line)(x)
    found = torch.autograd.grad(narrow, (x, line.weight), upper.to(narrow.dtype))
    for exact, rounded in zip((y, *wanted), (narrow, *found)):
        off = ((exact - rounded.float()).norm() / exact.norm()).item()
        assert 1e-4 < off < 0.08, off
    attention = layers.Attention(32, 10, {"heads": 4, "kv_heads": 2, "bias": True}, False)
    x = torch.randn(3, 10, 32)
    q, k, v = attention.qkv(x).view(3, 10, 8, 8).transpose(1, 2).split((4, 2, 2), 1)
    scores = q @ k.repeat_interleave(2, 1).transpose(2, 3) / 8 ** 0.5
    scores = scores.masked_fill(torch.ones(10, 10).triu(1).bool(), -torch.inf).softmax(-1) @ v.repeat_interleave(2, 1)
    assert torch.allclose(attention(x), attention.out(scores.transpose(1, 2).reshape(3, 10, 32)), atol=1e-5)
    cosines, sines = layers.rotations(7, 8)
    x = torch.randn(7, 8)
    turned = layers.turned(x, cosines, sines)
    assert torch.allclose(turned[0], x[0]) and torch.allclose(turned.norm(dim=1), x.norm(dim=1), atol=1e-5)
    return "8-bit products, attention and rotations are what formulas say"


CHAT = {"format": "paradl-model", "version": 1, "name": "Chat", "dims": {"hidden": 32, "vocab": 100, "seq": 64}, "input": {"tokens": "$seq"},
        "training": {"precision": "fp32", "optimizer": "adamw", "batch_per_gpu": 2}, "layers": [
            {"name": "embed", "type": "embedding", "rows": "$vocab", "out": "$hidden"},
            {"name": "block", "repeat": 2, "layers": [
                {"type": "add", "branches": [[{"type": "norm", "kind": "rms"}, {"name": "attn", "type": "attention", "heads": 4, "kv_heads": 2}], []]},
                {"type": "add", "branches": [[{"type": "norm", "kind": "rms"}, {"name": "mlp", "type": "mlp", "hidden": 64, "gated": True, "act": "silu"}], []]}]},
            {"type": "norm", "kind": "rms"}, {"name": "head", "type": "head", "out": "$vocab", "tied": "embed"}, {"type": "loss", "kind": "cross-entropy"}]}


def run(*options, status=0):
    done = subprocess.run([sys.executable, "-B", program, "--device", "cpu", "--threads", "1", "--quick", "--cap", "0.3", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == status, (options, done.stdout[-1500:], done.stderr[-1500:])
    return done.stdout


def whole(folder):
    """Programs, formats and sizes are measured, rows are read by paradl, and what is there is not measured again."""
    chat, table, samples = (os.path.join(folder, name) for name in ("chat.json", "rows.csv", "samples.jsonl"))
    with open(chat, "w", encoding="utf-8") as file:
        json.dump(CHAT, file)
    options = ("--network", f"tiny-cnn,{chat}", "--batch", "1,2", "--precision", "fp32,bf16-mixed,bf16", "--hw", "dgx-h100-superpod", "--measured", table,
               "--out", samples)
    said = run(*options, "--framework", "pytorch-nchw").splitlines()
    assert said[0] == "points 12" and sum(line.startswith("done ") for line in said) == 12, said
    said = run(*options, "--framework", "pytorch-nchw,pytorch-nhwc").splitlines()
    assert sum(line.startswith("skip ") for line in said) == 12 and sum(line.startswith("done ") for line in said) == 12, said
    document = asked("validate", "--measured", table)
    rows = document["rows"]
    assert len(rows) == 24 and not any(row["skipped"] for row in rows), [row["skipped"] for row in rows]
    assert {row["framework"] for row in rows} == {"pytorch-nchw", "pytorch-nhwc"} and all(row["measured"]["total_s"] > 0 for row in rows)
    assert asked("fit", samples)["points"] == 24
    with open(samples, encoding="utf-8") as file:
        points = [json.loads(line) for line in file if '"point"' in line]
    assert all(point["parameters"]["parameters"] == (804874 if point["parameters"]["network"] == "tiny-cnn" else 21792) for point in points)
    said = run("--network", chat, "--precision", "tf32,fp8-mixed", "--batch", "16", "--out", samples, status=1)
    assert "tf32 is of GPUs" in said and "done step/chat/pytorch-nhwc/fp8-mixed/16x64/total" in said, said
    said = run("--network", "tiny-cnn", "--batch", "1000000000", "--out", samples)
    assert "absent step/tiny-cnn/pytorch-nhwc/fp32/1000000000/total out of memory" in said, said
    return f"{len(rows)} rows are measured and read; a shortage of memory is absent"


def compiled(folder):
    said = run("--network", os.path.join(folder, "chat.json"), "--framework", "pytorch-compile", "--out", os.path.join(folder, "compiled.jsonl"))
    assert "done step/chat/pytorch-compile/fp32/2x64/total" in said, said
    return "a network is compiled and measured"


def validated(folder):
    table = os.path.join(folder, "here.csv")
    done = subprocess.run([paradl, "validate", "--run", os.path.join(folder, "chat.json"), "--hw", "laptop", "--framework", "pytorch-nchw", "--quick",
                           "--launches", "2", "--seq", "32", "--measured", table, "--json", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
    rows = json.loads(done.stdout)["rows"]
    assert done.returncode in (0, 1) and len(rows) == 1 and not rows[0]["skipped"] and rows[0]["measured"]["total_s"] > 0, (rows, done.stderr)
    with open(table, encoding="utf-8") as file:
        assert ",pytorch-nchw,32," in file.read()
    return "'paradl validate --run' starts the program"


class Mark:
    """An event of a device whose clock is the host's."""

    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = time.perf_counter()

    def synchronize(self):
        assert self.at

    def elapsed_time(self, other):
        return 1e3 * (other.at - self.at)


def device():
    """The calls that a GPU takes, with a device that is not there: steps of 4 ms are found as such, memory is that at the peak."""
    before, version = dict(vars(torch.cuda)), torch.backends.cudnn.version
    asked_for = []
    torch.backends.cudnn.version = lambda: 91900
    torch.cuda.Event = Mark
    torch.cuda.synchronize = lambda where=None: asked_for.append("wait")
    torch.cuda.empty_cache = lambda: asked_for.append("forget")
    torch.cuda.reset_peak_memory_stats = lambda where=None: asked_for.append("reset")
    torch.cuda.mem_get_info = lambda where=None: (60, 100)
    torch.cuda.memory_reserved = lambda where=None: 30
    torch.cuda.max_memory_reserved = lambda where=None: 45
    torch.cuda.max_memory_allocated = lambda where=None: 40
    torch.cuda.is_available = lambda: True
    torch.cuda.set_device = lambda where: None
    torch.cuda.get_device_name = lambda where: "made up"
    torch.cuda.get_device_capability = lambda where=None: (7, 5)
    torch.cuda.get_device_properties = lambda where: types.SimpleNamespace(total_memory=100, pci_domain_id=0, pci_bus_id=1, pci_device_id=0)
    try:
        there = Device("")
        assert there.is_gpu and there.environment()["device"] == "made up"
        seconds, clock_s = there.steps(lambda: time.sleep(0.004), 12, time.perf_counter() + 9)
        assert len(seconds) == 12 and 0.004 <= sorted(seconds)[6] < 0.04 and abs(sum(seconds) / clock_s - 1) < 0.05, (seconds, clock_s)
        assert len(there.steps(lambda: None, 100, 0)[0]) == 3
        there.forget()
        assert there.memory() == {"tensors_bytes": 40, "memory_bytes": 45 + 100 - 60 - 30} and {"wait", "forget", "reset"} <= set(asked_for)
        for precision, said in (("tf32", "8.0 or later"), ("fp8-mixed", "8.9"), ("int8", "not run here")):
            try:
                formats.Format(precision, there.torch)
                raise AssertionError(precision)
            except Trouble as trouble:
                assert said in str(trouble), trouble
        weight = torch.nn.Parameter(torch.ones(4))
        fused = step.optimizer_of("adamw", [weight], "fused", there)
        assert fused.defaults["fused"] and not step.optimizer_of("sgd-momentum", [weight], "loop", there).defaults["fused"]
    finally:
        for name, value in before.items():
            setattr(torch.cuda, name, value)
        torch.backends.cudnn.version = version
    return "calls of a GPU are made in order"


with tempfile.TemporaryDirectory() as scratch:
    for part in (networks, kernels, whole, compiled, validated, device):
        begin = time.perf_counter()
        print(part(*([scratch] if part in (whole, compiled, validated) else [])), f"({time.perf_counter() - begin:.0f} s)", flush=True)
