#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a document that paradl printed against the schema it names: schema.py SCHEMAS < DOCUMENT

Prints the schema's name, or what is wrong."""
import json
import pathlib
import sys

import jsonschema

schemas = pathlib.Path(sys.argv[1]).resolve()


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def refuse_twice(pairs):
    keys = [key for key, value in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"a key stands twice among {keys}")
    return dict(pairs)


document = json.load(sys.stdin, parse_constant=refuse, object_pairs_hook=refuse_twice)
path = schemas / (document["schema"].removeprefix("paradl-") + ".schema.json")
schema = json.loads(path.read_text())
resolver = jsonschema.RefResolver(path.as_uri(), schema)
errors = list(jsonschema.Draft7Validator(schema, resolver=resolver).iter_errors(document))
for error in errors:
    print("/" + "/".join(map(str, error.absolute_path)) + ": " + error.message)
if not errors:
    print(document["schema"])
sys.exit(bool(errors))
