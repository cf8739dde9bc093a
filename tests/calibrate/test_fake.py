# SPDX-License-Identifier: GPL-3.0-or-later
"""From a made-up machine to its profile: test_fake.py PARADL FAKE

paradl calibrate --fake takes samples with noise, wild ones and a launch that is not like the others; paradl fit has to give back what
is true, which is in the environment of each launch."""
import collections
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

LAUNCHES, ODD = 5, 2
# What is wrong with one launch, beside the share of wild samples, and the verdict that says so: two modes near each other, far apart,
# and slow as a whole.
ODDITIES = (({"PARADL_FAKE_OUTLIERS": "0.05", "PARADL_FAKE_BIMODAL": f"{ODD}"}, "slow-launch"),
            ({"PARADL_FAKE_BIMODAL": f"{ODD}:2.5"}, "bimodal"),
            ({"PARADL_FAKE_OUTLIERS": "0.05", "PARADL_FAKE_SLOW": f"{ODD}:1.4"}, "slow-launch"))
# A point is a median of 5 medians of some 40 samples: 0.6 % is its standard deviation, and there are 150 of them.
NUMBERS_OFF, POINTS_OFF, POINTS_WITHIN, A_POINT_OFF = 0.02, 0.02, 0.97, 0.03
paradl, fake = (os.path.realpath(argument) for argument in sys.argv[1:3])
worst = collections.defaultdict(lambda: (0, ""))


def run(*arguments, **environment):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=100,
                          env=dict(os.environ, **environment))
    assert done.returncode == 0, (arguments, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def calibrate(out, seed, **trouble):
    run(paradl, "calibrate", "--fake", "--launches", str(LAUNCHES), "--seed", str(seed), "-o", out, "-q", **trouble)


def fit(samples, profile):
    return json.loads(run(paradl, "fit", samples, "--into", profile, "--json"))


def truth_of(samples):
    with open(samples, encoding="utf-8") as file:
        environment = json.loads(file.readline())["environment"]
    found = {name[len("truth/"):]: value for name, value in environment.items() if name.startswith("truth/")}
    assert found
    return found


def protocols(text):
    """"start:rate@upto start:rate@upto start:rate@0" """
    found = []
    for word in text.split():
        start, _, rest = word.partition(":")
        rate, _, upto = rest.partition("@")
        found.append((float(upto) or math.inf, float(start), 1 / float(rate)))
    return found


def near(what, found, true, tolerance):
    off = abs(found / true - 1)
    group = what.partition(" of ")[0]
    if off > worst[group][0]:
        worst[group] = (off, what)
    if off > tolerance:
        problems.append(f"{what}: {found:.6g}, true is {true:.6g}, {100 * off:.2f} % off")


def check_numbers(fitted, truth):
    numbers = {number["path"]: number for number in fitted["numbers"]}
    expected = {
        "levels/0/latency": "node/alpha_s",
        "levels/0/bandwidth": "node/bytes_per_s",
        "levels/0/ring": "node/ring",
        "levels/1/latency": "far/alpha_s",
        "levels/1/bandwidth": "far/bytes_per_s",
        "levels/1/ring": "far/ring",
        "levels/1/contention/0/slowdown": "far/slowdown/2",
        "levels/1/contention/1/slowdown": "far/slowdown/4",
        "memory_rate": "memory/bytes_per_s",
        "memory_rates/0/rate": "memory/cache/bytes_per_s",
        "peak/fp32": "product/fp32",
        "peak/bf16": "product/bf16",
    }
    for kind in ("product", "contraction"):
        for side in "mnk":
            expected[f"{kind}/half/{side}"] = f"{kind}/half/{side}"
    for path, name in expected.items():
        if path not in numbers:
            problems.append(f"{path} was not fitted")
            continue
        number = numbers[path]
        near(f"number of {path}", number["value"], float(truth[name]), NUMBERS_OFF)
        assert number["launches"] == LAUNCHES and not number["is_range"], number
        low, high = number["low"] or number["value"], number["high"] or number["value"]
        assert 0 < low <= number["value"] <= high, number
    near("number of the rate of convolutions", numbers["contraction/efficiency"]["value"] * numbers["peak/fp32"]["value"],
         float(truth["contraction/fp32"]), NUMBERS_OFF)
    assert [numbers[f"levels/1/contention/{i}/groups"]["value"] for i in (0, 1)] == [2, 4]
    cache = float(truth["memory/cache/bytes"])
    assert cache / 2 < numbers["memory_rates/0/up_to"]["value"] < 2 * cache
    assert "memory_rates/1/rate" not in numbers


def check_segments(where, curve, true):
    """As many as there are protocols, the same sizes in each, the same start-ups and rates."""
    found = curve["segments"]
    if len(found) != len(true):
        problems.append(f"{where} has {len(found)} segments of {len(true)}")
        return
    sizes = [point["bytes"] for point in curve["points"]]
    begin = 0
    for i, (segment, (upto, start_s, s_per_byte)) in enumerate(zip(found, true)):
        first = min(size for size in sizes if size > begin)
        if segment["from_bytes"] != first:
            problems.append(f"segment {i} of {where} begins at {segment['from_bytes']}, not at {first}")
        last = max(size for size in sizes if size <= upto)
        for size in (first, last):
            here = segment["start_s"] + segment["s_per_byte"] * size
            near(f"end of segment {i} of {where}", here, start_s + s_per_byte * size, NUMBERS_OFF)
        begin = upto
    assert all(segment["start_s"] >= 0 and segment["s_per_byte"] >= 0 for segment in found), found
    assert found[0]["start_s"] > 0, found
    near(f"alpha of {where}", found[0]["start_s"], true[0][1], NUMBERS_OFF)
    near(f"beta of {where}", found[-1]["s_per_byte"], true[-1][2], NUMBERS_OFF)


def check_curves(fitted, truth):
    places = {("point-to-point", 1): "node", ("point-to-point", 2): "far"}
    places.update({("allreduce", nodes): f"allreduce/{nodes}" for nodes in (1, 2, 4, 8)})
    curves = {(curve["operation"], curve["nodes"]): curve for curve in fitted["curves"]}
    assert set(curves) == set(places), set(curves)
    every = []
    for key, where in places.items():
        true = protocols(truth[where + "/protocols"])
        offs = []
        for point in curves[key]["points"]:
            _, start_s, s_per_byte = next(p for p in true if point["bytes"] <= p[0])
            exact = start_s + s_per_byte * point["bytes"]
            offs.append(point["time_s"] / exact - 1)
            near(f"point of {where} at {point['bytes']}", point["time_s"], exact, A_POINT_OFF)
        near(f"median point of {where}", 1 + statistics.median(map(abs, offs)), 1, POINTS_OFF)
        every += offs
        check_segments(where, curves[key], true)
    within = sum(abs(off) <= POINTS_OFF for off in every) / len(every)
    if within < POINTS_WITHIN:
        problems.append(f"only {100 * within:.1f} % of {len(every)} points are within {100 * POINTS_OFF:.0f} %")


def lines_of_launch(samples, launch):
    """Numbers of the lines of its points."""
    with open(samples, encoding="utf-8") as file:
        return {i for i, text in enumerate(file, 1) if text.startswith(f'{{"launch":"fake.{launch}","point"')}


def check_named(samples, fitted, judge, least):
    """Most of the odd launch's lines are named, and hardly another; a verdict says it as well."""
    lines = lines_of_launch(samples, ODD)
    named = {outlier["line"] for outlier in fitted["outliers"]}
    assert len(named & lines) >= least * len(lines), (len(named & lines), len(lines))
    assert len(named - lines) <= 0.02 * len(lines), len(named - lines)
    verdicts = {verdict["judge"]: verdict for verdict in fitted["verdicts"]}
    assert judge in verdicts, list(verdicts)
    verdict = verdicts[judge]
    place = verdict["where"].rpartition(":")[2]
    assert f"launch fake.{ODD}" in verdict["text"], verdict
    assert not place.isdigit() or int(place) in lines, verdict


def check_seed(folder, seed, trouble, judge):
    samples, profile = os.path.join(folder, f"{seed}.jsonl"), os.path.join(folder, f"{seed}.json")
    calibrate(samples, seed, PARADL_FAKE_NOISE="0.05", **trouble)
    fitted = fit(samples, profile)
    truth = truth_of(samples)
    check_numbers(fitted, truth)
    check_curves(fitted, truth)
    check_named(samples, fitted, judge, 0.9)
    run(paradl, "check", samples)
    run(paradl, "check", profile)


def check_exact(folder):
    """Without noise everything is exact, and nothing is odd."""
    samples = os.path.join(folder, "exact.jsonl")
    calibrate(samples, 1)
    fitted = fit(samples, os.path.join(folder, "exact.json"))
    truth = truth_of(samples)
    before = dict(worst)
    worst.clear()
    check_numbers(fitted, truth)
    check_curves(fitted, truth)
    assert max(off for off, _ in worst.values()) < 1e-4, dict(worst)
    worst.update(before)
    assert not fitted["outliers"], fitted["outliers"][:3]


problems = []
# Every line is synchronised, which takes a disk longer than all the rest.
fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
with tempfile.TemporaryDirectory(dir=fast) as directory:
    for number, oddity in enumerate(ODDITIES, 1):
        check_seed(directory, number, *oddity)
    check_exact(directory)
for group, (off, what) in sorted(worst.items()):
    print(f"{group}: at most {100 * off:.2f} % off ({what})")
print(*problems, sep="\n")
sys.exit(bool(problems))
