#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/gpu-day.sh, whole, on a GPU that is not there: test_gpu_day.py PARADL FAKE LIBRARIES STEP_TORCH ROOT

Kernels are measured on the made-up runtime. Steps take what paradl projects for the shipped device, times 1.25, so that what the comparison
must print is known. It is killed within a part, a program is taken away from it, and it goes on."""
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

paradl, fake, libraries, steps, root = (os.path.realpath(argument) for argument in sys.argv[1:6])
SLOWER = 1.25
PORTABLE = 0.6e13  # flop/s of PyTorch's kernel, where the made-up GPU has 1e13 forward and 0.8e13 backward for that of cuDNN
STAND_IN = '''#!/usr/bin/env python3
import json, os, statistics, subprocess, sys
sys.path.insert(0, {modules!r})
sys.dont_write_bytecode = True
import torch_main, torch_rows as rows
if "compiled" in sys.argv and os.path.exists({stuck!r}):
    import time
    print("start", flush=True)
    time.sleep(60)

def measure(point, options, device, samples, measured):
    row = point.row(options)
    where = os.path.join(os.path.dirname(options.measured), options.hw) if options.measured else "laptop"
    words = [{paradl!r}, "estimate", point.file.path, "-s", "data=1", "--hw", where, "--framework", row["framework"], "--batch", str(row["batch"]),
             "--precision", row["precision"], "--json", "-q"] + (["--seq", str(row["seq"])] if row["seq"] else [])
    row["total_s"] = {slower} * json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)["results"][0]["iteration_s"]
    measured.add(row)
    return True

def attention(point, device, effort, cap_s):
    return [point.flop() / {portable}] * 10, {{"flop": point.flop(), "bytes": 0, "calls": 1, "flags": []}}

class Device:
    def __init__(self, name): pass
    def environment(self): return {{}}

import types
torch_main.measure = measure
torch_main.attention.measure = attention
torch_main.torch_there = lambda: types.SimpleNamespace(manual_seed=lambda seed: None)
sys.modules["torch_device"] = types.SimpleNamespace(Device=Device, host=lambda: "here")
sys.exit(torch_main.main(sys.argv[1:]))
'''


def executable(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


def build(top):
    """A build folder whose programs measure a GPU that is not there."""
    os.makedirs(top + "/bin")
    shutil.copy(paradl, top + "/build-paradl")
    os.makedirs(top + "/build")
    shutil.copy(paradl, top + "/build/paradl")
    executable(top + "/build/calibrate/cuda/paradl-measure-cuda",
               f"#!/bin/sh\nLD_LIBRARY_PATH={libraries} FAKE_DEVICES=1 FAKE_MEMORY=100000000000 exec {fake} \"$@\"\n")
    executable(top + "/build/calibrate/step-torch/paradl-measure-step-torch",
               STAND_IN.format(modules=os.path.dirname(steps), paradl=paradl, slower=SLOWER, portable=PORTABLE, stuck=top + "/stuck"))
    executable(top + "/bin/nvidia-smi", "#!/bin/sh\ncase $1 in -q) echo all of it ;; *) echo NVIDIA L4 ;; esac\n")


def command(top, *options):
    return ["sh", os.path.join(root, "scripts", "gpu-day.sh"), "--quick", "--paradl", top + "/build/paradl", "--out", top + "/day", "--device", "l4-24gb", *options]


def run(top, *options, status=0):
    environment = dict(os.environ, PARADL_PATH=root, PATH=top + "/bin:" + os.environ["PATH"])
    done = subprocess.run(command(top, *options), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == status, (options, done.returncode, done.stdout[-3000:])
    return done.stdout


def done_parts(top):
    with open(top + "/day/done", encoding="utf-8") as file:
        return [line.split()[0] for line in file]


def main(top):
    build(top)
    assert "a quick try" in run(top, "--list") and not os.path.exists(top + "/day")
    # Less time is what the long parts have less of; no part has more than nine minutes.
    for options, most in (((), 44), (("--minutes", "15"), 15), (("--minutes", "15", "check", "points", "attention", "fit"), 12), (("--minutes", "20", "images", "tokens"), 16)):
        listed = subprocess.run(["sh", os.path.join(root, "scripts", "gpu-day.sh"), "--out", top + "/day", "--list", *options], stdout=subprocess.PIPE, text=True)
        minutes = [int(line.split()[1]) for line in listed.stdout.splitlines() if line.split()[2:3] == ["min"]]
        assert f"at most {most} min" in listed.stdout and max(minutes) < 9, listed.stdout
    for options, said in ((("--device",), "needs a value"), (("--fast",), "no option"), (("lunch",), "no part lunch"), (("--minutes", "5"), "need 11 at least"), (("--minutes", "x"), "a whole number"),
                          (("--device", "no-such", "check"), "no device no-such")):
        assert said in run(top, *options, status=4 if "check" in options else 2), options
    assert "not a100" in run(top, "--device", "a100-sxm4-80gb", "check", status=4)
    shutil.move(top + "/build/calibrate/cuda", top + "/away")
    assert "paradl-measure-cuda was not built" in run(top, status=4)
    shutil.move(top + "/away", top + "/build/calibrate/cuda")

    # Killed while it measures points: what is in the file stays.
    environment = dict(os.environ, PARADL_PATH=root, PATH=top + "/bin:" + os.environ["PATH"])
    process = subprocess.Popen(command(top), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    samples = top + "/day/points.jsonl"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (os.path.exists(samples) and os.path.getsize(samples) > 20000):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(0.5)
    with open(samples, encoding="utf-8") as file:
        before = [json.loads(line)["point"] for line in file if line.endswith("\n") and '"point"' in line]
    assert before and done_parts(top) == ["check"], (len(before), done_parts(top))

    said = run(top, "points", "layers", "attention", "fit", "kernels", "images", "tokens")
    with open(samples, encoding="utf-8") as file:
        after = [json.loads(line)["point"] for line in file if '"point"' in line]
    assert after[:len(before)] == before and len(after) == len(set(after)) > len(before), (len(before), len(after))
    assert done_parts(top) == ["check", "points", "layers", "attention", "fit", "kernels", "images", "tokens"], said

    # A program that hangs is ended by whoever is there; the part is not done, and is the only one that is done again.
    open(top + "/stuck", "w", encoding="utf-8").close()
    process = subprocess.Popen(command(top), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    time.sleep(3)
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate()
    os.remove(top + "/stuck")
    assert "compiled" not in done_parts(top)
    said = run(top)
    assert done_parts(top)[-2:] == ["compiled", "compare"] and "images ..." not in said, said

    with open(top + "/day/report.txt", encoding="utf-8") as file:
        report = file.read()
    lines = [line for line in report.splitlines() if " ms " in line]
    assert len(lines) == 4 and all(f"{100 * (1 / SLOWER - 1):+7.1f}%" in line for line in lines), report
    assert "mean error of images: shipped 20.0 %, fitted" in report and "mean error of tokens: shipped 20.0 %" in report, report
    # Kernels of a device fit better to what was fitted to them than to what is shipped.
    errors = {}
    for of in "shipped", "fitted":
        with open(f"{top}/day/kernels-{of}.csv", encoding="utf-8", newline="") as file:
            found = [(int(row["rows"]), float(row["mean"])) for row in csv.DictReader(file) if row["kind"] == "gemm"]
        errors[of] = sum(rows * mean for rows, mean in found) / sum(rows for rows, _ in found)
    assert errors["fitted"] < 0.7 * errors["shipped"], errors
    # The device that is not there has other products than the shipped one, and steps of products are projected otherwise.
    assert next(line for line in lines if "gpt2-medium" in line).split()[-1] != f"{100 * (1 / SLOWER - 1):+.1f}%", report
    with open(top + "/day/fitted/machine.json", encoding="utf-8") as file:
        assert json.load(file)["device"]
    with open(top + "/day/fitted/devices/l4-24gb.json", encoding="utf-8") as file:
        fused = json.load(file)["attention"]
    assert abs(fused["portable"] / (PORTABLE / 1e13) - 1) < 0.3 and fused["forward"] > 0, fused  # of both passes, whose rates differ
    files = sorted(os.listdir(top + "/day"))
    assert len(files) <= 18, files
    assert run(top).count("...") == 0  # all of it is done
    print(f"{len(before)} points before a kill, {len(after)} after; report:\n{report}")


with tempfile.TemporaryDirectory() as scratch:
    main(scratch)
