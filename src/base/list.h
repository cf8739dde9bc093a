/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include "paradl.h"

/*
 * Lists in an arena grow by copying, and at least double, which bounds the memory of the copies left behind. A list
 * that only grows is full at LIST_FIRST items and at each power of two above, so its capacity need not be stored
 * beside its count.
 */
enum { LIST_FIRST = 16 };

/* Returns a copy of the items in an array of `room` items, zeroed behind them; NULL: out of memory. */
void *list_moved(struct paradl_arena *arena, const void *items, size_t count, size_t room, size_t size);
/*
 * Makes room for one more item in a list that only grows; false: out of memory. `list` is the address of the pointer
 * to its items.
 */
bool list_grow(struct paradl_arena *arena, void *list, size_t count, size_t size);
/* Adds a zeroed item and returns it; NULL: out of memory, and the list is unchanged. */
#define LIST_ADD(arena, items, count)                                                                        \
	(list_grow((arena), &(items), (count), sizeof *(items)) ? &(items)[(count)++] : NULL)

#endif
