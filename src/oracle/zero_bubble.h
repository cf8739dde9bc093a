/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pipeline of zero bubble while it is followed: zero_bubble.c, zero_bubble_steady.c. */
#ifndef ORACLE_ZERO_BUBBLE_H
#define ORACLE_ZERO_BUBBLE_H

#include <math.h>

#include "oracle/schedule.h"

/* Kinds of work: enum pass, gradients of weights, or none. */
enum { WORK_WEIGHTS = PASS_BACKWARD + 1, WORK_NOTHING };

/*
 * A virtual stage. Micro-batches pass it in order, so counts say which have; arrivals of those not taken yet are in a ring. Where a
 * pass begins nothing has to arrive: 0.
 */
struct bubble_stage {
	struct stage_times times;
	double next_s[2];        /* when the next micro-batch of a pass is there; infinite: not sent yet */
	double least_s[2];       /* what it sends next is there no sooner, by pass */
	const double *from_s[2]; /* least_s of the other device that sends what comes here, or infinite */
	double *arrival_s[2];    /* rings */
	unsigned done[3];        /* micro-batches, by kind of work */
	unsigned sent[2];        /* micro-batches that were sent here, by pass */
	unsigned device;
};

struct bubble_device {
	double at_s; /* works next, or no sooner */
	double free_s, near_s;
	double before_s,
		after_s;     /* what the device before, and the one after, send it takes so long at least */
	double end_s;        /* of what it did last */
	double link_s[2];    /* links to the next device, and to the one before */
	unsigned held, most; /* forwards whose end has not come; the most of them so far */
};

/* Memory for it, and for a state that is kept to be compared with later ones: its stages, and its times. */
struct bubble_memory {
	struct bubble_device *devices;
	struct bubble_stage *stages, *kept;
	double *rings, *kept_s;
};

/* A pipeline of zero bubble while it is followed. */
struct bubble {
	const struct pipeline_schedule *schedule;
	struct schedule_result *result;
	struct schedule_log *log; /* NULL: none is kept */
	struct bubble_device *devices;
	struct bubble_stage *stages;
	unsigned device_count, stage_count, limit;
	unsigned mask; /* of places in a ring */
};

/* Follows all devices until stage 0 has done more backwards, or all is done; nobody works before first_s. Returns when one works next, or no sooner. */
double bubble_follow(const struct bubble *bubble, double first_s);
/* Makes all that is known of what comes next from the times of a state; returns the earliest of them. */
double bubble_renew(const struct bubble *bubble);

/* Backwards of stage 0 when a state was kept, or 0, and when one will be. */
struct bubble_mark {
	unsigned done, next;
};

/*
 * After each bubble_follow: if all is as it was some micro-batches ago, only later, then so it goes on, up to the last ones. Returns when a
 * device works next, or no sooner.
 */
double bubble_steady(const struct bubble *bubble, const struct bubble_memory *memory,
	struct bubble_mark *mark, double first_s);

#endif
