# SPDX-License-Identifier: BSD-3-Clause
"""Networks as paradl-model(5) files have them: found by name, groups and repetitions written out. Needs no PyTorch."""
import json
import os


class Trouble(Exception):
    """What cannot be measured, and what to do."""


def find(name):
    """Path of a network: a file, or a name of models/ of PARADL_PATH, of the sources or of the installed program."""
    if os.path.exists(name):
        return name
    here = os.path.dirname(os.path.realpath(__file__))
    folders = [folder for folder in os.environ.get("PARADL_PATH", "").split(":") if folder]
    folders += [os.path.join(here, *[os.pardir] * up, *rest) for up, rest in ((2, ()), (3, ()), (3, ("share", "paradl")))]
    for folder in folders:
        path = os.path.join(folder, "models", name + ".json")
        if os.path.exists(path):
            return path
    raise Trouble(f"no network {name}: name a paradl-model(5) file, or set PARADL_PATH to the folder that has models/")


class NetworkFile:
    """A network: its layers, in order, and how it is usually trained."""

    def __init__(self, name, sequence=None):
        self.path = find(name)
        try:
            with open(self.path, encoding="utf-8") as file:
                whole = json.load(file)
        except (OSError, ValueError) as error:
            raise Trouble(f"{self.path}: {error}") from error
        if whole.get("format") != "paradl-model":
            raise Trouble(f"{self.path}: its format is not paradl-model; 'paradl export' writes such files")
        # Rows name shipped networks by their name, and others by their path.
        self.row_name = name
        self.dims = dict(whole.get("dims", {}))
        self.source = whole["input"]
        training = whole.get("training", {})
        self.precision = training.get("precision", "fp32")
        self.optimizer = training.get("optimizer", "sgd")
        self.batch = training.get("batch_per_gpu", 32)
        if sequence and "tokens" not in self.source:
            raise Trouble(f"{name} has no tokens: a sequence length is of networks of tokens")
        if sequence:
            self.dims["seq"] = sequence
        self.sequence = (sequence or self.number(self.source["tokens"])) if "tokens" in self.source else None
        self.layers = self.resolved(whole["layers"])

    def number(self, value):
        """Value of a number, or of the name of one, "$hidden"."""
        if isinstance(value, str) and value.startswith("$"):
            if value[1:] not in self.dims:
                raise Trouble(f"{self.path}: {value} is not in dims")
            return self.dims[value[1:]]
        return value

    def resolved(self, layers):
        """Layers with numbers in place of names, groups as lists of layers, as often as they repeat."""
        found = []
        for layer in layers:
            if "type" not in layer:
                for _ in range(self.number(layer.get("repeat", 1))):
                    found += self.resolved(layer["layers"])
                continue
            layer = {key: [self.number(item) for item in value] if isinstance(value, list) and key != "branches" else self.number(value)
                     for key, value in layer.items()}
            if "from" in layer:
                raise Trouble(f"{self.path}: layer {layer.get('name', layer['type'])} reads earlier layers by name, which is not run here")
            if "branches" in layer:
                layer["branches"] = [self.resolved(branch) for branch in layer["branches"]]
            found.append(layer)
        return found
