/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file reads the dimensions of a sweep: keys that may be varied, and their values. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "plan/plan_text.h"
#include "study/sweep.h"

enum { WHAT_BYTES = 64, NAMES_MAX = 64 };

static const struct {
	const char *name;
	enum sweep_kind kind;
	double most; /* largest number */
} kinds[] = {
	{"gpus", SWEEP_GPUS, 4294967295.0},
	{"batch", SWEEP_BATCH, 1e15},
	{"per-gpu", SWEEP_PER_GPU, 1e12},
	{"micro", SWEEP_MICRO, 1e12},
	{"input-tokens", SWEEP_INPUT_TOKENS, 1e9},
	{"output-tokens", SWEEP_OUTPUT_TOKENS, 1e9},
	{"rate", SWEEP_RATE, 1e9},
	{"precision", SWEEP_PRECISION, 0},
	{"optimizer", SWEEP_OPTIMIZER, 0},
	{"algo", SWEEP_ALGORITHM, 0},
	{"compress", SWEEP_COMPRESS, 0},
	{"model", SWEEP_MODEL, 0},
	{"dataset", SWEEP_DATASET, 0},
	{"hw", SWEEP_HW, 0},
	{"framework", SWEEP_FRAMEWORK, 0},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_axis(const char *key)
{
	for (size_t i = 0; i < PARADL_AXIS_COUNT; ++i)
		if (strcmp(paradl_strategy(i).name, key) == 0)
			return true;
	return false;
}

static bool unknown_key(const char *key, struct paradl_error *error)
{
	const char *names[NAMES_MAX];
	size_t count = 0;
	names[count++] = "seq";
	for (size_t i = 0; i < KINDS; ++i)
		names[count++] = kinds[i].name;
	for (size_t i = 0; i < PARADL_AXIS_COUNT; ++i)
		names[count++] = paradl_strategy(i).name;
	for (unsigned i = 0; i < PLAN_OPTION_COUNT; ++i)
		names[count++] = plan_option_names[i];
	const char *const near = suggest(key, names, count);
	if (near)
		return error_set(
			error, PARADL_USAGE, "nothing called '%s' varies; did you mean '%s'?", key, near);
	error_set(error, PARADL_USAGE, "nothing called '%s' varies", key);
	error_hint(error,
		"gpus, batch, per-gpu, precision, hw, ...; words of plans, such as tensor or zero; or a "
		"key of --set: hw.levels.1.bandwidth=x0.5..x4");
	return false;
}

static bool read_key(const char *key, struct sweep_dimension *dimension, struct paradl_error *error)
{
	dimension->key = key;
	for (size_t i = 0; i < KINDS; ++i)
		if (strcmp(kinds[i].name, key) == 0) {
			dimension->kind = kinds[i].kind;
			return true;
		}
	dimension->kind = SWEEP_CHANGE;
	if (strchr(key, '.') || strcmp(key, "seq") == 0)
		return true;
	dimension->kind = SWEEP_PLAN;
	return is_axis(key) || plan_option_known(key) || unknown_key(key, error);
}

static bool check_counts(const struct sweep_dimension *dimension, double most, struct paradl_error *error)
{
	for (size_t i = 0; i < dimension->values.count; ++i) {
		const double value = value_number(dimension->values.items[i]);
		if (!(value >= 1) || value > most || (double)(unsigned long long)value < value)
			return error_set(error, PARADL_USAGE,
				"%s cannot be '%s', which is not a whole number such as 256 or 32k",
				dimension->key, dimension->values.items[i]);
	}
	return true;
}

/* Checks that values are rates of requests, "20/s", or all of them bare numbers of requests a second. */
static bool check_rates(const struct sweep_dimension *dimension, double most, struct paradl_error *error)
{
	const struct value_numbers *const numbers = &dimension->numbers;
	const bool are_rates = numbers->form == VALUE_QUANTITY && numbers->dimension == DIMENSION_RATE;
	for (size_t i = 0; i < dimension->values.count; ++i) {
		const double value = are_rates ? numbers->items[i] : value_number(dimension->values.items[i]);
		if (!(value > 0) || value > most)
			return error_set(error, PARADL_USAGE,
				"%s cannot be '%s': all are rates of requests, such as 20/s, or all are bare "
				"numbers",
				dimension->key, dimension->values.items[i]);
	}
	return true;
}

static bool check_precisions(const struct sweep_dimension *dimension, struct paradl_error *error)
{
	const char *names[PARADL_PRECISION_COUNT];
	for (unsigned i = 0; i < PARADL_PRECISION_COUNT; ++i)
		names[i] = paradl_precision_name((enum paradl_precision)i);
	for (size_t i = 0; i < dimension->values.count; ++i) {
		if (name_index(dimension->values.items[i], names, PARADL_PRECISION_COUNT) <
			PARADL_PRECISION_COUNT)
			continue;
		const char *const near = suggest(dimension->values.items[i], names, PARADL_PRECISION_COUNT);
		error_set(error, PARADL_USAGE, "precision cannot be '%s'", dimension->values.items[i]);
		error_hint(error,
			near ? "did you mean '%s'?"
			     : "it is fp32, tf32, fp16, bf16 or one of them with "
			       "-mixed%s",
			near ? near : "");
		return false;
	}
	return true;
}

/* Checks that a word of plans with each of its values is a plan. */
static bool check_words(const struct sweep_dimension *dimension, struct paradl_error *error)
{
	struct paradl_plan plan;
	char text[PARADL_PLAN_TEXT];
	for (size_t i = 0; i < dimension->values.count; ++i) {
		snprintf(text, sizeof text, "%s=%s", dimension->key, dimension->values.items[i]);
		if (!paradl_plan_parse(text, &plan, error))
			return false;
	}
	return true;
}

static bool find_files(struct paradl_sweep *sweep, struct sweep_dimension *dimension, const char *folder,
	struct paradl_error *error)
{
	const size_t count = dimension->values.count;
	const char **const paths = arena_alloc(sweep->arena, count, sizeof *paths);
	if (!paths)
		return out_of_memory(error);
	for (size_t i = 0; i < count; ++i)
		if (!(paths[i] = paradl_find(sweep->arena, dimension->values.items[i], folder,
			      sweep->request->directories, error)))
			return false;
	dimension->paths = paths;
	return true;
}

static bool make_changes(
	struct paradl_sweep *sweep, struct sweep_dimension *dimension, struct paradl_error *error)
{
	const size_t count = dimension->values.count;
	const char *const key = strchr(dimension->key, '.') ? dimension->key : "model.dims.seq";
	const char **const texts = arena_alloc(sweep->arena, count, sizeof *texts);
	for (size_t i = 0; texts && i < count; ++i)
		if (!(texts[i] = arena_printf(sweep->arena, "%s=%s", key, dimension->values.items[i])))
			return out_of_memory(error);
	const struct paradl_changes *const first =
		texts ? paradl_changes_parse(sweep->arena, texts, 1, error) : NULL;
	if (!first)
		return texts ? false : out_of_memory(error);
	dimension->changes = texts;
	dimension->scope = first->items[0].scope;
	return true;
}

static bool check_values(
	struct paradl_sweep *sweep, struct sweep_dimension *dimension, struct paradl_error *error)
{
	switch (dimension->kind) {
	case SWEEP_GPUS:
	case SWEEP_BATCH:
	case SWEEP_PER_GPU:
	case SWEEP_MICRO:
	case SWEEP_INPUT_TOKENS:
	case SWEEP_OUTPUT_TOKENS:
		for (size_t i = 0; i < KINDS; ++i)
			if (kinds[i].kind == dimension->kind)
				return check_counts(dimension, kinds[i].most, error);
		break;
	case SWEEP_RATE:
		return check_rates(dimension, 1e9, error);
	case SWEEP_PLAN:
		return check_words(dimension, error);
	case SWEEP_PRECISION:
		return check_precisions(dimension, error);
	case SWEEP_MODEL:
		return find_files(sweep, dimension, "models", error);
	case SWEEP_DATASET:
		return find_files(sweep, dimension, "datasets", error);
	case SWEEP_HW:
		return find_files(sweep, dimension, "hw-profiles", error);
	case SWEEP_FRAMEWORK:
		return find_files(sweep, dimension, "hw-profiles/frameworks", error);
	case SWEEP_CHANGE:
		return make_changes(sweep, dimension, error);
	case SWEEP_OPTIMIZER:
	case SWEEP_ALGORITHM:
	case SWEEP_COMPRESS:
		break;
	}
	return true;
}

/* Makes the column name of a dimension: "per-gpu" becomes "per_gpu"; the unit of its numbers follows. */
static bool name_column(
	struct paradl_sweep *sweep, struct sweep_dimension *dimension, struct paradl_error *error)
{
	static const char *const units[DIMENSION_COUNT] = {
		"", "_s", "_bytes", "_bytes_per_s", "_flop", "_flop_per_s", "_watt", "_per_s"};
	const struct value_numbers *const numbers = &dimension->numbers;
	char *const name = arena_printf(sweep->arena, "%s%s", dimension->key,
		numbers->form == VALUE_FACTOR     ? "_factor"
		: numbers->form == VALUE_QUANTITY ? units[numbers->dimension]
						  : "");
	for (char *at = name; at && *at; ++at)
		if (*at == '-')
			*at = '_';
	dimension->column = name;
	return name || out_of_memory(error);
}

/* Checks that values have no control characters: a column holds one line. */
static bool check_texts(const struct sweep_dimension *dimension, struct paradl_error *error)
{
	for (size_t i = 0; i < dimension->values.count; ++i)
		for (const char *at = dimension->values.items[i]; *at; ++at)
			if ((unsigned char)*at < ' ')
				return error_set(error, PARADL_USAGE, "a value of %s has a control character",
					dimension->key);
	return true;
}

static bool add_dimension(
	struct paradl_sweep *sweep, const struct paradl_sweep_dimension *wanted, struct paradl_error *error)
{
	struct sweep_dimension *const dimension = &sweep->dimensions[sweep->dimension_count];
	char what[WHAT_BYTES];
	snprintf(what, sizeof what, "%s", wanted->key);
	if (!read_key(wanted->key, dimension, error))
		return false;
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (strcmp(sweep->dimensions[i].key, wanted->key) == 0)
			return error_set(error, PARADL_USAGE, "%s varies twice", wanted->key);
	if (!values_read(sweep->arena, what, wanted->values, &dimension->values, error) ||
		!check_texts(dimension, error))
		return false;
	if (!values_numbers(sweep->arena, &dimension->values, &dimension->numbers))
		return out_of_memory(error);
	sweep->has_words =
		sweep->has_words || dimension->kind == SWEEP_PLAN || dimension->kind == SWEEP_MICRO;
	++sweep->dimension_count;
	return check_values(sweep, dimension, error) && name_column(sweep, dimension, error);
}

bool sweep_dimensions_read(struct paradl_sweep *sweep, struct paradl_error *error)
{
	const struct paradl_sweep_request *const request = sweep->request;
	if (request->dimension_count > SWEEP_MOST_DIMENSIONS)
		return error_set(error, PARADL_USAGE, "more than %d things vary", (int)SWEEP_MOST_DIMENSIONS);
	for (size_t i = 0; i < request->dimension_count; ++i)
		if (!add_dimension(sweep, &request->dimensions[i], error))
			return false;
	return true;
}

bool sweep_is_of_part(const struct sweep_dimension *dimension, enum sweep_part part)
{
	if (part == PART_ORACLE)
		return dimension->kind >= SWEEP_INPUT_TOKENS;
	if (dimension->kind == SWEEP_MODEL || dimension->kind == SWEEP_DATASET)
		return part == PART_MODEL;
	if (dimension->kind == SWEEP_HW)
		return part == PART_MACHINE;
	if (dimension->kind == SWEEP_FRAMEWORK)
		return part == PART_FRAMEWORK;
	if (dimension->kind != SWEEP_CHANGE)
		return false;
	if (dimension->scope == CHANGE_MODEL)
		return part == PART_MODEL;
	/* A machine's default framework changes with it. */
	return part == PART_MACHINE || (part == PART_FRAMEWORK && dimension->scope == CHANGE_FRAMEWORK);
}

const struct sweep_dimension *sweep_dimension_of(const struct paradl_sweep *sweep, enum sweep_kind kind)
{
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (sweep->dimensions[i].kind == kind)
			return &sweep->dimensions[i];
	return NULL;
}

double sweep_number(const struct paradl_sweep *sweep, const size_t *places, enum sweep_kind kind)
{
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (sweep->dimensions[i].kind == kind)
			return sweep->dimensions[i].numbers.items[places[i]];
	return -1;
}
