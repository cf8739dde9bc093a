/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes names of layers unique. A name that the file uses once stays; "RELU" used often becomes "RELU.1", "RELU.2",
 * ...
 */
#include <stdlib.h>
#include <string.h>

#include "import/original.h"

struct named {
	const char *name;
	unsigned index;
};

static int compare(const void *a, const void *b)
{
	const struct named *const first = a, *const second = b;
	const int order = strcmp(first->name, second->name);
	return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

const char *const *net_names(struct paradl_arena *arena, const struct net *net)
{
	struct named *const sorted = arena_alloc(arena, net->count, sizeof(*sorted));
	const char **const names = arena_alloc(arena, net->count, sizeof(*names));
	if (!sorted || !names)
		return NULL;
	for (unsigned i = 0; i < net->count; i++)
		sorted[i] = (struct named){net->layers[i].name, i};
	qsort(sorted, net->count, sizeof(*sorted), compare);
	for (unsigned i = 0, run = 0; i < net->count; i++) {
		const char *const name = sorted[i].name;
		const bool again = i > 0 && strcmp(sorted[i - 1].name, name) == 0;
		const bool more = i + 1 < net->count && strcmp(sorted[i + 1].name, name) == 0;
		run = again ? run + 1 : 1;
		names[sorted[i].index] =
			again || more || name[0] == '\0' ? arena_printf(arena, "%s.%u", name, run) : name;
		if (!names[sorted[i].index])
			return NULL;
	}
	return names;
}
