/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_sweep() prints the best plan for each of several numbers of GPUs. */
#include "report/text.h"

const char *text_time_column(const struct report_advice *advice)
{
	for (size_t i = 0; i < advice->count; i++)
		if (advice->rankings[i].count > 0)
			return advice->rankings[i].results[0].epoch_s > 0 ? "epoch_s" : "iteration_s";
	return "epoch_s";
}

static const char *usual_columns(struct report_sink *sink, const struct report_advice *advice)
{
	return typeset(sink,
		"gpus,strategy,%s%s,speedup,efficiency,batch,memory_bytes,memory_share,%slimited_by",
		text_job_columns(sink, advice), advice->job ? "iteration_s" : text_time_column(advice),
		advice->head->machine.price_per_device_hour > 0 && !advice->job ? "cost_per_epoch," : "");
}

static const char *describe_run(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const first = &advice->rankings[0], *const last =
										 first + advice->count - 1;
	const double few = first->batch / first->devices, many = last->batch / last->devices;
	const char *const gpus = typeset(sink, "%s to %s GPUs", typeset_whole(sink, first->devices),
		typeset_whole(sink, last->devices));
	if (few < many || few > many)
		return typeset(sink, "%s, global batch %s", gpus, typeset_whole(sink, first->batch));
	return typeset(sink, "%s, %s", gpus, text_samples_each(sink, first->batch, first->devices));
}

struct extreme {
	const struct paradl_estimate *estimate;
	double value;
};

static struct extreme least(
	const struct report_advice *advice, double (*value)(const struct paradl_estimate *))
{
	struct extreme extreme = {NULL, 0};
	for (size_t i = 0; i < advice->count; i++) {
		const struct paradl_estimate *const best = advice->rankings[i].results;
		const double found = advice->rankings[i].count > 0 ? value(best) : -1;
		if (found > 0 && (!extreme.estimate || found < extreme.value))
			extreme = (struct extreme){best, found};
	}
	return extreme;
}

static double seconds_per_sample(const struct paradl_estimate *estimate)
{
	return estimate->samples_per_s > 0 ? 1 / estimate->samples_per_s : -1;
}

static double cost(const struct paradl_estimate *estimate)
{
	return estimate->cost_per_epoch;
}

static void print_extreme(struct report_sink *sink, const char *label, const struct report_advice *advice,
	struct extreme extreme)
{
	if (!extreme.estimate)
		return;
	const struct paradl_estimate *const best = extreme.estimate;
	const char *const price =
		best->cost_per_epoch < 0 || !(best->epoch_s > 0)
			? ""
			: typeset(sink, ", %s",
				  typeset_money(sink, best->cost_per_epoch, advice->head->machine.currency));
	const char *const time =
		best->epoch_s > 0
			? typeset(sink, "%s per epoch", typeset_quantity(sink, best->epoch_s, DIMENSION_TIME))
			: typeset(sink, "%s samples/s", typeset_rate(sink, best->samples_per_s));
	typeset_labelled(sink, label,
		typeset(sink, "%s, %s: %s%s", text_devices(sink, advice->head, best->devices),
			text_plan(sink, &best->plan), time, price));
}

/*
 * Prints the job on the least number of GPUs that meets the deadline; on the quickest if none does or there is no
 * deadline.
 */
static void print_job(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_estimate *chosen = NULL;
	for (size_t i = 0; advice->job && i < advice->count; i++) {
		const struct paradl_run *const run =
			advice->rankings[i].count > 0 ? report_run_of(advice, &advice->rankings[i].results[0])
						      : NULL;
		const struct paradl_run *const before = report_run_of(advice, chosen);
		if (!run || !run->possible)
			continue;
		if (before && before->in_time && advice->job->limit_s > 0 && advice->job->samples > 0)
			break;
		if (!before || run->in_time > before->in_time ||
			(advice->job->samples > 0 ? run->time_s < before->time_s
						  : run->samples > before->samples))
			chosen = &advice->rankings[i].results[0];
	}
	if (!chosen)
		return;
	typeset_labelled(sink, advice->job->limit_s > 0 && advice->job->samples > 0 ? "fewest" : "quickest",
		typeset(sink, "%s, %s", text_devices(sink, advice->head, chosen->devices),
			text_plan(sink, &chosen->plan)));
	text_job(sink, advice->head, advice->job, report_run_of(advice, chosen));
}

static void print_closing(struct report_sink *sink, const struct report_advice *advice)
{
	const struct extreme fastest = least(advice, seconds_per_sample), cheapest = least(advice, cost);
	putc('\n', sink->file);
	print_job(sink, advice);
	print_extreme(sink, "fastest", advice, fastest);
	if (cheapest.estimate != fastest.estimate)
		print_extreme(sink, "cheapest", advice, cheapest);
	typeset_labelled(sink, "details",
		typeset(sink, "paradl advise %s --gpus %u", advice->head->again,
			fastest.estimate ? fastest.estimate->devices : advice->rankings[0].devices));
	text_assumptions(sink, advice->head);
}

void text_sweep(struct report_sink *sink, const struct report_advice *advice)
{
	struct ranking_row *const rows = arena_alloc(sink->arena, advice->count, sizeof *rows);
	sink->out_of_memory |= !rows;
	for (size_t i = 0; rows && i < advice->count; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		rows[i] = (struct ranking_row){.advice = advice, .ranking = ranking, .rank = 1};
		if (ranking->count > 0)
			rows[i].estimate = &ranking->results[0];
		else if (ranking->infeasible_count > 0)
			rows[i].infeasible = &ranking->infeasible[0];
	}
	if (!rows)
		return;
	text_title(sink, advice->head, describe_run(sink, advice));
	putc('\n', sink->file);
	text_ranking_table(sink, rows, advice->count,
		advice->columns ? advice->columns : usual_columns(sink, advice), 0);
	if (!sink->style.brief)
		print_closing(sink, advice);
}
