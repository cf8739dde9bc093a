/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/column_job.h"

#include <string.h>

static struct column_value number(double value)
{
	return (struct column_value){NULL, value};
}

static const struct paradl_run *run_of(const struct ranking_row *row)
{
	return report_run_of(row->advice, row->estimate);
}

struct column_value column_job_time(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	const double samples = row->advice->samples;
	if (run)
		return number(run->possible ? run->time_s : -1);
	return number(row->estimate && samples > 0 ? report_job_s(row->estimate, samples) : -1);
}

struct column_value column_job_cost(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	const double samples = row->advice->samples;
	if (run)
		return number(run->possible ? run->cost : -1);
	return number(row->estimate && samples > 0 ? report_job_cost(row->estimate, samples) : -1);
}

struct column_value column_run_samples(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	return number(run ? run->samples : -1);
}

struct column_value column_run_tokens(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	return number(run ? report_tokens(row->advice->head, run->samples) : -1);
}

struct column_value column_run_in_time(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	return number(run ? run->in_time : -1);
}

struct column_value column_run_work(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	return number(run ? run->work_s : -1);
}

struct column_value column_run_energy(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	return number(run && run->possible ? run->energy_joule : -1);
}

struct column_value column_run_interval(struct report_sink *sink, const struct ranking_row *row)
{
	(void)sink;
	const struct paradl_run *const run = run_of(row);
	return number(run ? run->interval_s : -1);
}

bool column_job_applies(const char *name, const struct report_advice *advice)
{
	if (strncmp(name, "job_", 4) == 0)
		return advice->samples > 0 || advice->job;
	return strncmp(name, "run_", 4) != 0 || advice->job;
}
