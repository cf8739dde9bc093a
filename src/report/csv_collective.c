/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each network and size; with all algorithms, a row for each of those too; or the steps of a schedule. */
#include "report/csv.h"

static void write_schedule(struct csv_line *line, const struct paradl_schedule *schedule)
{
	static const char *const names[] = {"algorithm", "variant", "first", "repeat", "phase", "beside",
		"messages", "least_bytes", "most_bytes", "pattern", "combined_bytes", "memory_bytes",
		"wait_s"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < schedule->count; i++) {
		const struct paradl_step *const step = &schedule->steps[i];
		csv_text(line, schedule->algorithm);
		csv_text(line, schedule->variant);
		csv_number(line, step->first);
		csv_number(line, step->repeat);
		csv_text(line, step->phase);
		csv_number(line, step->depth > 0);
		csv_number(line, step->count);
		csv_number(line, step->least_bytes);
		csv_number(line, step->most_bytes);
		csv_text(line, step->messages);
		csv_number(line, step->combined_bytes);
		csv_number(line, step->memory_bytes);
		csv_number(line, step->wait_s);
		csv_end(line);
	}
}

static double measured_s(const struct report_collective *report, double bytes)
{
	for (size_t i = 0; report->timings && i < report->timings->count; i++)
		if (!(report->timings->items[i].bytes < bytes) && !(report->timings->items[i].bytes > bytes))
			return report->timings->items[i].time_s;
	return -1;
}

static void write_place(struct csv_line *line, const struct report_network *network, double bytes)
{
	csv_text(line, network->info.name);
	csv_text(line, paradl_operation_name(network->table.operation));
	csv_number(line, network->table.ranks);
	csv_number(line, network->table.concurrent);
	csv_number(line, network->table.stride);
	csv_number(line, bytes);
}

static void write_row(struct csv_line *line, const struct report_collective *report,
	const struct report_network *network, size_t i)
{
	const struct paradl_collective_table *const table = &network->table;
	const struct paradl_collective_row *const row = &table->rows[i];
	const bool has_next = row->next != row->choice;
	write_place(line, network, row->bytes);
	csv_number(line, row->time_s);
	csv_number(line, row->least_s);
	csv_text(line, report_time_origin(row->origin));
	csv_number(line, row->model_s);
	csv_number(line, row->bytes_per_s);
	csv_number(line, row->bus_bytes_per_s);
	csv_text(line, table->choices[row->choice].algorithm);
	csv_text(line, table->choices[row->choice].variants[i]);
	csv_text(line, has_next ? table->choices[row->next].algorithm : NULL);
	csv_number(line, has_next ? row->margin : -1);
	csv_number(line, row->links_watt);
	csv_number(line, row->links_joule);
	csv_number(line, row->gear_watt);
	csv_number(line, row->gear_joule);
	csv_number(line, row->waiting_watt);
	csv_number(line, row->waiting_joule);
	csv_number(line, measured_s(report, row->bytes));
	csv_number(line, network->inventory.switches);
	csv_number(line, network->inventory.cables);
	csv_number(line, network->inventory.diameter_hops);
	csv_number(line, network->inventory.bisection_bytes_per_s);
	csv_number(line, network->inventory.static_watt);
	csv_number(line, network->inventory.price);
	csv_end(line);
}

static void write_rows(struct csv_line *line, const struct report_collective *report)
{
	static const char *const names[] = {"network", "operation", "ranks", "concurrent", "stride", "bytes",
		"time_s", "least_s", "origin", "model_s", "bytes_per_s", "bus_bytes_per_s", "algorithm",
		"variant", "next", "margin", "links_watt", "links_joule", "gear_watt", "gear_joule",
		"waiting_watt", "waiting_joule", "measured_s", "switches", "cables", "diameter_hops",
		"bisection_bytes_per_s", "static_watt", "price"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t k = 0; k < report->count; k++)
		for (size_t i = 0; i < report->networks[k].table.row_count; i++)
			write_row(line, report, &report->networks[k], i);
}

static void write_algorithms(struct csv_line *line, const struct report_collective *report)
{
	static const char *const names[] = {"network", "operation", "ranks", "concurrent", "stride", "bytes",
		"algorithm", "variant", "time_s", "least_s", "steps", "traffic"};
	csv_header(line, names, sizeof names / sizeof names[0]);
	for (size_t k = 0; k < report->count; k++)
		for (size_t n = 0; n < report->networks[k].table.choice_count; n++)
			for (size_t i = 0; i < report->networks[k].table.row_count; i++) {
				const struct paradl_collective_table *const table =
					&report->networks[k].table;
				const struct paradl_collective_choice *const choice = &table->choices[n];
				const bool last = i + 1 == table->row_count;
				write_place(line, &report->networks[k], table->rows[i].bytes);
				csv_text(line, choice->algorithm);
				csv_text(line, choice->variants[i]);
				csv_number(line, choice->time_s[i]);
				csv_number(line, choice->least_s[i]);
				csv_number(line, last ? choice->steps : -1);
				csv_number(line, last ? choice->traffic : -1);
				csv_end(line);
			}
}

void csv_collective(struct report_sink *sink, const struct report_collective *report)
{
	struct csv_line line = {sink->file, false};
	if (report->schedule)
		write_schedule(&line, report->schedule);
	else if (report->shows_all)
		write_algorithms(&line, report);
	else
		write_rows(&line, report);
}
