/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads hw-profiles/aliases.csv, which says what the spellings of devices, frameworks, networks and number formats
 * in published results stand for.
 */
#ifndef FIT_VALIDATE_ALIASES_H
#define FIT_VALIDATE_ALIASES_H

#include "base/arena.h"

struct alias {
	const char *kind, *pattern; /* kind of spelling; pattern in any case, in which "*" is any text */
	const char *name;           /* name that the spelling stands for */
	double value;               /* number that goes with it; 0: none */
};

struct aliases {
	const struct alias *items;
	size_t count;
};

/*
 * Reads the first hw-profiles/aliases.csv in `directories`; false with an error where there is none or it is
 * malformed.
 */
bool aliases_load(struct paradl_arena *arena, const char *const *directories, struct aliases *aliases,
	struct paradl_error *error);
/* Finds the first line of a kind whose pattern fits the text; NULL: none does. */
const struct alias *alias_find(const struct aliases *aliases, const char *kind, const char *text);
/* Returns the number of the first line of a kind whose pattern fits the text; `initial` where none does. */
double alias_value(const struct aliases *aliases, const char *kind, const char *text, double initial);
/* Reports whether the whole text fits the pattern. */
bool alias_fits(const char *pattern, const char *text);

#endif
