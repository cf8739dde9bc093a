#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The networks that Megatron's flags describe, built by megatron-core: flags_megatron.py PARADL

Each flag of the network becomes the field of TransformerConfig that Megatron-LM gives it, a GPTModel of it is made on the meta
device, and its parameters are the network's. Skipped (77) without PyTorch and megatron-core."""
import ast
import os
import sys
import warnings

from networks import NETWORKS, launch_of, options_of

# As arguments.py of Megatron-LM turns flags into fields of the configuration; a function makes the value.
FIELDS = {
    "num-layers": ("num_layers", int), "hidden-size": ("hidden_size", int), "num-attention-heads": ("num_attention_heads", int),
    "num-query-groups": ("num_query_groups", int), "ffn-hidden-size": ("ffn_hidden_size", int), "kv-channels": ("kv_channels", int),
    "normalization": ("normalization", str), "num-experts": ("num_moe_experts", int), "moe-router-topk": ("moe_router_topk", int),
    "moe-ffn-hidden-size": ("moe_ffn_hidden_size", int), "moe-grouped-gemm": ("moe_grouped_gemm", bool),
    "moe-shared-expert-intermediate-size": ("moe_shared_expert_intermediate_size", int), "moe-shared-expert-gate": ("moe_shared_expert_gate", bool),
    "moe-router-score-function": ("moe_router_score_function", str), "moe-router-enable-expert-bias": ("moe_router_enable_expert_bias", bool),
    "moe-layer-freq": ("moe_layer_freq", lambda text: layers_of(text)), "qk-layernorm": ("qk_layernorm", bool),
    "multi-latent-attention": ("multi_latent_attention", bool), "q-lora-rank": ("q_lora_rank", int), "kv-lora-rank": ("kv_lora_rank", int),
    "qk-head-dim": ("qk_head_dim", int), "qk-pos-emb-head-dim": ("qk_pos_emb_head_dim", int), "v-head-dim": ("v_head_dim", int), "rope-type": ("rope_type", str),
    "add-qkv-bias": ("add_qkv_bias", bool), "hidden-dropout": ("hidden_dropout", float), "attention-dropout": ("attention_dropout", float),
}
OF_MODEL = {"vocab-size", "position-embedding-type", "max-position-embeddings", "untie-embeddings-and-output-weights", "seq-length", "swiglu",
            "squared-relu", "disable-bias-linear", "group-query-attention"}


def layers_of(text):
    """The list that an expression of lists stands for."""
    return eval(compile(ast.parse(text, mode="eval"), "layers", "eval"), {"__builtins__": {}})


def model_of(flags):
    """The network of the flags, without memory."""
    import torch
    import torch.nn.functional as functional
    from megatron.core.models.gpt.gpt_layer_specs import get_gpt_decoder_block_spec, get_gpt_layer_local_spec
    from megatron.core.models.gpt.gpt_model import GPTModel
    from megatron.core.transformer import multi_latent_attention
    from megatron.core.transformer.transformer_config import MLATransformerConfig, TransformerConfig
    fields = {FIELDS[key][0]: FIELDS[key][1](value) for key, value in flags.items() if key in FIELDS}
    fields.pop("moe_grouped_gemm", None)  # needs a GPU; as many parameters
    fields.update(gated_linear_unit="swiglu" in flags, add_bias_linear="disable-bias-linear" not in flags,
                  activation_func=functional.silu if "swiglu" in flags else functional.gelu, bias_activation_fusion=False,
                  use_cpu_initialization=True, perform_initialization=False, bf16=True, params_dtype=torch.bfloat16)
    multi_latent_attention.HAVE_TE = False  # it takes stand-ins for Transformer Engine
    latent = fields.get("multi_latent_attention", False)
    config = (MLATransformerConfig if latent else TransformerConfig)(**fields)
    if config.num_moe_experts:
        spec = get_gpt_decoder_block_spec(config, use_transformer_engine=False, normalization=config.normalization)
    else:
        spec = get_gpt_layer_local_spec(qk_layernorm=config.qk_layernorm, multi_latent_attention=latent, normalization=config.normalization)
    for layer in getattr(spec, "layer_specs", [spec]):
        layer.submodules.self_attention.submodules.core_attention = torch.nn.Identity  # the fused one needs a GPU; neither has parameters
    with torch.device("meta"):
        return config, GPTModel(config, spec, int(flags["vocab-size"]), int(flags["max-position-embeddings"]),
                                position_embedding_type=flags["position-embedding-type"],
                                share_embeddings_and_output_weights="untie-embeddings-and-output-weights" not in flags)


def layouts_wrong(paradl):
    """How many plans whose stages differ have other blocks in Megatron-Core than in paradl."""
    from megatron.core.transformer.enums import LayerType
    from megatron.core.transformer.pipeline_parallel_layer_layout import PipelineParallelLayerLayout
    wrong = 0
    for name, plan, stages in [("llama3-70b", "pipeline=12,tensor=4", 12), ("llama3-70b", "pipeline=7", 7), ("gpt3-175b", "pipeline=20,schedule=interleaved:2", 40),
                               ("gpt2-xl", "pipeline=5,split=12:9:9:9:9", 5), ("deepseek-v3", "pipeline=16,expert=2", 16)]:
        launch, words, _ = launch_of(paradl, name, "megatron", plan)
        flags = options_of(words)
        layout = PipelineParallelLayerLayout(flags["pipeline-model-parallel-layout"], int(flags["pipeline-model-parallel-size"]))
        layout.validate_layer_layout(int(flags["num-layers"]), None)
        rows = [row[chunk].count(LayerType.decoder) for chunk in range(layout.virtual_pipeline_model_parallel_size) for row in layout.layout]
        print(f"{name} {plan}: layout {layout}", *launch["cannot"])
        wrong += rows != launch["stage_blocks"] or len(rows) != stages
    return wrong


def modules_wrong(paradl):
    """How many networks' recomputed modules Megatron-Core does not take."""
    from megatron.core.transformer import transformer_config
    from megatron.core.transformer.transformer_config import MLATransformerConfig, TransformerConfig
    transformer_config.is_te_min_version = lambda *_, **__: True  # Transformer Engine needs a GPU
    wrong = 0
    for name, wanted in [("deepseek-v3", ["mla_up_proj", "moe_act", "layernorm"]), ("qwen3-30b-a3b", ["moe_act", "layernorm"]), ("llama3-8b", ["layernorm"])]:
        for precision in ("bf16-mixed", "fp8-mixed"):
            _, words, _ = launch_of(paradl, name, "megatron", "data=8,recompute=modules", precision)
            flags = options_of(words)
            fields = {FIELDS[key][0]: FIELDS[key][1](value) for key, value in flags.items() if key in FIELDS}
            begin = words.index("--recompute-modules") + 1
            modules = words[begin:begin + len(wanted)]
            kind = MLATransformerConfig if "multi-latent-attention" in flags else TransformerConfig
            config = kind(**fields, recompute_granularity=flags["recompute-granularity"], recompute_modules=list(modules), bf16=True,
                          fp8=flags.get("fp8-format"), fp8_recipe=flags.get("fp8-recipe", "delayed"), add_bias_linear=False)
            print(f"{name} {precision}: recomputes", *config.recompute_modules)
            wrong += config.recompute_modules != wanted
    return wrong


def main():
    warnings.simplefilter("ignore")
    try:
        import torch
        from megatron.core import parallel_state
        from megatron.core.tensor_parallel.random import model_parallel_cuda_manual_seed  # noqa: F401
    except ImportError as error:
        print(error)
        return 77
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT="29577", RANK="0", WORLD_SIZE="1")
    torch.distributed.init_process_group("gloo", rank=0, world_size=1)
    torch.cuda.current_device = lambda: "cpu"  # tables of angles are made on it
    parallel_state.initialize_model_parallel()
    wrong = 0
    for name in NETWORKS:
        launch, words, wanted = launch_of(sys.argv[1], name, "megatron")
        flags = {key: value for key, value in options_of(words).items() if key in FIELDS or key in OF_MODEL}
        config, model = model_of(flags)
        count = sum(parameter.numel() for parameter in model.parameters())
        count += sum(buffer.numel() for path, buffer in model.named_buffers() if path.endswith("expert_bias"))
        print(f"{name}: {count:,} parameters, {wanted:,} wanted", *launch["cannot"])
        wrong += count != wanted
    torch.distributed.destroy_process_group()
    wrong += layouts_wrong(sys.argv[1]) + modules_wrong(sys.argv[1])
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
