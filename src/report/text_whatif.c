/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates with something changed: a tornado, what a target takes, before and after. */
#include <math.h>
#include <string.h>

#include "report/palette.h"
#include "report/text.h"

static const char *change_text(struct report_sink *sink, double change)
{
	static const double visible = 0.00005;
	const double percent = 100 * change;
	if (fabs(change) < visible)
		return "0";
	return fabs(percent) < 99.95 ? typeset(sink, "%+.*f %%", fabs(percent) < 0.095 ? 2 : 1, percent)
				     : typeset(sink, "×%.3g", 1 + change);
}

/* "GPU throughput, latency": rows without effect. */
static const char *joined(struct report_sink *sink, const char *list, const char *name)
{
	return typeset(sink, "%s%s%s", list, *list ? ", " : "", name);
}

static const char *goal_text(const struct report_whatif *report, const struct paradl_estimate *estimate)
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

static const char *energy_text(struct report_sink *sink, double joule)
{
	enum { JOULE_PER_KILOWATT_HOUR = 3600000 };
	return typeset(sink, "%.3g kWh", joule / JOULE_PER_KILOWATT_HOUR);
}

static const char *goal_value(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate)
{
	if (report->goal == PARADL_MEMORY)
		return typeset_quantity(sink, estimate->memory_bytes, DIMENSION_BYTES);
	if (report->goal == PARADL_COST && estimate->cost_per_epoch >= 0)
		return typeset_money(sink, estimate->cost_per_epoch, report->head->machine.currency);
	if (report->goal == PARADL_ENERGY && estimate->energy_joule_per_epoch >= 0)
		return energy_text(sink, estimate->energy_joule_per_epoch);
	return typeset_quantity(sink,
		estimate->epoch_s > 0 ? estimate->epoch_s : estimate->iteration_s / estimate->plan.batch,
		DIMENSION_TIME);
}

/* "34.7 s per epoch" */
static const char *time_text(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	return estimate->epoch_s > 0 ? typeset(sink, "%s per epoch",
					       typeset_quantity(sink, estimate->epoch_s, DIMENSION_TIME))
				     : typeset(sink, "%s per iteration",
					       typeset_quantity(sink, estimate->iteration_s, DIMENSION_TIME));
}

static void print_title(
	struct report_sink *sink, const struct report_whatif *report, const struct paradl_estimate *estimate)
{
	const struct report_head *const head = report->head;
	if (sink->style.brief)
		return;
	text_title(sink, head,
		typeset(sink, "%s%s on %s, %s %s", report->is_best ? "best plan " : "",
			text_plan(sink, &estimate->plan), text_devices(sink, head, estimate->devices),
			text_batch(head), typeset_whole(sink, estimate->plan.batch)));
	putc('\n', sink->file);
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

static const char *point_text(struct report_sink *sink, const struct paradl_whatif_point *point)
{
	return point->runs ? typeset(sink, "%s%s", change_text(sink, point->change),
				     point->estimate.fits ? "" : " !")
			   : "-";
}

/* A whole number that is not changed by just as much. */
static const char *input_text(struct report_sink *sink, const struct paradl_whatif_row *row, double vary)
{
	static const double visible = 0.005;
	if (fabs(row->low.times - 1 + vary) < visible && fabs(row->high.times - 1 - vary) < visible)
		return row->input.text;
	return typeset(sink, "%s (×%.3g, ×%.3g)", row->input.text, row->low.times, row->high.times);
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

static bool any_other_plan(const struct paradl_tornado *tornado)
{
	for (size_t i = 0; i < tornado->moving; i++)
		if (tornado->rows[i].low.other_plan || tornado->rows[i].high.other_plan)
			return true;
	return false;
}

static void print_rows(struct report_sink *sink, const struct paradl_tornado *tornado)
{
	const double widest = tornado->moving > 0 ? tornado->rows[0].span : 0;
	const struct table_column columns[] = {
		{"input", TABLE_LEFT, 0, 0},
		{typeset(sink, "-%.3g %%", 100 * tornado->vary), TABLE_RIGHT, 0, 0},
		{typeset(sink, "+%.3g %%", 100 * tornado->vary), TABLE_RIGHT, 0, 0},
		{"", TABLE_LEFT, 1, 0},
		{"other best plan", TABLE_LEFT, 2, 16},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < (any_other_plan(tornado) ? 5 : 4); i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < tornado->moving; i++) {
		const struct paradl_whatif_row *const row = &tornado->rows[i];
		const char **const cells = table_row(&table);
		cells[0] = input_text(sink, row, tornado->vary);
		cells[1] = point_text(sink, &row->low);
		cells[2] = point_text(sink, &row->high);
		cells[3] = widest > 0 ? bar(sink, row->span / widest) : "";
		if (table.column_count > 4)
			cells[4] = plan_text(sink, row);
	}
	table_print(&table);
}

static void print_reasons(struct report_sink *sink, const struct paradl_tornado *tornado)
{
	bool unfit = false;
	for (size_t i = 0; i < tornado->moving; i++) {
		const struct paradl_whatif_row *const row = &tornado->rows[i];
		const struct paradl_whatif_point *const points[] = {&row->low, &row->high};
		for (size_t j = 0; j < 2; j++) {
			unfit = unfit || (points[j]->runs && !points[j]->estimate.fits);
			if (!points[j]->runs)
				typeset_labelled(sink, "cannot run",
					typeset(sink, "%s ×%.3g: %s", row->input.text, points[j]->times,
						typeset_clean(sink, points[j]->reason)));
		}
	}
	if (unfit)
		typeset_labelled(sink, "!", "needs more memory than a GPU has");
}

static void print_tornado(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_tornado *const tornado = report->tornado;
	const char *without = "";
	print_title(sink, report, &tornado->estimate);
	print_rows(sink, tornado);
	if (sink->style.brief)
		return;
	for (size_t i = tornado->moving; i < tornado->count; i++)
		without = joined(sink, without, tornado->rows[i].input.text);
	putc('\n', sink->file);
	typeset_labelled(sink, "change",
		typeset(sink, "of the %s, now %s, by each input alone", goal_text(report, &tornado->estimate),
			goal_value(sink, report, &tornado->estimate)));
	print_reasons(sink, tornado);
	if (*without)
		typeset_labelled(sink, "no effect", without);
}

/* ---- targets ---- */

static const char *measure_text(struct report_sink *sink, const struct report_whatif *report, double value)
{
	switch (report->target->measure) {
	case PARADL_MEASURE_COST:
		return typeset_money(sink, value, report->head->machine.currency);
	case PARADL_MEASURE_ENERGY:
		return energy_text(sink, value);
	case PARADL_MEASURE_MEMORY:
		return typeset_quantity(sink, value, DIMENSION_BYTES);
	case PARADL_MEASURE_EPOCH:
	case PARADL_MEASURE_ITERATION:
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
	static const struct table_column columns[] = {
		{"input alone", TABLE_LEFT, 0, 0},
		{"takes", TABLE_LEFT, 0, 0},
		{"then limited by", TABLE_LEFT, 1, 12},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < 3; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < report->target->count; i++) {
		const struct paradl_whatif_need *const need = &report->target->rows[i];
		if (!has_effect(report->target, need))
			continue;
		const char **const cells = table_row(&table);
		cells[0] = need->input.text;
		cells[1] = need_text(sink, report, need);
		cells[2] = need->estimate.fits
				   ? (need->estimate.limited_by.text ? need->estimate.limited_by.text : "")
				   : "memory: it does not fit";
	}
	table_print(&table);
}

/* "GPU throughput ×1.42 would do; bandwidth between nodes alone stops at 31.3 s" */
static void print_answer(struct report_sink *sink, const struct report_whatif *report, const char *wanted)
{
	const struct paradl_whatif_target *const target = report->target;
	const char *text = target->reached > 0 ? "" : typeset(sink, "no single input reaches %s", wanted);
	const char *joint = ": ";
	if (target->reached > 0) {
		text = typeset(sink, "%s %s would do", target->rows[0].input.text,
			need_text(sink, report, &target->rows[0]));
		joint = "; ";
	}
	if (target->reached < target->count && has_effect(target, &target->rows[target->reached]))
		text = typeset(sink, "%s%s%s alone %s", text, joint, target->rows[target->reached].input.text,
			need_text(sink, report, &target->rows[target->reached]));
	typeset_labelled(sink, "answer", text);
}

static void print_target(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_whatif_target *const target = report->target;
	const char *const wanted = measure_text(sink, report, target->wanted);
	const char *without = "";
	print_title(sink, report, &target->estimate);
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

/* ---- before and after ---- */

enum { PAIR_NAME, PAIR_BEFORE, PAIR_AFTER, PAIR_CHANGE, PAIR_BEST };

static const char *time_cell(struct report_sink *sink, double seconds)
{
	return seconds > 0 ? typeset_quantity(sink, seconds, DIMENSION_TIME) : "-";
}

static const char *change_cell(struct report_sink *sink, double before, double after)
{
	return before > 0 && after > 0 ? change_text(sink, after / before - 1) : "";
}

static void add_times(struct table *table, const char *name, double before, double after, double best)
{
	struct report_sink *const sink = table->sink;
	if (!(before > 0) && !(after > 0) && !(best > 0))
		return;
	const char **const cells = table_row(table);
	cells[PAIR_NAME] = name;
	cells[PAIR_BEFORE] = time_cell(sink, before);
	cells[PAIR_AFTER] = time_cell(sink, after);
	cells[PAIR_CHANGE] = change_cell(sink, before, after);
	if (table->column_count > PAIR_BEST)
		cells[PAIR_BEST] = time_cell(sink, best);
}

static void add_texts(
	struct table *table, const char *name, const char *before, const char *after, const char *best)
{
	const char **const cells = table_row(table);
	cells[PAIR_NAME] = name;
	cells[PAIR_BEFORE] = before;
	cells[PAIR_AFTER] = after;
	if (table->column_count > PAIR_BEST)
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
	const bool shows_best = pair->has_best && pair->best.runs;
	const struct table_column columns[] = {
		{"phase, per iteration", TABLE_LEFT, 0, 0},
		{report->upgrade ? typeset_clean(sink, report->head->machine.name) : "before", TABLE_RIGHT, 0,
			12},
		{report->upgrade ? typeset_clean(sink, report->upgrade->name) : "after", TABLE_RIGHT, 0, 12},
		{"change", TABLE_RIGHT, 0, 0},
		{"best plan then", TABLE_RIGHT, 1, 12},
	};
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < (shows_best ? 5 : 4); i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		add_times(&table, phase_looks[i].label, before->phase_s[i], after->phase_s[i],
			best->phase_s[i]);
	add_times(&table, "iteration", before->iteration_s, after->iteration_s, best->iteration_s);
	add_times(&table, "epoch", before->epoch_s, after->epoch_s, best->epoch_s);
	add_texts(&table, "memory", memory_text(sink, before), memory_text(sink, after),
		memory_text(sink, best));
	add_texts(&table, "limited by", limit_text(sink, before), limit_text(sink, after),
		limit_text(sink, best));
	table_print(&table);
}

/* "EUR 1.20" of an epoch on each */
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

static void print_pair(struct report_sink *sink, const struct report_whatif *report)
{
	const struct paradl_whatif_pair *const pair = report->pair;
	print_title(sink, report, &pair->before);
	if (pair->after.runs)
		print_pair_rows(sink, report);
	if (sink->style.brief)
		return;
	putc('\n', sink->file);
	if (!pair->after.runs)
		typeset_labelled(sink, "cannot run", typeset_clean(sink, pair->after.reason));
	else
		typeset_labelled(sink, "answer",
			typeset(sink, "%s instead of %s: %.3g× as fast",
				time_text(sink, &pair->after.estimate), time_text(sink, &pair->before),
				1 / (1 + pair->after.change)));
	if (pair->has_best && pair->best.runs)
		typeset_labelled(sink, "best",
			typeset(sink, "%s then: %s", text_plan(sink, &pair->best.estimate.plan),
				time_text(sink, &pair->best.estimate)));
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

void text_whatif(struct report_sink *sink, const struct report_whatif *report)
{
	if (report->tornado)
		print_tornado(sink, report);
	else if (report->target)
		print_target(sink, report);
	else
		print_pair(sink, report);
	if (!sink->style.brief)
		text_assumptions(sink, report->head);
}
