#!/usr/bin/env -S python3 -I -S
# SPDX-License-Identifier: GPL-3.0-or-later
"""A measuring program for tests: it speaks as the real ones do, and fails as it is told to.

TELL (the environment) is words NAME=VALUE: points=N of each of the benches gemm and memory, sleep=SECONDS for a point,
hang=POINT, crash=POINT, crash-once=POINT (while the file "crashed" is not there), fail-once=POINT (likewise "failed"), wait=FILE
before the first point until there is one, exit=STATUS at once, no-hardware, as-root (as mpirun complains), hang-list, least=SECONDS
that each point takes at least."""
import argparse
import json
import os
import signal
import sys
import time

tell = dict(word.partition("=")[::2] for word in os.environ.get("TELL", "").split())
parser = argparse.ArgumentParser()
for name in ("out", "launch", "seed", "only", "cases", "directory", "cap", "time", "retry-before"):
    parser.add_argument("--" + name)
for name in ("quick", "full", "list", "benches"):
    parser.add_argument("--" + name, action="store_true")
options = parser.parse_args()
program = os.path.basename(sys.argv[0]).rpartition("-")[2]
benches = ["gemm", "memory"]


def say(*words):
    print(*words, flush=True)


def complain(text, status):
    print(f"paradl-measure-{program}: {text}", file=sys.stderr)
    sys.exit(status)


if options.benches:
    for bench in benches:
        print(bench, "of the test")
    sys.exit(0)
wanted = options.only.split(",") if options.only else benches
points = [f"{bench}/{i}" for bench in benches if bench in wanted for i in range(int(tell.get("points", 3)))]
if options.cases:
    with open(options.cases) as lines:
        points += ["/".join(line.split()) for line in lines]
if "as-root" in tell:
    print("mpirun has detected an attempt to run as root.", file=sys.stderr)
    sys.exit(1)
if options.list:
    if "hang-list" in tell:
        time.sleep(10000)
    least = " " + tell["least"] if "least" in tell else ""
    print(*(point + least for point in points), sep="\n")
    sys.exit(0)
if "exit" in tell:
    complain("as it was told", int(tell["exit"]))
if "no-hardware" in tell:
    complain("no such hardware is here", 77)

launch = f"{program}.{options.launch}"
out = open(options.out, "ab+")
out.seek(0)
text = out.read()
whole = text.rfind(b"\n") + 1
out.truncate(whole)
at, done = 0, set()
for line in text[:whole].splitlines(keepends=True):
    values = json.loads(line)
    again = "failed" in values and (values.get("again") or at < int(options.retry_before or 0))
    at += len(line)
    if values["launch"] == launch and "point" in values and not again:
        done.add(values["point"])


def write(**line):
    data = (json.dumps(line, separators=(",", ":")) + "\n").encode()
    try:
        if os.write(out.fileno(), data) < len(data):
            complain(f"{options.out}: cannot be written: half of a line", 5)
        os.fdatasync(out.fileno())
    except OSError as error:
        complain(f"{options.out}: cannot be written: {error.strerror}", 5)


signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
write(launch=launch, format="paradl-samples", version=1, program=program, number=int(options.launch),
      seed=int(options.seed), effort="quick" if options.quick else "usual", date="2026-11-22T04:20:00Z", host="here",
      environment={})
say("points", len(points))
while "wait" in tell and not os.path.exists(tell["wait"]):
    time.sleep(0.01)
for point in points:
    if point in done:
        say("skip", point)
        continue
    say("start", point)
    if point == tell.get("hang"):
        time.sleep(10000)
    if point == tell.get("crash"):
        os.kill(os.getpid(), signal.SIGKILL)
    if point == tell.get("crash-once") and not os.path.exists("crashed"):
        open("crashed", "w").close()
        os.abort()
    time.sleep(float(tell.get("sleep", 0)))
    bench = point.split("/")[0]
    if point == tell.get("fail-once") and not os.path.exists("failed"):
        open("failed", "w").close()
        write(launch=launch, point=point, bench=bench, parameters={}, failed="out of luck")
        say("failed", point, "out of luck")
        continue
    write(launch=launch, point=point, bench=bench, parameters={}, flop=0, bytes=0, calls=1, stopped="count",
          flags=[], seconds=[0.001, 0.0011])
    say("done", point, 0.00105, 0.012, 2)
sys.exit(0)
