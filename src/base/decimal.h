/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal numbers as files write them, with '.' whatever the locale of the process. */
#ifndef BASE_DECIMAL_H
#define BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

enum { DECIMAL_LENGTH = 64 }; /* characters of the longest number read, and enough to write any */

/*
 * Reads digits, optionally '.' and digits, optionally e, a sign and digits; no sign in front. The value is the double
 * nearest to number * 10^exponent (infinite when too large). *end is the text after it. Returns false where there is
 * no such number, or one of DECIMAL_LENGTH characters or more.
 */
bool decimal_read(const char *text, int exponent, double *value, const char **end);

/* Writes the shortest of 15 to 17 significant digits that reads back equal; returns `text`. */
const char *decimal_shortest(char *text, size_t size, double value);
/* Writes `places` digits after the point; returns `text`. */
const char *decimal_fixed(char *text, size_t size, double value, int places);
/* Writes `digits` significant digits without trailing zeros; returns `text`. */
const char *decimal_general(char *text, size_t size, double value, int digits);

#endif
