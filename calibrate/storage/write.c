/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New files written and brought to the device (fsync), as checkpoints are: each client empties its own and writes it again. One
 * small block is the latency of that.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients.h"
#include "data.h"
#include "scratch.h"
#include "storage.h"

extern const struct bench bench_write;

enum { CLIENTS_MOST = 16 };

struct state {
	struct clients *clients;
	void *block;
	int files[CLIENTS_MOST];
	unsigned client_count;
	size_t block_bytes;
	uint64_t requests;
	double taken;
};

static bool work(void *state, unsigned client)
{
	const struct state *s = state;
	int file = s->files[client];
	if (ftruncate(file, 0) != 0)
		return false;
	for (uint64_t request = 0; request < s->requests; request++) {
		size_t done = 0;
		while (done < s->block_bytes) {
			ssize_t count = pwrite(file, (const char *)s->block + done, s->block_bytes - done,
				(off_t)(request * s->block_bytes + done));
			if (count < 0 && errno == EINTR)
				continue;
			if (count == 0)
				errno = ENOSPC;
			if (count <= 0)
				return false;
			done += (size_t)count;
		}
	}
	return fsync(file) == 0;
}

static enum ready open_files(struct run *run, struct state *s)
{
	for (unsigned client = 0; client < s->client_count; client++) {
		char path[PATH_LENGTH];
		scratch_path(path, "write", client);
		s->files[client] = open(path, O_RDWR | O_CREAT | O_TRUNC, S_IRUSR | S_IWUSR);
		if (s->files[client] < 0)
			return run_say(run, FAILED, "a file to write could not be made: %s", strerror(errno));
	}
	return READY;
}

/* The last block of each file is there. */
static enum ready look(struct run *run, const struct state *s)
{
	char *read_back = malloc(s->block_bytes);
	off_t last = (off_t)((s->requests - 1) * s->block_bytes);
	bool same = read_back != NULL;
	for (unsigned client = 0; same && client < s->client_count; client++)
		same = pread(s->files[client], read_back, s->block_bytes, last) == (ssize_t)s->block_bytes &&
		       memcmp(read_back, s->block, s->block_bytes) == 0;
	free(read_back);
	return same ? READY : run_say(run, FAILED, "what was written cannot be read back");
}

static enum ready ready_clients(struct run *run, struct state *s)
{
	if (posix_memalign(&s->block, DATA_ALIGNMENT, s->block_bytes) != 0)
		return run_say(run, FAILED, "out of memory for blocks of %zu bytes", s->block_bytes);
	data_fill(s->block, s->block_bytes);
	s->clients = clients_start(s->client_count, work, s);
	if (!s->clients)
		return run_say(run, FAILED, "%u threads could not be started", s->client_count);
	if (clients_run(s->clients, 1) < 0)
		return run_say(run, FAILED, "a write failed: %s", strerror(errno));
	return look(run, s);
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	enum ready ready = scratch_take(run, point->bytes);
	struct state *s;
	if (ready != READY)
		return ready;
	s = calloc(1, sizeof *s);
	run->state = s;
	if (!s) {
		scratch_give(point->bytes);
		return run_say(run, FAILED, "out of memory");
	}
	for (unsigned client = 0; client < CLIENTS_MOST; client++)
		s->files[client] = -1;
	s->taken = point->bytes;
	s->client_count = (unsigned)point_get(point, "clients");
	s->block_bytes = (size_t)point_get(point, "block");
	s->requests = (uint64_t)(point->bytes / (double)s->block_bytes) / s->client_count;
	ready = open_files(run, s);
	return ready == READY ? ready_clients(run, s) : ready;
}

static double sample(struct run *run, unsigned long long calls)
{
	const struct state *s = run->state;
	double seconds = clients_run(s->clients, calls);
	if (seconds < 0)
		(void)run_say(run, FAILED, "a write failed: %s", strerror(errno));
	return seconds;
}

static void release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	clients_stop(s->clients);
	for (unsigned client = 0; client < CLIENTS_MOST; client++)
		if (s->files[client] >= 0) {
			char path[PATH_LENGTH];
			(void)close(s->files[client]);
			scratch_path(path, "write", client);
			(void)unlink(path);
		}
	scratch_give(s->taken);
	free(s->block);
	free(s);
}

static void list_block(double block, double requests, unsigned clients, struct points *points)
{
	struct point *point =
		points_add(points, &bench_write, "write/sequential/%.0f/clients%u", block, clients);
	point->bytes = block * requests * clients;
	point_text(point, "kind", "sequential");
	point_number(point, "block", block);
	point_number(point, "clients", clients);
	point_number(point, "direct", 0);
	point_number(point, "sync", 1);
	point_number(point, "size", point->bytes);
	point_text(point, "tier", storage_tier());
}

static void list(const struct plan *plan, struct points *points)
{
	unsigned most = plan->effort == EFFORT_FULL ? CLIENTS_MOST : 4;
	unsigned more = plan->effort == EFFORT_FULL ? 2 : 4;
	for (unsigned clients = 1; clients <= most; clients *= more) {
		list_block(4096, 1, clients, points);
		list_block(1048576, 16, clients, points);
		if (plan->effort != EFFORT_QUICK)
			list_block(8 * 1048576.0, 8, clients, points);
	}
}

const struct bench bench_write = {
	.name = "write",
	.summary = "new files written and brought to the device, by block and clients",
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
