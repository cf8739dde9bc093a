# SPDX-License-Identifier: BSD-3-Clause
"""What is written: rows of paradl-measured(5), samples of paradl-samples(5). Needs no PyTorch."""
import csv
import io
import json
import os
import statistics
import time

from torch_file import Trouble

COLUMNS = ("model", "hw", "strategy", "batch", "precision", "unit", "total_s", "memory_bytes", "framework", "includes", "seq", "set", "source", "notes")
KEY = ("model", "hw", "batch", "precision", "framework", "seq", "set")


def percentile(values, share):
    """Value below which a share of the values is, between neighbours by their distance."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def half_width(values):
    """Half of the 95 % interval of the median, by ranks, over the median."""
    ordered, count = sorted(values), len(values)
    reach = 0.98 * count ** 0.5
    low, high = max(0, int((count - 1) / 2 - reach)), min(count - 1, int((count - 1) / 2 + reach + 0.999999))
    return (ordered[high] - ordered[low]) / 2 / statistics.median(values)


def spread(values):
    """(p90 - p10) / median."""
    return (percentile(values, 0.9) - percentile(values, 0.1)) / statistics.median(values)


def append(path, text):
    """Adds text that is on the disk when this returns; a file that ends within a line loses that line first."""
    try:
        with open(path, "ab+") as file:
            file.seek(0)
            there = file.read()
            if there and not there.endswith(b"\n"):
                file.truncate(there.rfind(b"\n") + 1)
            file.seek(0, os.SEEK_END)
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Trouble(f"{path}: {error.strerror}") from error


def csv_line(cells):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


class Rows:
    """A file of measured rows, which grows by one for each point."""

    def __init__(self, path):
        self.path, self.keys = path, set()
        if not path or not os.path.exists(path) or not os.path.getsize(path):
            self.empty = True
            return
        self.empty = False
        with open(path, encoding="utf-8", newline="") as file:
            whole = file.read()
        whole = whole[:whole.rfind("\n") + 1]
        lines = [line for line in whole.splitlines(True) if not line.startswith("#")]
        if not lines:
            self.empty = True
            return
        reader = csv.DictReader(io.StringIO("".join(lines)))
        if tuple(reader.fieldnames or ()) != COLUMNS:
            raise Trouble(f"{path} has other columns; name a file that this program has begun, or a new one")
        for row in reader:
            self.keys.add(tuple(row[name] for name in KEY))

    @staticmethod
    def key(row):
        return tuple(str(row.get(name, "")) for name in KEY)

    def has(self, row):
        return self.key(row) in self.keys

    def add(self, row):
        if not self.path:
            return
        text = "" if not self.empty else "# Steps of PyTorch on one device, medians; paradl-measured(5).\n" + csv_line(COLUMNS)
        append(self.path, text + csv_line([row.get(name, "") for name in COLUMNS]))
        self.empty = False
        self.keys.add(self.key(row))


class Samples:
    """A file of samples, as the other measuring programs write them."""

    def __init__(self, path, launch, seed, effort, host, environment):
        self.path, self.launch = path, f"step-torch.{launch}"
        if path:
            append(path, json.dumps({"launch": self.launch, "format": "paradl-samples", "version": 1, "program": "step-torch", "number": launch,
                                     "seed": seed, "effort": effort, "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "host": host,
                                     "environment": environment}, separators=(",", ":")) + "\n")

    def add(self, point, parameters, seconds, **others):
        self.line(point, parameters, dict(others, seconds=[float(f"{second:.7g}") for second in seconds]))

    def failed(self, point, parameters, reason, absent):
        self.line(point, parameters, {"failed": reason, **({"absent": True} if absent else {})})

    def line(self, point, parameters, rest):
        if self.path:
            append(self.path, json.dumps({"launch": self.launch, "point": point, "bench": point.split("/")[0], "parameters": parameters, **rest},
                                         separators=(",", ":")) + "\n")


def say(*words):
    """A line for whoever has started the program."""
    print(*words, flush=True)
