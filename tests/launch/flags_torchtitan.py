#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks and options as torchtitan reads them: flags_torchtitan.py PARADL

Its ConfigManager reads the options and the module with the network, whose parameters on the meta device are the network's; the
degrees are those of the plan. Skipped (77) without PyTorch and torchtitan."""
import os
import pathlib
import sys
import tempfile

from networks import NETWORKS, launch_of

PLAN = "pipeline=2,data=4,tensor=8,zero=3,micro=1,sequence=on"


def main():
    try:
        import torch
        from torchtitan.config import ConfigManager
        import torchtitan.models.llama3.config_registry  # noqa: F401
    except ImportError as error:
        print(error)
        return 77
    wrong = refused = 0
    for name in NETWORKS:
        launch, words, parameters = launch_of(sys.argv[1], name, "torchtitan", PLAN)
        if not launch["command"]:
            refused += 1
            print(f"{name}: refused:", *launch["cannot"])
            continue
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, launch["file"]).write_text("\n".join(launch["lines"]) + "\n")
            os.chdir(folder)
            sys.path.insert(0, folder)
            config = ConfigManager().parse_args(words)
            sys.path.remove(folder)
            sys.modules.pop("paradl_network")
        with torch.device("meta"):
            count = sum(parameter.numel() for parameter in config.model_spec.model.build().parameters())
        axes = config.parallelism
        degrees = (axes.pipeline_parallel_degree, axes.data_parallel_shard_degree, axes.tensor_parallel_degree, axes.fsdp_reshard_after_forward)
        print(f"{name}: {count:,} parameters, {parameters:,} wanted; {degrees}", *launch["cannot"])
        wrong += count != parameters or degrees != (2, 4, 8, "always")
    return wrong > 0 or refused > 6


if __name__ == "__main__":
    sys.exit(main())
