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

UNEQUAL = "pipeline=6,data=2,tensor=4,zero=3,micro=1,sequence=on,schedule=interleaved:2"
PLAN = "pipeline=2,data=4,tensor=8,zero=3,micro=1,sequence=on"
OF_EXPERTS = "pipeline=2,data=2,expert=2,tensor=4,zero=3,micro=1,sequence=on"
REFUSED = {"gpt2-xl", "gpt3-175b", "megatron-22b"}  # layer norms, learnt positions, gelu


def read(launch, words):
    """The configuration that torchtitan makes of a launch."""
    from torchtitan.components.quantization import float8
    from torchtitan.config import ConfigManager
    float8.has_cuda_capability = lambda *_: True  # products in fp8 are those of devices that have them
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, launch["file"]).write_text("\n".join(launch["lines"]) + "\n")
        os.chdir(folder)
        sys.path.insert(0, folder)
        config = ConfigManager().parse_args(words)
        sys.path.remove(folder)
        sys.modules.pop("paradl_network")
    return config


def stages_of(config, virtual):
    """The modules of each stage as torchtitan deals them out."""
    from torchtitan.distributed import pipeline_parallel
    axes = config.parallelism
    if axes.module_fqns_per_model_part is not None:
        return axes.module_fqns_per_model_part
    return pipeline_parallel._generate_llm_fqn_per_model_part(
        axes.pipeline_parallel_degree * virtual, len(config.model_spec.model.layers), axes.pipeline_parallel_first_stage_less_layers,
        axes.pipeline_parallel_last_stage_less_layers)


def deals(name, plan, virtual, framework="nccl"):
    """Whether stages are those of the plan, the products those of fp8, and passes fused where the estimate has them so."""
    import torch
    launch, words, parameters = launch_of(sys.argv[1], name, "torchtitan", plan, "fp8-mixed", framework)
    config = read(launch, words)
    stages = stages_of(config, virtual)
    blocks = [sum(module.startswith("layers.") for module in stage) for stage in stages]
    in_order = [module for stage in stages for module in stage]
    wanted = ["tok_embeddings", *(f"layers.{i}" for i in range(len(config.model_spec.model.layers))), "norm", "lm_head"]
    with torch.device("meta"):
        modules = list(config.model_spec.model.build().modules())
    products = sum("Float8" in type(module).__name__ for module in modules)
    print(f"{name}: stages of {blocks}, {launch['stage_blocks']} wanted; {products} modules in fp8; compiled: {config.compile.enable}", *launch["cannot"])
    return (in_order == wanted and blocks == (launch["stage_blocks"] or [len(wanted[1:-2]) // len(stages)] * len(stages)) and products > 0
            and config.compile.enable == ("+compile" in framework))


def main():
    try:
        import torch
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
        config = read(launch, words)
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
    for name, plan, virtual, framework in (("deepseek-v3", UNEQUAL, 2, "torchtitan+compile"), ("llama3-8b", PLAN, 1, "torchtitan"),
                                           ("llama3-405b", UNEQUAL.replace("pipeline=6", "pipeline=8"), 2, "torchtitan")):
        wrong += not deals(name, plan, virtual, framework)
    return wrong > 0 or refused != REFUSED


if __name__ == "__main__":
    sys.exit(main())
