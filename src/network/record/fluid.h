/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of a collective whose ranks do not wait for one another between steps. A rank goes on when its own
 * messages are done, so it may be ahead of others. A message starts when both its ranks have come to it, waits for
 * its start-up, and then flows at its max-min fair share of the links that it crosses, at most as fast as its
 * protocol allows. Flow-level simulators do the same. Steps that come again are not followed once all devices are in
 * time: those that are left take as long. This is slow compared with compile(): it is for the best few of a choice,
 * not for searches.
 */
#ifndef NETWORK_RECORD_FLUID_H
#define NETWORK_RECORD_FLUID_H

#include <stdint.h>

#include "network/cost/compile.h"
#include "network/record/record.h"

enum { FLUID_MESSAGES_MAX = 1 << 18 };

/*
 * Effort that may be spent: messages of all steps, and looks at a flow or a link for its rate, of which those taken
 * are subtracted.
 */
struct effort {
	unsigned messages;
	double looks;
};

/*
 * How flows share a link: equally, or in inverse proportion to their round trips, as TCP's do:
 *     weight = 1 / (latency of the route + sum over its links of weight_bytes / rate)
 * SimGrid's CM02 model has weight_bytes = 0, its SMPI model 8775 (network/weight-S).
 */
struct sharing {
	bool by_route;
	double weight_bytes;
};

/*
 * Computes the time in *seconds. False when that takes too much effort, when the schedule is no sequence of steps,
 * or when out of memory.
 */
bool fluid_time(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	const struct sharing *sharing, struct effort *effort, double *seconds, struct paradl_error *error);

/* ---- the program that is followed: messages in the order in which each device comes to them ----------- */

/* One message of a step; a step that is repeated sends it again. */
struct sent {
	unsigned from, to, step; /* from, to: places among the devices that have parts */
	double bytes, start_s;
	double most_bytes_per_s; /* a limit of its own; 0: none */
	double weight;           /* ratio of its rate to the share of a link */
	unsigned first, count;   /* range of its crossings */
	double left_bytes, due_s, bytes_per_s;
	bool flows; /* its start-up is over */
};

struct crossing {
	unsigned link;
	double weight; /* bytes on the link for each byte of the message */
};

struct stage {
	double repeat, wait_s, reduce_s, most_bytes; /* most_bytes: the most that any device receives */
};

/* A device's part in a step. */
struct part {
	unsigned step, first, count; /* range of its messages in `own` */
	double received_bytes;
};

struct device_at {
	unsigned first, count; /* range of its parts */
	unsigned part, open;   /* the part it is at; messages of that part that are not done */
	double turn;           /* repetition of the part */
	double ready_s;        /* until when it computes; HUGE_VAL: it does not */
};

/* The moment when all devices that go on next have come to the same repetition (`turn`) of a step. */
struct moment {
	unsigned step, devices;
	double turn, at_s;
};

struct fluid {
	struct paradl_arena *arena;
	const struct network *network;
	const struct sharing *sharing;
	struct effort *effort;
	struct trip *trips; /* start-ups of each copy of the group */
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
	struct device_at *devices; /* those that have parts, from the lowest on */
	unsigned device_count;
	uint64_t *
		computing; /* a bit for each device whose ready_s is finite: few at once where many wait in a chain */
	unsigned *active, active_count;
	double *left, *weights; /* of each link: rate not given away; weights of flows that wait for theirs */
	double *whole;          /* weights of each link before any flow got its rate */
	unsigned *links, link_count;
	double now_s, next_s;
	bool full;
};

/*
 * Collects messages, routes and parts of the run. False: too many messages, no sequence of steps, or out of memory.
 */
bool fluid_program(struct fluid *fluid, const struct run_of *run, struct paradl_error *error);

#endif
