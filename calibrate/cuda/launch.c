/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel costs that does nothing, one of many in a row in a stream. */
#include "device.h"
#include "kernels.h"
#include "list.h"

static void list(const struct plan *plan, struct points *points)
{
	(void)plan;
	struct point *point = points_add(points, &bench_launch, "launch/stream");
	point_text(point, "kind", "stream");
	point_number(point, "busy", device.measured_together);
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	(void)index;
	return CUDA(run, kernel_empty(device.stream));
}

static enum ready prepare(struct run *run)
{
	TRY(device_usable(run));
	return device_warm(run, enqueue);
}

/* Enqueues all calls without a pause and waits for them once. */
static double sample(struct run *run, unsigned long long calls)
{
	enum ready ready = READY;
	double start = clock_s();
	for (unsigned long long i = 0; i < calls && ready == READY; i++)
		ready = enqueue(run, i);
	if (ready == READY)
		ready = CUDA(run, cudaStreamSynchronize(device.stream));
	return ready == READY ? clock_s() - start : -1;
}

const struct bench bench_launch = {
	.name = "launch",
	.summary = "a kernel that does nothing",
	.least_sample_s = 1e-3,
	.list = list,
	.prepare = prepare,
	.sample = sample,
};
