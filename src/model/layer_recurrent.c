/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recurrence mixes tokens instead of attention: each of h heads keeps a state of N x P items, whatever the length
 * of the sequence. The width of the stream is w; g groups share keys and queries; short convolutions run over K
 * tokens.
 *     gated-delta  (Yang et al., Gated Delta Networks, 2024, as in Qwen3-Next) w x (2 g N + 2 h P + 2 h): queries,
 *                  keys, values, output gate, decay and strength; a norm of P; out h P x w
 *     mamba2       (Dao and Gu, Mamba-2, 2024) w x (2 h P + 2 g N + h): gate, values, keys, queries, step; a norm of
 *                  h P
 *     mamba        (Gu and Dao, Mamba, 2023) h = 1, P channels: w x 2 P, P x (rank + 2 N), rank x P; no norm; the
 *                  state is scanned item by item: 6 N P flop, memory-bound
 * In training and over prompts, sequences are processed in chunks of C tokens, by products of values. Flop of a
 * token:
 *     mamba2       2 C g N + 2 C h P within a chunk (section 6 of the paper), 4 h N P into and out of the state
 *     gated-delta  C h (6 N + 4 P) within a chunk: scores of keys, T times keys and values, scores of queries and
 *                  those times values (section 3.3 and appendix of the paper: the WY form), 6 h N P into and out of
 *                  the state
 * Kept for backward: the projections, the results of the convolution, the output, and the state at the end of each
 * chunk (mamba: of every 256 tokens).
 */
#include "model/layer_type.h"

enum { GATED_DELTA, MAMBA2, MAMBA };
static const char *const kinds[] = {"gated-delta", "mamba2", "mamba", NULL};

static const struct json_field fields[] = {
	LAYER_KIND(kinds),
	LAYER_NODE("heads", heads.node, false),
	LAYER_NODE("key_heads", key_heads.node, false),
	LAYER_NODE("key_dim", key_dim.node, true),
	LAYER_NODE("value_dim", value_dim.node, true),
	LAYER_NODE("conv", conv.node, false),
	LAYER_NODE("chunk", chunk.node, false),
	LAYER_NODE("rank", rank.node, false),
	LAYER_BOOL("bias", bias),
	LAYER_BOOL("conv_bias", conv_bias),
};

/* Items of one token, and sizes of the recurrence. */
struct sizes {
	double width, heads, groups, keys, values, chunk; /* keys: N of a head; values: P of a head */
	double inner, mixed; /* inner: h P; mixed: width that the convolution runs over */
};

static bool sizes_read(const struct layer_keys *keys, const struct layer *layer, struct sizes *sizes,
	struct paradl_error *error)
{
	static const double usual_chunk[] = {[GATED_DELTA] = 64, [MAMBA2] = 256, [MAMBA] = 1};
	const bool scans = keys->kind == MAMBA;
	if (scans && (keys->heads.node || keys->key_heads.node || keys->chunk.node))
		return json_error(
			keys->node, error, "a recurrence of kind mamba has no heads, key_heads or chunk");
	if (scans != (keys->rank.node != NULL))
		return json_error(keys->node, error,
			scans ? "a recurrence of kind mamba needs rank" : "rank belongs to kind mamba only");
	if (!scans && !keys->heads.node)
		return json_error(keys->node, error, "needs heads");
	*sizes = (struct sizes){
		.width = layer->x.channels,
		.heads = scans ? 1 : keys->heads.value,
		.keys = keys->key_dim.value,
		.values = keys->value_dim.value,
		.chunk = keys->chunk.node ? keys->chunk.value : usual_chunk[keys->kind],
	};
	sizes->groups = keys->key_heads.node ? keys->key_heads.value : sizes->heads;
	sizes->inner = sizes->heads * sizes->values;
	sizes->mixed = sizes->inner + (scans ? 0 : 2 * sizes->groups * sizes->keys);
	if (scans || keys->heads.value % (unsigned)sizes->groups == 0)
		return true;
	return json_error(layer_place(keys, "key_heads"), error,
		"key_heads is %.0f, which does not divide the %u heads", sizes->groups, keys->heads.value);
}

/* Adds weights that are not those of a product to the last kernel, a pass that reads them. */
static void vectors(struct layer *layer, struct token_work *work, double items, unsigned tensors)
{
	work_last(work)->weight_items += items;
	layer->weight_tensors += tensors;
}

static void convolve(const struct layer_keys *keys, const struct sizes *sizes, struct layer *layer,
	struct token_work *work)
{
	if (!keys->conv.node)
		return;
	work_pass(work, CUT_COLUMNS, 2 * sizes->mixed, 3 * sizes->mixed);
	vectors(layer, work, sizes->mixed * keys->conv.value, 1);
	if (keys->conv_bias)
		vectors(layer, work, sizes->mixed, 1);
}

static void chunked(struct token_work *work, double rows, double columns)
{
	work_values(work, CUT_COLUMNS, rows, columns);
	work_last(work)->chunked = true;
}

/* Adds the products of chunks: within them, then into and out of the state. */
static void mix(const struct layer_keys *keys, const struct sizes *sizes, struct token_work *work)
{
	const double heads = sizes->heads, items = sizes->keys;
	if (keys->kind == MAMBA2) {
		chunked(work, items, sizes->chunk * sizes->groups);
		chunked(work, sizes->chunk, heads * sizes->values);
		work_values(work, CUT_COLUMNS, items, 2 * heads * sizes->values);
		return;
	}
	chunked(work, items, 2 * sizes->chunk * heads);
	chunked(work, sizes->chunk, heads * (items + 2 * sizes->values));
	work_values(work, CUT_COLUMNS, items, 3 * heads * sizes->values);
}

static void project(const struct layer_keys *keys, const struct sizes *sizes, struct layer *layer,
	struct token_work *work)
{
	const double gates = keys->kind == GATED_DELTA ? 2 * sizes->heads : sizes->heads;
	work_product(work, CUT_COLUMNS, sizes->width, sizes->mixed + sizes->inner + gates, keys->bias);
	layer->weight_tensors += keys->bias ? 2 : 1;
	convolve(keys, sizes, layer, work);
	work_pass(work, CUT_COLUMNS, 3 * sizes->inner, 5 * sizes->inner); /* norm and gate */
	vectors(layer, work, keys->kind == MAMBA2 ? sizes->inner : sizes->values, 1);
	vectors(layer, work, (keys->kind == MAMBA2 ? 3 : 2) * sizes->heads, keys->kind == MAMBA2 ? 3 : 2);
	mix(keys, sizes, work);
}

static void scan(const struct layer_keys *keys, const struct sizes *sizes, struct layer *layer,
	struct token_work *work)
{
	const double inner = sizes->inner, items = sizes->keys, rank = keys->rank.value;
	work_product(work, CUT_COLUMNS, sizes->width, 2 * inner, keys->bias);
	layer->weight_tensors += keys->bias ? 2 : 1;
	convolve(keys, sizes, layer, work);
	work_product(work, CUT_ROWS, inner, rank + 2 * items, false);
	work_product(work, CUT_COLUMNS, rank, inner, true);
	layer->weight_tensors += 3;
	work_pass(work, CUT_COLUMNS, 4 * inner + 2 * items, 8 * inner + 4 * items);
	vectors(layer, work, inner * items + inner, 2);
	work_values(work, CUT_COLUMNS, items, 3 * inner);
}

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	struct sizes sizes = {.width = 0};
	if (!work || !sizes_read(keys, layer, &sizes, error))
		return false;
	if (keys->kind == MAMBA)
		scan(keys, &sizes, layer, work);
	else
		project(keys, &sizes, layer, work);
	work_product(work, CUT_ROWS, sizes.inner, sizes.width, keys->bias);
	layer->weight_tensors += keys->bias ? 2 : 1;
	const double tokens_of_chunk = keys->kind == MAMBA ? 256 : sizes.chunk;
	work->state_items = sizes.heads * sizes.keys * sizes.values;
	work->state_heads = keys->kind == MAMBA ? keys->value_dim.value : (unsigned)sizes.groups;
	work->kept_cut_items = 2 * sizes.mixed + 2 * sizes.inner + work->state_items / tokens_of_chunk;
	work->sums_forward = work->sums_backward = keys->kind == MAMBA ? 2 : 1;
	work->is_block = true;
	tokens_finish(layer, 0, keeps);
	keeps->x = true;
	return true;
}

const struct layer_type layer_type_recurrent = {
	.name = "recurrent",
	.summary = "mixing of tokens by a recurrence: gated-delta, mamba2, mamba",
	.class_ = LAYER_RECURRENT,
	LAYER_FIELDS(fields),
	.kinds = kinds,
	.infer = infer,
};
