/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What readers of other tools' output share: lines, words, what file names say, points. */
#ifndef FIT_READER_WORDS_H
#define FIT_READER_WORDS_H

#include "fit/calibration.h"

enum { WORDS_MAX = 32, READER_LINE_MAX = 4096, READER_POINTS_MAX = 4096, READER_HOSTS_MAX = 4096 };

/* A file on its way, line by line. `line` is a copy, cut at READER_LINE_MAX, and may be changed. */
struct lines {
	const char *at, *end;
	int number; /* of `line`, from 1 */
	char line[READER_LINE_MAX];
};
struct lines lines_of(const char *text, size_t length);
bool lines_next(struct lines *lines);
/* Does a line of the first `most` begin with `start` (after blanks)? */
bool text_has_line(const char *text, size_t length, const char *start, int most);

/* The words of a line; those past WORDS_MAX are left out. `line` is cut into them. */
unsigned words_split(char *line, const char *words[WORDS_MAX]);
/* A word that is one decimal number and no more, without a sign. */
bool word_number(const char *word, double *number);

/* A file of another tool: one launch, and points that have one thing in common. */
struct foreign {
	struct paradl_arena *arena;
	struct sample_set *set;
	struct sample_launch *launch;
	const char *path;
	struct paradl_error *error;
	size_t points;
};
bool foreign_begin(struct foreign *foreign, struct paradl_arena *arena, struct sample_set *set,
	const char *path, const char *tool, struct paradl_error *error);
bool foreign_fail(const struct foreign *foreign, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a collective was measured with. */
struct foreign_group {
	const char *operation, *library, *buffer; /* "allreduce", "nccl 2.28.3", "device" */
	const char *distance, *way;               /* of point-to-point, else NULL; way NULL: "block" */
	unsigned nodes, devices, groups;          /* devices of one group */
};
/* One size; bytes of the whole vector (network/collective.h), seconds of one call. */
bool foreign_add(struct foreign *foreign, const struct foreign_group *group, int line, double bytes,
	const double *seconds, unsigned count);
/* Any other point; nothing of it is kept but the texts. */
struct foreign_point {
	const char *bench, *name; /* name NULL: out of memory */
	int line;
	const struct sample_parameter *parameters;
	unsigned parameter_count;
	double bytes; /* of one call */
	const double *seconds;
	unsigned samples;
};
bool foreign_add_point(struct foreign *foreign, const struct foreign_point *added);

/*
 * What the name of a file says: "all_reduce_2x16.txt" is the operation allreduce of 2 nodes with 16 devices in all. NULL, and
 * 0, where it does not say. The folders are looked at too, but not for shapes.
 */
const char *name_operation(const char *path);
void name_shape(const char *path, unsigned *nodes, unsigned *devices);
bool name_has(const char *path, const char *word); /* in the last part, whatever its case */
/* "all_reduce_perf" or "osu_allreduce" or "Allreduce" in our words; NULL: none of ours. */
const char *operation_of(const char *text);

#endif
