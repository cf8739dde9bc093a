#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON Schemas and the C reader agree: schemas.py PARADL ROOT

Every shipped file passes both. Then files are damaged one value at a time, each kind of place in two of them: an
unknown key or a value of another type must fail both. In --long, which damages a third one, something is taken away: what the
schema refuses the reader must refuse too. Files in tests/data/invalid must fail the reader. Every key of a schema is in the format's manual page.
Schemas of documents, which the program prints, are those that it was built with."""
import collections
import copy
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import jsonschema

WAYS = 3 if "PARADL_TESTS_LONG" in os.environ else 2  # in which a kind of place is damaged
paradl, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
problems = []


def load_schemas():
    """Schemas of input files, by their format."""
    schemas = {}
    for path in sorted((root / "schemas").glob("*.json")):
        schema = json.loads(path.read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        if "format" in schema["properties"]:
            schemas[schema["properties"]["format"]["const"]] = jsonschema.Draft7Validator(schema)
    return schemas


PAGES = {
    "paradl-dataset": "paradl-dataset",
    "paradl-model": "paradl-model",
    "paradl-hw": "paradl-hw",
    "paradl-device": "paradl-hw",
    "paradl-framework": "paradl-framework",
    "paradl-profile": "paradl-layer-times",
    "paradl-plan": "paradl-plan",
    "paradl-clients": "paradl-clients",
}


def keys(schema):
    """Every name of a property anywhere in a schema."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for value in schema.values():
            yield from keys(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from keys(value)


def check_pages(schemas):
    for name, schema in schemas.items():
        path = root / "man" / (PAGES[name] + ".5.scd")
        words = set(re.findall(r"\w+", path.read_text()))
        problems.extend(f"{path}: says nothing of {key}" for key in sorted(set(keys(schema.schema)) - words))


def check_documents():
    """Schemas of documents are what the program says of its tables of results."""
    for name in re.findall(r"^X\((\w+)\)", (root / "src/result/documents.def").read_text(), re.M):
        said = subprocess.run([paradl, "help", "--schema", name], capture_output=True, check=True).stdout
        path = root / "schemas" / (json.loads(said)["properties"]["schema"]["const"][len("paradl-"):] + ".schema.json")
        if not path.exists() or path.read_bytes() != said:
            problems.append(f"{path}: is not what 'paradl help --schema {name}' prints")


def accepted(paths):
    """Whether the reader takes each of the files; one process reads hundreds."""
    found = []
    for begin in range(0, len(paths), 300):
        some = [str(path) for path in paths[begin:begin + 300]]
        done = subprocess.run([paradl, "check", "--csv", *some], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        valid = {row["path"]: row["valid"] == "true" for row in csv.DictReader(done.stdout.splitlines())}
        if done.returncode not in (0, 3) or set(valid) != set(some):
            problems.append(f"{some[0]} and {len(some) - 1} more: paradl check ended with {done.returncode} and said something of {len(valid)}")
        found += [valid.get(path, False) for path in some]
    return found


def places(value, place=()):
    """Every value of a document that is not a comment, as a path of keys and indices."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        if not (isinstance(key, str) and key[0] in "_$"):
            yield place + (key,)
            yield from places(child, place + (key,))


def at(document, place):
    for key in place:
        document = document[key]
    return document


def of_another_type(value):
    if isinstance(value, bool):
        return "yes"
    if isinstance(value, (int, float)):
        return {"value": value}
    if isinstance(value, str):
        return [value]
    return [None] if isinstance(value, dict) else 1.5  # a rule of each kind of network may be one number


def kind_of(place):
    """Elements of a list are of one kind."""
    return tuple("*" if isinstance(key, int) else key for key in place)


def damages(document, seen):
    """(what was done, the damaged document, whether both must refuse it); `seen` counts how often each kind of place was
    damaged, so that the first, the second and the third file that has it are damaged in different ways."""
    new = {kind_of(place): place for place in places(document) if place[0] != "from"}
    for kind, place in new.items():
        way = seen[document["format"], kind]
        seen[document["format"], kind] += 1
        if way >= WAYS:
            continue
        damaged = copy.deepcopy(document)
        parent = at(damaged, place[:-1])
        where = "/" + "/".join(map(str, place))
        if way == 0:
            parent[place[-1]] = of_another_type(parent[place[-1]])
            yield "another type at " + where, damaged, True
        elif way == 1 and isinstance(parent, dict) and place[0] != "dims":  # where any key is good
            parent["unheard_of"] = 1
            yield "unknown key beside " + where, damaged, True
        else:
            del parent[place[-1]]
            yield "nothing at " + where, damaged, False


def compare(path, what, both, by_schema, by_reader):
    """What is wrong where the schema and the reader differ over a damaged file, or must not both take it."""
    if by_reader and not by_schema:
        problems.append(f"{path}: {what}: the schema refuses it, the reader does not")
    elif both and (by_schema or by_reader):
        accepting = "both accept" if by_schema and by_reader else "the schema accepts" if by_schema else "the reader accepts"
        problems.append(f"{path}: {what}: {accepting} it")


def damage(shipped, schemas, folder):
    """Writes damaged files of those that are shipped: a list of (path, what was done, whether both must refuse it, whether the schema
    does not, damaged file)."""
    made = []
    seen = collections.Counter()
    for path, document in shipped:
        schema = schemas[document["format"]]
        for what, damaged, both in damages(document, seen):
            scratch = folder / f"damaged-{len(made)}.json"
            scratch.write_text(json.dumps(damaged))
            made.append((path, what, both, schema.is_valid(damaged), scratch))
    return made


def main():
    schemas = load_schemas()
    folders = ("models/*.json", "datasets/*.json", "hw-profiles/**/*.json", "examples/*.json", "examples/[0-9]*/*.json")
    shipped = [path for folder in folders for path in root.glob(folder)]
    shipped.sort(key=lambda path: (path.stat().st_size, path))  # small ones are damaged, which takes the least time
    check_pages(schemas)
    check_documents()
    known = []
    for path in shipped:
        document = json.loads(path.read_text())
        if "traceEvents" in document: # of a profiler: not a format of ours
            continue
        if document["format"] not in schemas:
            problems.append(f"{path}: no schema for {document['format']}")
            continue
        known.append((path, document))
        problems.extend(f"{path}: {error.message}" for error in schemas[document["format"]].iter_errors(document))
    problems.extend(f"{path}: paradl check refuses it" for (path, _), fine in zip(known, accepted([path for path, _ in known])) if not fine)
    with tempfile.TemporaryDirectory() as folder:
        # what devices are tied to lies in devices/ beside a file
        shutil.copytree(root / "hw-profiles" / "devices", pathlib.Path(folder) / "devices")
        made = damage(known, schemas, pathlib.Path(folder))
        by_reader = accepted([scratch for *_, scratch in made])
    for (path, what, both, by_schema, _), reader in zip(made, by_reader):
        compare(path, what, both, by_schema, reader)
    refused = by_reader.count(False)
    invalid = sorted(root.glob("tests/data/invalid/**/*.json"))
    problems.extend(f"{path}: the reader accepts it" for path, fine in zip(invalid, accepted(invalid)) if fine)
    print(*problems, sep="\n")
    print(f"{len(shipped)} files, {refused} damaged ones refused")
    return 1 if problems or not shipped or not refused else 0


sys.exit(main())
