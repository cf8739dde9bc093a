/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/picture/picture_lines.h"

const unsigned line_rgb[LINES_MAX] = {
	0x0072B2, 0xD55E00, 0x009E73, 0xE69F00, 0xCC79A7, 0x56B4E9, 0x111827, 0x882255, 0x6b7280};
const unsigned line_points[LINES_MAX] = {7, 5, 9, 11, 13, 6, 2, 1, 3};
const char *const line_glyphs[LINES_MAX] = {"●", "■", "▲", "▼", "◆", "○", "×", "+", "*"};
