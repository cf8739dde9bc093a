/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws plans by time, each as a bar of its phases; plans that do not run are faded and have the reason. For a
 * sweep over numbers of GPUs it draws the best plan of each.
 */
#include "base/error.h"
#include "report/palette.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"
#include "report/text.h"

/* CUT_RATIO: length at which bars are cut, in times of the best; UNFIT_MAX: rows of plans that do not run, at most. */
enum { CUT_RATIO = 6, UNFIT_MAX = 8 };

/* Returns the samples of the whole training that is asked about; 0: none is. */
static double samples_of(const struct report_advice *advice)
{
	return advice->job ? advice->job->samples : 0;
}

/* Returns the time of the training that is asked about, else of an epoch, else of an iteration. */
static double time_of(const struct report_advice *advice, const struct paradl_estimate *estimate)
{
	const struct paradl_run *const run = advice->job ? report_run_of(advice, estimate) : NULL;
	const double steps = samples_of(advice) / estimate->plan.batch;
	if (steps > 0)
		return run && run->possible ? run->time_s : steps * estimate->iteration_s;
	return estimate->epoch_s > 0 ? estimate->epoch_s : estimate->iteration_s;
}

static const char *time_text(
	struct report_sink *sink, const struct report_advice *advice, const struct paradl_estimate *estimate)
{
	return typeset_quantity(sink, time_of(advice, estimate), DIMENSION_TIME);
}

/* Returns the phases of an estimate, scaled so that they add up to `total`; all are 0 where the estimate is NULL. */
static const double *parts_of(struct report_sink *sink, const struct paradl_estimate *estimate, double total)
{
	double *const parts = arena_alloc(sink->arena, PARADL_PHASE_COUNT, sizeof *parts);
	sink->out_of_memory |= !parts;
	if (parts && estimate)
		phases_shown(estimate, parts);
	for (size_t i = 0; parts && i < PARADL_PHASE_COUNT; i++)
		parts[i] =
			estimate && estimate->iteration_s > 0 ? parts[i] * total / estimate->iteration_s : 0;
	return parts;
}

static size_t shown_plans(const struct report_advice *advice)
{
	const size_t top = advice->top > 0 && advice->top < BAR_ROWS_MAX ? advice->top : BAR_ROWS_MAX;
	return advice->rankings[0].count < top ? advice->rankings[0].count : top;
}

/*
 * Returns the unit of the axis, and stores the best time and the time at which bars are cut, in seconds. Plans
 * that lack memory are drawn with the time that they would take, but leave the axis to those that run, where any
 * does.
 */
static struct time_scale choose_axis(const struct report_advice *advice, double *best, double *most)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const size_t count = shown_plans(advice), unfit = advice->unfit ? ranking->infeasible_count : 0;
	struct range times = {0, 0};
	for (size_t i = 0; i < count; i++)
		range_add(&times, time_of(advice, &ranking->results[i]));
	for (size_t i = 0; count == 0 && i < unfit && i < UNFIT_MAX; i++)
		if (advice->unfit[i].devices > 0)
			range_add(&times, time_of(advice, &advice->unfit[i]));
	*best = times.least;
	*most = times.most < CUT_RATIO * *best ? times.most : CUT_RATIO * *best;
	return axis_time_scale(*most);
}

/*
 * Reports whether all results are on the same number of devices. Those of a search may be on different numbers,
 * and have different batches.
 */
static bool are_alike(const struct paradl_ranking *ranking, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (ranking->results[i].devices != ranking->results[0].devices)
			return false;
	return true;
}

static void add_unfit(struct report_sink *sink, const struct report_advice *advice, struct bars *bars,
	struct bar *rows, double unit_s, double most_s)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	for (size_t i = 0; i < ranking->infeasible_count && i < UNFIT_MAX; i++) {
		const struct paradl_estimate *const unfit =
			advice->unfit && advice->unfit[i].devices > 0 ? &advice->unfit[i] : NULL;
		const double time_s = unfit ? time_of(advice, unfit) : 0;
		if (bars->row_count == BAR_ROWS_MAX)
			return;
		rows[bars->row_count++] =
			(struct bar){.note = typeset(sink, "%s%s", time_s > most_s ? "»  " : "",
					     ranking->infeasible[i].reason),
				.parts = parts_of(sink, unfit, time_s / unit_s)};
		bar_name(sink, &rows[bars->row_count - 1], "", ranking->infeasible[i].strategy);
	}
}

/*
 * Returns "global batch 4,096, ±26 % (nine of ten)"; for requests at a rate "inference, 40 requests/s, ±26 % (nine
 * of ten)".
 */
static const char *question_text(struct report_sink *sink, const struct report_head *head,
	const struct paradl_ranking *ranking, double batch)
{
	const char *const of_batch =
		head->inference || batch > 0
			? text_batch(sink, head, head->inference ? ranking->batch : batch)
			: "";
	if (ranking->count == 0 || ranking->results[0].error_share <= 0)
		return of_batch;
	return typeset(sink, "%s%s±%s (nine of ten)", of_batch, *of_batch ? ", " : "",
		typeset_percent(sink, ranking->results[0].error_share));
}

/* Returns what the time of an estimate is of, "per epoch"; for none, what it would be of. */
static const char *span_of(const struct report_advice *advice, const struct paradl_estimate *estimate)
{
	const bool has_epoch = estimate ? estimate->epoch_s > 0 : advice->head->model.samples > 0;
	return estimate && estimate->inference.output_tokens > 0 ? "per request"
	       : samples_of(advice) > 0                          ? "of the training"
	       : has_epoch                                       ? "per epoch"
								 : "per iteration";
}

static void plot_ranking(
	struct report_sink *sink, const struct report_advice *advice, struct bars *bars, struct bar *rows)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const size_t count = shown_plans(advice);
	const bool alike = are_alike(ranking, count);
	const unsigned devices = count > 0 ? ranking->results[0].devices : ranking->devices;
	const double batch = count > 0 ? ranking->results[0].plan.batch : ranking->batch;
	const char *const span = span_of(advice, count > 0 ? &ranking->results[0] : NULL);
	double best = 0, most = 0;
	const struct time_scale scale = choose_axis(advice, &best, &most);
	for (size_t i = 0; i < count; i++) {
		const struct paradl_estimate *const estimate = &ranking->results[i];
		const double time_s = time_of(advice, estimate);
		rows[bars->row_count++] =
			(struct bar){.note = typeset(sink, "%s%s  ×%.2f", time_s > most ? "»  " : "",
					     time_text(sink, advice, estimate), time_s / best),
				.feasible = true,
				.parts = parts_of(sink, estimate, time_s / scale.seconds)};
		bar_name(sink, &rows[bars->row_count - 1],
			alike ? "" : typeset(sink, "%u: ", estimate->devices),
			picture_plan(sink, &estimate->plan));
	}
	add_unfit(sink, advice, bars, rows, scale.seconds, most);
	bars->most = most > 0 ? most / scale.seconds : 1;
	bars->axis = most > 0 ? typeset(sink, "%s %s", scale.name, span) : NULL;
	bars->title = picture_title(sink, advice->head,
		alike ? typeset(sink, ", %s GPU%s: time %s by strategy", typeset_whole(sink, devices),
				devices > 1 ? "s" : "", span)
		      : typeset(sink, ": time %s by GPUs and strategy", span));
	bars->subtitle = alike ? question_text(sink, advice->head, &advice->rankings[0], batch) : "";
}

/*
 * Adds a row for the best plan of each number of GPUs. Times on 1 and on 1024 GPUs would not share an axis, so
 * bars are the phases in percent of the time.
 */
static void plot_sweep(
	struct report_sink *sink, const struct report_advice *advice, struct bars *bars, struct bar *rows)
{
	const struct paradl_estimate *any = NULL;
	for (size_t i = 0; i < advice->count && i < BAR_ROWS_MAX; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		const bool feasible = ranking->count > 0;
		any = feasible ? &ranking->results[0] : any;
		rows[bars->row_count++] = (struct bar){.feasible = feasible,
			.note = feasible ? time_text(sink, advice, &ranking->results[0])
				: ranking->infeasible_count > 0
					? typeset(sink, "%s", ranking->infeasible[0].reason)
					: "not feasible",
			.parts = parts_of(sink, feasible ? &ranking->results[0] : NULL, 100)};
		bar_name(sink, &rows[bars->row_count - 1], typeset(sink, "%u: ", ranking->devices),
			feasible ? picture_plan(sink, &ranking->results[0].plan) : "-");
	}
	bars->most = 100;
	bars->axis = "percent of the time";
	bars->title = picture_title(sink, advice->head, ": the best strategy by number of GPUs");
	bars->subtitle = typeset(sink, "time %s at the end of each bar", span_of(advice, any));
}

/* Returns what the training reads, "2 T tokens"; NULL: no training is asked about. */
static const char *amount_of(struct report_sink *sink, const struct report_advice *advice)
{
	const double samples = samples_of(advice), tokens = report_tokens(advice->head, samples);
	if (!(samples > 0))
		return NULL;
	return typeset(sink, "%s %s", typeset_count(sink, tokens > 0 ? tokens : samples),
		tokens > 0 ? "tokens" : "samples");
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	const struct report_advice *const advice = what;
	struct report_sink *const sink = &canvas->sink;
	struct bar *const rows = arena_alloc(sink->arena, BAR_ROWS_MAX, sizeof *rows);
	struct key_row parts[PARADL_PHASE_COUNT];
	struct bars bars = {.rows = rows, .part_count = PARADL_PHASE_COUNT, .columns = ""};
	bool all_feasible = true;
	if (!rows)
		return out_of_memory(error);
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++) {
		parts[i] = (struct key_row){phase_looks[i].label, phase_looks[i].rgb, NULL};
		bars.columns = arena_printf(sink->arena, "%s\t%s", bars.columns ? bars.columns : "",
			paradl_phase_name((enum paradl_phase)i));
	}
	bars.parts = parts;
	if (advice->is_sweep)
		plot_sweep(sink, advice, &bars, rows);
	else
		plot_ranking(sink, advice, &bars, rows);
	for (size_t i = 0; i < bars.row_count; i++)
		all_feasible = all_feasible && rows[i].feasible;
	bars.subtitle = picture_subtitle_of(sink, advice->head, amount_of(sink, advice), bars.subtitle,
		all_feasible ? "" : "faded: not feasible, and why");
	if (sink->out_of_memory || !bars.columns)
		return out_of_memory(error);
	bars_draw(canvas, &bars);
	return true;
}

const struct picture picture_ranking = {
	.name = "ranking",
	.summary = "plans by time, with the phases it is made up of",
	.commands = "advise search estimate",
	.paint = paint,
};
