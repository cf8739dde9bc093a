/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { FIRST_BUFFER_BYTES = 64 << 10, TEMPORARY_TRIES = 100 };

static bool fail(const char *path, const char *what, int reason, struct paradl_error *error)
{
	char text[128];
	if (strerror_r(reason, text, sizeof text) != 0)
		snprintf(text, sizeof text, "error %d", reason);
	return error_at(
		error, reason == ENOMEM ? PARADL_NO_MEMORY : PARADL_IO, path, 0, 0, "%s: %s", what, text);
}

struct buffer {
	char *data;
	size_t used, size;
};

static bool grow(struct buffer *buffer, size_t limit)
{
	size_t size = buffer->size > 0 ? buffer->size * 2 : FIRST_BUFFER_BYTES;
	if (size > limit)
		size = limit;
	char *const data = realloc(buffer->data, size);
	if (!data)
		return false;
	buffer->data = data;
	buffer->size = size;
	return true;
}

/* One byte more than the limit is asked for, to see whether there is more. */
static bool read_all(
	int descriptor, const char *path, size_t limit, struct buffer *buffer, struct paradl_error *error)
{
	for (;;) {
		if (buffer->used == buffer->size && !grow(buffer, limit + 1))
			return fail(path, "cannot read", ENOMEM, error);
		const ssize_t got =
			read(descriptor, buffer->data + buffer->used, buffer->size - buffer->used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(path, "cannot read", errno, error);
		if (got == 0)
			return true;
		buffer->used += (size_t)got;
		if (buffer->used > limit)
			return error_at(error, PARADL_IO, path, 0, 0,
				"is larger than %zu bytes, the most that is read", limit);
	}
}

/* A descriptor to read from, or -1. */
static int open_input(const char *path, struct paradl_error *error)
{
	const int descriptor =
		strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat status;
	if (descriptor < 0) {
		fail(path, "cannot open", errno, error);
		return -1;
	}
	if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
		fail(path, "cannot read", EISDIR, error);
		close(descriptor);
		return -1;
	}
	return descriptor;
}

char *file_read(struct paradl_arena *arena, const char *path, size_t limit, size_t *length,
	struct paradl_error *error)
{
	struct buffer buffer = {NULL, 0, 0};
	char *text = NULL;
	const char *const given = arena_file(arena, path, length);
	if (given) {
		text = *length <= limit ? arena_copy(arena, given, *length) : NULL;
		if (!text)
			fail(path, "cannot read", *length <= limit ? ENOMEM : EFBIG, error);
		return text;
	}
	const int descriptor = open_input(path, error);
	if (descriptor < 0)
		return NULL;
	if (read_all(descriptor, path, limit, &buffer, error)) {
		text = arena_copy(arena, buffer.data, buffer.used);
		*length = buffer.used;
		if (!text || !arena_keep(arena, path, text, *length)) {
			fail(path, "cannot read", ENOMEM, error);
			text = NULL;
		}
	}
	free(buffer.data);
	close(descriptor);
	return text;
}

bool file_is_there(const struct paradl_arena *arena, const char *path)
{
	struct stat status;
	size_t length;
	return arena_file(arena, path, &length) || (stat(path, &status) == 0 && !S_ISDIR(status.st_mode));
}

FILE *file_stream(struct paradl_arena *arena, const char *path)
{
	size_t length;
	const char *const given = arena_file(arena, path, &length);
	char *const copy = given ? arena_copy(arena, given, length) : NULL;
	if (given && !copy)
		errno = ENOMEM;
	return copy ? fmemopen(copy, length, "rb") : given ? NULL : fopen(path, "rb");
}

static bool can_be_read_again(const char *path)
{
	struct stat status;
	return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* As many bytes as there are, up to `most`. */
static bool read_some(int descriptor, const char *path, char *bytes, size_t most, size_t *length,
	struct paradl_error *error)
{
	*length = 0;
	while (*length < most) {
		const ssize_t got = read(descriptor, bytes + *length, most - *length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return fail(path, "cannot read", errno, error);
		if (got == 0)
			break;
		*length += (size_t)got;
	}
	return true;
}

bool file_head_read(struct paradl_arena *arena, const char *path, size_t most, size_t limit,
	struct file_head *head, struct paradl_error *error)
{
	head->text = arena_file(arena, path, &head->length);
	head->is_whole = head->text || !can_be_read_again(path);
	if (head->is_whole && !head->text)
		head->text = file_read(arena, path, limit, &head->length, error);
	if (head->is_whole)
		return head->text != NULL;
	const int descriptor = open_input(path, error);
	char *const bytes = descriptor >= 0 ? arena_alloc(arena, most + 2, 1) : NULL;
	bool fine = bytes && read_some(descriptor, path, bytes, most + 1, &head->length, error);
	if (descriptor < 0)
		return false;
	if (!bytes)
		fail(path, "cannot read", ENOMEM, error);
	close(descriptor);
	if (!fine)
		return false;
	head->is_whole = head->length <= most;
	if (!head->is_whole)
		head->length = most;
	bytes[head->length] = '\0';
	head->text = bytes;
	return !head->is_whole || arena_keep(arena, path, bytes, head->length) ||
	       fail(path, "cannot read", ENOMEM, error);
}

/* The name itself, or what it links to: renaming onto a link would replace the link. */
static bool resolve(struct file_output *output, const char *path, struct paradl_error *error)
{
	struct stat status;
	char *const target =
		lstat(path, &status) == 0 && S_ISLNK(status.st_mode) ? realpath(path, NULL) : NULL;
	const int length = snprintf(output->path, sizeof output->path, "%s", target ? target : path);
	free(target);
	return length < (int)sizeof output->path || fail(path, "cannot write", ENAMETOOLONG, error);
}

static bool open_directly(struct file_output *output, int descriptor, struct paradl_error *error)
{
	output->temporary[0] = '\0';
	if (descriptor < 0)
		return fail(output->path, "cannot write", errno, error);
	output->file = fdopen(descriptor, "w");
	if (output->file)
		return true;
	fail(output->path, "cannot write", errno, error);
	close(descriptor);
	return false;
}

/* A new file beside the old: O_EXCL makes the name ours, 0666 leaves the mode to the umask. */
static bool open_temporary(struct file_output *output, const struct stat *old, struct paradl_error *error)
{
	int descriptor = -1;
	for (unsigned try = 0; try < TEMPORARY_TRIES && descriptor < 0; try++) {
		snprintf(output->temporary, sizeof output->temporary, "%s.%ld-%u.tmp", output->path,
			(long)getpid(), try);
		descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (descriptor < 0 && errno != EEXIST)
			break;
	}
	if (descriptor < 0)
		return fail(output->path, "cannot write", errno, error);
	if (old)
		(void)fchmod(descriptor, old->st_mode & 0777);
	output->file = fdopen(descriptor, "w");
	if (output->file)
		return true;
	fail(output->path, "cannot write", errno, error);
	close(descriptor);
	unlink(output->temporary);
	return false;
}

bool file_create(struct file_output *output, const char *path, struct paradl_error *error)
{
	struct stat old;
	memset(output, 0, sizeof *output);
	if (!resolve(output, path, error))
		return false;
	if (strcmp(path, "-") == 0)
		return open_directly(output, dup(STDOUT_FILENO), error);
	if (stat(output->path, &old) != 0)
		return open_temporary(output, NULL, error);
	if (S_ISDIR(old.st_mode))
		return fail(path, "cannot write", EISDIR, error);
	if (!S_ISREG(old.st_mode)) /* a pipe or device: nothing to replace */
		return open_directly(output, open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY), error);
	if (access(output->path, W_OK) != 0)
		return fail(path, "cannot write", errno, error);
	return open_temporary(output, &old, error);
}

bool file_commit(struct file_output *output, struct paradl_error *error)
{
	const bool is_new = output->temporary[0] != '\0';
	int reason = 0;
	errno = EIO;
	if (fflush(output->file) != 0 || ferror(output->file) || (is_new && fsync(fileno(output->file)) != 0))
		reason = errno;
	if (fclose(output->file) != 0 && reason == 0)
		reason = errno;
	output->file = NULL;
	if (reason == 0 && is_new && rename(output->temporary, output->path) != 0)
		reason = errno;
	if (reason == 0)
		return true;
	if (is_new)
		unlink(output->temporary);
	return fail(output->path, "cannot write", reason, error);
}

void file_abandon(struct file_output *output)
{
	if (!output->file)
		return;
	fclose(output->file);
	output->file = NULL;
	if (output->temporary[0])
		unlink(output->temporary);
}
