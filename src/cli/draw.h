/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures of answers: --plot, --picture, and -o with the ending of a picture. */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "cli/session.h"
#include "report/picture/picture.h"

/* Is there to be a picture? */
bool draw_wanted(const struct session *session);
/* Does the command draw the picture that --picture names? A usage error is set if not. */
bool draw_check(struct session *session);
/* The picture that was asked for, else the one that is usual for what is answered. */
const struct picture *draw_choice(const struct session *session, const struct picture *usual);
/* Draws `what` to the file that was named, else to paradl-COMMAND.png. */
enum exit_status draw_picture(struct session *session, const struct picture *picture, const void *what);
/* After a picture that failed: may the answer follow all the same? Not where the failure is a document of its own. */
bool draw_goes_on(const struct session *session, enum exit_status status);

#endif
