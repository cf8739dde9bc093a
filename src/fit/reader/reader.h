/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of other tools' output share this: lines, words, file names that say what was measured, and points. */
#ifndef FIT_READER_READER_H
#define FIT_READER_READER_H

#include "fit/calibration.h"

enum { WORDS_MAX = 32, READER_LINE_MAX = 4096, READER_POINTS_MAX = 4096, READER_HOSTS_MAX = 4096 };

/* A text that is read line by line. `line` is a copy, cut at READER_LINE_MAX, and may be changed. */
struct lines {
	const char *at, *end;
	int number; /* number of `line`, from 1 */
	char line[READER_LINE_MAX];
};
struct lines lines_of(const char *text, size_t length);
bool lines_next(struct lines *lines);
/* Returns whether one of the first `most` lines begins with `start`, after blanks. */
bool text_has_line(const char *text, size_t length, const char *start, int most);

/* Cuts `line` into its words and returns their number; words past WORDS_MAX are left out. */
unsigned words_split(char *line, const char *words[WORDS_MAX]);
/* Reads a word that is one decimal number without a sign and nothing more. Returns whether it is. */
bool word_number(const char *word, double *number);

/* One run in a file of another tool: a launch and its points. */
struct foreign {
	struct paradl_arena *arena;
	struct sample_set *set;
	struct sample_launch *launch;
	const char *path;
	struct paradl_error *error;
	size_t points;
};
/* Begins a launch of program `tool`, named after it, without points. Returns false when out of memory. */
bool foreign_begin(struct foreign *foreign, struct paradl_arena *arena, struct sample_set *set,
	const char *path, const char *tool, struct paradl_error *error);
/* Sets an error at `line` of the file (0: the file as a whole). Returns false. */
bool foreign_fail(const struct foreign *foreign, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The operation, library and devices that a collective or a message was measured with. */
struct foreign_group {
	const char *operation, *library, *buffer; /* "allreduce", "nccl 2.28.3", "device" */
	const char *distance, *way;      /* distance of point-to-point, else NULL; way NULL: "block" */
	unsigned nodes, devices, groups; /* devices of one group */
};
/*
 * Adds the point of one size: bytes of the whole vector (network/algorithm/collective.h), `count` samples of seconds of one
 * call.
 */
bool foreign_add(struct foreign *foreign, const struct foreign_group *group, int line, double bytes,
	const double *seconds, unsigned count);
/* Any other point. foreign_add_point copies its lists and numbers; only its texts must outlive the call. */
struct foreign_point {
	const char *bench, *name; /* name NULL: out of memory */
	int line;
	const struct sample_parameter *parameters;
	unsigned parameter_count;
	double bytes; /* moved by one call */
	const double *seconds;
	unsigned samples;
};
/* Adds a point. Times outside 1 ns to 1e7 s, and more than READER_POINTS_MAX points, are errors. */
bool foreign_add_point(struct foreign *foreign, const struct foreign_point *added);

/*
 * Returns the operation that the name of a file, else one of its folders, says: "all_reduce_2x16.txt" is the
 * operation allreduce. NULL where it does not say.
 */
const char *name_operation(const char *path);
/*
 * Reads the shape that the name of a file (not of its folders) says: "2x16" is 2 nodes with 16 devices in all; 0 and
 * 0: none.
 */
void name_shape(const char *path, unsigned *nodes, unsigned *devices);
/* Returns whether the name of a file (not of its folders) has `word`, in any case. */
bool name_has(const char *path, const char *word);
/*
 * Returns paradl's name of the operation in "all_reduce_perf", "osu_allreduce" or "Allreduce"; NULL: none is known.
 */
const char *operation_of(const char *text);

/* The part that readers of the text and of the JSON of nccl-tests (and rccl-tests) have in common. */

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
