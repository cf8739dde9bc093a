/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places names beside points, where they cover the fewest lines and names. */
#ifndef REPORT_PICTURE_PICTURE_NAMES_H
#define REPORT_PICTURE_PICTURE_NAMES_H

#include "report/picture/canvas.h"

/* A piece of a line, in pixels. */
struct segment {
	double x1, y1, x2, y2;
};

/*
 * Draws each label beside its point (x, y), away from the segments and the labels before it, with a dotted line to
 * the point where it is more than a line of text away. Draws at most END_LABELS_MAX.
 */
void names_beside(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, const struct segment *segments, size_t segment_count);

#endif
