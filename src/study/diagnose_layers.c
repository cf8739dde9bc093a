/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file compares measured layers with projected ones. A row of identical layers counts with the share of one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/diagnose.h"

static const struct paradl_layer_estimate *row_of(
	const struct paradl_model *model, const struct paradl_layer_table *table, const char *name)
{
	for (unsigned i = 0; i < model->order_count; ++i) {
		const struct paradl_layer_info info = paradl_model_layer(model, i);
		if (strcmp(info.name, name) == 0)
			return &table->rows[model->order[i]];
	}
	for (size_t i = 0; table->rows && i < table->count; ++i)
		if (strcmp(table->rows[i].name, name) == 0)
			return &table->rows[i];
	return NULL;
}

static int by_gap(const void *a, const void *b)
{
	const struct paradl_diagnosis_layer *first = a, *second = b;
	const double one = fabs(first->gap_s), other = fabs(second->gap_s);
	return one < other ? 1 : one > other ? -1 : strcmp(first->name, second->name);
}

static void compare(const struct paradl_measured_layer *measured, const struct paradl_layer_estimate *row,
	struct paradl_diagnosis_layer *layer)
{
	const double one[4] = {measured->forward_s, measured->backward_s, measured->weight_update_s,
		measured->communication_s};
	const double other[4] = {row->forward_s, row->backward_s, row->weight_update_s, row->communication_s};
	*layer = (struct paradl_diagnosis_layer){.name = measured->name, .type = row->type};
	for (unsigned i = 0; i < 4; ++i)
		if (one[i] >= 0) {
			layer->measured_s += one[i];
			layer->projected_s += other[i] / row->count;
		}
	layer->gap_s = layer->measured_s - layer->projected_s;
}

bool diagnosis_layers(
	const struct diagnosing *diagnosing, struct paradl_diagnosis *diagnosis, struct paradl_error *error)
{
	const struct paradl_measurement *measurement = diagnosing->measurement;
	struct paradl_layer_table table;
	double gaps_s = 0;
	if (!measurement->layer_count)
		return true;
	struct paradl_oracle *oracle = paradl_oracle_create(diagnosing->arena, diagnosing->oracle->model,
		diagnosing->oracle->machine, diagnosing->oracle->framework, &diagnosing->oracle->options,
		error);
	struct paradl_diagnosis_layer *layers =
		arena_alloc(diagnosing->arena, measurement->layer_count, sizeof *layers);
	if (!layers)
		return out_of_memory(error);
	if (!oracle || !paradl_estimate_layers(
			       oracle, &diagnosing->estimate->plan, diagnosing->arena, &table, error))
		return false;
	for (size_t i = 0; i < measurement->layer_count; ++i) {
		const struct paradl_layer_estimate *row =
			row_of(diagnosing->oracle->model, &table, measurement->layers[i].name);
		if (!row) {
			++diagnosis->unmatched;
			continue;
		}
		compare(&measurement->layers[i], row, &layers[diagnosis->layer_count]);
		gaps_s += fabs(layers[diagnosis->layer_count++].gap_s);
	}
	for (size_t i = 0; gaps_s > 0 && i < diagnosis->layer_count; ++i)
		layers[i].share = fabs(layers[i].gap_s) / gaps_s;
	qsort(layers, diagnosis->layer_count, sizeof *layers, by_gap);
	diagnosis->layers = layers;
	return true;
}
