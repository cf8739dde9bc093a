/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot as a child process, without a shell and without settings of the user, under LC_ALL=C. */
#ifndef REPORT_PICTURE_PICTURE_RUN_H
#define REPORT_PICTURE_PICTURE_RUN_H

#include <stdio.h>

#include "base/arena.h"

/* Runs a script file after the gnuplot command `before`. */
bool gnuplot_file(
	struct paradl_arena *arena, const char *script, const char *before, struct paradl_error *error);

/* Open files at their beginnings: a script, which is gnuplot's input, and its output. */
struct gnuplot_ends {
	FILE *script, *picture;
};
/* Runs an open script, and writes the picture to an open file. */
bool gnuplot_stream(struct paradl_arena *arena, const struct gnuplot_ends *ends, struct paradl_error *error);

#endif
