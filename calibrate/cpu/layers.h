/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a file of cases as the benches of this program read them. */
#ifndef CALIBRATE_LAYERS_H
#define CALIBRATE_LAYERS_H

#include "bench.h"
#include "lowering.h"

/* 0 or "" when the line says nothing of it. */
double case_number(const struct case_line *line, const char *name);
const char *case_text(const struct case_line *line, const char *name);

/* What it is of, for names of points: "MODEL/LAYER", the ends of both, without what JSON would have to escape. */
enum { CASE_LABEL_LENGTH = 72 };
void case_label(const struct case_line *line, char label[CASE_LABEL_LENGTH]);

/* "3x3x1"; what is not there is `otherwise`. False: it is no such text. */
bool extents_read(const char *text, size_t otherwise, size_t extents[CONVOLUTION_DIMENSIONS]);

/* A text that lasts as long as the program, as parameters need it. "" when there is no memory. */
const char *text_keep(const char *text);

/*
 * A `convolution` or `linear` line; `dimensions`: 0 of a linear layer, which is a convolution of one position. False: another
 * kind of line. `wrong`: NULL, or what cannot be in it.
 */
bool case_convolution(
	const struct case_line *line, struct convolution *c, unsigned *dimensions, const char **wrong);

#endif
