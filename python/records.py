#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the classes of all documents from their schemas: records.py OUTPUT DEPFILE SCHEMAS"""
import json
import keyword
import pathlib
import re
import sys

TYPES = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "object": "Record", "array": "list"}


def camel(name):
    """A name as classes have it."""
    return "".join(part.capitalize() for part in re.split(r"\W|_", name))


def class_name(title, definition):
    """The class of a definition in the document of that title."""
    name = camel(definition)
    return name if name.startswith(title) and name != title else title + name


def type_of(schema, prefix):
    """A member's type, and the class of its records."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    optional = " | None" if "null" in kinds else ""
    if "$ref" in schema:
        name = class_name(prefix, schema["$ref"].rsplit("/", 1)[1])
        return name + optional, name
    if "array" in kinds:
        inner, record = type_of(schema.get("items", {}), prefix)
        return (f"Records[{inner}]" if record or inner == "Record" else f"list[{inner}]") + optional, record
    names = [TYPES[one] for one in kinds if one in TYPES]
    return (" | ".join(names) or "object") + optional, None


def class_of(name, base, schema, prefix, more=()):
    """The lines of a class, and after all classes those that say which members are records of which."""
    lines = ["", "", f"class {name}({base}):", f"    {schema.get('description', schema.get('title', name))!r}", "    __slots__ = ()", *more]
    kinds = {}
    for member, of_member in schema.get("properties", {}).items():
        if not member.isidentifier() or keyword.iskeyword(member):
            continue
        text, record = type_of(of_member, prefix)
        if record:
            kinds[member] = record
        lines.append(f"    {member}: {text}")
        if of_member.get("description"):
            lines.append(f"    {of_member['description']!r}")
    later = [f"{name}._kinds = {{{', '.join(f'{member!r}: {record}' for member, record in kinds.items())}}}"] if kinds else []
    return lines, later


def document(schema):
    """The classes of a document and of its definitions."""
    name = schema["properties"]["schema"]["const"]
    title = camel(re.fullmatch(r"paradl-(.*)-\d+", name)[1])
    classes = [class_of(class_name(title, key), "Record", definition, title) for key, definition in schema.get("definitions", {}).items()]
    rows = [key for key, member in schema["properties"].items()
            if member.get("type") == "array" and member["items"].get("type", "object") != "string" and key != "inputs"]
    rows.sort(key=lambda key: (key not in ("results", "points"), key == "infeasible"))
    classes.append(class_of(title, "Answer", schema, title, [f"    _rows = {tuple(rows)!r}"]))
    return [line for lines, _ in classes for line in lines] + ["", ""] + [line for _, later in classes for line in later] + \
        [f"DOCUMENTS[{name!r}] = {title}"]


def main():
    lines = ["# Made from the schemas of documents by records.py.",
             '"""The records of answers: one class for each object of each document, with the type and the meaning of its members."""',
             "from __future__ import annotations", "", "from ._answer import Answer, Record, Records", "", "DOCUMENTS = {}"]
    newest = {}
    output, depfile, folder = map(pathlib.Path, sys.argv[1:])
    paths = sorted(folder.glob("*.schema.json"))
    depfile.write_text(f"{output}: {' '.join(map(str, paths))}\n")
    for path in paths:
        schema = json.loads(path.read_text())
        found = re.fullmatch(r"(.*)-(\d+)\.schema", path.stem)
        if "schema" in schema.get("properties", {}) and "const" in schema["properties"]["schema"]:
            newest[found[1]] = max(newest.get(found[1], (0, None)), (int(found[2]), schema), key=lambda pair: pair[0])
    for _, schema in newest.values():
        lines += document(schema)
    output.write_text("\n".join(lines) + "\n")


main()
