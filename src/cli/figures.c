/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/figures.h"

void figures_draw(
	struct figures *figures, const struct picture *picture, const void *what, const char *caption)
{
	struct session *const session = figures->session;
	struct report_figure *const figure = &figures->items[figures->count];
	struct paradl_error error = {.status = PARADL_OK};
	if (figures->lack_tool || figures->count == FIGURES_MAX)
		return;
	if (picture_svg(session->arena, picture, what, &figure->svg, &figure->length, &error)) {
		figure->caption = caption;
		figures->count++;
	} else if (error.status == PARADL_NO_TOOL) {
		figures->lack_tool = true;
		session_warn(session, "the page has no drawings: %s", error.message);
	} else {
		session_warn(session, "the page lacks a drawing: %s", error.message);
	}
}
