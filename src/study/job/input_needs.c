/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inverse questions: how much memory, cores or exchange it takes until nothing stalls. Bisection on the functions
 * that also compute the rows, with one number changed; all are monotone in this number.
 */
#include <math.h>

#include "base/arena.h"
#include "oracle/input/input.h"
#include "study/job/job.h"

enum { NEEDS_MAX = 8, DIMENSION_IS_BYTES = 1, DIMENSION_IS_SHARE = 2 };

/* Returns whether a part of input takes no longer than the step without input: alone, it would stall nothing. */
static bool is_hidden(double seconds, const struct paradl_input *input)
{
	return seconds <= input->busy_s * (1 + input_stall_share);
}

static bool fetch_is_hidden(const struct paradl_input *input)
{
	return is_hidden(input->fetch_s + input->straggler_s, input);
}

/* ---- memory ---- */

static bool memory_is_enough(struct input_variant *variant, double bytes)
{
	variant->options.cache_bytes = fmax(1, bytes);
	if (variant->options.cache == PARADL_CACHE_NONE || variant->options.cache == PARADL_CACHE_AUTO)
		variant->options.cache = PARADL_CACHE_PINNED;
	const struct paradl_input input = input_variant_ask(variant);
	return fetch_is_hidden(&input);
}

/* Returns the bytes of all samples that a node may ever read, and a little more for rounding. */
static double all_bytes(const struct input_variant *base)
{
	const struct dataset *const dataset = &base->model.dataset;
	return dataset->samples * dataset->sample_bytes * 1.01;
}

static double cache_bytes(const struct input_variant *base)
{
	const bool unused = base->options.cache == PARADL_CACHE_AUTO &&
			    base->options.store == PARADL_STORE_SHARED &&
			    base->options.shuffle == PARADL_SHUFFLE_GLOBAL;
	if (base->options.cache == PARADL_CACHE_NONE || unused)
		return 0;
	if (base->options.cache_bytes > 0)
		return base->options.cache_bytes;
	const double bytes = base->machine.host.memory_bytes * base->machine.host.cache_share;
	return bytes > 0 ? bytes : -1;
}

/* ---- cores ---- */

static bool cores_are_enough(struct input_variant *variant, double per_device)
{
	input_variant_cores(variant, per_device * fmax(1, variant->machine.devices_per_host));
	const struct paradl_input input = input_variant_ask(variant);
	return is_hidden(input.preparation_s, &input);
}

static double input_cores(const struct input_variant *base)
{
	const struct host *const host = &base->machine.host;
	const double per_node = fmax(1, base->machine.devices_per_host);
	const double all = (host->input_cores > 0 ? host->input_cores : host->cores) / per_node;
	if (base->options.workers > 0)
		return all > 0 ? fmin(all, base->options.workers) : base->options.workers;
	return all > 0 ? all : -1;
}

/* ---- shares that change hands ---- */

static struct paradl_input exchange_of(struct input_variant *variant, double exchanged)
{
	const struct paradl_input_mode way = {PARADL_STORE_SHARD,
		exchanged > 0 ? PARADL_SHUFFLE_PARTIAL : PARADL_SHUFFLE_LOCAL, exchanged, 0};
	input_variant_mode(&variant->options, &way);
	return input_variant_ask(variant);
}

static bool risk_is_low(struct input_variant *variant, double exchanged)
{
	return exchange_of(variant, exchanged).risk <= PARADL_RISK_LOW;
}

/* Returns whether a step is more than 5 % slower than with samples that stay; bisection finds where that begins. */
static bool exchange_is_slow(struct input_variant *variant, double exchanged)
{
	static const double slower = 1.05;
	const double local_s = exchange_of(variant, 0).step_s;
	return exchange_of(variant, exchanged).step_s > slower * local_s;
}

/* ---- nodes and devices ---- */

static bool pool_has_room(struct input_variant *variant, double times)
{
	const struct paradl_input_mode way = {.store = PARADL_STORE_POOLED};
	input_variant_scale(variant, times);
	input_variant_mode(&variant->options, &way);
	return input_variant_ask(variant).possible;
}

/* Returns whether reads of the shared file system stall `times` copies of the same plan, each with its own batch. */
static bool shared_stalls(struct input_variant *variant, double times)
{
	const struct paradl_input_mode way = {.store = PARADL_STORE_SHARED};
	input_variant_scale(variant, times);
	input_variant_mode(&variant->options, &way);
	const struct paradl_input input = input_variant_ask(variant);
	return !fetch_is_hidden(&input);
}

/* Shrinks a variant to as few whole replicas as fill a node, so that numbers of nodes can be searched. */
static void least_nodes(struct input_variant *variant)
{
	struct paradl_estimate *const estimate = &variant->estimate;
	const unsigned replicas = estimate->plan.degree[PARADL_DATA],
		       of_replica = estimate->devices / replicas;
	const unsigned per_node = variant->machine.devices_per_host;
	const unsigned wanted = per_node > of_replica ? per_node / of_replica : 1;
	estimate->plan.batch *= (double)wanted / replicas;
	estimate->plan.degree[PARADL_DATA] = wanted;
	estimate->devices = wanted * of_replica;
}

/* ---- the list ---- */

enum amount_side { AT_LEAST, AT_MOST };

/* Returns whether the amount that is there is enough; negative: the amount is not known. */
static int is_enough(const struct paradl_input_need *need, enum amount_side side)
{
	static const double rounding = 1e-9;
	if (need->needs < 0)
		return false;
	if (need->has < 0)
		return -1;
	return side == AT_MOST ? need->has <= need->needs * (1 + rounding)
			       : need->has >= need->needs * (1 - rounding);
}

static void add(struct paradl_input_case *answer, struct paradl_input_need *needs, enum amount_side side,
	const struct paradl_input_need *need)
{
	needs[answer->need_count] = *need;
	needs[answer->need_count++].enough = is_enough(need, side);
}

static void add_machine(
	struct paradl_input_case *answer, struct paradl_input_need *needs, const struct input_variant *base)
{
	enum { CORES_MOST = 1 << 16 };
	const struct paradl_input *const input = &answer->rows[0].input;
	if (!fetch_is_hidden(input) && all_bytes(base) > 0)
		add(answer, needs, AT_LEAST,
			&(struct paradl_input_need){"memory_bytes_per_node",
				"memory per node for samples, so that reading stalls nothing",
				cache_bytes(base),
				input_least(memory_is_enough, base, 0, all_bytes(base), false),
				DIMENSION_IS_BYTES, 0});
	if (input->resource_s[PARADL_RESOURCE_CORES] > 0)
		add(answer, needs, AT_LEAST,
			&(struct paradl_input_need){"cores_per_device",
				"cores per GPU for samples, so that they stall nothing", input_cores(base),
				input_least(cores_are_enough, base, 1, CORES_MOST, true), 0, 0});
}

static void add_exchange(
	struct paradl_input_case *answer, struct paradl_input_need *needs, const struct input_variant *base)
{
	struct input_variant variant;
	input_variant_copy(&variant, base);
	const struct paradl_input local = exchange_of(&variant, 0);
	const enum paradl_shuffle shuffle = base->options.shuffle;
	const bool keeps = shuffle != PARADL_SHUFFLE_GLOBAL && shuffle != PARADL_SHUFFLE_MODELS;
	const double exchanged = keeps ? base->options.exchanged : -1;
	if (answer->rows[0].input.readers <= 1 || !local.known)
		return;
	if (local.risk > PARADL_RISK_LOW)
		add(answer, needs, AT_LEAST,
			&(struct paradl_input_need){"least_exchanged_share",
				"least share exchanged for a low risk", exchanged,
				input_least(risk_is_low, base, 0, 1, false), DIMENSION_IS_SHARE, 0});
	static const double smallest_exchange = 1e-3;
	const double most = input_least(exchange_is_slow, base, 0, 1, false);
	add(answer, needs, AT_MOST,
		&(struct paradl_input_need){"most_exchanged_share",
			"most share exchanged that makes a step at most 5 % longer", exchanged,
			most < 0                   ? 1
			: most < smallest_exchange ? 0
						   : most,
			DIMENSION_IS_SHARE, 0});
}

static void add_sizes(
	struct paradl_input_case *answer, struct paradl_input_need *needs, const struct input_variant *base)
{
	enum { DEVICES_MOST = 1 << 24 };
	struct input_variant least;
	input_variant_copy(&least, base);
	least_nodes(&least);
	const double devices = least.estimate.devices, most = floor(DEVICES_MOST / devices);
	const double pool = input_least(pool_has_room, &least, 1, most, true);
	if (pool > 1)
		add(answer, needs, AT_LEAST,
			&(struct paradl_input_need){"pooled_nodes",
				"nodes whose pooled disks hold the data set", input_variant_nodes(base),
				pool * input_variant_nodes(&least), 0, 0});
	const double stalls = input_least(shared_stalls, &least, 1, most, true);
	add(answer, needs, AT_MOST,
		&(struct paradl_input_need){"shared_devices",
			"GPUs that the shared file system feeds without a stall", answer->estimate.devices,
			stalls < 0 ? HUGE_VAL : (stalls - 1) * devices, 0, 0});
}

bool input_needs(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer)
{
	struct paradl_input_need *const needs = arena_alloc(arena, NEEDS_MAX, sizeof *needs);
	if (!needs)
		return false;
	answer->needs = needs;
	if (!answer->rows[0].input.possible)
		return true;
	add_machine(answer, needs, base);
	add_exchange(answer, needs, base);
	add_sizes(answer, needs, base);
	return true;
}
