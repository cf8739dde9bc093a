/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_sweep() prints the best plan for each of several numbers of GPUs. */
#include <math.h>

#include "report/text.h"

const char *text_time_column(const struct report_advice *advice)
{
	for (size_t i = 0; i < advice->count; i++)
		if (advice->rankings[i].count > 0)
			return advice->rankings[i].results[0].epoch_s > 0 ? "epoch_s" : "iteration_s";
	return "epoch_s";
}

/* Returns the columns of what generates text: at a rate all GPUs answer as much, and how long that takes differs. */
static const char *answer_columns(struct report_sink *sink, const struct report_advice *advice)
{
	bool pools = false;
	for (size_t i = 0; i < advice->count; i++)
		pools = pools || text_has_readers(advice->rankings[i].results, advice->rankings[i].count > 0);
	return typeset(sink, "gpus,strategy,%s%s,memory_share,%slimited_by", pools ? "prefill," : "",
		advice->head->rate_per_s > 0
			? "prompts_s,first_p99_s,token_s,token_p99_s,most_requests_per_s"
			: "batch,prompts_s,token_s,requests_per_s,speedup,efficiency,tokens_per_s_per_gpu",
		advice->head->machine.price_per_device_hour > 0 ? "cost_per_million_tokens," : "");
}

static bool generates(const struct report_advice *advice)
{
	return advice->head->inference && advice->head->model.generates;
}

static const char *usual_columns(struct report_sink *sink, const struct report_advice *advice)
{
	if (generates(advice))
		return answer_columns(sink, advice);
	return typeset(sink,
		"gpus,strategy,%s%s,speedup,efficiency,batch,memory_bytes,memory_share,%slimited_by",
		text_job_columns(sink, advice), advice->job ? "iteration_s" : text_time_column(advice),
		advice->head->machine.price_per_device_hour > 0 && !advice->job ? "cost_per_epoch," : "");
}

/* Least and largest of some numbers. */
struct span {
	double least, most;
};

static struct span span_of(const struct report_advice *advice, bool each)
{
	struct span span = {HUGE_VAL, 0};
	for (size_t i = 0; i < advice->count; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		const double value = ranking->batch / (each ? ranking->devices : 1);
		span.least = fmin(span.least, value);
		span.most = fmax(span.most, value);
	}
	return span;
}

enum text_scaling text_scales(const struct report_advice *advice)
{
	const struct span each = span_of(advice, true), all = span_of(advice, false);
	return each.least < each.most ? all.least < all.most ? SCALING_MIXED : SCALING_STRONG : SCALING_WEAK;
}

const char *text_batches(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const first = &advice->rankings[0];
	const struct span all = span_of(advice, false);
	const char *const name = generates(advice) ? "batch" : "global batch";
	switch (text_scales(advice)) {
	case SCALING_WEAK:
		break;
	case SCALING_STRONG:
		return typeset(sink, "%s %s", name, typeset_whole(sink, first->batch));
	case SCALING_MIXED:
		return typeset(sink, "%s %s to %s", name, typeset_whole(sink, all.least),
			typeset_whole(sink, all.most));
	}
	return text_samples_each(sink, first->batch, first->devices);
}

static const char *describe_run(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const first = &advice->rankings[0], *const last =
										 first + advice->count - 1;
	const char *const gpus = typeset(sink, "%s to %s GPUs", typeset_whole(sink, first->devices),
		typeset_whole(sink, last->devices));
	if (!generates(advice))
		return typeset(sink, "%s, %s", gpus, text_batches(sink, advice));
	if (advice->head->rate_per_s > 0 || !(first->batch > 0))
		return typeset(sink, "%s, %s", gpus, text_batch(sink, advice->head, first->batch));
	return typeset(sink, "%s, inference, %s", gpus, text_batches(sink, advice));
}

/* Says on which GPUs the batch is another one: speed-ups are then of work that is not the same. */
static void print_batches(struct report_sink *sink, const struct report_advice *advice)
{
	const struct paradl_ranking *const first = &advice->rankings[0];
	const char *text = "";
	if (text_scales(advice) != SCALING_MIXED || !(first->batch > 0))
		return;
	for (const struct paradl_ranking *at = first + 1; at < first + advice->count; at++)
		if (at->batch < at[-1].batch || at->batch > at[-1].batch)
			text = typeset(sink, "%s, %s from %s on",
				*text ? text
				      : typeset(sink, "%s up to %s GPUs", typeset_whole(sink, first->batch),
						typeset_whole(sink, at[-1].devices)),
				typeset_whole(sink, at->batch), typeset_whole(sink, at->devices));
	typeset_labelled(sink, "batch",
		typeset(sink, "%s, as usual for so many (--batch %.15g: one for all)", text, first->batch));
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

static double devices_of(const struct paradl_estimate *estimate)
{
	return estimate->devices;
}

static double request_s(const struct paradl_estimate *estimate)
{
	return estimate->iteration_s;
}

/* Prints a plan with what its requests get. */
static void print_served(struct report_sink *sink, const char *label, const struct report_advice *advice,
	struct extreme extreme)
{
	const struct paradl_estimate *const best = extreme.estimate;
	if (!best)
		return;
	typeset_labelled(sink, label,
		typeset(sink, "%s, %s%s%s: first token after %s, each token %s, %s requests/s",
			text_devices(sink, advice->head, best->devices), text_plan(sink, &best->plan),
			best->inference.prefill ? ", prompts read by " : "",
			best->inference.prefill ? best->inference.prefill : "",
			typeset_quantity(sink, best->inference.prompts_s, DIMENSION_TIME),
			typeset_quantity(sink, best->inference.token_s, DIMENSION_TIME),
			typeset_rate(sink, best->samples_per_s)));
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

/* Says which GPUs the speed-up is over, unless one, and why fewer that were asked about cannot do it. */
static void print_base(struct report_sink *sink, const struct report_advice *advice)
{
	size_t first = 0;
	while (first < advice->count && advice->rankings[first].count == 0)
		first++;
	if (first == advice->count || advice->rankings[first].devices < 2 || advice->head->rate_per_s > 0)
		return;
	const char *const over = text_devices(sink, advice->head, advice->rankings[first].devices);
	if (first == 0) {
		typeset_labelled(sink, "speed-up", typeset(sink, "over %s", over));
		return;
	}
	const struct paradl_ranking *const fewer = &advice->rankings[first - 1];
	typeset_labelled(sink, "speed-up",
		typeset(sink, "over %s, the fewest here that can; %s: %s", over,
			text_devices(sink, advice->head, fewer->devices),
			fewer->infeasible_count > 0 ? fewer->infeasible[0].reason
						    : "no plan of the strategies asked for"));
}

bool text_exceeds_linear(const struct report_advice *advice)
{
	static const double visible = 1.05;
	const struct paradl_estimate *base = NULL;
	for (size_t i = 0; i < advice->count; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		if (ranking->count == 0)
			continue;
		base = base ? base : ranking->results;
		if (ranking->results->samples_per_s / ranking->devices >
			visible * base->samples_per_s / base->devices)
			return true;
	}
	return false;
}

/* Says why a GPU does more among many where it does. */
static void print_superlinear(struct report_sink *sink, const struct report_advice *advice)
{
	if (!generates(advice) && text_exceeds_linear(advice))
		typeset_labelled(sink, "efficiency",
			"more than 100 % of the fewest GPUs: these have less memory for the same network, "
			"and so "
			"recompute, cut layers more or take smaller micro-batches, or another batch for each "
			"GPU");
}

static void print_closing(struct report_sink *sink, const struct report_advice *advice)
{
	const bool at_rate = generates(advice) && advice->head->rate_per_s > 0;
	const struct extreme fastest = least(advice, at_rate ? request_s : seconds_per_sample),
			     cheapest = least(advice, generates(advice) ? devices_of : cost);
	const char *const least_label = generates(advice) ? "fewest" : "cheapest";
	void (*const print)(struct report_sink *, const char *, const struct report_advice *,
		struct extreme) = generates(advice) ? print_served : print_extreme;
	putc('\n', sink->file);
	print_batches(sink, advice);
	print_base(sink, advice);
	print_superlinear(sink, advice);
	print_job(sink, advice);
	print(sink, "fastest", advice, fastest);
	if (cheapest.estimate != fastest.estimate)
		print(sink, least_label, advice, cheapest);
	typeset_labelled(sink, "details",
		typeset(sink, "paradl advise %s --gpus %u%s", advice->head->again,
			fastest.estimate ? fastest.estimate->devices : advice->rankings[0].devices,
			advice->head->again_load));
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
