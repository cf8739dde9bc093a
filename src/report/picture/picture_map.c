/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a map of the best plan for each pair of degrees of two axes: a cell has the plan's value, and is the
 * darker the better that is. Cells are pale where no plan fits.
 */
#include <math.h>

#include "base/error.h"
#include "report/picture/canvas.h"
#include "report/picture/picture.h"
#include "report/text.h"

enum { CELL_WIDTH = 124, CELL_HEIGHT = 62, KEY = 290, DEGREES_MAX = 13, SHADES = 5, LEFT = 130 };

/*
 * Shades of one hue from dark (best) to light, so that the order shows without telling colours apart
 * (ColorBrewer's Blues).
 */
static const unsigned shades[SHADES] = {0x08306b, 0x2171b5, 0x6baed6, 0xc6dbef, 0xf0f6fc};
static const unsigned pale_rgb = 0xe5e7eb;
static const double worst_ratio = 4; /* ratio to the best from which on cells have the lightest shade */

struct matrix {
	const struct report_search *report;
	unsigned devices;
	unsigned degrees[2][DEGREES_MAX]; /* degrees of the axes down and across, ascending */
	size_t counts[2];
	double best; /* best value of a cell: the smallest */
	struct paradl_ranking ranking;
	struct report_advice advice;
	const struct result_field *column;
};

static void add_degree(struct matrix *matrix, size_t axis, unsigned degree)
{
	unsigned *const degrees = matrix->degrees[axis];
	size_t place = matrix->counts[axis];
	while (place > 0 && degrees[place - 1] >= degree)
		place--;
	if ((place < matrix->counts[axis] && degrees[place] == degree) || matrix->counts[axis] == DEGREES_MAX)
		return;
	for (size_t i = matrix->counts[axis]++; i > place; i--)
		degrees[i] = degrees[i - 1];
	degrees[place] = degree;
}

static double value_of(const struct matrix *matrix, const struct paradl_map_cell *cell)
{
	return cell->runs && cell->fits ? report_value(&matrix->advice, &cell->best) : 0;
}

static bool gather(struct matrix *matrix, struct paradl_error *error)
{
	const struct paradl_search *const search = matrix->report->search;
	const struct result_field *columns[COLUMNS_MAX];
	size_t count = 0;
	if (search->cell_count == 0)
		return error_set(error, PARADL_USAGE, "there is no map to draw: --map tensor,pipeline");
	if (!ranking_columns_parse(
		    text_goal_column(matrix->report, matrix->report->request->goal), columns, &count, error))
		return false;
	matrix->column = columns[0];
	matrix->advice = report_search_advice(matrix->report, &matrix->ranking);
	matrix->devices =
		search->count > 0
			? search->results[0].devices
			: matrix->report->request->devices[matrix->report->request->device_count - 1];
	for (size_t i = 0; i < search->cell_count; i++) {
		const struct paradl_map_cell *const cell = &search->cells[i];
		if (cell->devices != matrix->devices)
			continue;
		add_degree(matrix, 0, cell->degree[0]);
		add_degree(matrix, 1, cell->degree[1]);
		const double value = value_of(matrix, cell);
		if (value > 0 && (!(matrix->best > 0) || value < matrix->best))
			matrix->best = value;
	}
	return true;
}

/* Returns the colour between two shades that the logarithm of a value's ratio to the best gives. */
static unsigned shade(double ratio)
{
	const double place = fmin(log(ratio) / log(worst_ratio), 1) * (SHADES - 1);
	const unsigned below = place >= SHADES - 1 ? SHADES - 2 : (unsigned)place;
	const double part = place - below;
	unsigned rgb = 0;
	for (unsigned shift = 0; shift < 24; shift += 8) {
		const double from = shades[below] >> shift & 0xff, to = shades[below + 1] >> shift & 0xff;
		rgb |= (unsigned)(from + part * (to - from) + 0.5) << shift;
	}
	return rgb;
}

static size_t place_of(const struct matrix *matrix, size_t axis, unsigned degree)
{
	size_t place = 0;
	while (place < matrix->counts[axis] && matrix->degrees[axis][place] != degree)
		place++;
	return place;
}

static const char *cell_text(
	struct report_sink *sink, const struct matrix *matrix, const struct paradl_map_cell *cell)
{
	const struct ranking_row row = {
		.advice = &matrix->advice, .ranking = &matrix->ranking, .estimate = &cell->best, .rank = 1};
	if (!cell->runs)
		return "–";
	if (!cell->fits)
		return cell->best.fits ? "limits" : "OOM";
	return ranking_text(sink, matrix->column, &row);
}

static void draw_cell(struct canvas *canvas, const struct panel *panel, const struct matrix *matrix,
	const struct paradl_map_cell *cell)
{
	enum { GAP = 2 };
	const size_t down = place_of(matrix, 0, cell->degree[0]),
		     across = place_of(matrix, 1, cell->degree[1]);
	if (down == matrix->counts[0] || across == matrix->counts[1])
		return;
	const double left = panel->left + CELL_WIDTH * (double)across,
		     top = panel->top + CELL_HEIGHT * (double)down;
	const double value = value_of(matrix, cell), ratio = value > 0 ? value / matrix->best : worst_ratio;
	const bool is_dark = value > 0 && ratio < 1.6;
	const char *const ink = is_dark ? "#ffffff" : value > 0 ? INK_TEXT : INK_FAINT;
	canvas_number(canvas, cell->degree[0]);
	canvas_number(canvas, cell->degree[1]);
	canvas_positive(canvas, value);
	canvas_text(canvas, cell->runs ? picture_plan(&canvas->sink, &cell->best.plan) : "");
	canvas_row_end(canvas);
	canvas_area(canvas, left + GAP, top + GAP, left + CELL_WIDTH - GAP, top + CELL_HEIGHT - GAP,
		typeset(&canvas->sink, "#%06x",
			value > 0    ? shade(ratio)
			: cell->runs ? pale_rgb
				     : 0xffffff));
	canvas_label(canvas, left + CELL_WIDTH / 2.0, top + CELL_HEIGHT * (value > 0 ? 0.36 : 0.5),
		SIDE_CENTER, ink, cell_text(&canvas->sink, matrix, cell));
	if (value > 0)
		canvas_label_sized(canvas, left + CELL_WIDTH / 2.0, top + CELL_HEIGHT * 0.72, SIDE_CENTER, 12,
			ink, ratio > 1 ? typeset(&canvas->sink, "×%.2f", ratio) : "best");
}

static void draw_degrees(struct canvas *canvas, const struct panel *panel, const struct matrix *matrix)
{
	struct report_sink *const sink = &canvas->sink;
	for (size_t i = 0; i < matrix->counts[0]; i++)
		canvas_label(canvas, panel->left - 10, panel->top + CELL_HEIGHT * ((double)i + 0.5),
			SIDE_RIGHT, INK_TEXT, typeset(sink, "%u", matrix->degrees[0][i]));
	for (size_t i = 0; i < matrix->counts[1]; i++)
		canvas_label(canvas, panel->left + CELL_WIDTH * ((double)i + 0.5),
			panel->bottom + LINE_PIXELS, SIDE_CENTER, INK_TEXT,
			typeset(sink, "%u", matrix->degrees[1][i]));
	canvas_label(canvas, MARGIN_PIXELS, panel->top - 0.8 * LINE_PIXELS, SIDE_LEFT, INK_AXIS,
		typeset(sink, "degree of %s", report_map_axis(matrix->report, 0)));
	canvas_label(canvas, panel->left + CELL_WIDTH * (double)matrix->counts[1] / 2,
		panel->bottom + 2.4 * LINE_PIXELS, SIDE_CENTER, INK_AXIS,
		typeset(sink, "degree of %s", report_map_axis(matrix->report, 1)));
}

static void draw_key(struct canvas *canvas, const struct panel *panel)
{
	struct report_sink *const sink = &canvas->sink;
	struct key_row rows[SHADES + 1];
	for (size_t i = 0; i < SHADES; i++) {
		const double ratio = pow(worst_ratio, (double)i / (SHADES - 1));
		rows[i] = (struct key_row){i == 0            ? "the best"
					   : i + 1 == SHADES ? typeset(sink, "×%.3g and more", ratio)
							     : typeset(sink, "×%.2g", ratio),
			shades[i], NULL};
	}
	rows[SHADES] = (struct key_row){"OOM: lacks memory", pale_rgb, NULL};
	canvas_key(canvas, panel->right + MARGIN_PIXELS, panel->top, rows, SHADES + 1);
	canvas_label(canvas, panel->right + MARGIN_PIXELS, panel->top + 1.25 * LINE_PIXELS * (SHADES + 1.6),
		SIDE_LEFT, INK_AXIS, "–  does not run");
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	static const char *const shown[] = {[PARADL_TIME] = "time",
		[PARADL_MEMORY] = "memory of a GPU",
		[PARADL_COST] = "cost",
		[PARADL_ENERGY] = "energy",
		[PARADL_THROUGHPUT] = "throughput"};
	struct report_sink *const sink = &canvas->sink;
	struct matrix matrix = {.report = what};
	if (!gather(&matrix, error))
		return false;
	const double columns = (double)matrix.counts[1], rows = (double)matrix.counts[0];
	const double wide = LEFT + CELL_WIDTH * columns + KEY,
		     high = TOP_PIXELS + 40 + CELL_HEIGHT * rows + 84;
	const struct panel panel = {.left = LEFT,
		.right = LEFT + CELL_WIDTH * columns,
		.top = TOP_PIXELS + 40,
		.bottom = TOP_PIXELS + 40 + CELL_HEIGHT * rows,
		.x = {.least = 0, .most = columns, .kind = TICKS_NONE},
		.y = {.least = rows, .most = 0, .kind = TICKS_NONE}};
	canvas_begin(canvas, wide < 1200 ? 1200 : wide, high < 480 ? 480 : high);
	canvas_titles(canvas,
		picture_title(sink, matrix.report->head,
			typeset(sink, ", %s GPU%s: %s of the best plan by degree",
				typeset_whole(sink, matrix.devices), matrix.devices == 1 ? "" : "s",
				shown[matrix.report->request->goal])),
		picture_subtitle(sink, matrix.report->head, "",
			matrix.report->request->device_count > 1 ? "the number of GPUs of the best plan"
								 : ""));
	canvas_panel(canvas, &panel);
	fputs("set border 0\n", canvas->script);
	canvas_block(canvas, "first degree\tsecond degree\tvalue, smaller is better\tplan");
	for (size_t i = 0; i < matrix.report->search->cell_count; i++)
		if (matrix.report->search->cells[i].devices == matrix.devices)
			draw_cell(canvas, &panel, &matrix, &matrix.report->search->cells[i]);
	draw_degrees(canvas, &panel, &matrix);
	draw_key(canvas, &panel);
	canvas_panel_end(canvas);
	return true;
}

const struct picture picture_map = {
	.name = "map",
	.summary = "the best plan for each pair of degrees of two axes",
	.commands = "search",
	.paint = paint,
};
