/* SPDX-License-Identifier: BSD-3-Clause */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* O_DIRECT */
#endif
#include "data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"

#ifndef O_DIRECT
#define O_DIRECT 0
#endif

enum { CHUNK = 1 << 20 };

static double file_bytes; /* of one file; 0: not made yet */

bool data_direct_works(const char *directory)
{
	char path[PATH_LENGTH];
	void *block = NULL;
	int descriptor;
	bool works = false;
	if (O_DIRECT == 0 || posix_memalign(&block, DATA_ALIGNMENT, DATA_ALIGNMENT) != 0)
		return false;
	snprintf(path, sizeof path, "%s/paradl-scratch-%ld.probe", directory, (long)getpid());
	descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_DIRECT, S_IRUSR | S_IWUSR);
	if (descriptor >= 0) {
		memset(block, 1, DATA_ALIGNMENT);
		works = pwrite(descriptor, block, DATA_ALIGNMENT, 0) == DATA_ALIGNMENT &&
			pread(descriptor, block, DATA_ALIGNMENT, 0) == DATA_ALIGNMENT;
		(void)close(descriptor);
		(void)unlink(path);
	}
	free(block);
	return works;
}

/* Words that nothing compresses, and that say where they belong. */
static uint64_t word_at(unsigned file, uint64_t offset)
{
	uint64_t word = (offset + 1) * 0x9e3779b97f4a7c15U + file * 0xbf58476d1ce4e5b9U;
	word ^= word >> 31;
	word *= 0x94d049bb133111ebU;
	return word ^ word >> 29;
}

bool data_write(int descriptor, const void *block, size_t bytes)
{
	const char *from = block;
	while (bytes > 0) {
		ssize_t count = write(descriptor, from, bytes);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return false;
		from += count;
		bytes -= (size_t)count;
	}
	return true;
}

static bool write_file(unsigned file, double bytes, uint64_t *chunk)
{
	char path[PATH_LENGTH];
	int descriptor, error;
	bool written = true;
	scratch_path(path, "data", file);
	descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
	if (descriptor < 0)
		return false;
	for (uint64_t offset = 0; written && (double)offset < bytes; offset += CHUNK) {
		for (uint64_t i = 0; i < CHUNK / sizeof *chunk; i++)
			chunk[i] = word_at(file, offset + i * sizeof *chunk);
		written = data_write(descriptor, chunk, CHUNK);
	}
	if (written)
		written = fsync(descriptor) == 0;
	error = errno;
	if (close(descriptor) != 0 && written)
		return false;
	errno = error;
	return written;
}

enum ready data_make(struct run *run, double bytes)
{
	double each = (double)(uint64_t)(bytes / DATA_FILES / CHUNK) * CHUNK;
	uint64_t *chunk;
	enum ready ready;
	bool written = true;
	if (file_bytes > 0)
		return READY;
	ready = scratch_take(run, bytes);
	if (ready != READY)
		return ready;
	chunk = malloc(CHUNK);
	if (!chunk)
		return run_say(run, FAILED, "out of memory");
	for (unsigned file = 0; written && file < DATA_FILES; file++)
		written = write_file(file, each, chunk);
	if (!written) {
		int error = errno;
		for (unsigned file = 0; file < DATA_FILES; file++) {
			char path[PATH_LENGTH];
			scratch_path(path, "data", file);
			(void)unlink(path);
		}
		scratch_give(bytes);
		(void)run_say(run, FAILED, "the files to read could not be written: %s", strerror(error));
	} else {
		file_bytes = each;
	}
	free(chunk);
	return written ? READY : FAILED;
}

double data_file_bytes(void)
{
	return file_bytes;
}

int data_open(unsigned file, bool direct)
{
	char path[PATH_LENGTH];
	scratch_path(path, "data", file);
	return data_open_path(path, direct);
}

int data_open_path(const char *path, bool direct)
{
	return open(path, O_RDONLY | (direct ? O_DIRECT : 0));
}

bool data_right(const void *block, double bytes, unsigned file, double offset)
{
	const unsigned char *at = block;
	for (uint64_t i = 0; (double)i < bytes; i += DATA_ALIGNMENT) {
		uint64_t word;
		memcpy(&word, at + i, sizeof word);
		if (word != word_at(file, (uint64_t)offset + i))
			return false;
	}
	return true;
}

void data_fill(void *block, size_t bytes)
{
	unsigned char *to = block;
	for (size_t i = 0; i < bytes; i++)
		to[i] = (unsigned char)(word_at(DATA_FILES, i / sizeof(uint64_t)) >>
					i % sizeof(uint64_t) * 8);
}

void data_drop(int descriptor)
{
	(void)posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
}
