#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far off device files are that are fitted to times of kernels: each figure with its bar, and the command that it is from.

    python3 kernels_out.py PARADL DIR            all figures of the tables in DIR, as tests/data/kernels has samples of
    python3 kernels_out.py PARADL DIR --hold     only what devices that are left out take, and 1 where that is off by more than it was

"folds": of shapes that were left out of a fit of their own device, a fifth at a time. "device": of a device that was left out, by
its datasheet and the others. Rows of A100 with groups and caches of more than 100 MB, faster than its memory, are left out of all and
counted. Caches that fit the L2 of their device stand apart, and of A100 heads without groups."""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

FORMATS = {"bfloat16": "bf16", "fp8": "fp8", "fp8_block": "mxfp8", "nvfp4": "fp4", "half": "fp16", "int8_wo": "int8", "int4_wo": "int4"}
COLUMNS = {"gemm": "gemm_dtype", "attention_context": "kv_cache_dtype", "attention_generation": "kv_cache_dtype", "moe": "moe_dtype", "nccl": "nccl_dtype"}
MIB = 2**20
L2 = {"a100-sxm4-80gb": 40 * MIB, "h100-sxm5-80gb": 50 * MIB, "b200-sxm-180gb": 126 * MIB, "l40s-48gb": 96 * MIB}  # datasheets
A100, H100, B200, L40S = L2
SWITCHED = (A100, H100, B200)


def cache_bytes(row):
    length = int(row["isl"]) + int(row["step"])
    keys = min(length, int(row["window_size"]) or length)
    item = 1 if row["kv_cache_dtype"] == "fp8" else 2
    return int(row["batch_size"]) * keys * 2 * int(row["num_key_value_heads"]) * int(row["head_dim"]) * item


def has_groups(row):
    return int(row["num_heads"]) > int(row["num_key_value_heads"])


def is_credible(row):
    return "step" not in row or row["device"] != A100 or not has_groups(row) or cache_bytes(row) <= 100e6


def table_read(folder, name):
    """Rows that paradl has a formula for, and how many are not credible."""
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#")) if row[COLUMNS[name]] in FORMATS]
    kept = [row for row in rows if is_credible(row)]
    return kept, len(rows) - len(kept)


class Tables:
    def __init__(self, folder):
        self.rows, self.paths, self.work = {}, {}, tempfile.TemporaryDirectory()
        for name in COLUMNS:
            self.rows[name], dropped = table_read(folder, name)
            self.paths[name] = os.path.join(self.work.name, name + ".csv")
            with open(self.paths[name], "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, self.rows[name][0].keys())
                writer.writeheader()
                writer.writerows(self.rows[name])
            if dropped:
                print(f"{dropped} rows of {name} are left out: groups and caches of more than 100 MB on A100")

    def ask(self, names, *words):
        """The answer to a fit of tables, and its kernels with the rows that they are."""
        text = subprocess.run([PARADL, "fit", *(self.paths[n] for n in names), "--json", *words], check=True, capture_output=True, text=True).stdout
        answer = json.loads(text)
        rows = [row | {"table": name} for name in names for row in self.rows[name]]
        kernels = {device: iter([k for k in answer["kernels"] if k["device"] == device]) for device in L2}  # in the order of rows
        for row in rows:
            kernel = next(kernels[row["device"]])
            assert abs(float(row["latency_ms"]) * 1e-3 / kernel["measured_s"] - 1) < 1e-9, row
            row["error"] = abs(kernel["modelled_s"] / kernel["measured_s"] - 1)
        return answer, rows


def is_large(row):
    return min(int(row[k]) for k in "mnk") >= 64


class Report:
    missed = 0

    def line(self, what, rows, bar, summary=statistics.fmean):
        """Prints a figure and its bar; None: it has none."""
        if not rows:
            return
        value = 100 * summary([row["error"] for row in rows])
        word = "median" if summary is statistics.median else "mean"
        mark = "" if bar is None else f"  bar {bar:4.1f} %" + ("  missed" if value > bar else "")
        self.missed += bar is not None and value > bar
        print(f"  {what:58} {len(rows):6} rows  {word:6} {value:5.1f} %{mark}")


def products(tables, report):
    answer, rows = tables.ask(["gemm"])
    print("products, folds: paradl fit gemm.csv")
    for device, bar in ((H100, 8), (A100, 8), (B200, 10), (L40S, 18)):
        mine = [row for row in rows if row["device"] == device]
        wide = [row for row in mine if row["gemm_dtype"] == "bfloat16"]
        report.line(f"{device} bf16, m, n, k >= 64", [row for row in wide if is_large(row)], bar)
        report.line(f"{device} bf16, m < 64", [row for row in wide if int(row["m"]) < 64], 10, summary=statistics.median)
        for name in ("fp8", "fp8_block", "nvfp4"):
            narrow = [row for row in mine if row["gemm_dtype"] == name]
            report.line(f"{device} {name}", narrow, 22 if (device, name) == (L40S, "fp8_block") else 16)
        for name in ("int8_wo", "int4_wo"):
            weights = [row for row in mine if row["gemm_dtype"] == name]
            report.line(f"{device} {name}, m, n, k >= 64", [row for row in weights if is_large(row)], None)
            report.line(f"{device} {name}, m < 64", [row for row in weights if int(row["m"]) < 64], None)
    answer, _ = tables.ask(["gemm"], "--shapes", "50")
    print("products, from 50 shapes of each format against all: paradl fit gemm.csv --shapes 50")
    for error in answer["errors"]:
        if error["size"] == "m, n, k >= 64" and error["device"] != "all" and error["left_out_ratio"]:
            mark = "" if error["left_out_ratio"] <= 1.3 else "  missed"
            print(f"  {error['device']} {error['precision']}: {error['left_out_ratio']:.2f} times as far off  bar 1.30{mark}")


PAIRS = (("bfloat16", "bfloat16"), ("bfloat16", "fp8"), ("fp8", "fp8"))


def attention(rows, report, is_left_out):
    prompt, memory, cached = (18, 22, 22) if is_left_out else (12, 16, 20)
    for device in L2:
        mine = [row for row in rows if row["device"] == device]
        prompts = [row for row in mine if row["table"] == "attention_context"]
        tokens = [row for row in mine if row["table"] == "attention_generation"]
        for pair in PAIRS:
            report.line(f"{device} prompts, {' and '.join(pair)}", [row for row in prompts if (row["attn_dtype"], row["kv_cache_dtype"]) == pair], prompt)
        for name in ("bfloat16", "fp8"):
            mine = [row for row in tokens if row["kv_cache_dtype"] == name and not (device == A100 and has_groups(row))]
            what = f"{device} tokens, cache {name}" + (", no groups" if device == A100 else "")
            report.line(what, [row for row in mine if cache_bytes(row) > L2[device]], memory)
            report.line(what + ", fits L2", [row for row in mine if cache_bytes(row) <= L2[device]], cached)


def experts(rows, report, bar):
    for name, devices in (("bfloat16", (H100, L40S, A100)), ("fp8", (H100, L40S))):
        for device in devices:
            mine = [row for row in rows if row["table"] == "moe" and (row["device"], row["moe_dtype"]) == (device, name)]
            report.line(f"{device} experts, {name}", mine, bar, summary=statistics.median)


def collectives(tables, report):
    _, rows = tables.ask(["nccl"], "--leave-each-out")
    print("collectives of A100, H100 and B200, device: paradl fit nccl.csv --leave-each-out")
    rows = [row for row in rows if row["device"] in SWITCHED]
    sizes = (("<= 64 KiB", 0, 2**16), ("<= 8 MiB", 2**16, 2**23), ("> 8 MiB", 2**23, 2**62))
    for name, low, high in sizes:
        report.line(name, [row for row in rows if low < 2 * int(row["message_size"]) <= high], 20, summary=statistics.median)
    report.line("all", rows, 15, summary=statistics.median)


KERNELS = ("attention_context", "attention_generation", "moe", "gemm")
HOLD = {"attention_context": 14, "attention_generation": 31, "moe": 16, "gemm": 21}  # of the samples: 1 or 2 points above what they are


def hold(tables, report):
    """Devices that are left out, by kind of kernel."""
    _, rows = tables.ask(KERNELS, "--leave-each-out")
    for name in KERNELS:
        summary = statistics.median if name == "moe" else statistics.fmean
        report.line(f"{name} of all devices", [row for row in rows if row["table"] == name], HOLD[name], summary=summary)
    return report.missed > 0


def everything(tables, report):
    products(tables, report)
    _, rows = tables.ask(KERNELS[:3])
    print("attention and experts, folds: paradl fit attention_context.csv attention_generation.csv moe.csv")
    attention(rows, report, False)
    experts(rows, report, 12)
    _, rows = tables.ask(KERNELS, "--leave-each-out")
    print("all but collectives, device: paradl fit attention_context.csv attention_generation.csv moe.csv gemm.csv --leave-each-out")
    wide = [row for row in rows if row["table"] == "gemm" and row["gemm_dtype"] == "bfloat16"]
    report.line("products, bf16, of all devices", wide, 12, summary=statistics.median)
    report.line("products, bf16, of all devices", wide, 20)
    for device in L2:
        report.line(f"{device} products, bf16", [row for row in wide if row["device"] == device], None if device == L40S else 25)
    attention(rows, report, True)
    experts(rows, report, 20)
    collectives(tables, report)
    return 0


PARSER = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
PARSER.add_argument("paradl")
PARSER.add_argument("folder")
PARSER.add_argument("--hold", action="store_true")
ARGUMENTS = PARSER.parse_args()
PARADL = os.path.abspath(ARGUMENTS.paradl)
if __name__ == "__main__":
    sys.exit((hold if ARGUMENTS.hold else everything)(Tables(ARGUMENTS.folder), Report()))
