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
char *arena_printf(struct paradl_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
