/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming) */
#define _DEFAULT_SOURCE /* madvise */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"

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
