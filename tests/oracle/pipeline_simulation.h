/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pipeline, simulated naively: each device has a list of what it does in turn (zero bubble: of priorities), and a
 * clock goes from one moment at which something ends or arrives to the next. Slow, and shares no code with src/.
 */
#ifndef TESTS_ORACLE_PIPELINE_SIMULATION_H
#define TESTS_ORACLE_PIPELINE_SIMULATION_H

#include "oracle/schedule.h"
#include "test.h"

enum { DEVICES_MOST = 12, STAGES_MOST = 36, BATCHES_MOST = 64, LIST_MOST = 2 * 3 * BATCHES_MOST };

struct job {
	char work; /* F, B or W */
	unsigned stage, batch;
};

struct simulated {
	const struct pipeline_schedule *schedule;
	unsigned stages; /* virtual */
	struct job list[DEVICES_MOST][LIST_MOST];
	unsigned length[DEVICES_MOST], position[DEVICES_MOST], held[DEVICES_MOST], held_most[DEVICES_MOST];
	double free_s[DEVICES_MOST], first_s[DEVICES_MOST], last_s[DEVICES_MOST];
	double link_s[DEVICES_MOST][DEVICES_MOST];      /* from and to: when the last message has passed */
	double arrival_s[2][STAGES_MOST][BATCHES_MOST]; /* forward, backward */
	bool done[3][STAGES_MOST][BATCHES_MOST];
	double now_s;
};

static inline unsigned simulated_device(const struct pipeline_schedule *schedule, unsigned stage)
{
	const unsigned p = schedule->stages;
	return schedule->kind == PARADL_ZERO_BUBBLE_V && stage >= p ? 2 * p - 1 - stage : stage % p;
}

/* Megatron-LM's lists: (stage, micro-batch) in groups, then warm-up forwards, pairs, backwards that are left. */
static inline void simulated_list(
	struct simulated *simulated, unsigned device, unsigned group, unsigned warm_up)
{
	const unsigned p = simulated->schedule->stages, v = simulated->schedule->chunks;
	const unsigned m = simulated->schedule->micro_batches;
	struct job forwards[LIST_MOST], backwards[LIST_MOST], *list = simulated->list[device];
	unsigned all = 0, f = 0, b = 0;
	for (unsigned first = 0; first < m; first += group)
		for (unsigned chunk = 0; chunk < v; ++chunk)
			for (unsigned batch = first; batch < m && batch < first + group; ++batch) {
				forwards[all] = (struct job){'F', chunk * p + device, batch};
				backwards[all++] = (struct job){'B', (v - 1 - chunk) * p + device, batch};
			}
	while (f < all && f < warm_up)
		*list++ = forwards[f++];
	while (f < all) {
		*list++ = forwards[f++];
		*list++ = backwards[b++];
	}
	while (b < all)
		*list++ = backwards[b++];
	simulated->length[device] = 2 * all;
}

static inline double simulated_ready_s(const struct simulated *simulated, const struct job *job)
{
	if (job->batch >= simulated->schedule->micro_batches)
		return HUGE_VAL;
	if (job->work == 'W')
		return simulated->done[1][job->stage][job->batch] ? 0 : HUGE_VAL;
	return simulated->arrival_s[job->work == 'B'][job->stage][job->batch];
}

static inline unsigned simulated_next(const struct simulated *simulated, unsigned work, unsigned stage)
{
	unsigned batch = 0;
	while (batch < simulated->schedule->micro_batches && simulated->done[work][stage][batch])
		++batch;
	return batch;
}

/* A forward of a zero-bubble device would exceed what it may hold, or (V) what is worth sending ahead of backwards. */
static inline bool simulated_full(const struct simulated *simulated, unsigned device, unsigned stage)
{
	const unsigned p = simulated->schedule->stages, held = simulated->held[device];
	const bool v = simulated->schedule->kind == PARADL_ZERO_BUBBLE_V;
	const unsigned limit = simulated->schedule->kind == PARADL_ZERO_BUBBLE ? p : 2 * p;
	const unsigned ahead = simulated_next(simulated, 0, stage) - simulated_next(simulated, 1, stage);
	return held >= limit || (v && stage < p && (held + 1 >= limit || ahead >= 2 * p - 1 - stage));
}

/* What a zero-bubble device can do now: backwards, earlier stages first; forwards, then weights, later ones first. */
static inline bool simulated_greedy(const struct simulated *simulated, unsigned device, struct job *job)
{
	for (unsigned work = 0; work < 3; ++work)
		for (unsigned k = 0; k < simulated->stages; ++k) {
			const unsigned kind = work == 0 ? 1 : work == 1 ? 0 : 2;
			const unsigned stage = kind == 1 ? k : simulated->stages - 1 - k;
			if (simulated_device(simulated->schedule, stage) != device ||
				(kind == 0 && simulated_full(simulated, device, stage)))
				continue;
			*job = (struct job){"FBW"[kind], stage, simulated_next(simulated, kind, stage)};
			if (simulated_ready_s(simulated, job) <= simulated->now_s + 1e-10)
				return true;
		}
	return false;
}

static inline void simulated_start(struct simulated *simulated, unsigned device, struct job job)
{
	const struct stage_times *times = &simulated->schedule->times[job.stage];
	const bool split = simulated->schedule->kind >= PARADL_ZERO_BUBBLE;
	const bool forward = job.work == 'F',
		   sends = forward ? job.stage + 1 < simulated->stages : job.work == 'B' && job.stage > 0;
	const double work_s = forward           ? times->work_s[0]
			      : job.work == 'W' ? times->weight_s
						: times->work_s[1] + (split ? 0 : times->weight_s);
	const double end_s = simulated->now_s + work_s;
	if (simulated->first_s[device] < 0)
		simulated->first_s[device] = simulated->now_s;
	simulated->last_s[device] = simulated->free_s[device] = end_s;
	simulated->done[forward ? 0 : job.work == 'B' ? 1 : 2][job.stage][job.batch] = true;
	simulated->held[device] += forward;
	simulated->held[device] -= job.work == (split ? 'W' : 'B');
	if (simulated->held[device] > simulated->held_most[device])
		simulated->held_most[device] = simulated->held[device];
	if (forward && !sends)
		simulated->arrival_s[1][job.stage][job.batch] = end_s;
	if (!sends)
		return;
	simulated->free_s[device] += times->blocked_s[!forward];
	const unsigned to = forward ? job.stage + 1 : job.stage - 1;
	const unsigned other = simulated_device(simulated->schedule, to);
	double *const arrival_s = &simulated->arrival_s[!forward][to][job.batch];
	*arrival_s = end_s;
	if (simulated->schedule->links_queue && other != device)
		*arrival_s = fmax(end_s, simulated->link_s[device][other]);
	*arrival_s += times->send_s[!forward];
	simulated->link_s[device][other] = *arrival_s;
}

/* Starts something on each free device, and again while anything starts. */
static inline void simulated_now(struct simulated *simulated)
{
	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < simulated->schedule->stages; ++i) {
			struct job job;
			if (simulated->free_s[i] > simulated->now_s + 1e-10)
				continue;
			if (simulated->schedule->kind >= PARADL_ZERO_BUBBLE) {
				if (!simulated_greedy(simulated, i, &job))
					continue;
			} else {
				if (simulated->position[i] == simulated->length[i])
					continue;
				job = simulated->list[i][simulated->position[i]];
				if (simulated_ready_s(simulated, &job) > simulated->now_s + 1e-10)
					continue;
				simulated->position[i]++;
			}
			simulated_start(simulated, i, job);
			more = true;
		}
	}
}

static inline double simulated_later(double now_s, double at_s, double next_s)
{
	return at_s > now_s + 1e-10 && at_s < next_s ? at_s : next_s;
}

static inline bool simulated_advance(struct simulated *simulated)
{
	double next_s = HUGE_VAL;
	for (unsigned i = 0; i < simulated->schedule->stages; ++i)
		next_s = simulated_later(simulated->now_s, simulated->free_s[i], next_s);
	for (unsigned k = 0; k < simulated->stages; ++k)
		for (unsigned j = 0; j < simulated->schedule->micro_batches; ++j) {
			next_s = simulated_later(simulated->now_s, simulated->arrival_s[0][k][j], next_s);
			next_s = simulated_later(simulated->now_s, simulated->arrival_s[1][k][j], next_s);
		}
	simulated->now_s = next_s;
	return next_s < HUGE_VAL;
}

/* Megatron-Core: a group has p micro-batches or more, the last one none, or p or more. */
static inline unsigned simulated_group(unsigned p, unsigned m)
{
	for (unsigned group = p; group < m; ++group)
		if (m % group == 0 || m % group >= p)
			return group;
	return m;
}

/* Too large for the stack of some systems: the caller's. */
static inline void simulate(struct simulated *simulated, const struct pipeline_schedule *schedule)
{
	const unsigned p = schedule->stages, v = schedule->chunks, m = schedule->micro_batches;
	const unsigned group = v > 1 ? simulated_group(p, m) : 1;
	memset(simulated, 0, sizeof *simulated);
	simulated->schedule = schedule;
	simulated->stages = p * v;
	for (unsigned k = 0; k < p * v; ++k)
		for (unsigned j = 0; j < m; ++j)
			for (unsigned layer_plan = 0; layer_plan < 2; ++layer_plan)
				simulated->arrival_s[layer_plan][k][j] = layer_plan || k ? HUGE_VAL : 0;
	for (unsigned i = 0; i < p; ++i) {
		simulated->first_s[i] = -1;
		if (schedule->kind < PARADL_ZERO_BUBBLE)
			simulated_list(simulated, i, group,
				schedule->kind == PARADL_GPIPE ? m
				: v > 1                        ? 2 * (p - 1 - i) + (v - 1) * group
							       : p - 1 - i);
	}
	do
		simulated_now(simulated);
	while (simulated_advance(simulated));
	for (unsigned k = 0; k < p * v; ++k)
		assert_int_equal(simulated_next(simulated, 1, k), m);
}

#endif
