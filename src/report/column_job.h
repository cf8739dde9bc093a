/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of whole trainings. */
#ifndef REPORT_COLUMN_JOB_H
#define REPORT_COLUMN_JOB_H

#include "report/column.h"

struct column_value column_job_time(struct report_sink *sink, const struct ranking_row *row);
struct column_value column_job_cost(struct report_sink *sink, const struct ranking_row *row);
struct column_value column_run_samples(struct report_sink *sink, const struct ranking_row *row);
struct column_value column_run_tokens(struct report_sink *sink, const struct ranking_row *row);
struct column_value column_run_in_time(struct report_sink *sink, const struct ranking_row *row);
struct column_value column_run_work(struct report_sink *sink, const struct ranking_row *row);
struct column_value column_run_energy(struct report_sink *sink, const struct ranking_row *row);
struct column_value column_run_interval(struct report_sink *sink, const struct ranking_row *row);

/* Columns of a job, by their names, need one. */
bool column_job_applies(const char *name, const struct report_advice *advice);

/* Rows of ranking_columns. */
#define COLUMN_OF_JOB(name, title, drop, kind, get)                                                          \
	{                                                                                                    \
		name, {title, TABLE_RIGHT, drop, 0}, kind, 0, get                                            \
	}
#define COLUMNS_OF_JOBS                                                                                      \
	COLUMN_OF_JOB("job_s", "time", 0, COLUMN_SECONDS, column_job_time),                                  \
		COLUMN_OF_JOB("job_cost", "cost", 1, COLUMN_MONEY, column_job_cost),                         \
		COLUMN_OF_JOB("run_samples", "samples", 1, COLUMN_AMOUNT, column_run_samples),               \
		COLUMN_OF_JOB("run_tokens", "tokens", 1, COLUMN_AMOUNT, column_run_tokens),                  \
		COLUMN_OF_JOB("run_in_time", "in time", 1, COLUMN_FLAG, column_run_in_time),                 \
		COLUMN_OF_JOB("run_work_s", "steps", 3, COLUMN_SECONDS, column_run_work),                    \
		COLUMN_OF_JOB("run_energy_joule", "energy", 3, COLUMN_JOULE, column_run_energy),             \
		COLUMN_OF_JOB("run_interval_s", "checkpoint", 4, COLUMN_SECONDS, column_run_interval)

#endif
