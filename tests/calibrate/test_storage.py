# SPDX-License-Identifier: GPL-3.0-or-later
"""paradl-measure-storage: leaves nothing behind, however it ends: test_storage.py PROGRAM"""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

import samples

program = sys.argv[1]


def nothing_is_left(directory):
    """What a killed program left is removed by a process that notices: a moment later."""
    for _ in range(200):
        if not os.listdir(directory):
            return
        time.sleep(0.05)
    raise AssertionError(os.listdir(directory))


def start(directory, out, *options):
    return subprocess.Popen(
        [program, "--quick", "--directory", directory, "--out", out, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended_by(number, status, directory, out):
    running = start(directory, out)
    while not (os.listdir(directory) and os.path.exists(out) and os.path.getsize(out)):
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.01)
    time.sleep(0.3)
    running.send_signal(number)
    # Also: no process of its own keeps this pipe open.
    running.communicate(timeout=60)
    assert running.returncode == status, running.returncode
    nothing_is_left(directory)
    samples.points(out)


def refused(status, *options):
    done = subprocess.run([program, "--quick", *options], capture_output=True, text=True, timeout=60)
    assert done.returncode == status and done.stderr.count("\n") == 1, done
    return done.stderr


with tempfile.TemporaryDirectory() as outside, tempfile.TemporaryDirectory() as inside:
    out = os.path.join(outside, "samples.jsonl")
    expected = samples.names(program, "--quick", "--directory", inside)
    nothing_is_left(inside)

    samples.output(program, "--quick", "--cap", "0.02", "--directory", inside, "--out", out)
    nothing_is_left(inside)
    found = samples.points(out)
    assert sorted(found) == sorted(expected)
    for line in found.values():
        p = line["parameters"]
        if "seconds" not in line:
            continue
        assert p["tier"] in ("local", "shared") and p["clients"] >= 1, line
        if line["bench"] in ("read", "write"):
            assert line["bytes"] == p["size"] and p["size"] % (p["block"] * p["clients"]) == 0, line
        assert ("cached" in line["flags"]) == (p["direct"] == 0 and (line["bench"] == "read" or p["kind"] == "open-read-close"))
        assert line["bench"] != "write" or p["sync"] == 1, line

    for number, status in ((signal.SIGTERM, 130), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        ended_by(number, status, inside, os.path.join(outside, "%d.jsonl" % number))

    # Files may have 1 MiB: what needs more fails and says so, the rest is measured.
    limited = subprocess.run(
        [program, "--quick", "--cap", "0.02", "--directory", inside, "--out", os.path.join(outside, "limited.jsonl")],
        capture_output=True,
        text=True,
        timeout=500,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1048576, 1048576)),
    )
    assert limited.returncode == 1, limited
    nothing_is_left(inside)
    found = samples.points(os.path.join(outside, "limited.jsonl"))
    failed = [line["failed"] for line in found.values() if "failed" in line]
    assert failed and all("File too large" in reason for reason in failed), failed
    assert any(line["bench"] == "files" and "seconds" in line for line in found.values())

    assert "--directory" in refused(77)
    assert "Not a directory" in refused(2, "--directory", out)
    assert "No such file" in refused(2, "--directory", os.path.join(outside, "nowhere"))
