/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network is built from its description in three steps: the file is read, the layers are expanded, and the distinct
 * layers and the units are kept.
 *
 * Layers that agree in everything an estimate reads are one row. They are compared by a signature, every number of
 * the layer in one array of doubles (unsigned fit exactly), and found by hash.
 *
 * A pipeline may cut after position i if exactly one value made up to i is read after it. A difference array counts
 * these values: a value is alive after every position from its maker to just before its last reader. A network of
 * tokens is cut between the repetitions of its outermost groups, not within, and there whatever is alive crosses: what
 * an encoder made, and the output of the decoder's block.
 */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "model/description.h"

struct alive { /* changes in the values that are alive; after the summation, these values */
	long long values,
		identity; /* values: their number; identity: sum of their indices, so the index of a single one */
	long long read_back; /* those that the backward of a reader reads */
	double items;
};

static void alive_add(struct alive *alive, const struct value *value, unsigned index, int sign)
{
	alive->values += sign;
	alive->identity += sign * (long long)index;
	alive->read_back += value->read_back ? sign : 0;
	alive->items += sign * value->items;
}

static void count_alive(const struct expansion *expansion, struct alive *alive)
{
	for (unsigned i = 0; i <= expansion->count; i++) {
		const struct value *const value = &expansion->values[i];
		if (value->last_reader == NO_POSITION)
			continue;
		const int from = value->maker == NO_POSITION ? 0 : value->maker;
		alive_add(&alive[from], value, i, 1);
		alive_add(&alive[value->last_reader], value, i, -1);
	}
	for (unsigned i = 1; i < expansion->count; i++) {
		alive[i].values += alive[i - 1].values;
		alive[i].identity += alive[i - 1].identity;
		alive[i].read_back += alive[i - 1].read_back;
		alive[i].items += alive[i - 1].items;
	}
}

static bool may_end(const struct expansion *expansion, const struct alive *alive, bool tokens, unsigned i)
{
	if (i + 1 == expansion->count)
		return true;
	const bool ends_block = expansion->blocks[i] != 0 && expansion->blocks[i] != expansion->blocks[i + 1];
	if (alive[i].values != 1)
		return tokens && ends_block;
	return !tokens || expansion->blocks[i] == 0 || ends_block;
}

/* Makes the units of the network: cuts where exactly one value is alive. */
static bool expansion_units(struct paradl_arena *arena, const struct expansion *expansion,
	struct paradl_model *model, struct paradl_error *error)
{
	struct alive *const alive = arena_alloc(arena, expansion->count, sizeof(*alive));
	struct unit *const units = arena_alloc(arena, expansion->count, sizeof(*units));
	unsigned first = 0;
	double passing = 0;
	if (!alive || !units)
		return out_of_memory(error);
	count_alive(expansion, alive);
	model->units = units;
	model->unit_count = 0;
	for (unsigned i = 0; i < expansion->count; i++) {
		const bool last = i + 1 == expansion->count;
		const double y_items = expansion->placings[i]->layer.y_items;
		if (!may_end(expansion, alive, model->tokens, i))
			continue;
		units[model->unit_count++] = (struct unit){
			.first = first,
			.end = i + 1,
			.boundary_items = last ? y_items : alive[i].items,
			.passing_items = passing,
			.boundary_kept = !last && alive[i].read_back > 0,
			.is_block = model->tokens && expansion->blocks[i] != 0,
		};
		first = i + 1;
		passing = alive[i].values > 1 ? alive[i].items - y_items : 0;
	}
	return true;
}

enum { SIGNATURE_MAX = 52 };

struct signature {
	uint64_t bits[SIGNATURE_MAX]; /* bits of the numbers */
	const char *kind;             /* a constant: equal kinds have the same address */
	const struct token_work *work;
};

static size_t add_tensor(double *numbers, size_t n, const struct tensor *tensor)
{
	numbers[n++] = tensor->channels;
	numbers[n++] = tensor->dimensions;
	numbers[n++] = tensor->tokens;
	for (unsigned d = 0; d < DIMENSIONS_MAX; d++)
		numbers[n++] = tensor->extent[d];
	return n;
}

static struct signature sign(const struct layer *layer)
{
	double numbers[SIGNATURE_MAX] = {layer->class_, layer->reads_input, layer->backward_data,
		layer->backward_weight, layer->is_last, layer->global, layer->x_items, layer->y_items,
		layer->filters, layer->channels, layer->groups, layer->kernel_volume, layer->positions,
		layer->weight_items, layer->frozen_items, layer->weight_tensors, layer->forward_flop,
		layer->backward_flop, layer->forward_items, layer->backward_items, layer->kept_items,
		layer->splits, layer->forward_s, layer->backward_s};
	enum { SCALARS = 24 };
	struct signature signature = {.kind = layer->kind, .work = layer->work};
	size_t n = add_tensor(numbers, SCALARS, &layer->x);
	n = add_tensor(numbers, n, &layer->y);
	for (unsigned d = 0; d < DIMENSIONS_MAX; d++) {
		numbers[n++] = layer->kernel[d];
		numbers[n++] = layer->stride[d];
		numbers[n++] = layer->pad[d];
		numbers[n++] = layer->dilation[d];
	}
	memcpy(signature.bits, numbers, sizeof(numbers));
	return signature;
}

static bool same_work(const struct token_work *a, const struct token_work *b)
{
	if (a == b || !a || !b)
		return a == b;
	const struct work_bits first = work_bits(a), second = work_bits(b);
	return memcmp(first.bits, second.bits, sizeof(first.bits)) == 0;
}

static bool same(const struct signature *a, const struct signature *b)
{
	return a->kind == b->kind && memcmp(a->bits, b->bits, sizeof(a->bits)) == 0 &&
	       same_work(a->work, b->work);
}

static uint64_t hash_bits(uint64_t value, const uint64_t *bits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		value = (value ^ bits[i]) * 0x9e3779b97f4a7c15U; /* 2^64 / golden ratio */
		value ^= value >> 32;
	}
	return value;
}

static uint64_t hash(const struct signature *signature)
{
	const uint64_t value = hash_bits((uintptr_t)signature->kind, signature->bits, SIGNATURE_MAX);
	if (!signature->work)
		return value;
	const struct work_bits work = work_bits(signature->work);
	return hash_bits(value, work.bits, WORK_NUMBERS);
}

struct row {
	struct signature signature;
	struct layer layer;
};

struct rows {
	struct row **row;
	unsigned *slots; /* index of a row + 1; 0: free */
	unsigned slot_mask, count;
};

/* Returns the slot that holds the row of this signature, or that will hold it. */
static unsigned *slot_of(const struct rows *rows, const struct signature *signature)
{
	unsigned i = (unsigned)hash(signature) & rows->slot_mask;
	while (rows->slots[i] != 0 && !same(&rows->row[rows->slots[i] - 1]->signature, signature))
		i = (i + 1) & rows->slot_mask;
	return &rows->slots[i];
}

/* Returns the number of the layer's row, from 1; 0: out of memory. */
static unsigned row_of(
	struct rows *rows, struct paradl_arena *scratch, const struct layer *layer, const char *name)
{
	const struct signature signature = sign(layer);
	unsigned *const slot = slot_of(rows, &signature);
	if (*slot != 0) {
		rows->row[*slot - 1]->layer.count++;
		return *slot;
	}
	struct row *const row = arena_alloc(scratch, 1, sizeof(*row));
	if (!row)
		return 0;
	row->signature = signature;
	row->layer = *layer;
	row->layer.name = name;
	rows->row[rows->count] = row;
	return *slot = ++rows->count;
}

static bool same_kept(double a, double b)
{
	return !(a < b) && !(a > b);
}

static bool rows_fill(
	struct rows *rows, struct paradl_arena *scratch, const struct expansion *expansion, unsigned *order)
{
	for (unsigned i = 0; i < expansion->count; i++) {
		struct placing *const placing = expansion->placings[i];
		const double kept_items = expansion->kept_items[i];
		const bool is_last = i + 1 == expansion->count;
		struct layer *const before = placing->row > 0 ? &rows->row[placing->row - 1]->layer : NULL;
		if (before && !is_last && same_kept(before->kept_items, kept_items)) {
			before->count++;
		} else {
			struct layer layer = placing->layer;
			layer.kept_items = kept_items;
			layer.is_last = is_last;
			placing->row = row_of(rows, scratch, &layer, expansion->names[i]);
		}
		if (placing->row == 0)
			return false;
		order[i] = placing->row - 1;
	}
	return true;
}

/*
 * Copies the rows into `layers`, with their work, which has been in the scratch arena until now; false: out of
 * memory.
 */
static bool layers_keep(struct paradl_arena *arena, const struct rows *rows, struct layer *layers)
{
	for (unsigned i = 0; i < rows->count; i++) {
		layers[i] = rows->row[i]->layer;
		if (!layers[i].work)
			continue;
		struct token_work *const work = arena_alloc(arena, 1, sizeof(*work));
		if (!work)
			return false;
		*work = *layers[i].work;
		layers[i].work = work;
	}
	return true;
}

/* Makes model->layers: identical layers become one row. False with an error: out of memory. */
static bool expansion_distinct(struct paradl_arena *arena, struct paradl_arena *scratch,
	const struct expansion *expansion, struct paradl_model *model, struct paradl_error *error)
{
	const unsigned count = expansion->count;
	struct rows rows = {.slot_mask = 1};
	while (rows.slot_mask < 2 * count)
		rows.slot_mask = 2 * rows.slot_mask + 1;
	rows.row = arena_alloc(scratch, count, sizeof(struct row *));
	rows.slots = arena_alloc(scratch, rows.slot_mask + 1, sizeof(*rows.slots));
	unsigned *const order = arena_alloc(arena, count, sizeof(*order));
	if (!rows.row || !rows.slots || !order || !rows_fill(&rows, scratch, expansion, order))
		return out_of_memory(error);
	struct layer *const layers = arena_alloc(arena, rows.count, sizeof(*layers));
	if (!layers || !layers_keep(arena, &rows, layers))
		return out_of_memory(error);
	model->layers = layers;
	model->layer_count = rows.count;
	model->order = order;
	model->order_count = count;
	model->names = expansion->names;
	model->reads = expansion->reads;
	return true;
}

static bool variant_input(
	const struct model_variant *variant, struct tensor *input, struct paradl_error *error)
{
	if (variant->sequence > 0 && !input->tokens)
		return error_set(
			error, PARADL_USAGE, "the input is no sequence of tokens, so it has no other length");
	if (variant->extent[0] == 0)
		return true;
	if (input->tokens)
		return error_set(error, PARADL_USAGE,
			"the input is a sequence of tokens: a variant of it gives its length, not extents");
	for (unsigned d = 0; d < DIMENSIONS_MAX; d++) {
		if ((variant->extent[d] > 0) != (d < input->dimensions))
			return error_set(error, PARADL_USAGE,
				"the input has %u dimensions; a variant of it must give as many extents",
				input->dimensions);
		if (d < input->dimensions)
			input->extent[d] = variant->extent[d];
	}
	if (tensor_items(input) > LAYER_ITEMS_MAX)
		return error_set(
			error, PARADL_USAGE, "a sample of %g items is too large", tensor_items(input));
	return true;
}

/* Adds each value that backward reads to the kept items once: at its maker, the input at its keeper. */
static void expansion_keep(struct expansion *expansion)
{
	for (unsigned i = 0; i <= expansion->count; i++) {
		const struct value *const value = &expansion->values[i];
		if (value->keeper == NO_POSITION)
			continue;
		const int holder = value->maker == NO_POSITION ? value->keeper : value->maker;
		expansion->kept_items[holder] += value->items;
	}
}

static void totals(struct paradl_model *model)
{
	for (unsigned i = 0; i < model->layer_count; i++) {
		const struct layer *const layer = &model->layers[i];
		model->weight_items += layer->count * layer->weight_items;
		model->frozen_items += layer->count * layer->frozen_items;
		model->forward_flop += layer->count * layer->forward_flop;
		model->backward_flop += layer->count * layer->backward_flop;
		model->weight_tensors += layer->count * layer->weight_tensors;
		model->has_source =
			model->has_source || (layer->work && layer->work->attention.source_tokens > 0);
		model->has_modules =
			model->has_modules || (layer->work && (layer->work->dropped_items > 0 ||
								      layer->work->dropped_cut_items > 0 ||
								      layer->work->dropped_routed_items > 0));
	}
	if (model->input.tokens)
		model->sequence = model->input.extent[0];
	for (unsigned i = 0; i < model->layer_count && !(model->sequence > 0); i++)
		if (model->layers[i].work)
			model->sequence = model->layers[i].work->tokens;
}

static bool build(struct paradl_arena *arena, struct paradl_arena *scratch,
	const struct model_variant *variant, struct paradl_model *model, struct paradl_error *error)
{
	struct reader reader = {.arena = scratch, .error = error, .sequence = variant->sequence};
	struct item_list layers = {0};
	struct expansion expansion;
	const struct json *array;
	if (!header_read(&reader, model->source, model, &array) ||
		!variant_input(variant, &model->input, error))
		return false;
	if (!layers_read(&reader, array, &layers) ||
		!expand(arena, &reader, &layers, &model->input, variant, &expansion))
		return false;
	expansion_keep(&expansion);
	for (unsigned i = 0; i < expansion.count; i++)
		model->tokens = model->tokens || expansion.placings[i]->layer.work;
	if (!expansion_distinct(arena, scratch, &expansion, model, error) ||
		!expansion_units(arena, &expansion, model, error))
		return false;
	totals(model);
	model->further_tokens = expansion.further_tokens;
	model->dimensions = model_dimensions(model, &layers);
	return true;
}

const struct paradl_model *model_build(struct paradl_arena *arena, const struct json *source,
	const struct model_variant *variant, struct paradl_error *error)
{
	static const struct model_variant as_it_is = {.sequence = 0};
	struct paradl_model *const model = arena_alloc(arena, 1, sizeof(*model));
	struct paradl_arena *const scratch = paradl_arena_create();
	bool built = false;
	if (!model || !scratch) {
		out_of_memory(error);
	} else {
		model->source = source;
		model->path = json_path(source);
		built = build(arena, scratch, variant ? variant : &as_it_is, model, error);
	}
	paradl_arena_free(scratch);
	return built ? model : NULL;
}
