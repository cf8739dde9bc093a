/* SPDX-License-Identifier: GPL-3.0-or-later */
/* These functions draw answers as pictures, for --plot, --picture, and -o with the ending of a picture. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "cli/session.h"
#include "report/picture/picture.h"

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

#endif
