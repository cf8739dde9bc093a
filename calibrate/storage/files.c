/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many small files: made, looked up, read whole and removed, each client its share of one directory. Data are read past the
 * cache of this host where that is possible; names and inodes are in it (they were made here a moment before), as they are for
 * a job in its second epoch.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clients.h"
#include "data.h"
#include "scratch.h"
#include "storage.h"

extern const struct bench bench_files;

enum operation { CREATE, STAT, READ, UNLINK, DROP, OPERATIONS };
enum { CLIENTS_MOST = 16, IMAGE_BYTES = 110000 /* the mean file of ImageNet */ };
static const char *const kinds[] = {"create", "stat", "open-read-close", "unlink"};

struct state {
	struct clients *clients;
	enum operation kind, now;
	void *content, *blocks[CLIENTS_MOST]; /* what is written, and where each client reads to */
	size_t size, room;                    /* room: of a block, whole pages */
	unsigned client_count, files;
	double taken;
	bool direct;
};

static bool create_one(const struct state *s, const char *path)
{
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR), error;
	bool written;
	if (file < 0)
		return false;
	written = data_write(file, s->content, s->size);
	if (written && s->kind == READ && !s->direct)
		written = fsync(file) == 0;
	error = errno;
	if (close(file) != 0 && written)
		return false;
	errno = error;
	return written;
}

static bool read_one(const struct state *s, unsigned client, const char *path)
{
	int file = data_open_path(path, s->direct);
	ssize_t count;
	if (file < 0)
		return false;
	errno = EIO; /* of a read that stops short */
	count = read(file, s->blocks[client], s->room);
	return close(file) == 0 && count == (ssize_t)s->size;
}

static bool drop_one(const char *path)
{
	int file = open(path, O_RDONLY);
	if (file < 0)
		return false;
	data_drop(file);
	return close(file) == 0;
}

static bool handle(const struct state *s, unsigned client, unsigned number)
{
	char path[PATH_LENGTH];
	struct stat status;
	scratch_path(path, "file", number);
	switch (s->now) {
	case CREATE:
		return create_one(s, path);
	case STAT:
		return stat(path, &status) == 0 && status.st_size == (off_t)s->size;
	case READ:
		return read_one(s, client, path);
	case DROP:
		return drop_one(path);
	case UNLINK:
	case OPERATIONS:
		break;
	}
	return unlink(path) == 0;
}

static bool work(void *state, unsigned client)
{
	const struct state *s = state;
	unsigned end = (client + 1) * s->files / s->client_count;
	for (unsigned number = client * s->files / s->client_count; number < end; number++)
		if (!handle(s, client, number))
			return false;
	return true;
}

/* Seconds of one operation on all files; negative: it failed, and the reason is set. */
static double perform(struct run *run, enum operation operation)
{
	struct state *s = run->state;
	double seconds;
	s->now = operation;
	seconds = clients_run(s->clients, 1);
	if (seconds < 0)
		(void)run_say(run, FAILED, "a file could not be %s: %s",
			operation == CREATE   ? "made"
			: operation == UNLINK ? "removed"
					      : "read",
			strerror(errno));
	return seconds;
}

static bool take_memory(struct state *s)
{
	s->content = malloc(s->size);
	if (!s->content)
		return false;
	data_fill(s->content, s->size);
	for (unsigned client = 0; client < s->client_count; client++)
		if (posix_memalign(&s->blocks[client], DATA_ALIGNMENT, s->room) != 0)
			return false;
	return true;
}

static bool contents_right(const struct state *s)
{
	for (unsigned client = 0; client < s->client_count; client++)
		if (memcmp(s->blocks[client], s->content, s->size) != 0)
			return false;
	return true;
}

static enum ready first_files(struct run *run, const struct state *s)
{
	if (s->kind == CREATE)
		return READY;
	if (perform(run, CREATE) < 0)
		return FAILED;
	if (s->kind == READ && perform(run, READ) < 0)
		return FAILED;
	if (s->kind == READ && !contents_right(s))
		return run_say(run, FAILED, "what was read is not what was written");
	return READY;
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	double bytes = point_get(point, "files") * point_get(point, "size");
	enum ready ready = scratch_take(run, bytes);
	struct state *s;
	if (ready != READY)
		return ready;
	s = calloc(1, sizeof *s);
	run->state = s;
	if (!s) {
		scratch_give(bytes);
		return run_say(run, FAILED, "out of memory");
	}
	s->taken = bytes;
	while (strcmp(kinds[s->kind], point_get_text(point, "kind")) != 0)
		s->kind++;
	s->client_count = (unsigned)point_get(point, "clients");
	s->files = (unsigned)point_get(point, "files");
	s->size = (size_t)point_get(point, "size");
	s->room = (s->size + DATA_ALIGNMENT) / DATA_ALIGNMENT * DATA_ALIGNMENT;
	s->direct = point_get(point, "direct") > 0;
	if (s->kind == READ && !s->direct)
		run->flag = "cached";
	if (!take_memory(s))
		return run_say(run, FAILED, "out of memory");
	s->clients = clients_start(s->client_count, work, s);
	if (!s->clients)
		return run_say(run, FAILED, "%u threads could not be started", s->client_count);
	return first_files(run, s);
}

/* What a call needs and leaves behind is not timed: files to remove are made first, files that were made are removed. */
static double sample(struct run *run, unsigned long long calls)
{
	const struct state *s = run->state;
	double total = 0;
	for (unsigned long long call = 0; call < calls; call++) {
		double seconds;
		if (s->kind == READ && !s->direct && perform(run, DROP) < 0)
			return -1;
		seconds = perform(run, s->kind);
		if (seconds < 0 || (s->kind == CREATE && perform(run, UNLINK) < 0) ||
			(s->kind == UNLINK && perform(run, CREATE) < 0))
			return -1;
		total += seconds;
	}
	return total;
}

static void release(struct run *run)
{
	struct state *s = run->state;
	char path[PATH_LENGTH];
	if (!s)
		return;
	clients_stop(s->clients);
	for (unsigned number = 0; number < s->files; number++) {
		scratch_path(path, "file", number);
		(void)unlink(path);
	}
	scratch_give(s->taken);
	for (unsigned client = 0; client < CLIENTS_MOST; client++)
		free(s->blocks[client]);
	free(s->content);
	free(s);
}

static void list_files(double size, double files, unsigned clients, struct points *points)
{
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		bool reads = strcmp(kinds[kind], kinds[READ]) == 0, direct = reads && storage_direct();
		struct point *point = points_add(
			points, &bench_files, "files/%s/%.0f/clients%u", kinds[kind], size, clients);
		point_text(point, "kind", kinds[kind]);
		point_number(point, "clients", clients);
		point_number(point, "size", size);
		point_number(point, "files", files);
		point_number(point, "direct", direct);
		point_text(point, "tier", storage_tier());
		if (reads || strcmp(kinds[kind], kinds[CREATE]) == 0)
			point->bytes = size * files;
	}
}

void files_probe(bool at_work, struct rates *rates)
{
	enum { FILES = 200 };
	struct point point = {.bench = &bench_files, .name = "probe"};
	struct run run = {.point = &point};
	if (at_work) /* its points have no other processes beside them */
		return;
	point_text(&point, "kind", kinds[CREATE]);
	point_number(&point, "clients", 1);
	point_number(&point, "size", IMAGE_BYTES);
	point_number(&point, "files", FILES);
	if (prepare(&run) == READY) {
		const double begin_s = clock_s();
		if (sample(&run, 1) >= 0)
			rates->s_per_file = (clock_s() - begin_s) / FILES;
	}
	release(&run);
}

static void list(const struct plan *plan, struct points *points)
{
	static const double files[] = {[EFFORT_QUICK] = 200, [EFFORT_USUAL] = 1000, [EFFORT_FULL] = 2000};
	unsigned most = plan->effort == EFFORT_FULL ? CLIENTS_MOST : 4;
	for (unsigned clients = 1; clients <= most; clients *= 4) {
		list_files(4096, files[plan->effort], clients, points);
		list_files(IMAGE_BYTES, files[plan->effort], clients, points);
	}
}

const struct bench bench_files = {
	.name = "files",
	.summary = "small files made, looked up, read and removed",
	.least_sample_s = 1e-3,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
