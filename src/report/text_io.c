/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Can storage feed this training: a verdict, what is needed, and a table of the ways to feed each plan. */
#include <math.h>

#include "report/table.h"
#include "report/text.h"

const char *text_io_way(struct report_sink *sink, const struct paradl_input_way *way)
{
	if (way->shuffle == PARADL_SHUFFLE_GLOBAL)
		return paradl_store_name(way->store);
	if (way->shuffle == PARADL_SHUFFLE_LOCAL)
		return way->store == PARADL_STORE_SHARD
			       ? paradl_shuffle_name(way->shuffle)
			       : typeset(sink, "local, %s", paradl_store_name(way->store));
	return typeset(sink, "%s:%.3g", paradl_shuffle_name(way->shuffle), way->exchanged);
}

const char *text_io_times(struct report_sink *sink, double times)
{
	return times < 99.95 ? typeset(sink, "%.3g", times) : typeset_whole(sink, times);
}

/* ---- the table ---- */

struct shown {
	bool gpus, epochs, exchange, risk;
};

static struct shown shown_of(const struct report_io *report)
{
	struct shown shown = {.gpus = report->table->count > 1, .epochs = report->table->samples > 0};
	for (size_t k = 0; k < report->table->count; ++k)
		for (size_t i = 0; i < report->table->cases[k].row_count; ++i) {
			const struct paradl_input *const input = &report->table->cases[k].rows[i].input;
			shown.exchange |= input->possible && input->exchange_s > 0;
			shown.risk |= input->possible && input->risk != PARADL_RISK_NONE;
		}
	return shown;
}

static const char *finish_title(struct report_sink *sink, const struct report_io *report)
{
	return typeset(sink, "%s epoch%s", typeset_whole(sink, report->table->epochs),
		report->table->epochs > 1 ? "s" : "");
}

enum { COLUMNS = 13 };

/* Columns and cells stand in the same order. */
static void columns_of(const struct shown *shown, bool wanted[COLUMNS])
{
	const bool all[COLUMNS] = {shown->gpus, true, shown->epochs, !shown->epochs, true, true, true,
		shown->exchange, true, true, true, shown->epochs, shown->risk};
	for (size_t i = 0; i < COLUMNS; ++i)
		wanted[i] = all[i];
}

static void add_columns(struct table *table, const struct report_io *report, const struct shown *shown)
{
	const struct table_column columns[COLUMNS] = {
		{"GPUs", TABLE_RIGHT, 0, 0},
		{"samples from", TABLE_LEFT, 0, 0},
		{"epoch", TABLE_RIGHT, 0, 0},
		{"step", TABLE_RIGHT, 0, 0},
		{"fetch", TABLE_RIGHT, 0, 0},
		{"late", TABLE_RIGHT, 0, 0},
		{"prep.", TABLE_RIGHT, 0, 0},
		{"exch.", TABLE_RIGHT, 0, 0},
		{"busy", TABLE_RIGHT, 0, 0},
		{"binds", TABLE_LEFT, 1, 0},
		{"next", TABLE_LEFT, 4, 0},
		{finish_title(table->sink, report), TABLE_RIGHT, 2, 0},
		{"risk", TABLE_LEFT, 3, 0},
	};
	bool wanted[COLUMNS];
	columns_of(shown, wanted);
	for (size_t i = 0; i < COLUMNS; ++i)
		if (wanted[i])
			table_column(table, &columns[i]);
}

/* Of the step; nothing where it is nothing. */
static const char *stall(struct report_sink *sink, double stall_s, const struct paradl_input *input)
{
	static const double least_share = 0.0005;
	const double share = stall_s / input->step_s;
	return share < least_share ? "-" : typeset(sink, "%.*f %%", share < 0.0995 ? 1 : 0, 100 * share);
}

/* What is exchanged is waited for even where devices take longer. */
static enum paradl_resource binding(const struct paradl_input *input)
{
	const bool waits = input->stall_exchange_s > input->stall_fetch_s + input->stall_preparation_s;
	return input->binding == PARADL_RESOURCE_DEVICES && waits ? PARADL_RESOURCE_EXCHANGE : input->binding;
}

static enum paradl_resource next(const struct paradl_input *input)
{
	return binding(input) == input->next || binding(input) != input->binding ? input->binding
										 : input->next;
}

static void add_row(struct table *table, const struct shown *shown, const struct paradl_input_case *at,
	const struct paradl_input_row *row)
{
	struct report_sink *const sink = table->sink;
	const struct paradl_input *const input = &row->input;
	const char *const values[COLUMNS] = {
		typeset_whole(sink, at->estimate.devices),
		text_io_way(sink, &row->way),
		typeset_quantity(sink, input->epoch_s, DIMENSION_TIME),
		typeset_quantity(sink, input->step_s, DIMENSION_TIME),
		stall(sink, input->stall_fetch_s, input),
		stall(sink, input->stall_straggler_s, input),
		stall(sink, input->stall_preparation_s, input),
		stall(sink, input->stall_exchange_s, input),
		typeset_percent(sink, input->utilisation),
		paradl_resource_name(binding(input)),
		paradl_resource_name(next(input)),
		typeset_quantity(sink, row->finish_s, DIMENSION_TIME),
		input->risk == PARADL_RISK_NONE ? "-" : paradl_risk_name(input->risk),
	};
	bool wanted[COLUMNS];
	const char **cells = table_row(table);
	columns_of(shown, wanted);
	for (size_t i = 0; i < COLUMNS; ++i)
		if (wanted[i])
			*cells++ = values[i];
}

static void print_table(struct report_sink *sink, const struct report_io *report)
{
	struct table table;
	const struct shown shown = shown_of(report);
	table_start(&table, sink);
	add_columns(&table, report, &shown);
	for (size_t k = 0; k < report->table->count; ++k)
		for (size_t i = 0; i < report->table->cases[k].row_count; ++i)
			if (report->table->cases[k].rows[i].input.possible)
				add_row(&table, &shown, &report->table->cases[k],
					&report->table->cases[k].rows[i]);
	if (table.row_count > 0)
		table_print(&table);
}

/* ---- above it ---- */

static bool of_samples(enum paradl_resource resource)
{
	return resource == PARADL_RESOURCE_CORES || resource == PARADL_RESOURCE_METADATA ||
	       resource == PARADL_RESOURCE_REQUESTS;
}

/* A rate of all devices, in what the resource is counted in. */
static const char *rate(struct report_sink *sink, const struct paradl_input *input,
	enum paradl_resource resource, double times)
{
	if (of_samples(resource))
		return typeset(sink, "%s samples/s", typeset_count(sink, input->samples_per_s * times));
	return typeset_quantity(sink, input->bytes_per_s * times, DIMENSION_BYTES_PER_S);
}

/* Of what waits for input, the resource that is nearest. */
static enum paradl_resource nearest(const struct paradl_input *input)
{
	return input->binding == PARADL_RESOURCE_DEVICES ? input->next : input->binding;
}

static bool is_plural(enum paradl_resource resource)
{
	return resource == PARADL_RESOURCE_LOCAL || resource == PARADL_RESOURCE_REQUESTS ||
	       resource == PARADL_RESOURCE_HOST_LINK;
}

static const char *verdict(struct report_sink *sink, const struct paradl_input *input)
{
	static const double least_share = 0.001;
	const enum paradl_resource resource = nearest(input);
	const double has = input->resource_s[resource] > 0 ? input->busy_s / input->resource_s[resource] : 0;
	const double waiting = 1 - input->utilisation;
	if (!input->possible)
		return typeset(sink, "nothing feeds it: %s", input->reason);
	if (waiting < least_share && !(has > 0))
		return typeset(sink, "input never binds: %s needed", rate(sink, input, resource, 1));
	if (waiting < least_share)
		return typeset(sink, "input never binds: %s needed; nearest is %s, with %s (%s times that)",
			rate(sink, input, resource, 1), paradl_resource_text(resource),
			rate(sink, input, resource, has), text_io_times(sink, has));
	if (has < 1)
		return typeset(sink, "%s bind%s: %s needed, %s there: GPUs wait %s of each step",
			paradl_resource_text(resource), is_plural(resource) ? "" : "s",
			rate(sink, input, resource, 1), rate(sink, input, resource, has),
			typeset_percent(sink, waiting));
	return typeset(sink, "%s is not hidden, %s besides %s of compute: GPUs wait %s of each step",
		input->stall_exchange_s > input->stall_fetch_s + input->stall_preparation_s
			? paradl_resource_text(PARADL_RESOURCE_EXCHANGE)
			: "input",
		typeset_quantity(sink, input->step_s - input->busy_s, DIMENSION_TIME),
		typeset_quantity(sink, input->busy_s, DIMENSION_TIME), typeset_percent(sink, waiting));
}

static void print_verdict(
	struct report_sink *sink, const char *label, const struct paradl_input_case *at, size_t row)
{
	static const double good = 0.9;
	const struct paradl_input_row *const shown = &at->rows[row];
	const char *const way = at->row_count > 1 && shown->input.possible
					? typeset(sink, "%s: ", text_io_way(sink, &shown->way))
					: "";
	typeset_labelled(sink, label,
		typeset_ink(sink,
			shown->input.utilisation < good || !shown->input.possible ? INK_BAD : INK_GOOD,
			typeset(sink, "%s%s", way, verdict(sink, &shown->input))));
}

/* Most programs read from the shared file system: what is better than that says why. */
static void print_shared(struct report_sink *sink, const struct paradl_input_case *at)
{
	static const double much = 0.02;
	for (size_t i = 1; i < at->row_count; ++i)
		if (at->rows[i].way.store == PARADL_STORE_SHARED && at->rows[i].input.possible &&
			at->rows[i].input.utilisation < 1 - much)
			print_verdict(sink, "otherwise", at, i);
}

static void print_verdicts(struct report_sink *sink, const struct report_io *report)
{
	const struct paradl_input_table *const table = report->table;
	for (size_t k = 0; k < table->count; ++k) {
		const struct paradl_input_case *const at = &table->cases[k];
		const char *const label =
			table->count == 1
				? "verdict"
				: typeset(sink, "%s GPU%s", typeset_whole(sink, at->estimate.devices),
					  at->estimate.devices > 1 ? "s" : "");
		print_verdict(sink, label, at, 0);
		if (table->count == 1)
			print_shared(sink, at);
	}
}

static void print_demand(struct report_sink *sink, const struct paradl_input_case *at)
{
	const struct paradl_input *const input = &at->rows[0].input;
	const double devices = at->estimate.devices;
	typeset_labelled(sink, "needs",
		typeset(sink, "%s (%s samples/s); %s per node, %s per GPU (%s samples/s)",
			typeset_quantity(sink, input->bytes_per_s, DIMENSION_BYTES_PER_S),
			typeset_count(sink, input->samples_per_s),
			typeset_quantity(sink, input->bytes_per_s / input->nodes, DIMENSION_BYTES_PER_S),
			typeset_quantity(sink, input->bytes_per_s / devices, DIMENSION_BYTES_PER_S),
			typeset_count(sink, input->samples_per_s / devices)));
}

static const char *title(struct report_sink *sink, const struct report_io *report)
{
	const struct paradl_input_table *const table = report->table;
	const struct paradl_estimate *const estimate = &table->cases[0].estimate;
	if (table->count > 1)
		return typeset(sink, "input of %s to %s GPUs, %s samples each",
			typeset_whole(sink, estimate->devices),
			typeset_whole(sink, table->cases[table->count - 1].estimate.devices),
			typeset_count(sink, estimate->plan.batch / estimate->devices));
	return typeset(sink, "input of %s on %s, global batch %s", text_plan(sink, &estimate->plan),
		text_devices(sink, report->head, estimate->devices),
		typeset_whole(sink, estimate->plan.batch));
}

void text_io(struct report_sink *sink, const struct report_io *report)
{
	if (!sink->style.brief) {
		text_title(sink, report->head, title(sink, report));
		print_verdicts(sink, report);
		if (report->table->count == 1 && report->table->cases[0].rows[0].input.possible)
			print_demand(sink, &report->table->cases[0]);
		putc('\n', sink->file);
	}
	print_table(sink, report);
	text_io_below(sink, report);
}
