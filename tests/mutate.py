#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes the sources at random, one small change at a time, and reports the changes that no test notices.

A change is called a mutant. It is killed by the first test that fails, and survives where none does. A survivor is
either a gap, which a new test closes, or equivalent: no input can tell it from the original. Those that were proven
equivalent are in tests/mutants.txt, and counted apart.

    tests/mutate.py --work /tmp/mutants                 200 mutants of seed 1, or those left of them
    tests/mutate.py --work /tmp/mutants --count 400     200 more of the same seed
    tests/mutate.py --work /tmp/mutants --seed 2        others, into another file of results
    tests/mutate.py --work /tmp/mutants --survivors     those that survived, once more, after tests were added
    tests/mutate.py --work /tmp/mutants --survivors --sanitize
                                                        the same in a build that stops where memory is misused
    tests/mutate.py --work /tmp/mutants --only 17       mutant 17 once more, with its difference
    tests/mutate.py --work /tmp/mutants --at src/search/branch.c:344
                                                        every mutant of the statement on that line
    tests/mutate.py --list src/search                   every mutant there is, without running one
    tests/mutate.py --check                             tests the script itself, in a few seconds

How it works. The tree, as it is on the disk (tracked files and new ones that git does not ignore), is copied to
WORK/tree, and only the copy is ever changed. There the library is built as a shared one that exports every function,
so that a mutant costs one compilation and one link, whatever number of programs use it. All tests run once on the
original, for their times; those that fail there are left out. Without --work the folder is a temporary one, and gone
at the end; with it, the next run continues: results are in WORK/results-SEED.tsv, a line for each mutant, in the order in
which they ran. What git or an editor does to the tree meanwhile matters only to the next start; if the sources of
the folders have changed by then, numbers mean other mutants, and the script asks for another seed or file.

Which changes. Statements are drawn evenly from those of the folders (src/oracle, src/network, src/plan and src/search
unless others are named), then one of the changes that are possible in it:

    <  <=  >  >=        to the one with or without equality        0, 1, n             to n + 1
    ==  !=              to each other                             if, while (X)       to !(X)
    +  -  *  /          to each other, in pairs; also += and so on   for (...; i < n;)   to i + 1 < n
    &&  ||              to each other                             fmin, fmax          to each other
    x = ...; f(...);    removed                                   return true, false, X (of a bool)   inverted

No change is made in comments, strings, declarations, case labels, asserts, and where memory runs out.

Which tests. Blocks of the golden answers, unit tests, properties, sessions: all but those that measure, wait for
processes, or look at the text of sources. They run one after the other, those that killed most in a second (of
mutants of the same folder) first; --budget ends that after so many seconds. A test that takes longer than ten seconds
more than five times its time on the original, or that crashes, counts as failed.

The last lines sum up. "noticed" is the share of the killed among those that compile and are not known as equivalent.
"""
import argparse
import bisect
import difflib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FOLDERS = ["src/oracle", "src/network", "src/plan", "src/search"]
EQUIVALENT = "tests/mutants.txt"

# -- sources -------------------------------------------------------------------------------------------------------------

SILENT = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*""", re.S | re.M)
CONTROL = re.compile(r"(?:else\s+)?(?:if|for|while|switch)\b.*\)\s*$|(?:else|do)\s*$", re.S)
TYPE = re.compile(r"(?:static\s+|const\s+|unsigned\b|signed\b|bool\b|char\b|short\b|int\b|long\b|float\b|double\b|void\b|"
                  r"size_t\b|u?int\d+_t\b|(?:struct|enum|union)\s+\w+|FILE\b|va_list\b|[a-z]\w*\s+\**[a-z]\w*\s*(?:=|;|\[))")
MEMORY = re.compile(r"NO_MEMORY|out_of_memory")
ALLOCATES = re.compile(r"alloc|arena|_(?:create|clone|grow|reserve|copy|dup)\b|\bcopy_")
NAMES = re.compile(r"\s*!\s*[\w.>\-\[\]]+(?:\s*(?:\|\||&&)\s*!?\s*[\w.>\-\[\]]+)*\s*")


def blank(text):
    """Returns the text with spaces for comments, strings and directives, at the same places."""
    return SILENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def matching(text, start):
    """Returns where the bracket at `start` is closed."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return len(text) - 1


def functions(text):
    """Yields the name, whether it returns a bool, and the body's limits of each function."""
    at = 0
    while (brace := text.find("{", at)) >= 0:
        end = matching(text, brace)
        head = re.split(r"[;}]", text[at:brace])[-1]
        found = re.search(r"(\w+)\s*\((?:[^()]|\([^()]*\))*\)\s*$", head)
        if found:
            yield found.group(1), bool(re.match(r"\s*(?:static\s+|inline\s+)*bool\s+\w+\s*\(", head)), brace + 1, end
        at = end + 1


def statements(text, start, end):
    """Yields the limits of each statement and of the head of each block between two places."""
    at = start
    i = start
    while i < end:
        c = text[i]
        if c in "([":
            i = matching(text, i)
            head = text[at:i + 1]
            control = re.match(r"\s*(?:else\s+)?(?:if|for|while|switch)\s*\(", head)
            if control and matching(text, at + control.end() - 1) == i:
                yield at, i + 1
                at = i + 1
        elif c == "{":
            word = text[at:i].strip()
            if word in ("", "else", "do"):
                at = i + 1
            else:
                i = matching(text, i)
        elif c in ";}":
            if text[at:i].strip():
                yield at, i + (c == ";")
            at = i + 1
        elif c == ":" and re.match(r"\s*(?:case\b.*|default\s*|\w+\s*)$", text[at:i], re.S):
            at = i + 1
        i += 1


def starved(text, start, end, before):
    """Is a statement or a condition about memory that ran out?"""
    own = text[start:end]
    if MEMORY.search(own) or re.search(r"\w*alloc\(|\b(?:static_|_Static_)?assert\(", own):
        return True
    condition = re.match(r"\s*(?:else\s+)?if\s*\((.*)\)\s*$", own, re.S)
    if condition:
        follows = text[end:].lstrip()
        block = follows[:matching(follows, 0) if follows.startswith("{") else follows.find(";") + 1]
        if MEMORY.search(block):
            return True
        return bool(NAMES.fullmatch(condition.group(1)) and ALLOCATES.search(before) and re.search(r"return|= false|= true", block)
                    or ALLOCATES.search(condition.group(1)) and "!" in condition.group(1))
    return False


# -- changes -------------------------------------------------------------------------------------------------------------

SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&",
         "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "fmin": "fmax", "fmax": "fmin"}
BINARY = re.compile(r"(?<=[\w)\]] )(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|[<>+\-*/])(?=\s)|(?<=[\w)\]]\n)\s*(&&|\|\|)(?=\s)|\b(fmin|fmax)\b")
NUMBER = re.compile(r"(?<![\w.])(\d+)(\.\d*)?(e[+-]?\d+)?([uUlLfF]*)(?![\w.])")


def numbers(text, start, end):
    """Yields the change of each constant."""
    for m in NUMBER.finditer(text, start, end):
        more = int(m.group(1)) + 1
        yield m.start(), m.end(), f"{more}{m.group(2) or ''}{m.group(3) or ''}{m.group(4)}"


def changes(text, source, start, end, returns_bool):
    """Yields each change of a statement, found in the text without strings: its limits and what comes there."""
    own = text[start:end]
    first = start + len(own) - len(own.lstrip())
    own = own.strip()
    control = re.match(r"(?:else\s+)?(if|for|while|switch)\s*\(", own)
    declared = not control and not re.match(r"return\b", own) and TYPE.match(own)
    begin = first
    if declared:
        equal = re.search(r"[^=!<>]=(?!=)", text[first:end])
        if not equal or re.match(r"static\b|extern\b|typedef\b", own):
            return
        begin = first + equal.end()
    for m in BINARY.finditer(text, begin, end):
        token = m.group(1) or m.group(2) or m.group(3)
        yield m.end() - len(token), m.end(), SWAPS[token]
    yield from numbers(text, begin, end)
    if control and control.group(1) in ("if", "while"):
        inner = first + control.end()
        yield inner, end - 1, f"!({source[inner:end - 1]})"
    if control and control.group(1) == "for":
        condition = text.find(";", first)
        limit = re.compile(r" [<>]=? ").search(text, condition, end)
        if limit:
            yield limit.start(), limit.start(), " - 1" if ">" in limit.group() else " + 1"
    if re.match(r"return\b", own) and returns_bool:
        value = source[first + 6:end - 1].strip()
        yield first, end, {"true": "return false;", "false": "return true;"}.get(value, f"return !({value});")
    elif not control and not declared and own.endswith(";") and re.match(r"[\w*(]", own) and re.search(r"[=(]|\+\+|--", own) \
            and not re.match(r"(?:return|goto|break|continue|do|else|va_\w+|while)\b|\(void\)\w+;", own):
        yield first, end, ";"


class Mutant:
    """One change of one file."""

    def __init__(self, path, text, function, start, end, new):
        self.path, self.function, self.start, self.end = path, function, start, end
        self.old, self.new = text[start:end], new
        self.line = text.count("\n", 0, start) + 1
        self.text = text
        margin = text.rfind("\n", 0, start) + 1
        tail = text.find("\n", end)
        self.shown = [" ".join(s.split()) for s in (text[margin:tail], text[margin:start] + new + text[end:tail])]

    @property
    def what(self):
        """Returns the change in words."""
        old, new = (" ".join(s.split()) for s in (self.old, self.new))
        if not old:
            return f"{new.strip()} before the bound: {self.shown[1]}"
        if new == ";":
            return f"removed: {old}"
        if len(old) < 4:
            return f"{old} to {new}: {self.shown[1]}"
        return f"{old} to {new}"

    def place(self):
        return f"{self.path}:{self.line}"

    def applied(self):
        return self.text[:self.start] + self.new + self.text[self.end:]

    def difference(self):
        return "".join(difflib.unified_diff(self.text.splitlines(True), self.applied().splitlines(True), self.path, "mutant", n=2))


def mutants_of(path, text):
    """Returns the mutants of a file, those of each statement in a list."""
    found = []
    clear = blank(text)
    for name, returns_bool, start, end in functions(clear):
        before = ""
        skipped = start
        for first, last in statements(clear, start, end):
            if starved(clear, first, last, before):
                at = last + len(clear[last:]) - len(clear[last:].lstrip())
                if clear[last - 1] == ")":
                    skipped = matching(clear, at) if clear[at] == "{" else clear.index(";", at)
            elif first >= skipped:
                group = [Mutant(path, text, name, *c) for c in changes(clear, text, first, last, returns_bool)]
                if group:
                    found.append((clear.count("\n", 0, last - len(clear[first:last].lstrip())) + 1, clear.count("\n", 0, last) + 1, group))
            before = clear[first:last]
    return found


def sources(root, folders):
    for folder in folders:
        top = os.path.join(root, folder)
        paths = [top] if os.path.isfile(top) else sorted(os.path.join(at, f) for at, _, files in os.walk(top) for f in files)
        for path in paths:
            if path.endswith(".c"):
                with open(path, encoding="utf-8") as file:
                    yield os.path.relpath(path, root), file.read()


def groups_of(root, folders):
    """Returns the mutants of each statement of the folders."""
    return [group for path, text in sources(root, folders) for _, _, group in mutants_of(path, text)]


def drawn(groups, seed):
    """Returns one mutant of each statement, in the order of a seed."""
    draw = random.Random(seed)
    return [draw.choice(group) for group in draw.sample(groups, len(groups))]


# -- the copy and its tests ----------------------------------------------------------------------------------------------

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


SHARED = [("core = static_library(", "core = shared_library("), ("  gnu_symbol_visibility: 'hidden',\n  pic: true,\n", ""),
          ("link_whole: core", "link_with: core"), ("declare_dependency(link_with: library,", "declare_dependency(link_with: core,")]


def copy_tree(root, tree):
    """Makes the copy what the tree is now, and its library a shared one."""
    listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, check=True, capture_output=True).stdout
    names = [n for n in listed.decode().split("\0") if n and os.path.isfile(os.path.join(root, n))]
    for name in names:
        path, data = os.path.join(tree, name), read(os.path.join(root, name))
        if name == "src/meson.build":
            text = data.decode()
            for old, new in SHARED:
                if text.count(old) != 1:
                    sys.exit(f"{name}: '{old.strip()}' is not there once: SHARED of {sys.argv[0]} needs a look")
                text = text.replace(old, new)
            data = text.encode()
        if read(path) != data:
            write(path, data)
            shutil.copymode(os.path.join(root, name), path)
    kept = set(names)
    for folder in ("src", "tests", "models", "hw-profiles", "schemas"):
        for at, _, files in os.walk(os.path.join(tree, folder)):
            for name in files:
                path = os.path.join(at, name)
                if os.path.relpath(path, tree) not in kept and not path.endswith((".pyc", ".err")):
                    os.remove(path)


class Test:
    """A program that passes or fails."""

    def __init__(self, name, command, folder=None, environment=None, prior=0.05):
        self.name, self.command, self.folder, self.environment, self.prior = name, command, folder, environment or {}, prior
        self.seconds = None

    def run(self, limit):
        """Does it pass?"""
        environment = {**os.environ, "MALLOC_PERTURB_": "85", **self.environment}
        if "PATH" in self.environment:
            environment["PATH"] += os.pathsep + os.environ["PATH"]
        process = subprocess.Popen(self.command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


LEFT_OUT = re.compile(r"lint|slow|calibrate|mpi|library|simgrid|export|commands")
SELDOM = re.compile(r"golden numbers|cli/calibrate|commands of documents|cli/completion|sweeps that go on|fuzz/")


def tests_of(build, tree):
    """Lists the tests of a build, golden answers by blocks."""
    listed = subprocess.run(["meson", "introspect", build, "--tests"], check=True, capture_output=True, text=True).stdout
    tests = []
    with open(os.path.join(tree, "tests/golden/hashes.txt"), encoding="utf-8") as file:
        for name in [line.split()[0] for line in file if not line.startswith(("#", "libm"))]:
            tests.append(Test("golden " + name, [os.path.join(build, "tests/golden"), name], tree, prior=1 if name.endswith("-1") else 0.1))
    for test in json.loads(listed):
        suites = [s.split(":")[-1] for s in test["suite"]]
        if any(LEFT_OUT.fullmatch(s) for s in suites) or SELDOM.match(test["name"]):
            continue
        prior = 0.3 if "properties" in test["name"] else 0.05
        tests.append(Test(test["name"], test["cmd"], test["workdir"], test["env"], prior))
    return tests


SANITIZED = ["-Db_sanitize=address,undefined", "-Db_lundef=false", "-Dc_args=-w -DARENA_DEBUG -fno-sanitize-recover=all"]


class Stand:
    """A copy of the tree, its build, its tests, and what is known of them."""

    def __init__(self, root, work, sanitize):
        self.tree = os.path.join(work, "tree")
        self.build = os.path.join(self.tree, "build-sanitized" if sanitize else "build")
        self.kills = {}
        copy_tree(root, self.tree)
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            compiler = os.environ.get("CC") or ("ccache gcc" if shutil.which("ccache") else "gcc")
            subprocess.run(["meson", "setup", self.build, "-Dtests=enabled", "-Ddocs=disabled", "-Dmpi=disabled", "-Dcuda=disabled",
                            "-Dsimgrid=disabled", "-Doptimization=1", "-Dwarning_level=0"] + (SANITIZED if sanitize else ["-Dc_args=-w"]),
                           cwd=self.tree, env={**os.environ, "CC": compiler}, check=True, stdout=subprocess.DEVNULL)
        if not self.compiles():
            sys.exit(f"the copy does not compile: ninja -C {self.build}")
        self.time_tests(os.path.join(work, "times-sanitized.json" if sanitize else "times.json"))

    def compiles(self):
        return subprocess.run(["ninja", "-C", self.build], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def time_tests(self, path):
        """Runs what has not run yet on the original, and drops what fails there."""
        known = json.loads(read(path) or b"{}")
        times = {}
        tests = tests_of(self.build, self.tree)
        for test in tests:
            begin = time.monotonic()
            data = "".join(test.command)
            source = b"".join(read(os.path.join(self.tree, part)) or b"" for part in
                              ["tests/" + test.name.replace("/", "/test_") + ".c", "tests/" + test.name + ".t"])
            mark = hashlib.sha256(data.encode() + source).hexdigest()[:16]
            test.seconds, passes = known.get(mark, (None, None))
            if test.seconds is None:
                passes = test.run(300)
                test.seconds = time.monotonic() - begin
                if not passes:
                    print(f"left out, fails on the original: {test.name}", flush=True)
            if passes:
                times[mark] = (test.seconds, True)
            else:
                test.seconds = None
            write(path, json.dumps({**known, **times}).encode())
        self.tests = [t for t in tests if t.seconds is not None]
        for test in self.tests if "sanitized" in self.build else []:
            test.name += ", sanitized"

    def order(self, mutant):
        """Returns the tests, those first that should kill in the least time."""
        folder = mutant.path.split("/")[1]
        kills = self.kills.get(folder, {})

        def rate(test):
            prior = 0.3 if test.name.startswith(folder + "/") else test.prior
            return (kills.get(test.name, 0) + prior) / (test.seconds + 0.02)
        return sorted(self.tests, key=rate, reverse=True)

    def learn(self, mutant, verdict):
        if verdict.startswith("killed by "):
            folder = self.kills.setdefault(mutant.path.split("/")[1], {})
            folder[verdict[10:]] = folder.get(verdict[10:], 0) + 1

    def judge(self, mutant, budget):
        """Builds the mutant, runs tests until one fails, and restores the file."""
        path = os.path.join(self.tree, mutant.path)
        original = mutant.text.encode()
        try:
            write(path, mutant.applied().encode())
            if not self.compiles():
                return "did not compile"
            spent = 0
            for test in self.order(mutant):
                spent += test.seconds
                if spent > budget:
                    return f"survived {budget:.0f} s"
                if not test.run(10 + 5 * test.seconds):
                    return f"killed by {test.name}"
            return "survived"
        finally:
            write(path, original)


# -- results -------------------------------------------------------------------------------------------------------------

def equivalents(root):
    """Returns the proven equivalent mutants, as (file, function, what)."""
    text = (read(os.path.join(root, EQUIVALENT)) or b"").decode()
    entries = [[line.strip() for line in block.splitlines()] for block in re.sub(r"^#.*\n", "", text, flags=re.M).strip().split("\n\n")]
    return {tuple(entry[:3]) for entry in entries if len(entry) >= 4}


def summary(results, proven, groups):
    """Prints counts, the survivors that are not known as equivalent, and what is known but not there any more."""
    verdicts = {n: r for n, r in results.items() if r[4] != "did not compile"}
    survivors = {n: r for n, r in verdicts.items() if r[4].startswith("survived")}
    same = {n for n, r in survivors.items() if (r[0].split(":")[0], r[1], r[2]) in proven}
    meant = len(verdicts) - len(same)
    every = {(m.path, m.function, m.what) for group in groups for m in group}
    print()
    for entry in sorted(proven - every):
        print(f"{EQUIVALENT} has what is not in these folders: {' | '.join(entry)}")
    for number in sorted(set(survivors) - same):
        print(f"survivor {number}: {survivors[number][0]} {survivors[number][1]}: {survivors[number][2]}")
    killed = len(verdicts) - len(survivors)
    print(f"{len(results)} mutants: {killed} killed, {len(survivors) - len(same)} survived, {len(same)} equivalent, "
          f"{len(results) - len(verdicts)} did not compile; noticed {100 * killed / max(meant, 1):.1f} %")


def results_read(path, mark):
    """Reads results by number; the last one counts."""
    results = {}
    lines = (read(path) or b"").decode().splitlines()
    if lines and lines[0] != mark:
        sys.exit(f"{path} is of other sources; move it away, or take another --seed or --results")
    for line in lines[1:]:
        number, *rest = line.split("\t")
        results[int(number)] = rest
    if not lines:
        write(path, (mark + "\n").encode())
    return results


def judge_all(stand, chosen, known, path, budget):
    """Judges mutants by number, and adds a line to the results for each."""
    for number, mutant in chosen:
        begin = time.monotonic()
        verdict = stand.judge(mutant, budget)
        stand.learn(mutant, verdict)
        row = [mutant.place(), mutant.function, mutant.what, f"{time.monotonic() - begin:.0f} s", verdict]
        print(f"{number} {mutant.place()} {mutant.what}: {verdict} ({row[3]})", flush=True)
        if path:
            known[number] = row
            with open(path, "a", encoding="utf-8") as file:
                file.write("\t".join([str(number)] + row) + "\n")


# -- the script itself ---------------------------------------------------------------------------------------------------

SAMPLE = '''/* a < b */
enum { SIZE = 3 };
static const int table[SIZE] = {1, 2};

static bool fits(const struct item *item, double most)
{
	double sum = 0; /* 1 < 2 */
	char *text = arena_alloc(arena, 7, 1);
	if (!text)
		return false;
	assert(most > 0);
	(void)item;
	for (unsigned i = 0; i < item->count; ++i) {
		sum += item->share[i] * 2;
		note("a == b", i);
	}
	if (!grow(item, 9))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	switch (item->kind) {
	case 4:
		return sum <= most && fmin(sum, most) > 0;
	default:
		break;
	}
	return true;
}
'''
EXPECTED = ["7: 0 to 1", "13: 0 to 1", "13: < to <=", "13: + 1 before", "14: += to -=", "14: * to /", "14: 2 to 3", "14: removed",
            "15: removed", "21: <= to <", "21: && to ||", "21: fmin to fmax", "21: > to >=", "21: 0 to 1", "21: return", "25: return true"]


def check_sample():
    """Are the changes of a small sample those that are expected, and each undone by its original?"""
    found = [m for _, _, group in mutants_of("sample.c", SAMPLE) for m in group]
    lines = [f"{m.line}: {m.what}" for m in found]
    missing = [e for e in EXPECTED if not any(line.startswith(e) for line in lines)]
    if missing or len(found) != len(EXPECTED):
        sys.exit("changes of the sample:\n" + "\n".join(lines) + f"\nmissing: {missing}")
    for m in found:
        changed = m.applied()
        if changed == SAMPLE or changed[:m.start] + m.old + changed[m.start + len(m.new):] != SAMPLE:
            sys.exit(f"not undone: {m.what}")


def check_stand():
    """Is a mutant of a tiny program killed, another one not, one not compiled, and the file restored each time?"""
    with tempfile.TemporaryDirectory() as work:
        stand = object.__new__(Stand)
        stand.tree, stand.kills = work, {}
        source = "int main(void)\n{\n\tint n = 2;\n\treturn n + 1 == 3 ? 0 : 1;\n}\n"
        path = os.path.join(work, "src/a/b.c")
        write(path, source.encode())
        program = os.path.join(work, "program")
        stand.compiles = lambda: subprocess.run(["cc", "-w", "-o", program, path], stderr=subprocess.DEVNULL).returncode == 0
        test = Test("a/program", [program])
        test.seconds = 0.01
        stand.tests = [test]
        two = source.index("2")
        for new, expected in ("3", "killed by a/program"), ("2 + 0", "survived"), ("?", "did not compile"), ("2; for (;;)", "killed by a/program"):
            if new == "2; for (;;)":
                test.run = lambda limit, run=test.run: run(0.5)
            verdict = stand.judge(Mutant("src/a/b.c", source, "main", two, two + 1, new), 100)
            if verdict != expected or read(path) != source.encode():
                sys.exit(f"{new}: {verdict}, not {expected}, or not restored")


def check_project(root):
    """Are there thousands of statements to change, and are they the same for a seed?"""
    groups = groups_of(root, FOLDERS)
    first, again, other = (drawn(groups, seed) for seed in (1, 1, 2))
    if len(first) < 5000 or first != again or first == other:
        sys.exit(f"{len(first)} statements, or not the same for the same seed")


# -- the command ---------------------------------------------------------------------------------------------------------

def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--work", metavar="FOLDER")
    parser.add_argument("--results", metavar="FILE")
    parser.add_argument("--budget", type=float, default=1e9, metavar="SECONDS")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    parser.add_argument("--at", metavar="FILE:LINE")
    parser.add_argument("--survivors", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def run(options, root, work):
    groups = groups_of(root, options.folders)
    order = drawn(groups, options.seed)
    mark = hashlib.sha256(repr((options.folders, options.seed, len(order), list(sources(root, options.folders)))).encode()).hexdigest()
    path = options.results or os.path.join(work, f"results-{options.seed}.tsv")
    known = {} if options.at else results_read(path, mark)
    if options.at:
        name, line = options.at.rsplit(":", 1)
        chosen = [(line, m) for p, t in sources(root, [name]) for a, b, g in mutants_of(p, t) if a <= int(line) <= b for m in g]
    elif options.only is not None:
        chosen = [(options.only, order[options.only - 1])]
        print(chosen[0][1].difference())
    else:
        chosen = [(n, m) for n, m in enumerate(order[:options.count], 1)
                  if (known[n][4].startswith("survived") if n in known else False) == options.survivors
                  and (n not in known or options.survivors)]
    stand = Stand(root, work, options.sanitize)
    for number, row in known.items():
        stand.learn(order[number - 1], row[4])
    judge_all(stand, chosen, known, None if options.at else path, options.budget)
    if not options.at:
        summary(known, equivalents(root), groups)


def main():
    options = arguments()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if options.check:
        check_sample()
        check_stand()
        check_project(root)
    elif options.list:
        for path, text in sources(root, options.folders):
            for _, _, group in mutants_of(path, text):
                for mutant in group:
                    print(f"{mutant.place()} {mutant.function}: {mutant.what}")
    elif options.work:
        os.makedirs(options.work, exist_ok=True)
        run(options, root, os.path.abspath(options.work))
    else:
        with tempfile.TemporaryDirectory() as work:
            run(options, root, work)


if __name__ == "__main__":
    main()
