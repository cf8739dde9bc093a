# SPDX-License-Identifier: GPL-3.0-or-later
"""What samples are between the layers of a network of images.

Tensors of PyTorch are views of one another, whatever a layer does with them. For paradl a sample is a grid, ("grid", channels, extents ...),
a sequence of tokens, ("tokens", width, how many), or a vector, which is a grid without extents; a reshape stands where one becomes another."""
from paradl_trace import BATCH, refuse


def numel(shape):
    items = 1
    for extent in shape:
        items *= extent
    return items


def last(shape):
    """A tensor whose channels lie last: items of each place side by side."""
    return ("tokens", shape[-1], numel(shape[:-1]) // BATCH)


def is_patches(conv):
    """A convolution of the input whose windows lie side by side."""
    keys = conv["keys"]
    same = conv["type"] == "conv" and keys["kernel"] == keys["stride"] and len(set(keys["kernel"])) == 1 and keys["groups"] == 1
    return same and conv["reads"] == [-1] and not any(keys["pad"]) and set(keys["dilation"]) == {1} and "standardized" not in keys


def make_patches(conv):
    keys = conv["keys"]
    conv.update(type="embedding", keys={"kind": "patch", "patch": keys["kernel"][0], "out": keys["out"], "bias": keys["bias"]})


class NeedsTokens(Exception):
    """Something is done with places that only layers of tokens do."""


class Shaper:
    def __init__(self, layers, shape, tokens):
        """tokens: layers of each place work on tokens, not on grids."""
        self.old, self.input, self.tokens = layers, ("grid", *shape), tokens
        self.layers, self.forms, self.at, self.turned = [], [], {-1: -1}, {}
        self.read = set()  # by layers so far

    def shape(self):
        for i, layer in enumerate(self.old):
            if layer["type"] is None:
                continue
            new = dict(layer, keys=dict(layer["keys"]), reads=[self.at[j] for j in layer["reads"]])
            form = getattr(self, layer["type"], self.same)(new)
            self.layers.append(new)
            self.forms.append(form)
            self.read.update(new["reads"])
            self.at[i] = len(self.layers) - 1
        return self.layers

    def form(self, i):
        return self.forms[i] if i >= 0 else self.input

    def turn(self, layer, k, form):
        """Input k of the layer under another form."""
        i = layer["reads"][k]
        if self.form(i) == form:
            return
        if form[0] == "tokens" and i >= 0 and is_patches(self.layers[i]):
            make_patches(self.layers[i])
            self.forms[i] = form
            return
        if numel(self.form(i)[1:]) != numel(form[1:]):
            refuse(layer["path"], f"{layer['type']} of {self.form(i)[0]} {self.form(i)[1:]} as {form[0]} {form[1:]}")
        if i >= 0 and i not in self.read and self.layers[i]["type"] == "reshape":  # moves once, to where this wants it
            self.layers[i]["keys"] = moved(form)
            self.forms[i] = form
            return
        if (i, form) not in self.turned:
            self.layers.append({"path": layer["path"], "reads": [i], "type": "reshape", "keys": moved(form)})
            self.forms.append(form)
            self.read.add(i)
            self.turned[i, form] = len(self.layers) - 1
        layer["reads"][k] = self.turned[i, form]

    def same(self, layer):
        return self.form(layer["reads"][0]) if layer["reads"] else self.input

    def grid(self, layer):
        before = self.form(layer["reads"][0])
        if before[0] == "tokens":
            self.turn(layer, 0, ("grid", *layer["inputs"][0][1:]))
        return ("grid", *layer["shape"][1:])

    conv = upsample = grid

    def embedding(self, layer):
        return ("tokens", layer["keys"]["out"], numel(layer["shape"][2:]) + layer["keys"].get("class_token", 0))

    def pool(self, layer):
        if layer["keys"].get("kind") != "first" and not layer["keys"].get("global"):
            return self.grid(layer)
        before = self.form(layer["reads"][0])
        return ("grid", before[1], *[1 for _ in before[2:] if before[0] == "grid"])

    def scale(self, layer):
        """A weight for each channel: a depthwise convolution."""
        form = self.same(layer)
        if form[0] != "grid" or layer["keys"]["out"] != form[1]:
            refuse(layer["path"], f"a product of {form[1:]} and {layer['keys']['out']} weights")
        layer["type"] = "conv"
        return form

    def norm(self, layer):
        if layer["keys"]["kind"] not in ("layer", "rms"):
            return self.grid(layer)
        return self.places(layer, layer["shape"][-1], layer["shape"][-1])

    def linear(self, layer):
        form = self.places(layer, layer["width"], layer["keys"]["out"])
        if form[0] == "grid" and len(form) > 2:  # of each place
            layer.update(type="conv", keys={"out": form[1], "kernel": [1, 1], "bias": layer["keys"]["bias"]})
        return form

    def places(self, layer, width, out):
        """Works on the channels of each place by itself, or on a vector."""
        before = self.form(layer["reads"][0])
        count = numel(layer["shape"][:-1]) // BATCH
        if count == 1 and numel(before[1:]) == width:
            return ("grid", out)
        if self.tokens:
            self.turn(layer, 0, ("tokens", width, count))
            return ("tokens", out, count)
        if before[1] != width:
            raise NeedsTokens
        return ("grid", out, *before[2:])

    def attention(self, layer):
        self.turn(layer, 0, ("tokens", layer["width"], numel(layer["shape"][:-1]) // BATCH))
        return ("tokens", layer["out"], numel(layer["shape"][:-1]) // BATCH)

    def mlp(self, layer):
        self.places(layer, layer["width"], layer["width"])
        return self.same(layer)

    def add(self, layer):
        forms = [self.form(i) for i in layer["reads"]]
        if any(form[0] == "tokens" for form in forms):
            for k, form in enumerate(forms):
                if numel(form[1:]) == numel(layer["shape"][1:]):
                    self.turn(layer, k, last(layer["shape"]))
        return max((self.form(i) for i in layer["reads"]), key=lambda form: numel(form[1:]))

    multiply = add

    def concat(self, layer):
        if self.same(layer)[0] == "grid":
            return ("grid", *layer["shape"][1:])
        for k, shape in enumerate(layer["inputs"]):
            self.turn(layer, k, last(shape))
        layer["keys"]["axis"] = 0 if layer["keys"]["axis"] == len(layer["shape"]) - 2 else 1
        return last(layer["shape"])

    def move(self, layer):
        """Items that move, or some of them."""
        before, shape = self.same(layer), layer["inputs"][0]
        form = ("grid", *layer["shape"][1:])
        if before[0] == "tokens" and last(shape) == before:
            form = last(layer["shape"])
        elif before != ("grid", *shape[1:]):
            refuse(layer["path"], f"a part, {layer['shape'][1:]}, of {shape[1:]}")
        layer.update(type="reshape", keys=moved(form))
        return form

    slice = move

    def copy(self, layer):
        form = self.same(layer)
        layer.update(type="reshape", keys=moved(form))
        return form


def moved(form):
    return {"out_shape": list(form[1:]), **({"tokens": True} if form[0] == "tokens" else {}), "copy": True}
