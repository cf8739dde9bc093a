/* SPDX-License-Identifier: BSD-3-Clause */
/* paradl-measure-cuda: what NVIDIA GPUs, their memory, and the links between them do. */
#include "convolution.h"
#include "device.h"
#include "list.h"
#include "matmul.h"
#include "nccl_group.h"
#include "team.h"

static const struct bench *const benches[] = {
#define X(id) &bench_##id,
#include "list.def"
#undef X
	NULL,
};

static enum ready begin(struct run *run)
{
	TRY(device_begin(run, team.local_rank));
	device.measured_together = team.on_node;
	/* One GPU to see may be another one in each process. */
	if (team.processes && device.count > 1 && team.on_node > (unsigned)device.count)
		return run_say(run, FAILED,
			"%u processes on a node with %d GPUs: start one for each GPU, %d on a node",
			team.on_node, device.count, device.count);
	matmul_begin();
	cudnn_begin();
	nccl_begin();
	return READY;
}

static void end(void)
{
	nccl_end();
	cudnn_end();
	matmul_end();
	device_end();
}

int main(int argc, char **argv)
{
	struct program program = {
		.name = "cuda",
		.summary = "measures NVIDIA GPUs: products, convolutions, memory, copies and exchanges",
		.benches = benches,
		.begin = begin,
		.end = end,
		.ranks = team_join(&argc, &argv),
	};
	device.measured_together = team.on_node;
	int status = calibrate_main(argc, argv, &program);
	team_leave();
	return status;
}
