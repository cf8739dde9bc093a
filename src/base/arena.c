/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arena.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK_BYTES = 4096, LAST_CHUNK_BYTES = 1 << 20, SHORT_TEXT = 256 };

struct chunk {
	struct chunk *next;
	size_t used, size;
	max_align_t data[];
};

/* A text that is read in place of a file. */
struct given_file {
	const struct given_file *next;
	const char *path, *text;
	size_t length;
};

struct paradl_arena {
	struct chunk *chunks; /* the first chunk is the one being filled */
	size_t next_size;
	size_t left;                          /* bytes that may still be allocated */
	struct paradl_arena *children, *next; /* next: sibling, with the same parent */
	const struct given_file *files;
	bool keeps_files;
};

struct paradl_arena *arena_create_limited(size_t limit)
{
	struct paradl_arena *const arena = calloc(1, sizeof *arena);
	if (arena) {
		arena->next_size = FIRST_CHUNK_BYTES;
		arena->left = limit;
	}
	return arena;
}

struct paradl_arena *paradl_arena_create(void)
{
	return arena_create_limited(SIZE_MAX);
}

struct paradl_arena *arena_create_beside(const struct paradl_arena *other)
{
	struct paradl_arena *const arena = paradl_arena_create();
	if (arena)
		arena->files = other->files;
	return arena;
}

struct paradl_arena *arena_create_within(struct paradl_arena *parent)
{
	struct paradl_arena *const arena = arena_create_beside(parent);
	if (arena) {
		arena->left = parent->left;
		arena->next = parent->children;
		parent->children = arena;
	}
	return arena;
}

void paradl_arena_free(struct paradl_arena *arena)
{
	if (!arena)
		return;
	for (struct paradl_arena *child = arena->children; child;) {
		struct paradl_arena *const next = child->next;
		paradl_arena_free(child);
		child = next;
	}
	for (struct chunk *chunk = arena->chunks; chunk;) {
		struct chunk *const next = chunk->next;
		free(chunk);
		chunk = next;
	}
	free(arena);
}

static struct chunk *chunk_create(size_t size)
{
	struct chunk *const chunk = calloc(1, sizeof(struct chunk) + size);
	if (chunk)
		chunk->size = size;
	return chunk;
}

#ifdef ARENA_DEBUG

static void *take(struct paradl_arena *arena, size_t bytes)
{
	struct chunk *const chunk = chunk_create(bytes);
	if (!chunk)
		return NULL;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk->data;
}

#else

static void *take(struct paradl_arena *arena, size_t bytes)
{
	const size_t alignment = _Alignof(max_align_t);
	struct chunk *chunk = arena->chunks;
	bytes = (bytes + alignment - 1) / alignment * alignment;
	if (!chunk || chunk->size - chunk->used < bytes) {
		const bool is_huge = bytes > arena->next_size / 4;
		chunk = chunk_create(is_huge ? bytes : arena->next_size);
		if (!chunk)
			return NULL;
		if (is_huge && arena->chunks) { /* behind the first chunk, which goes on being filled */
			chunk->next = arena->chunks->next;
			arena->chunks->next = chunk;
		} else {
			chunk->next = arena->chunks;
			arena->chunks = chunk;
		}
		if (!is_huge && arena->next_size < LAST_CHUNK_BYTES)
			arena->next_size *= 2;
	}
	void *const data = (char *)chunk->data + chunk->used;
	chunk->used += bytes;
	return data;
}

#endif

void *arena_alloc(struct paradl_arena *arena, size_t count, size_t size)
{
	if (size > 0 && count > (SIZE_MAX / 2) / size)
		return NULL;
	const size_t bytes = count * size > 0 ? count * size : 1;
	if (bytes > arena->left)
		return NULL;
	void *const data = take(arena, bytes);
	if (data)
		arena->left -= bytes;
	return data;
}

char *arena_copy(struct paradl_arena *arena, const char *text, size_t length)
{
	if (length == SIZE_MAX)
		return NULL;
	char *const copy = arena_alloc(arena, length + 1, 1);
	if (copy && length > 0)
		memcpy(copy, text, length);
	return copy;
}

char *arena_text(struct paradl_arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text));
}

char *arena_join(struct paradl_arena *arena, const char *first, const char *second, const char *third)
{
	const size_t lengths[] = {strlen(first), strlen(second), strlen(third)};
	char *const text = arena_alloc(arena, lengths[0] + lengths[1] + lengths[2] + 1, 1);
	if (text) {
		memcpy(text, first, lengths[0]);
		memcpy(text + lengths[0], second, lengths[1]);
		memcpy(text + lengths[0] + lengths[1], third, lengths[2]);
	}
	return text;
}

char *arena_printf(struct paradl_arena *arena, const char *format, ...)
{
	char short_one[SHORT_TEXT];
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(short_one, sizeof short_one, format, arguments);
	va_end(arguments);
	if (length < 0)
		return NULL;
	if ((size_t)length < sizeof short_one)
		return arena_copy(arena, short_one, (size_t)length);
	char *const text = arena_alloc(arena, (size_t)length + 1, 1);
	if (!text)
		return NULL;
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return text;
}

/* Adds `text`, which the arena owns already, as the file at `path`; false: out of memory. */
static bool add_file(struct paradl_arena *arena, const char *path, const char *text, size_t length)
{
	struct given_file *const file = arena_alloc(arena, 1, sizeof *file);
	const char *const own_path = arena_text(arena, path);
	if (!file || !own_path)
		return false;
	*file = (struct given_file){arena->files, own_path, text, length};
	arena->files = file;
	return true;
}

bool paradl_file_give(struct paradl_arena *arena, const char *path, const char *text, size_t length)
{
	const char *const own_text = arena_copy(arena, text, length);
	return own_text && add_file(arena, path, own_text, length);
}

void arena_keep_files(struct paradl_arena *arena)
{
	arena->keeps_files = true;
}

bool arena_keep(struct paradl_arena *arena, const char *path, const char *text, size_t length)
{
	return !arena->keeps_files || add_file(arena, path, text, length);
}

const char *arena_kept(const struct paradl_arena *arena, size_t index, const char **path, size_t *length)
{
	const struct given_file *file = arena->files;
	while (file && index-- > 0)
		file = file->next;
	if (!file)
		return NULL;
	*path = file->path;
	*length = file->length;
	return file->text;
}

const char *arena_file(const struct paradl_arena *arena, const char *path, size_t *length)
{
	for (const struct given_file *file = arena->files; file; file = file->next)
		if (strcmp(file->path, path) == 0) {
			*length = file->length;
			return file->text;
		}
	return NULL;
}

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
