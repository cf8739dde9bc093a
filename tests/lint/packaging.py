#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What packages say of the project is so: packaging.py ROOT

One version everywhere; every Meson option that a recipe sets exists, and its class takes them; the citation has what CFF 1.2.0
asks for. The recipe for Spack is run on a stub of Spack, with every variant on and off."""
import pathlib
import re
import sys
import types

root = pathlib.Path(sys.argv[1])
problems = []


def text(name):
    return (root / name).read_text()


def expect(truth, problem):
    if not truth:
        problems.append(problem)


def found(pattern, name):
    match = re.search(pattern, text(name), re.M)
    return match and match[1]


def check_versions():
    version = found(r"^  version: '([^']*)'", "meson.build")
    for name, pattern in (
        ("debian/changelog", r"\Aparadl \(([^)]*)\)"),
        ("CITATION.cff", r"^version: (\S+)"),
        ("CHANGELOG.md", r"^## (\S+)"),
    ):
        expect(found(pattern, name) == version, f"{name}: its version is not {version}")


def check_options(name, arguments):
    options = set(re.findall(r"^option\('(\w+)'", text("meson_options.txt"), re.M))
    for option in re.findall(r"-D(\w+)=", arguments):
        expect(option in options | {"buildtype"}, f"{name}: -D{option} is no option")


class Spec:
    """A spec with some of the variants, and one GPU."""

    def __init__(self, variants):
        self.on = variants
        self.variants = {"cuda_arch": types.SimpleNamespace(value=("90",))}

    def satisfies(self, constraint):
        return constraint[1:] in self.on


def check_spack():
    name = "packaging/spack/package.py"
    variants, stub = ["cuda"], types.ModuleType("spack.package")
    stub.MesonPackage = type("MesonPackage", (), {})
    stub.CudaPackage = type("CudaPackage", (), {})
    stub.variant = lambda variant, **_: variants.append(variant)
    for directive in ("license", "version", "depends_on"):
        setattr(stub, directive, lambda *_, **__: None)
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), stub
    module = {}
    exec(compile(text(name), name, "exec"), module)
    recipe = module["Paradl"]()
    for chosen in (variants, []):
        recipe.spec = Spec(chosen)
        check_options(name, " ".join(recipe.meson_args()))
    for constraint in re.findall(r'when="\+(\w+)"', text(name)):
        expect(constraint in variants, f"{name}: no variant {constraint}")


def check_citation():
    for key in ("cff-version: 1.2.0", "message:", "title:", "authors:", "preferred-citation:"):
        expect(re.search("^" + key, text("CITATION.cff"), re.M), f"CITATION.cff: no {key}")


check_versions()
check_spack()
check_citation()
for recipe_file in ("debian/rules", "Containerfile", "packaging/paradl.def", "pyproject.toml"):
    check_options(recipe_file, text(recipe_file))
print(*problems, sep="\n")
sys.exit(1 if problems else 0)
