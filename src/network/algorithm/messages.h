/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A collective algorithm tells what it does, its schedule, step by step to a listener. The compiler is a listener
 * that adds up link loads; others print the steps or write a trace. A step is a set of flows that start together;
 * the next step starts when all have arrived. `share` is always a share of the whole vector (collective.h says what
 * the vector is for each operation): bytes = share * vector.
 *
 *     schedule_step(s, repeat, ring); schedule_flow(s, from, to, share); schedule_flow(...); ...
 *     [schedule_reduce(s, share)]                                     then the next step
 */
#ifndef NETWORK_ALGORITHM_MESSAGES_H
#define NETWORK_ALGORITHM_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Patterns of P - 1 steps: in step s = 1 .. P - 1 each rank sends to rank + s mod P, or to rank XOR s (P a power of
 * two).
 */
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
		/* May be NULL: messages of a run are then told one by one. */
		void (*run)(struct schedule *schedule, unsigned from, unsigned to, double share,
			unsigned count, unsigned from_stride, unsigned to_stride);
		/* May be NULL: the listener does not distinguish steps that gather from steps that reduce. */
		void (*turn)(struct schedule *schedule, bool gathers);
		/* Both may be NULL: their steps are then told in full. */
		bool (*again)(struct schedule *schedule, double scale, double repeat);
		bool (*rounds)(struct schedule *schedule, unsigned size, enum rounds rounds, double share,
			double reduce);
	} * listener;
	bool reorders; /* the order of a step's messages does not matter: they may come as long runs */
};

/* Gives the steps that follow a name: "reduce-scatter in the node". */
static inline void schedule_phase(struct schedule *schedule, const char *name)
{
	schedule->listener->phase(schedule, name);
}

/*
 * Begins a step that is done `repeat` times with identical loads, and told once. `ring` is 0, or the number of
 * members of a ring if every step of that ring is like this one: libraries that pipeline a ring pay its latency once
 * per trip, not per step. 1 marks the rest of a pipeline whose first piece has paid the latency.
 */
static inline void schedule_step(struct schedule *schedule, double repeat, unsigned ring)
{
	schedule->listener->step(schedule, repeat, ring);
}

/* Adds one message between two ranks of the group to the current step; from == to adds nothing. */
static inline void schedule_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	schedule->listener->flow(schedule, from, to, share);
}

/*
 * Adds `count` messages to the current step. Each sender is from_stride ranks after the one before, each receiver
 * to_stride ranks.
 */
static inline void schedule_run_flows(struct schedule *schedule, unsigned from, unsigned to, double share,
	unsigned count, unsigned from_stride, unsigned to_stride)
{
	if (schedule->listener->run)
		schedule->listener->run(schedule, from, to, share, count, from_stride, to_stride);
	else
		for (unsigned i = 0; i < count; ++i)
			schedule_flow(schedule, from + i * from_stride, to + i * to_stride, share);
}

/* Adds `count` messages like schedule_run_flows, all over the same distance: both strides are equal. */
static inline void schedule_flows(
	struct schedule *schedule, unsigned from, unsigned to, double share, unsigned count, unsigned stride)
{
	schedule_run_flows(schedule, from, to, share, count, stride, stride);
}

/* Adds messages from every rank to every other, `share` to each, to the current step. */
static inline void schedule_all_pairs(struct schedule *schedule, double share)
{
	schedule->listener->all_pairs(schedule, share);
}

/*
 * Sets the share of the vector that the busiest rank combines with what arrived, in each repeat of the current step.
 */
static inline void schedule_reduce(struct schedule *schedule, double share)
{
	schedule->listener->reduce(schedule, share);
}

/*
 * Sets the share of the vector that a rank reads and writes in its device memory, share * vector bytes, in each
 * repeat of the current step.
 */
static inline void schedule_memory(struct schedule *schedule, double share)
{
	schedule->listener->memory(schedule, share);
}

/* Sets a fixed time in seconds of each repeat of the current step (the start of an in-network reduction). */
static inline void schedule_wait(struct schedule *schedule, double seconds)
{
	schedule->listener->wait(schedule, seconds);
}

/*
 * Says whether the steps that follow belong to the half of an allreduce that gathers, or to the half that reduces
 * and scatters, with which the allreduce begins. Called between two steps, and only by allreduces that have such
 * halves.
 */
static inline void schedule_turn(struct schedule *schedule, bool gathers)
{
	if (schedule->listener->turn)
		schedule->listener->turn(schedule, gathers);
}

/*
 * Begins a step like the last one that was told in full, with every share times `scale`; the share that it combines
 * may be set anew. False: the step has to be told in full.
 */
static inline bool schedule_again(struct schedule *schedule, double scale, double repeat)
{
	return schedule->listener->again != NULL && schedule->listener->again(schedule, scale, repeat);
}

/*
 * Tells all rounds of the whole group, with `share` to each partner, which combines `reduce`. False: they have to be
 * told step by step.
 */
static inline bool schedule_rounds(
	struct schedule *schedule, unsigned size, enum rounds rounds, double share, double reduce)
{
	return schedule->listener->rounds != NULL &&
	       schedule->listener->rounds(schedule, size, rounds, share, reduce);
}

/*
 * Begins two branches of steps that run at the same time on different links: one between fork and branch, the other
 * between branch and join.
 */
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
