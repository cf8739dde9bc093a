/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/picture/picture_names.h"

#include <math.h>

struct box {
	double left, right, top, bottom;
};

static bool meets(const struct box *a, const struct box *b)
{
	return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

/* Returns how much of a line is under the box, as a number of equally spaced points of the line. */
static double crossed(const struct segment *line, const struct box *box)
{
	enum { STEPS = 24 };
	double count = 0;
	for (unsigned step = 0; step <= STEPS; step++) {
		const double x = line->x1 + (line->x2 - line->x1) * step / STEPS;
		const double y = line->y1 + (line->y2 - line->y1) * step / STEPS;
		count += x > box->left && x < box->right && y > box->top && y < box->bottom;
	}
	return count;
}

static bool is_inside(const struct box *box, const struct panel *panel)
{
	return box->left >= panel->left && box->right <= panel->right && box->top >= panel->top &&
	       box->bottom <= panel->bottom;
}

/*
 * Returns the `index`-th candidate of a name's box: even ones right of the point, odd ones left; pairs are 0, 1
 * down, 1 up, 2 down, ... lines away.
 */
static struct box candidate(const struct end_label *label, int index)
{
	enum { NEAR = 12 };
	const int turn = index / 2, away = (turn + 1) / 2 * (turn % 2 ? 1 : -1);
	const double width = canvas_text_pixels(label->text);
	const double left = index % 2 ? label->x - NEAR - width : label->x + NEAR;
	const double middle = label->y + 0.8 * LINE_PIXELS * away;
	return (struct box){left, left + width, middle - LINE_PIXELS / 2.0, middle + LINE_PIXELS / 2.0};
}

struct drawn {
	const struct panel *panel;
	const struct segment *segments;
	size_t segment_count;
	struct box placed[END_LABELS_MAX];
	size_t count;
};

/*
 * Returns the cost of a box. It is lowest near the point; being outside the panel, over another name, or over
 * lines costs more, in this order.
 */
static double cost_of(const struct drawn *drawn, const struct box *box, int index)
{
	static const double outside = 1000, taken = 200;
	const int away = index / 4 + index % 2;
	double cost = away + (is_inside(box, drawn->panel) ? 0 : outside);
	for (size_t i = 0; i < drawn->segment_count; i++)
		cost += crossed(&drawn->segments[i], box);
	for (size_t i = 0; i < drawn->count; i++)
		cost += meets(box, &drawn->placed[i]) ? taken : 0;
	return cost;
}

static struct box best_place(const struct drawn *drawn, const struct end_label *label)
{
	enum { CANDIDATES = 22 };
	struct box best = candidate(label, 0);
	double least = HUGE_VAL;
	for (int index = 0; index < CANDIDATES; index++) {
		const struct box box = candidate(label, index);
		const double cost = cost_of(drawn, &box, index);
		if (cost < least) {
			least = cost;
			best = box;
		}
	}
	return best;
}

void names_beside(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, const struct segment *segments, size_t segment_count)
{
	struct drawn drawn = {.panel = panel, .segments = segments, .segment_count = segment_count};
	for (size_t i = 0; i < count && i < END_LABELS_MAX; i++) {
		const struct box box = best_place(&drawn, &labels[i]);
		const double middle = (box.top + box.bottom) / 2;
		drawn.placed[drawn.count++] = box;
		canvas_label(canvas, box.left, middle, SIDE_LEFT, canvas_dark(canvas, labels[i].rgb),
			labels[i].text);
		if (fabs(middle - labels[i].y) > LINE_PIXELS)
			canvas_line(canvas, labels[i].x, labels[i].y,
				box.left > labels[i].x ? box.left - 2 : box.right, middle,
				typeset(&canvas->sink, "#%06X", labels[i].rgb), "lw 0.8 dt 3");
	}
}
