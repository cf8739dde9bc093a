/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot as a child process: no shell, no settings of the user, LC_ALL=C. */
#ifndef REPORT_PICTURE_RUN_H
#define REPORT_PICTURE_RUN_H

#include <stdio.h>

#include "base/arena.h"

/* Runs a script after the command `before`. */
bool gnuplot_file(
	struct paradl_arena *arena, const char *script, const char *before, struct paradl_error *error);

/* Open files, at their beginnings. */
struct gnuplot_ends {
	FILE *script, *picture;
};
bool gnuplot_stream(struct paradl_arena *arena, const struct gnuplot_ends *ends, struct paradl_error *error);

#endif
