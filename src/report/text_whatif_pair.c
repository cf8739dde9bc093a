/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_whatif_pair() prints an estimate before and after a change, or on two machines. */
#include <math.h>

#include "report/palette.h"
#include "report/text.h"
#include "report/whatif_text.h"

enum { PAIR_NAME, PAIR_BEFORE, PAIR_AFTER, PAIR_CHANGE, PAIR_BEST };

static const char *change_cell(struct report_sink *sink, double before, double after)
{
	return before > 0 && after > 0 ? whatif_change(sink, after / before - 1) : "";
}

static void add_times(struct columns *columns, const char *name, double before, double after, double best)
{
	if (before > 0 || after > 0 || best > 0)
		columns_row(columns, &(struct phase_row){name, before, after, best})[PAIR_CHANGE] =
			change_cell(columns->table.sink, before, after);
}

static void add_texts(
	struct columns *columns, const char *name, const char *before, const char *after, const char *best)
{
	const char **const cells = columns_row(columns, NULL);
	cells[PAIR_NAME] = name;
	cells[PAIR_BEFORE] = before;
	cells[PAIR_AFTER] = after;
	cells[PAIR_BEST] = best;
}

static const char *limit_text(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const struct paradl_limit *const limit = &estimate->limited_by;
	return limit->text ? typeset(sink, "%s (%s)", limit->text, typeset_percent(sink, limit->share)) : "";
}

static const char *memory_text(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	return typeset(sink, "%s%s", typeset_quantity(sink, estimate->memory_bytes, DIMENSION_BYTES),
		estimate->fits ? "" : ": too much");
}

static void print_pair_rows(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_whatif_pair *const pair = report->pair;
	const struct paradl_estimate *const before = &pair->before, *const after = &pair->after.estimate,
					    *const best = &pair->best.estimate;
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_whatif_phase,
		pair->has_best && pair->best.runs ? "phase,before_s,after_s,change,best_s"
						  : "phase,before_s,after_s,change");
	if (report->upgrade) {
		columns.table.columns[PAIR_BEFORE].title = typeset_clean(sink, report->head->machine.name);
		columns.table.columns[PAIR_AFTER].title = typeset_clean(sink, report->upgrade->name);
	}
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		add_times(&columns, phase_looks[i].label, before->phase_s[i], after->phase_s[i],
			best->phase_s[i]);
	add_times(&columns, "iteration", before->iteration_s, after->iteration_s, best->iteration_s);
	add_times(&columns, "epoch", before->epoch_s, after->epoch_s, best->epoch_s);
	add_texts(&columns, "memory", memory_text(sink, before), memory_text(sink, after),
		memory_text(sink, best));
	add_texts(&columns, "limited by", limit_text(sink, before), limit_text(sink, after),
		limit_text(sink, best));
	columns_print(&columns);
}

/* Prints the costs of an epoch, "1.20 EUR per epoch before, 1.10 EUR after". */
static void print_costs(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_whatif_pair *const pair = report->pair;
	const struct paradl_machine_info *const first = &report->head->machine,
						*const second = report->upgrade ? report->upgrade : first;
	if (pair->before.cost_per_epoch > 0 && pair->after.estimate.cost_per_epoch > 0)
		typeset_labelled(sink, "cost",
			typeset(sink, "%s per epoch before, %s after",
				typeset_money(sink, pair->before.cost_per_epoch, first->currency),
				typeset_money(sink, pair->after.estimate.cost_per_epoch, second->currency)));
}

void text_whatif_pair(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_whatif_pair *const pair = report->pair;
	text_whatif_title(sink, report, &pair->before);
	if (pair->after.runs)
		print_pair_rows(sink, report);
	if (sink->style.brief)
		return;
	putc('\n', sink->file);
	if (!pair->after.runs)
		typeset_labelled(sink, "cannot run", typeset_clean(sink, pair->after.reason));
	else if (fabs(pair->after.change) < 1e-9)
		typeset_labelled(sink, "answer",
			typeset(sink, "%s, as before", whatif_time(sink, &pair->after.estimate)));
	else
		typeset_labelled(sink, "answer",
			typeset(sink, "%s instead of %s: %.3g× as fast",
				whatif_time(sink, &pair->after.estimate), whatif_time(sink, &pair->before),
				1 / (1 + pair->after.change)));
	if (pair->has_best && pair->best.runs)
		typeset_labelled(sink, "best",
			typeset(sink, "%s then: %s", text_plan(sink, &pair->best.estimate.plan),
				whatif_time(sink, &pair->best.estimate)));
	if (pair->has_best && !pair->best.runs)
		typeset_labelled(
			sink, "best", typeset(sink, "none: %s", typeset_clean(sink, pair->best.reason)));
	print_costs(sink, report);
	if (pair->equal_devices > 0 && report->upgrade)
		typeset_labelled(sink, "as many",
			typeset(sink, "%s GPUs of %s take no longer for a sample than %s of %s (%s)",
				typeset_whole(sink, pair->equal_devices), report->upgrade->name,
				typeset_whole(sink, pair->before.devices), report->head->machine.name,
				text_plan(sink, &pair->equal.plan)));
	else if (report->upgrade && pair->after.runs)
		typeset_labelled(sink, "as many",
			typeset(sink, "no number of GPUs of %s is as fast", report->upgrade->name));
}
