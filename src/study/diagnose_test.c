/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the number of a cause that leaves least of the gaps:
 *     left(v) = sum over measured parts |measured - estimated with v|      the total: less the gaps of the other parts
 * It searches a grid over the range, in equal factors or equal steps, and golden sections around its best point. If
 * two causes leave as little, the one counts that needs the smaller change:
 *     score = left / left before + cost of the cause + 0.05 (1 - evidence)
 *             + 0.005 + 0.02 |ln(v / assumed)|      for a number; 0.045 where none is assumed
 * A change without a number adds nothing, nor does "none at all" of something, so that a plain explanation comes
 * before a fitted one.
 *
 * A tested cause becomes text: "gradient_exchange is 1.8 times the projection: as if X were 5.6 GB/s instead of 10.2
 * GB/s".
 */
#include <math.h>
#include <string.h>

#include "study/diagnose.h"

enum { GRID = 9, SECTIONS = 24, CHOICES = 64 };
static const double change_weight = 0.02, number_weight = 0.005, evidence_weight = 0.05;

double part_left_s(const struct diagnosing *diagnosing, unsigned part, const double part_s[PARTS])
{
	const double *measured_s = diagnosing->measured_s;
	double left_s = measured_s[part] - part_s[part];
	if (part == PARADL_PART_TOTAL)
		for (unsigned other = 0; other < PARADL_PART_TOTAL; ++other)
			if (measured_s[other] >= 0)
				left_s -= measured_s[other] - part_s[other];
	return left_s;
}

bool part_is_off(const struct diagnosing *diagnosing, unsigned part, const double part_s[PARTS])
{
	return diagnosing->measured_s[part] >= 0 &&
	       fabs(part_left_s(diagnosing, part, part_s)) > diagnosing->tolerance_s[part];
}

double gaps_left_s(const struct diagnosing *diagnosing, const double part_s[PARTS])
{
	double s = 0;
	for (unsigned part = 0; part < PARTS; ++part)
		if (diagnosing->measured_s[part] >= 0)
			s += fabs(part_left_s(diagnosing, part, part_s));
	return s;
}

/*
 * Returns the seconds of gaps that are left with this value; HUGE_VAL: it cannot run. Keeps the trial in `best` if it
 * leaves less.
 */
static double try_value(const struct diagnosing *diagnosing, const struct counterfactual *before,
	double value, struct tested *best)
{
	struct tested tested = {.cause = best->cause, .value = value, .model = *before};
	if (!best->cause->change(diagnosing, value, &tested.model) ||
		!counterfactual_run(diagnosing, &tested.model, tested.part_s))
		return HUGE_VAL;
	tested.left_s = gaps_left_s(diagnosing, tested.part_s);
	if (tested.left_s < best->left_s)
		*best = tested;
	return tested.left_s;
}

struct search {
	const struct diagnosing *diagnosing;
	const struct counterfactual *before;
	struct tested *best;
	double low, high;
};

/* Returns the value at a place of the range, from 0 (low) to 1 (high). */
static double value_at(const struct search *search, double place)
{
	const struct cause *cause = search->best->cause;
	const double value = cause->linear ? search->low + place * (search->high - search->low)
					   : search->low * pow(search->high / search->low, place);
	return cause->whole ? floor(value + 0.5) : value;
}

static double left_at(struct search *search, double place)
{
	return try_value(search->diagnosing, search->before, value_at(search, place), search->best);
}

static void golden(struct search *search, double low, double high)
{
	const double section = (sqrt(5) - 1) / 2;
	double a = high - section * (high - low), b = low + section * (high - low);
	double left_a = left_at(search, a), left_b = left_at(search, b);
	for (unsigned i = 0; i < SECTIONS; ++i) {
		if (left_a <= left_b) {
			high = b;
			b = a;
			left_b = left_a;
			a = high - section * (high - low);
			left_a = left_at(search, a);
		} else {
			low = a;
			a = b;
			left_a = left_b;
			b = low + section * (high - low);
			left_b = left_at(search, b);
		}
	}
}

static void search_number(struct search *search)
{
	unsigned best = 0;
	double least = HUGE_VAL;
	for (unsigned i = 0; i <= GRID; ++i) {
		const double left = left_at(search, (double)i / GRID);
		if (left < least) {
			least = left;
			best = i;
		}
	}
	golden(search, best ? (best - 1.0) / GRID : 0, best < GRID ? (best + 1.0) / GRID : 1);
}

static bool is_end(double end, double value)
{
	static const double near = 1e-3;
	return fabs(value - end) <= near * fabs(end);
}

static double score_of(const struct diagnosing *diagnosing, const struct tested *tested, double before_s)
{
	const struct cause *cause = tested->cause;
	const double assumed = cause->assumed ? cause->assumed(diagnosing) : 0;
	double score = tested->left_s / before_s + cause->cost;
	if (cause->quantity && !(cause->share && !(tested->value > 0))) {
		score += number_weight;
		if (assumed > 0 && tested->value > 0)
			score += change_weight * fabs(log(tested->value / assumed));
		else
			score += 2 * change_weight;
	}
	if (cause->evidence)
		score += evidence_weight * (1 - cause->evidence(diagnosing));
	return score;
}

bool cause_test(const struct diagnosing *diagnosing, const struct cause *cause,
	const struct counterfactual *before, struct tested *tested)
{
	struct search search = {.diagnosing = diagnosing, .before = before, .best = tested};
	*tested = (struct tested){.cause = cause, .left_s = HUGE_VAL};
	if ((cause->applies && !cause->applies(diagnosing)) ||
		(cause->evidence && !(cause->evidence(diagnosing) > 0)))
		return false;
	struct counterfactual same = *before;
	double part_s[PARTS];
	if (!counterfactual_run(diagnosing, &same, part_s))
		return false;
	const double before_s = gaps_left_s(diagnosing, part_s);
	if (cause->quantity) {
		const double assumed = cause->assumed ? cause->assumed(diagnosing) : 0;
		if (cause->range) {
			cause->range(diagnosing, assumed, &search.low, &search.high);
		} else {
			search.low = assumed / cause->down;
			search.high = assumed * cause->up;
		}
		search_number(&search);
		tested->at_end = is_end(search.low, tested->value) || is_end(search.high, tested->value);
	} else {
		struct counterfactual probe = *before;
		for (unsigned i = 0; i < CHOICES && cause->change(diagnosing, i, &probe); ++i) {
			try_value(diagnosing, before, i, tested);
			probe = *before;
		}
	}
	if (!(tested->left_s < before_s))
		return false;
	tested->score = score_of(diagnosing, tested, before_s);
	return true;
}

static const char *quantity_text(const struct diagnosing *diagnosing, const struct cause *cause, double value)
{
	char text[64];
	if (cause->dimension == DIMENSION_NONE)
		return cause->share ? arena_printf(diagnosing->arena, "%.3g %%", 100 * value)
				    : arena_printf(diagnosing->arena, "%.3g", value);
	return arena_text(diagnosing->arena, quantity_format(text, sizeof text, value, cause->dimension));
}

static const char *unit(enum dimension dimension)
{
	static const char *const units[DIMENSION_COUNT] = {[DIMENSION_TIME] = "s",
		[DIMENSION_BYTES] = "B",
		[DIMENSION_BYTES_PER_S] = "B/s",
		[DIMENSION_FLOP] = "flop",
		[DIMENSION_FLOP_PER_S] = "flop/s",
		[DIMENSION_POWER] = "W"};
	return units[dimension] ? units[dimension] : "";
}

/*
 * Returns the text of a gap: "1.8 times the projection" or "12 ms where none is projected"; if partly explained,
 * followed by "(this explains 54 % of the gap)". NULL: out of memory.
 */
static const char *gap_text(const struct diagnosing *diagnosing, unsigned part, const double before_s[PARTS],
	const double after_s[PARTS])
{
	static const double nothing = 0.001, partly = 0.25;
	const double measured = diagnosing->measured_s[part], projected = before_s[part];
	const double explained = 1 - fabs(part_left_s(diagnosing, part, after_s)) /
					     fabs(part_left_s(diagnosing, part, before_s));
	char seconds[32];
	const char *text =
		projected > nothing * measured
			? arena_printf(diagnosing->arena, "%.3g times the projection", measured / projected)
			: arena_printf(diagnosing->arena, "%s where none is projected",
				  quantity_format(seconds, sizeof seconds, measured, DIMENSION_TIME));
	if (text && explained < 1 - partly)
		text = arena_printf(
			diagnosing->arena, "%s (this explains %.0f %% of the gap)", text, 100 * explained);
	return text;
}

/*
 * Returns the text of several gaps: "gradient_exchange is 1.8 times the projection, backward is ...". The total is
 * left out if there are finer parts. NULL: out of memory.
 */
static const char *gaps_text(const struct diagnosing *diagnosing, unsigned parts,
	const double before_s[PARTS], const double after_s[PARTS])
{
	const unsigned finer = parts & ~(1U << PARADL_PART_TOTAL);
	const char *text = "";
	for (unsigned part = 0; text && part < PARADL_PART_COUNT; ++part) {
		if (!((finer ? finer : parts) & 1U << part))
			continue;
		const char *gap = gap_text(diagnosing, part, before_s, after_s);
		text = gap ? arena_printf(diagnosing->arena, "%s%s%s is %s", text, *text ? ", " : "",
				     paradl_part_name(part), gap)
			   : NULL;
	}
	return text;
}

bool cause_describe(const struct diagnosing *diagnosing, const struct tested *tested,
	const double before_s[PARTS], struct paradl_cause *row)
{
	const struct cause *cause = tested->cause;
	row->gaps = gaps_text(diagnosing, row->parts, before_s, tested->part_s);
	row->assumed = row->as_if = -1;
	row->unit = "";
	if (!row->gaps)
		return false;
	if (!cause->quantity) {
		const char *how = cause->call ? cause->call(diagnosing, tested->value)
					      : cause->choices[(unsigned)tested->value];
		row->text = how ? arena_printf(diagnosing->arena, "as if %s", how) : NULL;
		return row->text != NULL;
	}
	row->quantity = cause->quantity;
	row->unit = unit(cause->dimension);
	row->assumed = cause->assumed ? cause->assumed(diagnosing) : 0;
	row->as_if = tested->value;
	const char *value = quantity_text(diagnosing, cause, row->as_if);
	const char *instead = quantity_text(diagnosing, cause, row->assumed);
	if (!value || !instead)
		return false;
	row->text = row->assumed > 0 || cause->share
			    ? arena_printf(diagnosing->arena, "as if %s were %s instead of %s",
				      cause->quantity, value, instead)
			    : arena_printf(diagnosing->arena, "as if %s were %s", cause->quantity, value);
	return row->text != NULL;
}
