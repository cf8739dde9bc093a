/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "paradl.h"

/*
 * Many allocations, one free. Every function returns NULL when out of memory (or when
 * count * size overflows); memory is zeroed and aligned for any type. Built with
 * -DARENA_DEBUG, each allocation is a malloc of its own so that ASan and valgrind see overruns.
 */
struct paradl_arena *arena_create_limited(
	size_t limit); /* at most `limit` bytes in all: then out of memory */
/* Freed with its parent, and only with it; as much memory as the parent has left. For what other threads allocate. */
struct paradl_arena *arena_create_within(struct paradl_arena *parent);
/* An arena by itself that reads the texts which `other` has been given, and must not outlive it. */
struct paradl_arena *arena_create_beside(const struct paradl_arena *other);
void *arena_alloc(struct paradl_arena *arena, size_t count, size_t size);
char *arena_copy(struct paradl_arena *arena, const char *text, size_t length); /* adds the NUL */
char *arena_text(struct paradl_arena *arena, const char *text);
char *arena_join(struct paradl_arena *arena, const char *first, const char *second, const char *third);
/* Returns the text that paradl_file_give has put under a path, or NULL. */
const char *arena_file(const struct paradl_arena *arena, const char *path, size_t *length);
/* From now on the arena keeps the files that are read into it as if it had been given them: for who passes on what an answer rests on. */
void arena_keep_files(struct paradl_arena *arena);
/* Called with each file that is read: path and text, which is the arena's. False: out of memory. */
bool arena_keep(struct paradl_arena *arena, const char *path, const char *text, size_t length);
/* Returns the index-th of all files that the arena was given or has kept, or NULL past the last. */
const char *arena_kept(const struct paradl_arena *arena, size_t index, const char **path, size_t *length);
char *arena_printf(struct paradl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
