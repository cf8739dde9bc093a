/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each model, number of GPUs and machine. */
#include "report/compare.h"
#include "report/csv.h"

static const char *const names[] = {"model", "hw", "gpus", "feasible", "reason", "time_rank", "cost_rank",
	"energy_rank", "time_s", "time_low_s", "time_high_s", "cost", "cost_low", "cost_high", "currency",
	"energy_joule", "energy_low_joule", "energy_high_joule", "strategy", "batch", "iteration_s",
	"power_watt", "cost_per_hour", "limited_by", "limited_share"};

static double known(double value)
{
	return value > 0 ? value : -1;
}

static void write_range(struct csv_line *line, const struct paradl_range *range, bool is_known)
{
	csv_number(line, is_known ? range->value : -1);
	csv_number(line, is_known ? range->low : -1);
	csv_number(line, is_known ? range->high : -1);
}

static void write_cell(
	struct csv_line *line, const struct report_compare *report, const struct paradl_compare_cell *cell)
{
	const struct paradl_machine_info *const machine = &report->machines[cell->machine];
	const struct paradl_estimate *const estimate = &cell->estimate;
	const bool runs = cell->runs;
	char plan[PARADL_PLAN_TEXT] = "";
	if (runs)
		paradl_plan_format(&estimate->plan, plan, sizeof plan);
	csv_text(line, report->models[cell->model].name);
	csv_text(line, machine->name);
	csv_number(line, known(cell->devices));
	csv_number(line, runs);
	csv_text(line, runs ? NULL : cell->reason);
	csv_number(line, known(cell->time_rank));
	csv_number(line, known(cell->cost_rank));
	csv_number(line, known(cell->joule_rank));
	write_range(line, &cell->time_s, runs);
	write_range(line, &cell->cost, runs && cell->cost.value >= 0);
	csv_text(line, !runs || cell->cost.value < 0 ? NULL
		       : cell->cost_compares         ? report->currency
						     : machine->currency);
	write_range(line, &cell->joule, runs && cell->joule.value >= 0);
	csv_text(line, runs ? plan : NULL);
	csv_number(line, runs ? estimate->plan.batch : -1);
	csv_number(line, runs ? estimate->iteration_s : -1);
	csv_number(line, runs ? estimate->watt : -1);
	csv_number(line, runs ? estimate->cost_per_hour : -1);
	csv_text(line, runs ? estimate->limited_by.text : NULL);
	csv_number(line, runs ? estimate->limited_by.share : -1);
	csv_end(line);
}

void csv_compare(struct report_sink *sink, const struct report_compare *report)
{
	const struct paradl_comparison *const comparison = report->comparison;
	struct csv_line line = {sink->file, false};
	csv_header(&line, names, sizeof names / sizeof names[0]);
	for (size_t i = 0; i < comparison->model_count * comparison->device_count * comparison->machine_count;
		i++)
		write_cell(&line, report, &comparison->cells[i]);
}
