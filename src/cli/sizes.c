/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sizes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { TEXT_BYTES = 48 };

static const double most_bytes = 1e15, factor_least = 1.01;

static bool wrong(const char *text, struct paradl_error *error)
{
	char quoted[TEXT_BYTES];
	error_set(error, PARADL_USAGE, "--bytes: %s is not a size", error_quote(quoted, sizeof quoted, text));
	error_hint(error, "write 64K, 1e6, \"100 MB\", a list 1K,1M or a range 1K..1G (doubling), 1K..1G*4");
	return false;
}

static bool too_many(struct paradl_error *error)
{
	return error_set(error, PARADL_USAGE, "--bytes: at most %d sizes are possible", SIZES_MAX);
}

static void skip_spaces(const char **at)
{
	*at += strspn(*at, " ");
}

/* Multiplies by the power of ten of an exponent such as "e6", if there is one; "EB" would be a unit. */
static void exponent(const char **at, double *value)
{
	enum { POWER_MOST = 30 };
	unsigned power = 0;
	const char *digit = *at + 1;
	if ((**at != 'e' && **at != 'E') || *digit < '0' || *digit > '9')
		return;
	for (; *digit >= '0' && *digit <= '9'; digit++)
		if (power <= POWER_MOST)
			power = 10 * power + (unsigned)(*digit - '0');
	for (unsigned i = 0; i < power && i < POWER_MOST; i++)
		*value *= 10;
	*at = digit;
}

/* Reads digits with a fraction and an exponent; the locale's decimal point plays no part, and ".." is a range's. */
static bool number(const char **at, double *value)
{
	const char *const start = *at;
	for (*value = 0; **at >= '0' && **at <= '9'; ++*at)
		*value = 10 * *value + (**at - '0');
	if (**at == '.' && (*at)[1] >= '0' && (*at)[1] <= '9') {
		double scale = 0.1;
		for (++*at; **at >= '0' && **at <= '9'; ++*at) {
			*value += (**at - '0') * scale;
			scale /= 10;
		}
	}
	if (*at == start)
		return false;
	exponent(at, value);
	return true;
}

static bool unit(const char **at, double *factor)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {/* units with longer names first */
		{"KiB", 1024.}, {"MiB", 1048576.}, {"GiB", 1073741824.}, {"TiB", 1099511627776.}, {"kB", 1e3},
		{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"Ki", 1024.}, {"Mi", 1048576.},
		{"Gi", 1073741824.}, {"K", 1024.}, {"k", 1024.}, {"M", 1048576.}, {"m", 1048576.},
		{"G", 1073741824.}, {"g", 1073741824.}, {"T", 1099511627776.}, {"t", 1099511627776.},
		{"B", 1}};
	*factor = 1;
	skip_spaces(at);
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
		const size_t length = strlen(units[i].name);
		if (strncmp(*at, units[i].name, length) != 0)
			continue;
		*at += length;
		*factor = units[i].factor;
		break;
	}
	skip_spaces(at);
	return **at == '\0' || **at == ',' || **at == '*' || strncmp(*at, "..", 2) == 0;
}

static bool size_parse(const char **at, double *bytes, struct paradl_error *error)
{
	double factor = 1;
	skip_spaces(at);
	const char *const start = *at;
	if (!number(at, bytes) || !unit(at, &factor))
		return wrong(start, error);
	*bytes *= factor;
	if (!(*bytes >= 1))
		return error_set(error, PARADL_USAGE, "--bytes: a size is at least 1 byte");
	return *bytes <= most_bytes || error_set(error, PARADL_USAGE, "--bytes: a size is at most 1000 TB");
}

bool sizes_add(struct sizes *sizes, double bytes)
{
	size_t at = sizes->count;
	while (at > 0 && sizes->bytes[at - 1] > bytes)
		at--;
	if (at > 0 && !(sizes->bytes[at - 1] < bytes))
		return true;
	if (sizes->count == SIZES_MAX)
		return false;
	memmove(sizes->bytes + at + 1, sizes->bytes + at, (sizes->count - at) * sizeof *sizes->bytes);
	sizes->bytes[at] = bytes;
	sizes->count++;
	return true;
}

/* Reads what follows "LOW", "..HIGH" or "..HIGH*FACTOR", and adds the sizes of the range. */
static bool range_parse(const char **at, double low, struct sizes *sizes, struct paradl_error *error)
{
	double high = 0, factor = 2;
	*at += 2;
	if (!size_parse(at, &high, error))
		return false;
	if (**at == '*') {
		const char *const text = ++*at;
		if (!number(at, &factor) || factor < factor_least) {
			char quoted[TEXT_BYTES];
			error_set(error, PARADL_USAGE,
				"--bytes: %s is not a factor from one size to the next",
				error_quote(quoted, sizeof quoted, text));
			error_hint(error, "write a number of at least %g after the *, as in 1K..1G*4",
				factor_least);
			return false;
		}
	}
	if (high < low)
		return error_set(
			error, PARADL_USAGE, "--bytes: a range goes from the lesser size to the greater");
	double bytes = low;
	while (bytes <= high * (1 + 1e-9)) {
		if (!sizes_add(sizes, bytes))
			return too_many(error);
		bytes *= factor;
	}
	return true;
}

bool sizes_parse(const char *text, struct sizes *sizes, struct paradl_error *error)
{
	const char *at = text;
	sizes->count = 0;
	for (;;) {
		double bytes = 0;
		const char *const start = at;
		if (!size_parse(&at, &bytes, error))
			return false;
		if (strncmp(at, "..", 2) == 0) {
			if (!range_parse(&at, bytes, sizes, error))
				return false;
		} else if (!sizes_add(sizes, bytes)) {
			return too_many(error);
		}
		if (!*at)
			return true;
		if (*at != ',')
			return wrong(start, error);
		at++;
	}
}
