/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds how many devices should read prompts for the others, and by which plan: it takes the best of advice
 * for each way to read them.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "oracle/inference.h"
#include "search/branch.h"

/* Parts of the devices that are tried, from all but one part down to one; most devices of a replica. */
enum { SHARES = 8, LARGEST = 16 };

struct prefill_choice {
	const struct paradl_oracle *oracle;
	const struct paradl_request *request;
	struct paradl_arena *arena;
	const char *best;
	double value;
};

/* Returns whether these readers are slower than the best answers so far, or than the promise. */
static bool is_hopeless(const struct prefill_choice *choice, const struct paradl_oracle *tried)
{
	const struct prefill *prefill = tried->prefill;
	const struct paradl_promise *promise = &choice->request->promise;
	const double first_s = prefill->reads_s[0] + tried->rules.serve_prompt_s;
	const bool counts_rate =
		!(tried->options.rate_per_s > 0) && !(choice->request->batch > 0) &&
		!(choice->request->per_device > 0) && paradl_promise_made(promise) &&
		(choice->request->goal == PARADL_TIME || choice->request->goal == PARADL_THROUGHPUT);
	return (promise->first_s > 0 && first_s > promise->first_s) ||
	       (counts_rate && prefill->reads_s[1] / prefill->replicas >= choice->value);
}

/*
 * Takes advice for the devices that this plan of readers leaves, and keeps the plan if that advice is the best so
 * far.
 */
static bool layer_plan_try(struct prefill_choice *choice, const char *prefill, struct paradl_error *error)
{
	const struct paradl_oracle *oracle = choice->oracle;
	struct paradl_options options = oracle->options;
	struct paradl_ranking ranking;
	struct paradl_error why = {0};
	options.prefill = prefill;
	struct paradl_oracle *tried = paradl_oracle_create(
		choice->arena, oracle->model, oracle->machine, oracle->framework, &options, &why);
	if (tried && is_hopeless(choice, tried))
		return true;
	if (!tried || !paradl_advise(tried, choice->request, choice->arena, &ranking, &why)) {
		if (why.status == PARADL_USAGE || why.status == PARADL_INFEASIBLE)
			return true; /* such readers lack memory, or this network has none of them */
		*error = why;
		return false;
	}
	if (!ranking.count || !ranking.results[0].fits)
		return true;
	const double value = paradl_search_value(&ranking.results[0], ranking.goal);
	if (value < choice->value) {
		choice->value = value;
		choice->best = prefill;
	}
	return true;
}

/* Tries replicas of one size on each share of the devices. */
static bool sizes_try(
	struct prefill_choice *choice, const char *axis, unsigned size, struct paradl_error *error)
{
	const unsigned all = choice->request->devices;
	unsigned last = 0;
	for (unsigned part = SHARES - 1; part > 0; --part) { /* many devices first: few are soon hopeless */
		const unsigned replicas = all * part / SHARES / size;
		if (!replicas || replicas == last || replicas * size >= all)
			continue;
		last = replicas;
		const char *const text =
			size == 1 ? arena_printf(choice->arena, replicas > 1 ? "data=%u" : "serial", replicas)
			: replicas == 1 ? arena_printf(choice->arena, "%s=%u", axis, size)
					: arena_printf(choice->arena, "data=%u,%s=%u", replicas, axis, size);
		if (!text)
			return out_of_memory(error);
		if (!layer_plan_try(choice, text, error))
			return false;
	}
	return true;
}

bool paradl_prefill_choose(const struct paradl_oracle *oracle, const struct paradl_request *request,
	struct paradl_arena *arena, const char **prefill, struct paradl_error *error)
{
	struct prefill_choice choice = {
		.oracle = oracle, .request = request, .arena = arena, .value = HUGE_VAL};
	const unsigned inside = oracle->machine->devices_per_node > 0 ? oracle->machine->devices_per_node : 1;
	*prefill = NULL;
	if (!oracle->options.inference || !(oracle->output_tokens > 0))
		return error_set(error, PARADL_USAGE,
			"prompts are there in inference of networks that generate text only");
	for (unsigned size = 1; size <= inside && size <= LARGEST && size < request->devices; size *= 2)
		if (!sizes_try(&choice, "tensor", size, error) ||
			(size > 1 && (oracle_axes(oracle) & 1u << PARADL_EXPERT) &&
				!sizes_try(&choice, "expert", size, error)))
			return false;
	*prefill = choice.best;
	return true;
}
