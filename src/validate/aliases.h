/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How published results spell devices, frameworks, networks and number formats: hw-profiles/aliases.csv. */
#ifndef VALIDATE_ALIASES_H
#define VALIDATE_ALIASES_H

#include "base/arena.h"

struct alias {
	const char *kind, *pattern; /* pattern: any case, "*" is any text */
	const char *name;           /* what it stands for */
	double value;               /* 0: none */
};

struct aliases {
	const struct alias *items;
	size_t count;
};

/* The first hw-profiles/aliases.csv in `directories`. */
bool aliases_load(struct paradl_arena *arena, const char *const *directories, struct aliases *aliases,
	struct paradl_error *error);
/* The first line of a kind whose pattern fits the text; NULL: none does. */
const struct alias *alias_find(const struct aliases *aliases, const char *kind, const char *text);
/* The number of the first line of a kind that fits; else `initial`. */
double alias_value(const struct aliases *aliases, const char *kind, const char *text, double initial);
/* Does the whole text fit the pattern? */
bool alias_fits(const char *pattern, const char *text);

#endif
