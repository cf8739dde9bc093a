/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A schedule followed rank by rank: what each sends and gets, and whose data can have reached it: after a step a rank knows
 * what it knew and what its senders did.
 */
#ifndef TESTS_NETWORK_TALLY_H
#define TESTS_NETWORK_TALLY_H

#include "test.h"

#include "network/algorithm/collective.h"

enum { TALLY_MAX = 128, TALLY_FLOWS = 1 << 16 };

struct tally {
	struct schedule schedule;
	unsigned size;
	double steps, sent[TALLY_MAX], received[TALLY_MAX], reduced, waited_s;
	bool knows[TALLY_MAX][TALLY_MAX];
	double repeat;
	struct tally_flow {
		unsigned from, to;
	} flows[TALLY_FLOWS];
	unsigned flow_count, forks;
};

static inline void tally_close(struct tally *tally)
{
	static bool before[TALLY_MAX][TALLY_MAX];
	for (unsigned i = 0; i < tally->repeat && i < tally->size && tally->flow_count; ++i) {
		memcpy(before, tally->knows, sizeof before);
		for (unsigned f = 0; f < tally->flow_count; ++f)
			for (unsigned source = 0; source < tally->size; ++source)
				tally->knows[tally->flows[f].to][source] |=
					before[tally->flows[f].from][source];
	}
	tally->flow_count = 0;
}

static inline void tally_phase(struct schedule *schedule, const char *name)
{
	(void)schedule;
	assert_true(name && *name);
}

static inline void tally_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct tally *tally = (struct tally *)schedule;
	tally_close(tally);
	assert_true(repeat > 0 && ring <= tally->size);
	tally->repeat = repeat;
	tally->steps += repeat;
}

static inline void tally_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct tally *tally = (struct tally *)schedule;
	assert_true(from < tally->size && to < tally->size && share >= 0 && tally->repeat > 0);
	if (from == to || !(share > 0))
		return;
	assert_true(tally->flow_count < TALLY_FLOWS);
	tally->flows[tally->flow_count++] = (struct tally_flow){from, to};
	tally->sent[from] += tally->repeat * share;
	tally->received[to] += tally->repeat * share;
}

static inline void tally_all_pairs(struct schedule *schedule, double share)
{
	const unsigned size = ((struct tally *)schedule)->size;
	for (unsigned from = 0; from < size; ++from)
		for (unsigned to = 0; to < size; ++to)
			tally_flow(schedule, from, to, share);
}

static inline void tally_reduce(struct schedule *schedule, double share)
{
	struct tally *tally = (struct tally *)schedule;
	tally->reduced += tally->repeat * share;
}

static inline void tally_memory(struct schedule *schedule, double share)
{
	(void)schedule;
	assert_true(share >= 0);
}

static inline void tally_wait(struct schedule *schedule, double seconds)
{
	struct tally *tally = (struct tally *)schedule;
	assert_true(tally->repeat > 0);
	tally->waited_s += tally->repeat * seconds;
}

/* Branches one after the other. */
static inline void tally_fork(struct schedule *schedule)
{
	++((struct tally *)schedule)->forks;
}

static inline void tally_branch(struct schedule *schedule)
{
	assert_true(((struct tally *)schedule)->forks > 0);
}

static inline void tally_join(struct schedule *schedule)
{
	assert_true(((struct tally *)schedule)->forks-- > 0);
}

static const struct schedule_listener tally_listener = {
	.phase = tally_phase,
	.step = tally_step,
	.flow = tally_flow,
	.all_pairs = tally_all_pairs,
	.reduce = tally_reduce,
	.memory = tally_memory,
	.wait = tally_wait,
	.fork = tally_fork,
	.branch = tally_branch,
	.join = tally_join,
};

static inline void tally_take(struct tally *tally, const struct communicator *comm,
	const struct collective *collective, unsigned variant)
{
	assert_true(comm->size <= TALLY_MAX);
	memset(tally, 0, sizeof *tally);
	tally->schedule.listener = &tally_listener;
	tally->size = comm->size;
	for (unsigned rank = 0; rank < comm->size; ++rank)
		tally->knows[rank][rank] = true;
	collective->emit(comm, variant, &tally->schedule);
	tally_close(tally);
	assert_int_equal(tally->forks, 0);
}

#endif
