/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What compile.c (schedules) and load.c (links) share: the scratch in which one schedule is added up. */
#ifndef NETWORK_COMPILER_H
#define NETWORK_COMPILER_H

#include "network/compile.h"

enum { FORKS_MAX = 4 };

/* What one link carries in the current step; `stamp` says which step that is. */
struct load {
	double share;           /* of the vector */
	double most_s, least_s; /* start-ups of the flows on it */
	unsigned stamp;
};

struct times {
	struct hull upper, lower;
};

struct step {
	double repeat;
	unsigned ring;
	struct times flows; /* of single flows: no flow is faster than alone */
	double reduce_share, memory_share, wait_s;
	double last_s, last_cap, last_alone; /* lines of the last flow that was included */
	double scale;                        /* of the shares that were told */
	bool open, fresh; /* fresh: no flows yet, the links still have those of the step before */
};

struct compiler {
	struct schedule schedule; /* first: the listener's functions get its address */
	const struct network *network;
	const struct graph *graph;
	struct path path;
	struct load *loads;
	double *s_per_byte, *nominal_s_per_byte; /* of each link */
	double *carried;                         /* of each link, of all steps so far: shares of the vector */
	unsigned *touched, touched_count;
	unsigned *ever, ever_count; /* links that any step touched */
	unsigned stamp;
	/* of the schedule being compiled */
	unsigned *offset, *base; /* device = base[sibling] + offset[rank], then placed */
	bool times_only;
	const struct group *group;
	unsigned siblings;
	double bytes;
	double lanes; /* that a flow fills inside a node: the library's channels */
	bool message; /* point-to-point: fills its links; a library's collective keeps to one flow's rate */
	struct trip { /* start-ups of one copy's flows in this step */
		double sum_s, most_s, least_s, flows;
	} * trips;
	bool pipelines; /* rings pay start-ups once a trip, not every step */
	struct step step;
	struct times stack[2 * FORKS_MAX + 1];
	unsigned depth;
	double steps;
};

/* Routes one message of the current step and adds it to the links; its start-up also to *trip unless NULL. */
void flow_add(struct compiler *compiler, unsigned from, unsigned to, double share, struct trip *trip);
/* Sums over the links that the schedule used, and forgets them. */
void links_sum(struct compiler *compiler, struct compiled *compiled);

#endif
