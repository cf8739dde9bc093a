/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This is the state of a zero-bubble pipeline while it is followed: zero_bubble.c, zero_bubble_steady.c. */
#ifndef ORACLE_ZERO_BUBBLE_H
#define ORACLE_ZERO_BUBBLE_H

#include <math.h>

#include "oracle/schedule.h"

/* Kinds of work: enum pass, or gradients of weights. */
enum { WORK_WEIGHTS = PASS_BACKWARD + 1 };

/*
 * Virtual stage. Micro-batches pass it in order, so counts say which have; arrivals of those not taken yet are in a
 * ring. Where a pass begins nothing has to arrive: 0.
 */
struct bubble_stage {
	struct stage_times times;
	double next_s[2];        /* arrival of the next micro-batch of a pass; infinite: not sent yet */
	double least_s[2];       /* earliest arrival of what it sends next, by pass */
	const double *from_s[2]; /* least_s of the other device that sends here, or infinite */
	double passing_s[2];     /* least time from an arrival to that of what is sent for it, by pass */
	double *arrival_s[2];    /* rings of arrivals, by pass */
	unsigned done[3];        /* micro-batches done, by kind of work */
	unsigned sent[2];        /* micro-batches that were sent here, by pass */
	unsigned device;
};

struct bubble_device {
	double at_s; /* when it works next, or no sooner */
	double free_s, near_s;
	double end_s;        /* end of what it did last */
	double link_s[2];    /* when the links to the next device, and to the one before, are free */
	unsigned held, most; /* forwards whose gradients of weights are not done; the most of them so far */
};

/* Memory of a bubble, and of a state that is kept to be compared with later ones: its stages, and its times. */
struct bubble_memory {
	struct bubble_device *devices;
	struct bubble_stage *stages, *kept;
	double *rings, *kept_s;
};

/* Zero-bubble pipeline while it is followed. */
struct bubble {
	const struct pipeline_schedule *schedule;
	struct schedule_result *result;
	struct schedule_log *log; /* NULL: no log is kept */
	struct bubble_device *devices;
	struct bubble_stage *stages;
	unsigned device_count, stage_count, limit;
	unsigned mask; /* places of a ring, less one */
};

/*
 * Follows all devices until stage 0 has done more backwards, or all is done; nobody works before first_s. Returns when
 * one works next, or no sooner.
 */
double bubble_follow(const struct bubble *bubble, double first_s);
/* Renews all that is known of what comes next from the times of a state; returns the earliest of them. */
double bubble_renew(const struct bubble *bubble);

/* Mark of a state: backwards of stage 0 when one was kept, or 0, and when one will be. */
struct bubble_mark {
	unsigned done, next;
};

/*
 * Skips what repeats, after each bubble_follow: if all is as it was some micro-batches ago, only later, then it goes
 * on like that up to the last ones. Returns when a device works next, or no sooner.
 */
double bubble_steady(const struct bubble *bubble, const struct bubble_memory *memory,
	struct bubble_mark *mark, double first_s);

#endif
