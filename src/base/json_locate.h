/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_JSON_LOCATE_H
#define BASE_JSON_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

/* 1-based line and column of the value at an RFC 6901 pointer; false (and 0, 0) if it is not there. Runs on the error path only. */
bool json_locate(const char *text, size_t length, const char *pointer, int *line, int *column);
/* Line and column (counted in characters, not bytes) of a byte offset. */
void json_position(const char *text, size_t length, size_t offset, int *line, int *column);

#endif
