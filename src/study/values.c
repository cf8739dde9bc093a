/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "base/quantity.h"

enum { NUMBER_BYTES = 48 };
static const double last_tolerance =
	1e-9; /* share of a step by which the last value of a range may be missed */

struct reader {
	struct paradl_arena *arena;
	const char *what;
	struct values *values;
	struct paradl_error *error;
};

static bool add(const struct reader *reader, const char *item)
{
	struct values *const values = reader->values;
	if (values->count == VALUES_MAX)
		return error_set(reader->error, PARADL_USAGE, "%s has more than %d values", reader->what,
			(int)VALUES_MAX);
	const char **const place = item ? LIST_ADD(reader->arena, values->items, values->count) : NULL;
	if (!place)
		return out_of_memory(reader->error);
	*place = item;
	return true;
}

/* A number such as "x0.5", "12.5 GB/s" or "32k": its sign of multiplication, value and unit. */
struct number {
	bool is_factor;
	double value;
	char unit[NUMBER_BYTES];
};

/* Reads a number. Thousands are multiplied out, so that 1k..4k are whole numbers; units stay. False: it is none. */
static bool read_number(const char *text, size_t length, struct number *number)
{
	char copy[NUMBER_BYTES];
	const char *end = "";
	*number = (struct number){.is_factor = *text == 'x'};
	text += number->is_factor;
	length -= number->is_factor;
	if (length >= sizeof copy)
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (option_count_parse(copy, length, &number->value))
		return true;
	if (!decimal_read(copy, 0, &number->value, &end) || strpbrk(end, "+*"))
		return false;
	snprintf(number->unit, sizeof number->unit, "%s", end);
	return true;
}

static bool add_number(const struct reader *reader, const struct number *form, double value)
{
	char digits[DECIMAL_LENGTH];
	decimal_general(digits, sizeof digits, value, 15);
	/* 1e+06 becomes 1e6, as people write it. */
	char *const plus = strstr(digits, "e+");
	if (plus)
		memmove(plus + 1, plus + 2, strlen(plus + 2) + 1);
	return add(reader,
		arena_printf(reader->arena, "%s%s%s", form->is_factor ? "x" : "", digits, form->unit));
}

static bool refuse(const struct reader *reader, const char *item, size_t length)
{
	error_set(reader->error, PARADL_USAGE, "%s cannot be '%.*s'", reader->what,
		(int)(length < NUMBER_BYTES ? length : NUMBER_BYTES), item);
	error_hint(reader->error,
		"ranges are 4..1024 (doubling), 4..64+4 (stepping), 1..1000*10 (by a factor), "
		"x0.5..x4 or 25 GB/s..100 GB/s");
	return false;
}

static bool add_range(
	const struct reader *reader, const struct number *first, double last, char sign, double step)
{
	const double most = sign == '+' ? last + last_tolerance * step : last * (1 + last_tolerance);
	double value = first->value;
	for (size_t i = 1; value <= most; ++i) {
		if (!add_number(reader, first, value))
			return false;
		value = sign == '+' ? first->value + (double)i * step : value * step;
	}
	return true;
}

/* Reads a range such as "4..64+4"; the unit may stand at the end only. False: error is set. */
static bool read_range(const struct reader *reader, const char *item, size_t length, const char *dots)
{
	const char *const after = dots + 2, *end = item + length;
	struct number first, last;
	char sign = '*';
	double step = 2;
	const char *mark = after + strcspn(after, "+*,");
	if (mark < end) {
		struct number by;
		sign = *mark;
		if (!read_number(mark + 1, (size_t)(end - mark - 1), &by) || by.is_factor || *by.unit)
			return refuse(reader, item, length);
		step = by.value;
		end = mark;
	}
	if (!read_number(item, (size_t)(dots - item), &first) ||
		!read_number(after, (size_t)(end - after), &last))
		return refuse(reader, item, length);
	if (!*first.unit)
		memcpy(first.unit, last.unit, sizeof first.unit);
	if (first.is_factor != last.is_factor || strcmp(first.unit, last.unit) != 0 ||
		!(last.value >= first.value) || !(step > (sign == '*')) ||
		(sign == '*' && !(first.value > 0)))
		return refuse(reader, item, length);
	return add_range(reader, &first, last.value, sign, step);
}

/* Returns the length up to the next comma that is not inside of JSON. */
static size_t item_length(const char *text)
{
	int depth = 0;
	size_t length = 0;
	for (bool quoted = false; text[length] && (text[length] != ',' || depth > 0 || quoted); ++length) {
		if (text[length] == '"')
			quoted = !quoted;
		else if (!quoted)
			depth += (text[length] == '[' || text[length] == '{') -
				 (text[length] == ']' || text[length] == '}');
	}
	return length;
}

static const char *find_dots(const char *text, size_t length)
{
	if (*text == '[' || *text == '{' || *text == '"' || *text == '.' || *text == '/')
		return NULL;
	for (size_t i = 1; i + 2 < length; ++i)
		if (text[i] == '.' && text[i + 1] == '.' && text[i + 2] != '/' && text[i - 1] != '/')
			return text + i;
	return NULL;
}

bool values_read(struct paradl_arena *arena, const char *what, const char *text, struct values *values,
	struct paradl_error *error)
{
	const struct reader reader = {arena, what, values, error};
	*values = (struct values){.count = 0};
	for (const char *item = text;;) {
		item += strspn(item, " ");
		const size_t length = item_length(item);
		const char *const dots = find_dots(item, length);
		if (length == 0)
			return error_set(error, PARADL_USAGE, "%s has an empty value", what);
		if (!(dots ? read_range(&reader, item, length, dots)
			   : add(&reader, arena_copy(arena, item, length))))
			return false;
		if (!item[length])
			return true;
		item += length + 1;
	}
}

static bool number_of(const char *text, enum value_form form, enum dimension dimension, double *number)
{
	const char *end = "";
	switch (form) {
	case VALUE_NUMBER:
		return option_count_parse(text, strlen(text), number) ||
		       (decimal_read(text, 0, number, &end) && !*end);
	case VALUE_FACTOR:
		return *text == 'x' && decimal_read(text + 1, 0, number, &end) && !*end;
	case VALUE_QUANTITY:
		return quantity_parse(text, dimension, "value", number, NULL);
	case VALUE_TEXT:
		break;
	}
	return false;
}

double value_number(const char *text)
{
	double number;
	return number_of(text, VALUE_NUMBER, DIMENSION_NONE, &number) ? number : -1;
}

static bool all_are(
	const struct values *values, enum value_form form, enum dimension dimension, double *numbers)
{
	for (size_t i = 0; i < values->count; ++i)
		if (!number_of(values->items[i], form, dimension, &numbers[i]) || !isfinite(numbers[i]))
			return false;
	return true;
}

bool values_numbers(struct paradl_arena *arena, const struct values *values, struct value_numbers *numbers)
{
	double *const items = arena_alloc(arena, values->count, sizeof *items);
	if (!items)
		return false;
	*numbers = (struct value_numbers){.form = VALUE_TEXT};
	for (int form = VALUE_NUMBER; form <= VALUE_FACTOR; ++form)
		if (all_are(values, (enum value_form)form, DIMENSION_NONE, items)) {
			*numbers = (struct value_numbers){(enum value_form)form, DIMENSION_NONE, items};
			return true;
		}
	for (int dimension = DIMENSION_TIME; dimension < DIMENSION_COUNT; ++dimension)
		if (all_are(values, VALUE_QUANTITY, (enum dimension)dimension, items)) {
			*numbers = (struct value_numbers){VALUE_QUANTITY, (enum dimension)dimension, items};
			return true;
		}
	return true;
}
