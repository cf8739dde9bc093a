/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A workload of DLIO, the benchmark below MLPerf Storage, says what a training program would read and how long it
 * would compute; the benchmark waits for that time instead. Such a file becomes a network of one layer that takes
 * this time, and its data set.
 */
#ifndef IMPORT_WORKLOAD_H
#define IMPORT_WORKLOAD_H

#include "import/importer.h"

struct workload {
	const char *name, *source, *format; /* source: the file's name; format: "npz" of data files */
	double files, samples_per_file;
	double record_bytes, record_deviation_bytes;
	double resized_bytes; /* bytes of a sample as the loader hands it on */
	double preparation_s; /* seconds for one sample */
	double batch;         /* samples for each device */
	double compute_s;     /* seconds for one batch; 0: not given */
	double epochs, readers, prefetch, target_utilisation; /* -1: not given */
	bool compressed;
};

/*
 * Returns whether a file is such a workload, or YAML at least: by its extension, or by a line that begins a section.
 */
bool workload_is(const char *path, const char *text);
bool workload_read(const struct json *root, struct workload *workload, struct warnings *warnings,
	struct paradl_error *error);
/* Returns the bytes per second that each device reads while it computes without pause. 0: unknown */
double workload_demand(const struct workload *workload);
/* Returns a sentence such as "each device reads 3030 MiB/s: ..."; NULL: out of memory. */
const char *workload_note(struct paradl_arena *arena, const struct workload *workload);
/*
 * Returns the options of `paradl io` that say how the workload's loader reads; "" if it says nothing. NULL: out of
 * memory.
 */
const char *workload_options(struct paradl_arena *arena, const struct workload *workload);
bool workload_write(struct paradl_arena *arena, const struct workload *workload, bool dataset_only,
	struct json_writer *writer);

#endif
