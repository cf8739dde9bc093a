/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_whatif() prints estimates with something changed: a tornado, the changes that a target needs, or a pair. */
#include <math.h>
#include <string.h>

#include "report/palette.h"
#include "report/study_text.h"
#include "report/text.h"

/* Returns the list with a name added after a comma: "GPU throughput, latency". */
static const char *joined(struct report_sink *sink, const char *list, const char *name)
{
	return typeset(sink, "%s%s%s", list, *list ? ", " : "", name);
}

static void text_whatif_title(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate)
{
	const struct report_head *const head = report->head;
	if (sink->style.brief)
		return;
	text_title(sink, head,
		typeset(sink, "%s%s on %s, %s", report->is_best ? "best plan " : "",
			text_plan(sink, &estimate->plan), text_devices(sink, head, estimate->devices),
			text_batch(sink, head, estimate->plan.batch)));
	putc('\n', sink->file);
}

/* ---- pair ---- */

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
	if (!(pair->before.cost_per_epoch > 0 && pair->after.estimate.cost_per_epoch > 0))
		return;
	if (first->owned != second->owned)
		typeset_labelled(sink, "cost",
			typeset(sink,
				"no comparison: the price of %s is that of %s, the price of %s that of %s",
				first->name, price_basis_names[first->owned], second->name,
				price_basis_names[second->owned]));
	else
		typeset_labelled(sink, "cost",
			typeset(sink, "%s per epoch before, %s after (%s)",
				typeset_money(sink, pair->before.cost_per_epoch, first->currency),
				typeset_money(sink, pair->after.estimate.cost_per_epoch, second->currency),
				price_basis_names[first->owned]));
}

/* Prints an estimate before and after a change, or on two machines. */
static void text_whatif_pair(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_whatif_pair *const pair = report->pair;
	text_whatif_title(sink, report, &pair->before);
	if (pair->after.runs)
		print_pair_rows(sink, report);
	else
		typeset_labelled(sink, "cannot run", typeset_clean(sink, pair->after.reason));
	if (sink->style.brief)
		return;
	if (pair->after.runs)
		putc('\n', sink->file);
	if (pair->after.runs && fabs(pair->after.change) < 1e-9)
		typeset_labelled(sink, "answer",
			typeset(sink, "%s, as before", whatif_time(sink, &pair->after.estimate)));
	else if (pair->after.runs)
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

/* ---- tornado ---- */

enum { BAR_COLUMNS = 24, EIGHTHS = 8 };

static const char *bar(struct report_sink *sink, double share)
{
	static const char *const partial[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const char *text = "";
	const unsigned eighths = (unsigned)lround(share * BAR_COLUMNS * EIGHTHS);
	for (unsigned i = 0; i < eighths / EIGHTHS; i++)
		text = typeset(sink, "%s%s", text, sink->style.ascii ? "#" : "█");
	if (sink->style.ascii)
		return *text ? text : "#";
	return typeset(
		sink, "%s%s", text, partial[eighths > 0 && eighths < EIGHTHS ? eighths : eighths % EIGHTHS]);
}

/* Returns the change of a result, "-" if nothing runs, with "!" if the plan no longer fits; `fits`: it did before. */
static const char *point_text(struct report_sink *sink, const struct paradl_whatif_point *point, bool fits)
{
	return point->runs ? typeset(sink, "%s%s", whatif_change(sink, point->change),
				     point->estimate.fits || !fits ? "" : " !")
			   : "-";
}

static const char *plan_text(struct report_sink *sink, const struct paradl_whatif_row *row)
{
	const char *text = "";
	const struct paradl_whatif_point *const points[] = {&row->low, &row->high};
	for (size_t i = 0; i < 2; i++)
		if (points[i]->other_plan)
			text = joined(sink, text,
				typeset(sink, "%c %s", i ? '+' : '-',
					text_plan(sink, &points[i]->estimate.plan)));
	return text;
}

static void print_rows(struct report_sink *sink, const struct paradl_tornado *tornado)
{
	enum { INPUT, LESS, MORE, BAR, PLAN };
	const double widest = whatif_shown(tornado) > 0 ? tornado->rows[0].span : 0;
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_whatif_row, "changed,less,more,bar,other");
	columns.table.columns[LESS].title = typeset(sink, "-%.3g %%", 100 * tornado->vary);
	columns.table.columns[MORE].title = typeset(sink, "+%.3g %%", 100 * tornado->vary);
	for (size_t i = 0; i < whatif_shown(tornado); i++) {
		const struct paradl_whatif_row *const row = &tornado->rows[i];
		const char **const cells = columns_row(&columns, row);
		cells[INPUT] = whatif_input(sink, row, tornado->vary);
		cells[LESS] = point_text(sink, &row->low, tornado->estimate.fits);
		cells[MORE] = point_text(sink, &row->high, tornado->estimate.fits);
		cells[BAR] = widest > 0 ? bar(sink, row->span / widest) : "";
		cells[PLAN] = plan_text(sink, row);
	}
	columns_print(&columns);
}

static void print_reasons(struct report_sink *sink, const struct paradl_tornado *tornado)
{
	bool unfit = false;
	for (size_t i = 0; i < whatif_shown(tornado); i++) {
		const struct paradl_whatif_row *const row = &tornado->rows[i];
		const struct paradl_whatif_point *const points[] = {&row->low, &row->high};
		for (size_t j = 0; j < 2; j++) {
			unfit = unfit ||
				(points[j]->runs && tornado->estimate.fits && !points[j]->estimate.fits);
			if (!points[j]->runs)
				typeset_labelled(sink, "cannot run",
					typeset(sink, "%s ×%.3g: %s", row->input.text, points[j]->times,
						typeset_clean(sink, points[j]->reason)));
		}
	}
	if (unfit)
		typeset_labelled(sink, "!", "needs more memory than a GPU has");
}

/* Returns whether an input is a whole number that so small a change leaves as it is, so that nothing was asked. */
static bool is_unvaried(const struct paradl_whatif_row *row)
{
	return !(row->low.times < 1) && !(row->high.times > 1);
}

static void print_tornado(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_tornado *const tornado = report->tornado;
	const bool by_token =
		report->goal == PARADL_TIME && report->head->model.sequence > 0 && !report->head->inference;
	const char *without = "", *unvaried = "";
	text_whatif_title(sink, report, &tornado->estimate);
	print_rows(sink, tornado);
	if (sink->style.brief)
		return;
	for (size_t i = whatif_shown(tornado); i < tornado->count; i++) {
		const struct paradl_whatif_row *const row = &tornado->rows[i];
		const char **const list = is_unvaried(row) ? &unvaried : &without;
		*list = joined(sink, *list, row->input.text);
	}
	putc('\n', sink->file);
	typeset_labelled(sink, "change",
		typeset(sink, "of the %s, now %s, by each input alone%s",
			whatif_goal(report, &tornado->estimate),
			whatif_value(sink, report, &tornado->estimate),
			by_token ? "; sequences of other lengths are compared by token" : ""));
	print_reasons(sink, tornado);
	if (*without)
		typeset_labelled(sink, "no effect", without);
	if (*unvaried)
		typeset_labelled(sink, "not varied",
			typeset(sink, "%s: no other whole number is so near (--perturb)", unvaried));
}

/* ---- targets ---- */

static const char *measure_text(struct report_sink *sink, const struct report_whatif *report, double value)
{
	switch (report->target->measure) {
	case PARADL_MEASURE_COST:
		return typeset_money(sink, value, report->head->machine.currency);
	case PARADL_MEASURE_ENERGY:
		return whatif_energy(sink, value);
	case PARADL_MEASURE_MEMORY:
		return typeset_quantity(sink, value, DIMENSION_BYTES);
	case PARADL_MEASURE_EPOCH:
	case PARADL_MEASURE_ITERATION:
	case PARADL_MEASURE_TTFT:
	case PARADL_MEASURE_TPOT:
	case PARADL_MEASURE_COUNT:
		break;
	}
	return typeset_quantity(sink, value, DIMENSION_TIME);
}

static bool has_effect(const struct paradl_whatif_target *target, const struct paradl_whatif_need *need)
{
	return need->reached || fabs(need->stops / target->has - 1) > 1e-9;
}

static const char *need_text(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_whatif_need *need)
{
	if (!need->reached)
		return typeset(sink, "stops at %s", measure_text(sink, report, need->stops));
	const char *const times = need->times < 1000 && need->times >= 0.001
					  ? typeset(sink, "×%.3g", need->times)
					  : typeset(sink, "×%.1e", need->times);
	if (strcmp(need->input.name, "gpus") == 0)
		return typeset(sink, "%s: %u GPUs", times, need->estimate.devices);
	return strcmp(need->input.name, "batch") == 0
		       ? typeset(sink, "%s: %s samples", times,
				 typeset_whole(sink, need->estimate.plan.batch))
		       : times;
}

static void print_needs(struct report_sink *sink, const struct report_whatif *report)
{
	enum { TAKES = 1, THEN };
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_whatif_need, "text,takes,then");
	for (size_t i = 0; i < report->target->count; i++) {
		const struct paradl_whatif_need *const need = &report->target->rows[i];
		if (!has_effect(report->target, need))
			continue;
		const char **const cells = columns_row(&columns, need);
		cells[TAKES] = need_text(sink, report, need);
		if (!need->estimate.fits && report->target->estimate.fits)
			cells[THEN] = "memory: it does not fit";
		else if (need->estimate.limited_by.text)
			cells[THEN] = need->estimate.limited_by.text;
	}
	columns_print(&columns);
}

/* Prints the answer, "GPU throughput x1.42 would do; bandwidth between nodes alone stops at 31.3 s". */
static void print_answer(struct report_sink *sink, const struct report_whatif *report, const char *wanted)
{
	const struct paradl_whatif_target *const target = report->target;
	const struct paradl_whatif_need *const rows = target->rows;
	const bool is_met = target->has <= target->wanted;
	const char *text = typeset(sink, "no single input reaches %s", wanted);
	if (target->reached > 0)
		text = typeset(sink, "%s%s %s would do", is_met ? "it is met already; " : "",
			rows[0].input.text, need_text(sink, report, &rows[0]));
	if (!is_met && target->reached < target->count && has_effect(target, &rows[target->reached]))
		text = typeset(sink, "%s%s %s alone %s", text, target->reached > 0 ? ";" : ":",
			rows[target->reached].input.text, need_text(sink, report, &rows[target->reached]));
	typeset_labelled(sink, "answer", text);
}

static void print_target(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_whatif_target *const target = report->target;
	const char *const wanted = measure_text(sink, report, target->wanted);
	const char *without = "";
	text_whatif_title(sink, report, &target->estimate);
	print_needs(sink, report);
	if (sink->style.brief)
		return;
	putc('\n', sink->file);
	for (size_t i = 0; i < target->count; i++)
		if (!has_effect(target, &target->rows[i]))
			without = joined(sink, without, target->rows[i].input.text);
	typeset_labelled(sink, "target",
		typeset(sink, "%s of %s; it is %s", paradl_measure_name(target->measure), wanted,
			measure_text(sink, report, target->has)));
	print_answer(sink, report, wanted);
	if (*without)
		typeset_labelled(sink, "no effect", without);
}

void text_whatif(struct report_sink *sink, const struct report_whatif *report)
{
	if (report->tornado)
		print_tornado(sink, report);
	else if (report->target)
		print_target(sink, report);
	else
		text_whatif_pair(sink, report);
	if (!sink->style.brief)
		text_assumptions(sink, report->head);
}
