/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network is divided at a position: its layers from there on get rows of their own, though some of them equal
 * layers before it.
 */
#include <limits.h>
#include <string.h>

#include "model/model.h"

/*
 * Reports whether layers before `end` come again after it; row_after has, for each row, its row after `end`, and
 * *count the rows then.
 */
static bool rows_divide(const struct paradl_model *model, unsigned end, unsigned *row_after, unsigned *count)
{
	unsigned added = 0;
	for (unsigned i = 0; i < model->layer_count; i++)
		row_after[i] = i;
	for (unsigned i = 0; i < end; i++)
		row_after[model->order[i]] = UINT_MAX;
	for (unsigned i = end; i < model->order_count; i++)
		if (row_after[model->order[i]] == UINT_MAX)
			row_after[model->order[i]] = model->layer_count + added++;
	*count = model->layer_count + added;
	return added > 0;
}

const struct paradl_model *model_divide(
	struct paradl_arena *arena, const struct paradl_model *model, unsigned end)
{
	unsigned *const row_after = arena_alloc(arena, model->layer_count, sizeof(*row_after)), count;
	if (!row_after)
		return NULL;
	if (!rows_divide(model, end, row_after, &count))
		return model;
	struct paradl_model *const divided = arena_alloc(arena, 1, sizeof(*divided));
	struct layer *const layers = arena_alloc(arena, count, sizeof(*layers));
	unsigned *const order = arena_alloc(arena, model->order_count, sizeof(*order));
	if (!divided || !layers || !order)
		return NULL;
	memcpy(layers, model->layers, model->layer_count * sizeof(*layers));
	memcpy(order, model->order, model->order_count * sizeof(*order));
	for (unsigned i = end; i < model->order_count; i++) {
		const unsigned before = order[i], after = row_after[before];
		if (after < model->layer_count)
			continue;
		if (layers[after].count == 0) {
			layers[after] = model->layers[before];
			layers[after].name = model->names[i];
			layers[after].count = 0;
		}
		layers[before].count--;
		layers[after].count++;
		order[i] = after;
	}
	*divided = *model;
	divided->layers = layers;
	divided->layer_count = count;
	divided->order = order;
	return divided;
}
