/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

/* Where an arena has been given a text under the path (paradl_file_give), that is read.
 * The whole file (NUL-terminated, length beside it), or NULL; "-" is stdin; more than `limit` bytes, a directory: errors. */
char *file_read(struct paradl_arena *arena, const char *path, size_t limit, size_t *length,
	struct paradl_error *error);

/* Sets an error of a file: "cannot read: No such file or directory", by an errno; returns false. */
bool file_fail(const char *path, const char *what, int reason, struct paradl_error *error);

/* Is there a file of the path (a pipe, too, but no directory), or a text that has been given to the arena under it? */
bool file_is_there(const struct paradl_arena *arena, const char *path);
/* A stream that reads either of them, or NULL. */
FILE *file_stream(struct paradl_arena *arena, const char *path, struct paradl_error *error);

/*
 * The first `most` bytes of a file with a NUL after them, for who wants to know what it is; all of what can be read only
 * once (a pipe, "-"), up to `limit`. *is_whole: nothing is left out.
 */
struct file_head {
	const char *text;
	size_t length;
	bool is_whole;
};
bool file_head_read(struct paradl_arena *arena, const char *path, size_t most, size_t limit,
	struct file_head *head, struct paradl_error *error);

/*
 * A regular file as memory, read where it is looked at and not before: of large files, of which little is needed. It must
 * not become shorter meanwhile. file_unneeded gives back what a part of it takes: it is read again if it is looked at again.
 */
struct file_map {
	void *memory;
	const uint8_t *data; /* the same */
	size_t length;
};
bool file_map(const char *path, struct file_map *mapped, struct paradl_error *error);
void file_unmap(struct file_map *mapped);
void file_unneeded(const struct file_map *mapped, const uint8_t *at, size_t length);

/* Writing: to a file without a name, or with another one, which file_commit makes `path` and file_abandon gives up. */
struct file_output {
	FILE *file;
	bool is_new,
		nameless; /* not: a pipe or device, which is written to as it is; a file with the name `temporary` */
	char path[512], temporary[544];
};
bool file_create(struct file_output *output, const char *path, struct paradl_error *error);
bool file_commit(struct file_output *output,
	struct paradl_error *error); /* flush, fsync, rename; reports a full disk */
void file_abandon(struct file_output *output);

/* SHA-256 (FIPS 180-4) of a file as 64 hexadecimal digits, for provenance. */
bool file_sha256(struct paradl_arena *arena, const char *path, char digest[65], struct paradl_error *error);

#endif
