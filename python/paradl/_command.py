# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `paradl`, which is in this package with the models and profiles that it reads."""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main():
    """Becomes the program; files that PARADL_PATH names come before those of the package."""
    os.environ["PARADL_PATH"] = ":".join(filter(None, [os.environ.get("PARADL_PATH"), str(HERE / "data")]))
    os.execv(HERE / "paradl-command", ["paradl", *sys.argv[1:]])
