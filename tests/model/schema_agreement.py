#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON Schema of models and the C reader give the same verdict: schema_agreement.py PARADL ROOT

On every shipped model and every file of tests/data/invalid/models. What a schema cannot express (that shapes fit, that
names exist, that counts stay countable) is in files whose names begin with "shape-": those the schema must accept."""
import json
import pathlib
import subprocess
import sys

import jsonschema

ACCEPTED, REFUSED = 0, 3  # exit statuses of `paradl check`


def reader_accepts(paradl, path):
    run = subprocess.run([paradl, "check", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if run.returncode not in (ACCEPTED, REFUSED):
        raise SystemExit(f"{path}: paradl check ended with {run.returncode}: {run.stderr}")
    return run.returncode == ACCEPTED


def main():
    paradl, root = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((root / "schemas/model-1.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    shipped = sorted(root.glob("models/*.json"))
    invalid = sorted(root.glob("tests/data/invalid/models/*.json"))
    problems = []
    for path in shipped + invalid:
        by_schema = validator.is_valid(json.loads(path.read_text()))
        by_reader = reader_accepts(paradl, path)
        if by_reader != (path in shipped):
            problems.append(f"{path}: the reader {'accepts' if by_reader else 'refuses'} it")
        if by_schema != (path in shipped or path.name.startswith("shape-")):
            problems.append(f"{path}: the schema {'accepts' if by_schema else 'refuses'} it")
    print(*problems, sep="\n")
    print(f"{len(shipped)} shipped, {len(invalid)} invalid, {len(problems)} problems")
    return 1 if problems or not shipped or not invalid else 0


sys.exit(main())
