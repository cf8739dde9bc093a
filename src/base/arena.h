/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "paradl.h"

/*
 * Arenas: many allocations, one free. Every function returns NULL when memory runs out (or when count * size
 * overflows); memory is zeroed and aligned for any type. Built with -DARENA_DEBUG, each allocation is a malloc of its
 * own, so that ASan and valgrind see overruns.
 */

struct paradl_arena *arena_create_limited(
	size_t limit); /* hands out `limit` bytes at most; beyond them it is out of memory */
/*
 * Creates an arena that is freed with its parent, and only with it, and may take as much memory as the parent has
 * left now. Threads other than the parent's allocate from such arenas.
 */
struct paradl_arena *arena_create_within(struct paradl_arena *parent);
/* Creates an independent arena that reads the texts which `other` has been given; it must not outlive `other`. */
struct paradl_arena *arena_create_beside(const struct paradl_arena *other);
void *arena_alloc(struct paradl_arena *arena, size_t count, size_t size);
/* Copies `length` bytes and appends a NUL. */
char *arena_copy(struct paradl_arena *arena, const char *text, size_t length);
char *arena_text(struct paradl_arena *arena, const char *text);
char *arena_join(struct paradl_arena *arena, const char *first, const char *second, const char *third);
/* Returns the text that paradl_file_give has put under a path, or NULL. */
const char *arena_file(const struct paradl_arena *arena, const char *path, size_t *length);
/*
 * Makes the arena keep every file that is read into it from now on, as if it had been given them, for a caller that
 * passes on the inputs of an answer.
 */
void arena_keep_files(struct paradl_arena *arena);
/*
 * Records a file that has been read, if the arena keeps files; `text` belongs to the arena. Returns false when out of
 * memory.
 */
bool arena_keep(struct paradl_arena *arena, const char *path, const char *text, size_t length);
/* Returns the index-th of all files that the arena was given or has kept, or NULL past the last. */
const char *arena_kept(const struct paradl_arena *arena, size_t index, const char **path, size_t *length);
char *arena_printf(struct paradl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

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
