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

#endif
