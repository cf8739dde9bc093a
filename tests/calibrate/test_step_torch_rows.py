#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What paradl-measure-step-torch reads and writes, without PyTorch: test_step_torch_rows.py PROGRAM PARADL ROOT [NVML]"""
import json
import os
import subprocess
import sys
import tempfile

program, paradl, root = (os.path.realpath(argument) for argument in sys.argv[1:4])
sys.path.insert(0, os.path.dirname(program))
sys.dont_write_bytecode = True
os.environ["PARADL_PATH"] = root

import torch_rows as rows  # noqa: E402
from torch_file import NetworkFile, Trouble  # noqa: E402


def refused(function, *arguments):
    try:
        function(*arguments)
    except Trouble as trouble:
        return str(trouble)
    raise AssertionError(f"{function} was not refused")


def statistics():
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert rows.percentile(values, 0.5) == 3 and rows.percentile(values, 0) == 1 and rows.percentile(values, 1) == 5
    assert abs(rows.spread(values) - (4.6 - 1.4) / 3) < 1e-12
    # Of 100 numbers the interval of the median is from the 40th to the 61st, by the binomial distribution.
    assert abs(rows.half_width([float(i) for i in range(1, 101)]) - (61 - 40) / 2 / 50.5) < 0.02
    assert rows.half_width([2.0] * 7) == 0


def networks():
    file = NetworkFile("gpt2-xl")
    assert file.sequence == 1024 and file.optimizer == "adam" and file.precision == "fp16-mixed"
    assert sum(layer["type"] == "add" for layer in file.layers) == 96 and file.layers[0]["rows"] == 50257
    assert NetworkFile("gpt2-xl", 512).sequence == 512
    assert "has no tokens" in refused(NetworkFile, "resnet50", 12)
    assert "no network" in refused(NetworkFile, "no-such-network")
    assert "by name" in refused(NetworkFile, "unet-3d")


def row(**others):
    return dict({"model": "resnet50", "hw": "dgx-h100-superpod", "strategy": "data=1", "batch": 32, "precision": "fp32", "unit": "iter", "total_s": "0.1",
                 "framework": "pytorch-nhwc", "includes": "compute", "seq": "", "set": "a, b", "source": 'the "device"', "notes": ""}, **others)


def measured(folder):
    """Rows are read by paradl, those that are there are known again, and a line without its end is dropped."""
    path = os.path.join(folder, "rows.csv")
    file = rows.Rows(path)
    file.add(row())
    file.add(row(model="gpt2-xl", batch=2, seq=512, precision="bf16-mixed", memory_bytes=12345678901))
    assert file.has(row()) and not file.has(row(batch=64))
    with open(path, "a", encoding="utf-8") as torn:
        torn.write("resnet50,dgx-h100-superpod,data=1,64,fp")
    again = rows.Rows(path)
    assert again.has(row()) and not again.has(row(batch=64)) and again.has(row(model="gpt2-xl", batch="2", seq="512", precision="bf16-mixed"))
    again.add(row(batch=64, total_s="0.2"))
    with open(path, encoding="utf-8") as whole:
        lines = whole.read().splitlines()
    assert len(lines) == 5 and lines[4].startswith("resnet50,dgx-h100-superpod,data=1,64,fp32,iter,0.2,"), lines
    done = subprocess.run([paradl, "validate", "--measured", path, "--json", "-q"], stdout=subprocess.PIPE, text=True)
    document = json.loads(done.stdout)
    found = [(one["model"], one["batch"], one["measured"]["total_s"], one["measured"]["memory_bytes"], one["set"], one["source"], one["skipped"])
             for one in document["rows"]]
    assert found == [("resnet50", 32, 0.1, None, "a, b", 'the "device"', None), ("gpt2-xl", 2, 0.1, 12345678901, "a, b", 'the "device"', None),
                     ("resnet50", 64, 0.2, None, "a, b", 'the "device"', None)], found
    # The length of a row counts: half the tokens take about half the time, and the update of the weights.
    times = {}
    for sequence in ("512", "1024"):
        path = os.path.join(folder, sequence + ".csv")
        rows.Rows(path).add(row(model="gpt2-xl", batch=8, seq=sequence, precision="bf16-mixed"))
        done = subprocess.run([paradl, "validate", "--measured", path, "--json", "-q"], stdout=subprocess.PIPE, text=True)
        times[sequence] = json.loads(done.stdout)["rows"][0]["projected"]["total_s"]
    assert 0.4 < times["512"] / times["1024"] < 0.65, times
    other = os.path.join(folder, "other.csv")
    with open(other, "w", encoding="utf-8") as file:
        file.write("model,hw\nresnet50,abci\n")
    assert "other columns" in refused(rows.Rows, other)


def samples(folder):
    path = os.path.join(folder, "samples.jsonl")
    file = rows.Samples(path, 0, 1, "quick", "here", {"device": "none"})
    file.add("step/a/total", {"network": "a", "batch": 2}, [0.125, 0.25], calls=1, flags=[], timed="wall")
    file.failed("step/b/total", {"network": "b"}, "out of memory", True)
    done = subprocess.run([paradl, "fit", path, "--json", "-q"], stdout=subprocess.PIPE, text=True)
    document = json.loads(done.stdout)
    assert document["points"] == 2 and document["failed"] == 1, {key: document[key] for key in ("points", "failed")}


def start(folder, torch, *options, environment=None):
    """Runs the program with a module in the place of PyTorch."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "torch.py"), "w", encoding="utf-8") as file:
        file.write(torch)
    return subprocess.run([sys.executable, program, *options], env=dict(os.environ, PYTHONPATH=folder, **(environment or {})),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def missing(folder):
    without, old = 'raise ImportError("No module named \'torch\'")', '__version__ = "1.13.1"'
    options = ("--network", "resnet50,gpt2-xl", "--batch", "1,2", "--precision", "fp32,bf16-mixed", "--framework", "pytorch-nhwc,pytorch-compile")
    done = start(folder + "/without", without, *options, "--measured", folder + "/none.csv")
    assert done.returncode == 77 and "PyTorch is not there" in done.stderr and "pip install torch" in done.stderr, done
    assert not os.path.exists(folder + "/none.csv")
    done = start(folder + "/old", old, *options, "--measured", folder + "/none.csv")
    assert done.returncode == 77 and "1.13.1 is too old" in done.stderr, done
    done = start(folder + "/without", without, *options, "--list")
    names = done.stdout.split()
    assert done.returncode == 0 and len(set(names)) == 16 and "step/gpt2-xl/pytorch-compile/bf16-mixed/2x1024/total" in names, done
    for wrong, said in ((("--network", "resnet50"), "--out"), ((), "--network"), (("--network", "resnet50", "--batch", "0"), "whole numbers"),
                        (("--network", "resnet50", "--framework", "jax"), "not run here")):
        done = start(folder + "/without", without, *wrong)
        assert done.returncode == 2 and said in done.stderr, done


def cases(folder):
    """The file that 'paradl validate --run' writes; the path of a model may have blanks."""
    path = os.path.join(folder, "a network.json")
    with open(os.path.join(root, "models", "tiny-cnn.json"), encoding="utf-8") as shipped, open(path, "w", encoding="utf-8") as file:
        file.write(shipped.read())
    with open(os.path.join(folder, "cases"), "w", encoding="utf-8") as file:
        file.write(f"plan strategy=data=1 batch=8 optimizer=sgd precision=fp32 framework=pytorch-nchw model={path}\n")
    done = start(folder + "/without", "", "--cases", os.path.join(folder, "cases"), "--list")
    assert done.stdout == "step/data=1/8/total\n", done


def attention(folder):
    """Fused attention of a GPU that is made up goes through the fit, which finds the shares of its rate again."""
    with open(os.path.join(os.path.dirname(os.path.realpath(__file__)), "made_up_torch.py"), encoding="utf-8") as file:
        torch = file.read()
    path, rate, shares = os.path.join(folder, "attention.jsonl"), 250e12, {"forward": 0.6, "backward": 0.45}
    environment = {"MADE_UP_RATE": str(rate), "MADE_UP_FORWARD": str(shares["forward"]), "MADE_UP_BACKWARD": str(shares["backward"])}
    listed = start(folder + "/without", "raise ImportError", "--attention", "--list")
    names = listed.stdout.split()
    assert listed.returncode == 0 and len(set(names)) == 14 and "attention/backward/bf16/16x2048/32-8x128" in names, listed
    for launch in range(4):
        done = start(folder + "/made-up", torch, "--attention", "--full", "--out", path, "--launch", str(launch), environment=environment)
        assert done.returncode == 0 and done.stdout.count("done attention/") == 14, done
    # The rate of products, of which attention has a share, and is nothing without.
    alone = json.loads(subprocess.run([paradl, "fit", path, "--json", "-q"], stdout=subprocess.PIPE, text=True).stdout)
    assert alone["points"] == 56 and alone["numbers"] == [], alone
    products = os.path.join(folder, "products.jsonl")
    file = rows.Samples(products, 0, 1, "quick", "here", {"device": "made up"})
    for size in (4096, 8192, 16384):
        file.add(f"gemm/bf16/{size}", {"precision": "bf16", "m": size, "n": size, "k": size, "count": 1, "algorithm": "default"},
                 [2 * size ** 3 / rate] * 10, flop=2 * size ** 3, bytes=6 * size ** 2, calls=1, flags=[])
    done = subprocess.run([paradl, "fit", path, products, "--json", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    numbers = {number["path"]: number for number in json.loads(done.stdout)["numbers"]}
    for name, share in shares.items():
        number = numbers["attention/" + name]
        assert abs(number["value"] / share - 1) < 0.01 and number["points"] == 7, number
    # What does not fit is absent; the rest is measured. Formats that no kernel has are refused.
    done = start(folder + "/made-up", torch, "--attention", "--out", os.path.join(folder, "small.jsonl"), environment=dict(environment, MADE_UP_MOST_TOKENS="8192"))
    assert done.returncode == 0 and done.stdout.count("absent attention/") == 2 and done.stdout.count("done attention/") == 12, done
    done = start(folder + "/made-up", torch, "--attention", "--precision", "fp32", "--out", path, environment=environment)
    assert done.returncode == 2 and "bf16 and fp16" in done.stderr, done
    assert start(folder + "/made-up", torch, "--attention", environment=environment).returncode == 2


def driver(library):
    """NVML of a device that is not there says what it is made to say."""
    os.environ["LD_LIBRARY_PATH"] = library
    code = "import sys; sys.path.insert(0, sys.argv[1]); from torch_nvml import Nvml; n = Nvml('0000:01:00.0'); print(n.driver(), n.most_clock(), n.look())"
    done = subprocess.run([sys.executable, "-B", "-c", code, os.path.dirname(program)], stdout=subprocess.PIPE, text=True)
    assert done.stdout == "580.1 1980 {'sm_clock_mhz': 1980, 'power_watt': 640.0, 'temperature_celsius': 61}\n", done.stdout


with tempfile.TemporaryDirectory() as scratch:
    statistics()
    networks()
    measured(scratch)
    samples(scratch)
    missing(scratch)
    cases(scratch)
    attention(scratch)
    if len(sys.argv) > 4:
        driver(sys.argv[4])
print("rows, samples, networks, lists and errors without PyTorch")
