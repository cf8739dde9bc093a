#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags of engines that serve, read back: flags_engines.py PARADL

Degrees are those of the plan and multiply to its GPUs; sequences, chunks, lengths, formats and shares of memory are computed again of the
document and the profile; every flag is an argument of the engine, as fields.json keeps them (TensorRT-LLM's package says none). What an engine does not
do is said, and only that; `advise --flags` ranks nothing of which something is said."""
import json
import math
import pathlib
import subprocess
import sys

from networks import options_of

HERE = pathlib.Path(__file__)
KEPT = json.loads(HERE.with_name("fields.json").read_text())
PROFILES = HERE.parents[2] / "hw-profiles" / "frameworks"
DENSE = ["serial", "data=4", "tensor=8", "data=2,tensor=4", "pipeline=2,tensor=4", "data=2,pipeline=2,tensor=2"]
EXPERTS = ["tensor=8", "tensor=8,experts=tensor", "expert=8", "data=2,tensor=4", "expert=4,tensor=2", "expert=2,tensor=4,experts=tensor", "data=2,expert=4", "pipeline=2,expert=4",
           "pipeline=2,tensor=4"]
LOADS = [["--batch", "40"], ["--batch", "37", "--cached-prefix", "0.5"], ["--rate", "0.5/s", "--speculative-tokens", "3", "--accepted-tokens", "2"]]


def ask(*words):
    run = subprocess.run([sys.argv[1], *words, "--json", "-q"], capture_output=True, text=True, check=False)
    return json.loads(run.stdout)


def degrees_of(plan):
    pairs = dict(term.split("=") for term in plan.split(",") if "=" in term)
    return {axis: int(pairs.get(axis, 1)) for axis in ("data", "pipeline", "expert", "tensor")}, pairs.get("experts") == "tensor"


def told(program, options, lines):
    """GPUs, and what is said of experts, in words that all engines share: how many parts they are dealt out to."""
    number = {name.replace("_", "-"): int(value) for name, value in options.items() if value is not True and value.isdigit()}
    if program == "vllm":
        tp, pp, dp = number["tensor-parallel-size"], number["pipeline-parallel-size"], number["data-parallel-size"]
        return tp * pp * dp, pp, tp, dp, tp * dp if "enable-expert-parallel" in options else 1
    tp, pp, dp = number["tp-size"], number["pp-size"], number.get("dp-size", 1)
    shares = "enable-dp-attention" in options or "enable_attention_dp: true" in lines
    if program == "trtllm":
        return tp * pp, pp, 1 if shares else tp, tp if shares else 1, number.get("ep-size", 1)
    return tp * pp * (1 if shares else dp), pp, tp // dp if shares else tp, dp, number.get("ep-size", 1)


def expected_to_fail(program, plan, experts, guesses):
    degree, cut = degrees_of(plan)
    replicas = degree["data"] > 1
    if program == "vllm":
        return experts and (replicas or (degree["expert"] > 1 and degree["tensor"] > 1 and cut)) or (degree["expert"] > 1 and degree["pipeline"] > 1)
    if program == "sglang":
        return (replicas and degree["expert"] > 1) or (guesses and (degree["pipeline"] > 1 or degree["expert"] > 1))
    return replicas or (degree["expert"] > 1 and degree["tensor"] > 1)


def memory_wrong(program, options, lines, result, profile):
    memory, whole = result["memory"], result["memory_capacity_bytes"]
    weights, cache, share = memory["weights_bytes"], memory["cache_bytes"], profile["rules"]["serve_memory"]
    working = result["memory_bytes"] - weights - cache
    if program == "vllm":
        return abs(float(options["gpu-memory-utilization"]) - share) > 1e-9
    if program == "sglang":
        return not 0 <= share - working / whole - float(options["mem-fraction-static"]) < 0.00101
    said = next(float(line.split(": ")[1]) for line in lines if "free_gpu_memory" in line)
    free = whole - weights - working
    return not -1e-9 <= (free - (1 - share) * whole) / free - said < 0.00101


def wrongs(program, name, plan, precision, load):
    profile = json.loads((PROFILES / f"{program}.json").read_text())
    words = ["estimate", name, "--hw", "dgx-h100-superpod", "--set", "device.memory=x8", "-s", plan, "--precision", precision, "--flags", program, "--inference",
             "--input-tokens", "2000", "--output-tokens", "300", *load]
    document = ask(*words)
    result = document["results"][0]
    launch, served = result["launch"], result["inference"]
    options, lines = options_of(launch["flags"]), launch["lines"]
    degree, cut = degrees_of(plan)
    experts, guesses = name == "qwen3-30b-a3b", "--rate" in load
    replicas = degree["data"] * degree["expert"]
    seats = served["largest_batch"] // replicas
    sequences = seats if guesses else min(seats, math.ceil(result["batch"] / replicas))
    gpus, pp, tp, dp, dealt = told(program, options, lines)
    instances = degree["data"] if program == "trtllm" or (program == "sglang" and degree["expert"] > 1) else 1
    plain = {key.split(".")[0].removeprefix("no-").replace("-", "_") for key in options}
    narrow = precision.startswith("fp8")
    parts = dp if program == "sglang" and "enable-dp-attention" in options else 1
    limit = {"vllm": "max-num-seqs", "sglang": "max-running-requests", "trtllm": "max_batch_size"}[program]
    chunk = {"vllm": "max-num-batched-tokens", "sglang": "chunked-prefill-size", "trtllm": "max_num_tokens"}[program]
    length = {"vllm": "max-model-len", "sglang": "context-length", "trtllm": "max_seq_len"}[program]
    cache = options.get("kv-cache-dtype") or next(line.split(": ")[1] for line in lines if line.startswith("  dtype"))
    prefix = {"vllm": "enable-prefix-caching" in options, "sglang": "disable-radix-cache" not in options, "trtllm": "  enable_block_reuse: true" in lines}[program]
    wanted = degree["expert"] * (1 if cut else degree["tensor"]) if experts else 1
    says = launch["cannot"] != []
    checks = {
        "program": launch["program"] == program and f"frameworks/{program}.json" in json.dumps(document["inputs"]),
        "GPUs": gpus * instances == result["gpus"],
        "pipeline": pp == degree["pipeline"],
        "tensor": says or tp == degree["tensor"],
        "replicas": dp * instances == replicas or says,
        "experts": says or dealt == wanted,
        "sequences": int(options[limit]) == sequences * parts,
        "chunk": int(options[chunk]) == profile["rules"]["serve_chunk"] * parts,
        "length": int(options[length]) == 2300,
        "caches": cache.startswith("fp8") == narrow,
        "weights": program == "trtllm" or (options.get("quantization") == "fp8") == narrow,
        "prefix": prefix == ("--cached-prefix" in load),
        "guesses": ("peculative" in " ".join([*options, *lines])) == guesses,
        "memory": not memory_wrong(program, options, lines, result, profile),
        "arguments": program == "trtllm" or plain <= set(KEPT[program]),
        "what it cannot": says == bool(expected_to_fail(program, plan, experts, guesses)),
    }
    return [f"{program}, {name}, {plan}, {' '.join(load)}: {what}: {launch}" for what, holds in checks.items() if not holds]


def ranked_wrong(program, name):
    """Plans of a ranking that the engine does not start as they are, or are out of order."""
    load = ["--hw", "dgx-h100-superpod", "--gpus", "8", "--inference", "--flags", program, "--ttft", "1 s", "--top", "0"]
    ranked = ask("advise", name, *load)
    speeds = [result["tokens_per_s"] for result in ranked["results"]]
    wrong = [f"advise {program} {name}: {result['strategy']}: {result['launch']['cannot']}" for result in ranked["results"] if result["launch"]["cannot"]]
    if not speeds or speeds != sorted(speeds, reverse=True):
        wrong.append(f"advise {program} {name}: {speeds}")
    return wrong


def main():
    wrong, count = [], 0
    for program in ("vllm", "sglang", "trtllm"):
        for name, plans in (("llama3-8b", DENSE), ("qwen3-30b-a3b", EXPERTS)):
            for i, plan in enumerate(plans):
                for k, load in enumerate(LOADS):
                    wrong += wrongs(program, name, plan, ("bf16-mixed", "fp8-mixed")[(i + k) % 2], load)
                    count += 1
            wrong += ranked_wrong(program, name)
    print(*wrong, f"{count} launches, {len(wrong)} wrong", sep="\n")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
