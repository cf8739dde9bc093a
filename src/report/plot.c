/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of an advice: what is in it, and which files it is made of. */
#include "report/plot.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "report/typeset.h"

enum { ROWS_MAX = 20, NOTE_COLUMNS = 100, TITLE_COLUMNS = 110 };

struct scale {
	double seconds;
	const char *name;
};

static struct scale choose_scale(double longest_s)
{
	static const struct scale scales[] = {
		{1e-6, "microseconds"},
		{1e-3, "milliseconds"},
		{1, "seconds"},
		{60, "minutes"},
		{3600, "hours"},
		{86400, "days"},
	};
	size_t best = 0;
	for (size_t i = 1; i < sizeof scales / sizeof scales[0]; i++)
		if (longest_s >= 2 * scales[i].seconds)
			best = i;
	return scales[best];
}

static double time_of(const struct paradl_estimate *estimate)
{
	return estimate->epoch_s > 0 ? estimate->epoch_s : estimate->iteration_s;
}

static const char *time_text(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	return typeset_quantity(sink, time_of(estimate), DIMENSION_TIME);
}

static const char *plan_text(struct report_sink *sink, const struct paradl_plan *plan)
{
	char text[128];
	paradl_plan_format(plan, text, sizeof text);
	return typeset(sink, "%s", text);
}

/* The phases add up to the time that is drawn. */
static void fill_parts(struct plot_row *row, const struct paradl_estimate *estimate, double total)
{
	double sum = 0;
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		sum += estimate->phase_s[i];
	for (size_t i = 0; i < PARADL_PHASE_COUNT; i++)
		row->parts[i] = sum > 0 ? estimate->phase_s[i] * total / sum : 0;
}

static const char *unfit_note(struct report_sink *sink, const struct paradl_infeasible *infeasible)
{
	return typeset_cut(sink, typeset(sink, "%s", infeasible->reason), NOTE_COLUMNS);
}

/* A long bar leaves room for the note at its end; much longer than the best it is cut. */
static double end_of_axis(double best, double longest)
{
	const double most = 6 * best;
	return 1.2 * (longest < most ? longest : most);
}

static void plot_ranking(struct report_sink *sink, const struct report_advice *advice, struct plot *plot,
	struct plot_row *rows)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const size_t top = advice->top > 0 && advice->top < ROWS_MAX ? advice->top : ROWS_MAX;
	const size_t count = ranking->count < top ? ranking->count : top;
	double best = 0, longest = 0;
	for (size_t i = 0; i < count; i++) {
		const double time = time_of(&ranking->results[i]);
		best = i == 0 || time < best ? time : best;
		longest = time > longest ? time : longest;
	}
	const struct scale scale = choose_scale(longest);
	for (size_t i = 0; i < count; i++) {
		const struct paradl_estimate *const estimate = &ranking->results[i];
		struct plot_row *const row = &rows[plot->row_count++];
		row->name = plan_text(sink, &estimate->plan);
		row->note = typeset(sink, "%s  ×%.2f", time_text(sink, estimate), time_of(estimate) / best);
		row->feasible = true;
		fill_parts(row, estimate, time_of(estimate) / scale.seconds);
	}
	plot->most = count > 0 ? end_of_axis(best, longest) / scale.seconds : 1;
	for (size_t i = 0; i < ranking->infeasible_count && plot->row_count < ROWS_MAX; i++) {
		const struct paradl_estimate *const unfit = advice->unfit ? &advice->unfit[i] : NULL;
		struct plot_row *const row = &rows[plot->row_count++];
		row->name = typeset(sink, "%s", ranking->infeasible[i].strategy);
		row->note = unfit_note(sink, &ranking->infeasible[i]);
		if (unfit && unfit->devices > 0)
			fill_parts(row, unfit, time_of(unfit) / scale.seconds);
	}
	const bool has_epoch = count > 0 && ranking->results[0].epoch_s > 0;
	plot->axis = typeset(sink, "%s per %s", scale.name, has_epoch ? "epoch" : "iteration");
	plot->title = typeset(sink, "%s on %s, %s GPU%s: time per %s by strategy", advice->head->model.name,
		advice->head->machine.name, typeset_whole(sink, ranking->devices),
		ranking->devices > 1 ? "s" : "", has_epoch ? "epoch" : "iteration");
	plot->subtitle = typeset(sink, "global batch %s", typeset_whole(sink, ranking->batch));
}

/* Times on 1 and on 1024 GPUs share no axis, so what is drawn is where the time goes. */
static void plot_sweep(struct report_sink *sink, const struct report_advice *advice, struct plot *plot,
	struct plot_row *rows)
{
	for (size_t i = 0; i < advice->count && i < ROWS_MAX; i++) {
		const struct paradl_ranking *const ranking = &advice->rankings[i];
		struct plot_row *const row = &rows[plot->row_count++];
		row->feasible = ranking->count > 0;
		row->name = typeset(sink, "%u: %s", ranking->devices,
			row->feasible ? plan_text(sink, &ranking->results[0].plan) : "-");
		row->note = row->feasible                   ? time_text(sink, &ranking->results[0])
			    : ranking->infeasible_count > 0 ? unfit_note(sink, &ranking->infeasible[0])
							    : "not feasible";
		if (row->feasible)
			fill_parts(row, &ranking->results[0], 100);
	}
	plot->most = 112;
	plot->axis = "percent of the time";
	plot->title = typeset(sink, "%s on %s: the best strategy by number of GPUs", advice->head->model.name,
		advice->head->machine.name);
	plot->subtitle = "time per epoch at the end of each bar";
}

static bool make_plot(struct report_sink *sink, const struct report_advice *advice, struct plot *plot)
{
	const struct report_head *const head = advice->head;
	struct plot_row *const rows = arena_alloc(sink->arena, ROWS_MAX, sizeof *rows);
	if (!rows)
		return false;
	plot->rows = rows;
	if (advice->is_sweep)
		plot_sweep(sink, advice, plot, rows);
	else
		plot_ranking(sink, advice, plot, rows);
	bool all_feasible = true;
	for (size_t i = 0; i < plot->row_count; i++)
		all_feasible = all_feasible && rows[i].feasible;
	plot->title = typeset_cut(sink, plot->title, TITLE_COLUMNS);
	plot->subtitle = typeset_cut(sink,
		typeset(sink, "%s%s%s · %s%s · %s/GPU%s", head->model.dataset ? head->model.dataset : "",
			head->model.dataset ? " · " : "", plot->subtitle, head->precision,
			head->ideal ? " · ideal" : "",
			typeset_quantity(sink, head->machine.memory_bytes, DIMENSION_BYTES),
			all_feasible ? "" : " · faded: not feasible"),
		TITLE_COLUMNS + 30);
	return !sink->out_of_memory;
}

/* gnuplot takes names that begin with '<', '|' or '-' for something else. */
static bool name_files(
	struct paradl_arena *arena, const char *path, struct plot *plot, struct paradl_error *error)
{
	for (const char *c = path; *c; c++)
		if (iscntrl((unsigned char)*c))
			return error_set(
				error, PARADL_USAGE, "a picture's name cannot have control characters");
	const char *const dot = strrchr(path, '.');
	const int stem = (int)(dot ? (size_t)(dot - path) : strlen(path));
	const char *const here = path[0] == '/' ? "" : "./";
	const bool is_script = dot && strcmp(dot, ".gp") == 0;
	plot->script = arena_printf(arena, "%s%.*s.gp", here, stem, path);
	plot->data = arena_printf(arena, "%s%.*s.dat", here, stem, path);
	plot->picture = arena_printf(arena, "%s%.*s%s", here, stem, path, is_script || !dot ? ".png" : dot);
	return (plot->script && plot->data && plot->picture) ||
	       error_set(error, PARADL_NO_MEMORY, "out of memory");
}

static bool write_files(struct paradl_arena *arena, const struct plot *plot, struct paradl_error *error)
{
	struct file_output output;
	if (!file_create(&output, plot->data, error))
		return false;
	gnuplot_data(output.file, plot);
	if (!file_commit(&output, error) || !file_create(&output, plot->script, error))
		return false;
	gnuplot_script(output.file, arena, plot);
	return file_commit(&output, error);
}

static bool draw(struct paradl_arena *arena, const struct plot *plot, struct paradl_error *error)
{
	const char *const temporary = arena_printf(arena, "%s.part", plot->picture);
	char message[sizeof error->message];
	if (!temporary)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!gnuplot_run(arena, plot->script, temporary, error)) {
		remove(temporary);
		memcpy(message, error->message, sizeof message);
		return error_set(error, error->status,
			"%.200s; wrote %.100s and %.100s: 'gnuplot -d %.100s' draws them", message,
			plot->script + 2 * (plot->script[0] == '.'), plot->data + 2 * (plot->data[0] == '.'),
			plot->script + 2 * (plot->script[0] == '.'));
	}
	if (rename(temporary, plot->picture) != 0)
		return error_at(
			error, PARADL_IO, plot->picture, 0, 0, "cannot be written: %s", strerror(errno));
	return true;
}

bool plot_advice(struct paradl_arena *arena, const struct report_advice *advice, const char *path,
	struct paradl_error *error)
{
	struct report_sink sink = {.arena = arena};
	struct plot plot = {0};
	const char *const dot = strrchr(path, '.');
	if (!name_files(arena, path, &plot, error))
		return false;
	if (!make_plot(&sink, advice, &plot))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!write_files(arena, &plot, error))
		return false;
	return (dot && strcmp(dot, ".gp") == 0) || draw(arena, &plot, error);
}
