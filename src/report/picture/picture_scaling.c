/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws how far each family of plans scales. The upper panel has throughput over the number of GPUs, both axes
 * logarithmic. The lower panel has efficiency on a linear axis, where good families are easier to tell apart. A
 * line that stops ends in a dot, and the reason stands below the panels.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "report/picture/canvas.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"
#include "report/text.h"

enum {
	WIDTH = 1500,
	HEIGHT = 1000, /* height without the line for each reason */
	KEY = 400,
	FAMILIES_MAX = 128,
	REASON_POINTS = 12,
	FAMILY_BYTES = 64
};
static const double reason_character = 8.8; /* width of a character at that size, in pixels */

struct family {
	char name[FAMILY_BYTES];
	double *samples_per_s; /* throughput in each ranking; 0: the family does not run there */
	size_t last;           /* last ranking in which the family runs */
	const char *reason;    /* why it does not run in the next; NULL: there is no next, or not known */
	unsigned axes;         /* number of axes beyond the first */
};

struct scaling {
	const struct report_advice *advice;
	struct family *families; /* all families, drawn or not */
	size_t family_count;
	const struct family *drawn[LINES_MAX];
	size_t drawn_count;
	const struct paradl_estimate *base; /* best plan on the fewest GPUs that run one: 100 % */
};

static struct family *family_of(struct report_sink *sink, struct scaling *scaling, const char *name)
{
	for (size_t i = 0; i < scaling->family_count; i++)
		if (strcmp(scaling->families[i].name, name) == 0)
			return &scaling->families[i];
	if (scaling->family_count == FAMILIES_MAX)
		return NULL;
	struct family *const family = &scaling->families[scaling->family_count];
	family->samples_per_s =
		arena_alloc(sink->arena, scaling->advice->count, sizeof *family->samples_per_s);
	sink->out_of_memory |= !family->samples_per_s;
	if (!family->samples_per_s)
		return NULL;
	scaling->family_count++;
	memcpy(family->name, name, strlen(name) + 1);
	for (const char *c = name; *c; c++)
		family->axes += *c == '+';
	return family;
}

static void gather(struct report_sink *sink, struct scaling *scaling)
{
	char name[FAMILY_BYTES];
	for (size_t i = 0; i < scaling->advice->count; i++) {
		const struct paradl_ranking *const ranking = &scaling->advice->rankings[i];
		if (!scaling->base && ranking->count > 0)
			scaling->base = &ranking->results[0];
		for (size_t j = 0; j < ranking->count; j++) {
			paradl_plan_family(&ranking->results[j].plan, name, sizeof name);
			struct family *const family = family_of(sink, scaling, name);
			if (!family)
				continue;
			family->last = i;
			family->samples_per_s[i] =
				fmax(family->samples_per_s[i], ranking->results[j].samples_per_s);
		}
	}
}

static void find_reasons(struct scaling *scaling)
{
	for (size_t i = 0; i < scaling->family_count; i++) {
		struct family *const family = &scaling->families[i];
		if (family->last + 1 == scaling->advice->count)
			continue;
		const struct paradl_ranking *const next = &scaling->advice->rankings[family->last + 1];
		for (size_t j = 0; j < next->infeasible_count; j++)
			if (strcmp(next->infeasible[j].family, family->name) == 0)
				family->reason = next->infeasible[j].reason;
	}
}

/*
 * Reports whether family a is drawn rather than b. Families of one axis come first, as their limits are worth
 * seeing; then those that run on the most GPUs, then those that are fastest there.
 */
static bool is_before(const struct family *a, const struct family *b)
{
	if (!a->axes != !b->axes)
		return !a->axes;
	if (a->last != b->last)
		return a->last > b->last;
	return a->samples_per_s[a->last] > b->samples_per_s[b->last];
}

static void choose(struct scaling *scaling)
{
	for (size_t i = 0; i < scaling->family_count; i++) {
		const struct family *const family = &scaling->families[i];
		size_t at = scaling->drawn_count;
		if (strcmp(family->name, "serial") == 0 && scaling->family_count > 1)
			continue; /* a point where all others begin */
		for (; at > 0 && is_before(family, scaling->drawn[at - 1]); at--)
			if (at < LINES_MAX)
				scaling->drawn[at] = scaling->drawn[at - 1];
		if (at < LINES_MAX)
			scaling->drawn[at] = family;
		scaling->drawn_count += scaling->drawn_count < LINES_MAX;
	}
}

static double gpus(const struct scaling *scaling, size_t ranking)
{
	return scaling->advice->rankings[ranking].devices;
}

static double efficiency(const struct scaling *scaling, double samples_per_s, size_t ranking)
{
	const struct paradl_estimate *const base = scaling->base;
	return 100 * samples_per_s / gpus(scaling, ranking) * base->devices / base->samples_per_s;
}

/*
 * Writes a block with the GPUs, the throughput of each family and the efficiency of each family; in a second block
 * the throughput at an efficiency of 100 %.
 */
static void write_data(struct canvas *canvas, const struct scaling *scaling)
{
	const size_t last = scaling->advice->count - 1;
	const char *columns = "gpus";
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < scaling->drawn_count; i++)
			columns = typeset(&canvas->sink, "%s | %s %s", columns, scaling->drawn[i]->name,
				pass ? "percent" : "samples/s");
	canvas_block(canvas, columns);
	for (size_t k = 0; k <= last; k++) {
		canvas_number(canvas, gpus(scaling, k));
		for (size_t i = 0; i < scaling->drawn_count; i++)
			canvas_positive(canvas, scaling->drawn[i]->samples_per_s[k]);
		for (size_t i = 0; i < scaling->drawn_count; i++)
			canvas_positive(canvas, efficiency(scaling, scaling->drawn[i]->samples_per_s[k], k));
		canvas_row_end(canvas);
	}
	canvas_block(canvas, "100 percent: gpus | samples/s");
	const double ends[] = {scaling->base->devices, gpus(scaling, last)};
	for (size_t i = 0; i < 2; i++) {
		canvas_number(canvas, ends[i]);
		canvas_number(canvas, scaling->base->samples_per_s * ends[i] / scaling->base->devices);
		canvas_row_end(canvas);
	}
}

static double value_of(const struct scaling *scaling, const struct family *family, size_t k, bool share)
{
	const double value = family->samples_per_s[k];
	return share ? efficiency(scaling, value, k) : value;
}

/* Collects the segments of all drawn lines in pixels, and returns their number. */
static size_t gather_segments(
	const struct panel *panel, const struct scaling *scaling, bool share, struct segment *segments)
{
	size_t count = 0;
	for (size_t i = 0; i < scaling->drawn_count; i++)
		for (size_t k = 0; k + 1 < scaling->advice->count; k++) {
			const double from = value_of(scaling, scaling->drawn[i], k, share);
			const double to = value_of(scaling, scaling->drawn[i], k + 1, share);
			if (from > 0 && to > 0)
				segments[count++] = (struct segment){panel_x(panel, gpus(scaling, k)),
					panel_y(panel, from), panel_x(panel, gpus(scaling, k + 1)),
					panel_y(panel, to)};
		}
	return count;
}

static void draw_lines(
	struct canvas *canvas, const struct panel *panel, const struct scaling *scaling, bool share)
{
	struct end_label through[LINES_MAX], stopped[LINES_MAX];
	struct segment *const segments =
		arena_alloc(canvas->sink.arena, LINES_MAX * scaling->advice->count, sizeof *segments);
	size_t through_count = 0, stopped_count = 0;
	canvas->sink.out_of_memory |= !segments;
	for (size_t i = 0; segments && i < scaling->drawn_count; i++) {
		const struct family *const family = scaling->drawn[i];
		const size_t column = i + 2 + (share ? scaling->drawn_count : 0), last = family->last;
		const struct end_label label = {family->name, line_rgb[i],
			panel_x(panel, gpus(scaling, last)),
			panel_y(panel, value_of(scaling, family, last, share))};
		canvas_plot(canvas,
			" index 0 using 1:%zu with linespoints lw 2.2 pt %u ps 0.7 lc rgb '#%06X'", column,
			line_points[i], line_rgb[i]);
		if (last + 1 == scaling->advice->count) {
			through[through_count++] = label;
			continue;
		}
		canvas_plot(canvas,
			" index 0 every ::%zu::%zu using 1:%zu with points pt 7 ps 1.7 lc rgb '#%06X'", last,
			last, column, line_rgb[i]);
		stopped[stopped_count++] = label;
	}
	if (segments)
		names_beside(canvas, panel, stopped, stopped_count, segments,
			gather_segments(panel, scaling, share, segments));
	canvas_end_labels(canvas, panel, through, through_count, panel->right + 2.0 * MARGIN_PIXELS);
}

static size_t reason_count(const struct scaling *scaling)
{
	size_t count = 0;
	for (size_t i = 0; i < scaling->drawn_count; i++)
		count += scaling->drawn[i]->reason != NULL;
	return count;
}

/* Draws the reasons why lines stop, below the panels. */
static void draw_reasons(struct canvas *canvas, const struct scaling *scaling)
{
	struct report_sink *const sink = &canvas->sink;
	const size_t columns = (size_t)((WIDTH - 2.0 * MARGIN_PIXELS) / reason_character);
	double y = HEIGHT + LINE_PIXELS / 2.0;
	for (size_t i = 0; i < scaling->drawn_count; i++) {
		const struct family *const family = scaling->drawn[i];
		if (!family->reason)
			continue;
		canvas_label_sized(canvas, MARGIN_PIXELS, y, SIDE_LEFT, REASON_POINTS,
			canvas_dark(canvas, line_rgb[i]),
			typeset_cut(sink,
				typeset(sink, "● %s stops at %.0f GPU%s: on %.0f it %s", family->name,
					gpus(scaling, family->last),
					gpus(scaling, family->last) > 1 ? "s" : "",
					gpus(scaling, family->last + 1), family->reason),
				columns));
		y += LINE_PIXELS;
	}
}

/* Shades the numbers of GPUs that are too few for any plan. */
static void draw_desert(struct canvas *canvas, const struct panel *panel, const struct scaling *scaling)
{
	const double edge = panel_x(panel, scaling->base->devices) - MARGIN_PIXELS;
	const struct paradl_ranking *const fewest = &scaling->advice->rankings[0];
	if (fewest->count > 0 && scaling->base == fewest->results)
		return;
	canvas_area(canvas, panel->left, panel->top, edge, panel->bottom, "#f3f4f6");
	canvas_label(canvas, (panel->left + edge) / 2, (panel->top + panel->bottom) / 2, SIDE_CENTER,
		INK_FAINT, canvas_fit(canvas, "no plan runs", edge - panel->left));
}

static struct panel throughput_panel(const struct scaling *scaling)
{
	struct panel panel = {.left = 104,
		.right = WIDTH - KEY,
		.top = TOP_PIXELS + 34,
		.bottom = 610,
		.x = {.base = 2, .kind = TICKS_WHOLE},
		.y = {.title = "samples per second", .base = 10, .kind = TICKS_COUNT}};
	struct range counts = {0, 0}, rates = {0, 0};
	for (size_t k = 0; k < scaling->advice->count; k++) {
		range_add(&counts, gpus(scaling, k));
		for (size_t i = 0; i < scaling->drawn_count; i++)
			range_add(&rates, scaling->drawn[i]->samples_per_s[k]);
	}
	axis_fit(&panel.x, counts);
	axis_fit(&panel.y, rates);
	return panel;
}

static struct panel efficiency_panel(const struct scaling *scaling, struct panel panel)
{
	double most = 100;
	for (size_t k = 0; k < scaling->advice->count; k++)
		for (size_t i = 0; i < scaling->drawn_count; i++)
			most = fmax(most, efficiency(scaling, scaling->drawn[i]->samples_per_s[k], k));
	panel.top = 690;
	panel.bottom = HEIGHT - 76;
	panel.x.title = "GPUs";
	panel.y = (struct axis){"efficiency of a GPU", 0, fmin(1.05 * most, 400), 0, TICKS_PERCENT, 0};
	return panel;
}

static void draw(struct canvas *canvas, const struct scaling *scaling)
{
	const struct panel upper = throughput_panel(scaling), lower = efficiency_panel(scaling, upper);
	canvas_panel(canvas, &upper);
	write_data(canvas, scaling);
	canvas_plot(canvas, " index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#9ca3af'");
	draw_lines(canvas, &upper, scaling, false);
	draw_desert(canvas, &upper, scaling);
	canvas_panel_end(canvas);
	canvas_panel(canvas, &lower);
	canvas_line(canvas, lower.left, panel_y(&lower, 100), lower.right, panel_y(&lower, 100), "#9ca3af",
		"lw 1.5 dt 2");
	draw_lines(canvas, &lower, scaling, true);
	draw_desert(canvas, &lower, scaling);
	draw_reasons(canvas, scaling);
	canvas_panel_end(canvas);
}

static void draw_titles(struct canvas *canvas, const struct scaling *scaling)
{
	struct report_sink *const sink = &canvas->sink;
	const struct report_advice *const advice = scaling->advice;
	static const char *const titles[] = {[SCALING_STRONG] = ": strong scaling",
		[SCALING_WEAK] = ": weak scaling",
		[SCALING_MIXED] = ": scaling, larger batches on more GPUs"};
	char base[FAMILY_BYTES];
	paradl_plan_family(&scaling->base->plan, base, sizeof base);
	const char *const many_families =
		scaling->drawn_count < scaling->family_count - 1
			? typeset(sink, " · %zu of %zu families", scaling->drawn_count, scaling->family_count)
			: "";
	canvas_titles(canvas, picture_title(sink, advice->head, titles[text_scales(advice)]),
		picture_subtitle(sink, advice->head, text_batches(sink, advice),
			typeset(sink, "dashed: %s on %u GPU%s, 100 %%%s%s", base, scaling->base->devices,
				scaling->base->devices == 1 ? "" : "s",
				text_exceeds_linear(advice) ? "; above: more GPUs have more memory" : "",
				many_families)));
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	struct report_sink *const sink = &canvas->sink;
	struct scaling scaling = {.advice = what};
	scaling.families = arena_alloc(sink->arena, FAMILIES_MAX, sizeof *scaling.families);
	if (!scaling.families)
		return out_of_memory(error);
	gather(sink, &scaling);
	if (!scaling.base || !(scaling.base->samples_per_s > 0))
		return error_set(error, PARADL_INFEASIBLE,
			"there is no scaling to draw: no plan runs on these numbers of GPUs");
	if (scaling.advice->count < 2)
		return error_set(error, PARADL_USAGE,
			"scaling needs several numbers of GPUs: --gpus 1,2,4,8, or none");
	find_reasons(&scaling);
	choose(&scaling);
	canvas_begin(canvas, WIDTH, HEIGHT + LINE_PIXELS * (double)(reason_count(&scaling) + 1));
	draw_titles(canvas, &scaling);
	draw(canvas, &scaling);
	return true;
}

const struct picture picture_scaling = {
	.name = "scaling",
	.summary = "throughput and efficiency over the number of GPUs, and what stops each family",
	.commands = "advise",
	.paint = paint,
};
