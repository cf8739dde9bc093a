# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the programs of examples/library/ as their readers do, and holds that the manual page shows the same lines:
programs.py BUILT SOURCE LIBRARY [--no-python]"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

built, source, library = (pathlib.Path(path) for path in sys.argv[1:4])
PLAN = {"ask": "estimate", "model": "resnet50", "hw": "abci", "strategy": "data=16"}


def run(*words, given=None, **more):
    """Returns what a program prints; its failure is one of this test."""
    return subprocess.run([str(word) for word in words], input=given, text=True, check=True, capture_output=True, **more).stdout


def check_rank():
    lines = run(built / "rank", source / "hw-profiles/abci.json", 64).splitlines()
    assert len(lines) > 10 and re.match(r"1\. data=64", lines[0]), lines[:2]
    times = [float(re.search(r" ([0-9.e+-]+) s, ", line)[1]) for line in lines]
    assert times == sorted(times), times
    wrong = subprocess.run([built / "rank", source / "hw-profiles/none.json"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1 and "cannot open" in wrong.stderr, wrong


def check_ask():
    assert "data=64" in run(built / "ask", source)


def check_service():
    plans = ["data=16", "data=8,spatial=2", "nonsense", "data=32"] * 8
    answers = run(built / "service", source, given="".join(json.dumps({**PLAN, "strategy": plan, "as": "jsonl"}) + "\n" for plan in plans))
    lines = [line for line in answers.splitlines() if line]
    assert len(lines) == len(plans), answers
    for plan, line in zip(plans, lines):
        assert json.loads(line)["strategy"] == plan if plan != "nonsense" else "nonsense" in line, line


def check_binding():
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(library.resolve(), pathlib.Path(folder) / "libparadl.so.1")
        answer = run(sys.executable, source / "examples/library/binding.py", source, json.dumps(PLAN),
                     env={**os.environ, "LD_LIBRARY_PATH": folder})
    assert answer.startswith("data=16 0."), answer


def check_page():
    page = (source / "man/libparadl.3.scd").read_text(encoding="utf-8")
    for name, start in (("ask.c", "#include"), ("service.c", "#include"), ("binding.py", "import ")):
        text = (source / "examples/library" / name).read_text(encoding="utf-8").strip()
        shown = text[text.index("\n" + start) + 1:].replace("\\", "\\\\")
        assert shown in page, f"man/libparadl.3.scd does not show {name}"



check_rank()
check_ask()
check_service()
if "--no-python" not in sys.argv:
    check_binding()
check_page()
