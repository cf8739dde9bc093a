/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and parsers that the reader and the writer of plans share. */
#ifndef PLAN_PLAN_TEXT_H
#define PLAN_PLAN_TEXT_H

#include "base/error.h"
#include "base/json.h"
#include "paradl/oracle.h"
#include "plan/strategy.h"

enum plan_option {
	PLAN_MICRO,
	PLAN_SCHEDULE,
	PLAN_SPLIT,
	PLAN_ZERO,
	PLAN_SHARD,
	PLAN_RECOMPUTE,
	PLAN_SEQUENCE,
	PLAN_EXPERTS,
	PLAN_DISPATCHER,
	PLAN_OFFLOAD,
	PLAN_OVERLAP,
	PLAN_GATHER,
	PLAN_CHUNK,
	PLAN_SEQS,
	PLAN_OPTION_COUNT
};
extern const char *const plan_option_names[PLAN_OPTION_COUNT];

/* Names of values, by value; NULL: the default, which has none. */
extern const char *const plan_schedules[PARADL_SCHEDULE_COUNT];
extern const char *const plan_recomputes[PARADL_RECOMPUTE_COUNT];
extern const char *const plan_context_ways[PARADL_CONTEXT_COUNT];
extern const char *const plan_dispatchers[PARADL_DISPATCHER_COUNT];
enum { PLAN_OFFLOADS = 3, PLAN_OVERLAPS = 3 };
enum { PLAN_CHUNK_MOST = 1 << 24, PLAN_SEQS_MOST = 1 << 24 };
extern const char *const plan_offloads[PLAN_OFFLOADS]; /* names by bit */
extern const char *const plan_overlaps[PLAN_OVERLAPS];

/* Reads a whole number from `least` (0 or 1) to UINT_MAX at *text and moves *text past it; false: there is none. */
bool plan_number_read(const char **text, unsigned least, unsigned *number);

/*
 * Reads the name at the start of *text, up to its end or to a ':', as one of `names`; moves *text past the name and
 * the ':'. False, with an error, where it is none of them. `what` says whose value it is, for the message.
 */
bool plan_choice_read(const char *what, const char **text, const char *const *names, unsigned count,
	unsigned *choice, struct paradl_error *error);

/* Returns the index-th name of options in texts, aliases too, for suggestions; NULL past the last. */
const char *plan_option_word(unsigned index);

bool plan_option_known(const char *name);
/*
 * Reads a known option: "name=value", or "name" alone with value NULL. The options read are added to `given`, a bit
 * set of enum plan_option, and may not be in it yet.
 */
bool plan_option_read(const char *name, const char *value, struct paradl_plan *plan, unsigned *given,
	struct paradl_error *error);

/*
 * Plans of parts as files: format "paradl-plan", paradl-plan(5). A file names layers; the layers between the names
 * are known only with the network.
 */

struct layered_file_part {
	const struct json *node;
	const char *from, *to;   /* names of its first and last layer */
	unsigned stage;          /* stage of the part, from 1 */
	struct paradl_plan plan; /* plan of the part, with the file's batch */
};

struct layered_file {
	const struct json *root;
	const char *model;
	unsigned devices, stages;
	double batch, micro_batches; /* micro_batches 0: the default */
	enum paradl_pipeline_schedule schedule;
	const struct layered_file_part *parts;
	unsigned part_count;
};

/* Reads and checks what does not depend on the network: keys, plans, numbers of devices and stages. */
bool layered_read(struct paradl_arena *arena, const struct json *root, struct layered_file *file,
	struct paradl_error *error);

/* Checks a plan of parts for likely mistakes (lint); false with an error where the file cannot be read. */
bool layered_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error);

#endif
