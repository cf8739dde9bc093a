/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each phase has one look, the same in the terminal and in every picture: one of the Okabe-Ito colours, which
 * colour-blind readers can tell apart, and the glyph of its kind where there is no colour.
 */
#ifndef REPORT_PALETTE_H
#define REPORT_PALETTE_H

#include "paradl/oracle.h"

struct phase_look {
	const char *label;   /* name for people */
	const char *kind;    /* compute, communication, bubble or input */
	const char *shade;   /* glyph of the kind */
	unsigned rgb;        /* 0xRRGGBB */
	unsigned char xterm; /* nearest of the 256 terminal colours */
	char ascii;          /* ASCII glyph of the kind */
};
extern const struct phase_look phase_looks[PARADL_PHASE_COUNT];

/* The classes of memory, in the order in which pictures stack them. */
enum { MEMORY_CLASSES = 10 };
struct memory_look {
	const char *label;
	size_t offset; /* offset of the class in struct paradl_memory */
	unsigned rgb;
};
extern const struct memory_look memory_looks[MEMORY_CLASSES];
double memory_class_bytes(const struct paradl_memory *memory, size_t index);

#endif
