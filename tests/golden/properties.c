/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks what must hold between a random plan and one that differs in an option, over all networks, machines and training
 * programs: properties images|tokens [PLANS]. Exits with 1 where something does not hold.
 */
#include "golden/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

struct property {
	const char *name;
	/* Makes of a plan, whose estimate is `first`, the one to compare it with; false: this plan has none. */
	bool (*change)(
		const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan);
	bool (*holds)(const struct paradl_estimate *first, const struct paradl_estimate *second);
};

/* ---- defaults written out ------------------------------------------------------------------------------------ */

static bool write_schedule(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	(void)first;
	plan->schedule = subject->tokens ? PARADL_1F1B : PARADL_GPIPE;
	return plan->degree[PARADL_PIPELINE] > 1;
}

static bool write_recompute(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	const struct paradl_framework *framework = subject->oracle->framework;
	(void)first;
	plan->recompute = framework->training.recompute;
	return subject->tokens || !framework->recompute;
}

static bool write_micro(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	const bool left_open = !(plan->micro > 0);
	(void)subject;
	plan->micro = first->local_batch / first->micro_batches;
	return left_open && !(plan->micro < floor(plan->micro)) && !(plan->micro > floor(plan->micro));
}

static bool write_order(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	char words[PARADL_PLAN_TEXT];
	struct paradl_plan again;
	(void)subject;
	(void)first;
	paradl_plan_format(plan, words, sizeof words);
	if (!paradl_plan_parse(words, &again, NULL))
		return false;
	again.batch = plan->batch;
	*plan = again;
	return true;
}

/* Compares every number of two estimates, bit for bit. */
static bool are_equal(const struct paradl_estimate *first, const struct paradl_estimate *second)
{
	struct text texts[2] = {{.length = 0}, {.length = 0}};
	struct paradl_estimate same_plan = *second;
	same_plan.plan = first->plan;
	tell_estimate(&texts[0], first);
	tell_estimate(&texts[1], &same_plan);
	const bool equal = strcmp(texts[0].bytes, texts[1].bytes) == 0;
	free(texts[0].bytes);
	free(texts[1].bytes);
	return equal;
}

/* ---- more of an option ----------------------------------------------------------------------------------------- */

static bool recompute_all(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	(void)subject;
	(void)first;
	plan->recompute = PARADL_RECOMPUTE_FULL;
	return true;
}

/* The share allows for sums in another order. */
static bool is_not_faster(const struct paradl_estimate *first, const struct paradl_estimate *second)
{
	return second->iteration_s >= first->iteration_s * (1 - 1e-12);
}

static bool shard_states(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	(void)subject;
	(void)first;
	plan->zero = 1;
	return plan->degree[PARADL_DATA] > 1;
}

/* What sharding itself needs is communication_bytes and what fragments. */
static bool holds_no_more(const struct paradl_estimate *first, const struct paradl_estimate *second)
{
	const double before =
		first->memory_bytes - first->memory.communication_bytes - first->memory.fragmentation_bytes;
	const double after = second->memory_bytes - second->memory.communication_bytes -
			     second->memory.fragmentation_bytes;
	return after <= before * (1 + 1e-12);
}

static const struct property properties[] = {
	{"schedule= at its default", write_schedule, are_equal},
	{"recompute= at its default", write_recompute, are_equal},
	{"micro= at its default", write_micro, are_equal},
	{"the plan as its text says it", write_order, are_equal},
	{"recompute=full is not faster", recompute_all, is_not_faster},
	{"zero=1 adds no memory but its buffers", shard_states, holds_no_more},
};

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

struct tally {
	unsigned pairs, broken;
	double worst; /* the most that times are apart: a ratio */
	char example[PARADL_PLAN_TEXT + 128];
};

static void pair_check(const struct subject *subject, const struct property *property,
	const struct paradl_estimate *first, struct tally *tally)
{
	struct paradl_plan plan = first->plan;
	struct paradl_estimate second;
	char words[PARADL_PLAN_TEXT];
	if (!property->change(subject, first, &plan) ||
		!paradl_estimate(subject->oracle, &plan, &second, NULL))
		return;
	++tally->pairs;
	if (property->holds(first, &second))
		return;
	++tally->broken;
	const double apart = fabs(log(second.iteration_s / first->iteration_s));
	if (*tally->example && apart <= log(tally->worst))
		return;
	tally->worst = exp(apart);
	paradl_plan_format(&plan, words, sizeof words);
	snprintf(tally->example, sizeof tally->example, "%s, %s, %s: %s, batch %g: %.6g s, %.6g s",
		subject->model_name, subject->machine_name,
		paradl_framework_info(subject->oracle->framework).name, words, plan.batch, first->iteration_s,
		second.iteration_s);
}

static void subject_check(const struct asking *asking, enum networks network, unsigned index, unsigned plans,
	struct tally *tallies)
{
	struct subject subject;
	struct draw draw = draw_begin(asking->kind, 1, index, 0);
	subject_begin(&subject, asking, &draw, index, network, 0);
	for (unsigned q = 0; subject.oracle && q < plans; ++q) {
		struct paradl_plan plan;
		struct paradl_estimate first;
		draw = draw_begin(asking->kind, 1, index, q + 1);
		plan_draw(&draw, &subject, false, &plan);
		if (!paradl_estimate(subject.oracle, &plan, &first, NULL))
			continue;
		for (unsigned i = 0; i < COUNT(properties); ++i)
			pair_check(&subject, &properties[i], &first, &tallies[i]);
	}
	paradl_arena_free(subject.arena);
}

int main(int count, char **arguments)
{
	enum { PLANS_EACH = 10 };
	static struct tally tallies[COUNT(properties)];
	const unsigned plans = count > 2 ? (unsigned)strtoul(arguments[2], NULL, 10) : 2000;
	if (count < 2 || (strcmp(arguments[1], "images") != 0 && strcmp(arguments[1], "tokens") != 0))
		give_up("properties images|tokens [PLANS]");
	const enum networks network = strcmp(arguments[1], "images") == 0 ? NETWORK_IMAGES : NETWORK_TOKENS;
	struct inputs inputs = {.arena = paradl_arena_create()};
	const struct asking asking = {.inputs = &inputs, .threads = 1, .kind = "properties", .block = 1};
	bool all_hold = true;
	for (unsigned i = 0; i < plans / PLANS_EACH; ++i)
		subject_check(&asking, network, i, PLANS_EACH, tallies);
	for (unsigned i = 0; i < COUNT(properties); ++i) {
		const struct tally *tally = &tallies[i];
		all_hold = all_hold && tally->broken == 0 && tally->pairs > 0;
		printf("%s: %u pairs, broken by %u\n", properties[i].name, tally->pairs, tally->broken);
		if (tally->broken)
			printf("    up to %.3g times: %s\n", tally->worst, tally->example);
	}
	paradl_arena_free(inputs.arena);
	return !all_hold;
}
