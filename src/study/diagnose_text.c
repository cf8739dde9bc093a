/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file writes a tested cause as text: "gradient_exchange is 1.8 times the projection: as if X were 5.6 GB/s
 * instead of 10.2 GB/s".
 */
#include <math.h>
#include <string.h>

#include "study/diagnose.h"

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
