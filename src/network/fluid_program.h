/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fluid.c follows: the messages of a schedule, and the order in which each device comes to them. */
#ifndef NETWORK_FLUID_PROGRAM_H
#define NETWORK_FLUID_PROGRAM_H

#include "network/fluid.h"
#include "network/trip.h"

/* One message of a step, which a step that is repeated sends again. */
struct sent {
	unsigned from, to, step;
	double bytes, start_s;
	double most_bytes_per_s; /* 0: no limit of its own */
	double weight;           /* its rate is the share of a link times this */
	unsigned first, count;   /* its crossings */
	double left_bytes, due_s, bytes_per_s;
	bool flows; /* past its start-up */
};

struct crossing {
	unsigned link;
	double weight; /* bytes on the link for each byte of the message */
};

struct stage {
	double repeat, wait_s, reduce_s, most_bytes; /* most: that any device receives */
};

/* A device's part in a step. */
struct part {
	unsigned step, first, count; /* of its messages, in `own` */
	double received_bytes;
};

struct device_at {
	unsigned first, count; /* of its parts */
	unsigned part, open;   /* the one it is at; messages of it that are not done */
	double turn;           /* of the part's repetitions */
	double ready_s;        /* computes until then; HUGE_VAL: does not */
};

/* When all that go on next have come to the same turn of a step. */
struct moment {
	unsigned step, devices;
	double turn, at_s;
};

struct fluid {
	struct paradl_arena *arena;
	const struct network *network;
	const struct sharing *sharing;
	struct effort *effort;
	struct trip *trips; /* of each copy of the group */
	double lanes;
	struct moment moment;
	struct path path;
	struct sent *sent;
	unsigned sent_count, sent_room;
	struct crossing *crossings;
	unsigned crossing_count, crossing_room;
	struct stage *stages;
	unsigned stage_count, stage_room;
	struct part *parts;
	unsigned *own;
	struct device_at *devices;
	unsigned *active, active_count;
	double *left, *weights; /* of each link: rate not given away; weights of flows that wait for theirs */
	double *whole;          /* the weights before any got its rate */
	unsigned *links, link_count;
	double now_s, next_s;
	bool full;
};

/* Messages, routes, parts of the run; false: too many, or no sequence of steps. */
bool fluid_program(struct fluid *fluid, const struct run_of *run, struct paradl_error *error);

#endif
