/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_JSON_LOCATE_H
#define BASE_JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds line and column, both 1-based, of the value at an RFC 6901 pointer; false (and 0, 0) if it does not exist.
 * Runs on the error path only.
 */
bool json_locate(const char *text, size_t length, const char *pointer, int *line, int *column);
/*
 * Finds the same by the places of the values in their parents, outermost first, and so the second of two equal keys,
 * too.
 */
bool json_locate_child(
	const char *text, size_t length, const unsigned *indices, size_t depth, int *line, int *column);
/* Finds the text of the value at a pointer, `size` bytes at `offset`; false if it does not exist. */
bool json_locate_text(const char *text, size_t length, const char *pointer, size_t *offset, size_t *size);
/* Finds line and column (counted in characters, not bytes) of a byte offset. */
void json_position(const char *text, size_t length, size_t offset, int *line, int *column);

#endif
