/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One look per phase, the same in the terminal and in every picture: the Okabe-Ito colours, which
 * colour-blind readers can tell apart, and three glyphs where there is no colour.
 */
#ifndef REPORT_PALETTE_H
#define REPORT_PALETTE_H

#include "paradl.h"

struct phase_look {
	const char *label;   /* as a person says it */
	const char *kind;    /* compute, communication, bubble */
	const char *shade;   /* of its kind */
	unsigned rgb;        /* 0xRRGGBB */
	unsigned char xterm; /* the nearest of the 256 colours */
	char ascii;          /* of its kind */
};
extern const struct phase_look phase_looks[PARADL_PHASE_COUNT];

/* Classes of memory, as pictures stack them. */
enum { MEMORY_CLASSES = 10 };
struct memory_look {
	const char *label;
	size_t offset; /* of the bytes in struct paradl_memory */
	unsigned rgb;
};
extern const struct memory_look memory_looks[MEMORY_CLASSES];
double memory_class_bytes(const struct paradl_memory *memory, size_t index);

#endif
