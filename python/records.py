#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the classes of all documents from their schemas: records.py OUTPUT DEPFILE SCHEMAS"""
import json
import keyword
import pathlib
import re
import sys

TYPES = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "object": "Record", "array": "list"}
HEAD = '''# Made from the schemas of documents.
"""The records of answers: one class for each object of each document, with the type and the meaning of its members."""
from __future__ import annotations

from ._answer import Answer, Record, Records

DOCUMENTS = {}
'''


def camel(name):
    """A name as classes have it."""
    return "".join(part.capitalize() for part in re.split(r"\W|_", name))


class Document:
    """The classes of one document, and then the lines that say which members are records of which of them."""

    def __init__(self, schema):
        self.name = schema["properties"]["schema"]["const"]
        self.title = camel(re.fullmatch(r"paradl-(.*)-\d+", self.name)[1])
        self.lines, self.after = [], []
        for key, definition in schema.get("definitions", {}).items():
            self.add(self.title + camel(key), "Record", definition)
        self.add(self.title, "Answer", schema, [f"    _rows = {self.tables(schema)!r}"])
        self.after.append(f"DOCUMENTS[{self.name!r}] = {self.title}")

    @staticmethod
    def tables(schema):
        """The lists that the document may have its table in."""
        names = [key for key, member in schema["properties"].items()
                 if member.get("type") == "array" and member["items"].get("type", "object") == "object" and key != "inputs"]
        return tuple(sorted(names, key=lambda key: (key not in ("results", "points"), key == "infeasible")))

    def type_of(self, schema, name):
        """A member's type, and the class of its records; `name` is that of a class of its own."""
        kinds = schema["type"] if isinstance(schema.get("type"), list) else [schema.get("type")]
        optional = " | None" if "null" in kinds else ""
        if "$ref" in schema:
            record = self.title + camel(schema["$ref"].rsplit("/", 1)[1])
            return record + optional, record
        if "properties" in schema:
            self.add(name, "Record", schema)
            return name + optional, name
        if "array" in kinds:
            inner, record = self.type_of(schema.get("items", {}), name)
            return (f"Records[{inner}]" if record or inner == "Record" else f"list[{inner}]") + optional, record
        return (" | ".join(TYPES[kind] for kind in kinds if kind in TYPES) or "object") + optional, None

    def add(self, name, base, schema, more=()):
        """Adds a class and those of its members."""
        lines, kinds = ["", "", f"class {name}({base}):", f"    {schema.get('description', schema.get('title', name))!r}", "    __slots__ = ()", *more], {}
        for member, of_member in schema.get("properties", {}).items():
            if not member.isidentifier() or keyword.iskeyword(member):
                continue  # an item, but no attribute
            text, record = self.type_of(of_member, name + camel(member))
            if record:
                kinds[member] = record
            lines.append(f"    {member}: {text}")
            if of_member.get("description"):
                lines.append(f"    {of_member['description']!r}")
        self.lines += lines
        if kinds:
            self.after.append(f"{name}._kinds = {{{', '.join(f'{member!r}: {record}' for member, record in kinds.items())}}}")


def main():
    output, depfile, folder = map(pathlib.Path, sys.argv[1:])
    paths, newest = sorted(folder.glob("*.schema.json")), {}
    depfile.write_text(f"{output}: {' '.join(map(str, paths))}\n")
    for path in paths:
        schema = json.loads(path.read_text())
        name, version = re.fullmatch(r"(.*)-(\d+)\.schema", path.stem).groups()
        if "const" in schema.get("properties", {}).get("schema", {}):
            newest[name] = max(newest.get(name, (0, None)), (int(version), schema), key=lambda pair: pair[0])
    documents = [Document(schema) for _, schema in newest.values()]
    output.write_text("\n".join([HEAD, *(line for document in documents for line in [*document.lines, "", "", *document.after])]) + "\n")


main()
