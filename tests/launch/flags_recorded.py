#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags against the fields that programs' configurations have, as fields.json keeps them: flags_recorded.py PARADL [packages | --write]

With `packages` the packages themselves are asked whether what is kept is so. Every flag of a network or a plan is a field, by
its own name or by the one that the program's parser gives it."""
import json
import pathlib
import sys

from networks import NETWORKS, launch_of, options_of

KEPT = pathlib.Path(__file__).with_name("fields.json")
PLANS = ["pipeline=2,data=2,tensor=4,micro=1,sequence=on,zero=1", "data=2,context=2,tensor=2,zero=3,recompute=full", "data=8,zero=2,recompute=selective", "data=8,zero=1,recompute=modules",
         "pipeline=2,data=4,schedule=interleaved:2,micro=1"]
# Flags of Megatron-LM whose field has another name; None: its training loop, optimizer or tokenizer reads them, not the configuration.
MEGATRON = {
    "num-experts": "num_moe_experts", "swiglu": "gated_linear_unit", "squared-relu": "activation_func", "group-query-attention": "num_query_groups",
    "disable-bias-linear": "add_bias_linear", "fp8-format": "fp8", "qk-layernorm": "qk_layernorm",
    "num-layers-per-virtual-pipeline-stage": "virtual_pipeline_model_parallel_size",
    "num-virtual-stages-per-pipeline-rank": "virtual_pipeline_model_parallel_size",
    **dict.fromkeys(["micro-batch-size", "global-batch-size", "seq-length", "max-position-embeddings", "vocab-size", "position-embedding-type",
                     "untie-embeddings-and-output-weights", "use-distributed-optimizer", "overlap-grad-reduce", "overlap-param-gather",
                     "use-custom-fsdp", "data-parallel-sharding-strategy", "use-tp-pp-dp-mapping"]),
}
OF_TORCHTITAN = {"module", "config"}


def bridge_fields(core):
    """Keys of Megatron-Bridge's configuration, read from its sources: to import them takes kernels of a GPU."""
    import ast
    import importlib.metadata
    parts = {}
    for file in importlib.metadata.distribution("megatron-bridge").files:
        if str(file) in ("megatron/bridge/training/config.py", "megatron/bridge/training/comm_overlap.py", "megatron/bridge/models/gpt_provider.py"):
            for of in ast.walk(ast.parse(file.locate().read_text())):
                if isinstance(of, ast.ClassDef):
                    parts[of.name] = [line.target.id for line in of.body if isinstance(line, ast.AnnAssign)]
        if str(file) == "megatron/bridge/training/mixed_precision.py":
            names = [of.name for of in ast.parse(file.locate().read_text()).body if isinstance(of, ast.FunctionDef)]
    keys = {"model": parts["GPTModelProvider"] + core["model"], "ddp": parts["DistributedDataParallelConfig"] + core["ddp"],
            "optimizer": parts["OptimizerConfig"] + core["optimizer"], "train": parts["TrainingConfig"], "dist": parts["DistributedInitConfig"],
            "comm_overlap": parts["CommOverlapConfig"]}
    return sorted([f"{part}.{key}" for part, of in keys.items() for key in set(of)] + [f"mixed_precision={name}" for name in names])


def fields_now():
    """What the packages have."""
    import dataclasses
    from deepspeed.runtime.zero.config import DeepSpeedZeroConfig
    from megatron.core.distributed import DistributedDataParallelConfig
    from megatron.core.optimizer import OptimizerConfig
    from megatron.core.transformer.transformer_config import MLATransformerConfig
    from torchtitan.config import ParallelismConfig, TrainingConfig
    core = {part: [field.name for field in dataclasses.fields(kind)] for part, kind in (
        ("model", MLATransformerConfig), ("ddp", DistributedDataParallelConfig), ("optimizer", OptimizerConfig))}
    return {"megatron-core": sorted(core["model"]), "megatron-bridge": bridge_fields(core),
            "torchtitan": sorted(f"{name}.{field.name}" for name, kind in (("parallelism", ParallelismConfig), ("training", TrainingConfig))
                                 for field in dataclasses.fields(kind)),
            "deepspeed zero_optimization": sorted(DeepSpeedZeroConfig.model_fields)}


def unknown(program, name, plan, kept):
    """Flags of a launch that are no field."""
    framework = "nemo-bridge" if program == "nemo" else "nccl"
    launch, words, _ = launch_of(sys.argv[1], name, program, plan, framework=framework)
    options = options_of(words)
    if program == "nemo":
        keys = [word if word.startswith("mixed_precision") else word.split("=")[0] for word in words]
        return [key for key in keys if key not in kept["megatron-bridge"]]
    if program == "megatron":
        fields = {flag: MEGATRON.get(flag, flag.replace("-", "_")) for flag in options}
        return [flag for flag, field in fields.items() if field and field not in kept["megatron-core"]]
    if program == "torchtitan":
        return [flag for flag in options if flag not in OF_TORCHTITAN and flag.replace(".no-", ".").replace("-", "_") not in kept["torchtitan"]]
    return [key for key in json.loads("\n".join(launch["lines"]))["zero_optimization"] if key not in kept["deepspeed zero_optimization"]]


def main():
    if "--write" in sys.argv:
        # Those of engines are of vLLM 0.11.0 (EngineArgs) and SGLang 0.5.3 (ServerArgs), whose packages are not fetched.
        KEPT.write_text(json.dumps({**json.loads(KEPT.read_text()), **fields_now()}, indent=0) + "\n")
        return 0
    kept = json.loads(KEPT.read_text())
    wrong = [f"{package}: other fields than fields.json keeps" for package, fields in (fields_now() if "packages" in sys.argv else {}).items()
             if fields != kept[package]]
    for program in ("megatron", "nemo", "torchtitan", "deepspeed"):
        for name in NETWORKS:
            for plan in PLANS[:1 if name in ("deepseek-v3", "llama3-405b") else None]:
                wrong += [f"{program}, {name}, {plan}: {flag}" for flag in unknown(program, name, plan, kept)]
    print(*wrong, f"{len(wrong)} flags without their fields", sep="\n")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
