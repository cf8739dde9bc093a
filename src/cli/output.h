/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers as pictures, pages with drawings and scripts, beside or in place of the document. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/session.h"
#include "report/picture/picture.h"

/* ---- pictures, for --plot, --picture, and -o with the ending of a picture ---- */

/* Returns whether a picture is asked for. */
bool draw_wanted(const struct session *session);
/* Returns whether the command can draw the picture that --picture names, if it is given; false: error is set. */
bool draw_check(struct session *session);
/* Returns the picture that --picture names, else `usual`. */
const struct picture *draw_choice(const struct session *session, const struct picture *usual);
/* Draws `what` to the file of -o or --plot, else to paradl-COMMAND.png; session->picture "": to answers, as SVG. */
enum exit_status draw_picture(struct session *session, const struct picture *picture, const void *what);
/*
 * Returns whether the answer may follow the picture that was drawn with `status`: not where the picture replaces it,
 * nor where the picture failed and --json or --jsonl has made the failure a document.
 */
bool draw_goes_on(const struct session *session, enum exit_status status);

enum { FIGURES_MAX = 6 };

/* Drawings of a page for a browser. */
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

/* Writes a script that starts the plan in place of the document; else says why there is none. */
enum exit_status script_answer(
	struct session *session, const struct report_head *head, const struct paradl_estimate *estimate);
/* Fails with the error that a script starts one plan for all layers: no program starts plans of parts. */
enum exit_status script_refuse_parts(struct session *session);

#endif
