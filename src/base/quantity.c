/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* Units: name, meaning, dimension, power of ten, further factor; ascending within a dimension. */
#define UNITS(X)                                                                                             \
	X("ns", "nanoseconds", DIMENSION_TIME, -9, 1)                                                        \
	X("us", "microseconds", DIMENSION_TIME, -6, 1)                                                       \
	X("ms", "milliseconds", DIMENSION_TIME, -3, 1)                                                       \
	X("s", "seconds", DIMENSION_TIME, 0, 1)                                                              \
	X("min", "minutes of 60 s", DIMENSION_TIME, 0, 60)                                                   \
	X("h", "hours of 60 min", DIMENSION_TIME, 0, 3600)                                                   \
	X("d", "days of 24 h", DIMENSION_TIME, 0, 86400)                                                     \
	X("B", "bytes", DIMENSION_BYTES, 0, 1)                                                               \
	X("kB", "10^3 bytes", DIMENSION_BYTES, 3, 1)                                                         \
	X("MB", "10^6 bytes", DIMENSION_BYTES, 6, 1)                                                         \
	X("GB", "10^9 bytes", DIMENSION_BYTES, 9, 1)                                                         \
	X("TB", "10^12 bytes", DIMENSION_BYTES, 12, 1)                                                       \
	X("PB", "10^15 bytes", DIMENSION_BYTES, 15, 1)                                                       \
	X("KiB", "2^10 bytes", DIMENSION_BYTES, 0, 1024)                                                     \
	X("MiB", "2^20 bytes", DIMENSION_BYTES, 0, 1048576)                                                  \
	X("GiB", "2^30 bytes", DIMENSION_BYTES, 0, 1073741824)                                               \
	X("TiB", "2^40 bytes", DIMENSION_BYTES, 0, 1099511627776)                                            \
	X("B/s", "bytes per second", DIMENSION_BYTES_PER_S, 0, 1)                                            \
	X("kB/s", "10^3 bytes per second", DIMENSION_BYTES_PER_S, 3, 1)                                      \
	X("MB/s", "10^6 bytes per second", DIMENSION_BYTES_PER_S, 6, 1)                                      \
	X("GB/s", "10^9 bytes per second", DIMENSION_BYTES_PER_S, 9, 1)                                      \
	X("TB/s", "10^12 bytes per second", DIMENSION_BYTES_PER_S, 12, 1)                                    \
	X("PB/s", "10^15 bytes per second", DIMENSION_BYTES_PER_S, 15, 1)                                    \
	X("KiB/s", "2^10 bytes per second", DIMENSION_BYTES_PER_S, 0, 1024)                                  \
	X("MiB/s", "2^20 bytes per second", DIMENSION_BYTES_PER_S, 0, 1048576)                               \
	X("GiB/s", "2^30 bytes per second", DIMENSION_BYTES_PER_S, 0, 1073741824)                            \
	X("TiB/s", "2^40 bytes per second", DIMENSION_BYTES_PER_S, 0, 1099511627776)                         \
	X("b/s", "bits per second (8 bits are a byte)", DIMENSION_BYTES_PER_S, 0, 0.125)                     \
	X("kb/s", "10^3 bits per second", DIMENSION_BYTES_PER_S, 3, 0.125)                                   \
	X("Mb/s", "10^6 bits per second", DIMENSION_BYTES_PER_S, 6, 0.125)                                   \
	X("Gb/s", "10^9 bits per second", DIMENSION_BYTES_PER_S, 9, 0.125)                                   \
	X("Tb/s", "10^12 bits per second", DIMENSION_BYTES_PER_S, 12, 0.125)                                 \
	X("flop", "floating-point operations; multiply and add are two", DIMENSION_FLOP, 0, 1)               \
	X("kflop", "10^3 operations", DIMENSION_FLOP, 3, 1)                                                  \
	X("Mflop", "10^6 operations", DIMENSION_FLOP, 6, 1)                                                  \
	X("Gflop", "10^9 operations", DIMENSION_FLOP, 9, 1)                                                  \
	X("Tflop", "10^12 operations", DIMENSION_FLOP, 12, 1)                                                \
	X("Pflop", "10^15 operations", DIMENSION_FLOP, 15, 1)                                                \
	X("Eflop", "10^18 operations", DIMENSION_FLOP, 18, 1)                                                \
	X("flop/s", "floating-point operations per second", DIMENSION_FLOP_PER_S, 0, 1)                      \
	X("kflop/s", "10^3 operations per second", DIMENSION_FLOP_PER_S, 3, 1)                               \
	X("Mflop/s", "10^6 operations per second", DIMENSION_FLOP_PER_S, 6, 1)                               \
	X("Gflop/s", "10^9 operations per second", DIMENSION_FLOP_PER_S, 9, 1)                               \
	X("Tflop/s", "10^12 operations per second", DIMENSION_FLOP_PER_S, 12, 1)                             \
	X("Pflop/s", "10^15 operations per second", DIMENSION_FLOP_PER_S, 15, 1)                             \
	X("Eflop/s", "10^18 operations per second", DIMENSION_FLOP_PER_S, 18, 1)                             \
	X("W", "watt", DIMENSION_POWER, 0, 1)                                                                \
	X("kW", "10^3 watt", DIMENSION_POWER, 3, 1)                                                          \
	X("MW", "10^6 watt", DIMENSION_POWER, 6, 1)                                                          \
	X("/h", "so many an hour", DIMENSION_RATE, 0, 1 / 3600.0)                                            \
	X("/min", "so many a minute", DIMENSION_RATE, 0, 1 / 60.0)                                           \
	X("/s", "so many a second", DIMENSION_RATE, 0, 1)

struct unit {
	enum dimension dimension;
	int exponent;
	double factor;
};

#define ENTRY(name, summary, dimension, exponent, factor) {name, summary},
#define UNIT(name, summary, dimension, exponent, factor)  {dimension, exponent, factor},
static const struct paradl_entry entries[] = {UNITS(ENTRY)};
static const struct unit units[] = {UNITS(UNIT)};
#undef ENTRY
#undef UNIT

enum { UNIT_COUNT = sizeof units / sizeof units[0], SPELLING_LENGTH = 24 };

static const struct dimension_words {
	const char *name, *example;
} words[DIMENSION_COUNT] = {
	[DIMENSION_NONE] = {"a bare number", "write \"12.5\""},
	[DIMENSION_TIME] = {"a time", "write \"1.5 us\", \"20 ms\", \"30 min\", \"3 h\" or \"30 d\""},
	[DIMENSION_BYTES] = {"a number of bytes", "write \"16 GiB\" or \"25 MB\""},
	[DIMENSION_BYTES_PER_S] = {"a bandwidth", "write \"12.5 GB/s\" (bytes) or \"100 Gb/s\" (bits)"},
	[DIMENSION_FLOP] = {"a number of operations", "write \"7.7 Gflop\""},
	[DIMENSION_FLOP_PER_S] = {"a computing rate", "write \"312 Tflop/s\""},
	[DIMENSION_POWER] = {"a power", "write \"300 W\""},
	[DIMENSION_RATE] = {"a rate", "write \"50/s\""},
};

const struct paradl_entry *quantity_units(size_t *count)
{
	*count = UNIT_COUNT;
	return entries;
}

const struct paradl_entry *paradl_units(size_t *count)
{
	return quantity_units(count);
}

static const struct unit *find_unit(const char *name)
{
	for (size_t i = 0; i < UNIT_COUNT; i++)
		if (strcmp(entries[i].name, name) == 0)
			return &units[i];
	return NULL;
}

static const struct {
	const char *spelling, *unit;
} aliases[] = {
	{"sec", "s"},
	{"secs", "s"},
	{"second", "s"},
	{"seconds", "s"},
	{"nsec", "ns"},
	{"usec", "us"},
	{"msec", "ms"},
	{"minute", "min"},
	{"minutes", "min"},
	{"mins", "min"},
	{"hr", "h"},
	{"hrs", "h"},
	{"hour", "h"},
	{"hours", "h"},
	{"day", "d"},
	{"days", "d"},
	{"byte", "b"},
	{"bytes", "b"},
	{"watt", "w"},
	{"watts", "w"},
	{"k", "kb"},
	{"m", "mb"},
	{"g", "gb"},
	{"t", "tb"},
	{"ki", "kib"},
	{"mi", "mib"},
	{"gi", "gib"},
	{"ti", "tib"},
};

static void replace_end(char *text, const char *end, const char *replacement)
{
	const size_t length = strlen(text), old = strlen(end);
	if (length >= old && strcmp(text + length - old, end) == 0)
		memcpy(text + length - old, replacement, strlen(replacement) + 1);
}

/*
 * Reduces a unit to what its spellings have in common: lower case, "/s" for "ps", no plural, u for the Greek letter.
 */
static void normalise(char spelling[SPELLING_LENGTH], const char *text, enum dimension dimension)
{
	size_t length = 0;
	for (; *text && length + 2 < SPELLING_LENGTH; text++) {
		const unsigned char c = (unsigned char)*text;
		if ((c == 0xc2 && (unsigned char)text[1] == 0xb5) ||
			(c == 0xce && (unsigned char)text[1] == 0xbc)) {
			spelling[length++] = 'u';
			text++;
		} else if (!isspace(c)) {
			spelling[length++] = (char)tolower(c);
		}
	}
	spelling[length] = '\0';
	for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
		if (strcmp(spelling, aliases[i].spelling) == 0)
			memcpy(spelling, aliases[i].unit, strlen(aliases[i].unit) + 1);
	replace_end(spelling, "/sec", "/s");
	replace_end(spelling, "flops/s", "flop/s");
	replace_end(spelling, "flops", dimension == DIMENSION_FLOP ? "flop" : "flop/s");
	replace_end(spelling, "bps", "b/s");
}

static bool is_spelling_of(const char *spelling, const char *name)
{
	for (; *name && *spelling == tolower((unsigned char)*name); name++)
		spelling++;
	return *name == '\0' && *spelling == '\0';
}

/*
 * Sets the error of a wrong unit; returns false. "Gbps" may mean bytes or bits, so up to two units are offered; only
 * those of bandwidth come in twos.
 */
static bool refuse_unit(
	const char *unit, enum dimension dimension, const char *what, struct paradl_error *error)
{
	char spelling[SPELLING_LENGTH], quoted[48];
	const char *near[2] = {NULL, NULL};
	size_t count = 0;
	normalise(spelling, unit, dimension);
	for (size_t i = 0; i < UNIT_COUNT && count < 2; i++)
		if (units[i].dimension == dimension && is_spelling_of(spelling, entries[i].name))
			near[count++] = entries[i].name;
	error_quote(quoted, sizeof quoted, unit);
	if (count == 2)
		return error_set(error, PARADL_SCHEMA,
			"%s has the unit %s: write \"%s\" (bytes) or \"%s\" (bits)", what, quoted, near[0],
			near[1]);
	if (count == 1)
		return error_set(
			error, PARADL_SCHEMA, "%s has the unit %s: write \"%s\"", what, quoted, near[0]);
	const struct unit *const other = find_unit(unit);
	return error_set(error, PARADL_SCHEMA, "%s has the unit %s, which is %s: %s", what, quoted,
		other ? words[other->dimension].name : "not known", words[dimension].example);
}

static const char *skip_spaces(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

static bool refuse_number(
	const char *text, enum dimension dimension, const char *what, struct paradl_error *error)
{
	char quoted[64];
	error_quote(quoted, sizeof quoted, text);
	if (*text == '-')
		return error_set(error, PARADL_SCHEMA, "%s must not be negative, is %s", what, quoted);
	if (find_unit(text))
		return error_set(error, PARADL_SCHEMA, "%s has a unit but no number, is %s: %s", what, quoted,
			words[dimension].example);
	return error_set(error, PARADL_SCHEMA, "%s must start with a number such as 12.5 or 1e9, is %s: %s",
		what, quoted, words[dimension].example);
}

static bool copy_unit(const char *text, char *name, size_t size)
{
	size_t length = strlen(text);
	while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		length--;
	if (length >= size)
		return false;
	memcpy(name, text, length);
	name[length] = '\0';
	return true;
}

bool quantity_parse(const char *text, enum dimension dimension, const char *what, double *value,
	struct paradl_error *error)
{
	static const struct unit none = {DIMENSION_NONE, 0, 1};
	const char *const start = skip_spaces(text), *rest;
	double number;
	char name[SPELLING_LENGTH];
	if (!decimal_read(start, 0, &number, &rest))
		return refuse_number(start, dimension, what, error);
	rest = skip_spaces(rest);
	if (*rest == ',')
		return error_set(error, PARADL_SCHEMA,
			"%s has a ',' after its digits: write the decimal point as '.'", what);
	if (!copy_unit(rest, name, sizeof name))
		return refuse_unit(rest, dimension, what, error);
	const struct unit *const unit = *name ? find_unit(name) : &none;
	if (!unit || unit->dimension != dimension) {
		if (*name)
			return refuse_unit(name, dimension, what, error);
		return error_set(error, PARADL_SCHEMA, "%s needs a unit: %s", what, words[dimension].example);
	}
	if (!decimal_read(start, unit->exponent, &number, &rest) || !isfinite(number * unit->factor)) {
		char quoted[64];
		error_quote(quoted, sizeof quoted, start);
		return error_set(error, PARADL_SCHEMA, "%s is too large: %s", what, quoted);
	}
	*value = number * unit->factor;
	return true;
}

static bool is_shown(const struct unit *unit, enum dimension dimension)
{
	if (unit->dimension != dimension || unit->factor < 1)
		return false;
	if (dimension == DIMENSION_BYTES)
		return unit->exponent == 0;
	return dimension == DIMENSION_TIME || unit->factor <= 1;
}

/*
 * Writes `figures` with three significant digits (9.80, 98.0, 980), or with all that stand before the point up to
 * 99999.
 */
static void format_figures(char *text, size_t size, double figures)
{
	if (figures >= 99999.5 || figures < 0.995)
		decimal_general(text, size, figures, 3);
	else
		decimal_fixed(text, size, figures, figures < 9.995 ? 2 : figures < 99.95 ? 1 : 0);
}

/* Returns the largest number that is shown in a unit before the next unit takes over, as it would be printed. */
static double most_figures(double size, double next_size)
{
	const double ratio = next_size / size;
	return ratio < 99.5 ? ratio - 0.05 : ratio - 0.5;
}

const char *quantity_format(char *text, size_t size, double value, enum dimension dimension)
{
	char figures[DECIMAL_LENGTH];
	const double magnitude = fabs(value), choosing = magnitude > 0 ? magnitude : 1;
	size_t best = UNIT_COUNT;
	double best_size = 1;
	if (!isfinite(value)) {
		snprintf(text, size, "?");
		return text;
	}
	for (size_t i = 0; i < UNIT_COUNT; i++) {
		if (!is_shown(&units[i], dimension))
			continue;
		const double unit_size = units[i].factor * pow(10, units[i].exponent);
		if (best < UNIT_COUNT && choosing / best_size < most_figures(best_size, unit_size))
			break;
		best = i;
		best_size = unit_size;
	}
	format_figures(figures, sizeof figures, magnitude / best_size);
	snprintf(text, size, "%s%s%s%s", value < 0 ? "-" : "", figures, best < UNIT_COUNT ? " " : "",
		best < UNIT_COUNT ? entries[best].name : "");
	return text;
}
