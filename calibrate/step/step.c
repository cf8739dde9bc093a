/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Training steps under plans: a line "plan strategy=filter=2 batch=32 model=NAME" for each, after which --cases has the
 * layers of the network (network.h). Before a plan is timed its gradients are compared with those of one rank alone.
 *
 * phase "total": one iteration, all ranks starting together, until the last is done. "compute": of the rank that computes
 * longest; "communication": the rest of the total. The others are the longest of any rank.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step/step.h"
#include "step/trainer.h"

static const double tolerance =
	1e-3; /* of fp32 sums in other orders, and items at a kink of relu that differ */

struct step {
	struct network network;
	struct trainer *trainer;
};

static const struct {
	const char *name;
	int phase; /* negative: made of several */
} phases[] = {
	{"total", -1},
	{"compute", -2},
	{"communication", -3},
	{"forward", PHASE_FORWARD},
	{"backward", PHASE_BACKWARD},
	{"update", PHASE_UPDATE},
	{"gradients", PHASE_GRADIENTS},
	{"activations", PHASE_ACTIVATIONS},
	{"halos", PHASE_HALOS},
	{"stages", PHASE_STAGES},
};
enum { PHASES_USUAL = 3, PHASES_ALL = sizeof phases / sizeof phases[0] };

static const char *text_of(const struct case_line *line, const char *name, const char *otherwise)
{
	for (unsigned i = 0; i < line->parameter_count; ++i)
		if (strcmp(line->parameters[i].name, name) == 0 && line->parameters[i].text)
			return line->parameters[i].text;
	return otherwise;
}

static double number_of(const struct case_line *line, const char *name, double otherwise)
{
	for (unsigned i = 0; i < line->parameter_count; ++i)
		if (strcmp(line->parameters[i].name, name) == 0 && !line->parameters[i].text)
			return line->parameters[i].number;
	return otherwise;
}

static void list(const struct plan *plan, struct points *points)
{
	struct setting *setting = step_setting();
	setting->cases = plan->cases;
	setting->case_count = plan->case_count;
	for (size_t i = 0; i < plan->case_count; ++i) {
		const struct case_line *line = &plan->cases[i];
		const unsigned count = plan->effort == EFFORT_FULL ? PHASES_ALL : PHASES_USUAL;
		for (unsigned k = 0; strcmp(line->kind, "plan") == 0 && k < count; ++k) {
			const char *strategy = text_of(line, "strategy", "data=1");
			const double batch = number_of(line, "batch", 1);
			struct point *point = points_add(
				points, &bench_step, "step/%s/%.0f/%s", strategy, batch, phases[k].name);
			point_text(point, "strategy", strategy);
			point_number(point, "batch", batch);
			point_text(point, "model", text_of(line, "model", ""));
			point_number(point, "ranks", setting->peers.count);
			point_text(point, "phase", phases[k].name);
			point_text(point, "optimizer", text_of(line, "optimizer", "sgd"));
		}
	}
}

/* "filter=2", "data=1", "pipeline=2,micro=8": one axis of as many pieces as there are ranks. */
static const char *strategy_read(const char *text, const struct peers *peers, struct assignment *assignment)
{
	static const char *const names[] = {[AXIS_DATA] = "data=",
		[AXIS_SPATIAL] = "spatial=",
		[AXIS_FILTER] = "filter=",
		[AXIS_CHANNEL] = "channel=",
		[AXIS_PIPELINE] = "pipeline="};
	enum axis axis = AXIS_DATA;
	char *end;
	while (axis <= AXIS_PIPELINE && strncmp(text, names[axis], strlen(names[axis])) != 0)
		++axis;
	if (axis > AXIS_PIPELINE)
		return "this program trains along data, spatial, filter, channel or pipeline";
	const unsigned long degree = strtoul(text + strlen(names[axis]), &end, 10);
	assignment->axis = degree > 1 ? axis : AXIS_NONE;
	assignment->micro_batches = assignment->axis == AXIS_PIPELINE ? peers->count : 1;
	if (strncmp(end, ",micro=", 7) == 0 && assignment->axis == AXIS_PIPELINE) {
		const unsigned long samples = strtoul(end + 7, &end, 10);
		if (!samples || assignment->batch % samples)
			return "the batch cannot be cut evenly into its micro-batches";
		assignment->micro_batches = assignment->batch / samples;
	}
	if (*end)
		return "this program trains along one axis at a time, the first dimension of a spatial one";
	return degree == peers->count ? NULL : "it needs another number of ranks than there are";
}

/* Every rank says the same, so that none waits for one that has given up. */
static bool nobody(bool mine)
{
	return !(exchange_most(mine ? 1 : 0) > 0);
}

static enum ready trainer_verify(struct run *run, struct step *step)
{
	unsigned where = 0;
	const double difference = trainer_difference(step->trainer, &where);
	if (nobody(difference < 0 || difference > tolerance))
		return READY;
	if (difference < 0)
		return run_say(run, FAILED, "out of memory");
	if (difference > tolerance)
		return run_say(run, FAILED,
			"its gradients differ from those of one rank by %.2g of their size, most in layer %u",
			difference, where + 1);
	return run_say(run, FAILED, "another rank's gradients differ from those of one rank");
}

static enum ready prepare(struct run *run)
{
	const struct setting *setting = step_setting();
	struct assignment assignment = {.peers = setting->peers};
	struct step *step = run->state = calloc(1, sizeof *step);
	char reason[REASON_LENGTH];
	bool absent = false;
	if (!nobody(!step))
		return run_say(run, FAILED, "out of memory");
	const char *why = network_read(&step->network, setting->cases, setting->case_count, reason);
	if (why)
		return run_say(run, FAILED, "%s", why);
	assignment.batch = (size_t)point_get(run->point, "batch");
	assignment.momentum = strcmp(point_get_text(run->point, "optimizer"), "sgd-momentum") == 0;
	if (!assignment.momentum && strcmp(point_get_text(run->point, "optimizer"), "sgd") != 0)
		return run_say(run, ABSENT, "this program updates with sgd or sgd-momentum");
	why = strategy_read(point_get_text(run->point, "strategy"), &setting->peers, &assignment);
	if (why)
		return run_say(run, ABSENT, "%s", why);
	step->trainer = trainer_create(&step->network, &assignment, reason, &absent);
	if (!nobody(!step->trainer))
		return run_say(run, absent ? ABSENT : FAILED, "%s",
			step->trainer ? "another rank cannot do it" : reason);
	return trainer_verify(run, step);
}

static double sample(struct run *run, unsigned long long calls)
{
	const struct step *step = run->state;
	const char *name = point_get_text(run->point, "phase");
	int phase = -1;
	for (unsigned i = 0; i < PHASES_ALL; ++i)
		phase = strcmp(name, phases[i].name) == 0 ? phases[i].phase : phase;
	double all_s = 0;
	for (unsigned long long call = 0; call < calls; ++call) {
		exchange_barrier();
		const double begin_s = clock_s();
		trainer_gradients(step->trainer);
		trainer_update(step->trainer);
		const double total_s = clock_s() - begin_s;
		if (phase == -1)
			all_s += exchange_most(total_s);
		else if (phase == -2)
			all_s += exchange_most(compute_s(step->trainer));
		else if (phase == -3)
			all_s += exchange_most(total_s) - exchange_most(compute_s(step->trainer));
		else
			all_s += exchange_most(step->trainer->phase_s[phase]);
	}
	return all_s;
}

static void release(struct run *run)
{
	struct step *step = run->state;
	if (step)
		trainer_free(step->trainer);
	free(step);
}

const struct bench bench_step = {
	.name = "step",
	.summary = "training steps of a small network, under plans of --cases",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
