/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes points of rows of nccl-tests. There, "size" is what each rank contributes to an allreduce, all that it
 * receives in an allgather, and all that it sends in a reduce-scatter or all-to-all: always the whole vector, as
 * here.
 */
#include "fit/reader/reader.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

const char *nccl_library(struct paradl_arena *arena, double code)
{
	if (!(code >= 1000) || code > 1e6)
		return "nccl";
	const unsigned number = (unsigned)code;
	if (number < 10000) /* as in 2804: until 2.8 the major number counts thousands */
		return arena_printf(arena, "nccl %u.%u.%u", number / 1000, number / 100 % 10, number % 100);
	return arena_printf(arena, "nccl %u.%u.%u", number / 10000, number / 100 % 100, number % 100);
}

bool nccl_rank(struct paradl_arena *arena, struct nccl_run *run, const char *host, double group)
{
	++run->ranks;
	if (group + 1 > run->groups && group < 1e6)
		run->groups = (unsigned)group + 1;
	if (group > 0 || !host || !*host)
		return true;
	for (unsigned i = 0; i < run->host_count; ++i)
		if (strcmp(run->hosts[i], host) == 0)
			return true;
	if (!run->hosts)
		run->hosts = arena_alloc(arena, READER_HOSTS_MAX, sizeof *run->hosts);
	if (!run->hosts || run->host_count == READER_HOSTS_MAX)
		return false;
	run->hosts[run->host_count] = arena_text(arena, host);
	return run->hosts[run->host_count++] != NULL;
}

/* Returns bus rate over algorithm rate, of the largest size that has both; -1 where none has. */
static double rate_ratio(const struct nccl_row *rows, size_t count)
{
	for (size_t i = count; i-- > 0;)
		if (rows[i].algorithm_rate > 1 && rows[i].bus_rate > 0)
			return rows[i].bus_rate / rows[i].algorithm_rate;
	return -1;
}

const char *nccl_operation(const struct nccl_row *rows, size_t count, unsigned ranks)
{
	const struct nccl_row *last = &rows[count - 1];
	if (!last->reduction)
		return NULL;
	const bool reduces = strcmp(last->reduction, "none") != 0;
	const double ratio = rate_ratio(rows, count);
	if (last->has_root)
		return reduces ? "reduce" : "broadcast";
	if (!reduces || ranks < 2 || ratio < 0)
		return NULL;
	const double part = (ranks - 1.) / ranks;
	if (fabs(ratio / (2 * part) - 1) < 0.1)
		return "allreduce";
	return fabs(ratio / part - 1) < 0.1 ? "reduce-scatter" : NULL;
}

static bool shape(struct foreign *foreign, const struct nccl_run *run, struct foreign_group *group)
{
	name_shape(foreign->path, &group->nodes, &group->devices);
	group->groups = run->groups > 1 ? run->groups : 1;
	if (group->devices == 0 && run->ranks > 0) {
		group->devices = run->ranks / group->groups;
		group->nodes = run->host_count ? run->host_count : 1;
	}
	if (group->devices >= 2 && group->devices % group->nodes == 0)
		return true;
	foreign_fail(foreign, 0,
		group->devices == 0 ? "does not say which devices took part"
				    : "%u devices on %u nodes make no group",
		group->devices, group->nodes);
	error_hint(foreign->error,
		"keep its lines \"#  Rank  0 ...\", or name the file with nodes x devices, "
		"such as all_reduce_2x16.txt");
	return false;
}

bool nccl_points(struct foreign *foreign, struct nccl_run *run, const struct nccl_row *rows, size_t count)
{
	struct foreign_group group = {.library = run->library ? run->library : "nccl", .buffer = "device"};
	if (count == 0)
		return foreign_fail(foreign, 0, "has no times");
	if (!shape(foreign, run, &group))
		return false;
	group.operation = run->operation ? run->operation : name_operation(foreign->path);
	if (!group.operation)
		group.operation = nccl_operation(rows, count, group.devices);
	if (!group.operation) {
		foreign_fail(foreign, 0, "does not say which operation it is of");
		error_hint(foreign->error,
			"keep the line \"# Collective test starting: ...\" or the command, or "
			"name the file after the operation, such as all_gather.txt");
		return false;
	}
	if (run->host_count)
		foreign->launch->host = run->hosts[0];
	for (size_t i = 0; i < count; ++i)
		if (!foreign_add(foreign, &group, rows[i].line, rows[i].bytes, rows[i].times_s,
			    rows[i].time_count))
			return false;
	return true;
}
