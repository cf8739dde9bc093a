# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests of measuring programs share: runs them, and reads what they wrote."""
import json
import subprocess

KEYS = ["launch", "point", "bench", "parameters", "flop", "bytes", "calls", "stopped", "processors", "switches", "flags", "seconds"]


def output(*arguments, status=0):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=500)
    assert done.returncode == status, (arguments, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def names(program, *options):
    """Of all points, in order; each once. Behind a name may stand the seconds that the point takes at least."""
    lines = [line.split(" ") for line in output(program, "--list", *options).split("\n")[:-1]]
    assert all(len(line) == 1 or (len(line) == 2 and float(line[1]) > 0) for line in lines), lines
    listed = [line[0] for line in lines]
    assert listed, "no points"
    assert len(set(listed)) == len(listed), [name for name in listed if listed.count(name) > 1]
    assert not [name for name in listed if " " in name or '"' in name], listed
    return listed


def points(path):
    """Lines of points that were measured or failed, by name; checked against what every such line has."""
    found = {}
    launches = set()
    with open(path, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            if "point" not in line:
                assert line["format"] == "paradl-samples" and line["version"] == 1, line
                launches.add(line["launch"])
                continue
            assert line["launch"] in launches, line
            assert line["point"] not in found, line["point"]
            found[line["point"]] = line
            if "failed" in line or "absent" in line:
                continue
            assert list(line) == KEYS, list(line)
            assert line["stopped"] in ("interval", "time", "count"), line
            assert line["calls"] >= 1 and line["seconds"] and min(line["seconds"]) > 0, line
    return found
