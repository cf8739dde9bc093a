/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file answers variations. Each one reads the files that it changes anew, in an arena of its own; the rest is
 * shared.
 */
#include "study/studies.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"

static bool has_scope(const struct paradl_changes *changes, size_t from, bool of_model)
{
	for (size_t i = from; i < changes->count; i++)
		if ((changes->items[i].scope == CHANGE_MODEL) == of_model)
			return true;
	return false;
}

static const struct paradl_model *read_model(struct paradl_arena *arena,
	const struct paradl_whatif_request *request, const struct paradl_changes *changes,
	struct paradl_error *error)
{
	const struct paradl_source source = {.path = request->model, .changes = changes};
	const struct paradl_source dataset = {.path = request->dataset};
	const struct paradl_model *const model = paradl_model_load(arena, &source, error);
	return model && dataset.path ? paradl_model_with_dataset(arena, model, &dataset, error) : model;
}

static bool read_inputs(struct paradl_arena *arena, const struct paradl_whatif_request *request,
	const struct paradl_changes *changes, struct loaded_inputs *inputs, struct paradl_error *error)
{
	const struct paradl_source machine = {
		.path = request->machine, .directories = request->directories, .changes = changes};
	const struct paradl_source rules = {.path = request->framework, .changes = changes};
	const struct paradl_framework *framework = NULL;
	if (!inputs->model && !(inputs->model = read_model(arena, request, changes, error)))
		return false;
	if (!inputs->machine && !(inputs->machine = paradl_machine_load(arena, &machine, error)))
		return false;
	if (rules.path && !(framework = paradl_framework_load(arena, &rules, error)))
		return false;
	inputs->oracle = paradl_oracle_create(
		arena, inputs->model, inputs->machine, framework, request->options, error);
	return inputs->oracle;
}

double study_tokens(const struct study *study, const struct paradl_oracle *oracle)
{
	const double tokens = oracle->model->sequence;
	const bool trains = study->request->goal == PARADL_TIME && !oracle->options.inference;
	return trains && tokens > 0 ? tokens : 1;
}

/* Returns the value of an estimate by the goal; of samples with another length it is that of as many tokens. */
static double value_of(
	const struct study *study, const struct paradl_oracle *oracle, const struct paradl_estimate *estimate)
{
	const double value = paradl_search_value(estimate, study->request->goal);
	const struct paradl_oracle *const before = study->inputs.oracle;
	return before ? value * study_tokens(study, before) / study_tokens(study, oracle) : value;
}

static bool best_of(struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct paradl_ranking ranking;
	if (!paradl_advise(oracle, request, PARADL_RANKED_FIRST, arena, &ranking, error))
		return false;
	if (ranking.count > 0) {
		*estimate = ranking.results[0];
		return true;
	}
	error_set(error, PARADL_INFEASIBLE, "no plan runs on %u GPU%s", request->devices,
		request->devices == 1 ? "" : "s");
	if (ranking.infeasible_count > 0)
		error_hint(error, "%s: %s", ranking.infeasible[0].strategy, ranking.infeasible[0].reason);
	return false;
}

/* Copies texts that may be in the arena of a variation; those of limits are constant. False: out of memory. */
static bool keep_texts(
	struct paradl_arena *arena, struct paradl_estimate *estimate, struct paradl_error *error)
{
	const char **const texts[] = {
		&estimate->gradient_algorithm, &estimate->gradient_compression, &estimate->inference.prefill};
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (*texts[i] && !(*texts[i] = arena_text(arena, *texts[i])))
			return out_of_memory(error);
	return true;
}

static bool ask(const struct study *study, const struct variation *variation, struct paradl_arena *scratch,
	struct paradl_estimate *estimate, double *value, struct paradl_error *error)
{
	const struct paradl_whatif_request *const request = study->request;
	const size_t own = request->changes ? request->changes->count : 0;
	const struct paradl_changes *const changes = &variation->changes;
	struct loaded_inputs inputs = study->inputs;
	if (has_scope(changes, own, true))
		inputs.model = NULL;
	if (has_scope(changes, own, false))
		inputs.machine = NULL;
	if ((!inputs.model || !inputs.machine || !inputs.oracle) &&
		!read_inputs(scratch, request, changes, &inputs, error))
		return false;
	const bool runs = request->plan ? paradl_estimate(inputs.oracle, &variation->plan, estimate, error)
					: best_of(inputs.oracle, &variation->best, scratch, estimate, error);
	if (!runs || !keep_texts(study->arena, estimate, error))
		return false;
	*value = value_of(study, inputs.oracle, estimate);
	return true;
}

bool study_ask(const struct study *study, const struct variation *variation, struct paradl_estimate *estimate,
	double *value, struct paradl_error *error)
{
	struct paradl_arena *const scratch = arena_create_beside(study->arena);
	const bool runs =
		scratch ? ask(study, variation, scratch, estimate, value, error) : out_of_memory(error);
	paradl_arena_free(scratch);
	return runs;
}

void study_vary(const struct study *study, struct variation *variation)
{
	const struct paradl_whatif_request *const request = study->request;
	*variation = (struct variation){.best = request->best, .times = 1};
	if (request->changes)
		variation->changes = *request->changes;
	if (request->plan)
		variation->plan = *request->plan;
	if (request->own_batch && request->plan)
		variation->plan.batch = paradl_plan_batch(study->inputs.oracle, request->plan);
	else if (request->own_batch)
		variation->best.batch = paradl_oracle_batch(study->inputs.oracle, request->best.devices);
}

bool study_change(const struct study *study, struct variation *variation, const char *key, const char *value,
	struct paradl_error *error)
{
	char times[DECIMAL_LENGTH];
	decimal_shortest(times, sizeof times, variation->times);
	const char *const text =
		arena_printf(study->arena, "%s=%s%s", key, value ? "" : "x", value ? value : times);
	if (!text)
		return out_of_memory(error);
	const struct paradl_changes *const one = paradl_changes_parse(study->arena, &text, 1, error);
	if (!one)
		return false;
	if (variation->changes.count == CHANGES_MAX)
		return error_set(error, PARADL_USAGE, "more than %d changes", (int)CHANGES_MAX);
	variation->changes.items[variation->changes.count++] = one->items[0];
	return true;
}

bool study_open(struct study *study, struct paradl_arena *arena, const struct paradl_whatif_request *request,
	struct paradl_error *error)
{
	struct variation none;
	*study = (struct study){.arena = arena, .request = request};
	if (!read_inputs(arena, request, request->changes, &study->inputs, error) ||
		(request->plan && !oracle_readers_named(study->inputs.oracle, error)))
		return false;
	study_vary(study, &none);
	return study_ask(study, &none, &study->estimate, &study->value, error);
}

static bool same_readers(const struct paradl_estimate *a, const struct paradl_estimate *b)
{
	const char *const one = a->inference.prefill, *const other = b->inference.prefill;
	return one && other ? strcmp(one, other) == 0 : one == other;
}

/* Returns whether two plans are the same; on different numbers of devices, whether they have the same axes. */
static bool same_plan(const struct paradl_plan *a, const struct paradl_plan *b)
{
	char texts[2][PARADL_PLAN_TEXT];
	const bool as_many = !(paradl_plan_devices(a) < paradl_plan_devices(b)) &&
			     !(paradl_plan_devices(a) > paradl_plan_devices(b));
	int (*const write)(const struct paradl_plan *plan, char *text, size_t size) =
		as_many ? paradl_plan_format : paradl_plan_family;
	write(a, texts[0], sizeof texts[0]);
	write(b, texts[1], sizeof texts[1]);
	return strcmp(texts[0], texts[1]) == 0;
}

bool study_point(const struct study *study, const struct variation *variation,
	struct paradl_whatif_point *point, struct paradl_error *error)
{
	*point = (struct paradl_whatif_point){.times = variation->times};
	point->runs = study_ask(study, variation, &point->estimate, &point->value, error);
	if (!point->runs) {
		snprintf(point->reason, sizeof point->reason, "%.*s", (int)sizeof point->reason - 1,
			error->message);
		return error->status != PARADL_NO_MEMORY;
	}
	point->change = point->value / study->value - 1;
	point->other_plan =
		!study->request->plan && !(same_plan(&point->estimate.plan, &study->estimate.plan) &&
						 same_readers(&point->estimate, &study->estimate));
	return true;
}
