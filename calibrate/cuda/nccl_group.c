/* SPDX-License-Identifier: BSD-3-Clause */
#include "nccl_group.h"

#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "loader.h"
#include "team.h"

#ifdef WITH_NCCL
#include <nccl.h>

#define FUNCTIONS(X)                                                                                         \
	X(ncclGetVersion)                                                                                    \
	X(ncclGetErrorString)                                                                                \
	X(ncclGetUniqueId)                                                                                   \
	X(ncclCommInitRank)                                                                                  \
	X(ncclCommDestroy)                                                                                   \
	X(ncclGroupStart)                                                                                    \
	X(ncclGroupEnd)                                                                                      \
	X(ncclAllReduce)                                                                                     \
	X(ncclAllGather)                                                                                     \
	X(ncclReduceScatter)                                                                                 \
	X(ncclBroadcast)                                                                                     \
	X(ncclSend)                                                                                          \
	X(ncclRecv)

struct functions {
#define X(function) MEMBER(function)
	FUNCTIONS(X)
#undef X
};
static const struct symbol symbols[] = {
#define X(function) {#function, offsetof(struct functions, function)},
	FUNCTIONS(X)
#undef X
		{NULL, 0},
};

static struct library library = {"libnccl.so.2", "NCCL", NULL};
static struct functions nccl;
static char name[32] = "nccl";

/* In flight, an operation's error stays with the communicator; the program goes on with a new one. */
static enum ready nccl_status(
	struct run *run, ncclResult_t status, const char *call, const char *file, int line)
{
	if (status == ncclSuccess || status == ncclInProgress)
		return READY;
	return library_status(run, false, nccl.ncclGetErrorString(status), call, file, line);
}
#define NCCL(run, call) nccl_status(run, nccl.call, #call, __FILE__, __LINE__)

static bool load(int version[3])
{
	int number = 0;
	if (!library_load(&library, &nccl, symbols) || nccl.ncclGetVersion(&number) != ncclSuccess)
		return false;
	version[0] = number / 10000;
	version[1] = number / 100 % 100;
	version[2] = number % 100;
	return true;
}

const char *nccl_name(void)
{
	int version[3];
	if (load(version))
		snprintf(name, sizeof name, "nccl %d.%d.%d", version[0], version[1], version[2]);
	return name;
}

void nccl_begin(void)
{
	int version[3];
	if (!load(version))
		return;
	environment_add("nccl", "%d.%d.%d", version[0], version[1], version[2]);
	environment_add("launch", "%s", team.processes ? "one process for each GPU" : "one process");
}

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

/* All communicators at once: in one process, calls for several GPUs wait for one another unless they are grouped. */
static enum ready join(struct run *run, struct nccl_group *group)
{
	ncclUniqueId ids[MEMBERS_MAX];
	const struct layout *layout = &group->layout;
	for (unsigned g = 0; g < layout->groups; g++) {
		unsigned root = first_of(layout, g);
		memset(&ids[g], 0, sizeof ids[g]);
		if (mine(root))
			TRY(NCCL(run, ncclGetUniqueId(&ids[g])));
		team_tell(&ids[g], sizeof ids[g], team.processes ? root : 0);
	}
	TRY(NCCL(run, ncclGroupStart()));
	enum ready ready = READY;
	for (unsigned i = 0, member = 0; member < team_members() && ready == READY; member++) {
		unsigned g, number;
		if (!mine(member) || !place(layout, member, &g, &number))
			continue;
		ready = CUDA(run, cudaSetDevice(group->members[i].device));
		if (ready == READY)
			ready = NCCL(run, ncclCommInitRank(&group->members[i++].comm, (int)layout->devices,
						  ids[g], (int)number));
	}
	enum ready ended = NCCL(run, ncclGroupEnd());
	TRY(ready);
	return ended;
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
	if (!library_load(&library, &nccl, symbols))
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
	return join(run, group);
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

enum ready nccl_group_enqueue(struct run *run, struct nccl_group *group)
{
	unsigned turns = group->operation == OPERATION_POINT_TO_POINT ? 2 : 1;
	for (unsigned turn = 0; turn < turns; turn++) {
		TRY(NCCL(run, ncclGroupStart()));
		enum ready ready = READY;
		for (unsigned i = 0; i < group->count && ready == READY; i++)
			ready = enqueue(run, group, &group->members[i], turn);
		enum ready ended = NCCL(run, ncclGroupEnd());
		TRY(ready);
		TRY(ended);
	}
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

enum ready nccl_group_seconds(struct run *run, struct nccl_group *group, double *seconds)
{
	*seconds = 0;
	for (unsigned i = 0; i < group->count; i++) {
		const struct member *m = &group->members[i];
		float milliseconds = 0;
		TRY(CUDA(run, cudaSetDevice(m->device)));
		TRY(CUDA(run, cudaEventSynchronize(m->end)));
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
	if (m->comm)
		(void)nccl.ncclCommDestroy(m->comm);
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

void nccl_group_free(struct nccl_group *group)
{
	if (!group)
		return;
	for (unsigned i = 0; i < group->count; i++)
		close_member(&group->members[i]);
	(void)cudaSetDevice(device.ordinal);
	free(group);
}

#else

const char *nccl_name(void)
{
	return "nccl";
}
void nccl_begin(void)
{
}

enum ready nccl_group_make(struct run *run, enum operation operation, const struct layout *layout,
	size_t bytes, struct nccl_group **group)
{
	(void)operation, (void)layout, (void)bytes;
	*group = NULL;
	return run_say(run, ABSENT, "built without NCCL: install its headers and build again");
}

static enum ready without(struct run *run)
{
	return run_say(run, FAILED, "built without NCCL");
}
enum ready nccl_group_enqueue(struct run *run, struct nccl_group *group)
{
	return group ? READY : without(run);
}
enum ready nccl_group_start(struct run *run, struct nccl_group *group)
{
	return group ? READY : without(run);
}
enum ready nccl_group_stop(struct run *run, struct nccl_group *group)
{
	return group ? READY : without(run);
}
enum ready nccl_group_seconds(struct run *run, struct nccl_group *group, double *seconds)
{
	*seconds = 0;
	return group ? READY : without(run);
}
void nccl_group_free(struct nccl_group *group)
{
	(void)group;
}
#endif
