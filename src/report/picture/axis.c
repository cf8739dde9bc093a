/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/picture/canvas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"

static const double rounding = 1e-9;

double axis_share(const struct axis *axis, double value)
{
	if (axis->base == 0)
		return (value - axis->least) / (axis->most - axis->least);
	return log(value / axis->least) / log(axis->most / axis->least);
}

static bool add(const struct axis *axis, double value, struct ticks *ticks)
{
	const double share = axis_share(axis, value);
	if (axis->ticks_most > 0 && value > axis->ticks_most)
		return true;
	if (share < -rounding || share > 1 + rounding)
		return true;
	if (ticks->count == TICKS_MAX)
		return false;
	ticks->at[ticks->count++] = value;
	return true;
}

struct unit {
	double value;
	const char *name;
};

/* Returns the largest unit that is not above |value|; the first unit where all of them are above it. */
static const struct unit *unit_of(const struct unit *units, size_t count, double value)
{
	const struct unit *found = units;
	for (size_t i = 1; i < count; i++)
		if (fabs(value) >= units[i].value * (1 - rounding))
			found = &units[i];
	return found;
}

static const struct unit seconds_units[] = {
	{1e-9, " ns"}, {1e-6, " µs"}, {1e-3, " ms"}, {1, " s"}, {60, " min"}, {3600, " h"}, {86400, " d"}};
static const struct unit bytes_units[] = {
	{1, " B"}, {1024, " KiB"}, {1048576, " MiB"}, {1073741824, " GiB"}, {1099511627776, " TiB"}};
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* Returns the least number of the series 1, 2, 5, 10, 20, ... that is not below `least`. */
static double round_number(double least)
{
	static const double steps[] = {1, 2, 5, 10};
	const double power = pow(10, floor(log10(least)));
	for (size_t i = 0; i < COUNT_OF(steps); i++)
		if (steps[i] * power >= least * (1 - rounding))
			return steps[i] * power;
	return 10 * power;
}

/*
 * Returns the least round step that is not below `least`: for bytes a power of two of their unit, for times above
 * 5 s a divisor of a day or a round number of days, else a number of round_number's series.
 */
static double round_step(enum tick_kind kind, double least)
{
	static const double steps_s[] = {
		10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
	if (kind == TICKS_BYTES) {
		const double unit = unit_of(bytes_units, COUNT_OF(bytes_units), least)->value;
		return pow(2, ceil(log2(least / unit) - rounding)) * unit;
	}
	for (size_t i = 0; kind == TICKS_TIME && least > 5 && i < COUNT_OF(steps_s); i++)
		if (steps_s[i] >= least * (1 - rounding))
			return steps_s[i];
	return kind == TICKS_TIME && least > 5 ? round_number(least / 86400) * 86400 : round_number(least);
}

static void linear_ticks(const struct axis *axis, double apart, struct ticks *ticks)
{
	const double span = axis->most - axis->least;
	const double step = round_step(axis->kind, span * apart);
	ticks->count = 0;
	const double first = ceil(axis->least / step - rounding);
	const double count = floor((axis->most + rounding * span) / step) - first + 1;
	for (size_t i = 0; (double)i < count; i++)
		if (!add(axis, (first + (double)i) * step, ticks))
			return;
}

static bool are_apart(const struct axis *axis, const struct ticks *ticks, double apart)
{
	for (size_t i = 1; i < ticks->count; i++)
		if (axis_share(axis, ticks->at[i]) - axis_share(axis, ticks->at[i - 1]) < apart)
			return false;
	return true;
}

/*
 * Finds ticks at the multiples of every `step`-th power of the base. Returns false where there are more than
 * TICKS_MAX.
 */
static bool powers(const struct axis *axis, double base, int step, const double *multiples, size_t count,
	struct ticks *ticks)
{
	const int first = (int)floor(log(axis->least) / log(base) - rounding) / step * step - step;
	ticks->count = 0;
	for (int power = first; pow(base, power) <= axis->most * (1 + rounding); power += step)
		for (size_t i = 0; i < count; i++)
			if (!add(axis, multiples[i] * pow(base, power), ticks))
				return false;
	return true;
}

/*
 * Finds ticks at usual times: below 50 s at 1, 2 and 5 times powers of ten, from a minute on at usual minutes,
 * hours and days, since 60 of one unit make the next. `coarseness` 1 and 2 leave out more of them. Returns false
 * where there are more than TICKS_MAX.
 */
static bool times(const struct axis *axis, unsigned coarseness, struct ticks *ticks)
{
	static const double from_seconds[] = {60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000, 36000, 86400,
		2 * 86400., 5 * 86400., 864000, 20 * 86400., 50 * 86400., 8640000, 86400000, 864000000};
	static const double coarse[] = {60, 600, 3600, 36000, 86400, 864000, 8640000, 86400000, 864000000};
	static const double coarsest[] = {60, 600, 3600, 86400, 864000, 8640000, 86400000, 864000000};
	static const struct {
		const double *at;
		size_t count, multiples;
	} grids[] = {{from_seconds, COUNT_OF(from_seconds), 3}, {coarse, COUNT_OF(coarse), 1},
		{coarsest, COUNT_OF(coarsest), 1}};
	static const double multiples[] = {1, 2, 5};
	struct axis seconds = *axis;
	ticks->count = 0;
	seconds.most = axis->most < 50 ? axis->most : 50;
	if (seconds.most > seconds.least &&
		!powers(&seconds, 10, 1, multiples, grids[coarseness].multiples, ticks))
		return false;
	for (size_t i = 0; i < grids[coarseness].count; i++)
		if (!add(axis, grids[coarseness].at[i], ticks))
			return false;
	return true;
}

static void logarithmic_ticks(const struct axis *axis, double apart, struct ticks *ticks)
{
	static const double multiples[] = {1, 2, 5};
	static const int steps[] = {1, 2, 3, 4, 5, 10, 20};
	const bool binary = axis->base == 2 || axis->kind == TICKS_BYTES;
	if (axis->kind == TICKS_TIME)
		for (unsigned coarseness = 0; coarseness < 3; coarseness++)
			if (times(axis, coarseness, ticks) && are_apart(axis, ticks, apart) &&
				ticks->count > 1)
				return;
	if (!binary && powers(axis, 10, 1, multiples, 3, ticks) && are_apart(axis, ticks, apart))
		return;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if (powers(axis, binary ? 2 : 10, steps[i], multiples, 1, ticks) &&
			are_apart(axis, ticks, apart))
			return;
}

void axis_ticks(const struct axis *axis, double apart, struct ticks *ticks)
{
	ticks->count = 0;
	if (axis->kind == TICKS_NONE || !(axis->most > axis->least))
		return;
	if (axis->base > 0)
		logarithmic_ticks(axis, apart, ticks);
	else
		linear_ticks(axis, apart, ticks);
	if (axis->base == 0 || ticks->count > 1)
		return;
	/* The axis spans less than a decade: linear ticks are finer. */
	linear_ticks(axis, 2 * apart, ticks);
	if (!are_apart(axis, ticks, apart))
		linear_ticks(axis, 4 * apart, ticks);
}

/* Reports whether a number has at most four significant digits. */
static bool is_short(double number)
{
	const double scale = pow(10, 3 - floor(log10(fabs(number) > 0 ? fabs(number) : 1)));
	return fabs(number * scale - round(number * scale)) < rounding * fabs(number * scale);
}

const char *axis_tick_text(enum tick_kind kind, double value, char text[TICK_TEXT])
{
	static const struct unit counts[] = {
		{1, ""}, {1e3, " k"}, {1e6, " M"}, {1e9, " G"}, {1e12, " T"}, {1e15, " P"}};
	static const struct unit plain = {1, ""}, percent = {1, " %"};
	const struct unit *unit = &plain;
	char digits[DECIMAL_LENGTH];
	if (kind == TICKS_TIME)
		unit = unit_of(seconds_units, COUNT_OF(seconds_units), value);
	else if (kind == TICKS_BYTES)
		unit = unit_of(bytes_units, COUNT_OF(bytes_units), value);
	else if (kind == TICKS_COUNT)
		unit = unit_of(counts, COUNT_OF(counts), value);
	else if (kind == TICKS_PERCENT)
		unit = &percent;
	const struct unit *const least = kind == TICKS_TIME    ? seconds_units
					 : kind == TICKS_BYTES ? bytes_units
							       : unit;
	for (const struct unit *other = unit; other > least && !is_short(value / unit->value); other--)
		if (is_short(value / other[-1].value))
			unit = other - 1; /* 100 s, not 1.66667 min */
	if (fabs(value) <= 0)
		unit = kind == TICKS_PERCENT ? unit : &plain;
	snprintf(text, TICK_TEXT, "%s%.20s%s", value < 0 ? "−" : "",
		decimal_general(digits, sizeof digits, fabs(value) / unit->value, 6), unit->name);
	return text;
}

void range_add(struct range *range, double value)
{
	if (!(value > 0) || !(value < HUGE_VAL))
		return;
	range->least = range->least > 0 && range->least < value ? range->least : value;
	range->most = range->most > value ? range->most : value;
}

void axis_fit(struct axis *axis, struct range range)
{
	static const double room = 1.15;
	double least = range.least > 0 ? range.least : 1, most = range.least > 0 ? range.most : 1;
	if (axis->base > 0) {
		const bool is_narrow = most < least * room;
		axis->least = least / (is_narrow ? 2 : room);
		axis->most = most * (is_narrow ? 2 : room);
		return;
	}
	const double step = round_step(axis->kind, (most > least ? most - least : most) / 10);
	axis->least = (floor(least / step) - 1) * step;
	axis->least = axis->least < 0 ? 0 : axis->least;
	axis->most = (floor(most / step) + 1) * step;
}

struct time_scale axis_time_scale(double longest_s)
{
	static const struct time_scale scales[] = {
		{1e-6, "microseconds"},
		{1e-3, "milliseconds"},
		{1, "seconds"},
		{60, "minutes"},
		{3600, "hours"},
		{86400, "days"},
	};
	size_t best = 0;
	for (size_t i = 1; i < sizeof scales / sizeof scales[0]; i++)
		if (longest_s >= 2 * scales[i].seconds)
			best = i;
	return scales[best];
}

/*
 * Spreads places by isotonic regression: once the gaps before each place are subtracted, places must not decrease,
 * so neighbours that are out of order are joined at their mean until none is (pool adjacent violators).
 */
void spread(double *places, size_t count, double gap, double least, double most)
{
	double mean[TICKS_MAX], weight[TICKS_MAX];
	size_t pools = 0;
	if (count == 0 || count > TICKS_MAX)
		return;
	for (size_t i = 0; i < count; i++) {
		mean[pools] = places[i] - (double)i * gap;
		weight[pools++] = 1;
		while (pools > 1 && mean[pools - 2] > mean[pools - 1]) {
			const double sum = weight[pools - 2] + weight[pools - 1];
			mean[pools - 2] =
				(mean[pools - 2] * weight[pools - 2] + mean[pools - 1] * weight[pools - 1]) /
				sum;
			weight[pools-- - 2] = sum;
		}
	}
	const double last = most - (double)(count - 1) * gap;
	size_t place = 0;
	for (size_t pool = 0; pool < pools; pool++)
		for (size_t n = 0; (double)n < weight[pool]; n++, place++) {
			const double base = mean[pool] > last ? last : mean[pool];
			places[place] = (base < least ? least : base) + (double)place * gap;
		}
}
