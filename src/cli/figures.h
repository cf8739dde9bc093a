/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings of a page for a browser. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "cli/session.h"
#include "report/picture/picture.h"

enum { FIGURES_MAX = 6 };

struct figures {
	struct session *session;
	struct report_figure items[FIGURES_MAX];
	size_t count;
	bool lack_tool; /* whether gnuplot is missing, which was warned of */
};

/*
 * Adds a drawing to the page, unless it has FIGURES_MAX of them. A drawing that fails is left out with a warning;
 * without gnuplot all are left out, with one warning.
 */
void figures_draw(
	struct figures *figures, const struct picture *picture, const void *what, const char *caption);

#endif
