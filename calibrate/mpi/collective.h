/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What collectives have in common: their points, groups, memory, and the check of their result. Sizes are of the whole
 * vector: what each rank has (allreduce, reduce, broadcast), the gathered whole (allgather, reduce-scatter), or what each
 * rank sends in total, its own part included (all-to-all).
 */
#ifndef CALIBRATE_MPI_COLLECTIVE_H
#define CALIBRATE_MPI_COLLECTIVE_H

#include <mpi.h>

#include "bench.h"
#include "map.h"

/* Of one rank in one group. Parts are of `items` / `size` floats. */
struct vectors {
	MPI_Comm group;
	unsigned rank, size; /* in the group */
	int root;
	int items, part;
	float *send, *receive;
};

struct collective {
	const struct bench *bench;
	bool sends_part, receives_part; /* instead of the whole */
	bool parts;     /* there are parts: whole vectors are of as many items as ranks, or a multiple */
	bool in_place;  /* there is only `receive`, which has at first what the root sends */
	bool root_only; /* receives; the others need not look */
	bool by_root;   /* roots take turns, so that no rank runs ahead of the others */
	bool windows, segments; /* is also measured by synchronised clocks; in several groups at once */
	int (*call)(const struct vectors *vectors);
	/* What item i of `receive` must be, in closed form. */
	double (*expected)(const struct vectors *vectors, int item);
};

void collective_list(const struct collective *collective, const struct plan *plan, struct points *points);
enum ready collective_prepare(const struct collective *collective, struct run *run);
double collective_sample(struct run *run, unsigned long long calls);
void collective_release(struct run *run);

/* verify.c: what rank r sends as item i, small integers, and what all of them add up to. */
double item_value(unsigned rank, int item);
double item_sum(unsigned ranks, int item);
enum ready collective_verify(const struct collective *collective, struct vectors *vectors, struct run *run);

/* Between prepare and release. */
struct collective_state {
	const struct collective *collective;
	struct vectors vectors;
	MPI_Comm active;             /* all ranks of all groups; MPI_COMM_NULL: this one looks on */
	struct window_clock *window; /* window.c */
};

/* window.c: seconds of calls that all ranks begin at an agreed time, from then until the last has ended. */
struct window_clock *window_create(struct collective_state *state);
void window_free(struct window_clock *window);
double window_sample(struct collective_state *state, struct run *run, unsigned long long calls);

#endif
