/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_collective() prints one operation on one network: by size, by algorithm, or against measurements.
 * text_networks() prints networks side by side, text_schedule() the steps of an algorithm.
 */
#include <math.h>
#include <string.h>

#include "report/text.h"

enum { BEST_LEAST = 24, BEST_MOST = 40 };

/* Returns the name of an algorithm and its variant in a row of the table, "ring, chunks=16". */
static const char *text_algorithm(
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

/* Prints the title, "allreduce on ABCI: 1,024 ranks in 256 nodes, 4 groups at once, a rank every 4 devices". */
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

static void print_sizes(struct report_sink *sink, const struct report_network *network)
{
	enum { FROM = 4, BEST = 7, NEXT = 8 };
	const struct paradl_collective_table *const answer = &network->table;
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_collective_size,
		"bytes,time_s,range_s,top_s,from,routed_s,bus_bytes_per_s,best,rival,"
		"links_joule,waiting_joule");
	for (size_t i = 0; i < answer->row_count; i++) {
		const struct paradl_collective_row *const row = &answer->rows[i];
		const char **const cells =
			columns_row(&columns, &(struct collective_row){network, row->choice, i});
		cells[BEST] = typeset_cut(sink, text_algorithm(sink, answer, row->choice, i),
			*cells[FROM] ? BEST_LEAST : BEST_MOST);
		if (row->origin != PARADL_MODELLED && row->error_share > 0)
			cells[FROM] =
				typeset(sink, "%s ±%s", cells[FROM], typeset_percent(sink, row->error_share));
		if (row->next != row->choice)
			cells[NEXT] = typeset(sink, "%s %s", report_algorithm(answer, row->next),
				percent_more(sink, row->margin));
	}
	columns_print(&columns);
}

/* Prints the algorithms of one network at the largest size; `where` is "torus:8x8, " or "". */
static void text_algorithms(struct report_sink *sink, const struct report_network *network, const char *where)
{
	enum { NAME, MORE = 2, TRAFFIC = 6 };
	const struct paradl_collective_table *const answer = &network->table;
	const size_t last = answer->row_count - 1;
	const double best_s = answer->choices[0].time_s[last];
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_algorithm_line,
		"name,time_s,more,range_s,top_s,steps,traffic,hottest");
	for (size_t i = 0; i < answer->choice_count; i++) {
		const struct paradl_collective_choice *const choice = &answer->choices[i];
		const char **const cells = columns_row(&columns, &(struct collective_row){network, i, last});
		cells[NAME] = text_algorithm(sink, answer, i, last);
		if (i > 0 && best_s > 0)
			cells[MORE] = percent_more(sink, choice->time_s[last] / best_s - 1);
		cells[TRAFFIC] = typeset(sink, "%s×", typeset_count(sink, choice->traffic));
	}
	fprintf(sink->file, "\n %s\n",
		typeset_ink(sink, INK_DIM,
			typeset(sink, "by algorithm, %s%s", where,
				typeset_size(sink, answer->rows[last].bytes))));
	columns_print(&columns);
}

/* ---- below the tables ------------------------------------------------------------------------------------- */

/* Says what the column "at least" is, where it is there. */
static void print_least(struct report_sink *sink, const struct report_network *network)
{
	const struct paradl_collective_table *const answer = &network->table;
	for (size_t i = 0; i < answer->row_count; i++)
		if (answer->rows[i].least_s < answer->rows[i].time_s * (1 - 0.01)) {
			typeset_labelled(sink, "at least",
				"the steps one after another, or the same with no link that ever idles, "
				"where that is "
				"shorter than the time");
			return;
		}
}

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

/*
 * Prints the choice of --library for the largest size, or what the machine's own would take: which of its algorithms to
 * ask for, and what an algorithm that it does not have would gain.
 */
static void print_library(struct report_sink *sink, const struct report_collective *report)
{
	const struct paradl_collective_table *const table = &report->networks->table;
	const struct paradl_collective_row *const row = &table->rows[table->row_count - 1];
	const char *const library = report->library, *text;
	static const double shown = 0.005; /* share of time; a smaller gain would print as 0 % */
	if (table->own)
		typeset_labelled(sink, "library",
			typeset(sink,
				"at %s: %s would take %s, by %s (--library %s), with what it adds to the "
				"wires",
				typeset_size(sink, row->bytes), table->own,
				typeset_quantity(sink, table->own_s, DIMENSION_TIME),
				report_algorithm_name(table, table->own_algorithm), table->own));
	if (!library || strcmp(library, "any") == 0 || table->operation == PARADL_POINT_TO_POINT)
		return;
	const char *const best = report_algorithm(table, row->choice);
	text = typeset(sink, "at %s: %s", typeset_size(sink, row->bytes), best);
	if (text_nccl_algorithm(library, best))
		text = typeset(sink, "%s (NCCL_ALGO=%s)", text, text_nccl_algorithm(library, best));
	if (row->next != row->choice)
		text = typeset(sink, "%s, then %s %s", text, report_algorithm(table, row->next),
			percent_more(sink, row->margin));
	if (table->outside && table->outside_s < row->time_s * (1 - shown))
		text = typeset(sink, "%s; %s, which %s %s, would take %s, %.0f %% less", text,
			report_algorithm_name(table, table->outside), library,
			text_nccl_algorithm(library, table->outside) ? "uses only where it is told to"
								     : "does not have",
			typeset_quantity(sink, table->outside_s, DIMENSION_TIME),
			100 * (1 - table->outside_s / row->time_s));
	typeset_labelled(sink, "library", text);
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
	enum { FROM = 4, BEST = 5 };
	const struct paradl_collective_table *const answer = &report->networks->table;
	double sum = 0, bias = 0, count = 0, model_sum = 0;
	bool has_curves = false;
	struct columns columns;
	columns_start(&columns, sink, report, &record_timing, "bytes,measured_s,projected_s,error,from,best");
	for (size_t i = 0; i < report->timings->count; i++) {
		const struct paradl_timing *const timing = &report->timings->items[i];
		const struct paradl_collective_row *const row = report_row_of(answer, timing->bytes);
		if (!row)
			continue;
		const double error = row->time_s / timing->time_s - 1;
		const char **const cells = columns_row(&columns, timing);
		cells[FROM] = report_time_origin(row->origin);
		cells[BEST] = text_algorithm(sink, answer, row->choice, (size_t)(row - answer->rows));
		sum += fabs(error);
		bias += error;
		model_sum += fabs(row->model_s / timing->time_s - 1);
		has_curves |= row->origin != PARADL_MODELLED;
		count++;
	}
	columns_print(&columns);
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

static void text_networks(struct report_sink *sink, const struct report_collective *report)
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

static void text_schedule(struct report_sink *sink, const struct report_collective *report)
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
			print_sizes(sink, report->networks);
		if (!report->timings && (table->row_count == 1 || report->shows_all))
			text_algorithms(sink, report->networks, "");
		if (!sink->style.brief) {
			putc('\n', sink->file);
			print_least(sink, report->networks);
			print_crossovers(sink, table);
			print_library(sink, report);
			print_power(sink, report->networks);
			text_assumptions(sink, report->head);
		}
	}
	if (report->schedule)
		text_schedule(sink, report);
}
