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

struct rows {
	struct signature *signatures;
	unsigned *slots; /* row + 1; 0: free */
	unsigned slot_mask;
	struct layer *layers;
	unsigned count;
};

static unsigned row_of(struct rows *rows, const struct layer *layer, const char *name)
{
	const struct signature signature = sign(layer);
	unsigned i = (unsigned)hash(&signature) & rows->slot_mask;
	for (; rows->slots[i] != 0; i = (i + 1) & rows->slot_mask) {
		const unsigned row = rows->slots[i] - 1;
		if (!same(&rows->signatures[row], &signature))
			continue;
		rows->layers[row].count++;
		return row;
	}
	rows->signatures[rows->count] = signature;
	rows->layers[rows->count] = *layer;
	rows->layers[rows->count].name = name;
	rows->slots[i] = ++rows->count;
	return rows->count - 1;
}

/* Work so far lives with the expansion. */
static bool works_keep(struct paradl_arena *arena, struct layer *layers, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
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
	rows.signatures = arena_alloc(scratch, count, sizeof(*rows.signatures));
	rows.slots = arena_alloc(scratch, rows.slot_mask + 1, sizeof(*rows.slots));
	rows.layers = arena_alloc(scratch, count, sizeof(*rows.layers));
	unsigned *const order = arena_alloc(arena, count, sizeof(*order));
	if (!rows.signatures || !rows.slots || !rows.layers || !order)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (unsigned i = 0; i < count; i++)
		order[i] = row_of(&rows, &expansion->layers[i], expansion->names[i]);
	struct layer *const layers = arena_alloc(arena, rows.count, sizeof(*layers));
	if (!layers)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	memcpy(layers, rows.layers, rows.count * sizeof(*layers));
	if (!works_keep(arena, layers, rows.count))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	model->layers = layers;
	model->layer_count = rows.count;
	model->order = order;
	model->order_count = count;
	model->names = expansion->names;
	model->reads = expansion->reads;
	return true;
}
