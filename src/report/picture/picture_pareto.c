/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the Pareto front of two goals: the front as steps, its plans numbered and named at the right, other plans
 * as grey points.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/picture/canvas.h"
#include "report/picture/picture.h"
#include "report/text.h"

enum { WIDTH = 1500, HEIGHT = 900, KEY = 620, NAMED_MAX = 12, GOALS = PARADL_GOALS };
enum { NAME_POINTS = 12, NAME_LINE = 18, NAME_GAP = 8 }; /* plans at the right; lines and gaps in pixels */
static const double name_character = 8.8;                /* width of a character of these, in pixels */
static const double linear_ratio = 12; /* ratio of largest to least value up to which axes are linear */
static const char *const front_colour = "#0072B2", *const readers_colour = "#D55E00";

struct pareto {
	const struct report_search *report;
	struct paradl_ranking ranking;
	struct report_advice advice;
	const struct result_field *columns[2];
	enum paradl_goal goals[2];
	size_t named[NAMED_MAX]; /* indices into the front */
	size_t named_count;
};

static double value_of(struct report_sink *sink, const struct pareto *pareto, size_t axis,
	const struct paradl_estimate *estimate)
{
	const struct ranking_row row = {
		.advice = &pareto->advice, .ranking = &pareto->ranking, .estimate = estimate, .rank = 1};
	return ranking_value(sink, pareto->columns[axis], &row).number;
}

static bool choose_goals(struct pareto *pareto, struct paradl_error *error)
{
	size_t count = 0;
	for (unsigned goal = 0; goal < GOALS && count < 2; goal++) {
		size_t columns = 0;
		const struct result_field *column[COLUMNS_MAX];
		if (!(pareto->report->request->pareto & 1u << goal))
			continue;
		if (!ranking_columns_parse(text_goal_column(pareto->report, (enum paradl_goal)goal), column,
			    &columns, error))
			return false;
		pareto->goals[count] = (enum paradl_goal)goal;
		pareto->columns[count++] = column[0];
	}
	if (count == 2)
		return true;
	return error_set(error, PARADL_USAGE, "the picture of a front needs two goals: --pareto time,cost");
}

/* Chooses the plans of the front that are named: all, or both ends and some between where there are too many. */
static void choose_named(struct pareto *pareto)
{
	const size_t count = pareto->report->search->front_count;
	pareto->named_count = count < NAMED_MAX ? count : NAMED_MAX;
	for (size_t i = 0; i < pareto->named_count; i++)
		pareto->named[i] = pareto->named_count > 1 ? i * (count - 1) / (pareto->named_count - 1) : 0;
}

/* Returns a plan as text, with its readers: "tensor=4, prompts by data=2,tensor=2". */
static const char *plan_of(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const char *const plan = picture_plan(sink, &estimate->plan);
	const double batch = estimate->plan.batch;
	if (!(estimate->inference.output_tokens > 0))
		return plan;
	return estimate->inference.prefill
		       ? typeset(sink, "%s, %s at a time, prompts by %s", plan, typeset_whole(sink, batch),
				 estimate->inference.prefill)
		       : typeset(sink, "%s, %s at a time", plan, typeset_whole(sink, batch));
}

static void write_points(struct canvas *canvas, const struct pareto *pareto,
	const struct paradl_estimate *estimates, size_t count, const char *what)
{
	canvas_block(canvas, typeset(&canvas->sink, "%s: %s | %s | gpus | plan | GPUs that read prompts",
				     what, pareto->columns[0]->name, pareto->columns[1]->name));
	for (size_t i = 0; i < count; i++) {
		for (size_t axis = 0; axis < 2; axis++)
			canvas_positive(canvas, value_of(&canvas->sink, pareto, axis, &estimates[i]));
		canvas_number(canvas, estimates[i].devices);
		canvas_text(canvas, plan_of(&canvas->sink, &estimates[i]));
		canvas_number(canvas, estimates[i].inference.prefill_devices);
		canvas_row_end(canvas);
	}
}

static struct axis axis_of(struct report_sink *sink, const struct pareto *pareto, size_t index)
{
	static const enum tick_kind kinds[GOALS] = {[PARADL_TIME] = TICKS_TIME,
		[PARADL_MEMORY] = TICKS_BYTES,
		[PARADL_COST] = TICKS_COUNT,
		[PARADL_ENERGY] = TICKS_COUNT,
		[PARADL_THROUGHPUT] = TICKS_COUNT,
		[PARADL_FIRST_TOKEN] = TICKS_TIME,
		[PARADL_EACH_TOKEN] = TICKS_TIME,
		[PARADL_PER_DEVICE] = TICKS_COUNT};
	const struct report_search *const report = pareto->report;
	const struct paradl_search *const search = report->search;
	struct range range = {0, 0};
	for (size_t i = 0; i < search->front_count; i++)
		range_add(&range, value_of(sink, pareto, index, &search->front[i]));
	for (size_t i = 0; i < search->count; i++)
		range_add(&range, value_of(sink, pareto, index, &search->results[i]));
	const char *const span = report->head->inference           ? "answer"
				 : report->samples > 0             ? "training"
				 : report->head->model.samples > 0 ? "epoch"
								   : "iteration";
	const char *const currency = typeset(sink, "%s", report->head->machine.currency);
	const char *const titles[GOALS] = {[PARADL_TIME] = typeset(sink, "time per %s", span),
		[PARADL_MEMORY] = "peak memory per GPU",
		[PARADL_COST] = typeset(sink, "cost per %s (%s)", span, typeset_cut(sink, currency, 8)),
		[PARADL_ENERGY] = typeset(sink, "energy per %s (J)", span),
		[PARADL_THROUGHPUT] = "samples per second",
		[PARADL_FIRST_TOKEN] = "time to the first token",
		[PARADL_EACH_TOKEN] = "time per token",
		[PARADL_PER_DEVICE] = "tokens per second and GPU"};
	struct axis axis = {.title = titles[pareto->goals[index]],
		.kind = kinds[pareto->goals[index]],
		.base = range.most > linear_ratio * range.least ? 10 : 0};
	axis_fit(&axis, range);
	return axis;
}

/* Draws a plan from (x, y) on, in as many lines as it takes, and returns where the next line is. */
static double draw_folded(struct canvas *canvas, double x, double y, const char *text)
{
	const size_t room = (size_t)((WIDTH - x - 4) / name_character);
	while (*text) {
		const size_t length = text_plan_line(text, room);
		canvas_label_sized(canvas, x, y, SIDE_LEFT, NAME_POINTS, INK_TEXT,
			typeset(&canvas->sink, "%.*s", (int)length, text));
		text += length;
		y += NAME_LINE;
	}
	return y;
}

/*
 * Draws numbers at the points of the front, each moved right where it would cover the one before, and their plans
 * at the right.
 */
static void draw_names(struct canvas *canvas, const struct panel *panel, const struct pareto *pareto)
{
	struct report_sink *const sink = &canvas->sink;
	const double x = panel->right + 2.0 * MARGIN_PIXELS;
	double before_x = 0, before_y = 0, at = panel->top + LINE_PIXELS;
	canvas_label(canvas, x, panel->top - LINE_PIXELS / 2.0, SIDE_LEFT, INK_FAINT,
		"the front: no plan is better in both");
	for (size_t i = 0; i < pareto->named_count; i++) {
		const struct paradl_estimate *const estimate =
			&pareto->report->search->front[pareto->named[i]];
		double px = panel_x(panel, value_of(sink, pareto, 0, estimate)) + 13;
		double py = panel_y(panel, value_of(sink, pareto, 1, estimate)) - 15;
		if (i > 0 && fabs(px - before_x) < 2 * CHARACTER_PIXELS && fabs(py - before_y) < LINE_PIXELS)
			px = before_x + 2.2 * CHARACTER_PIXELS;
		before_x = px;
		before_y = py;
		canvas_label(canvas, px, py, SIDE_LEFT, INK_TEXT, typeset(sink, "%zu", i + 1));
		canvas_label(canvas, x + 24, at, SIDE_RIGHT, INK_TEXT, typeset(sink, "%zu", i + 1));
		at = draw_folded(canvas, x + 36, at,
			typeset(sink, "%s GPU%s: %s", typeset_whole(sink, estimate->devices),
				estimate->devices == 1 ? "" : "s", plan_of(sink, estimate)));
		const struct ranking_row row = {.advice = &pareto->advice,
			.ranking = &pareto->ranking,
			.estimate = estimate,
			.rank = 1};
		canvas_label_sized(canvas, x + 36, at, SIDE_LEFT, NAME_POINTS, INK_FAINT,
			typeset(sink, "%s, %s", ranking_text(sink, pareto->columns[0], &row),
				ranking_text(sink, pareto->columns[1], &row)));
		at += NAME_LINE + NAME_GAP;
	}
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	struct report_sink *const sink = &canvas->sink;
	struct pareto pareto = {.report = what};
	const struct paradl_search *const search = pareto.report->search;
	if (!choose_goals(&pareto, error))
		return false;
	if (search->front_count == 0)
		return error_set(error, PARADL_INFEASIBLE, "there is no front to draw: no plan can run");
	pareto.advice = report_search_advice(pareto.report, &pareto.ranking);
	choose_named(&pareto);
	const struct panel panel = {.left = 110,
		.right = WIDTH - KEY,
		.top = TOP_PIXELS + 34,
		.bottom = HEIGHT - 76,
		.x = axis_of(sink, &pareto, 0),
		.y = axis_of(sink, &pareto, 1)};
	canvas_begin(canvas, WIDTH, HEIGHT);
	canvas_titles(canvas,
		picture_title(sink, pareto.report->head,
			typeset(sink, ": %s against %s", panel.y.title, panel.x.title)),
		picture_subtitle(sink, pareto.report->head,
			typeset(sink, "%zu plan%s on the front", search->front_count,
				search->front_count == 1 ? "" : "s"),
			typeset(sink, "%s%s", search->count > 0 ? "grey: the best of other degrees" : "",
				text_has_readers(search->front, search->front_count)
					? "; orange: some GPUs read prompts for the others"
					: "")));
	canvas_panel(canvas, &panel);
	write_points(canvas, &pareto, search->front, search->front_count, "front");
	write_points(canvas, &pareto, search->results, search->count, "others");
	canvas_plot(canvas, " index 1 using 1:2 with points pt 7 ps 1 lc rgb '#9ca3af'");
	canvas_plot(canvas, " index 0 using 1:2 with steps lw 2.5 lc rgb '%s'", front_colour);
	canvas_plot(canvas, " index 0 using 1:2 with points pt 7 ps 1.5 lc rgb '%s'", front_colour);
	if (text_has_readers(search->front, search->front_count))
		canvas_plot(canvas,
			" index 0 using 1:($5 > 0 ? $2 : 1/0) with points pt 7 ps 1.5 lc rgb '%s'",
			readers_colour);
	draw_names(canvas, &panel, &pareto);
	canvas_panel_end(canvas);
	return true;
}

const struct picture picture_pareto = {
	.name = "pareto",
	.summary = "two goals that are traded for one another: the front, and the plans on it",
	.commands = "search",
	.paint = paint,
};
