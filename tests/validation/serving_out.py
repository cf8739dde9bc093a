#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far off the times of serving runs are, of tests/validation/serving.csv, whose models are left out of the fit of a program in turn.

    python3 serving_out.py PARADL CONFIGS         all models; CONFIGS has the config.json files of those that are not shipped
    python3 serving_out.py PARADL CONFIGS --shipped   with the constants that are shipped, nothing left out
    python3 serving_out.py PARADL --hold          models that are shipped, shipped constants; 1 where errors are larger than they were
    python3 serving_out.py PARADL --pools         runs whose prompts others read (serving_pools.csv), of shipped models; nothing was fitted to them

Fitted are rules of a program: serve_fusion, serve_experts and serve_sequence to the times per token, then serve_prompt to those of the first
token, by trying values in turn (every third row counts). Models weigh equally. Runs that drafted tokens are listed, and counted nowhere."""
import collections
import csv
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PROFILES = os.path.join(os.path.dirname(os.path.dirname(HERE)), "hw-profiles", "frameworks")
PROGRAMS = ("vllm", "trtllm", "sglang")
TOKENS = {"serve_fusion": [0, 0.25, 0.5, 0.75, 1], "serve_experts": ["0us", "10us", "20us", "30us", "40us"],
          "serve_sequence": ["0us", "5us", "10us", "15us", "20us"]}
FIRST = {"serve_prompt": ["30ms", "50ms", "70ms", "100ms", "130ms", "160ms", "200ms", "250ms", "300ms"]}
START = {"serve_fusion": 0.5, "serve_experts": "10us", "serve_sequence": "0us", "serve_prompt": "100ms"}
SHIPPED = ("deepseek-v3", "llama3-8b")
B200 = {"format": "paradl-hw", "version": 1, "name": "eight B200", "device": "b200-sxm-180gb", "framework": "nccl", "levels": [
    {"name": "nvswitch", "devices": 8, "latency": "0.6 us", "bandwidth": "900 GB/s", "ring": "668 GB/s"},
    {"name": "network", "devices": 1024, "latency": "3 us", "bandwidth": "400 GB/s", "ring": "350 GB/s"}]}


def rows_of(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    for row in rows:
        row["measured"] = (float(row["tpot_ms"]), float(row["ttft_ms"]))
    return rows


def rows_read():
    rows = rows_of("serving.csv")
    return [row for row in rows if row["speculative"] == "no"], [row for row in rows if row["speculative"] == "yes"]


def plan_of(row):
    gpus = int(row["gpus"])
    if gpus == 1:
        return "serial"
    if row["attention"] == "data":
        return f"expert={gpus}"
    return f"tensor={gpus}" + (",experts=tensor" if row["experts"] == "tensor" else "")


COLUMNS = ("model", "hw", "framework", "strategy", "precision", "unit", "batch", "input_tokens", "output_tokens", "requests", "spread", "prefill", "token_s", "first_s")


class Runs:
    """Projections of rows by `paradl validate`, with rules of their program changed."""

    def __init__(self, paradl, configs):
        self.paradl, self.configs, self.known, self.profiles = paradl, configs, {}, {}
        self.work = tempfile.TemporaryDirectory()
        self.b200 = self.write("b200", B200)
        for name in os.listdir(PROFILES):
            shutil.copy(os.path.join(PROFILES, name), self.work.name)  # a profile extends those beside it

    def write(self, name, document):
        path = os.path.join(self.work.name, name + ".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        return path

    def profile(self, program, rules):
        """The program's own, or a file that extends it."""
        key = (program, *sorted(rules.items()))
        if rules and key not in self.profiles:
            document = {"format": "paradl-framework", "version": 1, "extends": program, "name": program, "summary": "rules that are tried",
                        "rules": rules}
            self.profiles[key] = self.write(f"{program}-{len(self.profiles)}", document)
        return self.profiles.get(key, program)

    def cells(self, row, rules):
        model = row["model"] if row["model"] in SHIPPED else os.path.abspath(os.path.join(self.configs, row["model"] + ".json"))
        machine = "dgx-h100-superpod" if row["device"].startswith("h100") else self.b200
        return (model, machine, self.profile(row["program"], rules), row.get("decode") or plan_of(row), row["precision"], "request", row["concurrency"],
                row["input_tokens"], row["output_tokens"], str(10 * int(row["concurrency"])), row.get("spread", "0.2"), row.get("prefill", ""),
                f"{float(row['tpot_ms']) / 1e3:.9g}", f"{float(row['ttft_ms']) / 1e3:.9g}")

    def project(self, asked):
        """Fills in rows that were not asked about yet: milliseconds of each token and of the first, and the error that is printed."""
        path = os.path.join(self.work.name, "rows.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *asked])
        # 1: it is further off than validate tolerates
        ran = subprocess.run([self.paradl, "validate", "--measured", path, "--json", "-q"], capture_output=True, text=True, check=False)
        rows = json.loads(ran.stdout)["rows"] if ran.returncode in (0, 1) else []
        skipped = [row["skipped"] for row in rows if row["skipped"]]
        if skipped or len(rows) != len(asked):
            sys.exit("\n".join(skipped[:1]) or ran.stderr)
        for cells, row in zip(asked, rows):
            self.known[cells] = (row["projected"]["total_s"] * 1e3, row["projected"]["first_s"] * 1e3, row["error_share"])

    def all(self, rows, rules):
        cells = [self.cells(row, rules) for row in rows]
        asked = list(dict.fromkeys(one for one in cells if one not in self.known))
        if asked:
            self.project(asked)
        return [self.known[one] for one in cells]


def loss(runs, rows, rules, which):
    """Mean over models of the errors in the middle and on average, of logarithms, large ones cut."""
    errors = collections.defaultdict(list)
    for row, answer in zip(rows, runs.all(rows, rules)):
        errors[row["model"]].append(abs(math.log(answer[which] / row["measured"][which])))
    return statistics.mean((statistics.median(one) + statistics.mean(min(x, 0.7) for x in one)) / 2 for one in errors.values())


def fit(runs, rows):
    rules = dict(START)
    for grid, which in ((TOKENS, 0), (FIRST, 1)):
        best = loss(runs, rows, rules, which)
        for _ in range(3):
            before = best
            for name, values in grid.items():
                for value in values:
                    tried = loss(runs, rows, {**rules, name: value}, which)
                    if tried < best - 1e-4:
                        best, rules = tried, {**rules, name: value}
            if best > before - 1e-3:
                break
    return rules


def quantile(rows, answers, which, share):
    """Of errors, where models weigh equally."""
    count = collections.Counter(row["model"] for row in rows)
    errors = sorted((abs(answer[which] / row["measured"][which] - 1), 1 / count[row["model"]]) for row, answer in zip(rows, answers))
    total = share * sum(weight for _, weight in errors)
    for error, weight in errors:
        total -= weight
        if total <= 0:
            return error
    return errors[-1][0]


def mean(rows, answers, which):
    errors = collections.defaultdict(list)
    for row, answer in zip(rows, answers):
        errors[row["model"]].append(min(abs(answer[which] / row["measured"][which] - 1), 1))
    return statistics.mean(statistics.mean(one) for one in errors.values())


def orders(rows, answers):
    """Rank correlations, and how much slower the pick is, of settings of four or more layouts; throughput a GPU."""
    groups = collections.defaultdict(list)
    for row, answer in zip(rows, answers):
        key = [row[name] for name in ("program", "release", "model", "device", "precision", "input_tokens", "output_tokens", "concurrency")]
        output = float(row["output_tokens"])
        groups[tuple(key)].append([output / (times[1] + (output - 1) * times[0]) / int(row["gpus"]) for times in (row["measured"], answer)])
    ranks, regrets = [], []
    for pairs in groups.values():
        if len(pairs) < 4:
            continue
        order = [sorted(range(len(pairs)), key=lambda i, which=which: pairs[i][which]) for which in (0, 1)]
        place = [{i: k for k, i in enumerate(one)} for one in order]
        n = len(pairs)
        ranks.append(1 - 6 * sum((place[0][i] - place[1][i]) ** 2 for i in range(n)) / (n * (n * n - 1)))
        regrets.append(max(pair[0] for pair in pairs) / pairs[order[1][-1]][0] - 1)
    return ranks, regrets


def line(name, rows, answers):
    inside = [statistics.mean(abs(answer[0] / row["measured"][0] - 1) <= answer[2] for row, answer in zip(rows, answers))]
    figures = [100 * quantile(rows, answers, which, share) for which in (0, 1) for share in (0.5, 0.8)]
    print(f"{name:28} {len(rows):5} rows  token {figures[0]:5.1f} {figures[1]:5.1f} %  first {figures[2]:5.1f} {figures[3]:5.1f} %"
          f"  mean {100 * mean(rows, answers, 0):5.1f} %  inside {100 * inside[0]:3.0f} % of +-{100 * statistics.median(a[2] for a in answers):.0f} %")
    return figures


def report(rows, answers):
    for program in PROGRAMS:
        own = [i for i, row in enumerate(rows) if row["program"] == program]
        if not own:
            continue
        for model in sorted({rows[i]["model"] for i in own}):
            some = [i for i in own if rows[i]["model"] == model]
            line(f"  {program} {model[-17:]}", [rows[i] for i in some], [answers[i] for i in some])
        line(program, [rows[i] for i in own], [answers[i] for i in own])
    figures = line("all", rows, answers)
    ranks, regrets = orders(rows, answers) if "gpus" in rows[0] else ([], [])
    if ranks:
        print(f"order of layouts: {len(ranks)} groups, rank correlation {statistics.median(ranks):.2f} in the middle; "
              f"the pick is {100 * statistics.mean(regrets):.1f} % worse on average")
    return figures


def left_out(runs, rows):
    tested, answers = [], []
    for program in PROGRAMS:
        own = [row for row in rows if row["program"] == program]
        print(program, fit(runs, own[::3]), flush=True)
        for model in sorted({row["model"] for row in own}):
            rules = fit(runs, [row for row in own if row["model"] != model][::3])
            print(f"  without {model}: {rules}", flush=True)
            test = [row for row in own if row["model"] == model]
            tested += test
            answers += runs.all(test, rules)
    report(tested, answers)


def pools(runs):
    rows = [row for row in rows_of("serving_pools.csv") if row["model"] in SHIPPED]
    return report(rows, runs.all(rows, {}))


# Errors with the shipped constants, of shipped models, in percent: token and first token, half and 80 of 100 rows; and room for rounding.
HELD = (9.3, 21.7, 31.5, 55.1)
HELD_POOLS = (15.0, 24.4, 43.9, 87.7)  # runs whose prompts others read


def main():
    paradl, options = sys.argv[1], [word for word in sys.argv[2:] if word.startswith("-")]
    folders = [word for word in sys.argv[2:] if not word.startswith("-")]
    runs = Runs(paradl, folders[0] if folders else "")
    rows, drafted = rows_read()
    if "--hold" in options:
        rows = [row for row in rows if row["model"] in SHIPPED][::3]
        figures = report(rows, runs.all(rows, {}))
        print("prompts read by others:")
        held = HELD + HELD_POOLS
        return int(any(figure > held + 0.2 for figure, held in zip(figures + pools(runs), held)))
    if "--pools" in options:
        pools(runs)
        return 0
    print(f"{len(drafted)} rows drafted tokens and count nowhere")
    if "--shipped" in options:
        report(rows, runs.all(rows, {}))
    else:
        left_out(runs, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
