#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What documents tell a reader to type works: documents.py PARADL ROOT [DOCUMENT...]

Every command in a block between ``` of README.md, the examples and the manual pages is run, those of one document in order and
in one folder, with what they say that the reader has (HAS). Each must end with 0, or as ENDS says. Commands whose output is
shown (indented, after $) are golden sessions: cram runs those. NOT_RUN is all that needs more than this machine."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HAS = {
    "ResNet50.net": "tests/fuzz/corpus/net/resnet.net",
    "config.json": "tests/fuzz/corpus/import/opt-350m.json",
    "unet3d_h100.yaml": "tests/data/dlio/unet3d_h100.yaml",
    "here.jsonl": "tests/data/samples/two-cores.jsonl",
    "laptop.jsonl": "tests/data/samples/two-cores.jsonl",
    "gemm.csv": "tests/data/kernels/gemm.csv",
    "attention.csv": "tests/data/kernels/attention_context.csv",
    "monday.txt": "tests/data/logs/abci-v-allreduce.nccl-tests.txt",
    "tuesday.txt": "tests/data/logs/abci-v-allreduce.nccl-tests.txt",
    "all_reduce_8x4.txt": "tests/data/logs/abci-v-allreduce.nccl-tests.txt",
    "net.json": "models/resnet50.json",
    "squeezenet.onnx": "tests/data/onnx/light_squeezenet.onnx",
    "lab.json": "examples/02-own-cluster/lab.json",
    "clients.json": "examples/clients.json",
    "tests/data/measured": "tests/data/measured",
}
NOT_RUN = {
    r"^mpirun ": "needs many nodes; tests/mpi runs paradl-mpi on this one",
    r"^paradl report .*--interactive": "needs the engine of the page, which emscripten builds; tests/page runs it",
    r"^paradl calibrate .*--gpu": "needs GPUs; tests/calibrate/cuda runs the programs against libraries that stand for one",
    r"^paradl validate --run": "trains for minutes; tests/calibrate/step_ranks.sh runs the same steps",
    r"^(sh scripts|meson|ninja|cc|\./embed)": "builds; scripts/test.sh and tests/installed.sh do",
}
# A measurement takes minutes: it is planned here, and what it would have written is among HAS.
PLANNED = r"^paradl calibrate "
ENDS = {}


def documents(root):
    names = ["README.md", *sorted(map(str, (root / "examples").rglob("*.md"))), *sorted(map(str, (root / "man").glob("*.scd")))]
    return [root / name for name in names]


def commands(text):
    """Lines of the blocks between ```: those after $, else those that begin with a program; continued lines joined."""
    for block in re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S):
        lines = block.replace("\\\n", " ").split("\n")
        prompted = any(line.startswith("$ ") for line in lines)
        for line in lines:
            begins = line.startswith("$ ") if prompted else re.match(r"(build/)?paradl |mpirun |sh scripts|meson |ninja |cc |\./embed", line)
            if begins:
                yield re.sub(r"^(\$ )?(build/)?", "", line)


def why_not(command):
    return next((reason for pattern, reason in NOT_RUN.items() if re.search(pattern, command)), None)


def run(command, folder, paradl, root):
    if re.search(PLANNED, command):
        command = re.sub(r"( -o |\s*#|$)", r" --dry-run\1", command, count=1)
    environment = {
        "PATH": f"{paradl.parent}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "PARADL_PATH": str(root),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "100",
    }
    return subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)


def furnish(folder, root):
    for name, source in HAS.items():
        shutil.copytree(root / source, folder / name) if (root / source).is_dir() else shutil.copy(root / source, folder / name)
    for name in (".zfunc", ".config/fish/completions", ".local/share/bash-completion/completions"):
        (folder / name).mkdir(parents=True)


def main():
    paradl, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    ran = left = failed = 0
    for document in [pathlib.Path(name).resolve() for name in sys.argv[3:]] or documents(root):
        with tempfile.TemporaryDirectory() as scratch:
            furnish(pathlib.Path(scratch), root)
            for command in commands(document.read_text()):
                reason = why_not(command)
                if reason:
                    left += 1
                    continue
                ran += 1
                result = run(command, pathlib.Path(scratch), paradl, root)
                if result.returncode != ENDS.get(command, 0):
                    failed += 1
                    print(f"{document.relative_to(root)}: {command}\n  ended with {result.returncode}: {result.stderr.strip()}")
    print(f"{ran} commands run, {failed} failed; {left} need more than this machine")
    return 1 if failed or not ran else 0


sys.exit(main())
