# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a neural network takes to train or to answer on a machine, what it costs, and which plan is best.

    import paradl
    answer = paradl.advise("llama3-70b", hw="dgx-h100-superpod", gpus=512)
    answer.results[0].strategy, answer.results[0].tokens_per_s_per_gpu
    answer.to_pandas()

Each function asks what the command of its name answers; its arguments are that command's options, with underscores in place of
hyphens (help(paradl.advise) lists them). In a notebook an answer shows itself as the command's text, with a picture
where there is gnuplot. Numbers are in SI units and have every digit that the command prints with --json."""
try:
    from . import records
except ImportError:
    raise ImportError("this folder has the source of paradl's Python package, without what its build makes (records.py and the library): "
                      "leave the folder, and 'pip install .' at the top of the source; or ninja -C build python-package of a build with "
                      "-Dpython=enabled, and PYTHONPATH=build/python") from None
from ._answer import Answer, Record, Records
from ._library import Error, version
from ._model import Model
from ._query import advise, ask, check, collective, compare, diagnose, estimate, federate, fit, hide, io, search, shipped, sweep, validate, whatif

__version__ = version()
__all__ = ["Answer", "Error", "Model", "Record", "Records", "advise", "ask", "check", "collective", "compare", "diagnose", "estimate",
           "federate", "fit", "hide", "io", "records", "search", "shipped", "sweep", "validate", "version", "whatif"]
