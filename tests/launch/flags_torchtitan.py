#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks and options as torchtitan reads them: flags_torchtitan.py PARADL

Its ConfigManager reads the options and the module with the network, whose parameters on the meta device are the network's; the
degrees are those of the plan. Biases of routers are buffers there. Skipped (77) without PyTorch and torchtitan."""
import os
import pathlib
import sys
import tempfile

from networks import NETWORKS, launch_of

PLAN = "pipeline=2,data=4,tensor=8,zero=3,micro=1,sequence=on"
OF_EXPERTS = "pipeline=2,data=2,expert=2,tensor=4,zero=3,micro=1,sequence=on"
REFUSED = {"gpt2-xl", "gpt3-175b", "megatron-22b"}  # layer norms, learnt positions, gelu


def main():
    try:
        import torch
        from torchtitan.config import ConfigManager
        import torchtitan.models.llama3.config_registry  # noqa: F401
    except ImportError as error:
        print(error)
        return 77
    wrong, refused = 0, set()
    for name in NETWORKS:
        has_experts = name in ("mixtral-8x7b", "qwen3-30b-a3b", "deepseek-v3")
        launch, words, parameters = launch_of(sys.argv[1], name, "torchtitan", OF_EXPERTS if has_experts else PLAN)
        if not launch["command"]:
            refused.add(name)
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
            model = config.model_spec.model.build()
        count = sum(parameter.numel() for parameter in model.parameters())
        if name == "deepseek-v3":
            count += sum(buffer.numel() for path, buffer in model.named_buffers() if "expert_bias" in path)
        axes = config.parallelism
        degrees = (axes.pipeline_parallel_degree, axes.data_parallel_shard_degree, axes.tensor_parallel_degree, axes.expert_parallel_degree,
                   axes.fsdp_reshard_after_forward)
        print(f"{name}: {count:,} parameters, {parameters:,} wanted; {degrees}", *launch["cannot"])
        wrong += count != parameters or degrees != (2, 2 * 2 if has_experts else 4, 4 if has_experts else 8, 8 if has_experts else 1, "always")
    return wrong > 0 or refused != REFUSED


if __name__ == "__main__":
    sys.exit(main())
