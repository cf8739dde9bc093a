#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a notebook's cells and compares what they print with what it holds: notebook.py FILE [--write]"""
import ast
import contextlib
import io
import json
import pathlib
import sys


def run(source, names):
    """What a cell prints, and its last expression's value as text."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        outputs.append({"data": {"text/plain": repr(value).splitlines(True)}, "metadata": {}, "output_type": "execute_result"})
    return outputs


def main():
    path, wrong, names = pathlib.Path(sys.argv[1]), 0, {}
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        outputs = run("".join(cell["source"]), names)
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = cell["execution_count"]
        if outputs != cell["outputs"]:
            print("".join(cell["source"]), json.dumps(outputs, indent=1), sep="\n")
            wrong += 1
        cell["outputs"] = outputs
    if "--write" in sys.argv:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
        return 0
    return wrong > 0


sys.exit(main())
