/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_JSON_LOCATE_H
#define BASE_JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

/* 1-based line and column of the value at an RFC 6901 pointer; false (and 0, 0) if it is not there. Runs on the error path only. */
bool json_locate(const char *text, size_t length, const char *pointer, int *line, int *column);
/* The same by the places of the values in their parents, outermost first: finds the second of two equal keys too. */
bool json_locate_child(
	const char *text, size_t length, const unsigned *indices, size_t depth, int *line, int *column);
/* The text of that value: `size` bytes at `offset`. */
bool json_locate_text(const char *text, size_t length, const char *pointer, size_t *offset, size_t *size);
/* Line and column (counted in characters, not bytes) of a byte offset. */
void json_position(const char *text, size_t length, size_t offset, int *line, int *column);

#endif
