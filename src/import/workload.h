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

/* Returns a sentence such as "each device reads 3030 MiB/s: ..."; NULL: out of memory. */
const char *workload_note(struct paradl_arena *arena, const struct workload *workload);
bool workload_write(struct paradl_arena *arena, const struct workload *workload, bool dataset_only,
	struct json_writer *writer);

#endif
