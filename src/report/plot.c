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

/* Bars much longer than the best are cut. */
enum {
	CUT_RATIO = 6,
	ROWS_MAX = 20,
	UNFIT_MAX = 8,
	NOTE_COLUMNS = 100,
	TITLE_COLUMNS = 88,
	MODEL_COLUMNS = 36,
	MACHINE_COLUMNS = 28
};

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
	char text[PARADL_PLAN_TEXT];
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

/* Long names give way, so that the rest of the title is seen. */
static const char *title(struct report_sink *sink, const struct report_head *head, const char *rest)
{
	const char *const model = typeset(sink, "%s", head->model.name);
	const char *const machine = typeset(sink, "%s", head->machine.name);
	return typeset(sink, "%s on %s%s", typeset_cut(sink, model, MODEL_COLUMNS),
		typeset_cut(sink, machine, MACHINE_COLUMNS), rest);
}

static size_t shown_plans(const struct report_advice *advice)
{
	const size_t top = advice->top > 0 && advice->top < ROWS_MAX ? advice->top : ROWS_MAX;
	return advice->rankings[0].count < top ? advice->rankings[0].count : top;
}

/* Where bars are cut, and the unit of the axis. */
static struct scale choose_axis(const struct report_advice *advice, double *best, double *most)
{
	const struct paradl_estimate *const results = advice->rankings[0].results;
	double longest = 0;
	*best = 0;
	for (size_t i = 0; i < shown_plans(advice); i++) {
		const double time = time_of(&results[i]);
		*best = i == 0 || time < *best ? time : *best;
		longest = time > longest ? time : longest;
	}
	*most = longest < CUT_RATIO * *best ? longest : CUT_RATIO * *best;
	return choose_scale(*most);
}

static void add_unfit(struct report_sink *sink, const struct report_advice *advice, struct plot *plot,
	struct plot_row *rows, double unit_s)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	for (size_t i = 0; i < ranking->infeasible_count && i < UNFIT_MAX; i++) {
		const struct paradl_estimate *const unfit = advice->unfit ? &advice->unfit[i] : NULL;
		if (plot->row_count == ROWS_MAX)
			break;
		struct plot_row *const row = &rows[plot->row_count++];
		row->name = typeset(sink, "%s", ranking->infeasible[i].strategy);
		row->note = unfit_note(sink, &ranking->infeasible[i]);
		if (unfit && unfit->devices > 0)
			fill_parts(row, unfit, time_of(unfit) / unit_s);
	}
}

static void plot_ranking(struct report_sink *sink, const struct report_advice *advice, struct plot *plot,
	struct plot_row *rows)
{
	const struct paradl_ranking *const ranking = &advice->rankings[0];
	const size_t count = shown_plans(advice);
	const char *const span = count > 0 && ranking->results[0].epoch_s > 0 ? "epoch" : "iteration";
	double best = 0, most = 0;
	const struct scale scale = choose_axis(advice, &best, &most);
	for (size_t i = 0; i < count; i++) {
		const struct paradl_estimate *const estimate = &ranking->results[i];
		struct plot_row *const row = &rows[plot->row_count++];
		row->name = plan_text(sink, &estimate->plan);
		row->note = typeset(sink, "%s%s  ×%.2f", time_of(estimate) > most ? "»  " : "",
			time_text(sink, estimate), time_of(estimate) / best);
		row->feasible = true;
		fill_parts(row, estimate, time_of(estimate) / scale.seconds);
	}
	add_unfit(sink, advice, plot, rows, scale.seconds);
	plot->most = count > 0 ? most / scale.seconds : 1;
	plot->axis = typeset(sink, "%s per %s", scale.name, span);
	plot->title = title(sink, advice->head,
		typeset(sink, ", %s GPU%s: time per %s by strategy", typeset_whole(sink, ranking->devices),
			ranking->devices > 1 ? "s" : "", span));
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
	plot->most = 100;
	plot->axis = "percent of the time";
	plot->title = title(sink, advice->head, ": the best strategy by number of GPUs");
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
			all_feasible ? "" : " · faded: not feasible, and why"),
		TITLE_COLUMNS + 40);
	return !sink->out_of_memory;
}

/* gnuplot takes names that begin with '<', '|' or '-' for something else. */
static bool name_files(
	struct paradl_arena *arena, const char *path, struct plot_files *files, struct paradl_error *error)
{
	for (const char *c = path; *c; c++)
		if (iscntrl((unsigned char)*c)) {
			error_set(error, PARADL_USAGE, "a picture's name cannot have control characters");
			return false;
		}
	const char *const dot = strrchr(path, '.');
	const int stem = (int)(dot ? (size_t)(dot - path) : strlen(path));
	const char *const here = path[0] == '/' ? "" : "./";
	const bool is_script = dot && strcmp(dot, ".gp") == 0;
	files->script = arena_printf(arena, "%s%.*s.gp", here, stem, path);
	files->data = arena_printf(arena, "%s%.*s.dat", here, stem, path);
	files->picture = arena_printf(arena, "%s%.*s%s", here, stem, path, is_script || !dot ? ".png" : dot);
	if (files->script && files->data && files->picture)
		return true;
	error_set(error, PARADL_NO_MEMORY, "out of memory");
	return false;
}

static bool write_files(struct paradl_arena *arena, const struct plot_writer *writer,
	const struct plot_files *files, struct paradl_error *error)
{
	struct file_output output;
	if (!file_create(&output, files->data, error))
		return false;
	writer->data(output.file, writer->what);
	if (!file_commit(&output, error) || !file_create(&output, files->script, error))
		return false;
	writer->script(output.file, arena, files, writer->what);
	return file_commit(&output, error);
}

static const char *without_here(const char *path)
{
	return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

static bool draw(struct paradl_arena *arena, const struct plot_files *files, struct paradl_error *error)
{
	const char *const temporary = arena_printf(arena, "%s.part", files->picture);
	char reason[REASON_BYTES];
	if (!temporary)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!gnuplot_run(arena, files->script, temporary, error)) {
		char message[sizeof error->message];
		const char *const script = without_here(files->script);
		remove(temporary);
		memcpy(message, error->message, sizeof message);
		return error_set(error, error->status,
			"%.200s; wrote %.90s and %.90s, run 'gnuplot -d %.90s' where it works", message,
			script, without_here(files->data), script);
	}
	if (rename(temporary, files->picture) == 0)
		return true;
	return error_at(error, PARADL_IO, files->picture, 0, 0, "cannot be written: %s",
		report_reason(reason, errno));
}

/* Users asked for the picture; that it is made from other files is a detail. */
static bool blame_picture(struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	const char *const file = arena_text(arena, error->path), *const why =
									 arena_text(arena, error->message);
	if (!file || !why)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	return error_at(error, error->status, path, 0, 0, "cannot be drawn: %s: %s", file, why);
}

bool plot_write(struct paradl_arena *arena, const struct plot_writer *writer, const char *path,
	struct paradl_error *error)
{
	struct plot_files files = {0};
	const char *const dot = strrchr(path, '.');
	if (!name_files(arena, path, &files, error))
		return false;
	if (!write_files(arena, writer, &files, error))
		return blame_picture(arena, path, error);
	return (dot && strcmp(dot, ".gp") == 0) || draw(arena, &files, error);
}

bool plot_advice(struct paradl_arena *arena, const struct report_advice *advice, const char *path,
	struct paradl_error *error)
{
	struct report_sink sink = {.arena = arena};
	struct plot plot = {0};
	const struct plot_writer writer = {gnuplot_script, gnuplot_data, &plot};
	if (!make_plot(&sink, advice, &plot))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	return plot_write(arena, &writer, path, error);
}
