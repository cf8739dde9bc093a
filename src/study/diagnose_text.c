/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a tested cause says: "gradient_exchange is 1.8 times the projection: as if X were 5.6 GB/s instead of 10.2 GB/s". */
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

/* "gradient_exchange is 1.8 times the projection" */
static const char *gaps_text(
	const struct diagnosing *diagnosing, unsigned parts, const double before_s[PARTS])
{
	const unsigned finer = parts & ~(1U << PARADL_PART_TOTAL);
	const char *text = "";
	unsigned count = 0;
	for (unsigned part = 0; text && part < PARADL_PART_COUNT; ++part) {
		const double measured = diagnosing->measured_s[part], projected = before_s[part];
		char seconds[32];
		if (!((finer ? finer : parts) & 1U << part))
			continue;
		quantity_format(seconds, sizeof seconds, measured, DIMENSION_TIME);
		text = projected > 0.001 * measured
			       ? arena_printf(diagnosing->arena, "%s%s%s is %.3g times the projection", text,
					 count ? ", " : "", paradl_part_name(part), measured / projected)
			       : arena_printf(diagnosing->arena, "%s%s%s is %s where none is projected", text,
					 count ? ", " : "", paradl_part_name(part), seconds);
		++count;
	}
	return text;
}

bool cause_describe(const struct diagnosing *diagnosing, const struct tested *tested,
	const double before_s[PARTS], struct paradl_cause *row)
{
	const struct cause *cause = tested->cause;
	row->gaps = gaps_text(diagnosing, row->parts, before_s);
	row->assumed = row->as_if = -1;
	row->unit = "";
	if (!row->gaps)
		return false;
	if (!cause->quantity) {
		const char *how = cause->call(diagnosing, tested->value);
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
