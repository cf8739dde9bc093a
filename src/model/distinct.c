/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layers that agree in everything an estimate reads are one row. They are compared by a signature: every number
 * of the layer in one array of doubles (unsigned fit exactly), found by hash.
 */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "model/expand.h"

enum { SIGNATURE_MAX = 52 };

struct signature {
	uint64_t bits[SIGNATURE_MAX]; /* of the numbers */
	const char *kind;             /* kinds are constants: equal means the same address */
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
	unsigned *slots; /* row + 1; 0: free */
	unsigned slot_mask, count;
};

/* Returns where the row of this signature is, or will be. */
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

/* Work so far lives with the expansion. */
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

bool expansion_distinct(struct paradl_arena *arena, struct paradl_arena *scratch,
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
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	struct layer *const layers = arena_alloc(arena, rows.count, sizeof(*layers));
	if (!layers || !layers_keep(arena, &rows, layers))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	model->layers = layers;
	model->layer_count = rows.count;
	model->order = order;
	model->order_count = count;
	model->names = expansion->names;
	model->reads = expansion->reads;
	return true;
}
