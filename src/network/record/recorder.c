/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/record/record.h"

static struct recorder *recorder_of(struct schedule *schedule)
{
	return (struct recorder *)schedule;
}

void recorder_end(struct recorder *recorder)
{
	if (recorder->open)
		recorder->end(recorder);
	recorder->open = false;
}

static void on_phase(struct schedule *schedule, const char *name)
{
	recorder_of(schedule)->phase = name;
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct recorder *const recorder = recorder_of(schedule);
	recorder_end(recorder);
	recorder->step = (struct recorded_step){
		.phase = recorder->phase, .repeat = repeat, .depth = recorder->depth, .ring = ring};
	recorder->open = repeat > 0;
}

static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct recorder *const recorder = recorder_of(schedule);
	if (recorder->open && from != to && share > 0)
		recorder->message(recorder, from, to, share);
}

static void on_all_pairs(struct schedule *schedule, double share)
{
	struct recorder *const recorder = recorder_of(schedule);
	if (recorder->open)
		recorder->all_pairs(recorder, share);
}

static void on_reduce(struct schedule *schedule, double share)
{
	recorder_of(schedule)->step.reduce_share = share;
}

static void on_memory(struct schedule *schedule, double share)
{
	recorder_of(schedule)->step.memory_share = share;
}

static void on_wait(struct schedule *schedule, double seconds)
{
	recorder_of(schedule)->step.wait_s = seconds;
}

static void on_fork(struct schedule *schedule)
{
	recorder_end(recorder_of(schedule));
	recorder_of(schedule)->forked = true;
	++recorder_of(schedule)->depth;
}

static void on_branch(struct schedule *schedule)
{
	recorder_end(recorder_of(schedule));
}

static void on_join(struct schedule *schedule)
{
	recorder_end(recorder_of(schedule));
	--recorder_of(schedule)->depth;
}

const struct schedule_listener recorder_listener = {
	.phase = on_phase,
	.step = on_step,
	.flow = on_flow,
	.all_pairs = on_all_pairs,
	.reduce = on_reduce,
	.memory = on_memory,
	.wait = on_wait,
	.fork = on_fork,
	.branch = on_branch,
	.join = on_join,
};
