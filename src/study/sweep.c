/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file makes the grid of a sweep: the dimensions, the number of points, and the place of each point. */
#include "study/sweep.h"

#include <string.h>

#include "base/error.h"

static const double most_points = 9007199254740992.0; /* 2^53: up to there a double holds all whole numbers */

static bool count_points(struct paradl_sweep *sweep, struct paradl_error *error)
{
	double points = (double)sweep->strategy_count;
	sweep->count = sweep->strategy_count;
	for (size_t i = 0; i < sweep->dimension_count; ++i) {
		points *= (double)sweep->dimensions[i].values.count;
		if (points > most_points)
			return error_set(error, PARADL_USAGE, "the grid has more than 2^53 points");
		sweep->count *= sweep->dimensions[i].values.count;
	}
	return true;
}

static bool add_file(struct paradl_sweep *sweep, const char *path, struct paradl_error *error)
{
	for (size_t i = 0; path && i < sweep->file_count; ++i)
		if (strcmp(sweep->files[i], path) == 0)
			return true;
	if (!path)
		return true;
	const char **const files = arena_alloc(sweep->arena, sweep->file_count + 1, sizeof *files);
	if (!files)
		return out_of_memory(error);
	if (sweep->file_count)
		memcpy(files, sweep->files, sweep->file_count * sizeof *files);
	files[sweep->file_count++] = path;
	sweep->files = files;
	return true;
}

static bool list_files(struct paradl_sweep *sweep, struct paradl_error *error)
{
	const struct paradl_sweep_request *const request = sweep->request;
	static const enum sweep_kind kinds[] = {SWEEP_MODEL, SWEEP_HW, SWEEP_FRAMEWORK, SWEEP_DATASET};
	const char *const fixed[] = {request->model, request->hw, request->framework, request->dataset};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
		const struct sweep_dimension *const dimension = sweep_dimension_of(sweep, kinds[i]);
		if (!dimension && !add_file(sweep, fixed[i], error))
			return false;
		for (size_t j = 0; dimension && j < dimension->values.count; ++j)
			if (!add_file(sweep, dimension->paths[j], error))
				return false;
	}
	return add_file(sweep, request->options.layer_times, error);
}

enum {
	CHECKED_VALUES = 64
}; /* values of a dimension that are checked, in addition to the last: lists are typed, ranges and factors are alike */

static bool check_part(const struct paradl_sweep *sweep, const size_t *places, enum sweep_part part,
	struct paradl_error *error)
{
	struct paradl_arena *const arena = arena_create_beside(sweep->arena);
	if (!arena)
		return out_of_memory(error);
	const bool fine = sweep_part_load(sweep, part, places, arena, error) != NULL;
	paradl_arena_free(arena);
	return fine;
}

/*
 * Checks that a part can be loaded with each value of a dimension, and the first of the others. Long ranges are
 * checked at their first values and the last, factors at the last only.
 */
static bool check_dimension(
	const struct paradl_sweep *sweep, size_t dimension, enum sweep_part part, struct paradl_error *error)
{
	size_t places[SWEEP_MOST_DIMENSIONS + 1] = {0};
	const struct sweep_dimension *const varied = &sweep->dimensions[dimension];
	const size_t count = varied->values.count;
	const size_t each = varied->numbers.form == VALUE_FACTOR ? 1 : CHECKED_VALUES;
	if (!sweep_is_of_part(varied, part))
		return true;
	for (size_t i = 1; i < count; i = i < each ? i + 1 : count) {
		places[dimension] = i < each ? i : count - 1;
		if (!check_part(sweep, places, part, error))
			return false;
	}
	return true;
}

static bool check_parts(const struct paradl_sweep *sweep, struct paradl_error *error)
{
	const size_t places[SWEEP_MOST_DIMENSIONS + 1] = {0};
	for (int part = PART_MODEL; part < PART_ORACLE; ++part) {
		if (part == PART_FRAMEWORK && !sweep_has_framework(sweep))
			continue;
		if (!check_part(sweep, places, (enum sweep_part)part, error))
			return false;
		for (size_t i = 0; i < sweep->dimension_count; ++i)
			if (!check_dimension(sweep, i, (enum sweep_part)part, error))
				return false;
	}
	return true;
}

static void find_most_devices(struct paradl_sweep *sweep)
{
	const struct sweep_dimension *const gpus = sweep_dimension_of(sweep, SWEEP_GPUS);
	for (size_t i = 0; gpus && i < gpus->values.count; ++i)
		if (gpus->numbers.items[i] > sweep->most_devices)
			sweep->most_devices = gpus->numbers.items[i];
	for (size_t i = 0; !gpus && i < sweep->strategy_count; ++i) {
		const double devices = paradl_plan_devices(&sweep->strategies[i].plan);
		if (devices > sweep->most_devices)
			sweep->most_devices = devices;
	}
}

static bool check_request(const struct paradl_sweep *sweep, struct paradl_error *error)
{
	const struct paradl_sweep_request *const request = sweep->request;
	if (!request->model && !sweep_dimension_of(sweep, SWEEP_MODEL))
		return error_set(error, PARADL_USAGE, "a sweep needs a model");
	if (!request->hw && !sweep_dimension_of(sweep, SWEEP_HW))
		return error_set(error, PARADL_USAGE, "a sweep needs a machine");
	const bool varied = sweep_dimension_of(sweep, SWEEP_BATCH);
	const bool batch = request->batch > 0 || request->batch_tokens > 0 || varied;
	const bool per_device = request->per_device > 0 || sweep_dimension_of(sweep, SWEEP_PER_GPU);
	if (batch && per_device)
		return error_set(error, PARADL_USAGE, "only one of batch and per-gpu is possible");
	if (request->batch_tokens > 0 && (request->batch > 0 || varied))
		return error_set(error, PARADL_USAGE, "the batch is in samples or in tokens, not in both");
	return true;
}

struct paradl_sweep *paradl_sweep_create(
	struct paradl_arena *arena, const struct paradl_sweep_request *request, struct paradl_error *error)
{
	struct paradl_sweep *const sweep = arena_alloc(arena, 1, sizeof *sweep);
	if (!sweep)
		return out_of_memory_null(error);
	sweep->arena = arena;
	sweep->request = request;
	sweep->workers = 1;
	if (!sweep_dimensions_read(sweep, error) || !check_request(sweep, error) ||
		!sweep_strategies_read(sweep, error) || !count_points(sweep, error) ||
		!list_files(sweep, error) || !check_parts(sweep, error))
		return NULL;
	find_most_devices(sweep);
	return sweep;
}

unsigned long long paradl_sweep_count(const struct paradl_sweep *sweep)
{
	return sweep->count;
}

struct paradl_sweep_key paradl_sweep_key(const struct paradl_sweep *sweep, size_t index)
{
	if (index >= sweep->dimension_count)
		return (struct paradl_sweep_key){.key = NULL};
	const struct sweep_dimension *const dimension = &sweep->dimensions[index];
	return (struct paradl_sweep_key){.key = dimension->key,
		.column = dimension->column,
		.texts = dimension->values.items,
		.numbers = dimension->numbers.form == VALUE_TEXT ? NULL : dimension->numbers.items,
		.count = dimension->values.count};
}

const char *paradl_sweep_file(const struct paradl_sweep *sweep, size_t index)
{
	return index < sweep->file_count ? sweep->files[index] : NULL;
}

void sweep_places(
	const struct paradl_sweep *sweep, unsigned long long index, size_t places[SWEEP_MOST_DIMENSIONS + 1])
{
	places[sweep->dimension_count] = (size_t)(index % sweep->strategy_count);
	index /= sweep->strategy_count;
	for (size_t i = sweep->dimension_count; i-- > 0;) {
		places[i] = (size_t)(index % sweep->dimensions[i].values.count);
		index /= sweep->dimensions[i].values.count;
	}
}

unsigned long long sweep_part_key(
	const struct paradl_sweep *sweep, const size_t *places, enum sweep_part part)
{
	unsigned long long key = 0;
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (sweep_is_of_part(&sweep->dimensions[i], part))
			key = key * sweep->dimensions[i].values.count + places[i];
	return key;
}

bool paradl_sweep_first(const struct paradl_sweep *sweep, struct paradl_model_info *model,
	struct paradl_machine_info *machine, struct paradl_framework_info *framework,
	struct paradl_error *error)
{
	const size_t places[SWEEP_MOST_DIMENSIONS + 1] = {0};
	const bool named = sweep_has_framework(sweep);
	const void *const network = sweep_part_load(sweep, PART_MODEL, places, sweep->arena, error);
	const void *const hw =
		network ? sweep_part_load(sweep, PART_MACHINE, places, sweep->arena, error) : NULL;
	const void *const program =
		hw ? named ? sweep_part_load(sweep, PART_FRAMEWORK, places, sweep->arena, error)
			   : oracle_framework_load(
				     sweep->arena, network, hw, sweep->request->options.inference, error)
		   : NULL;
	if (!program)
		return false;
	*model = paradl_model_info(network);
	*machine = paradl_machine_info(hw);
	*framework = paradl_framework_info(program);
	return true;
}
