/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the values of options as they are typed. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/option.h"
#include "base/quantity.h"

enum { CHOICES_MAX = 64, LIST_BYTES = 256 };

static double suffix_factor(const char *suffix, size_t length)
{
	static const char letters[] = "kMGTKMB"; /* the last three spell the first three */
	enum { WORDS = 4 };
	const char *const found = length > 0 ? strchr(letters, *suffix) : NULL;
	if (length == 0)
		return 1;
	if (!found || !*found || length > 2 || (length == 2 && (suffix[1] != 'i' || *suffix == 'B')))
		return 0;
	return pow(length == 2 ? 1024 : 1000, (double)((found - letters) % WORDS + 1));
}

bool option_count_parse(const char *text, size_t length, double *value)
{
	char digits[32];
	const size_t span = strspn(text, "0123456789.eE");
	const size_t used = span < length ? span : length;
	if (used == 0 || used >= sizeof digits || !isdigit((unsigned char)text[0]))
		return false;
	memcpy(digits, text, used);
	digits[used] = '\0';
	const char *end = NULL;
	double number = 0;
	if (!decimal_read(digits, 0, &number, &end))
		return false;
	const double factor = suffix_factor(text + used, length - used);
	*value = number * factor;
	return *end == '\0' && factor > 0 && *value <= 9e15 && floor(*value) >= *value;
}

static bool check_range(const struct option_row *row, double value, struct paradl_error *error)
{
	const bool is_limited = row->min < 0 || row->min > 0 || row->max > 0;
	if (!is_limited || (value >= row->min && (row->max <= row->min || value <= row->max)))
		return true;
	if (row->max > row->min)
		return error_set(error, PARADL_USAGE, "--%s must be from %.15g to %.15g, is %.15g", row->name,
			row->min, row->max, value);
	return error_set(
		error, PARADL_USAGE, "--%s must be at least %.15g, is %.15g", row->name, row->min, value);
}

/* Returns the length of "4M tokens" before its unit; 0: it has none. */
static size_t tokens_span(const char *text)
{
	static const char unit[] = "tokens";
	const size_t length = strlen(text), after = sizeof unit - 1;
	if (length <= after || strcmp(text + length - after, unit) != 0)
		return 0;
	return length - after - (length > after && text[length - after - 1] == ' ');
}

static bool store_count(
	const struct option_row *row, const char *text, void *values, struct paradl_error *error)
{
	const size_t tokens = row->offset_tokens > 0 ? tokens_span(text) : 0;
	void *const place = (char *)values + (tokens > 0 ? row->offset_tokens : row->offset);
	void *const other = (char *)values + (tokens > 0 ? row->offset : row->offset_tokens);
	double value = 0;
	if (!option_count_parse(text, tokens > 0 ? tokens : strlen(text), &value))
		return error_set(error, PARADL_USAGE,
			"--%s is '%s', which is not a whole number such as 256, 32k or 1e6%s", row->name,
			text, row->offset_tokens > 0 ? ", or of tokens: '4M tokens'" : "");
	if (!check_range(row, value,
		    error)) /* a refused value is not stored: errors are printed by these options, too */
		return false;
	if (row->offset_tokens > 0) /* the spelling typed last counts */
		*(double *)other = 0;
	*(double *)place = value;
	return true;
}

static bool counts_add(struct option_counts *counts, double value)
{
	size_t place = counts->count;
	while (place > 0 && counts->values[place - 1] > value)
		place--;
	if (place > 0 && counts->values[place - 1] >= value)
		return true;
	if (counts->count == OPTION_COUNTS_MAX)
		return false;
	memmove(&counts->values[place + 1], &counts->values[place],
		(counts->count - place) * sizeof counts->values[0]);
	counts->values[place] = value;
	counts->count++;
	return true;
}

static bool counts_add_range(struct option_counts *counts, double first, double last, double step)
{
	double value = first;
	while (value <= last && counts_add(counts, value))
		value = step > 0 ? value + step : 2 * value;
	return value > last;
}

/* Adds one item of a list: "64", "4..1024" or "4..64+4". False: it is no such item, or there are too many values. */
static bool counts_add_item(struct option_counts *counts, const char *item, size_t length, bool *too_many)
{
	double first = 0, last = 0, step = 0;
	const char *dots = NULL;
	for (size_t i = 0; i + 1 < length && !dots; i++)
		if (item[i] == '.' && item[i + 1] == '.')
			dots = item + i;
	if (!dots) {
		const bool is_count = option_count_parse(item, length, &first);
		*too_many = is_count && !counts_add(counts, first);
		return is_count && !*too_many;
	}
	const char *const end = item + length, *const after = dots + 2;
	const char *const plus = memchr(after, '+', (size_t)(end - after));
	if (!option_count_parse(item, (size_t)(dots - item), &first) || first < 1 ||
		!option_count_parse(after, (size_t)((plus ? plus : end) - after), &last) || last < first)
		return false;
	if (plus && (!option_count_parse(plus + 1, (size_t)(end - plus - 1), &step) || step < 1))
		return false;
	*too_many = !counts_add_range(counts, first, last, step);
	return !*too_many;
}

static bool store_counts(const struct option_row *row, const char *text, struct option_counts *counts,
	struct paradl_error *error)
{
	bool too_many = false;
	counts->count = 0;
	for (const char *item = text;;) {
		const size_t length = strcspn(item, ",");
		if (!counts_add_item(counts, item, length, &too_many))
			break;
		if (!item[length])
			return check_range(row, counts->values[0], error) &&
			       check_range(row, counts->values[counts->count - 1], error);
		item += length + 1;
	}
	if (too_many)
		return error_set(error, PARADL_USAGE, "--%s is '%s', which is more than %d values", row->name,
			text, OPTION_COUNTS_MAX);
	return error_set(error, PARADL_USAGE,
		"--%s is '%s', which is not a count (64), a list (8,16,24), a doubling range (4..1024) or a "
		"stepped one (4..64+4)",
		row->name, text);
}

static bool store_choice(
	const struct option_row *row, const char *text, int *value, struct paradl_error *error)
{
	const char *names[CHOICES_MAX];
	char list[LIST_BYTES] = "";
	size_t count = 0, used = 0;
	for (const char *name; count < CHOICES_MAX && (name = row->choice(count)); count++) {
		names[count] = name;
		if (strcmp(name, text) == 0) {
			*value = (int)count;
			return true;
		}
		const int length =
			snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", name);
		used += length > 0 && (size_t)length < sizeof list - used ? (size_t)length : 0;
	}
	const char *const near = suggest(text, names, count);
	if (near)
		return error_set(error, PARADL_USAGE, "--%s cannot be '%s'; did you mean '%s'?", row->name,
			text, near);
	return error_set(error, PARADL_USAGE, "--%s cannot be '%s': it is one of %s", row->name, text, list);
}

static bool store_ratio(
	const struct option_row *row, const char *text, double *value, struct paradl_error *error)
{
	const char *end = "";
	double number = 0;
	const bool is_number = decimal_read(text, 0, &number, &end);
	const bool is_percent = strcmp(end, "%") == 0;
	if (!is_number || (*end && !is_percent) || !isfinite(number))
		return error_set(error, PARADL_USAGE,
			"--%s is '%s', which is not a share such as 15%% or 0.15", row->name, text);
	const double share = is_percent ? number / 100 : number;
	if (check_range(row, share, error)) {
		*value = share;
		return true;
	}
	if (!is_percent && number > 1 && number <= 100)
		error_hint(error, "did you mean --%s %s%%?", row->name, text);
	return false;
}

static bool store_quantity(
	const struct option_row *row, const char *text, double *value, struct paradl_error *error)
{
	char what[40];
	double quantity = 0;
	snprintf(what, sizeof what, "--%s", row->name);
	if (quantity_parse(text, row->dimension, what, &quantity, error)) {
		if (!check_range(row, quantity, error))
			return false;
		*value = quantity;
		return true;
	}
	if (error)
		error->status = PARADL_USAGE;
	return false;
}

/*
 * Reads what follows an amount: a prefix (k, M, B or G, T), a currency of three capital letters, or both, with blanks
 * between them or not. False: it is something else.
 */
static bool money_end(const char *text, double *factor, char currency[4])
{
	static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *const start = text + strspn(text, " "), *end = start + strlen(start);
	while (end > start && end[-1] == ' ')
		--end;
	const char *name = end;
	while (name > start && strchr(capitals, name[-1]) && end - name < 3)
		--name;
	if (end - name < 3)
		name = end;
	snprintf(currency, 4, "%.*s", (int)(end - name), name);
	while (name > start && name[-1] == ' ')
		--name;
	*factor = suffix_factor(start, (size_t)(name - start));
	return *factor > 0 && name - start < 2;
}

static bool store_money(const struct option_row *row, const char *text, struct option_money *money,
	struct paradl_error *error)
{
	struct option_money read;
	const char *end = "";
	double factor = 0;
	if (!decimal_read(text, 0, &read.amount, &end) || !money_end(end, &factor, read.currency) ||
		!isfinite(read.amount * factor))
		return error_set(error, PARADL_USAGE,
			"--%s is '%s', which is not an amount of money such as 250k, '3M USD' or '500 kUSD'",
			row->name, text);
	read.amount *= factor;
	if (!check_range(row, read.amount, error))
		return false;
	*money = read;
	return true;
}

static bool store_texts(const struct option_row *row, const char *text, struct option_texts *texts,
	struct paradl_error *error)
{
	if (texts->count == OPTION_TEXTS_MAX)
		return error_set(error, PARADL_USAGE, "--%s is there more than %d times", row->name,
			(int)OPTION_TEXTS_MAX);
	texts->items[texts->count++] = text;
	return true;
}

bool option_store(const struct option_row *row, const char *text, void *values, struct paradl_error *error)
{
	void *const place = (char *)values + row->offset;
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)place = true;
		return true;
	case OPTION_TEXT:
	case OPTION_OPTIONAL_TEXT:
		*(const char **)place = text;
		return true;
	case OPTION_TEXTS:
		return store_texts(row, text, place, error);
	case OPTION_COUNT:
		return store_count(row, text, values, error);
	case OPTION_COUNTS:
		return store_counts(row, text, place, error);
	case OPTION_CHOICE:
		return store_choice(row, text, place, error);
	case OPTION_RATIO:
		return store_ratio(row, text, place, error);
	case OPTION_QUANTITY:
		return store_quantity(row, text, place, error);
	case OPTION_MONEY:
		return store_money(row, text, place, error);
	}
	return error_set(error, PARADL_USAGE, "--%s has no kind", row->name);
}
