/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include "paradl/files.h"

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>

/* Dimensions of the quantities that files and options hold; the base unit is the SI one. */
enum dimension {
	DIMENSION_NONE,        /* a bare number */
	DIMENSION_TIME,        /* s: ns us ms s min h d */
	DIMENSION_BYTES,       /* B kB MB GB TB PB KiB MiB GiB TiB */
	DIMENSION_BYTES_PER_S, /* B/s with prefixes; b/s with prefixes: bits */
	DIMENSION_FLOP,        /* flop with k..E */
	DIMENSION_FLOP_PER_S,  /* flop/s with k..E */
	DIMENSION_POWER,       /* W kW MW */
	DIMENSION_RATE,        /* /s /min /h */
	DIMENSION_COUNT
};

/*
 * Reads a quantity with its unit: "12.5 GB/s" is 1.25e10. A bare number where a unit is needed, a wrong unit, a
 * spelling such as Gbps, a negative or infinite value and NaN are errors whose message says what to write instead
 * ('bandwidth needs a unit: write "12.5 GB/s" (bytes) or "100 Gb/s" (bits)'). `what` names the quantity in the
 * message.
 */
bool quantity_parse(const char *text, enum dimension dimension, const char *what, double *value,
	struct paradl_error *error);

/* Writes a quantity with three significant digits and a prefix: "34.7 s", "9.80 GiB", "12.5 GB/s"; returns `text`. */
const char *quantity_format(char *text, size_t size, double value, enum dimension dimension);

/* Returns every unit that is accepted, for `paradl list units`. */
const struct paradl_entry *quantity_units(size_t *count);

/* Decimal numbers as files write them, with '.' whatever the locale of the process. */

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

enum { COUNT_TEXT = 12 }; /* the digits of an unsigned number, a character, the NUL */
/* Writes a number and the character after it; returns where it begins in `text`. Networks have too many for printf. */
const char *decimal_count(char text[COUNT_TEXT], unsigned number, char after);

/*
 * The locale of numbers in this thread, whatever the locale of the process: between numbers_begin and numbers_end,
 * printf and strtod work as in the locale C. A host of the library may have any locale, and gets the same bytes.
 */
struct numbers {
	locale_t own, before;
};
void numbers_begin(struct numbers *numbers);
void numbers_end(struct numbers *numbers);

#endif
