/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports a model of Calculon: the blocks of a GPT as Megatron-LM builds it, by their dimensions. Such a file leaves
 * out the embedding and the head, and mostly the vocabulary; those of Megatron-LM's GPT are taken.
 */
#include <string.h>

#include "base/error.h"
#include "import/calculon.h"
#include "model/transformer.h"

enum { NUMBER_MAX = 2147483647, LAYERS_MAX = 10000, MEGATRON_VOCABULARY = 51200, NAME_LENGTH = 200 };

struct calculon_model {
	unsigned hidden, feedforward, seq_size, attn_heads, attn_size, num_blocks, vocab_size;
	const char *name;
};

#define FIELD(member, must)                                                                                  \
	{                                                                                                    \
		.key = #member, .type = JSON_TO_UNSIGNED, .required = (must),                                \
		.offset = offsetof(struct calculon_model, member), .min = 1, .max = NUMBER_MAX               \
	}
static const struct json_field fields[] = {
	FIELD(hidden, true),
	FIELD(feedforward, false),
	FIELD(seq_size, true),
	FIELD(attn_heads, true),
	FIELD(attn_size, false),
	FIELD(num_blocks, true),
	FIELD(vocab_size, false),
	{.key = "name", .type = JSON_TO_TEXT, .offset = offsetof(struct calculon_model, name)},
};

const char *calculon_name(struct paradl_arena *arena, const char *path)
{
	const char *const name = import_file_name(path), *const dot = strrchr(name, '.');
	const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
	return arena_copy(arena, name, length < NAME_LENGTH ? length : NAME_LENGTH);
}

static bool knows(const struct import_source *source)
{
	static const char *const keys[] = {"hidden", "seq_size", "attn_heads", "num_blocks"};
	bool all = source->root != NULL;
	for (size_t i = 0; all && i < sizeof keys / sizeof *keys; i++)
		all = json_member(source->root, keys[i]) != NULL;
	return all;
}

static bool shape_read(struct importing *importing, struct transformer_shape *shape)
{
	struct calculon_model model = {.vocab_size = MEGATRON_VOCABULARY};
	const struct json *const root = importing->source.root;
	if (!json_read(root, fields, sizeof fields / sizeof *fields, NULL, &model, importing->error))
		return false;
	if (model.num_blocks > LAYERS_MAX)
		return json_error(json_member(root, "num_blocks"), importing->error,
			"is %u, more than %d blocks", model.num_blocks, LAYERS_MAX);
	if (!json_member(root, "vocab_size"))
		warn(&importing->warnings,
			"has no vocabulary: embedding and head are those of Megatron-LM's GPT, with %d words",
			MEGATRON_VOCABULARY);
	*shape = (struct transformer_shape){
		.name = model.name ? model.name : calculon_name(importing->arena, importing->source.path),
		.source = import_file_name(importing->source.path),
		.precision = "fp16-mixed",
		.optimizer = "adam",
		.layers = model.num_blocks,
		.hidden = model.hidden,
		.heads = model.attn_heads,
		.head_dim = model.attn_size,
		.ffn = model.feedforward,
		.vocabulary = model.vocab_size,
		.sequence = model.seq_size,
		.positions = model.seq_size,
		.attention_bias = true,
		.mlp_bias = true,
		.tied = true,
		.dropout = 0.1,
		.attention_dropout = 0.1,
	};
	return shape->name || out_of_memory(importing->error);
}

static const char *read(struct importing *importing)
{
	struct transformer_shape shape;
	return shape_read(importing, &shape) ? transformer_write(importing->arena, &shape, importing->error)
					     : NULL;
}

const struct importer importer_calculon_model = {
	.name = "calculon-model",
	.summary = "model of Calculon: a GPT by its dimensions",
	.becomes = "paradl-model",
	.needs_json = true,
	.knows = knows,
	.read = read,
};
