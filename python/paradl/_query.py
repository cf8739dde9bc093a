# SPDX-License-Identifier: GPL-3.0-or-later
"""One function for each command that answers: a question as a dict, asked."""
import json
import os
import textwrap

from . import _library, records
from .options import OPTIONS
from ._answer import Answer
from ._model import Model

threads = 0  # that an answer may take; 0: as many as there are processors


def _plain(value):
    """What JSON does not know, as what a question has for it."""
    if isinstance(value, Model):
        return value.document
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "item"):
        return value.item()  # a number of NumPy
    if isinstance(value, (range, set, tuple)) or hasattr(value, "tolist"):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no value of a question")


def _joined(value):
    return ",".join(map(str, value)) if isinstance(value, (list, tuple, range)) else value


def ask(command, **options):
    """Asks what a command answers. Options are the command's, such as per_gpu=8, in place of --per-gpu 8; True stands for an option
    without a value, a list for several, a dict for a file; of vary, set and rate a dict may have the values by their keys."""
    for key in ("vary", "set", "rate"):
        if isinstance(options.get(key), dict):
            options[key] = [f"{name}={_joined(value)}" for name, value in options[key].items()]
    question = {"ask": command, **{key: value for key, value in options.items() if value is not None and value is not False}}
    question = json.loads(json.dumps(question, default=_plain))
    document = json.loads(_library.ask(json.dumps(question), threads))
    return records.DOCUMENTS.get(document.get("schema"), Answer)(document, question)


def advise(model, hw, gpus=None, **options) -> "records.Advise":
    """Ranks every way to spread the training, or with inference=True the serving, of a model over GPUs."""
    return ask("advise", model=model, hw=hw, gpus=gpus, **options)


def estimate(model, hw, strategy, **options) -> "records.Estimate":
    """Says where the time and the memory of one plan go."""
    return ask("estimate", model=model, hw=hw, strategy=strategy, **options)


def search(model, hw, gpus=None, **options) -> "records.Search":
    """Finds the best of all plans, proven."""
    return ask("search", model=model, hw=hw, gpus=gpus, **options)


def compare(model, hw, gpus=None, **options) -> "records.Compare":
    """Puts machines, a list, side by side."""
    return ask("compare", model=model, hw=hw, gpus=gpus, **options)


def sweep(model=None, hw=None, vary=None, **options) -> "records.Sweep":
    """Asks every point of a grid: vary={"gpus": [8, 16], "tensor": "1..8"}."""
    return ask("sweep", model=model, hw=hw, vary=vary, **options)


def whatif(model, hw, strategy=None, **options) -> "records.Whatif":
    """Says which inputs matter, and what changes bring."""
    return ask("whatif", model=model, hw=hw, strategy=strategy, **options)


def io(model, hw, **options) -> "records.Io":
    """Says whether storage and hosts can feed the training."""
    return ask("io", model=model, hw=hw, **options)


def hide(model, hw, **options) -> "records.Hide":
    """Says what training with fewer samples saves."""
    return ask("hide", model=model, hw=hw, **options)


def federate(model, hw, **options) -> "records.Federate":
    """Says what rounds of federated learning take."""
    return ask("federate", model=model, hw=hw, **options)


def collective(operation, hw=None, **options) -> "records.Collective":
    """Says how long an operation such as "allreduce" takes."""
    return ask("collective", operation=operation, hw=hw, **options)


def diagnose(model, hw, **options) -> "records.Diagnose":
    """Puts measured phases beside projected ones."""
    return ask("diagnose", model=model, hw=hw, **options)


def validate(**options) -> "records.Validate":
    """Says how well projections agree with measurements."""
    return ask("validate", **options)


def fit(file, **options):
    """Finds numbers of a machine in measured times."""
    return ask("fit", file=file, **options)


def check(file) -> "records.Check":
    """Says what is wrong or odd in files."""
    return ask("check", file=file)


def shipped(topic=None, **options) -> "records.List":
    """Lists what there is: "models", "hw", "frameworks", ..."""
    return ask("list", topic=topic, **options)


def _describe(function, command):
    """Adds the command's options to what help() says of the function."""
    lines, last = [], None
    for heading, name, value, words in OPTIONS[command]:
        if heading != last:
            lines += ["", f"{heading}:"]
        lines += textwrap.wrap(f"{name}={value}  {words}", 100, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False)
        last = heading
    function.__doc__ += "\n" + "\n".join(lines)


for _function in (advise, estimate, search, compare, sweep, whatif, io, hide, federate, collective, diagnose, validate, fit):
    _describe(_function, _function.__name__)
