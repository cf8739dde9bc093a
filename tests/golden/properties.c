/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks what must hold between a random plan and one that differs in an option, over all networks, machines and training
 * programs: properties images|tokens [PLANS]. Exits with 1 where something does not hold.
 */
#include "golden/properties.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/evaluation.h"

struct property {
	const char *name;
	/* Makes of a plan, whose estimate is `first`, the one to compare it with; false: this plan has none. */
	bool (*change)(
		const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan);
	bool (*holds)(const struct paradl_estimate *first, const struct paradl_estimate *second);
	/* Or looks at one plan. */
	void (*look)(const struct subject *subject, const struct paradl_estimate *estimate,
		struct finding *finding);
	bool images; /* of their networks only: others have no such plans */
};

/* ---- defaults written out ------------------------------------------------------------------------------------ */

static bool write_schedule(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	(void)first;
	const bool left_open = plan->schedule == PARADL_SCHEDULE_DEFAULT;
	plan->schedule = subject->tokens && !subject->options.ideal ? PARADL_1F1B : PARADL_GPIPE;
	return left_open && plan->degree[PARADL_PIPELINE] > 1;
}

static bool write_recompute(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	const struct rules *rules = &subject->oracle->rules;
	(void)first;
	const bool left_open = plan->recompute == PARADL_RECOMPUTE_DEFAULT;
	plan->recompute = rules->recompute;
	return left_open && !rules->recompute_stages;
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

/* Writes out that axes are not used, anywhere among those that are. */
static bool write_degrees(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	static const char *const ones[PARADL_AXIS_COUNT] = {"data=1", "pipeline=1", "expert=1", "context=1",
		"tensor=1", "filter=1", "channel=1", "spatial=1x1"};
	struct draw draw =
		draw_begin(subject->model_name, plan->degree[PARADL_DATA], (unsigned)plan->batch, 0);
	char words[PARADL_PLAN_TEXT], longer[PARADL_PLAN_TEXT + 128] = "";
	struct paradl_plan again;
	unsigned written = 0;
	(void)first;
	paradl_plan_format(plan, words, sizeof words);
	const char *rest = strncmp(words, "serial", 6) == 0 ? words + 6 + (words[6] == ',') : words;
	do {
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
			if (plan->degree[axis] == 1 && !(written & 1u << axis) &&
				(!*rest || draw_chance(&draw, 40))) {
				written |= 1u << axis;
				strcat(strcat(longer, *longer ? "," : ""), ones[axis]);
			}
		if (!*rest)
			break;
		const size_t length = strcspn(rest, ",");
		strncat(strcat(longer, *longer ? "," : ""), rest, length);
		rest += length + (rest[length] == ',');
	} while (true);
	if (!paradl_plan_parse(longer, &again, NULL))
		give_up("%s is no plan", longer);
	again.batch = plan->batch;
	*plan = again;
	return true;
}

/* Writes the layer after which spatial pieces are gathered anyhow. */
static bool write_gather(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	const struct prepared *net = oracle_prepare(subject->oracle, plan, NULL);
	const bool cut = net && plan->degree[PARADL_SPATIAL] > 1 && net->spatial_end > 0;
	(void)first;
	if (cut)
		snprintf(plan->gather, sizeof plan->gather, "%s", net->model->names[net->spatial_end - 1]);
	return cut && !subject->options.ideal;
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

/*
 * Not where activations go to host memory, of which there are fewer then; nor where stages are then cut elsewhere.
 */
static bool recompute_all(
	const struct subject *subject, const struct paradl_estimate *first, struct paradl_plan *plan)
{
	const bool moves_them = plan->offload & PARADL_OFFLOAD_ACTIVATIONS;
	plan->recompute = PARADL_RECOMPUTE_FULL;
	return !moves_them && cut_alike(subject, &first->plan, plan);
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
	const bool whole = !plan->zero;
	plan->zero = 1;
	return whole && plan->degree[PARADL_DATA] > 1;
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
	{"schedule= at its default", write_schedule, are_equal, NULL, false},
	{"recompute= at its default", write_recompute, are_equal, NULL, false},
	{"micro= at its default", write_micro, are_equal, NULL, false},
	{"the plan as its text says it", write_order, are_equal, NULL, false},
	{"gather= where pieces are gathered anyhow", write_gather, are_equal, NULL, true},
	{"degrees of 1 written out", write_degrees, are_equal, NULL, false},
	{"recompute=full is not faster", recompute_all, is_not_faster, NULL, false},
	{"zero=1 adds no memory but its buffers", shard_states, holds_no_more, NULL, false},
	{"layers add up to stages", NULL, NULL, layers_add_up, false},
	{"stages add up to phases, phases to the step", NULL, NULL, stages_add_up, false},
	{"options change no row that they are not about", NULL, NULL, options_keep_rows, false},
	{"a plan for each layer that is one plan", NULL, NULL, parts_are_the_plan, false},
	{"no link is busier than the step is long", NULL, NULL, links_hold, false},
	{"rows of an explanation add up to phases", NULL, NULL, rows_add_up, false},
};

/* ---- pairs ----------------------------------------------------------------------------------------------------- */

struct tally {
	unsigned plans, broken;
	double worst; /* the most that times are apart: a ratio */
	char example[2 * PARADL_PLAN_TEXT];
};

/* Compares the plan with the one that the property makes of it. */
static void pair_look(const struct subject *subject, const struct property *property,
	const struct paradl_estimate *first, struct finding *finding)
{
	struct paradl_plan plan = first->plan;
	struct paradl_estimate second;
	char words[PARADL_PLAN_TEXT];
	if (!property->change(subject, first, &plan) ||
		!paradl_estimate(subject->oracle, &plan, &second, NULL))
		return;
	finding->applies = true;
	finding->broken = !property->holds(first, &second);
	finding->apart = fabs(log(second.iteration_s / first->iteration_s));
	paradl_plan_format(&plan, words, sizeof words);
	snprintf(finding->text, sizeof finding->text, "%.6g s, %.6g s with %.260s", first->iteration_s,
		second.iteration_s, words);
}

static void property_check(const struct subject *subject, const struct property *property,
	const struct paradl_estimate *estimate, struct tally *tally)
{
	struct finding finding = {.applies = false};
	char words[PARADL_PLAN_TEXT];
	if (property->look)
		property->look(subject, estimate, &finding);
	else
		pair_look(subject, property, estimate, &finding);
	tally->plans += finding.applies;
	tally->broken += finding.broken;
	if (!finding.broken || (*tally->example && finding.apart <= tally->worst))
		return;
	tally->worst = finding.apart;
	paradl_plan_format(&estimate->plan, words, sizeof words);
	snprintf(tally->example, sizeof tally->example, "%s, %s, %s%s: %s, batch %g: %s", subject->model_name,
		subject->machine_name, paradl_framework_info(subject->oracle->framework).name,
		subject->options_text, words, estimate->plan.batch, finding.text);
}

static void subject_check(const struct asking *asking, enum networks network, unsigned index, unsigned plans,
	struct tally *tallies)
{
	struct subject subject;
	struct draw draw = draw_begin(asking->kind, 1, index, 0);
	subject_begin(&subject, asking, &draw, index, network, index % 2 ? SUBJECT_OPTIONS : 0);
	for (unsigned q = 0; subject.oracle && q < plans; ++q) {
		struct paradl_plan plan;
		struct paradl_estimate first;
		draw = draw_begin(asking->kind, 1, index, q + 1);
		plan_draw(&draw, &subject, q % 2, &plan);
		if (!paradl_estimate(subject.oracle, &plan, &first, NULL))
			continue;
		for (unsigned i = 0; i < COUNT(properties); ++i)
			property_check(&subject, &properties[i], &first, &tallies[i]);
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
		if (properties[i].images && network != NETWORK_IMAGES)
			continue;
		all_hold = all_hold && tally->broken == 0 && tally->plans > 0;
		printf("%s: %u plans, broken by %u\n", properties[i].name, tally->plans, tally->broken);
		if (tally->broken)
			printf("    at most %.3g apart: %s\n", tally->worst, tally->example);
	}
	paradl_arena_free(inputs.arena);
	return !all_hold;
}
