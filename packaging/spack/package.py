# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipe for Spack: a folder packages/paradl of a repository of one's own has it as package.py, then `spack install paradl`.
The source is a checkout until there are releases: `spack dev-build paradl@main` in it."""
from spack.package import *


class Paradl(MesonPackage, CudaPackage):
    """How long training a neural network on many devices takes, what memory it needs and what limits it, for every way to
    divide the work: an oracle that needs no device."""

    license("GPL-3.0-or-later AND BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="paradl-mpi, and programs that measure messages")
    variant("blas", default=True, description="programs that measure processors")
    variant("yaml", default=True, description="import of workloads of DLIO and MLPerf Storage")
    variant("docs", default=True, description="manual pages")

    depends_on("c", type="build")
    depends_on("meson@0.61:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("scdoc", type="build", when="+docs")
    depends_on("cjson")
    depends_on("gsl")
    depends_on("libyaml", when="+yaml")
    depends_on("mpi", when="+mpi")
    depends_on("openblas", when="+blas")
    depends_on("gnuplot+cairo", type="run")

    def meson_args(self):
        spec = self.spec
        options = {"mpi": "mpi", "blas": "openblas", "yaml": "yaml", "docs": "docs", "cuda": "cuda"}
        args = [
            "-D{0}={1}".format(option, "enabled" if spec.satisfies("+" + variant) else "disabled")
            for variant, option in options.items()
        ]
        args += ["-Dtests=disabled", "-Dsimgrid=disabled"]
        if spec.satisfies("+cuda"):
            architectures = [arch for arch in spec.variants["cuda_arch"].value if arch != "none"]
            if architectures:
                args.append("-Dgpu_architectures=" + ",".join(architectures))
        return args
