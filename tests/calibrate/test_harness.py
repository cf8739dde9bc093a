# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that a measuring program has said is lost, however it ends: test_harness.py FAKE

FAKE is paradl-measure-fake, which takes no time. It is killed at random moments and continued, its file may not grow any more, and
nobody reads what it prints."""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

import samples

KILLS = 40
program = os.path.realpath(sys.argv[1])
seed = random.randrange(10**6)
chance = random.Random(seed)
os.environ.update(PARADL_FAKE_NOISE="0.05", PARADL_FAKE_OUTLIERS="0.05", PARADL_FAKE_BIMODAL="0")
names = set(samples.names(program, "--quick"))


def command(out, *more):
    return [program, "--quick", "--seed", "3", "--cap", "20", "--out", out, *more]


def whole_lines(out):
    """Names of points in lines that have an end; all but the last must have one."""
    with open(out, encoding="utf-8") as file:
        text = file.read()
    lines = [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]
    found = [line["point"] for line in lines if "point" in line]
    assert len(set(found)) == len(found), "a point twice"
    return set(found)


def killed(out):
    """One run, ended some time after a number of points; what it said was done or is there already."""
    run = subprocess.Popen(command(out), stdout=subprocess.PIPE, text=True, bufsize=1)
    said = set()
    for _ in range(chance.randrange(12)):
        line = run.stdout.readline()
        said.add(line)
        if not line:
            break
    time.sleep(chance.uniform(0, 0.002))
    run.kill()
    said.update(run.stdout)
    run.wait()
    # What was cut off in the middle says nothing.
    whole = [line.split() for line in said if line.endswith("\n")]
    return run.returncode, {words[1] for words in whole if words[0] in ("done", "skip")}


def check_kills(out):
    died = 0
    done = set()
    for _ in range(KILLS):
        status, said = killed(out)
        died += status == -signal.SIGKILL
        done |= said
        if os.path.exists(out):
            found = whole_lines(out)
            assert done <= found, done - found
            assert found <= names, found - names
        if done == names:
            os.unlink(out)
            done = set()
    assert died > KILLS // 2, f"only {died} of {KILLS} were killed"
    samples.output(*command(out))
    assert set(samples.points(out)) == names
    return died


def check_same_samples(out, resumed):
    """Being killed changes no sample: they are those of a run in one go."""
    samples.output(*command(out))
    for name, line in samples.points(out).items():
        assert (line["calls"], line["seconds"]) == (resumed[name]["calls"], resumed[name]["seconds"]), name


def check_full(out):
    """A file that may not grow: status 5, whole lines, and it goes on where there is room again."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    run = subprocess.run(command(out), preexec_fn=limit, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 5, (run.returncode, run.stderr)
    assert out in run.stderr, run.stderr
    done = {line.split()[1] for line in run.stdout.splitlines() if line.startswith("done ")}
    with open(out, encoding="utf-8") as file:
        assert file.read().endswith("\n")
    assert done == whole_lines(out) and 0 < len(done) < len(names), len(done)
    said = samples.output(*command(out))
    assert {line.split()[1] for line in said.splitlines() if line.startswith("skip ")} == done
    assert set(samples.points(out)) == names


def check_no_reader(out):
    """Whoever reads the progress may go; the samples are still taken."""
    run = subprocess.Popen(command(out), stdout=subprocess.PIPE)
    run.stdout.close()
    assert run.wait(timeout=60) == 0
    assert set(samples.points(out)) == names


def check_stop(out):
    """A signal ends it in order."""
    run = subprocess.Popen(command(out), stdout=subprocess.PIPE, text=True)
    run.stdout.readline()
    run.send_signal(signal.SIGTERM)
    said = run.stdout.read()
    assert run.wait(timeout=60) == 130, run.returncode
    done = {line.split()[1] for line in said.splitlines() if line.startswith("done ")}
    assert done == set(samples.points(out)) and done < names, len(done)


def check_time(out):
    """Points share the time of all: those that are there are through by then, whatever their cap."""
    begin = time.monotonic()
    samples.output(*command(out, "--cap", "60", "--time", "2"))
    assert whole_lines(out) == names and time.monotonic() - begin < 10, time.monotonic() - begin


def check_refusals(out):
    samples.output(*command(out, "--only", "gemm"))
    os.environ["PARADL_FAKE_NOISE"] = "0.1"
    samples.output(*command(out), status=2)
    os.environ["PARADL_FAKE_NOISE"] = "much"
    samples.output(*command(out), status=1)
    os.environ["PARADL_FAKE_NOISE"] = "0.05"
    samples.output(program, "--only", "gem", "--out", out, status=2)
    samples.output(program, status=2)
    samples.output(*command("/nowhere/x.jsonl"), status=5)


print("seed", seed)
with tempfile.TemporaryDirectory() as directory:
    paths = [os.path.join(directory, f"{i}.jsonl") for i in range(7)]
    died = check_kills(paths[0])
    check_same_samples(paths[1], samples.points(paths[0]))
    check_full(paths[2])
    check_no_reader(paths[3])
    check_stop(paths[4])
    check_refusals(paths[5])
    check_time(paths[6])
print(f"{died} of {KILLS} were killed, {len(names)} points")
