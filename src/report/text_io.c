/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_io() prints whether storage can feed a training: a verdict, the rates needed, and a table of the input modes
 * for each plan.
 */
#include "report/text.h"

const char *text_io_way(struct report_sink *sink, const struct paradl_input_mode *way)
{
	if (way->shuffle == PARADL_SHUFFLE_GLOBAL)
		return paradl_store_name(way->store);
	if (way->shuffle == PARADL_SHUFFLE_LOCAL)
		return way->store == PARADL_STORE_SHARD
			       ? paradl_shuffle_name(way->shuffle)
			       : typeset(sink, "local, %s", paradl_store_name(way->store));
	return typeset(sink, "%s:%.3g", paradl_shuffle_name(way->shuffle),
		way->shuffle == PARADL_SHUFFLE_MODELS ? way->hops : way->exchanged);
}

const char *text_io_times(struct report_sink *sink, double times)
{
	return typeset_rate(sink, times);
}

/* ---- the table ---- */

/*
 * Returns the resource that binds. The exchange of samples binds instead of devices that take longer if the step waits
 * more for the exchange than for fetching and preparation.
 */
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

static void print_table(struct report_sink *sink, const struct report_io *report)
{
	enum { FROM = 1, BINDS = 10, NEXT, FINISH };
	const struct paradl_input_table *const all = report->table;
	struct columns columns;
	columns_start(&columns, sink, report, &record_io_row,
		"devices,from,epoch_s,step,fetch,late,preparation,exchange,start,busy,binding,next,finish_s,"
		"warning");
	columns.table.columns[FINISH].title =
		typeset(sink, "%s epoch%s", typeset_whole(sink, all->epochs), all->epochs > 1 ? "s" : "");
	for (size_t k = 0; k < all->count; ++k)
		for (size_t i = 0; i < all->cases[k].row_count; ++i) {
			const struct paradl_input_row *const row = &all->cases[k].rows[i];
			if (!row->input.possible)
				continue;
			const char **const cells =
				columns_row(&columns, &(struct io_row){&all->cases[k], row, NULL});
			cells[FROM] = text_io_way(sink, &row->way);
			cells[BINDS] = paradl_resource_name(binding(&row->input));
			cells[NEXT] = paradl_resource_name(next(&row->input));
		}
	if (columns.table.row_count > 0)
		columns_print(&columns);
}

/* ---- above the table ---- */

static bool of_samples(enum paradl_resource resource)
{
	return resource == PARADL_RESOURCE_CORES || resource == PARADL_RESOURCE_METADATA ||
	       resource == PARADL_RESOURCE_REQUESTS;
}

/* Returns `times` the rate that all devices need, in the unit of the resource: samples/s or bytes/s. */
static const char *rate(struct report_sink *sink, const struct paradl_input *input,
	enum paradl_resource resource, double times)
{
	if (of_samples(resource))
		return typeset(sink, "%s samples/s", typeset_count(sink, input->samples_per_s * times));
	return typeset_quantity(sink, input->bytes_per_s * times, DIMENSION_BYTES_PER_S);
}

/* Returns the resource of the input, apart from the devices, that binds or is the next to bind. */
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
	const enum paradl_resource resource = nearest(input);
	const double has = input->resource_s[resource] > 0 ? input->busy_s / input->resource_s[resource] : 0;
	const double waiting = 1 - input->utilisation;
	if (!input->possible)
		return typeset(sink, "nothing feeds it: %s", input->reason);
	if (waiting < PARADL_INPUT_WAITS_NOT && !(has > 0))
		return typeset(sink, "input never binds: %s needed", rate(sink, input, resource, 1));
	if (waiting < PARADL_INPUT_WAITS_NOT)
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

/* Prints verdicts on the shared file system, from which most programs read, if GPUs would wait over 2 % of a step. */
static void print_shared(struct report_sink *sink, const struct paradl_input_case *at)
{
	static const double much = 0.02;
	for (size_t i = 1; i < at->row_count; ++i)
		if (at->rows[i].way.store == PARADL_STORE_SHARED && at->rows[i].input.possible &&
			at->rows[i].input.utilisation < 1 - much)
			print_verdict(sink, "otherwise", at, i);
}

static void print_memory(struct report_sink *sink, const struct paradl_input_case *at)
{
	if (at->estimate.fits)
		return;
	typeset_labelled(sink, "memory",
		typeset_ink(sink, INK_BAD,
			typeset(sink, "the plan does not fit: %s of %s on the fullest GPU",
				typeset_quantity(sink, at->estimate.memory_bytes, DIMENSION_BYTES),
				typeset_quantity(sink, at->estimate.capacity_bytes, DIMENSION_BYTES))));
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
		print_memory(sink, at);
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
	if (input->epoch_start_s > 0)
		typeset_labelled(sink, "start",
			typeset(sink,
				"each epoch begins with %s until the loaders have samples; estimate and "
				"advise "
				"count iterations alone",
				typeset_quantity(
					sink, input->epoch_start_s + input->epoch_late_s, DIMENSION_TIME)));
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
