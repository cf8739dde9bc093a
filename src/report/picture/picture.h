/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot draws the pictures. A picture is one file that ends in one `const struct picture picture_NAME`, and one
 * line X(NAME) in list.def. It writes a title, axes and data to a canvas (canvas.h), and knows neither gnuplot's
 * traps nor files.
 */
#ifndef REPORT_PICTURE_PICTURE_H
#define REPORT_PICTURE_PICTURE_H

#include <stdio.h>

#include "base/arena.h"
#include "report/report.h"
#include "report/typeset.h"

struct canvas;

struct picture {
	const char *name, *summary;
	const char *commands; /* commands that draw the picture, separated by spaces */
	/* Draws the document `what`, of the type below; false with an error: there is nothing to draw. */
	bool (*paint)(struct canvas *canvas, const void *what, struct paradl_error *error);
};

/*
 * Types of the documents that pictures draw:
 *   ranking, scaling, memory   struct report_advice
 *   pareto, map                struct report_search
 *   collective                 struct report_collective
 *   calibration                struct report_calibration
 *   tornado                    struct report_tornado
 *   timeline                   struct report_timeline
 *   measured                   struct report_validation
 *   machines                   struct report_compare
 *   kernels                    struct report_kernels
 */
#define X(id) extern const struct picture picture_##id;
#include "report/picture/list.def"
#undef X

extern const struct picture *const pictures[]; /* NULL-terminated, order of list.def */
/* Finds the picture of that name which the command draws, or its usual one where the name is NULL; NULL: none. */
const struct picture *picture_find(const char *command, const char *name);
/* Returns the names of the pictures that the command draws: "ranking, memory". */
const char *picture_names(struct paradl_arena *arena, const char *command);

/* The endings that names of pictures may have, as a list that ends in NULL; ".gp" is the script alone. */
extern const char *const picture_endings[];
/* Reports whether a path ends in one of them. */
bool picture_is_file(const char *path);

/*
 * Writes NAME.gp and NAME.dat beside the picture `path`, for users to edit and draw again, and draws it. Where
 * gnuplot is missing or fails, the error is PARADL_NO_TOOL and both files stay.
 */
bool picture_draw(struct paradl_arena *arena, const struct picture *picture, const void *what,
	const char *path, struct paradl_error *error);

/* Draws the picture as SVG in memory of the arena, with no file left behind. */
bool picture_svg(struct paradl_arena *arena, const struct picture *picture, const void *what,
	const char **svg, size_t *length, struct paradl_error *error);

/* Makes the titles of pictures, which name the model and the machine, and the texts of plans. */

/* Returns "ResNet-50 on ABCI" followed by the rest. The rest is never cut: long names are. */
const char *picture_title(struct report_sink *sink, const struct report_head *head, const char *rest);
/* Returns "ImageNet · REST · fp32 · 16.0 GiB/GPU · NOTE"; "" leaves a part out. */
const char *picture_subtitle(
	struct report_sink *sink, const struct report_head *head, const char *rest, const char *note);
/* Returns the same with what is read, "2 T tokens", in place of the data set; NULL: the data set. */
const char *picture_subtitle_of(struct report_sink *sink, const struct report_head *head, const char *amount,
	const char *rest, const char *note);
const char *picture_plan(struct report_sink *sink, const struct paradl_plan *plan);
/*
 * Returns the axes of a plan's text, "data=64,tensor=8", and stores in *options the rest of the text; each is ""
 * where there is nothing.
 */
const char *picture_axes(struct report_sink *sink, const char *plan, const char **options);

/* Runs gnuplot as a child process, without a shell and without settings of the user, under LC_ALL=C. */

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
