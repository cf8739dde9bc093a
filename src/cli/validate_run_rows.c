/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of measurements: the medians over the launches of each plan. A pipeline's ranks wait inside messages, which
 * projections count as compute, so its rows have the total alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/quantity.h"
#include "cli/validate_run.h"

static int compare(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

/* Returns the median of the times that were measured, of all that it sorts; negative: none was. */
static double median(double *values, unsigned count)
{
	unsigned unknown = 0;
	qsort(values, count, sizeof *values, compare);
	while (unknown < count && values[unknown] < 0)
		unknown++;
	if (unknown == count)
		return -1;
	const double *const known = values + unknown;
	count -= unknown;
	return (known[(count - 1) / 2] + known[count / 2]) / 2;
}

/* Writes the median of `seconds`, which it sorts; an empty cell for NULL, or for times that were not measured. */
static void write_time(FILE *file, double *seconds, unsigned launches)
{
	char digits[DECIMAL_LENGTH];
	const double middle = seconds ? median(seconds, launches) : -1;
	fprintf(file, "%s,", middle >= 0 ? decimal_shortest(digits, sizeof digits, middle) : "");
}

static void write_row(FILE *file, const struct run_campaign *campaign, const struct run_plan *plan)
{
	const bool alone = plan->ranks < 2;
	const bool whole = !alone && strncmp(plan->strategy, "pipeline", strlen("pipeline")) == 0;
	fprintf(file, "\"%s\",\"%s\",\"%s\",%.0f,fp32,iter,", campaign->model, campaign->hw, plan->strategy,
		campaign->batch);
	write_time(file, whole ? NULL : plan->seconds[RUN_COMPUTE], plan->launches);
	write_time(file, whole || alone ? NULL : plan->seconds[RUN_COMMUNICATION], plan->launches);
	write_time(file, plan->seconds[RUN_TOTAL], plan->launches);
	fprintf(file, "%u rank%s,paradl validate --run\n", plan->ranks, alone ? "" : "s");
}

bool run_rows_write(struct session *session, const struct run_campaign *campaign)
{
	struct file_output output;
	if (!file_create(&output, campaign->csv, &session->error))
		return false;
	fprintf(output.file,
		"# Medians over launches of paradl-measure-step, %s.\n"
		"model,hw,strategy,batch,precision,unit,compute_s,communication_s,total_s,set,"
		"source\n",
		campaign->model);
	for (size_t i = 0; i < campaign->plan_count; i++)
		if (campaign->plans[i].launches > 0)
			write_row(output.file, campaign, &campaign->plans[i]);
	return file_commit(&output, &session->error);
}

bool run_spread(struct session *session, const struct run_campaign *campaign, struct report_runs *runs)
{
	struct report_run *const items = arena_alloc(session->arena, campaign->plan_count, sizeof *items);
	if (!items)
		return out_of_memory(&session->error);
	runs->items = items;
	runs->count = 0;
	for (size_t i = 0; i < campaign->plan_count; i++) {
		const struct run_plan *const plan = &campaign->plans[i];
		double *const totals = plan->seconds[RUN_TOTAL];
		if (plan->launches == 0)
			continue;
		items[runs->count++] = (struct report_run){
			.plan = plan->strategy,
			.launches = plan->launches,
			.median_s = median(totals, plan->launches), /* sorts totals */
			.least_s = totals[0],
			.most_s = totals[plan->launches - 1],
		};
	}
	return true;
}
