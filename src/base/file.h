/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"

/*
 * Returns a whole file, NUL-terminated, and its length, or NULL with an error; where the arena has been given a text
 * under the path (paradl_file_give), that text instead. The path "-" is stdin. More than `limit` bytes and
 * directories are errors.
 */
char *file_read(struct paradl_arena *arena, const char *path, size_t limit, size_t *length,
	struct paradl_error *error);

/* Sets the error of a file, "cannot read: No such file or directory", by an errno; returns false. */
bool file_fail(const char *path, const char *what, int reason, struct paradl_error *error);

/*
 * Reports whether a file exists at the path (a pipe counts, a directory does not), or a text that the arena has been
 * given under it.
 */
bool file_is_there(const struct paradl_arena *arena, const char *path);
/*
 * Opens a stream that reads the file at the path, or the text that the arena has been given under it; NULL: an error.
 */
FILE *file_stream(struct paradl_arena *arena, const char *path, struct paradl_error *error);

/*
 * The first `most` bytes of a file, followed by a NUL, for callers that find out its format. A file that can be read
 * only once (a pipe, "-") is read whole, up to `limit`. *is_whole: nothing is left out.
 */
struct file_head {
	const char *text;
	size_t length;
	bool is_whole;
};
bool file_head_read(struct paradl_arena *arena, const char *path, size_t most, size_t limit,
	struct file_head *head, struct paradl_error *error);

/*
 * A regular file as memory, read where it is accessed and not before, for large files of which little is needed. It
 * must not become shorter meanwhile. file_unneeded gives back the memory of a part, which is read again when it is
 * accessed again.
 */
struct file_map {
	void *memory;
	const uint8_t *data; /* the same memory, as bytes */
	size_t length;
};
bool file_map(const char *path, struct file_map *mapped, struct paradl_error *error);
void file_unmap(struct file_map *mapped);
void file_unneeded(const struct file_map *mapped, const uint8_t *at, size_t length);

/*
 * A file being written: without a name, or with a temporary one. file_commit gives it the name `path`, file_abandon
 * discards it.
 */
struct file_output {
	FILE *file;
	bool is_new,
		nameless; /* is_new false: a pipe or device, written as it is; nameless false: named `temporary` */
	char path[512], temporary[544];
};
bool file_create(struct file_output *output, const char *path, struct paradl_error *error);
bool file_commit(struct file_output *output,
	struct paradl_error *error); /* Finishes by flush, fsync, rename; reports a full disk. */
void file_abandon(struct file_output *output);

/* Computes the SHA-256 (FIPS 180-4) of a file as 64 hexadecimal digits, for provenance. */
bool file_sha256(struct paradl_arena *arena, const char *path, char digest[65], struct paradl_error *error);

#endif
