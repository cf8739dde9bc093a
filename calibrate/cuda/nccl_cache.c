/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators by layout: making one takes about a second for eight GPUs, and points of all sizes and operations share it. The
 * oldest falls out where there are more layouts than places: each takes memory of every GPU.
 */
#include "nccl_group.h"

#include <string.h>

enum { PLACES = 8 };

static struct place {
	struct layout layout;
	struct ncclComm *comms[MEMBERS_MAX];
	unsigned long long used; /* 0: empty */
} places[PLACES];
static unsigned long long uses;

void (*nccl_cache_destroy)(struct ncclComm *comm);

static bool same(const struct layout *a, const struct layout *b)
{
	return a->nodes == b->nodes && a->devices == b->devices && a->groups == b->groups &&
	       a->across == b->across;
}

static void clear(struct place *place)
{
	for (unsigned i = 0; i < MEMBERS_MAX; i++)
		if (place->comms[i])
			nccl_cache_destroy(place->comms[i]);
	memset(place, 0, sizeof *place);
}

static struct place *find(const struct layout *layout)
{
	for (unsigned i = 0; i < PLACES; i++)
		if (places[i].used && same(&places[i].layout, layout))
			return &places[i];
	return NULL;
}

struct ncclComm **nccl_cached(const struct layout *layout, bool *is_new)
{
	struct place *place = find(layout);
	*is_new = !place;
	if (!place) {
		place = &places[0];
		for (unsigned i = 1; i < PLACES; i++)
			if (places[i].used < place->used)
				place = &places[i];
		clear(place);
		place->layout = *layout;
	}
	place->used = ++uses;
	return place->comms;
}

void nccl_cache_forget(const struct layout *layout)
{
	struct place *const place = find(layout);
	if (place)
		clear(place);
}

void nccl_cache_clear(void)
{
	for (unsigned i = 0; i < PLACES; i++)
		clear(&places[i]);
}
