/* SPDX-License-Identifier: BSD-3-Clause */
/* NCCL, looked for when the program runs. */
#ifndef CALIBRATE_CUDA_NCCL_LIBRARY_H
#define CALIBRATE_CUDA_NCCL_LIBRARY_H

#ifdef WITH_NCCL
#include <nccl.h>

#include "bench.h"
#include "loader.h"

#define NCCL_FUNCTIONS(X)                                                                                    \
	X(ncclGetVersion)                                                                                    \
	X(ncclGetErrorString)                                                                                \
	X(ncclGetUniqueId)                                                                                   \
	X(ncclCommInitRank)                                                                                  \
	X(ncclCommDestroy)                                                                                   \
	X(ncclCommAbort)                                                                                     \
	X(ncclCommGetAsyncError)                                                                             \
	X(ncclGroupStart)                                                                                    \
	X(ncclGroupEnd)                                                                                      \
	X(ncclAllReduce)                                                                                     \
	X(ncclAllGather)                                                                                     \
	X(ncclReduceScatter)                                                                                 \
	X(ncclBroadcast)                                                                                     \
	X(ncclSend)                                                                                          \
	X(ncclRecv)

struct nccl_functions {
#define X(function) MEMBER(function)
	NCCL_FUNCTIONS(X)
#undef X
};
extern struct nccl_functions nccl;

bool nccl_load(void);
/*
 * READY, or FAILED with the call and its place. The device is not waited for, as after other errors: what is in flight may never end
 * before it is aborted.
 */
enum ready nccl_status(struct run *run, ncclResult_t status, const char *call, const char *file, int line);
#define NCCL(run, call) nccl_status(run, nccl.call, #call, __FILE__, __LINE__)

#endif
#endif
