#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a made-up GPU is recovered or flagged: faults.py PARADL FAKE LIBRARIES STEP_TORCH MPIRUN

Attention that is not fused, a gap before what is launched on an idle device, clocks that fall from rest or in minutes, that are held down, limited or locked, a power cap, a first algorithm that does
not work, an NVML without some function, libraries that lie in a wheel, operations of NCCL that never end, a device that is lost."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

paradl, fake, libraries = (os.path.realpath(argument) for argument in sys.argv[1:4])
steps, mpirun = os.path.realpath(sys.argv[4]), sys.argv[5:6]
sys.path.insert(0, os.path.dirname(steps))
sys.dont_write_bytecode = True
import torch_rows as rows  # pylint: disable=wrong-import-position
AMPLE = {"FAKE_MEMORY": "100000000000"}
here = dict(os.environ, FAKE_MEMORY="1000000000", FAKE_DEVICES="1", LD_LIBRARY_PATH=libraries)


def measure(path, *options, status=0, start=(), leaks=False, **settings):
    """What was said, and all lines of the file."""
    done = subprocess.run([*start, fake, "--quick", "--cap", "0.02", "--out", path, *options], env={**here, **settings},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100)
    assert done.returncode == status, (options, settings, done.returncode, done.stdout[-1000:], done.stderr[-1000:])
    assert leaks or "FAKE:" not in done.stderr, done.stderr
    with open(path, encoding="utf-8") as file:
        return done, [json.loads(line) for line in file]


def points(lines):
    return {line["point"]: line for line in lines if "point" in line}


def verdicts(path):
    done = subprocess.run([paradl, "fit", path, "--json", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return {verdict["judge"]: verdict["text"] for verdict in json.loads(done.stdout)["verdicts"]}


def median(line):
    return sorted(line["seconds"])[len(line["seconds"]) // 2]


def gap(folder):
    """Kernels wait behind a gate until all are enqueued, so the gap before the first is not in their time."""
    _, plain = measure(folder + "/plain", "--only", "gemm,memory")
    _, late = measure(folder + "/late", "--only", "gemm,memory", FAKE_GAP_NS="6000")
    plain, late = points(plain), points(late)
    off = [abs(median(late[name]) / median(plain[name]) - 1) for name in plain if "seconds" in plain[name]]
    assert len(off) > 50 and max(off) < 1e-3, max(off)
    assert all(line["timed"] == "kernels" for line in late.values() if "seconds" in line)
    assert all(line["sm_clock_mhz"] == 1980 and line["power_watt"] == 640 and line["temperature_celsius"] == 61
               for line in late.values() if "seconds" in line)
    assert not {"throttled", "power-cap", "clocks-locked"} & set(verdicts(folder + "/plain"))
    return f"launch gap: {len(off)} points, at most {100 * max(off):.2g} % off"


def clocks(folder):
    _, hot = measure(folder + "/hot", "--only", "memory", FAKE_SLOW="160", FAKE_REASONS="64", FAKE_SM_CLOCK="1240")
    assert all("throttled" in line["flags"] for line in points(hot).values() if "seconds" in line)
    assert "throttled" in verdicts(folder + "/hot")
    _, capped = measure(folder + "/capped", "--only", "memory", FAKE_SLOW="110", FAKE_REASONS="4", FAKE_SM_CLOCK="1800")
    assert all("power-cap" in line["flags"] for line in points(capped).values() if "seconds" in line)
    assert "power-cap" in verdicts(folder + "/capped")
    measure(folder + "/locked", "--only", "memory", FAKE_SLOW="140", FAKE_SM_CLOCK="1410")
    assert "1410 MHz" in verdicts(folder + "/locked")["clocks-locked"]
    return "clocks: throttled, power-cap, clocks-locked are flagged"


def heating(folder):
    """Clocks that fall while all points are measured, though in no point of its own: told with how much; steady ones are not."""
    only = ("--only", "gemm,memory,burst")
    measure(folder + "/warm", *only, FAKE_HEATED="90", **AMPLE)
    measure(folder + "/steady", *only, **AMPLE)
    said = verdicts(folder + "/warm")["heating"]
    percent = float(re.search(r"are ([0-9.]+) % below", said).group(1))
    assert 2 < percent < 10.5, said
    assert "heating" not in verdicts(folder + "/steady")
    return f"heating: {percent} % of clocks that fall by 10 % between the first point and the last"


def burst(folder):
    """What a power limit leaves of rates comes back, where the device was known before and where it was not; a clock that stays, too."""
    found = []
    for fallen in 100, 125:
        path = f"{folder}/{fallen}"
        measure(path, "--only", "gemm,burst,memory", FAKE_FALLEN=str(fallen))
        for base in [], ["--base", "dgx-h100-superpod"]:
            done = subprocess.run([paradl, "fit", path, "--json", "-q", *base], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            shares = {number["path"]: number["value"] for number in json.loads(done.stdout)["numbers"] if "throttled" in number["path"]}
            assert len(shares) >= 4, shares
            found += [abs(share * fallen / 100 - 1) for share in shares.values()]
    assert max(found) < 0.01, found
    return f"clocks that fall from rest: {len(found)} shares, at most {100 * max(found):.2g} % off"


def algorithm(folder):
    _, second = measure(folder + "/second", "--only", "gemm", FAKE_FIRST_CHOICE_FAILS="1")
    _, first = measure(folder + "/first", "--only", "gemm")
    name = "gemm/fp16/1024x1024x1024/1/tn"
    ratio = median(points(first)[name]) / median(points(second)[name])
    assert abs(ratio - 2) < 0.01, ratio
    # fp8 is as programs have it: 32-bit sums would take half as much again as bf16 on this device.
    narrow, wide = (median(points(first)[f"gemm/{precision}/4096x4096x4096/1/tn"]) for precision in ("fp8", "bf16"))
    assert abs(narrow / wide - 1) < 0.01, (narrow, wide)
    return "a first choice that does not work is passed over, and fp8 sums up fast"


def convolutions(folder):
    """Version 9 of cuDNN is asked by graphs, the one before as it was; engines that are too coarse, too large or broken are passed over."""
    with open(folder + "/cases", "w", encoding="utf-8") as file:
        for precision in "fp32", "tf32", "fp16":
            file.write(f"convolution layer=a model=b precision={precision} batch=8 dimensions=2 channels=64 filters=64 groups=2 kernel=3x3x1 "
                       "stride=2x2x1 pad=1x1x0 dilation=1x1x1 x=56x56x1 y=28x28x1 backward_data=1\n")
    times = {}
    for name, settings in ("graph", {}), ("none", {"FAKE_HEURISTIC": "none"}), ("before", {"FAKE_CUDNN_VERSION": "8907"}):
        _, lines = measure(f"{folder}/{name}", "--only", "convolution", "--cases", folder + "/cases", **settings)
        times[name] = {point: median(line) for point, line in points(lines).items()}
        assert len(times[name]) == 9
    for point, before_s in times["before"].items():
        flop_s, start_s = before_s - 5e-6, 5e-6
        ordinary = 8 if "/fp32/" in point else 1  # no tensor cores
        assert abs(times["graph"][point] / (start_s + ordinary * flop_s) - 1) < 1e-3, point
        assert abs(times["none"][point] / (start_s + 2 * flop_s) - 1) < 1e-3, point
    return "convolutions: by graphs and before, with heuristic A, and the fallback where it has nothing"


def attention(folder):
    """Attention of cuDNN comes back as the rate that it has; where it is not fused that is said, and so are versions that know no graphs."""
    only = ("--only", "gemm,memory,attention")
    _, lines = measure(folder + "/fused", *only, **AMPLE)
    _, plain = measure(folder + "/unfused", *only, FAKE_UNFUSED="1", **AMPLE)
    done = subprocess.run([paradl, "fit", folder + "/fused", "--json", "-q"], stdout=subprocess.PIPE, text=True)
    numbers = {number["path"]: number["value"] for number in json.loads(done.stdout)["numbers"]}
    rate = numbers["peak/bf16"] * numbers["product/sustained/bf16"]
    off = [abs(rate * numbers["attention/" + name] / planted - 1) for name, planted in (("forward", 1e13), ("backward", 0.8e13))]
    assert max(off) < 0.01, (rate, numbers)
    # A device that is known may be far faster, so that memory alone takes the time of its model: the search does not end there.
    done = subprocess.run([paradl, "fit", folder + "/fused", "--json", "-q", "--base", "dgx-h100-superpod"], stdout=subprocess.PIPE, text=True)
    known = {number["path"]: number["value"] for number in json.loads(done.stdout)["numbers"]}
    assert abs(989e12 * known["product/sustained/bf16"] * known["attention/forward"] / 1e13 - 1) < 0.1, known
    assert "attention-unfused" not in verdicts(folder + "/fused") and "6 of 6 passes" in verdicts(folder + "/unfused")["attention-unfused"]
    # PyTorch's portable kernel beside it takes 1 / 0.6 of its time: that is what the device then has for it.
    file = rows.Samples(folder + "/portable", 0, 1, "quick", "here", {"device": "made up"})
    for name, line in points(lines).items():
        if line["bench"] == "attention":
            parameters = dict(line["parameters"], kernel="portable")
            file.add(name.removesuffix("/cudnn"), parameters, [second / 0.6 for second in line["seconds"]],
                     flop=line["flop"], bytes=0, calls=1, flags=[])
    done = subprocess.run([paradl, "fit", folder + "/fused", folder + "/portable", "--json", "-q"], stdout=subprocess.PIPE, text=True)
    both = {number["path"]: number["value"] for number in json.loads(done.stdout)["numbers"]}
    assert abs(both["attention/portable"] / 0.6 - 1) < 0.01 and both["attention/forward"] == numbers["attention/forward"], both
    # One pass alone makes no attention of a device that knows none, and no profile that cannot be read.
    with open(folder + "/half", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines if "/backward/" not in line.get("point", ""))
    done = subprocess.run([paradl, "fit", folder + "/half", "--into", folder + "/half.json", "--json", "-q"], stdout=subprocess.PIPE, text=True)
    half = json.loads(done.stdout)
    assert done.returncode == 0 and os.path.exists(folder + "/half.json") and not any("attention" in number["path"] for number in half["numbers"]), done
    assert "only forward passes" in verdicts(folder + "/half")["attention"]
    _, old = measure(folder + "/old", "--only", "attention", FAKE_CUDNN_VERSION="8907", **AMPLE)
    assert all("cuDNN 9; here is 8.9.7" in line["failed"] for line in points(old).values())
    _, none = measure(folder + "/none", "--only", "attention", FAKE_HEURISTIC="none", **AMPLE)
    assert len(points(plain)) == len(points(lines)) and all("seconds" in line for line in points(none).values())
    return f"attention: rates at most {100 * max(off):.2g} % off, portable beside it; unfused is flagged, cuDNN 8 is told"


def wheel(folder):
    """Libraries of pip: found without LD_LIBRARY_PATH; NVML that lacks a function still says all else."""
    place = folder + "/venv/lib/python3.11/site-packages/nvidia/some/lib"
    os.makedirs(place)
    for file in os.listdir(libraries):
        if file.startswith("lib") and os.path.isfile(os.path.join(libraries, file)) and "nvidia" not in file:
            shutil.copy(os.path.join(libraries, file), place)
    keys = {"cublaslt", "cudnn", "nccl"}
    without, within = (set(measure(f"{folder}/{os.path.basename(place)}.jsonl", "--only", "launch", LD_LIBRARY_PATH="/nowhere", VIRTUAL_ENV=place)[1][0]
                           ["environment"]) & keys for place in ("nowhere", folder + "/venv"))
    assert within == keys, (without, within)
    _, lines = measure(folder + "/nvml", "--only", "launch")
    environment = lines[0]["environment"]
    assert environment["driver"] == "580.1" and environment["sm_clock_most"] == "1980 MHz" and "mig" not in environment
    return f"libraries of wheels are found ({', '.join(sorted(keys - without)) or 'all are installed besides'}), functions of NVML one by one"


def exchanges(folder):
    several = {"FAKE_DEVICES": "4", "FAKE_MEMORY": "5000000"}
    only = ("--only", "allreduce,allgather,broadcast")
    done, lines = measure(folder + "/many", *only, **several)
    measured = sum("seconds" in line for line in lines)
    made = int(done.stderr.split("communicators made:")[1].split()[0])
    assert measured > 20 and made == 2 + 4, (measured, made)  # groups of two and of four
    done, lines = measure(folder + "/stuck", *only, status=1, FAKE_NCCL_STUCK="40", **several)
    failed = [line for line in lines if "failed" in line and "absent" not in line]
    assert len(failed) == 1 and sum("seconds" in line for line in lines) == measured - 1, failed
    assert "asynchronous error" in failed[0]["failed"] or "cudaEventQuery" not in failed[0]["failed"], failed
    text = f"NCCL: {made} communicators for {measured} points; one that is stuck is given up, the others are measured"
    if mpirun:
        start = [mpirun[0], "--allow-run-as-root", "--oversubscribe", "-n", "2"]
        done, lines = measure(folder + "/none", "--only", "broadcast", status=1, start=start, FAKE_NCCL_NO_ID="1",
                              **dict(several, FAKE_DEVICES="2"))
        failed = [line for line in lines if "failed" in line]
        assert failed and not [line for line in lines if "seconds" in line], lines
        text += "; without an id no process waits for ever"
    return text


def lost(folder):
    """The program ends after the point; started again it goes on, and --retry-before measures that point, too."""
    path = folder + "/lost"
    done, lines = measure(path, "--only", "memory", status=75, leaks=True, FAKE_LOST="20")
    failed = [line["point"] for line in lines if "failed" in line]
    assert len(failed) == 1 and "unusable" in done.stderr, (failed, done.stderr)
    done, lines = measure(path, "--only", "memory")
    assert f"skip {failed[0]}" in done.stdout
    done, lines = measure(path, "--only", "memory", "--retry-before", str(os.path.getsize(path)))
    assert f"done {failed[0]}" in done.stdout and done.stdout.count("start") == 1
    with open(path, encoding="utf-8") as file:
        absent = sum("absent" in json.loads(line) for line in file)
    fitted = json.loads(subprocess.run([paradl, "fit", path, "--json", "-q"], stdout=subprocess.PIPE).stdout)
    assert fitted["failed"] == absent, (fitted["failed"], absent)
    return "a lost device ends the program, which goes on; its point can be repeated"


with tempfile.TemporaryDirectory() as scratch:
    for fault in gap, clocks, heating, burst, algorithm, convolutions, attention, wheel, exchanges, lost:
        os.makedirs(f"{scratch}/{fault.__name__}")
        print(fault(f"{scratch}/{fault.__name__}"), flush=True)
