/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Transformers by their dimensions: the text of a native model file, or the model. A member of 0 (NULL, false) is
 * absent or has the default that its comment names, so that { .layers, .hidden, .heads, .vocabulary, .sequence } is a
 * GPT without biases. model_build checks whether the dimensions fit.
 */
#ifndef MODEL_TRANSFORMER_H
#define MODEL_TRANSFORMER_H

#include "base/json.h"
#include "model/model.h"

enum transformer_norm {
	TRANSFORMER_LAYER_NORM,
	TRANSFORMER_RMS_NORM,
	TRANSFORMER_SCALE_NORM, /* a layer norm without a bias */
	TRANSFORMER_BARE_NORM   /* a layer norm without weights */
};

enum transformer_block {
	TRANSFORMER_PRE_NORM,        /* x + attention(norm(x)), then x + mlp(norm(x)) */
	TRANSFORMER_POST_NORM,       /* norm(x + attention(x)), then norm(x + mlp(x)); no norm at the end */
	TRANSFORMER_PARALLEL,        /* x + attention(norm(x)) + mlp(norm'(x)) */
	TRANSFORMER_PARALLEL_SHARED, /* x + attention(norm(x)) + mlp(norm(x)): one norm for both */
	TRANSFORMER_SANDWICH,        /* x + norm(attention(norm(x))), then x + norm(mlp(norm(x))) */
	TRANSFORMER_BRANCH_NORM      /* x + norm(attention(x)), then x + norm(mlp(x)) */
};

enum transformer_end {
	TRANSFORMER_PREDICTS, /* predicts the next token of every token */
	TRANSFORMER_MASKED,   /* predicts masked_tokens of the tokens, or a share; has a pooler as well */
	TRANSFORMER_CLASSES,  /* predicts one of `classes`, from the first token */
	TRANSFORMER_DENOISES, /* predicts `classes` items for each item of a patch's channels, as diffusion does */
	TRANSFORMER_VECTOR /* gives the vector of the first token, perhaps projected; no loss of its own */
};

/* Properties that differ from layer to layer. */
struct transformer_layer {
	bool moe;
	bool recurrent; /* a recurrence instead of attention */
	bool no_mixer, no_mlp;
	bool second;   /* has attention of the second kind */
	bool no_index; /* reads the keys that the index of an earlier layer chose */
	bool all_keys; /* reads all keys */
	bool table;    /* has a table of relative positions */
	unsigned window;
};

/* Attention of some layers whose heads differ from the rest; a member of 0 is as in the shape. */
struct transformer_second {
	unsigned heads, kv_heads, head_dim, value_dim;
	bool sinks, keys_are_values;
};

struct transformer_shape {
	const char *name, *source;                    /* source: "_source" of the file */
	const char *precision, *optimizer;            /* NULL: "bf16-mixed", "adamw" */
	unsigned batch_per_gpu, batch;                /* 0: not given */
	const char *inference_precision;              /* NULL: not given */
	unsigned inference_positions;                 /* 0: not given */
	const char *dataset, *sample_size, *encoding; /* sample_size as "110 kB", encoding as "jpeg" */
	double dataset_tokens, dataset_samples, dataset_validation_samples, dataset_classes;
	const char *token_size; /* bytes of a token, as "2 B" */

	unsigned layers, hidden, heads, vocabulary, sequence;
	unsigned kv_heads;  /* 0: as many as heads */
	unsigned head_dim;  /* 0: hidden / heads */
	unsigned value_dim; /* 0: head_dim; latent attention: nope_dim */
	unsigned ffn;       /* 0: 4 hidden */
	bool gated;
	const char *activation; /* "relu" "relu2" "gelu" "silu"; NULL: silu if gated, else gelu */
	enum transformer_norm norm;
	enum transformer_block block;
	enum transformer_end end;
	bool attention_bias, qkv_bias, mlp_bias, head_bias; /* attention_bias: of all four projections */
	bool out_bias;                                      /* of attention's output alone */
	bool qk_norm, embedding_norm;
	bool key_unbiased;    /* keys have no bias where queries and values have one */
	bool layer_scale;     /* a factor for each item of each branch, as norms of kind "scale" have it */
	bool qk_norm_heads;   /* norm over all heads together, or with weights of its own for each */
	bool gate, head_gate; /* gate of the output, an item for each item (head_gate: each head) */
	bool sinks;           /* one more score for each head in the softmax */
	bool keys_are_values; /* there is no projection of values */
	struct transformer_second second;
	unsigned top_keys, index_heads, index_dim; /* index that chooses keys, where top_keys > 0 */
	bool index_unweighted;                     /* the index has no weight for each head */
	const char *recurrence; /* kind of the recurrent layers: "gated-delta" "mamba2" "mamba" */
	unsigned state_heads, state_groups, state_dim, state_values, conv, chunk, step_rank;
	bool conv_bias, recurrent_bias;
	const struct transformer_layer *pattern; /* properties of each layer; NULL: by window, moe_step ... */
	bool tied;                               /* the head uses the embedding's table */
	bool bidirectional;                      /* attention is not causal */
	bool unfused;                            /* attention stores its scores */
	unsigned positions;                      /* learned positions; 0: none (rotary, ALiBi) */
	unsigned fixed_positions;                /* rows of a frozen table of positions */
	unsigned
		relative_positions; /* rows of the first layer's table of relative positions, an item a head */
	bool relative_everywhere;   /* each layer has such a table */
	unsigned types;             /* number of token types */
	unsigned embedding;         /* width of the table if not hidden (a product widens it); 0: hidden */
	double dropout, attention_dropout;
	double rope_theta;      /* base of the wavelengths of rotary positions; 0: not said */
	unsigned window;        /* most keys that a query sees; 0: all */
	unsigned window_period; /* every window_period-th layer sees all keys; 0: none does */

	/*
	 * Mixture of experts: layer i (from 0) has one if i >= first_dense, (i + 1) % moe_step == 0 and not dense[i].
	 */
	unsigned experts, top_k, moe_ffn, shared_ffn;
	unsigned first_dense, moe_step; /* moe_step 0: 1 */
	const bool *dense;              /* whether each layer has no experts, or NULL */
	bool shared_gate, router_bias, expert_bias, router_scale;
	bool moe_beside; /* each layer with experts has an MLP as well, both with norms of their own (Gemma 4) */
	unsigned expert_width;      /* width of the input of experts; 0: hidden */
	double held;                /* weights that tokens do not pass through */
	double capacity, imbalance; /* imbalance 0: 1 */

	unsigned q_rank, kv_rank, rope_dim, nope_dim; /* latent attention where kv_rank > 0 */
	unsigned mtp; /* number of modules that predict further tokens; they use the embedding's table */

	/*
	 * Another stack of layers that runs first, with a sequence of its own. With projection 0 every block attends to
	 * what it makes (an encoder and this decoder); else both end in vectors of that width, which are multiplied.
	 */
	const struct transformer_shape *encoder;
	bool embedding_shared; /* this stack looks its tokens up in the encoder's table */
	unsigned projection;
	bool projection_bias; /* that of this stack has a bias */
	unsigned trained;     /* weights of neither stack, such as a scale of scores */

	/*
	 * Kinds of samples that blocks are conditioned on, by scales and shifts of norms and gates of branches (DiT, Peebles
	 * and Xie, 2023); 0: none. Each block has a table of them, and an MLP of the time.
	 */
	unsigned conditions;

	double masked_share; /* of any sequence; 0: masked_tokens counts */
	unsigned masked_tokens, classes;
	unsigned image, image_channels,
		patch; /* images as input where patch > 0: no vocabulary, no sequence */
	bool no_class_token, patch_unbiased;
	unsigned registers; /* further learned tokens of an image, without positions */
	bool probe;         /* the vector is what one learned query makes of all tokens (SigLIP, 2023) */
	bool unpooled;      /* a masked language model without a pooler */
	unsigned
		audio; /* channels of a spectrum as input, two frames for each of `sequence` tokens; 0: none */
};

/* Returns the properties of a layer: those of the pattern, or those that the shape's numbers give without one. */
struct transformer_layer transformer_layer(const struct transformer_shape *shape, unsigned layer);
const char *transformer_write(
	struct paradl_arena *arena, const struct transformer_shape *shape, struct paradl_error *error);
const struct paradl_model *transformer_build(
	struct paradl_arena *arena, const struct transformer_shape *shape, struct paradl_error *error);

/* Writers for the parts of a transformer's file. A "line" is a layer on a line of its own. */

struct text {
	struct json_writer writer;
	const struct transformer_shape *shape, *whole; /* whole: the shape that dims are of */
	const char *stack;                             /* name of the blocks: "block", "encoder", "decoder" */
	const char *table;                             /* name of the embedding that a tied head uses */
	char source[32];                               /* name of what blocks attend to; "": nothing */
	char last[32];                                 /* name of the last group of blocks written */
};

void text_line_begin(struct text *text, const char *name, const char *type);
void text_line_end(struct text *text);
void text_unsigned(struct text *text, const char *key, unsigned value);
void text_true(struct text *text, const char *key, bool value);
void text_share(struct text *text, const char *key, double value);
void text_kind(struct text *text, const char *name, const char *type, const char *kind);
void text_norm(struct text *text, const char *name);
void text_dropout(struct text *text);
void text_linear(struct text *text, const char *name, double out, bool bias);
/* Starts a layer that adds branches; text_identity writes the branch that adds x as it is. */
void text_join_begin(struct text *text);
void text_join_end(struct text *text);
void text_identity(struct text *text);
/* Starts a group; its name is followed by the number, unless that is UINT_MAX. */
void text_group_begin(struct text *text, const char *name, unsigned number, unsigned repeat);
void text_group_end(struct text *text);

void text_held(struct text *text, const char *name, double params, bool frozen);
void text_embedding(struct text *text);
/* Writes the encoder of a shape that has one, or the other tower. */
void text_encoder(struct text *text);
void text_vector(struct text *text, const char *name);
/* Writes the joint end of two towers. */
void text_towers(struct text *text);
void text_mlp(struct text *text);
/* Writes a layer that joins the tokens with a product of the condition: "multiply" or "add". */
void text_modulate(struct text *text, const char *type);
/* Writes the vector that blocks are conditioned on, where they are. */
void text_condition(struct text *text);
void text_block(struct text *text, const struct transformer_layer *layer);
void text_blocks(struct text *text);
void text_ending(struct text *text);

#endif
