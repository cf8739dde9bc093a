/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares ways to feed plans side by side, and lists fixes and needs of the best one. */
#include <math.h>

#include "base/arena.h"
#include "base/error.h"
#include "oracle/input/input.h"
#include "study/job/job.h"

static const struct paradl_input_mode usual_ways[] = {
	{PARADL_STORE_SHARED, PARADL_SHUFFLE_GLOBAL, 0, 0},
	{PARADL_STORE_COPY, PARADL_SHUFFLE_GLOBAL, 0, 0},
	{PARADL_STORE_POOLED, PARADL_SHUFFLE_GLOBAL, 0, 0},
	{PARADL_STORE_SHARD, PARADL_SHUFFLE_LOCAL, 0, 0},
	{PARADL_STORE_SHARD, PARADL_SHUFFLE_PARTIAL, 0.1, 0},
	{PARADL_STORE_SHARD, PARADL_SHUFFLE_PARTIAL, 0.3, 0},
	{PARADL_STORE_SHARD, PARADL_SHUFFLE_PARTIAL, 0.5, 0},
	{PARADL_STORE_SHARD, PARADL_SHUFFLE_PAIRWISE, 0.3, 0},
	{PARADL_STORE_SHARD, PARADL_SHUFFLE_MODELS, 0, 1},
};

/* ---- order: global shuffles by time, then others as asked for, then impossible ones ---- */

static int place_of(const struct paradl_input_row *row)
{
	enum { GLOBAL, OTHER, IMPOSSIBLE };
	if (!row->input.possible)
		return IMPOSSIBLE;
	return row->way.shuffle == PARADL_SHUFFLE_GLOBAL ? GLOBAL : OTHER;
}

static double time_of(const struct paradl_input_row *row)
{
	return row->finish_s > 0 ? row->finish_s : row->input.step_s;
}

/*
 * Returns whether a row comes before another. Shuffles that are not global save time at a risk: they keep their order.
 */
static bool is_before(const struct paradl_input_row *a, const struct paradl_input_row *b)
{
	if (place_of(a) != place_of(b))
		return place_of(a) < place_of(b);
	return place_of(a) == 0 && time_of(a) < time_of(b);
}

/* ---- rows ---- */

static double break_even(const struct paradl_input *input, const struct paradl_input *shared)
{
	if (!(input->staging_s > 0) || !shared->known || !shared->possible)
		return 0;
	const double saved_s = shared->epoch_s - input->epoch_s;
	return saved_s > input_stall_share * input->epoch_s ? input->staging_s / saved_s : -1;
}

static void fill_row(struct input_variant *variant, const struct paradl_input_request *request,
	const struct paradl_input_mode *way, double epochs, struct paradl_input_row *row)
{
	const struct paradl_input_mode from_shared = {.store = PARADL_STORE_SHARED};
	const struct dataset *const dataset = &variant->model.dataset;
	variant->options = request->options;
	input_variant_mode(&variant->options, &from_shared);
	const struct paradl_input shared = input_variant_ask(variant);
	input_variant_mode(&variant->options, way);
	row->input = input_variant_ask(variant);
	row->way = (struct paradl_input_mode){variant->options.store, variant->options.shuffle,
		variant->options.exchanged, variant->options.hops};
	row->finish_s = input_finish_s(&row->input, epochs);
	row->break_even_epochs = break_even(&row->input, &shared);
	if (dataset->samples > 0 && row->input.readers > 0)
		row->samples_per_reader = dataset->samples / row->input.readers;
	if (dataset->classes > 0)
		row->samples_per_class = row->samples_per_reader / dataset->classes;
}

/* Sorts rows by insertion: there are few, and equal rows must keep their order. */
static void sort_rows(struct paradl_input_row *rows, size_t count)
{
	for (size_t i = 1; i < count; ++i)
		for (size_t j = i; j > 0 && is_before(&rows[j], &rows[j - 1]); --j) {
			const struct paradl_input_row row = rows[j];
			rows[j] = rows[j - 1];
			rows[j - 1] = row;
		}
}

/*
 * Moves the way with the least preparation to the front where others hardly save time: shared, then copy, then pooled.
 */
static void prefer_simple(struct paradl_input_row *rows, size_t count)
{
	static const double hardly = 1.02;
	size_t best = 0;
	for (size_t i = 1; i < count && place_of(&rows[i]) == 0; ++i)
		if (time_of(&rows[i]) <= hardly * time_of(&rows[0]) &&
			rows[i].way.store < rows[best].way.store)
			best = i;
	const struct paradl_input_row row = rows[best];
	for (size_t i = best; i > 0; --i)
		rows[i] = rows[i - 1];
	rows[0] = row;
}

static bool unknown_input(const struct paradl_oracle *oracle, const char *lacking, struct paradl_error *error)
{
	error_set(error, PARADL_USAGE, "what %s needs of %s's storage is not known: %s", oracle->model->name,
		oracle->machine->name, lacking ? lacking : "something is missing");
	error_hint(error,
		"--dataset FILE names a data set with the size of its samples; the machine's profile "
		"needs \"storage\" (paradl-hw(5))");
	return false;
}

static bool fill_case(struct paradl_oracle *oracle, const struct paradl_input_request *request, double epochs,
	struct paradl_arena *arena, struct paradl_input_case *answer, struct paradl_error *error)
{
	const bool usual = request->way_count == 0;
	const struct paradl_input_mode *const ways = usual ? usual_ways : request->ways;
	const size_t count = usual ? sizeof usual_ways / sizeof usual_ways[0] : request->way_count;
	struct paradl_input_row *const rows = arena_alloc(arena, count, sizeof *rows);
	struct input_variant *const variant = arena_alloc(arena, 1, sizeof *variant);
	if (!rows || !variant)
		return out_of_memory(error);
	input_variant_make(variant, oracle, &answer->estimate, &request->options);
	for (size_t i = 0; i < count; ++i)
		fill_row(variant, request, &ways[i], epochs, &rows[i]);
	if (!rows[0].input.known)
		return unknown_input(oracle, rows[0].input.lacking, error);
	sort_rows(rows, count);
	prefer_simple(rows, count);
	answer->rows = rows;
	answer->row_count = count;
	variant->options = request->options;
	input_variant_mode(&variant->options, &rows[0].way);
	return (input_fixes(arena, variant, answer) && input_needs(arena, variant, answer) &&
		       input_terms(arena, variant, answer)) ||
	       out_of_memory(error);
}

bool paradl_input_table(struct paradl_oracle *oracle, const struct paradl_input_request *request,
	struct paradl_arena *arena, struct paradl_input_table *table, struct paradl_error *error)
{
	const struct paradl_model *const model = oracle->model;
	struct paradl_input_request asked = *request;
	struct paradl_input_case *const cases = arena_alloc(arena, request->plan_count, sizeof *cases);
	if (!cases)
		return out_of_memory(error);
	*table = (struct paradl_input_table){.cases = cases,
		.count = request->plan_count,
		.epochs = request->epochs > 0 ? request->epochs : input_usual_epochs(model),
		.sample_bytes = model->dataset.sample_bytes,
		.samples = model->dataset.samples,
		.classes = model->dataset.classes};
	asked.options.epochs = table->epochs;
	for (size_t i = 0; i < request->plan_count; ++i)
		if (!paradl_estimate(oracle, &request->plans[i], &cases[i].estimate, error) ||
			!fill_case(oracle, &asked, table->epochs, arena, &cases[i], error))
			return false;
	return true;
}
