/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dimensions of published transformers, and the shapes of those that are shipped (models/). */
#ifndef TESTS_MODEL_TRANSFORMERS_H
#define TESTS_MODEL_TRANSFORMERS_H

#include "model/transformer.h"

#define LLAMA_LONG(layers_, hidden_, heads_, kv_heads_, ffn_, vocabulary_, sequence_)                        \
	.norm = TRANSFORMER_RMS_NORM, .gated = true, .layers = (layers_), .hidden = (hidden_),               \
	.heads = (heads_), .kv_heads = (kv_heads_), .ffn = (ffn_), .vocabulary = (vocabulary_),              \
	.sequence = (sequence_)
#define LLAMA(layers_, hidden_, heads_, kv_heads_, ffn_, vocabulary_)                                        \
	LLAMA_LONG(layers_, hidden_, heads_, kv_heads_, ffn_, vocabulary_, 4096)
#define GPT(layers_, hidden_, heads_, vocabulary_, sequence_)                                                \
	.attention_bias = true, .mlp_bias = true, .tied = true, .dropout = 0.1, .attention_dropout = 0.1,    \
	.layers = (layers_), .hidden = (hidden_), .heads = (heads_), .vocabulary = (vocabulary_),            \
	.sequence = (sequence_), .positions = (sequence_)
#define BERT(layers_, hidden_, heads_)                                                                       \
	.attention_bias = true, .mlp_bias = true, .tied = true, .bidirectional = true,                       \
	.block = TRANSFORMER_POST_NORM, .end = TRANSFORMER_MASKED, .types = 2, .embedding_norm = true,       \
	.dropout = 0.1, .attention_dropout = 0.1, .positions = 512, .sequence = 512, .masked_share = 0.15,   \
	.vocabulary = 30522, .layers = (layers_), .hidden = (hidden_), .heads = (heads_)
#define VIT(layers_, hidden_, heads_, patch_)                                                                \
	.attention_bias = true, .mlp_bias = true, .bidirectional = true, .end = TRANSFORMER_CLASSES,         \
	.classes = 1000, .image = 224, .image_channels = 3, .patch = (patch_), .layers = (layers_),          \
	.hidden = (hidden_), .heads = (heads_), .positions = (224 / (patch_)) * (224 / (patch_)) + 1
#define LATENT(rank_) .kv_rank = (rank_), .rope_dim = 64, .nope_dim = 128
#define DEEPSEEK_V3                                                                                          \
	LLAMA(61, 7168, 128, 0, 18432, 129280), LATENT(512), .q_rank = 1536, .experts = 256, .top_k = 8,     \
							     .moe_ffn = 2048, .shared_ffn = 2048,            \
							     .first_dense = 3, .router_bias = true
#define QWEN3_30B                                                                                            \
	LLAMA(48, 2048, 32, 4, 6144, 151936), .head_dim = 128, .qk_norm = true, .experts = 128, .top_k = 8,  \
					      .moe_ffn = 768

#define MEGATRON                                                                                             \
	.precision = "fp16-mixed", .optimizer = "adam", .dataset = "300 G tokens", .dataset_tokens = 300e9,  \
	.token_size = "2 B"
#define TRAINED(text, tokens, size) .dataset = (text), .dataset_tokens = (tokens), .token_size = (size)
#define IMAGENET                                                                                             \
	.precision = "bf16-mixed", .dataset = "ImageNet-1k", .dataset_samples = 1281167,                     \
	.dataset_validation_samples = 50000, .sample_size = "110 kB", .encoding = "jpeg",                    \
	.dataset_classes = 1000

static const struct shipped_transformer {
	const char *file;
	struct transformer_shape shape;
} shipped_transformers[] = {
	{"gpt3-175b", {.name = "GPT-3 175B",
			      GPT(96, 12288, 96, 51200, 2048),
			      MEGATRON,
			      .batch_per_gpu = 1,
			      .batch = 1536,
			      .source = "Brown et al. 2020, Table 2.1 (batch of 3.2 M tokens); the "
					"vocabulary as Megatron-LM pads it"}},
	{"megatron-1.7b", {.name = "Megatron 1.7B",
				  GPT(24, 2304, 24, 51200, 2048),
				  MEGATRON,
				  .batch_per_gpu = 16,
				  .source = "Narayanan et al. 2021, Table 1"}},
	{"megatron-22b", {.name = "Megatron 22B",
				 GPT(48, 6144, 64, 51200, 2048),
				 MEGATRON,
				 .batch_per_gpu = 1,
				 .source = "Korthikanti et al. 2022, Table 3"}},
	{"megatron-530b", {.name = "Megatron 530B",
				  GPT(105, 20480, 128, 51200, 2048),
				  MEGATRON,
				  .batch_per_gpu = 1,
				  .source = "Korthikanti et al. 2022, Table 3"}},
	{"megatron-1t", {.name = "Megatron 1T",
				GPT(128, 25600, 160, 51200, 2048),
				MEGATRON,
				.batch_per_gpu = 1,
				.source = "Korthikanti et al. 2022, Table 3"}},
	{"gpt2-xl", {.name = "GPT-2 XL",
			    GPT(48, 1600, 25, 50257, 1024),
			    .precision = "fp16-mixed",
			    .optimizer = "adam",
			    TRAINED("OpenWebText", 9.04e9, "2 B"),
			    .batch_per_gpu = 8,
			    .batch = 512,
			    .source = "Radford et al. 2019 (batch of 512); 1.5 G parameters"}},
	{"bert-large",
		{.name = "BERT-Large",
			BERT(24, 1024, 16),
			.precision = "fp16-mixed",
			TRAINED("Wikipedia and BooksCorpus", 3.3e9, "2 B"),
			.batch_per_gpu = 16,
			.source =
				"Devlin et al. 2019; encoder and pooler, and the tied head over 15 % of the "
				"tokens (without its transform)"}},
	{"vit-b16", {.name = "ViT-B/16",
			    VIT(12, 768, 12, 16),
			    IMAGENET,
			    .batch_per_gpu = 128,
			    .source = "Dosovitskiy et al. 2021, Table 1"}},
	{"vit-huge", {.name = "ViT-H/14",
			     VIT(32, 1280, 16, 14),
			     IMAGENET,
			     .batch_per_gpu = 32,
			     .source = "Dosovitskiy et al. 2021, Table 1"}},
	{"llama2-7b", {.name = "Llama-2-7B",
			      .rope_theta = 10000,
			      LLAMA(32, 4096, 32, 0, 11008, 32000),
			      TRAINED("2 T tokens", 2e12, "2 B"),
			      .batch_per_gpu = 4,
			      .batch = 1024,
			      .source = "Touvron et al. 2023, Table 1 (batch of 4 M tokens)"}},
	{"llama2-70b", {.name = "Llama-2-70B",
			       .rope_theta = 10000,
			       LLAMA(80, 8192, 64, 8, 28672, 32000),
			       TRAINED("2 T tokens", 2e12, "2 B"),
			       .batch_per_gpu = 1,
			       .batch = 1024,
			       .source = "Touvron et al. 2023, Table 1 (batch of 4 M tokens)"}},
	{"llama3-8b", {.name = "Llama-3-8B",
			      .rope_theta = 500000,
			      LLAMA_LONG(32, 4096, 32, 8, 14336, 128256, 8192),
			      TRAINED("15 T tokens", 15e12, "4 B"),
			      .batch_per_gpu = 1,
			      .batch = 512,
			      .source = "Llama team 2024, Table 3; the batch of 4 M tokens that the 405B "
					"began with stands for its own, which is not published"}},
	{"llama3-70b", {.name = "Llama-3-70B",
			       .rope_theta = 500000,
			       LLAMA_LONG(80, 8192, 64, 8, 28672, 128256, 8192),
			       TRAINED("15 T tokens", 15e12, "4 B"),
			       .batch_per_gpu = 1,
			       .batch = 512,
			       .source = "Llama team 2024, Table 3; the batch of 4 M tokens that the 405B "
					 "began with stands for its own, which is not published"}},
	{"llama3-405b", {.name = "Llama-3.1-405B",
				.rope_theta = 500000,
				LLAMA_LONG(126, 16384, 128, 8, 53248, 128256, 8192),
				TRAINED("15.6 T tokens", 15.6e12, "4 B"),
				.batch_per_gpu = 1,
				.batch = 2048,
				.source = "Llama team 2024, Tables 3 and 4 (batch of 16 M tokens), and "
					  "section 3.4.2 (128K positions)",
				.inference_positions = 131072}},
	{"mixtral-8x7b", {.name = "Mixtral-8x7B",
				 .rope_theta = 1000000,
				 LLAMA(32, 4096, 32, 8, 14336, 32000),
				 .experts = 8,
				 .top_k = 2,
				 TRAINED("1 T tokens", 1e12, "2 B"),
				 .batch_per_gpu = 1,
				 .batch = 1024,
				 .source = "Jiang et al. 2024, Table 1; data set and batch are not "
					   "published, 1 T tokens and 4 M tokens stand for them"}},
	{"qwen3-30b-a3b", {.name = "Qwen3-30B-A3B",
				  .rope_theta = 1000000,
				  QWEN3_30B,
				  TRAINED("36 T tokens", 36e12, "4 B"),
				  .batch_per_gpu = 4,
				  .batch = 1024,
				  .source = "Qwen team 2025; a batch of 4 M tokens stands for theirs, which "
					    "is not published"}},
	{"deepseek-v3", {.name = "DeepSeek-V3",
				.rope_theta = 10000,
				DEEPSEEK_V3,
				.precision = "fp8-mixed",
				TRAINED("14.8 T tokens", 14.8e12, "4 B"),
				.batch_per_gpu = 8,
				.batch = 15360,
				.source = "DeepSeek-AI 2024 (batch of 15,360, after 469 G tokens); without "
					  "multi-token prediction"}},
};

enum { SHIPPED_TRANSFORMERS = sizeof shipped_transformers / sizeof shipped_transformers[0] };

#endif
