/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a collective algorithm does, told step by step to a listener: the compiler adds up link loads, others print the
 * steps or write a trace. A step is a set of flows that start together; the next step starts when all have arrived.
 * `share` is always of the whole vector (network.h says what that is for each operation): bytes = share * vector.
 *
 *     schedule_step(s, repeat, ring); schedule_flow(s, from, to, share); schedule_flow(...); ...
 *     [schedule_reduce(s, share)]                                     then the next step
 */
#ifndef NETWORK_SCHEDULE_H
#define NETWORK_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

/* P - 1 steps, in step s = 1 .. P - 1 each rank to rank + s mod P, or to rank XOR s (P a power of two). */
enum rounds { ROUNDS_SHIFT, ROUNDS_XOR };

struct schedule {
	const struct schedule_listener {
		void (*phase)(struct schedule *schedule, const char *name);
		void (*step)(struct schedule *schedule, double repeat, unsigned ring);
		void (*flow)(struct schedule *schedule, unsigned from, unsigned to, double share);
		void (*all_pairs)(struct schedule *schedule, double share);
		void (*reduce)(struct schedule *schedule, double share);
		void (*memory)(struct schedule *schedule, double share);
		void (*wait)(struct schedule *schedule, double seconds);
		void (*fork)(struct schedule *schedule);
		void (*branch)(struct schedule *schedule);
		void (*join)(struct schedule *schedule);
		/* May be NULL: its messages are told one by one. */
		void (*run)(struct schedule *schedule, unsigned from, unsigned to, double share,
			unsigned count, unsigned from_stride, unsigned to_stride);
		/* May be NULL: nobody minds which steps add up. */
		void (*turn)(struct schedule *schedule, bool gathers);
		/* May be NULL: what they would hear is told step by step. */
		bool (*again)(struct schedule *schedule, double scale, double repeat);
		bool (*rounds)(struct schedule *schedule, unsigned size, enum rounds rounds, double share,
			double reduce);
	} * listener;
	bool reorders; /* the order of a step's messages is of no matter: they may come as long runs */
};

/* Names the steps that follow: "reduce-scatter in the node". */
static inline void schedule_phase(struct schedule *schedule, const char *name)
{
	schedule->listener->phase(schedule, name);
}

/*
 * Begins a step that is done `repeat` times over (identical loads: told once). `ring`: 0, or the number of members
 * of a ring whose every step this is: libraries that pipeline a ring pay its latency once per trip, not per step. 1: the rest of a
 * pipeline whose first piece has paid it.
 */
static inline void schedule_step(struct schedule *schedule, double repeat, unsigned ring)
{
	schedule->listener->step(schedule, repeat, ring);
}

/* One message of the current step between two ranks of the group; from == to is nothing. */
static inline void schedule_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	schedule->listener->flow(schedule, from, to, share);
}

/* Tells `count` messages of the current step, from ranks that are each `from_stride` after the one before to such `to_stride` apart. */
static inline void schedule_run_flows(struct schedule *schedule, unsigned from, unsigned to, double share,
	unsigned count, unsigned from_stride, unsigned to_stride)
{
	if (schedule->listener->run)
		schedule->listener->run(schedule, from, to, share, count, from_stride, to_stride);
	else
		for (unsigned i = 0; i < count; ++i)
			schedule_flow(schedule, from + i * from_stride, to + i * to_stride, share);
}

/* The same with all messages as far. */
static inline void schedule_flows(
	struct schedule *schedule, unsigned from, unsigned to, double share, unsigned count, unsigned stride)
{
	schedule_run_flows(schedule, from, to, share, count, stride, stride);
}

/* Every rank to every other, `share` to each, in the current step. */
static inline void schedule_all_pairs(struct schedule *schedule, double share)
{
	schedule->listener->all_pairs(schedule, share);
}

/* The busiest rank combines this share of the vector with what arrived, in each repeat of the current step. */
static inline void schedule_reduce(struct schedule *schedule, double share)
{
	schedule->listener->reduce(schedule, share);
}

/* A rank reads and writes its device memory: share * vector bytes, in each repeat of the current step. */
static inline void schedule_memory(struct schedule *schedule, double share)
{
	schedule->listener->memory(schedule, share);
}

/* A fixed time of the current step (the start of an in-network reduction). */
static inline void schedule_wait(struct schedule *schedule, double seconds)
{
	schedule->listener->wait(schedule, seconds);
}

/*
 * Says of the steps that follow whether they are of the half of an allreduce that gathers, or of the one that reduces and
 * scatters, which it begins with. Only of allreduces that have such halves, between two steps.
 */
static inline void schedule_turn(struct schedule *schedule, bool gathers)
{
	if (schedule->listener->turn)
		schedule->listener->turn(schedule, gathers);
}

/*
 * Begins a step that does what the last one that was told did, with every share times `scale`; what it combines may be
 * told anew. False: it has to be told in full.
 */
static inline bool schedule_again(struct schedule *schedule, double scale, double repeat)
{
	return schedule->listener->again != NULL && schedule->listener->again(schedule, scale, repeat);
}

/* All rounds of the whole group, `share` to each partner, which combines `reduce`. False: to be told step by step. */
static inline bool schedule_rounds(
	struct schedule *schedule, unsigned size, enum rounds rounds, double share, double reduce)
{
	return schedule->listener->rounds != NULL &&
	       schedule->listener->rounds(schedule, size, rounds, share, reduce);
}

/* Steps between fork and branch run beside those between branch and join; they use different links. */
static inline void schedule_fork(struct schedule *schedule)
{
	schedule->listener->fork(schedule);
}
static inline void schedule_branch(struct schedule *schedule)
{
	schedule->listener->branch(schedule);
}
static inline void schedule_join(struct schedule *schedule)
{
	schedule->listener->join(schedule);
}

#endif
