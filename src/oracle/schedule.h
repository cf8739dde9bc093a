/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When the stages of a pipeline work and wait, for one step of synchronous training: all micro-batches are alike, and a
 * device runs one thing at a time, in the order of its schedule, each as soon as what it needs has arrived.
 *
 * Virtual stage k of stages * chunks runs on device k mod stages (zero bubble V: there and back, on device k or
 * 2 stages - 1 - k). A message to a stage on the same device takes what its sender's times say: 0, as a rule.
 */
#ifndef ORACLE_SCHEDULE_H
#define ORACLE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "paradl.h"
#include "strategy/strategy.h"

/* One micro-batch in one virtual stage, by enum pass. The last one of a pass sends nothing: 0. */
struct stage_times {
	double work_s[2]; /* backward: gradient of the input */
	double weight_s; /* gradient of the weights: right after backward and before sending, but for zero bubble */
	double send_s[2];    /* from the end of the work until the other stage may start */
	double blocked_s[2]; /* the part of it that the sender is not free; <= send */
};

/* Returns what a pass takes where backward is one piece. */
static inline double stage_pass_s(const struct stage_times *times, enum pass pass)
{
	return times->work_s[pass] + (pass == PASS_FORWARD ? 0 : times->weight_s);
}

/* Returns what one micro-batch computes. */
static inline double stage_work_s(const struct stage_times *times)
{
	return times->work_s[PASS_FORWARD] + times->work_s[PASS_BACKWARD] + times->weight_s;
}

struct pipeline_schedule {
	enum paradl_pipeline_schedule kind; /* gpipe, or another: not the default */
	unsigned stages,
		chunks; /* devices, virtual stages on each: 1, interleaved 1 or more, zero bubble V 2 */
	unsigned micro_batches;          /* 1 or more */
	const struct stage_times *times; /* of each virtual stage, in order of the network */
	bool links_queue; /* messages of a device to the same neighbour follow one another; else they overlap */
};

struct schedule_device {
	double end_s;     /* of its last backward, gradients of weights included */
	double busy_s;    /* computing */
	double blocked_s; /* not free because of what it sends */
	double early_s; /* from its last backward to the end of the step: its gradients may be exchanged in it */
};

/* The work of devices, as it was followed. */
struct schedule_log {
	struct paradl_event *events; /* the caller's, as many as there is work */
	size_t count;
};

/*
 * Zero bubble has no common end: a device goes on with the next step while others finish this one, so that a step takes
 * as long as the longest span (Qi 2024, section 4), and end_s + early_s differs between devices.
 */
struct schedule_result {
	double makespan_s;
	double busy_s;                   /* of the device that computes longest */
	struct schedule_device *devices; /* the caller's, one for each device */
	unsigned *
		held; /* the caller's, one for each virtual stage: micro-batches whose activations it holds when its
			device first holds most */
	struct schedule_log *log; /* the caller's, or NULL; of schedule_events that follows the whole */
};

/* Memory of the functions below; all zero before the first schedule_reserve. */
struct schedule_scratch {
	unsigned stages, chunks;
	double *times, *times_before;
	unsigned *counts, *counts_before;
	struct bubble_memory *bubble;    /* zero_bubble.c */
	struct schedule_record *records; /* of schedules followed before, or NULL */
	struct paradl_arena *arena;      /* theirs */
};

/* Makes the scratch large enough for schedules of so many stages and chunks or fewer. */
bool schedule_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena, unsigned stages,
	unsigned chunks, struct paradl_error *error);

/* The step, by the recurrence where there is one and no message waits for a link, else by events, or as it was when its times were the same. */
void schedule_run(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result);

/* Returns a time that no such schedule is faster than, of so many micro-batches: any beyond the schedule's add their work only. */
double schedule_least_s(const struct pipeline_schedule *schedule, double micro_batches);

/* Every forward and backward; of a steady state only the beginning and the end, unless `whole`. */
void schedule_events(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch, bool whole,
	struct schedule_result *result);

/* The same by a recurrence over the ends of each device; false, and nothing done, if the schedule has none. */
bool schedule_recurrence(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result);

/* Follows zero bubble, as schedule_events; and makes room for it. zero_bubble.c. */
void zero_bubble_run(const struct pipeline_schedule *schedule, const struct schedule_scratch *scratch,
	bool whole, struct schedule_result *result);
bool zero_bubble_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena);

/* Makespan of `micro_batches` identical jobs through stages and links in series: those of the first, and more of the slowest. */
double gpipe_s(double sum_s, double slowest_s, double micro_batches);
/*
 * GPipe where the messages of a link follow one another: stages and links are machines in series, a flow shop that all
 * micro-batches (any number above 0) pass forward, and then backward. Fills all of the result but its log.
 */
void schedule_flow_shop(const struct stage_times *times, unsigned stages, double micro_batches,
	struct schedule_result *result);
/* Micro-batches that each stage of it holds: all, or one where there is nothing to wait for. */
void schedule_flow_shop_held(unsigned stages, double micro_batches, unsigned *held);

/* Returns the one place where such a schedule may have been kept, and its hash; NULL: nowhere. schedule_records.c. */
struct schedule_record *schedule_record_of(
	const struct pipeline_schedule *schedule, const struct schedule_scratch *scratch, uint64_t *hash);
/* Reads what is kept there; false: it is of another schedule. */
bool schedule_record_read(const struct schedule_record *record, const struct pipeline_schedule *schedule,
	uint64_t hash, struct schedule_result *result);
/* Keeps a schedule there, if there is memory. */
void schedule_record_write(struct schedule_record *record, const struct schedule_scratch *scratch,
	const struct pipeline_schedule *schedule, uint64_t hash, const struct schedule_result *result);
/* Makes places for it. */
bool schedule_records_reserve(struct schedule_scratch *scratch, struct paradl_arena *arena);

/* -- shared by the above ------------------------------------------------------------------------------------ */

/* In which order a device of a fixed order takes its virtual stages: `group` micro-batches each, by turns. */
struct schedule_groups {
	unsigned group;  /* micro-batches of a group */
	unsigned groups; /* with the last one */
	unsigned last;   /* micro-batches of the last group */
	unsigned whole;  /* micro-batches of groups that are not smaller */
};

/* Where a device is in that order. */
struct schedule_cursor {
	unsigned chunk, left, groups;
};

/* Micro-batches that are remembered between two stages: a power of two. */
unsigned schedule_ring(unsigned stages);
struct schedule_groups schedule_groups(const struct pipeline_schedule *schedule);
unsigned schedule_device(const struct pipeline_schedule *schedule, unsigned stage);
/* Forwards of a device before its first backward, less one; a forward is next while no more are in flight. */
unsigned schedule_warm_up(const struct pipeline_schedule *schedule, unsigned device);
/* Seconds of one micro-batch on a device: computing, and not free because of what it sends. */
void schedule_device_work(
	const struct pipeline_schedule *schedule, unsigned device, double *busy_s, double *blocked_s);
bool schedule_splits_backward(enum paradl_pipeline_schedule kind);

/* The virtual stage that is a device's chunk; schedule_device is its inverse. */
static inline unsigned schedule_stage(
	enum paradl_pipeline_schedule kind, unsigned stages, unsigned device, unsigned chunk)
{
	return kind == PARADL_ZERO_BUBBLE_V && chunk ? 2 * stages - 1 - device : chunk * stages + device;
}

/* As fmax(), inline. */
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

/* All of the result from the last end of each device; held: of fixed orders, by their order. */
void schedule_fill(
	const struct pipeline_schedule *schedule, const double *end_s, struct schedule_result *result);
void schedule_fill_held(const struct pipeline_schedule *schedule, unsigned *held);
/*
 * So many micro-batches each virtual stage holds at least when its device holds most; exact for fixed orders. Of zero bubble
 * V, all that is said of a first stage may also be of the second one of its device.
 */
void schedule_held_least(const struct pipeline_schedule *schedule, unsigned *held);

#endif
