/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of lines and sets of points: those of Okabe and Ito that show on white, the most different first. */
#ifndef REPORT_PICTURE_LINES_H
#define REPORT_PICTURE_LINES_H

#include <stddef.h>

enum { LINES_MAX = 9 };
extern const unsigned line_rgb[LINES_MAX];
/* gnuplot's point types, in the same order: shapes tell what colours do not. */
extern const unsigned line_points[LINES_MAX];
extern const char *const line_glyphs[LINES_MAX]; /* that look like them */

#endif
