/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads files, whole or piece by piece as they are mapped into memory. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _XOPEN_SOURCE 700 /* realpath */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _DEFAULT_SOURCE /* madvise */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { FIRST_BUFFER_BYTES = 64 << 10, PIPE_WAIT_MS = 10000 };

bool file_fail(const char *path, const char *what, int reason, struct paradl_error *error)
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

/*
 * Reads all of a file into the buffer; more than `limit` bytes are an error. One byte beyond the limit is asked for,
 * to see whether the file goes on.
 */
static bool read_all(
	int descriptor, const char *path, size_t limit, struct buffer *buffer, struct paradl_error *error)
{
	for (;;) {
		if (buffer->used == buffer->size && !grow(buffer, limit + 1))
			return file_fail(path, "cannot read", ENOMEM, error);
		const ssize_t got =
			read(descriptor, buffer->data + buffer->used, buffer->size - buffer->used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return file_fail(path, "cannot read", errno, error);
		if (got == 0)
			return true;
		buffer->used += (size_t)got;
		if (buffer->used > limit)
			return error_at(error, PARADL_IO, path, 0, 0,
				"is larger than %zu bytes, the most that is read", limit);
	}
}

static int refuse(int descriptor, const char *path, const char *why, struct paradl_error *error)
{
	error_at(error, PARADL_IO, path, 0, 0, "%s", why);
	close(descriptor);
	return -1;
}

/*
 * Opens a named pipe, whose writer may be about to come: open() itself would wait for ever for one that does not.
 * Once something has been written, reading may take its time.
 */
static int open_pipe(const char *path, struct paradl_error *error)
{
	const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct pollfd wait = {.fd = descriptor, .events = POLLIN};
	if (descriptor < 0) {
		file_fail(path, "cannot open", errno, error);
		return -1;
	}
	if (poll(&wait, 1, PIPE_WAIT_MS) == 0) {
		refuse(descriptor, path, "is a pipe that nothing is written to", error);
		error_hint(error,
			"start what writes to it first, or let it write to standard input, which is -");
		return -1;
	}
	(void)fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
	return descriptor;
}

/*
 * Reports whether a path names a pipe in a folder; the pipes of a shell's <(command) are in none, and have their
 * writer already.
 */
static bool is_named_pipe(const char *path)
{
	struct stat status;
	char *const place =
		stat(path, &status) == 0 && S_ISFIFO(status.st_mode) ? realpath(path, NULL) : NULL;
	const bool is_named = place != NULL;
	free(place);
	return is_named;
}

/* Returns a descriptor to read from, or -1 with an error. */
static int open_input(const char *path, struct paradl_error *error)
{
	const bool is_standard = strcmp(path, "-") == 0;
	if (!*path) {
		error_set(error, PARADL_IO, "the name of a file is empty: \"\"");
		return -1;
	}
	if (!is_standard && is_named_pipe(path))
		return open_pipe(path, error);
	const int descriptor = is_standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat status;
	if (descriptor < 0) {
		file_fail(path, "cannot open", errno, error);
		return -1;
	}
	if (is_standard || fstat(descriptor, &status) != 0)
		return descriptor;
	if (S_ISDIR(status.st_mode)) {
		file_fail(path, "cannot read", EISDIR, error);
		close(descriptor);
		return -1;
	}
	if ((S_ISCHR(status.st_mode) && !isatty(descriptor)) || S_ISBLK(status.st_mode))
		return refuse(descriptor, path, "is a device, not a file", error);
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
			file_fail(path, "cannot read", *length <= limit ? ENOMEM : EFBIG, error);
		return text;
	}
	const int descriptor = open_input(path, error);
	if (descriptor < 0)
		return NULL;
	if (read_all(descriptor, path, limit, &buffer, error)) {
		text = arena_copy(arena, buffer.data, buffer.used);
		*length = buffer.used;
		if (!text || !arena_keep(arena, path, text, *length)) {
			file_fail(path, "cannot read", ENOMEM, error);
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

FILE *file_stream(struct paradl_arena *arena, const char *path, struct paradl_error *error)
{
	size_t length;
	const char *const given = arena_file(arena, path, &length);
	char *const copy = given ? arena_copy(arena, given, length) : NULL;
	if (given) {
		FILE *const stream = copy ? fmemopen(copy, length, "rb") : NULL;
		if (!stream)
			file_fail(path, "cannot open", copy ? errno : ENOMEM, error);
		return stream;
	}
	const int descriptor = open_input(path, error);
	FILE *const stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
	if (descriptor >= 0 && !stream) {
		file_fail(path, "cannot open", errno, error);
		close(descriptor);
	}
	return stream;
}

static bool can_be_read_again(const char *path)
{
	struct stat status;
	return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Reads up to `most` bytes, fewer only where the file ends. */
static bool read_some(int descriptor, const char *path, char *bytes, size_t most, size_t *length,
	struct paradl_error *error)
{
	*length = 0;
	while (*length < most) {
		const ssize_t got = read(descriptor, bytes + *length, most - *length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return file_fail(path, "cannot read", errno, error);
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
		file_fail(path, "cannot read", ENOMEM, error);
	close(descriptor);
	if (!fine)
		return false;
	head->is_whole = head->length <= most;
	if (!head->is_whole)
		head->length = most;
	bytes[head->length] = '\0';
	head->text = bytes;
	return !head->is_whole || arena_keep(arena, path, bytes, head->length) ||
	       file_fail(path, "cannot read", ENOMEM, error);
}

static bool map(int descriptor, const char *path, struct file_map *mapped, struct paradl_error *error)
{
	struct stat status;
	if (fstat(descriptor, &status) != 0)
		return file_fail(path, "cannot read", errno, error);
	if (!S_ISREG(status.st_mode)) {
		error_at(error, PARADL_IO, path, 0, 0, "is no file that can be read in parts");
		return false;
	}
	if (status.st_size == 0)
		return error_at(error, PARADL_SCHEMA, path, 0, 0, "is empty");
	mapped->length = (size_t)status.st_size;
	void *const data = mmap(NULL, mapped->length, PROT_READ, MAP_PRIVATE, descriptor, 0);
	if (data == MAP_FAILED)
		return file_fail(path, "cannot read", errno, error);
	(void)madvise(data, mapped->length, MADV_RANDOM);
	mapped->memory = data;
	mapped->data = data;
	return true;
}

bool file_map(const char *path, struct file_map *mapped, struct paradl_error *error)
{
	*mapped = (struct file_map){NULL, NULL, 0};
	const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (descriptor < 0)
		return file_fail(path, "cannot open", errno, error);
	const bool is_mapped = map(descriptor, path, mapped, error);
	close(descriptor);
	return is_mapped;
}

void file_unmap(struct file_map *mapped)
{
	if (mapped->memory)
		(void)munmap(mapped->memory, mapped->length);
	*mapped = (struct file_map){NULL, NULL, 0};
}

void file_unneeded(const struct file_map *mapped, const uint8_t *at, size_t length)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), start = (size_t)(at - mapped->data);
	const size_t first = (start + page - 1) / page * page, end = (start + length) / page * page;
	if (first < end)
		(void)madvise((char *)mapped->memory + first, end - first, MADV_DONTNEED);
}
