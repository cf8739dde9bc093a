/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers are read and written without the locale, whose decimal point strtod and printf use. Reading avoids points:
 * "12.5" goes to strtod as "125e-1", which also gives the correctly rounded product with a power of ten. Writing puts
 * '.' in place of the locale's point.
 */
#include "base/quantity.h"

#include <math.h>
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

/* Reads an exponent (e5, E+5, e-5) and adds it to *exponent; anything else is not part of the number and is left. */
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

/* Replaces the decimal point of the locale, which may take several bytes, by one '.'. */
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

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

enum { MANTISSA_BITS = 53, LEAST_DIGITS = 15, MOST_DIGITS = 17 };

/* value = mantissa / 2^shift */
struct binary {
	unsigned long long mantissa;
	int shift;
};

static wide power_of_ten(int exponent)
{
	wide power = 1;
	for (; exponent > 0; --exponent)
		power *= 10;
	return power;
}

/*
 * Returns the integer nearest to value * 10^places, halves to even, as printf rounds. *reads_back: value is the
 * double nearest to integer / 10^places. The arithmetic is exact: the products have at most 53 + 67 bits.
 */
static unsigned long long scale(const struct binary *value, int places, bool *reads_back)
{
	const wide ten = power_of_ten(places), product = value->mantissa * ten;
	const wide unit = (wide)1 << value->shift, rest = product & (unit - 1);
	wide whole = product >> value->shift;
	const bool up = 2 * rest > unit || (2 * rest == unit && (whole & 1));
	const wide off = up ? unit - rest : rest;
	/* Doubles below a power of two lie twice as close. */
	const bool is_power = value->mantissa == 1ULL << (MANTISSA_BITS - 1);
	const wide most = is_power && !up ? ten / 2 : ten;
	*reads_back = 2 * off < most || (2 * off == most && !(value->mantissa & 1) && !is_power);
	whole += up;
	return (unsigned long long)whole;
}

/* Writes whole / 10^places without trailing zeros, and without a point that no digit follows. */
static void write_fixed(char *text, unsigned long long whole, int places)
{
	char digits[DECIMAL_LENGTH];
	int count = 0;
	for (; places > 0 && whole % 10 == 0; --places)
		whole /= 10;
	for (; whole > 0 || count <= places; whole /= 10)
		digits[count++] = (char)('0' + whole % 10);
	while (count > 0) {
		if (count == places)
			*text++ = '.';
		*text++ = digits[--count];
	}
	*text = '\0';
}

enum { LEAST_MAGNITUDE = -4, MOST_MAGNITUDE = 14 };

/*
 * Returns the power of ten of the first digit of `value`. The comparison with doubles is exact: none of those nearest
 * to 0.1, 0.01, ... is less than its power of ten.
 */
static int magnitude_of(double value)
{
	static const double powers[] = {1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8,
		1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
	int magnitude = LEAST_MAGNITUDE;
	while (magnitude < MOST_MAGNITUDE && value >= powers[magnitude + 1 - LEAST_MAGNITUDE])
		++magnitude;
	return magnitude;
}

/*
 * Writes a number that needs no exponent and little arithmetic exactly as the loop of decimal_shortest would; false:
 * `value` needs either.
 */
static bool write_usual(char *text, size_t size, double value)
{
	int exponent;
	if (!(value >= 1e-4) || !(value < 1e14) || size < DECIMAL_LENGTH)
		return false;
	const double fraction = frexp(value, &exponent);
	const struct binary binary = {
		(unsigned long long)ldexp(fraction, MANTISSA_BITS), MANTISSA_BITS - exponent};
	const int magnitude = magnitude_of(value);
	for (int digits = LEAST_DIGITS; digits <= MOST_DIGITS; ++digits) {
		bool reads_back = false;
		int places = digits - 1 - magnitude;
		unsigned long long whole = scale(&binary, places, &reads_back);
		if (whole >= power_of_ten(digits)) /* nines that were rounded up */
			whole = scale(&binary, --places, &reads_back);
		if (!reads_back && digits < MOST_DIGITS)
			continue;
		write_fixed(text, whole, places);
		return true;
	}
	return false;
}
#else
static bool write_usual(char *text, size_t size, double value)
{
	(void)text;
	(void)size;
	(void)value;
	return false;
}
#endif

const char *decimal_shortest(char *text, size_t size, double value)
{
	if (write_usual(text, size, value))
		return text;
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

void numbers_begin(struct numbers *numbers)
{
	const locale_t copy = duplocale(uselocale((locale_t)0));
	numbers->own = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : (locale_t)0;
	if (copy && !numbers->own)
		freelocale(copy);
	numbers->before = numbers->own ? uselocale(numbers->own) : (locale_t)0;
}

void numbers_end(struct numbers *numbers)
{
	if (!numbers->own)
		return;
	uselocale(numbers->before);
	freelocale(numbers->own);
	numbers->own = (locale_t)0;
}

const char *decimal_count(char text[COUNT_TEXT], unsigned number, char after)
{
	char *at = &text[COUNT_TEXT - 1];
	*at = '\0';
	if (after != '\0')
		*--at = after;
	do {
		*--at = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	return at;
}
