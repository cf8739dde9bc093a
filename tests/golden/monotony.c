/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that more of a good thing is never worse, over random networks, machines, programs and plans: more bandwidth, faster
 * arithmetic, fewer bytes or a larger batch for each device make no sample slower. monotony [PLANS]. Exits with 1 where one does.
 *
 * Where one may, it is counted and printed apart, with at most how many times its time:
 *   zero bubble      its devices choose what to do next by the time it is, as list scheduling does: a task that ends sooner can make the
 *                    whole end later, if by less than twice (Graham, "Bounds on multiprocessing timing anomalies", 1969)
 *   SimGrid          a machine with the factors that SimGrid has for sizes of messages, which fall with bytes by themselves
 *   chainermn-2021   a larger batch makes halos longer than 1 MiB, which start 14 ms later: so it was measured on ABCI
 *   balanced stages  the stages of networks without blocks are balanced by what whole layers compute and by messages between nodes or
 *                    inside one: another device or cable, another cut, which need not suit this plan
 *   less to hide in  a faster device waits for host memory and for halos instead, and rules let exchanges hide behind kernels only
 * A batch is larger by more micro-batches of the same size; where a program computes all of them again but the last, by larger ones.
 */
#include "golden/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

/* A change, of which none may make a sample slower. */
struct better {
	const char *name;
	const char *machine[4], *framework; /* keys of --set, those that files have; NULL: none */
	double batch;                       /* times */
	bool device;                        /* of the machine, what is better is the device */
};

static const struct better betters[] = {
	{"faster links inside a node", {"hw.levels.0.bandwidth=x2"}, NULL, 1, false},
	{"faster links between nodes",
		{"hw.levels.1.bandwidth=x1.5", "hw.levels.2.bandwidth=x1.5", "hw.levels.3.bandwidth=x1.5"},
		NULL, 1, false},
	{"all links faster", {"hw.levels.*.bandwidth=x4"}, NULL, 1, false},
	{"faster memory", {"hw.device.memory_rate=x1.5"}, NULL, 1, true},
	{"faster arithmetic", {"hw.device.peak.*=x1.5"}, NULL, 1, true},
	{"half the bytes of gradients", {NULL}, "framework.rules.gradient_bytes=2 B", 1, false},
	{"twice the batch", {NULL}, NULL, 2, false},
	{"four times the batch", {NULL}, NULL, 4, false},
};

enum cause { BALANCED, LESS_ROOM, ZERO_BUBBLE, SIMGRID, LONG_HALOS, NO_CAUSE, CAUSES };

static const struct {
	const char *name;
	double most;  /* ratio of times */
	double share; /* of plans, at most */
} causes[CAUSES] = {{"of balanced stages", 1.6, 0.04}, {"of less to hide in", 1.02, 0.005},
	{"of zero bubble", 1.25, 0.01}, {"on machines of SimGrid", 1.05, 0.01},
	{"of chainermn-2021", 100, 0.01}, {"else", 1, 0}};

struct tally {
	unsigned plans, slower[CAUSES];
	double worst[CAUSES]; /* ratio of times */
	char example[3 * PARADL_PLAN_TEXT];
};

/* Loads the machine with those changes that its file has; NULL: it has none of them. */
static const struct paradl_machine *machine_change(const struct subject *subject, const struct better *better)
{
	const char *keys[COUNT(better->machine)];
	size_t count = 0;
	char path[128];
	struct paradl_error error;
	snprintf(path, sizeof path, "hw-profiles/%s.json", subject->machine_name);
	for (size_t i = 0; i < COUNT(better->machine) && better->machine[i]; ++i) {
		const struct paradl_changes *one =
			paradl_changes_parse(subject->arena, &better->machine[i], 1, &error);
		if (paradl_machine_load(
			    subject->arena, &(struct paradl_source){.path = path, .changes = one}, &error))
			keys[count++] = better->machine[i];
	}
	const struct paradl_changes *all = paradl_changes_parse(subject->arena, keys, count, &error);
	return count ? paradl_machine_load(
			       subject->arena, &(struct paradl_source){.path = path, .changes = all}, &error)
		     : NULL;
}

/* Loads the program with the change. */
static const struct paradl_framework *framework_change(
	const struct subject *subject, const struct better *better)
{
	struct paradl_error error;
	const struct paradl_changes *changes =
		paradl_changes_parse(subject->arena, &better->framework, 1, &error);
	return paradl_framework_load(subject->arena,
		&(struct paradl_source){.path = subject->oracle->framework->source, .changes = changes},
		&error);
}

/* Returns an oracle of the changed inputs; NULL: they have nothing to change. */
static struct paradl_oracle *better_oracle(const struct subject *subject, const struct better *better)
{
	const struct paradl_machine *machine = subject->oracle->machine;
	const struct paradl_framework *framework = subject->oracle->framework;
	struct paradl_error error;
	if (better->batch > 1 || better->batch < 1)
		return subject->oracle;
	if (better->machine[0])
		machine = machine_change(subject, better);
	if (better->framework)
		framework = framework_change(subject, better);
	return machine && framework ? paradl_oracle_create(subject->arena, subject->model, machine, framework,
					      &subject->options, &error)
				    : NULL;
}

/* Makes the batch larger. */
static void batch_grow(const struct subject *subject, const struct better *better,
	const struct paradl_estimate *first, struct paradl_plan *plan)
{
	const bool all_but_last =
		subject->oracle->rules.recompute_stages && plan->degree[PARADL_PIPELINE] > 1;
	const double micro = first->local_batch / first->micro_batches;
	plan->batch *= better->batch;
	if (!(better->batch > 1))
		return;
	if (subject->tokens || plan->micro > 0)
		plan->micro = all_but_last ? better->batch * micro : micro;
}

/* Returns what may make the plan slower though something is better. */
static enum cause cause_of(
	const struct subject *subject, const struct better *better, const struct paradl_plan *plan)
{
	const struct machine_network *const network = subject->oracle->machine->network;
	const bool decides_by_time = plan->schedule == PARADL_ZERO_BUBBLE ||
				     plan->schedule == PARADL_ZERO_BUBBLE_2P ||
				     plan->schedule == PARADL_ZERO_BUBBLE_V;
	if (better->machine[0] && !subject->tokens && plan->degree[PARADL_PIPELINE] > 1)
		return BALANCED;
	if (decides_by_time && plan->degree[PARADL_PIPELINE] > 1)
		return ZERO_BUBBLE;
	if (network && network->protocol_count)
		return SIMGRID;
	if (better->device)
		return LESS_ROOM;
	return better->batch > 1 && plan->degree[PARADL_SPATIAL] > 1 &&
			       strcmp(paradl_framework_info(subject->oracle->framework).name,
				       "chainermn-2021") == 0
		       ? LONG_HALOS
		       : NO_CAUSE;
}

/* Compares a plan before and after the change. */
static void plan_compare(const struct subject *subject, const struct better *better,
	struct paradl_oracle *oracle, const struct paradl_estimate *first, struct tally *tally)
{
	struct paradl_plan plan = first->plan;
	struct paradl_estimate second;
	char words[PARADL_PLAN_TEXT];
	batch_grow(subject, better, first, &plan);
	if (!oracle || !paradl_estimate(oracle, &plan, &second, NULL))
		return;
	const double before = first->iteration_s, after = second.iteration_s;
	const double ratio = after / before / better->batch;
	++tally->plans;
	if (ratio <= 1 + 1e-9)
		return;
	const enum cause cause = cause_of(subject, better, &plan);
	++tally->slower[cause];
	if (ratio <= tally->worst[cause])
		return;
	tally->worst[cause] = ratio;
	if (cause != NO_CAUSE)
		return;
	paradl_plan_format(&first->plan, words, sizeof words);
	snprintf(tally->example, sizeof tally->example, "%s, %s, %s%s: %s, batch %g: %.6g s, then %.6g s",
		subject->model_name, subject->machine_name,
		paradl_framework_info(subject->oracle->framework).name, subject->options_text, words,
		first->plan.batch, before, after);
}

static void subject_check(const struct asking *asking, unsigned index, unsigned plans, struct tally *tallies)
{
	struct subject subject;
	struct paradl_oracle *oracles[COUNT(betters)];
	struct draw draw = draw_begin(asking->kind, 1, index, 0);
	const enum networks network = index % 4 ? NETWORK_IMAGES : NETWORK_TOKENS;
	subject_begin(&subject, asking, &draw, index / 2, network, index % 2 ? SUBJECT_OPTIONS : 0);
	for (unsigned i = 0; subject.oracle && i < COUNT(betters); ++i)
		oracles[i] = better_oracle(&subject, &betters[i]);
	for (unsigned q = 0; subject.oracle && q < plans; ++q) {
		struct paradl_plan plan;
		struct paradl_estimate first;
		draw = draw_begin(asking->kind, 1, index, q + 1);
		plan_draw(&draw, &subject, q % 2, &plan);
		if (!paradl_estimate(subject.oracle, &plan, &first, NULL))
			continue;
		for (unsigned i = 0; i < COUNT(betters); ++i)
			plan_compare(&subject, &betters[i], oracles[i], &first, &tallies[i]);
	}
	paradl_arena_free(subject.arena);
}

/* Prints the tally; false: more plans are slower, or by more, than there are causes for. */
static bool tally_emit(const struct better *better, const struct tally *tally)
{
	bool holds = tally->plans > 0;
	printf("%s: %u plans, slower in", better->name, tally->plans);
	for (unsigned i = 0; i < CAUSES; ++i) {
		printf("%s %u %s", i ? "," : "", tally->slower[i], causes[i].name);
		if (tally->slower[i])
			printf(" (%.3g times at most)", tally->worst[i]);
		holds = holds && !(tally->worst[i] > causes[i].most) &&
			tally->slower[i] <= ceil(causes[i].share * tally->plans);
	}
	printf("\n%s%s%s", tally->slower[NO_CAUSE] ? "    " : "", tally->example,
		tally->slower[NO_CAUSE] ? "\n" : "");
	return holds && tally->slower[NO_CAUSE] == 0;
}

int main(int count, char **arguments)
{
	enum { PLANS_EACH = 10 };
	static struct tally tallies[COUNT(betters)];
	const unsigned plans = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 3000;
	struct inputs inputs = {.arena = paradl_arena_create()};
	const struct asking asking = {.inputs = &inputs, .threads = 1, .kind = "monotony", .block = 1};
	bool all_hold = true;
	for (unsigned i = 0; i < plans / PLANS_EACH; ++i)
		subject_check(&asking, i, PLANS_EACH, tallies);
	for (unsigned i = 0; i < COUNT(betters); ++i)
		all_hold = tally_emit(&betters[i], &tallies[i]) && all_hold;
	paradl_arena_free(inputs.arena);
	return !all_hold;
}
