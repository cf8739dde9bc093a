/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These functions find when the stages of a pipeline work and wait, for one step of synchronous training. All
 * micro-batches are alike. A device runs one thing at a time, in the order of its schedule, each as soon as what it
 * needs has arrived.
 *
 * Virtual stage k of stages * chunks runs on device k mod stages (zero bubble V: there and back, on device k or
 * 2 stages - 1 - k). A message to a stage on the same device takes as long as its sender's times say: 0, as a rule.
 */
#ifndef ORACLE_SCHEDULE_H
#define ORACLE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "paradl/oracle.h"
#include "plan/strategy.h"

/* Times of one micro-batch in one virtual stage, by enum pass. The last one of a pass sends nothing: 0. */
struct stage_times {
	double work_s[2]; /* kernels; backward: gradient of the input */
	/* Gradient of the weights: right after backward and before sending, except in zero bubble. */
	double weight_s;
	double send_s[2];    /* from the end of the work until the other stage may start */
	double blocked_s[2]; /* part of send_s in which the sender is not free */
};

/* Returns the seconds of a pass where backward is one piece. */
static inline double stage_pass_s(const struct stage_times *times, enum pass pass)
{
	return pass == PASS_FORWARD ? times->work_s[pass] : times->work_s[pass] + times->weight_s;
}

/* Returns the seconds that one micro-batch computes. */
static inline double stage_work_s(const struct stage_times *times)
{
	return times->work_s[PASS_FORWARD] + times->work_s[PASS_BACKWARD] + times->weight_s;
}

struct pipeline_schedule {
	enum paradl_pipeline_schedule kind; /* gpipe, or another: not the default */
	unsigned stages,
		chunks; /* devices; virtual stages on each: 1, interleaved 1 or more, zero bubble V 2 */
	unsigned micro_batches;          /* 1 or more */
	const struct stage_times *times; /* times of each virtual stage, in order of the network */
	/* Messages of a device to the same neighbour follow one another; else they overlap. */
	bool links_queue;
};

struct schedule_device {
	double end_s;     /* end of its last backward, gradients of weights included */
	double busy_s;    /* seconds in which it computes */
	double blocked_s; /* seconds in which it is not free because of what it sends */
	/* Seconds from its last backward to the end of the step, in which its gradients may be exchanged. */
	double early_s;
};

/* Log of the work of devices, as it was followed. */
struct schedule_log {
	struct paradl_event *events; /* the caller's, with room for all work */
	size_t count;
};

/*
 * Times of a schedule. Zero bubble has no common end: a device goes on with the next step while others finish this
 * one, so a step takes as long as the longest span (Qi 2024, section 4), and end_s + early_s differs between devices.
 */
struct schedule_result {
	double makespan_s;
	double busy_s;                   /* seconds of the device that computes longest */
	struct schedule_device *devices; /* the caller's, one for each device */
	unsigned *
		held; /* the caller's, one per virtual stage: micro-batches held when its device first holds most */
	struct schedule_log *log; /* the caller's, or NULL; filled by schedule_events that follows all */
};

/* Memory of the functions below; all zero before the first schedule_reserve. */
struct schedule_scratch {
	unsigned stages, all; /* room for devices, and for the stages of all of them */
	double *times, *times_before;
	unsigned *counts, *counts_before;
	struct bubble_memory *bubble;    /* memory of zero_bubble.c */
	struct schedule_record *records; /* schedules that were followed before, or NULL */
	struct paradl_arena *arena;      /* arena of the records */
};

/* Enlarges the scratch for schedules of up to so many devices, with up to so many chunks each; false when out of memory. */
bool schedule_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena, unsigned stages,
	unsigned chunks, struct paradl_error *error);

/*
 * Finds the times of the step: as before when its times were the same, else by the recurrence where there is one and
 * no message waits for a link, else by events.
 */
void schedule_run(const struct pipeline_schedule *asked, struct schedule_scratch *scratch,
	struct schedule_result *result);

/* Returns a time that no such schedule of `micro_batches` beats; those beyond the schedule's add their work only. */
double schedule_least_s(const struct pipeline_schedule *schedule, double micro_batches);

/* Follows every forward and backward; in a steady state only the beginning and the end, unless `whole`. */
void schedule_events(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch, bool whole,
	struct schedule_result *result);

/* Finds the same by a recurrence over the ends of each device; false, and nothing done, if the schedule has none. */
bool schedule_recurrence(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result);

/* Follows zero bubble, as schedule_events; zero_bubble_reserve makes room for that. zero_bubble.c. */
void zero_bubble_run(const struct pipeline_schedule *schedule, const struct schedule_scratch *scratch,
	bool whole, struct schedule_result *result);
bool zero_bubble_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena);

/*
 * Returns the makespan of `micro_batches` identical jobs through stages and links in series: sum_s for the first one,
 * and slowest_s, the time of the slowest machine, for each one more.
 */
double gpipe_s(double sum_s, double slowest_s, double micro_batches);
/*
 * Fills all of the result but its log for GPipe where the messages of a link follow one another: stages and links are
 * machines in series, a flow shop that all micro-batches (any number above 0) pass forward, and then backward.
 */
void schedule_flow_shop(const struct stage_times *times, unsigned stages, double micro_batches,
	struct schedule_result *result);
/* Fills the micro-batches that each stage of that holds: all, or one where there is nothing to wait for. */
void schedule_flow_shop_held(unsigned stages, double micro_batches, unsigned *held);

/* Returns the only place where such a schedule may be, and its hash; NULL: it is never kept. schedule_shortcuts.c. */
struct schedule_record *schedule_record_of(
	const struct pipeline_schedule *schedule, const struct schedule_scratch *scratch, uint64_t *hash);
/* Reads what is kept there; false: it is another schedule. */
bool schedule_record_read(const struct schedule_record *record, const struct pipeline_schedule *schedule,
	uint64_t hash, struct schedule_result *result);
/* Keeps a schedule there, if there is memory. */
void schedule_record_write(struct schedule_record *record, const struct schedule_scratch *scratch,
	const struct pipeline_schedule *schedule, uint64_t hash, const struct schedule_result *result);
/* Makes places for records; false when out of memory. */
bool schedule_records_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena);

/* -- shared by the above ------------------------------------------------------------------------------------ */

enum { SCHEDULE_WINDOW = 128 }; /* steps of a recurrence in which messages move on; recurrence.c */

/* Fixed order in which a device takes its virtual stages: `group` micro-batches each, by turns. */
struct schedule_groups {
	unsigned group;  /* micro-batches of a group */
	unsigned groups; /* number of groups, with the last one */
	unsigned last;   /* micro-batches of the last group */
	unsigned whole;  /* micro-batches of all groups that are not smaller */
};

/* Position of a device in that order. */
struct schedule_cursor {
	unsigned chunk, left, groups;
};

/* Returns how many micro-batches are remembered between two stages: a power of two. */
unsigned schedule_ring(unsigned stages);
struct schedule_groups schedule_groups(const struct pipeline_schedule *schedule);
unsigned schedule_device(const struct pipeline_schedule *schedule, unsigned stage);
/* Returns a device's forwards before its first backward, less one; a forward is next while no more are in flight. */
unsigned schedule_warm_up(const struct pipeline_schedule *schedule, unsigned device);
/* Finds the seconds of one micro-batch on a device: computing, and not free because of what it sends. */
void schedule_device_work(
	const struct pipeline_schedule *schedule, unsigned device, double *busy_s, double *blocked_s);
bool schedule_splits_backward(enum paradl_pipeline_schedule kind);

/* Returns the virtual stage that is a chunk of a device; schedule_device is its inverse. */
static inline unsigned schedule_stage(
	enum paradl_pipeline_schedule kind, unsigned stages, unsigned device, unsigned chunk)
{
	return kind == PARADL_ZERO_BUBBLE_V && chunk ? 2 * stages - 1 - device : chunk * stages + device;
}

/* Returns the later of two times; fmax(), inline. */
static inline double later_s(double a_s, double b_s)
{
	return a_s > b_s ? a_s : b_s;
}

static inline struct schedule_cursor schedule_cursor(const struct schedule_groups *groups)
{
	return (struct schedule_cursor){0, groups->groups > 1 ? groups->group : groups->last, groups->groups};
}

static inline void schedule_cursor_next(
	struct schedule_cursor *cursor, const struct schedule_groups *groups, unsigned chunks)
{
	if (--cursor->left)
		return;
	if (++cursor->chunk == chunks) {
		cursor->chunk = 0;
		cursor->groups--;
	}
	cursor->left = cursor->groups > 1 ? groups->group : groups->last;
}

/* Fills all of the result but `held` from the last end of each device; schedule_fill_held does for fixed orders. */
void schedule_fill(
	const struct pipeline_schedule *schedule, const double *end_s, struct schedule_result *result);
void schedule_fill_held(const struct pipeline_schedule *schedule, unsigned *held);
/*
 * Fills how many micro-batches each virtual stage holds at least when its device holds most; exact for fixed orders.
 * In zero bubble V, what is counted for a first stage may belong to the second one of its device.
 */
void schedule_held_least(const struct pipeline_schedule *schedule, unsigned *held);

#endif
