/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of one block after the other, or of blocks anywhere, by clients with files of their own; past the cache of this host
 * where the file system allows it. Where it does not, the cache is told to drop the files before each sample, points carry
 * the flag `cached`, and one client never reads a block twice in a sample of one call.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clients.h"
#include "data.h"
#include "storage.h"

extern const struct bench bench_read;

struct reader {
	uint64_t next; /* block of all in its files, in order */
	uint64_t random;
	void *block;
};

struct state {
	struct clients *clients;
	struct reader readers[DATA_FILES];
	int files[DATA_FILES];
	unsigned client_count, files_of_one;
	size_t block_bytes;
	uint64_t blocks_of_file, requests;
	bool random, direct;
};

static bool read_block(const struct state *s, unsigned client, uint64_t block)
{
	int file = s->files[client * s->files_of_one + (unsigned)(block / s->blocks_of_file)];
	off_t offset = (off_t)(block % s->blocks_of_file * s->block_bytes);
	size_t done = 0;
	while (done < s->block_bytes) {
		ssize_t count = pread(file, (char *)s->readers[client].block + done, s->block_bytes - done,
			offset + (off_t)done);
		if (count < 0 && errno == EINTR)
			continue;
		if (count == 0)
			errno = EIO;
		if (count <= 0)
			return false;
		done += (size_t)count;
	}
	return true;
}

static uint64_t next_block(const struct state *s, struct reader *reader)
{
	uint64_t blocks = s->blocks_of_file * s->files_of_one;
	if (!s->random)
		return reader->next++ % blocks;
	reader->random = reader->random * 6364136223846793005U + 1442695040888963407U;
	return (reader->random >> 33) % blocks;
}

static bool work(void *state, unsigned client)
{
	struct state *s = state;
	struct reader *reader = &s->readers[client];
	for (uint64_t request = 0; request < s->requests; request++)
		if (!read_block(s, client, next_block(s, reader)))
			return false;
	return true;
}

static enum ready open_files(struct run *run, struct state *s)
{
	for (unsigned file = 0; file < DATA_FILES; file++) {
		s->files[file] = data_open(file, s->direct);
		if (s->files[file] < 0)
			return run_say(
				run, FAILED, "a file to read could not be opened: %s", strerror(errno));
	}
	return READY;
}

static enum ready ready_clients(struct run *run, struct state *s)
{
	for (unsigned client = 0; client < s->client_count; client++) {
		struct reader *reader = &s->readers[client];
		unsigned file = client * s->files_of_one;
		reader->random = client + 1;
		if (posix_memalign(&reader->block, DATA_ALIGNMENT, s->block_bytes) != 0)
			return run_say(run, FAILED, "out of memory for blocks of %zu bytes", s->block_bytes);
		if (!read_block(s, client, 0))
			return run_say(run, FAILED, "%s", strerror(errno));
		if (!data_right(reader->block, (double)s->block_bytes, file, 0))
			return run_say(run, FAILED, "what was read is not what was written");
	}
	s->clients = clients_start(s->client_count, work, s);
	return s->clients ? READY : run_say(run, FAILED, "%u threads could not be started", s->client_count);
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	enum ready ready = data_make(run, point_get(point, "data"));
	struct state *s;
	if (ready != READY)
		return ready;
	s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "out of memory");
	for (unsigned file = 0; file < DATA_FILES; file++)
		s->files[file] = -1;
	s->client_count = (unsigned)point_get(point, "clients");
	s->files_of_one = DATA_FILES / s->client_count;
	s->block_bytes = (size_t)point_get(point, "block");
	s->blocks_of_file = (uint64_t)data_file_bytes() / s->block_bytes;
	s->requests = (uint64_t)(point->bytes / (double)s->block_bytes) / s->client_count;
	s->random = strcmp(point_get_text(point, "kind"), "random") == 0;
	s->direct = point_get(point, "direct") > 0;
	if (!s->direct)
		run->flag = "cached";
	ready = open_files(run, s);
	return ready == READY ? ready_clients(run, s) : ready;
}

static double sample(struct run *run, unsigned long long calls)
{
	struct state *s = run->state;
	double seconds;
	for (unsigned file = 0; !s->direct && file < DATA_FILES; file++)
		data_drop(s->files[file]);
	seconds = clients_run(s->clients, calls);
	if (seconds < 0)
		(void)run_say(run, FAILED, "a read failed: %s", strerror(errno));
	return seconds;
}

static void release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	clients_stop(s->clients);
	for (unsigned file = 0; file < DATA_FILES; file++)
		if (s->files[file] >= 0)
			(void)close(s->files[file]);
	for (unsigned client = 0; client < DATA_FILES; client++)
		free(s->readers[client].block);
	free(s);
}

/* Of one client in one call: some milliseconds on a fast device, and no more than it has. */
static double requests_of_call(double block)
{
	const double most = 256, bytes = 8 * 1048576.0;
	double requests = (double)(uint64_t)(bytes / block);
	return requests < 1 ? 1 : requests > most ? most : requests;
}

static void list_kind(const char *kind, double block, unsigned clients, double data, struct points *points)
{
	bool direct = storage_direct();
	struct point *point;
	if (data / DATA_FILES < block)
		return;
	point = points_add(points, &bench_read, "read/%s/%.0f/clients%u", kind, block, clients);
	point->bytes = requests_of_call(block) * block * clients;
	point_text(point, "kind", kind);
	point_number(point, "block", block);
	point_number(point, "clients", clients);
	point_number(point, "direct", direct);
	point_number(point, "size", point->bytes);
	point_text(point, "tier", storage_tier());
	point_number(point, "data", data);
}

static void list(const struct plan *plan, struct points *points)
{
	double step = plan->effort == EFFORT_QUICK ? 256 : plan->effort == EFFORT_USUAL ? 16 : 4;
	double data = plan->effort == EFFORT_QUICK ? 128 * 1048576.0 : 1024 * 1048576.0;
	unsigned more = plan->effort == EFFORT_FULL ? 2 : 4;
	for (unsigned clients = 1; clients <= DATA_FILES; clients *= more)
		for (double block = 4096; block <= 16 * 1048576.0; block *= step) {
			list_kind("sequential", block, clients, data, points);
			list_kind("random", block, clients, data, points);
		}
}

const struct bench bench_read = {
	.name = "read",
	.summary = "reads one after the other and anywhere, by block and clients",
	.least_sample_s = 1e-3,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
