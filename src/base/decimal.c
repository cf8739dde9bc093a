/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strtod and printf use the decimal point of the locale. Reading avoids points: "12.5" goes to strtod as
 * "125e-1", which also gives the correctly rounded product with a power of ten. Writing puts '.' in place of
 * whatever the locale has.
 */
#include "base/decimal.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXPONENT_LIMIT = 100000 }; /* beyond it everything is 0 or infinite; keeps int from overflowing */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

struct digits {
	char text[DECIMAL_LENGTH + 16];
	size_t length;
};

static const char *read_digits(const char *text, struct digits *digits)
{
	for (; is_digit(*text) && digits->length < DECIMAL_LENGTH; text++)
		digits->text[digits->length++] = *text;
	return text;
}

/* e5, E+5, e-5; anything else is not part of the number. */
static const char *read_exponent(const char *text, int *exponent)
{
	if (*text != 'e' && *text != 'E')
		return text;
	const char *digit = text + 1;
	const bool is_negative = *digit == '-';
	if (*digit == '-' || *digit == '+')
		digit++;
	if (!is_digit(*digit))
		return text;
	int value = 0;
	for (; is_digit(*digit); digit++)
		value = value < EXPONENT_LIMIT ? value * 10 + (*digit - '0') : value;
	*exponent += is_negative ? -value : value;
	return digit;
}

bool decimal_read(const char *text, int exponent, double *value, const char **end)
{
	struct digits digits = {.length = 0};
	const char *rest = read_digits(text, &digits);
	if (digits.length == 0)
		return false;
	if (rest[0] == '.' && is_digit(rest[1])) {
		const size_t whole = digits.length;
		rest = read_digits(rest + 1, &digits);
		exponent -= (int)(digits.length - whole);
	}
	rest = read_exponent(rest, &exponent);
	if (digits.length >= DECIMAL_LENGTH || rest - text >= DECIMAL_LENGTH)
		return false;
	snprintf(digits.text + digits.length, sizeof digits.text - digits.length, "e%d", exponent);
	*value = strtod(digits.text, NULL);
	*end = rest;
	return true;
}

static bool belongs_to_number(char c)
{
	return is_digit(c) || c == '-' || c == '+' || c == 'e';
}

/* The point of a locale may be several bytes: they become one '.'. */
static const char *with_point(char *text)
{
	char *out = text;
	for (const char *in = text; *in; in++) {
		if (belongs_to_number(*in))
			*out++ = *in;
		else if (out == text || out[-1] != '.')
			*out++ = '.';
	}
	*out = '\0';
	return text;
}

const char *decimal_shortest(char *text, size_t size, double value)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, value);
		const double back = strtod(text, NULL);
		if (!(back < value) && !(back > value))
			break;
	}
	return with_point(text);
}

const char *decimal_fixed(char *text, size_t size, double value, int places)
{
	snprintf(text, size, "%.*f", places, value);
	return with_point(text);
}

const char *decimal_general(char *text, size_t size, double value, int digits)
{
	snprintf(text, size, "%.*g", digits, value);
	return with_point(text);
}
