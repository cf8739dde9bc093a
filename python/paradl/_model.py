# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks that are in no file."""
import copy
import json
import os
import pathlib
import sys

from . import _library


def _count(layers, dims):
    """How many layers there are once repetitions and branches are written out, as `paradl list` counts them."""
    total = 0
    for layer in layers:
        repeat = layer.get("repeat", 1)
        inside = _count(layer["layers"], dims) if "layers" in layer else 1 + sum(_count(branch, dims) for branch in layer.get("branches", ()))
        total += inside * (dims[repeat[1:]] if isinstance(repeat, str) else repeat)
    return total


class Model:
    """A network as a paradl-model(5) document, for `model` of any question."""

    def __init__(self, document, warnings=()):
        self.document, self.warnings = document, list(warnings)

    @property
    def name(self):
        return self.document.get("name", "")

    def __repr__(self):
        return f"Model({self.name!r}, {_count(self.document.get('layers', ()), self.document.get('dims', {}))} layers)"

    def save(self, path):
        """Writes the document, which the command takes as a model."""
        pathlib.Path(path).write_text(json.dumps(self.document, indent=1) + "\n")

    @classmethod
    def from_config(cls, config, name=None, assume=None):
        """A network of a config.json of Hugging Face: the dict, or its file or folder. assume: the model_type that an unknown one is
        read like."""
        if isinstance(config, (str, os.PathLike)):
            path = pathlib.Path(config)
            path = path / "config.json" if path.is_dir() else path
            text, warnings = _library.imported(str(path), None, assume)
        else:
            config = config.to_dict() if hasattr(config, "to_dict") else config
            called = str(name or config.get("_name_or_path") or config.get("model_type") or "network").rstrip("/").rsplit("/", 1)[-1]
            text, warnings = _library.imported(f"config/{called}/config.json", json.dumps(config), assume)
        document = json.loads(text)
        return cls({**document, "name": name} if name else document, warnings)

    @classmethod
    def from_torch(cls, module, batch, name=None):
        """A network of PyTorch, from the shapes of a batch (samples first; whole numbers are tokens). The module stays as it is."""
        import torch
        floats = batch.is_floating_point()
        meta = {}
        for tensor in [*module.parameters(), *module.buffers()]:
            empty = torch.empty_like(tensor, device="meta")
            meta[id(tensor)] = torch.nn.Parameter(empty, tensor.requires_grad) if isinstance(tensor, torch.nn.Parameter) else empty
        return cls(_exporter().export(copy.deepcopy(module, meta), shape=tuple(batch.shape[1:]) if floats else None,
                                      tokens=0 if floats else batch.shape[1], name=name or type(module).__name__,
                                      batch_per_gpu=batch.shape[0]))


def _exporter():
    """paradl_export of examples/export, whose modules stand by themselves."""
    folder = str(_library.HERE / "export")
    sys.path.insert(0, folder)
    try:
        import paradl_export
    finally:
        sys.path.remove(folder)
    return paradl_export
