#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A sweep whose file was cut anywhere, or that was interrupted, goes on to the same bytes: sweep_resume.py PARADL ROOT"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

paradl, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
os.environ["PARADL_PATH"] = str(root)
question = ["sweep", "tiny-cnn", "--hw", "abci", "--gpus", "2,4", "--vary", "batch=8,16", "-s", "data=*;filter=*", "--threads", "1"]
failed = False


def run(*words, **options):
    return subprocess.run([paradl, *words], capture_output=True, text=True, **options)


def expect(holds, what):
    global failed
    if not holds:
        print("not " + what)
        failed = True


def cut_everywhere(scratch, ending, columns):
    """What is kept of a sweep that could not replace a folder is cut after each of its bytes."""
    words = [*question, "--columns", columns]
    plain, kept = scratch / ("plain" + ending), scratch / ("kept" + ending)
    part = pathlib.Path(str(kept) + ".part")
    expect(run(*words, "-o", plain.name, cwd=scratch).returncode == 0, "a plain sweep")
    # The words are part of the question: the folder has the name of the file.
    kept.mkdir()
    expect(run(*words, "--resume", kept.name, cwd=scratch).returncode == 5, "refused: a folder")
    whole = part.read_bytes()
    expect(whole.count(b"\n") == 1 + 8, f"eight points kept: {whole}")
    kept.rmdir()
    places = range(len(whole) + 1) if ending == ".csv" else (0, 40, len(whole) // 2, len(whole) - 3, len(whole))
    for place in places:
        part.write_bytes(whole[:place])
        result = run(*words, "--resume", kept.name, cwd=scratch)
        expect(result.returncode == 0, f"going on after {place} bytes: {result.stderr}")
        expect(not part.exists(), "nothing left")
        same = kept.read_text().replace('"--resume"', '"-o"').replace(kept.name, plain.name) == plain.read_text()
        expect(same, f"the same after {place} bytes")
        kept.unlink()
    # Another question, another version, other files, another sweep: refused.
    part.write_bytes(whole)
    for other, said in ((["--batch", "8"], "only one of"), (["--ideal"], "a word was"), (["--per-gpu", "2"], "only one of")):
        result = run(*words, *other, "--resume", kept.name, cwd=scratch)
        expect(result.returncode == 2 and said in result.stderr, f"refused: {other}: {result.stderr}")
    for old, new in ((b'"paradl":"', b'"paradl":"9'), (b'.json":"', b'.json":"0'), (b"paradl-sweep-part", b"paradl-else")):
        part.write_bytes(whole.replace(old, new, 1))
        result = run(*words, "--resume", kept.name, cwd=scratch)
        expect(result.returncode == 2 and "hint" in result.stderr, f"refused: {new}: {result.stderr}")
    part.write_bytes(whole + whole[whole.index(b"\n") + 1:])
    expect(run(*words, "--resume", kept.name, cwd=scratch).returncode == 2, "refused: too many points")
    part.unlink()


def interrupt(scratch, number):
    """A signal leaves what is done, and says so."""
    words = ["sweep", "resnet50", "--hw", "abci", "--gpus", "4..1024", "--vary", "batch=1024..9216+512", "--vary",
             "hw.levels.1.bandwidth=x0.5..x2*1.01", "-s", "data=*", "--columns", "gpus,iteration_s", "--threads", "1"]
    plain, kept = scratch / "plain.csv", scratch / "kept.csv"
    part = pathlib.Path(str(kept) + ".part")
    expect(run(*words, "-o", plain).returncode == 0, "a plain sweep")
    process = subprocess.Popen([paradl, *words, "--resume", kept.name], cwd=scratch, stderr=subprocess.PIPE, text=True)
    while not (part.exists() and part.stat().st_size > 5000) and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(number)
    said = process.communicate()[1]
    if number == signal.SIGKILL:
        expect(process.returncode == -number, "killed")
    else:
        expect(process.returncode == 130 and "interrupted after" in said, f"interrupted: {process.returncode} {said}")
    expect(part.exists() and not kept.exists(), "a part left")
    expect(run(*words, "--resume", kept.name, cwd=scratch).returncode == 0, "going on")
    expect(kept.read_bytes() == plain.read_bytes(), "the same bytes")
    kept.unlink()


with tempfile.TemporaryDirectory() as name:
    cut_everywhere(pathlib.Path(name), ".csv", "gpus,iteration_s")
    cut_everywhere(pathlib.Path(name), ".jsonl", "gpus,strategy,reason")
    cut_everywhere(pathlib.Path(name), ".json", "gpus,strategy,reason")
    cut_everywhere(pathlib.Path(name), ".txt", "gpus,strategy,reason")
    for number in (signal.SIGTERM, signal.SIGKILL):
        interrupt(pathlib.Path(name), number)
sys.exit(failed)
