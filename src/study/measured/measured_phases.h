/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares readers of files of measured times. A reader (NAME.c and a line in list.def) makes observations,
 * one for each phase, rank and step; observations.c makes medians of those.
 */
#ifndef STUDY_MEASURED_MEASURED_PHASES_H
#define STUDY_MEASURED_MEASURED_PHASES_H

#include "oracle/oracle.h"
#include "paradl/study.h"

/* A time of one rank in one step. Negative numbers: not known. */
struct observation {
	int layer; /* index into the names of layers; -1: the whole step */
	unsigned part;
	double rank, step, seconds, busy_s, calls;
};

struct observations {
	struct observation *items;
	size_t count;
	const char **names; /* names of layers */
	size_t name_count;
};

struct measured_reading {
	struct paradl_arena *arena;
	const struct paradl_oracle *oracle;
	const struct paradl_plan *plan;
	const char *path;
	unsigned file; /* number of the file, from 0 */
	struct observations *observations;
	struct paradl_measurement *measurement;
	double idle_s, span_s; /* seconds of traces, over all steps and ranks: without a kernel; in all */
	struct paradl_error *error;
};

struct measured_reader {
	const char *name, *summary;
	bool (*knows)(const char *begin, size_t length); /* begin: first bytes of a file, followed by a NUL */
	bool (*read)(struct measured_reading *reading);
};
#define X(id) extern const struct measured_reader measured_reader_##id;
#include "study/measured/list.def"
#undef X

/* Adds an observation. False: out of memory. */
bool observe(struct measured_reading *reading, const struct observation *observation);
/* Returns the index of a layer's name, which is added if it is new; negative: out of memory. */
int observe_layer(struct measured_reading *reading, const char *name);
bool observations_sum_up(struct measured_reading *reading);
/* Returns the part of that name; PARADL_PART_COUNT: there is none. */
unsigned part_named(const char *name);
/* Returns the number of iterations of an epoch; 0: not known. */
double iterations_per_epoch(const struct measured_reading *reading);
/* Reads a time in seconds, written as a decimal number; errors name the line and column. */
bool seconds_read(const struct measured_reading *reading, const char *text, const char *column, int line,
	double *value);
/* Returns whether the text is the reading's plan, and the batch its batch (or not given: negative). */
bool reading_is_plan(const struct measured_reading *reading, const char *strategy, double batch);

#endif
