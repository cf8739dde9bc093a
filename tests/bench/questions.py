#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long 'advise' takes: questions.py PARADL [RUNS]

Twelve networks on three machines and three numbers of GPUs, each question alone on one thread: the least seconds of the processor
of some runs, user and system. Prints the median, the worst, and the slowest ones. Figures, not a test; from any folder."""
import os
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ("resnet50 vgg16 cosmoflow-256 unet-3d vit-huge bert-large gpt2-xl llama2-7b llama3-70b gpt3-175b mixtral-8x7b "
          "deepseek-v3").split()
MACHINES = "abci dgx-h100-superpod perlmutter".split()
GPUS = (16, 128, 1024)


def seconds(command):
    """Of the processor, for one run of it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                   env={**os.environ, "PARADL_PATH": str(ROOT), "OMP_NUM_THREADS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    """Asks all of them."""
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    tool = pathlib.Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    times = []
    for model in MODELS:
        for machine in MACHINES:
            for gpus in GPUS:
                command = [tool, "advise", model, "--hw", machine, "--gpus", str(gpus)]
                times.append((min(seconds(command) for _ in range(runs)), model, machine, gpus))
    times.sort(reverse=True)
    print(f"{len(times)} questions: median {1e3 * statistics.median(t[0] for t in times):.1f} ms, worst {1e3 * times[0][0]:.1f} ms")
    for time in times[:8]:
        print(f"  {1e3 * time[0]:6.1f} ms  advise {time[1]} --hw {time[2]} --gpus {time[3]}")


main()
