/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the text and the JSON of nccl-tests (and rccl-tests) have in common. */
#ifndef FIT_READER_NCCL_H
#define FIT_READER_NCCL_H

#include "fit/reader/words.h"

struct nccl_run {
	const char *operation; /* NULL: not known yet */
	const char *library;
	const char **hosts; /* of the ranks of group 0 */
	unsigned ranks, host_count, groups;
};

/* "22803" is "nccl 2.28.3" (before 2.9 "2804" is 2.8.4). */
const char *nccl_library(struct paradl_arena *arena, double code);
/* One rank's line. */
bool nccl_rank(struct paradl_arena *arena, struct nccl_run *run, const char *host, double group);

/* One row of the table; algorithm and bus rate in GB/s, negative where they are not there; root: -1 none. */
struct nccl_row {
	double bytes, times_s[2], algorithm_rate, bus_rate;
	unsigned time_count;
	const char *reduction;
	bool has_root;
	int line;
};
/*
 * What operation rows are of, when nothing says so: by whether they reduce, have a root, and bus rate / algorithm rate:
 * 2 (n - 1) / n of an allreduce, (n - 1) / n of a reduce-scatter. NULL: it may be several.
 */
const char *nccl_operation(const struct nccl_row *rows, size_t count, unsigned ranks);
bool nccl_points(struct foreign *foreign, struct nccl_run *run, const struct nccl_row *rows, size_t count);

#endif
