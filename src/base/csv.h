/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/arena.h"

/*
 * A CSV file by RFC 4180: quoted fields, "" inside them, CRLF or LF; lines that start with '#' before the header are
 * comments. Empty lines are skipped. A row with more or fewer fields than the header is an error, and so are two
 * columns of one name.
 */
struct csv {
	const char *path;
	size_t columns, rows;
	const char *const *header; /* names of the columns */
	const char *const *cells;  /* rows * columns cells, row by row */
	const int *lines;          /* line of each row in the file, 1-based */
};
bool csv_load(struct paradl_arena *arena, const char *path, struct csv *csv, struct paradl_error *error);
bool csv_parse(struct paradl_arena *arena, const char *text, size_t length, const char *path, struct csv *csv,
	struct paradl_error *error);
/* Returns the cell of a row under a column name; "" when there is no such column. */
const char *csv_cell(const struct csv *csv, size_t row, const char *column);

#endif
