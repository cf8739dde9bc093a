/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drawings of a page. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include "cli/session.h"
#include "report/picture/picture.h"

enum { FIGURES_MAX = 6 };

struct figures {
	struct session *session;
	struct report_figure items[FIGURES_MAX];
	size_t count;
	bool lack_tool; /* there is no gnuplot, which was said */
};

/* Adds a drawing. One that fails is missing on the page, and said; without gnuplot all are, which is said once. */
void figures_draw(
	struct figures *figures, const struct picture *picture, const void *what, const char *caption);

#endif
