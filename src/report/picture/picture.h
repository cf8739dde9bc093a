/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot draws the pictures. A picture is one file that ends in one `const struct picture picture_NAME`, and one
 * line X(NAME) in list.def. It writes a title, axes and data to a canvas (canvas.h), and knows neither gnuplot's
 * traps nor files.
 */
#ifndef REPORT_PICTURE_PICTURE_H
#define REPORT_PICTURE_PICTURE_H

#include "report/report.h"

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

#endif
