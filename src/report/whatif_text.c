/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/whatif_text.h"

#include <math.h>

const char *whatif_change(struct report_sink *sink, double change)
{
	static const double visible = 0.00005;
	const double percent = 100 * change;
	if (fabs(change) < visible)
		return "0";
	return fabs(percent) < 99.95 ? typeset(sink, "%+.*f %%", fabs(percent) < 0.095 ? 2 : 1, percent)
				     : typeset(sink, "×%.3g", 1 + change);
}

const char *whatif_time(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	return estimate->epoch_s > 0 ? typeset(sink, "%s per epoch",
					       typeset_quantity(sink, estimate->epoch_s, DIMENSION_TIME))
				     : typeset(sink, "%s per iteration",
					       typeset_quantity(sink, estimate->iteration_s, DIMENSION_TIME));
}

const char *whatif_goal(const struct report_whatif *report, const struct paradl_estimate *estimate)
{
	switch (report->goal) {
	case PARADL_MEMORY:
		return "memory of the fullest GPU";
	case PARADL_COST:
		return estimate->cost_per_epoch >= 0 ? "cost of an epoch" : "GPU time";
	case PARADL_ENERGY:
		return estimate->energy_joule_per_epoch >= 0 ? "energy of an epoch" : "time";
	case PARADL_THROUGHPUT:
	case PARADL_TIME:
		break;
	}
	return estimate->epoch_s > 0 ? "time of an epoch" : "time of a sample";
}

const char *whatif_energy(struct report_sink *sink, double joule)
{
	enum { JOULE_PER_KILOWATT_HOUR = 3600000 };
	return typeset(sink, "%.3g kWh", joule / JOULE_PER_KILOWATT_HOUR);
}

const char *whatif_value(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate)
{
	if (report->goal == PARADL_MEMORY)
		return typeset_quantity(sink, estimate->memory_bytes, DIMENSION_BYTES);
	if (report->goal == PARADL_COST && estimate->cost_per_epoch >= 0)
		return typeset_money(sink, estimate->cost_per_epoch, report->head->machine.currency);
	if (report->goal == PARADL_ENERGY && estimate->energy_joule_per_epoch >= 0)
		return whatif_energy(sink, estimate->energy_joule_per_epoch);
	return typeset_quantity(sink,
		estimate->epoch_s > 0 ? estimate->epoch_s : estimate->iteration_s / estimate->plan.batch,
		DIMENSION_TIME);
}

static void side(const struct paradl_whatif_point *point, double *share, const char **note)
{
	*share = point->runs ? point->change : HUGE_VAL;
	*note = point->runs ? NULL : "cannot run";
}

bool whatif_tornado(
	struct report_sink *sink, const struct report_whatif *report, struct report_tornado *picture)
{
	const struct paradl_tornado *const tornado = report->tornado;
	char plan[PARADL_PLAN_TEXT];
	struct report_tornado_row *const rows = arena_alloc(sink->arena, tornado->moving, sizeof *rows);
	for (size_t i = 0; rows && i < tornado->moving; i++) {
		rows[i].label = tornado->rows[i].input.text;
		side(&tornado->rows[i].low, &rows[i].low_share, &rows[i].low_note);
		side(&tornado->rows[i].high, &rows[i].high_share, &rows[i].high_note);
	}
	paradl_plan_format(&tornado->estimate.plan, plan, sizeof plan);
	*picture = (struct report_tornado){.head = report->head,
		.result = whatif_goal(report, &tornado->estimate),
		.value = whatif_value(sink, report, &tornado->estimate),
		.plan = typeset(sink, "%s%s", report->is_best ? "the best plan, now " : "", plan),
		.vary_share = tornado->vary,
		.rows = rows,
		.count = rows ? tornado->moving : 0};
	return rows && !sink->out_of_memory;
}
