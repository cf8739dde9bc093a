/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part that readers of the text and of the JSON of nccl-tests (and rccl-tests) have in common. */
#ifndef FIT_READER_NCCL_H
#define FIT_READER_NCCL_H

#include "fit/reader/words.h"

/* One run of a program of nccl-tests, apart from its rows. */
struct nccl_run {
	const char *operation; /* NULL: not known yet */
	const char *library;   /* such as "nccl 2.28.3"; NULL: not known */
	const char **hosts;    /* distinct hosts of the ranks of group 0 */
	unsigned ranks, host_count, groups;
};

/*
 * Returns the library of a version number: "nccl 2.28.3" for 22803, and for 2804, as before 2.9, "nccl 2.8.4". It is
 * "nccl" for a number that is no version, NULL when out of memory.
 */
const char *nccl_library(struct paradl_arena *arena, double code);
/*
 * Counts one rank, its group, and in group 0 its host. Returns false when out of memory or where there are more than
 * READER_HOSTS_MAX hosts.
 */
bool nccl_rank(struct paradl_arena *arena, struct nccl_run *run, const char *host, double group);

/* One row of the table: times out of place and in place; algorithm and bus rate in GB/s, negative where not known. */
struct nccl_row {
	double bytes, times_s[2], algorithm_rate, bus_rate;
	unsigned time_count;
	const char *reduction;
	bool has_root;
	int line;
};
/*
 * Finds the operation of rows when nothing names it: by whether they reduce, whether they have a root, and by bus
 * rate / algorithm rate, which is 2 (n - 1) / n for an allreduce and (n - 1) / n for a reduce-scatter of n ranks.
 * Returns NULL where it may be one of several.
 */
const char *nccl_operation(const struct nccl_row *rows, size_t count, unsigned ranks);
/* Adds a point for each row. It is an error if there are no rows, or if nothing says the operation or the shape. */
bool nccl_points(struct foreign *foreign, struct nccl_run *run, const struct nccl_row *rows, size_t count);

#endif
