/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of NCCL over groups of GPUs; the benches of single operations are of one pattern, which is here. */
#ifndef CALIBRATE_CUDA_NCCL_GROUP_H
#define CALIBRATE_CUDA_NCCL_GROUP_H

#include "device.h"
#include "list.h"

enum operation {
	OPERATION_POINT_TO_POINT,
	OPERATION_ALLREDUCE,
	OPERATION_ALLGATHER,
	OPERATION_REDUCE_SCATTER,
	OPERATION_ALL_TO_ALL,
	OPERATION_BROADCAST
};

/* Members with numbers base + i * stride, `devices` to a group; group g begins at member first(g). */
struct layout {
	unsigned nodes, devices, groups;
	bool across; /* a group has one GPU of each node; else its GPUs follow one another */
};

enum { MEMBERS_MAX = 64 };

/* A GPU of this process in a group. */
struct member {
	int device;
	unsigned number;       /* in its group */
	struct ncclComm *comm; /* ncclComm_t */
	cudaStream_t stream;
	cudaEvent_t begin, end;
	float *send, *receive;
};

struct nccl_group {
	enum operation operation;
	struct layout layout;
	size_t floats; /* of the whole vector */
	struct member members[MEMBERS_MAX];
	unsigned count;
	bool broken; /* its communicators are not to be used any more */
};

/* "nccl 2.28.9"; "nccl" where it is not known. Loads the library; adds nothing. */
const char *nccl_name(void);
void nccl_begin(void);

/* Communicators are kept for other points of the same layout; all processes ask for the same layouts in the same order. */
enum ready nccl_group_make(struct run *run, enum operation operation, const struct layout *layout,
	size_t bytes, struct nccl_group **group);
/* One operation on all members of this process, each in its stream. */
enum ready nccl_group_enqueue(struct run *run, struct nccl_group *group);
/* Events around what is enqueued between; seconds of the slowest member of this process, 0 if it has none. */
enum ready nccl_group_start(struct run *run, struct nccl_group *group);
enum ready nccl_group_stop(struct run *run, struct nccl_group *group);
/* Waits for what was stopped; FAILED where it does not end, and then nothing is in flight any more. */
enum ready nccl_group_wait(struct run *run, struct nccl_group *group);
enum ready nccl_group_seconds(struct run *run, struct nccl_group *group, double *seconds);
/* Compares results with what they must be. */
enum ready nccl_group_verify(struct run *run, struct nccl_group *group);
/* Once for each point that asked for a group, in every process; group NULL: this process has none. */
void nccl_group_free(struct nccl_group *group, const struct layout *layout);
/* Gives communicators back. */
void nccl_end(void);

/* nccl_cache.c: communicators by layout */
struct ncclComm **nccl_cached(const struct layout *layout, bool *is_new); /* MEMBERS_MAX of them */
/* What falls out of the cache, or is forgotten, goes to `destroy`. */
void nccl_cache_forget(const struct layout *layout);
void nccl_cache_clear(void);
extern void (*nccl_cache_destroy)(struct ncclComm *comm);

/* Of benches. */
void nccl_list(const struct plan *plan, struct points *points, const struct bench *bench);
enum ready nccl_prepare(struct run *run, enum operation operation);
double nccl_sample(struct run *run, unsigned long long calls);
void nccl_release(struct run *run);
void nccl_add_layout(struct point *point, const struct layout *layout, double bytes);
void nccl_read_layout(const struct point *point, struct layout *layout);

#define NCCL_BENCH(id, text, operation, about)                                                               \
	static void list(const struct plan *plan, struct points *points)                                     \
	{                                                                                                    \
		nccl_list(plan, points, &bench_##id);                                                        \
	}                                                                                                    \
	static enum ready prepare(struct run *run)                                                           \
	{                                                                                                    \
		return nccl_prepare(run, operation);                                                         \
	}                                                                                                    \
	const struct bench bench_##id = {                                                                    \
		.name = text,                                                                                \
		.summary = about,                                                                            \
		.least_sample_s = 200e-6,                                                                    \
		.list = list,                                                                                \
		.prepare = prepare,                                                                          \
		.sample = nccl_sample,                                                                       \
		.release = nccl_release,                                                                     \
	}

#endif
