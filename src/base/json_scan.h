/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of RFC 8259 and nothing more lenient: finds the first fault of a text before cJSON sees it. */
#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct json_fault {
	size_t offset;
	char message[160];
};
/* `depth`: how deep arrays and objects may nest; `values`: how many values there may be. */
bool json_scan(const char *text, size_t length, unsigned depth, size_t values, struct json_fault *fault);

#endif
