#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What whole commands cost: commands.py PARADL [--write | --check] [NAME...]

Each command of commands.txt is run under valgrind, which counts its instructions, and some times without, for the least time of
user and system. Without an option the table is printed beside the counts of commands.csv; --write writes commands.csv (of
all commands); --check fails where a count is more than 2 % above it. Counts of one binary are the same from run to run, but
those of another compiler, library or valgrind are others: --check then says so and ends with 77, which Meson calls skipped."""
import argparse
import csv
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TABLE = HERE / "commands.csv"
MARGIN = 0.02
TIMES = 5
SKIPPED = 77
# The C library chooses its functions by the processor. Without these it takes those that each x86-64 has, nor does it clear
# memory by "rep stosb", of which valgrind counts each byte.
PLAIN = ("AVX AVX2 AVX512F AVX512BW AVX512VL AVX_Fast_Unaligned_Load BMI1 BMI2 ERMS FMA FMA4 FSRM LZCNT MOVBE POPCNT "
         "SSSE3 SSE4_1 SSE4_2").split()
ENVIRONMENT = {"COLUMNS": "100", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1", "PARADL_PATH": ".", "PATH": "/usr/bin:/bin"}


def commands():
    """Names and arguments, in the order of commands.txt."""
    lines = (HERE / "commands.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split(None, 1) for line in lines if line and not line.startswith("#"))


def conditions(tool):
    """What counts depend on, besides the sources."""
    compilers = set(re.findall(rb"GCC: (\([^)]*\) [0-9.]+)", tool.read_bytes()))
    loaded = subprocess.run(["ldd", tool], capture_output=True, text=True, check=True).stdout
    files = [pathlib.Path(path).resolve().name for path in re.findall(r"=> (/\S+)", loaded)]
    version = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout
    return {
        "compiler": ", ".join(sorted("gcc " + name.decode() for name in compilers)) or "not gcc",
        "libraries": " ".join([platform.machine(), os.confstr("CS_GNU_LIBC_VERSION"), *sorted(files)]),
        "valgrind": version.strip(),
    }


def processor():
    """The name of this one: times are its own."""
    names = re.findall(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    return names[0] if names else "unknown"


def finish(command, environment):
    """Runs it in the root; its resource usage and what it said."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    if child.returncode != 0:
        sys.exit(f"{shlex.join(command)}: exit status {child.returncode}\n{text}")
    return usage, text


def instructions(program, arguments):
    """Counted by valgrind, with the functions of any processor."""
    hidden = "glibc.cpu.hwcaps=" + ",".join("-" + name for name in PLAIN)
    count = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, *arguments]
    _, text = finish(count, {**ENVIRONMENT, "GLIBC_TUNABLES": hidden})
    return int(re.search(r"refs:\s*([\d,]+)", text)[1].replace(",", ""))


def milliseconds(program, arguments):
    """The least of some runs, user and system."""
    usages = [finish([program, *arguments], ENVIRONMENT)[0] for _ in range(TIMES)]
    return 1000 * min(usage.ru_utime + usage.ru_stime for usage in usages)


def table():
    """The conditions and the rows of commands.csv, which need not be there."""
    if not TABLE.exists():
        return {}, {}
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    said = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    return said, {row["name"]: row for row in csv.DictReader(line for line in lines if not line.startswith("#"))}


def write(now, rows):
    """Rewrites commands.csv."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        for key, value in {**now, "processor": processor()}.items():
            file.write(f"# {key}: {value}\n")
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["name", "million_instructions", "ms", "command"])
        out.writerows(rows)


def check(program, chosen, before):
    """Compares counts with the table; the number of those that are too many."""
    failed = 0
    for name, text in chosen.items():
        if name not in before or before[name]["command"] != text:
            print(f"{name}: not in commands.csv as it is in commands.txt; commands.py --write writes it")
            failed += 1
            continue
        least, now = float(before[name]["million_instructions"]), instructions(program, shlex.split(text)) / 1e6
        over = now > least * (1 + MARGIN)
        failed += over
        print(f"{name}: table {least:.2f}, now {now:.2f} million instructions, {100 * (now / least - 1):+.2f} %"
              + (": too many" if over else ""))
    if failed:
        print("A change above 2 % is explained in the commit that makes it, which rewrites the table: see CONTRIBUTING.md.")
    return failed


def measure(program, chosen, before):
    """Prints the table, beside the one that is there; the rows of the new one."""
    rows = []
    print(f"{'':20}{'Minstr':>10}{'table':>10}{'':9}{'ms':>8}")
    for name, text in chosen.items():
        arguments = shlex.split(text)
        count, ms = instructions(program, arguments) / 1e6, milliseconds(program, arguments)
        old = float(before[name]["million_instructions"]) if name in before else 0
        beside = f"{old:10.2f}{100 * (count / old - 1):+7.2f} %" if old else f"{'-':>10}{'':9}"
        print(f"{name:20}{count:10.2f}{beside}{ms:8.1f}  {text}", flush=True)
        rows.append([name, f"{count:.2f}", f"{ms:.1f}", text])
    return rows


def main():
    """Reads the arguments; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="rewrite commands.csv")
    parser.add_argument("--check", action="store_true", help="fail where there are more than 2 %% more instructions")
    parser.add_argument("names", nargs="*", help="of commands.txt; without any, all")
    given = parser.parse_intermixed_args()
    every, tool = commands(), given.tool.resolve()
    unknown = [name for name in given.names if name not in every]
    if unknown or (given.write and given.names):
        parser.error(f"no command is called {unknown[0]}" if unknown else "--write writes all commands")
    chosen = {name: every[name] for name in given.names or every}
    said, before = table()
    now = conditions(tool)
    differing = [key for key in now if said.get(key) != now[key]]
    for key in differing:
        print(f"commands.csv was made with another {key}: {said.get(key, 'none')}; here is {now[key]}")
    if given.check and differing:
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="paradl-", dir="/tmp") as folder:
        program = os.path.join(folder, "paradl")  # as long as any other, wherever the build is
        os.symlink(tool, program)
        if given.check:
            return 1 if check(program, chosen, before) else 0
        rows = measure(program, chosen, before)
        if given.write:
            write(now, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
