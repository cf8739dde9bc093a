/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of operations against what they must be, once for each point. */
#include <stdlib.h>

#include "nccl_group.h"

/* What item i of a member's result must be; all are whole numbers, so sums are exact. */
static float expected(const struct nccl_group *group, const struct member *m, size_t i)
{
	unsigned devices = group->layout.devices;
	size_t part = group->floats / devices;
	switch (group->operation) {
	case OPERATION_ALLREDUCE:
		return (float)(devices * (devices + 1) / 2);
	case OPERATION_REDUCE_SCATTER:
		return i < part ? (float)(devices * (devices + 1) / 2) : -1;
	case OPERATION_BROADCAST:
		return 1;
	case OPERATION_POINT_TO_POINT:
		return (float)(m->number == 0 ? 2 : 1);
	case OPERATION_ALLGATHER:
	case OPERATION_ALL_TO_ALL:
		break;
	}
	return (float)(i / part + 1);
}

static enum ready verify_member(struct run *run, const struct nccl_group *group, const struct member *m)
{
	size_t bytes = group->floats * sizeof(float);
	float *result = malloc(bytes);
	if (!result)
		return run_say(run, ABSENT, "out of memory of the host");
	enum ready ready = CUDA(run, cudaMemcpy(result, m->receive, bytes, cudaMemcpyDeviceToHost));
	/* Of large vectors a million items. */
	for (size_t i = 0, step = 1 + (group->floats >> 20); i < group->floats && ready == READY; i += step) {
		float right = expected(group, m, i);
		if (result[i] < right || result[i] > right)
			ready = run_say(run, FAILED, "wrong result: item %zu of device %d is %g, not %g", i,
				m->device, (double)result[i], (double)right);
	}
	free(result);
	return ready;
}

enum ready nccl_group_verify(struct run *run, struct nccl_group *group)
{
	TRY(nccl_group_enqueue(run, group));
	TRY(nccl_group_stop(run, group));
	TRY(nccl_group_wait(run, group));
	for (unsigned i = 0; i < group->count; i++) {
		TRY(CUDA(run, cudaSetDevice(group->members[i].device)));
		TRY(verify_member(run, group, &group->members[i]));
	}
	return CUDA(run, cudaSetDevice(device.ordinal));
}
