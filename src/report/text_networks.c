/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_networks() prints networks side by side, text_schedule() the steps of an algorithm. */
#include "report/text.h"

static void print_networks(struct report_sink *sink, const struct report_collective *report, size_t size)
{
	enum { RATIO = 3, BEST = 4 };
	const double first_s = report->networks[0].table.rows[size].time_s;
	struct columns columns;
	columns_start(&columns, sink, report, &record_collective_line,
		"network,ranks,time_s,ratio,best,bus,router_cable,switches,ports,cables,diameter_hops,"
		"bisection_bytes_per_s,static_watt,price");
	columns.currency = report->head->machine.currency;
	for (size_t i = 0; i < report->count; i++) {
		const struct report_network *const network = &report->networks[i];
		const struct paradl_collective_row *const row = &network->table.rows[size];
		const char **const cells =
			columns_row(&columns, &(struct collective_row){network, row->choice, size});
		if (i > 0 && first_s > 0)
			cells[RATIO] = typeset(sink, "×%.3g", row->time_s / first_s);
		cells[BEST] = text_algorithm(sink, &network->table, row->choice, size);
	}
	columns_print(&columns);
}

void text_networks(struct report_sink *sink, const struct report_collective *report)
{
	const struct paradl_collective_table *const first = &report->networks->table;
	for (size_t i = 0; i < first->row_count; i++) {
		const char *const title = typeset(sink, "%s of %s on %zu network%s",
			paradl_operation_name(first->operation), typeset_size(sink, first->rows[i].bytes),
			report->count, report->count > 1 ? "s" : "");
		fprintf(sink->file, "%s%s\n\n", i > 0 ? "\n" : "", typeset_ink(sink, INK_BOLD, title));
		print_networks(sink, report, i);
	}
	for (size_t i = 0; report->shows_all && i < report->count; i++)
		text_algorithms(
			sink, &report->networks[i], typeset(sink, "%s, ", report->networks[i].info.name));
	if (sink->style.brief)
		return;
	putc('\n', sink->file);
	text_assumptions(sink, report->head);
}

/* ---- the steps of an algorithm ---------------------------------------------------------------------------- */

static const char *step_numbers(struct report_sink *sink, const struct paradl_step *step)
{
	if (step->repeat > 1)
		return typeset(sink, "%.0f–%.0f", step->first, step->first + step->repeat - 1);
	return typeset(sink, "%.0f", step->first);
}

static const char *message_size(struct report_sink *sink, const struct paradl_step *step)
{
	if (!(step->count > 0))
		return "";
	if (step->least_bytes < step->most_bytes * (1 - 1e-9))
		return typeset(sink, "%s to %s", typeset_size(sink, step->least_bytes),
			typeset_size(sink, step->most_bytes));
	return typeset_size(sink, step->most_bytes);
}

static const char *step_besides(struct report_sink *sink, const struct paradl_step *step)
{
	const char *text = "";
	if (step->combined_bytes > 0)
		text = typeset(sink, "combine %s", typeset_size(sink, step->combined_bytes));
	if (step->memory_bytes > 0)
		text = typeset(sink, "%s%smemory %s", text, *text ? ", " : "",
			typeset_size(sink, step->memory_bytes));
	if (step->wait_s > 0)
		text = typeset(sink, "%s%swait %s", text, *text ? ", " : "",
			typeset_quantity(sink, step->wait_s, DIMENSION_TIME));
	return text;
}

void text_schedule(struct report_sink *sink, const struct report_collective *report)
{
	enum { STEPS, PHASE, EACH = 3, BESIDES = 5 };
	const struct paradl_schedule *const schedule = report->schedule;
	struct columns columns;
	columns_start(&columns, sink, report, &record_step, "steps,phase,messages,each,pattern,besides");
	for (size_t i = 0; i < schedule->count; i++) {
		const struct paradl_step *const step = &schedule->steps[i];
		const char **const cells = columns_row(&columns, step);
		cells[STEPS] = step_numbers(sink, step);
		if (step->depth > 0)
			cells[PHASE] = typeset(sink, "beside: %s", step->phase);
		cells[EACH] = message_size(sink, step);
		cells[BESIDES] = step_besides(sink, step);
	}
	fprintf(sink->file, "\n %s\n",
		typeset_ink(sink, INK_DIM,
			typeset(sink, "%s%s%s, %s: %s step%s", schedule->algorithm,
				*schedule->variant ? ", " : "", schedule->variant,
				typeset_size(sink, report->schedule_bytes),
				typeset_whole(sink, schedule->total), schedule->total > 1 ? "s" : "")));
	columns_print(&columns);
	if (!schedule->complete)
		fprintf(sink->file, " %s\n", typeset(sink, "… and more steps of other kinds"));
}
