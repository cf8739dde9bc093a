/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "loader.h"
#include "nccl_library.h"
#include "team.h"

#ifdef WITH_NCCL

/* After that an operation is taken for stuck, as when another process has given up: less than whoever started us waits. */
static const double stuck_s = 50;

/* Which group a member of the team is in, and which number it has there; false: in none. */
static bool place(const struct layout *layout, unsigned member, unsigned *group, unsigned *number)
{
	unsigned per_node = team_members_per_node();
	if (layout->across) {
		*group = member % per_node;
		*number = member / per_node;
		return *group < layout->groups && *number < layout->devices;
	}
	*group = member / layout->devices;
	*number = member % layout->devices;
	return *group < layout->groups;
}

static unsigned first_of(const struct layout *layout, unsigned group)
{
	return layout->across ? group : group * layout->devices;
}

static unsigned device_of(unsigned member)
{
	return team.processes ? (unsigned)device.ordinal : member;
}

static bool mine(unsigned member)
{
	return !team.processes || member == team.rank;
}

/*
 * The ids of groups, which their first members make. Of all groups, before any process gives up: the others wait in MPI for what
 * the first member says.
 */
static enum ready ids_make(struct run *run, const struct layout *layout, ncclUniqueId *ids)
{
	enum ready worst = READY;
	for (unsigned g = 0; g < layout->groups; g++) {
		struct {
			ncclUniqueId id;
			enum ready ready;
		} told = {.ready = READY};
		const unsigned root = first_of(layout, g);
		if (mine(root))
			told.ready = NCCL(run, ncclGetUniqueId(&told.id));
		team_tell(&told, sizeof told, team.processes ? root : 0);
		ids[g] = told.id;
		worst = told.ready > worst ? told.ready : worst;
	}
	if (worst != READY && !*run->reason)
		run_say(run, worst, "the first process of a group has no id for it");
	return worst;
}

/* All communicators at once: in one process, calls for several GPUs wait for one another unless they are grouped. */
static enum ready join(struct run *run, struct nccl_group *group, struct ncclComm **comms)
{
	ncclUniqueId ids[MEMBERS_MAX];
	const struct layout *layout = &group->layout;
	TRY(ids_make(run, layout, ids));
	TRY(NCCL(run, ncclGroupStart()));
	enum ready ready = READY;
	for (unsigned i = 0, member = 0; member < team_members() && ready == READY; member++) {
		unsigned g, number;
		if (!mine(member) || !place(layout, member, &g, &number))
			continue;
		ready = CUDA(run, cudaSetDevice(group->members[i].device));
		if (ready == READY)
			ready = NCCL(run,
				ncclCommInitRank(&comms[i++], (int)layout->devices, ids[g], (int)number));
	}
	enum ready ended = NCCL(run, ncclGroupEnd());
	TRY(ready);
	return ended;
}

/* Takes the communicators that were made for another point of this layout, or makes them. */
static enum ready connect(struct run *run, struct nccl_group *group)
{
	bool is_new;
	struct ncclComm **const comms = nccl_cached(&group->layout, &is_new);
	const enum ready ready = is_new ? join(run, group, comms) : READY;
	for (unsigned i = 0; i < group->count; i++)
		group->members[i].comm = comms[i];
	group->broken = ready != READY;
	return ready;
}

/*
 * Gives up what is in flight: of a failed operation the kernels of the other members never end by themselves. Processes beside
 * this one find out by waiting (wait_for).
 */
static enum ready give_up(struct run *run, struct nccl_group *group, enum ready ready)
{
	bool is_new;
	if (ready == READY || group->broken)
		return ready;
	struct ncclComm **const comms = nccl_cached(&group->layout, &is_new);
	group->broken = true;
	for (unsigned i = 0; i < group->count; i++) {
		if (comms[i])
			(void)nccl.ncclCommAbort(comms[i]);
		comms[i] = NULL;
		group->members[i].comm = NULL;
	}
	device.lost = device.lost || cudaDeviceSynchronize() != cudaSuccess;
	run->lost = device.lost;
	return ready;
}

/* A member's vector is its number + 1 throughout, so that every result is known. */
static enum ready open_member(
	struct run *run, struct nccl_group *group, unsigned team_member, unsigned number)
{
	struct member *m = &group->members[group->count++];
	size_t bytes = group->floats * sizeof(float);
	m->device = (int)device_of(team_member);
	m->number = number;
	TRY(CUDA(run, cudaSetDevice(m->device)));
	TRY(CUDA(run, cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking)));
	TRY(CUDA(run, cudaEventCreate(&m->begin)));
	TRY(CUDA(run, cudaEventCreate(&m->end)));
	TRY(CUDA(run, cudaMalloc((void **)&m->send, bytes)));
	TRY(CUDA(run, cudaMalloc((void **)&m->receive, bytes)));
	TRY(CUDA(run, kernel_fill_constant(m->send, group->floats, (float)number + 1, m->stream)));
	TRY(CUDA(run, kernel_fill_constant(m->receive, group->floats, -1, m->stream)));
	return CUDA(run, cudaStreamSynchronize(m->stream));
}

static enum ready open_members(struct run *run, struct nccl_group *group)
{
	if (!nccl_load())
		return run_say(run, ABSENT, "%s", library_hint());
	if (group->layout.groups > MEMBERS_MAX || team_members_per_node() > MEMBERS_MAX)
		return run_say(run, ABSENT, "more than %d GPUs in a node", MEMBERS_MAX);
	for (unsigned member = 0; member < team_members(); member++) {
		unsigned g, number;
		if (mine(member) && place(&group->layout, member, &g, &number))
			TRY(open_member(run, group, member, number));
	}
	return READY;
}

enum ready nccl_group_make(struct run *run, enum operation operation, const struct layout *layout,
	size_t bytes, struct nccl_group **made)
{
	struct nccl_group *group = calloc(1, sizeof *group);
	*made = group;
	if (!group)
		return run_say(run, FAILED, "no memory on the host");
	group->operation = operation;
	group->layout = *layout;
	group->floats = bytes / sizeof(float);
	/* If one process cannot, none may wait for it in NCCL. */
	enum ready ready = open_members(run, group);
	double worst = team_most((double)ready);
	TRY(ready);
	if (worst > 0)
		return run_say(run, worst > 1 ? FAILED : ABSENT, "another process could not prepare");
	return connect(run, group);
}

static enum ready all_to_all(struct run *run, const struct nccl_group *group, const struct member *m)
{
	size_t part = group->floats / group->layout.devices;
	for (unsigned peer = 0; peer < group->layout.devices; peer++) {
		TRY(NCCL(run,
			ncclSend(m->send + peer * part, part, ncclFloat, (int)peer, m->comm, m->stream)));
		TRY(NCCL(run,
			ncclRecv(m->receive + peer * part, part, ncclFloat, (int)peer, m->comm, m->stream)));
	}
	return READY;
}

/* There in the first turn, back in the second. */
static enum ready ping_pong(
	struct run *run, const struct nccl_group *group, const struct member *m, unsigned turn)
{
	int peer = m->number == 0;
	if (m->number == turn)
		return NCCL(run, ncclSend(m->send, group->floats, ncclFloat, peer, m->comm, m->stream));
	return NCCL(run, ncclRecv(m->receive, group->floats, ncclFloat, peer, m->comm, m->stream));
}

static enum ready enqueue(
	struct run *run, const struct nccl_group *group, const struct member *m, unsigned turn)
{
	size_t whole = group->floats, part = whole / group->layout.devices;
	switch (group->operation) {
	case OPERATION_POINT_TO_POINT:
		return ping_pong(run, group, m, turn);
	case OPERATION_ALLREDUCE:
		return NCCL(run,
			ncclAllReduce(m->send, m->receive, whole, ncclFloat, ncclSum, m->comm, m->stream));
	case OPERATION_ALLGATHER:
		return NCCL(run, ncclAllGather(m->send, m->receive, part, ncclFloat, m->comm, m->stream));
	case OPERATION_REDUCE_SCATTER:
		return NCCL(run,
			ncclReduceScatter(m->send, m->receive, part, ncclFloat, ncclSum, m->comm, m->stream));
	case OPERATION_BROADCAST:
		return NCCL(run, ncclBroadcast(m->send, m->receive, whole, ncclFloat, 0, m->comm, m->stream));
	case OPERATION_ALL_TO_ALL:
		break;
	}
	return all_to_all(run, group, m);
}

static enum ready enqueue_all(struct run *run, struct nccl_group *group, unsigned turn)
{
	TRY(NCCL(run, ncclGroupStart()));
	enum ready ready = READY;
	for (unsigned i = 0; i < group->count && ready == READY; i++)
		ready = enqueue(run, group, &group->members[i], turn);
	enum ready ended = NCCL(run, ncclGroupEnd());
	TRY(ready);
	return ended;
}

enum ready nccl_group_enqueue(struct run *run, struct nccl_group *group)
{
	unsigned turns = group->operation == OPERATION_POINT_TO_POINT ? 2 : 1;
	for (unsigned turn = 0; turn < turns; turn++)
		TRY(give_up(run, group, enqueue_all(run, group, turn)));
	return READY;
}

enum ready nccl_group_start(struct run *run, struct nccl_group *group)
{
	for (unsigned i = 0; i < group->count; i++) {
		TRY(CUDA(run, cudaSetDevice(group->members[i].device)));
		TRY(CUDA(run, cudaEventRecord(group->members[i].begin, group->members[i].stream)));
	}
	return READY;
}

enum ready nccl_group_stop(struct run *run, struct nccl_group *group)
{
	for (unsigned i = 0; i < group->count; i++) {
		TRY(CUDA(run, cudaSetDevice(group->members[i].device)));
		TRY(CUDA(run, cudaEventRecord(group->members[i].end, group->members[i].stream)));
	}
	return READY;
}

/* Waits until a member has done what is enqueued; not for ever: of what went wrong elsewhere only the communicator knows. */
static enum ready wait_for(struct run *run, const struct member *m)
{
	const double late_s = clock_s() + stuck_s;
	for (;;) {
		ncclResult_t trouble = ncclSuccess;
		const cudaError_t status = cudaEventQuery(m->end);
		if (status != cudaErrorNotReady)
			return CUDA(run, status);
		(void)cudaGetLastError();
		TRY(NCCL(run, ncclCommGetAsyncError(m->comm, &trouble)));
		TRY(nccl_status(run, trouble, "asynchronous error", __FILE__, __LINE__));
		if (clock_s() > late_s)
			return run_say(run, FAILED, "the operation did not end within %.0f s", stuck_s);
	}
}

enum ready nccl_group_wait(struct run *run, struct nccl_group *group)
{
	for (unsigned i = 0; i < group->count; i++) {
		TRY(CUDA(run, cudaSetDevice(group->members[i].device)));
		TRY(give_up(run, group, wait_for(run, &group->members[i])));
	}
	return READY;
}

enum ready nccl_group_seconds(struct run *run, struct nccl_group *group, double *seconds)
{
	*seconds = 0;
	TRY(nccl_group_wait(run, group));
	for (unsigned i = 0; i < group->count; i++) {
		const struct member *m = &group->members[i];
		float milliseconds = 0;
		TRY(CUDA(run, cudaSetDevice(m->device)));
		TRY(CUDA(run, cudaEventElapsedTime(&milliseconds, m->begin, m->end)));
		*seconds = (double)milliseconds * 1e-3 > *seconds ? (double)milliseconds * 1e-3 : *seconds;
	}
	return CUDA(run, cudaSetDevice(device.ordinal));
}

static void close_member(struct member *m)
{
	(void)cudaSetDevice(m->device);
	if (m->stream)
		(void)cudaStreamSynchronize(m->stream);
	if (m->send)
		(void)cudaFree(m->send);
	if (m->receive)
		(void)cudaFree(m->receive);
	if (m->begin)
		(void)cudaEventDestroy(m->begin);
	if (m->end)
		(void)cudaEventDestroy(m->end);
	if (m->stream)
		(void)cudaStreamDestroy(m->stream);
}

static void destroy(struct ncclComm *comm)
{
	(void)nccl.ncclCommDestroy(comm);
}

void nccl_group_free(struct nccl_group *group, const struct layout *layout)
{
	nccl_cache_destroy = destroy;
	for (unsigned i = 0; group && i < group->count; i++)
		close_member(&group->members[i]);
	(void)cudaSetDevice(device.ordinal);
	/* Whoever has given up has none left: all make new ones together. */
	if (team_most(group && group->broken) > 0)
		nccl_cache_forget(layout);
	free(group);
}

void nccl_end(void)
{
	nccl_cache_destroy = destroy;
	if (!device.lost)
		nccl_cache_clear();
}

#endif
