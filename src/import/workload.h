/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A workload of DLIO, the benchmark below MLPerf Storage: what a training program would read, and how long it would compute.
 * It waits for so long instead. Such a file becomes a network of one layer that takes this time, and its data set.
 */
#ifndef IMPORT_WORKLOAD_H
#define IMPORT_WORKLOAD_H

#include "import/importer.h"

struct workload {
	const char *name, *source, *format; /* source: the file's name; format: of the files, "npz" */
	double files, samples_per_file;
	double record_bytes, record_deviation_bytes;
	double resized_bytes;                                 /* of a sample as the loader hands it on */
	double preparation_s;                                 /* of a sample */
	double batch;                                         /* of each device */
	double compute_s;                                     /* of a batch; 0: not given */
	double epochs, readers, prefetch, target_utilisation; /* -1: not given */
	bool compressed;
};

/* Is this text such a workload, or YAML at least? */
bool workload_is(const char *path, const char *text);
bool workload_read(const struct json *root, struct workload *workload, struct warnings *warnings,
	struct paradl_error *error);
/* Bytes per second that each device reads while it computes all the time. 0: unknown */
double workload_demand(const struct workload *workload);
/* "3030 MiB/s for each device: ..." NULL: out of memory. */
const char *workload_note(struct paradl_arena *arena, const struct workload *workload);
/* Options of `paradl io` that say how its loader reads; "" if it says nothing. NULL: out of memory. */
const char *workload_options(struct paradl_arena *arena, const struct workload *workload);
bool workload_write(struct paradl_arena *arena, const struct workload *workload, bool dataset_only,
	struct json_writer *writer);

#endif
