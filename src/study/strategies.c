/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file reads the strategies of a sweep: plans, which may leave a degree open, or families of them. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "plan/plan_text.h"
#include "study/sweep.h"

/* Reads the axis before the '*' in "tensor=8,data=*", and puts a 1 in the place of the '*'. False: error is set. */
static bool read_star(struct sweep_strategy *strategy, char *star, struct paradl_error *error)
{
	struct paradl_plan plan;
	char term[PARADL_PLAN_TEXT];
	char *begin = star;
	while (begin > strategy->text && begin[-1] != ',')
		--begin;
	if (strchr(star + 1, '*') || (star[1] && star[1] != ',') || star == begin || star[-1] != '=')
		return error_set(error, PARADL_USAGE,
			"'*' stands for one whole degree of a plan: data=*,tensor=8; not \"%s\"",
			strategy->text);
	snprintf(term, sizeof term, "%.*s2", (int)(star - begin), begin);
	*star = '1';
	if (!paradl_plan_parse(term, &plan, error))
		return false;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (plan.degree[axis] == 2) {
			strategy->star = (enum paradl_axis)axis;
			strategy->has_star = true;
		}
	return strategy->has_star ||
	       error_set(error, PARADL_USAGE, "'*' stands for a degree, which %.*s is not",
		       (int)(star - begin - 1), begin);
}

/* Checks that each of the words that vary is one that the plan does not have itself. */
static bool check_words(
	const struct paradl_sweep *sweep, const struct sweep_strategy *strategy, struct paradl_error *error)
{
	struct paradl_plan plan;
	char text[2 * PARADL_PLAN_TEXT];
	for (size_t i = 0; i < sweep->dimension_count; ++i) {
		const struct sweep_dimension *const dimension = &sweep->dimensions[i];
		if (dimension->kind != SWEEP_PLAN && dimension->kind != SWEEP_MICRO)
			continue;
		snprintf(text, sizeof text, "%s,%s=%s", strategy->text, dimension->key,
			dimension->values.items[0]);
		if (!paradl_plan_parse(text, &plan, error))
			return false;
	}
	return true;
}

static bool read_plan(const struct paradl_sweep *sweep, const char *text, size_t length,
	struct sweep_strategy *strategy, struct paradl_error *error)
{
	char *const copy = arena_copy(sweep->arena, text, length);
	if (!copy)
		return out_of_memory(error);
	*strategy = (struct sweep_strategy){
		.typed = arena_copy(sweep->arena, text, length), .text = copy, .is_plan = true};
	if (!strategy->typed)
		return out_of_memory(error);
	char *const star = strchr(copy, '*');
	if (star && !read_star(strategy, star, error))
		return false;
	if (strategy->has_star && !sweep_dimension_of(sweep, SWEEP_GPUS)) {
		error_set(
			error, PARADL_USAGE, "%.*s: '*' is as many as there are GPUs for", (int)length, text);
		error_hint(error, "say how many: --vary gpus=4..1024");
		return false;
	}
	return paradl_plan_parse(copy, &strategy->plan, error) && check_words(sweep, strategy, error);
}

static bool read_family(const struct paradl_sweep *sweep, const char *text, size_t length,
	struct sweep_strategy *strategy, struct paradl_error *error)
{
	unsigned axes;
	char *const copy = arena_copy(sweep->arena, text, length);
	if (!copy)
		return out_of_memory(error);
	*strategy = (struct sweep_strategy){.typed = copy, .text = copy};
	return axes_parse(copy, &axes) ||
	       error_set(error, PARADL_USAGE,
		       "\"%s\" is not a strategy; write plans, such as data=64, or families, such as "
		       "data+spatial",
		       copy);
}

/* Checks that words of plans that vary are options, since families choose degrees themselves, and that GPUs vary. */
static bool check_families(const struct paradl_sweep *sweep, struct paradl_error *error)
{
	if (!sweep_dimension_of(sweep, SWEEP_GPUS)) {
		error_set(error, PARADL_USAGE, "the best plans of how many GPUs?");
		error_hint(error, "add --vary gpus=4..1024, or plans: -s data=64,spatial=4");
		return false;
	}
	for (size_t i = 0; i < sweep->dimension_count; ++i)
		if (sweep->dimensions[i].kind == SWEEP_PLAN && !plan_option_known(sweep->dimensions[i].key)) {
			error_set(error, PARADL_USAGE, "%s is a degree, which the best of a family chooses",
				sweep->dimensions[i].key);
			error_hint(error, "say what the others are: -s 'data=*'");
			return false;
		}
	return true;
}

static size_t strategies_most(const struct paradl_sweep_request *request)
{
	size_t most = 1;
	for (size_t i = 0; i < request->strategy_count; ++i, ++most)
		for (const char *at = request->strategies[i]; *at; ++at)
			most += *at == ',' || *at == ';';
	return most;
}

bool sweep_strategies_read(struct paradl_sweep *sweep, struct paradl_error *error)
{
	const struct paradl_sweep_request *const request = sweep->request;
	bool families = request->strategy_count == 0;
	sweep->strategies = arena_alloc(sweep->arena, strategies_most(request), sizeof *sweep->strategies);
	if (!sweep->strategies)
		return out_of_memory(error);
	for (size_t i = 0; i < request->strategy_count; ++i)
		for (const char *item = request->strategies[i];;) {
			const size_t whole = strcspn(item, ";");
			const bool is_plan = memchr(item, '=', whole) != NULL;
			const size_t length = is_plan ? whole : strcspn(item, ",;");
			struct sweep_strategy *const strategy = &sweep->strategies[sweep->strategy_count++];
			families = families || !is_plan;
			if (!(is_plan ? read_plan(sweep, item, length, strategy, error)
				      : read_family(sweep, item, length, strategy, error)))
				return false;
			if (!item[length])
				break;
			item += length + 1;
		}
	if (sweep->strategy_count == 0)
		sweep->strategy_count = 1; /* one strategy, the best of all */
	return !families || check_families(sweep, error);
}
