/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NCCL for one process: what a group of calls enqueues is really done at its end, so that results can be compared. Every
 * member must have joined, all of a collective's members must call it with the same count, each send must meet a receive.
 */
#include <nccl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_device.h"

enum { COMMS_MAX = 256, CALLS_MAX = 4096 };
enum kind { ALLREDUCE, ALLGATHER, REDUCE_SCATTER, BROADCAST, SEND, RECEIVE };

struct ncclComm {
	int id, rank, count;
};
struct call {
	enum kind kind;
	const float *from;
	float *to;
	size_t count;
	int peer;
	struct ncclComm *comm;
	bool done;
};
static struct ncclComm *comms[COMMS_MAX];
static size_t comm_count, call_count;
static struct call calls[CALLS_MAX];
static int depth, ids;

static ncclResult_t wrong(const char *what)
{
	fprintf(stderr, "FAKE: NCCL: %s\n", what);
	return ncclInvalidUsage;
}

ncclResult_t ncclGetVersion(int *version)
{
	*version = 22809;
	return ncclSuccess;
}
const char *ncclGetErrorString(ncclResult_t status)
{
	return status == ncclSuccess ? "fine" : "invalid usage";
}
/* FAKE_NCCL_NO_ID: nobody gets an id. FAKE_NCCL_STUCK=N: the Nth operation never ends, and the communicator knows why. */
static int setting(const char *variable)
{
	const char *text = getenv(variable);
	return text ? atoi(text) : 0;
}
static int made, operations, stuck;

static void tell_made(void)
{
	fprintf(stderr, "communicators made: %d\n", made);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error)
{
	*error = comm && stuck ? ncclRemoteError : ncclSuccess;
	return comm ? ncclSuccess : wrong("a communicator that is not there");
}
ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
	if (setting("FAKE_NCCL_NO_ID"))
		return ncclSystemError;
	memset(id, 0, sizeof *id);
	ids++;
	memcpy(id->internal, &ids, sizeof ids);
	return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int count, ncclUniqueId id, int rank)
{
	struct ncclComm *joined = calloc(1, sizeof *joined);
	memcpy(&joined->id, id.internal, sizeof joined->id);
	joined->rank = rank;
	joined->count = count;
	if (depth == 0 || joined->id == 0 || rank < 0 || rank >= count || comm_count == COMMS_MAX)
		return wrong("joining outside of a group, without an id, or with a number out of range");
	comms[comm_count++] = joined;
	*comm = joined;
	if (made++ == 0)
		atexit(tell_made);
	return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm)
{
	for (size_t i = 0; i < comm_count; i++)
		if (comms[i] == comm)
			comms[i] = comms[--comm_count];
	free(comm);
	return ncclSuccess;
}
/* Ends what is in flight. */
ncclResult_t ncclCommAbort(ncclComm_t comm)
{
	stuck = 0;
	fake_stall(false);
	return ncclCommDestroy(comm);
}
ncclResult_t ncclGroupStart(void)
{
	depth++;
	return ncclSuccess;
}

static struct call *find(int id, int rank, enum kind kind, int peer)
{
	for (size_t i = 0; i < call_count; i++)
		if (!calls[i].done && calls[i].comm->id == id && calls[i].comm->rank == rank &&
			calls[i].kind == kind && (kind < SEND || calls[i].peer == peer))
			return &calls[i];
	return NULL;
}

static ncclResult_t deliver(struct call *send)
{
	struct call *receive = find(send->comm->id, send->peer, RECEIVE, send->comm->rank);
	if (!receive || receive->count != send->count)
		return wrong("a send that meets no receive of its length");
	if (!fake_check("send", send->from, send->count * sizeof(float)) ||
		!fake_check("receive", receive->to, send->count * sizeof(float)))
		return ncclInvalidArgument;
	memcpy(receive->to, send->from, send->count * sizeof(float));
	send->done = receive->done = true;
	return ncclSuccess;
}

/* What member `rank` gives to item i of the result of member `to`; count is that of a part where there are parts. */
static float given(const struct call *all[], const struct call *to, int rank, size_t i)
{
	const struct call *from = all[rank];
	if (to->kind == REDUCE_SCATTER)
		return from->from[(size_t)to->comm->rank * to->count + i];
	return from->from[i];
}

static void finish(const struct call *all[], const struct call *mine)
{
	int members = mine->comm->count;
	for (size_t i = 0; i < mine->count; i++) {
		if (mine->kind == ALLGATHER) {
			for (int r = 0; r < members; r++)
				mine->to[(size_t)r * mine->count + i] = all[r]->from[i];
		} else if (mine->kind == BROADCAST) {
			mine->to[i] = all[mine->peer]->from[i];
		} else {
			float sum = 0;
			for (int r = 0; r < members; r++)
				sum += given(all, mine, r, i);
			mine->to[i] = sum;
		}
	}
}

static ncclResult_t collective(struct call *first)
{
	const struct call *all[64];
	int members = first->comm->count;
	for (int r = 0; r < members; r++) {
		struct call *call = find(first->comm->id, r, first->kind, 0);
		if (!call || call->count != first->count || call->peer != first->peer)
			return wrong("a collective that not all members call alike");
		size_t whole = call->count * sizeof(float) * (size_t)members,
		       part = call->count * sizeof(float);
		if (!fake_check("sent", call->from, call->kind == REDUCE_SCATTER ? whole : part) ||
			!fake_check("received", call->to, call->kind == ALLGATHER ? whole : part))
			return ncclInvalidArgument;
		all[r] = call;
	}
	for (int r = 0; r < members; r++)
		finish(all, all[r]);
	for (int r = 0; r < members; r++)
		((struct call *)(uintptr_t)all[r])->done = true;
	return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
	ncclResult_t status = ncclSuccess;
	if (depth < 1)
		return wrong("an end without a start");
	if (--depth > 0)
		return ncclSuccess;
	for (size_t i = 0; i < call_count && status == ncclSuccess; i++)
		if (!calls[i].done && calls[i].kind != RECEIVE)
			status = calls[i].kind == SEND ? deliver(&calls[i]) : collective(&calls[i]);
	for (size_t i = 0; i < call_count && status == ncclSuccess; i++)
		if (!calls[i].done)
			status = wrong("a receive that nobody sends to");
	fake_work(2e-5 * (double)(call_count > 0));
	if (call_count > 0 && ++operations == setting("FAKE_NCCL_STUCK")) {
		stuck = 1;
		fake_stall(true);
	}
	call_count = 0;
	return status;
}

static ncclResult_t enqueue(enum kind kind, const void *from, void *to, size_t count, ncclDataType_t type,
	int peer, ncclComm_t comm, cudaStream_t stream)
{
	if (type != ncclFloat || !stream || !comm || count == 0 || call_count == CALLS_MAX || depth == 0)
		return wrong("type, stream, communicator or count; or several GPUs outside of a group");
	calls[call_count++] = (struct call){kind, from, to, count, peer, comm, false};
	return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type,
	ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream)
{
	if (operation != ncclSum)
		return wrong("not a sum");
	return enqueue(ALLREDUCE, from, to, count, type, 0, comm, stream);
}
ncclResult_t ncclReduceScatter(const void *from, void *to, size_t count, ncclDataType_t type,
	ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream)
{
	if (operation != ncclSum)
		return wrong("not a sum");
	return enqueue(REDUCE_SCATTER, from, to, count, type, 0, comm, stream);
}
ncclResult_t ncclAllGather(
	const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
	return enqueue(ALLGATHER, from, to, count, type, 0, comm, stream);
}
ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t type, int root,
	ncclComm_t comm, cudaStream_t stream)
{
	return enqueue(BROADCAST, from, to, count, type, root, comm, stream);
}
ncclResult_t ncclSend(
	const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
	return enqueue(SEND, from, NULL, count, type, peer, comm, stream);
}
ncclResult_t ncclRecv(
	void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
	return enqueue(RECEIVE, NULL, to, count, type, peer, comm, stream);
}
