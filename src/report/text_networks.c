/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks side by side, and the steps of an algorithm. */
#include <math.h>

#include "report/text.h"

static const char *money_or_dash(struct report_sink *sink, double price, const char *currency)
{
	return price < 0 ? "-" : typeset_money(sink, price, currency);
}

static const char *count_or_dash(struct report_sink *sink, double count)
{
	return count < 0 ? "-" : typeset_whole(sink, count);
}

enum {
	CELL_NETWORK,
	CELL_RANKS,
	CELL_TIME,
	CELL_RATIO,
	CELL_BEST,
	CELL_BUS,
	CELL_CABLE,
	CELL_SWITCHES,
	CELL_PORTS,
	CELL_CABLES,
	CELL_HOPS,
	CELL_BISECTION,
	CELL_WATT,
	CELL_PRICE
};

static void add_network(struct table *table, const struct report_collective *report, size_t index, size_t row)
{
	struct report_sink *const sink = table->sink;
	const struct report_network *const network = &report->networks[index];
	const struct paradl_inventory *const inventory = &network->inventory;
	const struct paradl_collective_row *const answer = &network->table.rows[row];
	const double first_s = report->networks[0].table.rows[row].time_s;
	const double cable = network->info.cable_bytes_per_s * network->info.share;
	const char **const cells = table_row(table);
	cells[CELL_NETWORK] = typeset(sink, "%s", network->info.name);
	cells[CELL_RANKS] = typeset_whole(sink, network->table.ranks);
	cells[CELL_TIME] = typeset_quantity(sink, answer->time_s, DIMENSION_TIME);
	cells[CELL_RATIO] = index > 0 && first_s > 0 ? typeset(sink, "×%.3g", answer->time_s / first_s) : "";
	cells[CELL_BEST] = text_algorithm(sink, &network->table, answer->choice, row);
	cells[CELL_BUS] = typeset_quantity(sink, answer->bus_bytes_per_s, DIMENSION_BYTES_PER_S);
	cells[CELL_CABLE] = typeset_quantity(sink, cable, DIMENSION_BYTES_PER_S);
	cells[CELL_SWITCHES] = count_or_dash(sink, inventory->switches);
	cells[CELL_PORTS] = count_or_dash(sink, inventory->most_ports);
	cells[CELL_CABLES] = count_or_dash(sink, inventory->cables);
	cells[CELL_HOPS] = count_or_dash(sink, inventory->diameter_hops);
	cells[CELL_BISECTION] =
		typeset_quantity(sink, inventory->bisection_bytes_per_s, DIMENSION_BYTES_PER_S);
	cells[CELL_WATT] = typeset_quantity(sink, inventory->static_watt, DIMENSION_POWER);
	cells[CELL_PRICE] = money_or_dash(sink, inventory->price, report->head->machine.currency);
}

static bool any_price(const struct report_collective *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->networks[i].inventory.price > 0)
			return true;
	return false;
}

static bool any_power(const struct report_collective *report)
{
	for (size_t i = 0; i < report->count; i++)
		if (report->networks[i].inventory.static_watt > 0)
			return true;
	return false;
}

static void print_networks(struct report_sink *sink, const struct report_collective *report, size_t row)
{
	static const struct table_column columns[] = {
		{"network", TABLE_LEFT, 0, 16},
		{"ranks", TABLE_RIGHT, 1, 0},
		{"time", TABLE_RIGHT, 0, 0},
		{"", TABLE_RIGHT, 0, 0},
		{"best", TABLE_LEFT, 0, 10},
		{"bus", TABLE_RIGHT, 5, 0},
		{"router cable", TABLE_RIGHT, 6, 0},
		{"switches", TABLE_RIGHT, 0, 0},
		{"ports", TABLE_RIGHT, 3, 0},
		{"cables", TABLE_RIGHT, 0, 0},
		{"hops", TABLE_RIGHT, 2, 0},
		{"bisection", TABLE_RIGHT, 4, 0},
		{"power", TABLE_RIGHT, 3, 0},
		{"price", TABLE_RIGHT, 3, 0},
	};
	struct table table;
	const bool has_price = any_price(report);
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
		if ((i == CELL_PRICE && !has_price) || (i == CELL_WATT && !has_price && !any_power(report)))
			break;
		table_column(&table, &columns[i]);
	}
	for (size_t i = 0; i < report->count; i++)
		add_network(&table, report, i, row);
	table_print(&table);
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
	static const struct table_column columns[] = {
		{"steps", TABLE_RIGHT, 0, 0},
		{"phase", TABLE_LEFT, 1, 12},
		{"messages", TABLE_RIGHT, 0, 0},
		{"each", TABLE_RIGHT, 0, 0},
		{"", TABLE_LEFT, 0, 24},
		{"besides", TABLE_LEFT, 2, 12},
	};
	const struct paradl_schedule *const schedule = report->schedule;
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < schedule->count; i++) {
		const struct paradl_step *const step = &schedule->steps[i];
		const char **const cells = table_row(&table);
		cells[0] = step_numbers(sink, step);
		cells[1] = typeset(sink, "%s%s", step->depth > 0 ? "beside: " : "", step->phase);
		cells[2] = typeset_whole(sink, step->count);
		cells[3] = message_size(sink, step);
		cells[4] = step->messages;
		cells[5] = step_besides(sink, step);
	}
	fprintf(sink->file, "\n %s\n",
		typeset_ink(sink, INK_DIM,
			typeset(sink, "%s%s%s, %s: %s step%s", schedule->algorithm,
				*schedule->variant ? ", " : "", schedule->variant,
				typeset_size(sink, report->schedule_bytes),
				typeset_whole(sink, schedule->total), schedule->total > 1 ? "s" : "")));
	table_print(&table);
	if (!schedule->complete)
		fprintf(sink->file, " %s\n", typeset(sink, "… and more steps of other kinds"));
}
