#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every question of the sessions has the same answer whoever asks: questions.py PARADL ASKER ROOT

Takes the commands that compute from the sessions in tests/cli and examples, makes questions of them, and compares what
`paradl COMMAND --json` prints, byte for byte, with what ASKER gets from paradl_ask for all of them in one process. Then the files of
some questions are put into them as objects, which changes no number of the answers."""
import difflib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

paradl, asker, root = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
COMMANDS = "advise collective compare diagnose estimate federate hide io list search sweep validate whatif".split()
OPERANDS = {"collective": "operation", "list": "topic"}
NO_QUESTION = {"json", "jsonl", "csv", "output", "plot", "picture", "write-plan", "write-layer-times", "samples-file", "into", "resume", "run", "width", "color", "ascii",
               "quiet", "verbose", "help", "names"}
environment = dict(os.environ, PARADL_PATH=str(root / "tests" / "cli" / "data"), LC_ALL="C.UTF-8", OMP_NUM_THREADS="1")


def flags_of(command):
    """Long names by what was typed, and which of them are without a value."""
    text = subprocess.run([paradl, command, "--help"], capture_output=True, text=True, check=True).stdout
    names, flags = {}, set()
    for letter, name, argument in re.findall(r"^  (?:-(\w), )?--([a-z-]+)( [A-Z]\S*|\[=\S+)?", text, re.M):
        names["--" + name] = name
        if letter:
            names["-" + letter] = name
        if not argument:
            flags.add(name)
    return names, flags


KNOWN = {command: flags_of(command) for command in COMMANDS}


def question_of(words):
    """The question that a command line asks, or None where it is none."""
    names, flags = KNOWN[words[0]]
    question, operands = {"ask": words[0]}, []
    rest = iter(words[1:])
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "-" or word == "--":
            return None
        if not word.startswith("-"):
            operands.append(word)
            continue
        if name not in names:
            return None
        name = names[name]
        if name in flags:
            value = True
        elif not equals:
            value = next(rest, None)
        if value is None or value == "-":
            return None
        if name in NO_QUESTION:
            continue
        key = name.replace("-", "_")
        if key in question:
            question[key] = (question[key] if isinstance(question[key], list) else [question[key]]) + [value]
        else:
            question[key] = value
    if operands:
        question[OPERANDS.get(words[0], "model")] = operands if len(operands) > 1 else operands[0]
    return question


def words_of(question):
    """The command line that the question stands for."""
    words = [question["ask"]]
    operand = OPERANDS.get(question["ask"], "model")
    given = question.get(operand, [])
    words += given if isinstance(given, list) else [given]
    for key, value in question.items():
        if key in ("ask", operand):
            continue
        for one in value if isinstance(value, list) else [value]:
            words += ["--" + key.replace("_", "-")] + ([] if one is True else [one])
    return words + ["--json"]


def sessions():
    """Each command of the sessions that computes, without what a shell does with it."""
    seen = set()
    for path in sorted(root.glob("tests/cli/*.t")) + sorted(root.glob("examples/*/README.md")):
        for line in re.findall(r"^ +\$ (paradl .*)$", path.read_text(), re.M):
            line = re.split(r"[|;&<`]|\d?>|\$\(", line)[0]
            if "$" in line or "*" in line:
                continue
            try:
                words = shlex.split(line)
            except ValueError:
                continue
            if len(words) > 1 and words[1] in COMMANDS and tuple(words) not in seen:
                seen.add(tuple(words))
                yield words[1:]


def ask(questions, **locale):
    """Answers of one process, and its seconds for each."""
    text = "".join(json.dumps(question) + "\n" for question in questions)
    run = subprocess.run([asker, ".", root / "tests" / "cli" / "data", root], input=text, capture_output=True, text=True, env=dict(environment, **locale), check=True)
    answers = run.stdout.split("\0")
    return answers[:-1], [float(line.replace(",", ".")) for line in run.stderr.split()]


def with_objects(question):
    """The question with its files in it."""
    data = root / "tests" / "cli" / "data"
    whole = dict(question, model=json.loads((data / "models/tiny.json").read_text()), hw=json.loads((data / "hw-profiles/toy.json").read_text()))
    whole["files"] = {f"{kind}/{path.name}": json.loads(path.read_text())
                      for kind in ("devices", "frameworks") for path in (data / "hw-profiles" / kind).glob("*.json")}
    return whole


def check_objects():
    """Objects in a question stand for files: nothing but their paths differs."""
    questions = [{"ask": "advise", "model": "tiny", "hw": "toy", "gpus": 8},
                 {"ask": "estimate", "model": "tiny", "hw": "toy", "strategy": "data=4,spatial=2", "explain": True, "set": ["hw.levels.1.latency=x3"]},
                 {"ask": "search", "model": "tiny", "hw": "toy", "gpus": [4, 8]}]
    answers = [json.loads(answer) for answer in ask(questions)[0]]
    text = "".join(json.dumps(with_objects(question)) + "\n" for question in questions)
    run = subprocess.run([asker], input=text, capture_output=True, text=True, env=environment, cwd="/", check=True)
    problems = 0
    for question, answer, other in zip(questions, answers, run.stdout.split("\0")):
        try:
            same = {key: value for key, value in json.loads(other).items() if key not in ("inputs", "command")}
        except ValueError:
            same = other
        if same != {key: value for key, value in answer.items() if key not in ("inputs", "command")}:
            print(f"with its files as objects {question} has another answer: {str(other)[:300]}")
            problems += 1
    return problems


WITH_FRACTIONS = (("estimate", "tiny", "--hw", "toy", "-s", "data=4", "--set", "hw.levels.1.bandwidth=x1.5", "--json"), ("whatif", "tiny", "--hw", "toy", "-s", "data=4", "--perturb", "2.5%", "--csv"),
                  ("fit", "tests/data/samples/two-cores.jsonl", "--json"))


def check_commas(questions, answers):
    """A host whose numbers have decimal commas gets the same bytes: a locale is made where the system has what it takes."""
    with tempfile.TemporaryDirectory() as folder:
        made = shutil.which("localedef") and subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"], capture_output=True).returncode == 0
        if not made:
            print("no locale with decimal commas can be made here")
            return 0
        # the C library keeps a path of locales for itself; what the engine leaks shows without one
        commas = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": folder, "ASAN_OPTIONS": "detect_leaks=0"}
        others = ask(questions, **commas)[0]
        printed = [[subprocess.run([paradl, *words], capture_output=True, cwd=root, env=dict(environment, **locale)) for locale in ({}, commas)] for words in WITH_FRACTIONS]
        for one, other in printed:
            assert one.returncode == 0 and b"." in one.stdout and one.stdout == other.stdout, (one.args, one.stdout[-400:], one.stderr, other.stderr)
    wrong = [question for question, answer, other in zip(questions, answers, others) if answer != other and not answer.startswith("error: ")]
    print(f"{len(wrong)} of {len(questions)} answers are others where numbers have decimal commas", *wrong[:5], sep="\n")
    return len(wrong)


def check_schemas():
    """The library has the schemas of all commands that can be asked."""
    wrong = [command for command in COMMANDS if
             subprocess.run([asker, "--schema", command], capture_output=True).stdout !=
             subprocess.run([paradl, "help", "--schema", command], capture_output=True).stdout]
    print(*wrong, sep="\n", end="")
    return bool(wrong) or subprocess.run([asker, "--schema", "nothing"], capture_output=True).returncode == 0


def main():
    questions = [question for question in map(question_of, sessions()) if question]
    answers, seconds = ask(questions)
    assert len(answers) == len(seconds) == len(questions), (len(answers), len(seconds), len(questions))
    wrong = []
    for question, answer in zip(questions, answers):
        words = words_of(question)
        said = subprocess.run([paradl, *words], capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL).stdout
        if said.startswith('{\n  "schema": "paradl-error-1"'):
            said = "error: " + json.loads(said)["error"]["message"]
        if said != answer:
            wrong.append(words)
            print(" ".join(words))
            print(*list(difflib.unified_diff(said.splitlines(), answer.splitlines(), "said", "asked", n=0, lineterm=""))[:8], sep="\n")
    usual = sorted(seconds)
    refused = sum(answer.startswith("error: ") for answer in answers)
    print(f"{len(questions)} questions, {refused} of them refused, {len(wrong)} with another answer; {len(seconds) / sum(seconds):.0f} a second, "
          f"median {1000 * usual[len(usual) // 2]:.1f} ms, slowest {usual[-1]:.2f} s")
    return bool(wrong) or len(questions) - refused < 250 or check_commas(questions, answers) > 0 or check_objects() > 0 or check_schemas()


sys.exit(main())
