/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of measured times. A reader (NAME.c and a line in list.def) makes observations of them, one for each phase, rank and
 * step; observations.c makes medians of those.
 */
#ifndef STUDY_MEASURED_MEASURED_H
#define STUDY_MEASURED_MEASURED_H

#include "oracle/oracle.h"

/* Of one rank in one step. Negative: not known. */
struct observation {
	int layer; /* index into the names; -1: of the whole step */
	unsigned part;
	double rank, step, seconds, busy_s, calls;
};

struct observations {
	struct observation *items;
	size_t count;
	const char **names; /* of layers */
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
	double idle_s, span_s; /* of traces, over all steps and ranks: without a kernel; in all */
	struct paradl_error *error;
};

struct measured_reader {
	const char *name, *summary;
	bool (*knows)(const char *begin, size_t length); /* the first bytes of a file, followed by a NUL */
	bool (*read)(struct measured_reading *reading);
};
#define X(id) extern const struct measured_reader measured_reader_##id;
#include "study/measured/list.def"
#undef X

/* False: out of memory. */
bool observe(struct measured_reading *reading, const struct observation *observation);
/* Index of a layer's name; negative: out of memory. */
int observe_layer(struct measured_reading *reading, const char *name);
bool observations_sum_up(struct measured_reading *reading);
/* PARADL_PART_COUNT: there is none of that name. */
unsigned part_named(const char *name);
/* Iterations of an epoch; 0: not known. */
double iterations_per_epoch(const struct measured_reading *reading);
/* A time in seconds, written as a decimal number; errors name the line and column. */
bool seconds_read(const struct measured_reading *reading, const char *text, const char *column, int line,
	double *value);
/* Is the text the reading's plan, the batch its batch (or not given: negative)? */
bool reading_is_plan(const struct measured_reading *reading, const char *strategy, double batch);

#endif
