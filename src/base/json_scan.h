/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grammar of RFC 8259 and nothing more lenient: json_scan finds the first fault of a text before cJSON reads it.
 */
#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct json_fault {
	size_t offset;
	char message[160];
};
/*
 * Checks a text; false, with the fault, if it is not JSON. Arrays and objects may nest `depth` deep; `values` is the
 * most values that there may be.
 */
bool json_scan(const char *text, size_t length, unsigned depth, size_t values, struct json_fault *fault);

#endif
