/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the layers at the ends of a network: the embedding, the head and the loss. */
#include "model/layer_type.h"

#include <math.h>

/*
 * An embedding makes tokens. Kind "token" looks up one of `rows` rows for each number of the input; kind "patch"
 * turns every patch x patch piece of an image into a token by one matrix (a convolution whose stride is its kernel),
 * and a class token and registers, which have no positions (Darcet et al., 2024), may come first. Learned positions and token types are tables that are added. Where rows have
 * another `width`, a product makes them as wide as tokens are. A look-up and its additions read and write 3 items
 * forward; backward adds rows into a gradient of the whole table's shape, 9 items. The tensor axis divides the rows
 * of the table, not this work: every device handles all tokens, and one sum puts the rows found together. With
 * `tokens` it reads a further sequence of the sample, of so many, instead of the output before it: that of a decoder.
 * "tied" names an earlier embedding whose table it uses: those weights are held once.
 */

enum { TOKEN, PATCH };
static const char *const embedding_kinds[] = {"token", "patch", NULL};

static const struct json_field embedding_fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_CHOICE("kind", kind, embedding_kinds),
	LAYER_NODE("rows", rows.node, false),
	LAYER_NODE("positions", positions.node, false),
	LAYER_NODE("types", types.node, false),
	LAYER_NODE("width", width.node, false),
	LAYER_NODE("tokens", tokens.node, false),
	LAYER_NODE("tied", tied, false),
	LAYER_NODE("patch", patch.node, false),
	LAYER_BOOL("class_token", class_token),
	LAYER_NODE("registers", registers.node, false),
	LAYER_BOOL("bias", bias),
};

static bool keys_belong(const struct layer_keys *keys, struct paradl_error *error)
{
	static const char *const of_tokens[] = {"rows", "types", "width", "tokens", "tied", NULL};
	static const char *const of_patches[] = {"patch", "class_token", "registers", "bias", NULL};
	const bool patch = keys->kind == PATCH;
	const char *const *const others = patch ? of_tokens : of_patches;
	for (size_t i = 0; others[i]; i++)
		if (json_member(keys->node, others[i]))
			return json_error(layer_place(keys, others[i]), error,
				"%s belongs to an embedding of kind \"%s\" only", others[i],
				embedding_kinds[patch ? TOKEN : PATCH]);
	if (!(patch ? keys->patch.node : keys->rows.node))
		return json_error(keys->node, error, "an embedding of kind \"%s\" needs %s",
			embedding_kinds[keys->kind], patch ? "patch" : "rows");
	return true;
}

/* Returns the number of tokens that come out; 0 with an error. */
static unsigned tokens_made(
	const struct layer_keys *keys, const struct layer *layer, struct paradl_error *error)
{
	char shape[64];
	double tokens = 1;
	tensor_format(&layer->x, shape, sizeof(shape));
	if (keys->kind == TOKEN) {
		if (layer->x.tokens && layer->x.channels == 1)
			return layer->x.extent[0];
		json_error(keys->node, error, "looks tokens up, but its input is %s", shape);
		return 0;
	}
	if (layer->x.tokens || layer->x.dimensions == 0) {
		json_error(keys->node, error, "cuts an image into patches, but its input is %s", shape);
		return 0;
	}
	for (unsigned d = 0; d < layer->x.dimensions; d++) {
		const unsigned whole_patches = layer->x.extent[d] / keys->patch.value;
		tokens *= whole_patches;
	}
	tokens += (keys->class_token ? 1 : 0) + (double)keys->registers.value;
	if (tokens >= 1 && tokens <= EXTENT_MAX)
		return (unsigned)tokens;
	json_error(layer_place(keys, "patch"), error, "patches of %u cut its input %s into %.0f tokens",
		keys->patch.value, shape, tokens);
	return 0;
}

static void patches_product(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	double window = layer->x.channels;
	for (unsigned d = 0; d < layer->x.dimensions; d++)
		window *= keys->patch.value;
	work_product(work, CUT_NOTHING, window, keys->out.value, keys->bias);
	layer->weight_tensors = keys->bias ? 2 : 1;
	layer->bias = keys->bias;
}

static void look_up(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	const double width = keys->width.node ? keys->width.value : keys->out.value;
	work_pass(work, CUT_ROWS, 3 * width, 9 * width);
	work_last(work)->rows = keys->rows.value;
	work_last(work)->columns = width;
	work_last(work)->vocabulary = true;
	work_last(work)->weight_items = keys->rows.value * width;
	work->tied = keys->tied_to != NULL;
	layer->weight_tensors = work->tied ? 0 : 1;
	work->sums_forward = 1;
	if (!keys->width.node)
		return;
	work_product(work, CUT_NOTHING, width, keys->out.value, false);
	layer->weight_tensors++;
}

/*
 * Adds the tables that no axis cuts: positions, types, class token, registers. Adding their rows is part of the pass
 * above.
 */
static void tables(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	const double rows[] = {
		keys->positions.value, keys->types.value, keys->class_token ? 1 : 0, keys->registers.value};
	double all = 0;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		all += rows[i];
		layer->weight_tensors += rows[i] > 0 ? 1 : 0;
	}
	if (!(all > 0))
		return;
	work_pass(work, CUT_NOTHING, 0, 0);
	work_last(work)->weight_items = all * keys->out.value;
}

/* Reports whether a table that "tied" names has as many rows, as wide, as this layer needs. */
static bool tied_fits(const struct layer_keys *keys, double rows, double width, struct paradl_error *error)
{
	const struct layer_keys *const table = keys->tied_to;
	const double wide = !table ? 0 : table->width.node ? table->width.value : table->out.value;
	if (!table || (!(fabs(table->rows.value - rows) > 0) && !(fabs(wide - width) > 0)))
		return true;
	return json_error(keys->tied, error, "has %u rows of %.0f, but this layer needs %.0f rows of %.0f",
		table->rows.value, wide, rows, width);
}

static bool embedding_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = context->work;
	const unsigned tokens = keys_belong(keys, error) ? tokens_made(keys, layer, error) : 0;
	const double width = keys->width.node ? keys->width.value : keys->out.value;
	if (tokens == 0 || !tied_fits(keys, keys->rows.value, width, error))
		return false;
	if (keys->positions.node && keys->positions.value < tokens - keys->registers.value)
		return json_error(keys->positions.node, error,
			"has %u learned positions, but a sample has %u tokens", keys->positions.value,
			tokens);
	layer->y = (struct tensor){
		.channels = keys->out.value, .dimensions = 1, .extent = {tokens, 1, 1}, .tokens = true};
	layer->work = work;
	work->tokens = tokens;
	work->hidden_items = keys->out.value;
	if (keys->kind == PATCH)
		patches_product(keys, layer, work);
	else
		look_up(keys, layer, work);
	tables(keys, layer, work);
	tokens_finish(layer, keys->width.value, keeps);
	if (work->tied)
		layer->weight_items -= work->kernels[0].weight_items;
	keeps->x = keys->kind == PATCH && layer->backward_weight;
	return true;
}

const struct layer_type layer_type_embedding = {
	.name = "embedding",
	.summary = "tokens from numbers or from patches of an image",
	.class_ = LAYER_EMBEDDING,
	LAYER_FIELDS(embedding_fields),
	.kinds = embedding_kinds,
	.defaults = {.bias = true},
	.infer = embedding_infer,
};

/*
 * The head turns tokens into scores of a vocabulary. "tied" names the embedding whose table it uses: those weights
 * are held once, so only a bias counts here. The tensor axis cuts the vocabulary, which is padded as programs do.
 */

static const struct json_field head_fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_NODE("tied", tied, false),
	LAYER_BOOL("bias", bias),
};

static bool head_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = tokens_begin(keys, context, layer, error);
	if (!work || !tied_fits(keys, keys->out.value, layer->x.channels, error))
		return false;
	layer->y.channels = keys->out.value;
	work_product(work, CUT_COLUMNS, layer->x.channels, keys->out.value, keys->bias);
	work_last(work)->vocabulary = true;
	work->sums_backward = 1;
	work->tied = keys->tied_to != NULL;
	layer->weight_tensors = (work->tied ? 0U : 1U) + (keys->bias ? 1U : 0U);
	layer->bias = keys->bias;
	tokens_finish(layer, 0, keeps);
	if (work->tied)
		layer->weight_items -= (double)layer->x.channels * keys->out.value;
	keeps->x = true;
	return true;
}

const struct layer_type layer_type_head = {
	.name = "head",
	.summary = "scores of a vocabulary, perhaps with the embedding's table",
	.class_ = LAYER_HEAD,
	LAYER_FIELDS(head_fields),
	.infer = head_infer,
};

/*
 * The loss of one sample is one number. Forward reads x and writes the tensor from which backward starts
 * (probabilities, or the difference to the target); backward reads that and writes dL/dx: 2|x| each; |x| items are
 * kept. Kind "none" marks the end of a network whose loss costs nothing worth counting. With tokens, scores of 16 bit
 * are turned into probabilities in fp32, which are kept (2 items for each score): a copy, the maximum, its
 * difference, exponentials, their sum and quotient, 21 bytes a score forward and 8 backward when well fused; where
 * the tensor axis cuts the vocabulary, the greatest score, the target's score and the sum of exponentials are summed
 * over it.
 */

enum { CROSS_ENTROPY, MSE, BCE, NONE };
static const char *const loss_kinds[] = {"cross-entropy", "mse", "bce", "none", NULL};

static const struct json_field loss_fields[] = {LAYER_KIND(loss_kinds)};

static void loss_tokens(const struct layer_context *context, struct layer *layer, struct layer_keeps *keeps)
{
	struct token_work *const work = context->work;
	const double width = layer->x.channels;
	layer->work = work;
	work->tokens = layer->x.extent[0];
	work->hidden_items = width;
	work_pass(work, CUT_COLUMNS, 10.5 * width, 4 * width);
	work->small_sums = 3;
	work->kept_cut_items = 2 * width;
	layer->forward_items = layer->backward_items = 0;
	tokens_finish(layer, 0, keeps);
}

static bool loss_infer(const struct layer_keys *keys, const struct layer_context *context,
	struct layer *layer, struct layer_keeps *keeps, struct paradl_error *error)
{
	(void)error;
	layer->y = (struct tensor){.channels = 1, .extent = {1, 1, 1}};
	if (keys->kind == NONE)
		return true;
	layer->forward_items = 2 * layer->x_items;
	layer->backward_items = 2 * layer->x_items;
	keeps->items = layer->x_items;
	if (layer->x.tokens)
		loss_tokens(context, layer, keeps);
	return true;
}

const struct layer_type layer_type_loss = {
	.name = "loss",
	.summary = "loss: cross-entropy, mse, bce, none",
	.class_ = LAYER_LOSS,
	LAYER_FIELDS(loss_fields),
	.kinds = loss_kinds,
	.infer = loss_infer,
};
