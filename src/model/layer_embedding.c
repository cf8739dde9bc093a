/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An embedding makes tokens. Kind "token" looks up one of `rows` rows for each number of the input; kind "patch"
 * turns every patch x patch piece of an image into a token by one matrix (a convolution whose stride is its kernel),
 * and a class token may come first. Learned positions and token types are tables that are added. Where rows have
 * another `width`, a product makes them as wide as tokens are. A look-up and its additions read and write 3 items
 * forward; backward adds rows into a gradient of the whole table's shape, 9 items. The tensor axis divides the rows
 * of the table, not this work: every device handles all tokens, and one sum puts the rows found together.
 */
#include "model/layer_type.h"

enum { TOKEN, PATCH };
static const char *const kinds[] = {"token", "patch", NULL};

static const struct json_field fields[] = {
	LAYER_NODE("out", out.node, true),
	LAYER_CHOICE("kind", kind, kinds),
	LAYER_NODE("rows", rows.node, false),
	LAYER_NODE("positions", positions.node, false),
	LAYER_NODE("types", types.node, false),
	LAYER_NODE("width", width.node, false),
	LAYER_NODE("patch", patch.node, false),
	LAYER_BOOL("class_token", class_token),
	LAYER_BOOL("bias", bias),
};

static bool keys_belong(const struct layer_keys *keys, struct paradl_error *error)
{
	static const char *const of_tokens[] = {"rows", "types", "width", NULL};
	static const char *const of_patches[] = {"patch", "class_token", "bias", NULL};
	const bool patch = keys->kind == PATCH;
	const char *const *const others = patch ? of_tokens : of_patches;
	for (size_t i = 0; others[i]; i++)
		if (json_member(keys->node, others[i]))
			return json_error(layer_place(keys, others[i]), error,
				"%s belongs to an embedding of kind \"%s\" only", others[i],
				kinds[patch ? TOKEN : PATCH]);
	if (!(patch ? keys->patch.node : keys->rows.node))
		return json_error(keys->node, error, "an embedding of kind \"%s\" needs %s",
			kinds[keys->kind], patch ? "patch" : "rows");
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
	tokens += keys->class_token ? 1 : 0;
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
}

static void look_up(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	const double width = keys->width.node ? keys->width.value : keys->out.value;
	work_pass(work, CUT_ROWS, 3 * width, 9 * width);
	work_last(work)->rows = keys->rows.value;
	work_last(work)->columns = width;
	work_last(work)->vocabulary = true;
	work_last(work)->weight_items = keys->rows.value * width;
	layer->weight_tensors = 1;
	work->sums_forward = 1;
	if (!keys->width.node)
		return;
	work_product(work, CUT_NOTHING, width, keys->out.value, false);
	layer->weight_tensors++;
}

/* Adds the tables that no axis cuts: positions, types, class token. Adding their rows is part of the pass above. */
static void tables(const struct layer_keys *keys, struct layer *layer, struct token_work *work)
{
	const double rows[] = {keys->positions.value, keys->types.value, keys->class_token ? 1 : 0};
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

static bool infer(const struct layer_keys *keys, const struct layer_context *context, struct layer *layer,
	struct layer_keeps *keeps, struct paradl_error *error)
{
	struct token_work *const work = context->work;
	const unsigned tokens = keys_belong(keys, error) ? tokens_made(keys, layer, error) : 0;
	if (tokens == 0)
		return false;
	if (keys->positions.node && keys->positions.value < tokens)
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
	keeps->x = keys->kind == PATCH && layer->backward_weight;
	return true;
}

const struct layer_type layer_type_embedding = {
	.name = "embedding",
	.summary = "tokens from numbers or from patches of an image",
	.class_ = LAYER_EMBEDDING,
	LAYER_FIELDS(fields),
	.kinds = kinds,
	.defaults = {.bias = true},
	.infer = infer,
};
