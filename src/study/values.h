/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads values as text: a list with commas, whose items are texts as they are or ranges of numbers. The
 * ends of a range have the same sign of multiplication and unit:
 *     4..1024            doubling           x0.5..x4           25 GB/s..100 GB/s
 *     4..64+4            stepping           x0.8..x1.2+0.1
 *     1k..1M*10          by a factor
 */
#ifndef STUDY_VALUES_H
#define STUDY_VALUES_H

#include "base/quantity.h"

enum { VALUES_MAX = 1000000 };

struct values {
	const char **items;
	size_t count;
};

/* Reads a list of values; `what` says whose values they are, for messages. False: error is set. */
bool values_read(struct paradl_arena *arena, const char *what, const char *text, struct values *values,
	struct paradl_error *error);

/* The form that all values have, and their numbers. */
enum value_form { VALUE_TEXT, VALUE_NUMBER, VALUE_FACTOR, VALUE_QUANTITY };
struct value_numbers {
	enum value_form form;
	enum dimension dimension; /* dimension of quantities */
	double *items;            /* numbers in SI units; NULL: values are texts */
};
/* Finds the form of values and fills their numbers. False only when out of memory. */
bool values_numbers(struct paradl_arena *arena, const struct values *values, struct value_numbers *numbers);

#endif
