/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours and shapes of lines and sets of points. Colours are those of Okabe and Ito that show on white, most
 * different first.
 */
#ifndef REPORT_PICTURE_PICTURE_LINES_H
#define REPORT_PICTURE_PICTURE_LINES_H

#include <stddef.h>

enum { LINES_MAX = 9 };
extern const unsigned line_rgb[LINES_MAX];
/* gnuplot's point types, in the order of the colours, so that shapes tell lines apart where colours do not. */
extern const unsigned line_points[LINES_MAX];
extern const char *const line_glyphs[LINES_MAX]; /* characters that look like these point types */

#endif
