/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include "paradl/files.h"

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

#endif
