/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file lists the ways in which devices can read prompts for others, and bounds what is possible with each. Of R
 * replicas, each reads a prompt in P0 while those that share experts with it read none, in P1 while they do, and in P
 * when it has as many at once as there is room for:
 *     first token         no sooner than P0 and what a prompt takes outside of the engine
 *     time of a request   no less than S, S in 1 / (R / min(P1, P)): none is answered whose prompt was not read
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oracle/inference.h"
#include "plan/strategy.h"
#include "search/options.h"
#include "search/pools.h"
#include "search/search_state.h"

/* Parts of the devices that are tried, from all but one part down to one; most devices of a replica. */
enum { SHARES = 8, LARGEST = 16 };

static bool reading_add(
	struct readings *readings, const char *text, unsigned devices, struct paradl_error *error)
{
	if (readings->count == readings->room) {
		const size_t room = readings->room ? 2 * readings->room : 64;
		struct reading *grown =
			list_moved(readings->arena, readings->items, readings->count, room, sizeof *grown);
		if (!grown)
			return out_of_memory(error);
		readings->items = grown;
		readings->room = room;
	}
	if (!text)
		return out_of_memory(error);
	readings->items[readings->count] =
		(struct reading){.text = text, .devices = devices, .place = readings->count};
	++readings->count;
	return true;
}

/* Adds replicas of one size on each share of the devices. */
static bool sizes_add(struct readings *readings, const char *axis, unsigned size, unsigned devices,
	struct paradl_error *error)
{
	unsigned last = 0;
	for (unsigned part = SHARES - 1; part > 0; --part) {
		const unsigned replicas = devices * part / SHARES / size;
		if (!replicas || replicas == last || replicas * size >= devices)
			continue;
		last = replicas;
		const char *const text =
			size == 1
				? arena_printf(readings->arena, replicas > 1 ? "data=%u" : "serial", replicas)
			: replicas == 1
				? arena_printf(readings->arena, "%s=%u", axis, size)
				: arena_printf(readings->arena, "data=%u,%s=%u", replicas, axis, size);
		if (!reading_add(readings, text, replicas * size, error))
			return false;
	}
	return true;
}

bool readings_usual(const struct paradl_oracle *oracle, unsigned devices, struct readings *readings,
	struct paradl_error *error)
{
	const unsigned inside = oracle->machine->devices_per_node > 0 ? oracle->machine->devices_per_node : 1;
	for (unsigned size = 1; size <= inside && size <= LARGEST && size < devices; size *= 2)
		if (!sizes_add(readings, "tensor", size, devices, error) ||
			(size > 1 && (oracle_axes(oracle) & 1u << PARADL_EXPERT) &&
				!sizes_add(readings, "expert", size, devices, error)))
			return false;
	return true;
}

/* Adds the plans of a task: its orders of the axes. */
static bool task_add(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct task *task, struct choices *choices, struct readings *readings,
	struct paradl_error *error)
{
	const unsigned devices = (unsigned)paradl_plan_devices(&task->plan);
	choices_fill(oracle, variation, &task->plan, choices);
	for (unsigned i = 0; i < choices->orders; ++i) {
		struct paradl_plan plan = task->plan;
		char text[PARADL_PLAN_TEXT];
		choices_order(choices, i, &plan);
		paradl_plan_format(&plan, text, sizeof text);
		if (!reading_add(readings, arena_printf(readings->arena, "%s", text), devices, error))
			return false;
	}
	return true;
}

bool readings_all(struct paradl_oracle *oracle, const struct paradl_search_request *request, unsigned devices,
	struct readings *readings, struct paradl_error *error)
{
	struct variation variation = {.vary = 0};
	bool families[FAMILIES];
	struct choices *const choices = arena_alloc(readings->arena, 1, sizeof *choices);
	unsigned *const parts = arena_alloc(readings->arena, devices, sizeof *parts);
	struct paradl_search_request reads = {.devices = parts, .batch = 1};
	struct tasks tasks;
	if (!choices || !parts)
		return out_of_memory(error);
	if (!vary_parse(request->vary, &variation.vary, error) ||
		(request->options &&
			!plan_options_parse(request->options, &variation.fixed, &variation.given, error)) ||
		!families_wanted(oracle, request->strategies, families, error))
		return false;
	variation.fixed.seqs = 0; /* readers have a prompt at a time */
	variation.vary &= 1u << PARADL_VARY_ORDER | 1u << PARADL_VARY_EXPERTS | 1u << PARADL_VARY_CONTEXT |
			  1u << PARADL_VARY_CHUNK;
	for (unsigned part = 1; part < devices; ++part)
		parts[reads.device_count++] = part;
	if (!tasks_list(oracle, &reads, &variation, families, readings->arena, &tasks, error))
		return false;
	for (size_t i = 0; i < tasks.count; ++i)
		if (!task_add(oracle, &variation, &tasks.items[i], choices, readings, error))
			return false;
	return true;
}

/* Returns the value that no plan with these readers is below. */
static double bound_of(
	const struct paradl_oracle *oracle, enum paradl_goal goal, const struct reading *reading)
{
	if (goal == PARADL_THROUGHPUT)
		return fmin(reading->reads_s[0], reading->reads_s[1]) / reading->replicas;
	return goal == PARADL_TIME && oracle->output_tokens > 0 ? reading->first_s : 0;
}

/* Fills times and bounds of one reading; false with an error, but where it only cannot run. */
static bool price(const struct paradl_oracle *oracle, enum paradl_goal goal, struct reading *reading,
	struct paradl_error *error)
{
	struct paradl_error why = {0};
	struct prefill prefill;
	reading->runs = prefill_price(oracle, reading->text, &prefill, &why);
	if (reading->runs) {
		reading->replicas = prefill.replicas;
		reading->group = prefill.plan.degree[PARADL_EXPERT];
		reading->reads_s[0] = prefill.reads_s[0];
		reading->reads_s[1] = prefill.reads_s[1];
		reading->cache_bytes = prefill.cache_bytes;
		reading->lone_s = prefill.lone_s;
		reading->first_s = prefill.lone_s + oracle->rules.serve_prompt_s;
		if (oracle->options.trace) /* some prompts are shorter than its mean */
			reading->first_s = oracle->rules.serve_prompt_s;
		else
			reading->value_bound = bound_of(oracle, goal, reading);
	}
	if (reading->runs || why.status == PARADL_USAGE || why.status == PARADL_INFEASIBLE)
		return true;
	if (error)
		*error = why;
	return false;
}

static int compare_readings(const void *a, const void *b)
{
	const struct reading *const x = a, *const y = b;
	if (x->runs != y->runs)
		return x->runs ? -1 : 1;
	if (x->value_bound < y->value_bound || x->value_bound > y->value_bound)
		return x->value_bound < y->value_bound ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

bool readings_price(const struct paradl_oracle *oracle, enum paradl_goal goal, struct readings *readings,
	struct paradl_error *error)
{
	for (size_t i = 0; i < readings->count; ++i)
		if (!price(oracle, goal, &readings->items[i], error))
			return false;
	if (readings->count)
		qsort(readings->items, readings->count, sizeof *readings->items, compare_readings);
	return true;
}

double reading_distance(const struct paradl_oracle *oracle, const struct paradl_promise *promise,
	const struct reading *reading)
{
	const double most_per_s = reading->replicas / fmin(reading->reads_s[0], reading->reads_s[1]);
	const double rate = oracle->options.trace ? 0 : oracle->options.rate_per_s;
	struct paradl_estimate least = {.iteration_s = reading->first_s};
	least.inference.first_percentile_s[promise->percentile] = reading->first_s;
	return rate > 0 && rate >= most_per_s ? share_distance(most_per_s / rate)
					      : missed_distance(promise_missed(promise, &least));
}

void reading_note(const struct reading *reading, struct paradl_infeasible *failed)
{
	const size_t used = strlen(failed->reason);
	snprintf(failed->reason + used, sizeof failed->reason - used, ", and %s reads the prompts",
		reading->text);
}

static bool same(double a, double b)
{
	return a <= b && a >= b;
}

bool reading_equals(const struct reading *a, const struct reading *b)
{
	return a->runs && b->runs && a->devices == b->devices && same(a->replicas, b->replicas) &&
	       a->group == b->group && same(a->reads_s[0], b->reads_s[0]) &&
	       same(a->reads_s[1], b->reads_s[1]) && same(a->lone_s, b->lone_s) &&
	       same(a->cache_bytes, b->cache_bytes);
}
