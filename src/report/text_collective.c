/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operation on one network: by size, by algorithm, against measurements. */
#include <math.h>
#include <string.h>

#include "report/text.h"

enum { BEST_LEAST = 24, BEST_MOST = 40 };

/* Two step rules that differ by less are one time. */
static const double rules_differ = 0.01;

static bool is_range(double time_s, double least_s)
{
	return least_s < time_s * (1 - rules_differ);
}

const char *text_algorithm(
	struct report_sink *sink, const struct paradl_collective_table *table, size_t choice, size_t row)
{
	const char *const variant = table->choices[choice].variants[row];
	return typeset(sink, "%s%s%s", report_algorithm(table, choice), *variant ? ", " : "", variant);
}

static const char *percent_more(struct report_sink *sink, double share)
{
	return share < 9.995 ? typeset(sink, "+%.*f %%", share < 0.0995 ? 1 : 0, 100 * share)
			     : typeset(sink, "×%.0f", 1 + share);
}

/* "allreduce on ABCI: 1,024 GPUs in 256 nodes, 4 groups at once, a rank every 4 devices" */
static void print_title(struct report_sink *sink, const struct report_collective *report)
{
	const struct report_network *const network = report->networks;
	const struct paradl_collective_table *const table = &network->table;
	const char *text = typeset(sink, "%s on %s: %s ranks", paradl_operation_name(table->operation),
		network->info.name, typeset_whole(sink, table->ranks));
	if (table->nodes < table->ranks)
		text = typeset(sink, "%s in %s node%s", text, typeset_whole(sink, table->nodes),
			table->nodes > 1 ? "s" : "");
	if (table->concurrent > 1)
		text = typeset(sink, "%s, %u groups at once", text, table->concurrent);
	if (table->stride > 1)
		text = typeset(sink, "%s, a rank every %u devices", text, table->stride);
	if (strcmp(report->placement, "in-order") != 0)
		text = typeset(sink, "%s, %s", text, report->placement);
	if (report->density > 0)
		text = typeset(sink, "%s, density %.3g %%", text, 100 * report->density);
	typeset_wrapped(sink, 4, typeset_ink(sink, INK_BOLD, text));
}

/* ---- by size ---------------------------------------------------------------------------------------------- */

struct shown {
	bool range, origin, links, waiting, next;
};

static struct shown shown_of(const struct paradl_collective_table *table)
{
	struct shown shown = {false, false, false, false, false};
	for (size_t i = 0; i < table->row_count; i++) {
		const struct paradl_collective_row *const row = &table->rows[i];
		shown.range |= is_range(row->time_s, row->least_s);
		shown.origin |= row->origin != PARADL_MODELLED;
		shown.links |= row->links_joule >= 0;
		shown.waiting |= row->waiting_joule >= 0;
		shown.next |= row->next != row->choice;
	}
	return shown;
}

static void add_columns(struct table *table, const struct shown *shown)
{
	const struct table_column columns[] = {
		{"size", TABLE_RIGHT, 0, 0},
		{"time", TABLE_RIGHT, 0, 0},
		{shown->range ? "at least" : "", TABLE_RIGHT, 3, 0},
		{shown->origin ? "from" : "", TABLE_LEFT, 0, 0},
		{shown->origin ? "model" : "", TABLE_RIGHT, 0, 0},
		{"bus bandwidth", TABLE_RIGHT, 1, 0},
		{"best", TABLE_LEFT, 0, 0},
		{shown->next ? "next" : "", TABLE_LEFT, 4, 0},
		{shown->links ? "links" : "", TABLE_RIGHT, 5, 0},
		{shown->waiting ? "waiting" : "", TABLE_RIGHT, 5, 0},
	};
	const bool wanted[] = {true, true, shown->range, shown->origin, shown->origin, true, true,
		shown->next, shown->links, shown->waiting};
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		if (wanted[i])
			table_column(table, &columns[i]);
}

static const char *origin_text(struct report_sink *sink, const struct paradl_collective_row *row)
{
	const char *const name = report_time_origin(row->origin);
	if (row->origin == PARADL_MODELLED || !(row->error_share > 0))
		return name;
	return typeset(sink, "%s ±%s", name, typeset_percent(sink, row->error_share));
}

static void add_row(struct table *table, const struct shown *shown,
	const struct paradl_collective_table *answer, size_t index)
{
	struct report_sink *const sink = table->sink;
	const struct paradl_collective_row *const row = &answer->rows[index];
	const char **cells = table_row(table);
	*cells++ = typeset_size(sink, row->bytes);
	*cells++ = typeset_quantity(sink, row->time_s, DIMENSION_TIME);
	if (shown->range)
		*cells++ = is_range(row->time_s, row->least_s)
				   ? typeset_quantity(sink, row->least_s, DIMENSION_TIME)
				   : "";
	if (shown->origin) {
		*cells++ = origin_text(sink, row);
		*cells++ = typeset_quantity(sink, row->model_s, DIMENSION_TIME);
	}
	*cells++ = typeset_quantity(sink, row->bus_bytes_per_s, DIMENSION_BYTES_PER_S);
	*cells++ = typeset_cut(sink, text_algorithm(sink, answer, row->choice, index),
		shown->origin ? BEST_LEAST : BEST_MOST);
	if (shown->next)
		*cells++ = row->next == row->choice
				   ? ""
				   : typeset(sink, "%s %s", report_algorithm(answer, row->next),
					     percent_more(sink, row->margin));
	if (shown->links)
		*cells++ = text_joule(sink, row->links_joule);
	if (shown->waiting)
		*cells++ = text_joule(sink, row->waiting_joule);
}

static void print_sizes(struct report_sink *sink, const struct paradl_collective_table *answer)
{
	struct table table;
	const struct shown shown = shown_of(answer);
	table_start(&table, sink);
	add_columns(&table, &shown);
	for (size_t i = 0; i < answer->row_count; i++)
		add_row(&table, &shown, answer, i);
	table_print(&table);
}

/* ---- by algorithm ----------------------------------------------------------------------------------------- */

enum { CELL_LEAST = 3 };

static bool any_range(const struct paradl_collective_table *answer, size_t row)
{
	for (size_t i = 0; i < answer->choice_count; i++)
		if (is_range(answer->choices[i].time_s[row], answer->choices[i].least_s[row]))
			return true;
	return false;
}

static void print_algorithms(struct report_sink *sink, const struct paradl_collective_table *answer)
{
	static const struct table_column columns[] = {
		{"algorithm", TABLE_LEFT, 0, 16},
		{"time", TABLE_RIGHT, 0, 0},
		{"", TABLE_RIGHT, 1, 0},
		{"at least", TABLE_RIGHT, 4, 0},
		{"steps", TABLE_RIGHT, 2, 0},
		{"traffic", TABLE_RIGHT, 3, 0},
		{"most loaded link", TABLE_LEFT, 5, 16},
	};
	struct table table;
	const size_t last = answer->row_count - 1;
	const bool range = any_range(answer, last);
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		if (range || i != CELL_LEAST)
			table_column(&table, &columns[i]);
	for (size_t i = 0; i < answer->choice_count; i++) {
		const struct paradl_collective_choice *const choice = &answer->choices[i];
		const double time_s = choice->time_s[last], best_s = answer->choices[0].time_s[last];
		const char **cells = table_row(&table);
		*cells++ = text_algorithm(sink, answer, i, last);
		*cells++ = typeset_quantity(sink, time_s, DIMENSION_TIME);
		*cells++ = i > 0 && best_s > 0 ? percent_more(sink, time_s / best_s - 1) : "";
		if (range)
			*cells++ = is_range(time_s, choice->least_s[last])
					   ? typeset_quantity(sink, choice->least_s[last], DIMENSION_TIME)
					   : "";
		*cells++ = typeset_whole(sink, choice->steps);
		*cells++ = typeset(sink, "%s×", typeset_count(sink, choice->traffic));
		*cells++ = choice->hottest;
	}
	fprintf(sink->file, "\n %s\n",
		typeset_ink(sink, INK_DIM,
			typeset(sink, "by algorithm, %s", typeset_size(sink, answer->rows[last].bytes))));
	table_print(&table);
}

/* ---- below the tables ------------------------------------------------------------------------------------- */

static void print_crossovers(struct report_sink *sink, const struct paradl_collective_table *table)
{
	const char *text = "";
	for (size_t i = 0; i < table->crossover_count; i++) {
		const struct paradl_crossover *const crossover = &table->crossovers[i];
		text = i == 0 ? typeset(sink, "%s up to %s", report_algorithm(table, crossover->from),
					typeset_quantity(sink, crossover->bytes, DIMENSION_BYTES))
			      : typeset(sink, "%s, %s up to %s", text,
					report_algorithm(table, crossover->from),
					typeset_quantity(sink, crossover->bytes, DIMENSION_BYTES));
	}
	if (table->crossover_count > 0)
		typeset_labelled(sink, "crossovers",
			typeset(sink, "%s, then %s", text,
				report_algorithm(table, table->crossovers[table->crossover_count - 1].to)));
}

static void print_power(struct report_sink *sink, const struct report_network *network)
{
	const struct paradl_collective_table *const table = &network->table;
	const struct paradl_collective_row *const row = &table->rows[table->row_count - 1];
	const double devices = (double)table->ranks * table->concurrent;
	const char *text = "";
	if (row->links_watt >= 0)
		text = typeset(
			sink, "links in use %s", typeset_quantity(sink, row->links_watt, DIMENSION_POWER));
	if (row->gear_watt >= 0)
		text = typeset(sink, "%s%sall gear of the network %s", text, *text ? ", " : "",
			typeset_quantity(sink, row->gear_watt, DIMENSION_POWER));
	if (row->waiting_watt >= 0)
		text = typeset(sink, "%s%s%s devices that wait %s (%s each%s)", text, *text ? ", " : "",
			typeset_whole(sink, devices),
			typeset_quantity(sink, row->waiting_watt, DIMENSION_POWER),
			typeset_quantity(sink, network->info.waiting_watt, DIMENSION_POWER),
			network->info.waiting_is_assumed ? ": 40 % of busy is assumed" : "");
	if (*text)
		typeset_labelled(
			sink, "power", typeset(sink, "at %s: %s", typeset_size(sink, row->bytes), text));
}

static void print_timings(struct report_sink *sink, const struct report_collective *report)
{
	static const struct table_column columns[] = {
		{"size", TABLE_RIGHT, 0, 0},
		{"measured", TABLE_RIGHT, 0, 0},
		{"projected", TABLE_RIGHT, 0, 0},
		{"error", TABLE_RIGHT, 0, 0},
		{"from", TABLE_LEFT, 0, 0},
		{"best", TABLE_LEFT, 0, 12},
	};
	const struct paradl_collective_table *const answer = &report->networks->table;
	struct table table;
	double sum = 0, bias = 0, count = 0, model_sum = 0;
	bool has_curves = false;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	for (size_t i = 0; i < report->timings->count; i++) {
		const struct paradl_timing *const timing = &report->timings->items[i];
		const struct paradl_collective_row *const row = report_row_of(answer, timing->bytes);
		if (!row)
			continue;
		const double error = row->time_s / timing->time_s - 1;
		const char **const cells = table_row(&table);
		cells[0] = typeset_size(sink, timing->bytes);
		cells[1] = typeset_quantity(sink, timing->time_s, DIMENSION_TIME);
		cells[2] = typeset_quantity(sink, row->time_s, DIMENSION_TIME);
		cells[3] = typeset(sink, "%+.1f %%", 100 * error);
		cells[4] = report_time_origin(row->origin);
		cells[5] = text_algorithm(sink, answer, row->choice, (size_t)(row - answer->rows));
		sum += fabs(error);
		bias += error;
		model_sum += fabs(row->model_s / timing->time_s - 1);
		has_curves |= row->origin != PARADL_MODELLED;
		count++;
	}
	table_print(&table);
	if (count > 0 && !sink->style.brief)
		fprintf(sink->file, "\n %s\n",
			typeset(sink, "mean error %.1f %%, bias %+.1f %% of %.0f times by %s",
				100 * sum / count, 100 * bias / count, count, report->timings->tool));
	if (count > 0 && has_curves && !sink->style.brief) {
		putc(' ', sink->file);
		typeset_wrapped(sink, 1,
			typeset(sink,
				"projected from the profile's measured curves, maybe of these very "
				"measurements; the routed model alone: mean error %.1f %%",
				100 * model_sum / count));
	}
}

void text_collective(struct report_sink *sink, const struct report_collective *report)
{
	if (report->compares) {
		text_networks(sink, report);
	} else {
		const struct paradl_collective_table *const table = &report->networks->table;
		if (!sink->style.brief) {
			print_title(sink, report);
			putc('\n', sink->file);
		}
		if (report->timings)
			print_timings(sink, report);
		else
			print_sizes(sink, table);
		if (!report->timings && (table->row_count == 1 || report->shows_all))
			print_algorithms(sink, table);
		if (!sink->style.brief) {
			putc('\n', sink->file);
			print_crossovers(sink, table);
			print_power(sink, report->networks);
			text_assumptions(sink, report->head);
		}
	}
	if (report->schedule)
		text_schedule(sink, report);
}
