/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names beside points, where the least of what is drawn is in the way. */
#ifndef REPORT_PICTURE_NAMES_H
#define REPORT_PICTURE_NAMES_H

#include "report/picture/canvas.h"

/* A piece of a line, in pixels. */
struct segment {
	double x1, y1, x2, y2;
};

/* Of each label, x and y are the point; at most END_LABELS_MAX. */
void names_beside(struct canvas *canvas, const struct panel *panel, const struct end_label *labels,
	size_t count, const struct segment *segments, size_t segment_count);

#endif
