/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <string.h>

void *list_moved(struct paradl_arena *arena, const void *items, size_t count, size_t room, size_t size)
{
	void *const moved = arena_alloc(arena, room, size);
	if (moved && count > 0)
		memcpy(moved, items, count * size);
	return moved;
}

bool list_grow(struct paradl_arena *arena, void *list, size_t count, size_t size)
{
	void *items;
	if (count > 0 && (count < LIST_FIRST || (count & (count - 1)) != 0))
		return true;
	memcpy(&items, list, sizeof items); /* a pointer of any type */
	items = list_moved(arena, items, count, count > 0 ? 2 * count : LIST_FIRST, size);
	if (items)
		memcpy(list, &items, sizeof items);
	return items != NULL;
}
