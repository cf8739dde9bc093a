/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a kernel costs that does nothing: "stream", one of many in a row; "graph", a node of a captured graph; "sync", with
 * waiting for it; "call", the host's time to enqueue it.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "kernels.h"
#include "list.h"

enum { GRAPH_NODES = 100 };

struct state {
	cudaGraph_t graph;
	cudaGraphExec_t executable;
};

static void list(const struct plan *plan, struct points *points)
{
	static const char *const kinds[] = {"stream", "graph", "sync", "call"};
	(void)plan;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct point *point = points_add(points, &bench_launch, "launch/%s", kinds[i]);
		point_text(point, "kind", kinds[i]);
		point_number(point, "busy", device.measured_together);
	}
}

static enum ready enqueue(struct run *run, unsigned long long index)
{
	(void)index;
	return CUDA(run, kernel_empty(device.stream));
}

static enum ready capture(struct run *run, struct state *s)
{
	TRY(CUDA(run, cudaStreamBeginCapture(device.stream, cudaStreamCaptureModeThreadLocal)));
	enum ready ready = READY;
	for (unsigned i = 0; i < GRAPH_NODES && ready == READY; i++)
		ready = enqueue(run, i);
	enum ready ended = CUDA(run, cudaStreamEndCapture(device.stream, &s->graph));
	TRY(ready);
	TRY(ended);
	TRY(CUDA(run, cudaGraphInstantiateWithFlags(&s->executable, s->graph, 0)));
	return CUDA(run, cudaGraphUpload(s->executable, device.stream));
}

static enum ready prepare(struct run *run)
{
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	TRY(device_usable(run));
	TRY(device_warm(run, enqueue));
	return strcmp(point_get_text(run->point, "kind"), "graph") == 0 ? capture(run, s) : READY;
}

static double failed_or(enum ready ready, double seconds)
{
	return ready == READY ? seconds : -1;
}

static double sample_graph(struct run *run, unsigned long long calls)
{
	const struct state *s = run->state;
	unsigned long long launches = (calls + GRAPH_NODES - 1) / GRAPH_NODES;
	enum ready ready = READY;
	double start = clock_s();
	for (unsigned long long i = 0; i < launches && ready == READY; i++)
		ready = CUDA(run, cudaGraphLaunch(s->executable, device.stream));
	if (ready == READY)
		ready = CUDA(run, cudaStreamSynchronize(device.stream));
	return failed_or(ready, (clock_s() - start) * (double)calls / (double)(launches * GRAPH_NODES));
}

/* The queue of a stream is finite: in portions that it holds, waited for off the clock. */
static double sample_call(struct run *run, unsigned long long calls)
{
	double seconds = 0;
	for (unsigned long long left = calls; left > 0;) {
		unsigned long long now = left;
		if (now > QUEUE_SAFE)
			now = QUEUE_SAFE;
		enum ready ready = READY;
		double start = clock_s();
		for (unsigned long long i = 0; i < now && ready == READY; i++)
			ready = enqueue(run, i);
		seconds += clock_s() - start;
		if (ready == READY)
			ready = CUDA(run, cudaStreamSynchronize(device.stream));
		if (ready != READY)
			return -1;
		left -= now;
	}
	return seconds;
}

/* Enqueues all calls without a pause and waits for them once. */
static double sample_stream(struct run *run, unsigned long long calls)
{
	enum ready ready = READY;
	double start = clock_s();
	for (unsigned long long i = 0; i < calls && ready == READY; i++)
		ready = enqueue(run, i);
	if (ready == READY)
		ready = CUDA(run, cudaStreamSynchronize(device.stream));
	return failed_or(ready, clock_s() - start);
}

static double sample_sync(struct run *run, unsigned long long calls)
{
	enum ready ready = READY;
	double start = clock_s();
	for (unsigned long long i = 0; i < calls && ready == READY; i++) {
		ready = enqueue(run, i);
		if (ready == READY)
			ready = CUDA(run, cudaStreamSynchronize(device.stream));
	}
	return failed_or(ready, clock_s() - start);
}

static double sample(struct run *run, unsigned long long calls)
{
	const char *kind = point_get_text(run->point, "kind");
	if (strcmp(kind, "graph") == 0)
		return sample_graph(run, calls);
	if (strcmp(kind, "call") == 0)
		return sample_call(run, calls);
	if (strcmp(kind, "sync") == 0)
		return sample_sync(run, calls);
	return sample_stream(run, calls);
}

static void release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	if (s->executable)
		(void)cudaGraphExecDestroy(s->executable);
	if (s->graph)
		(void)cudaGraphDestroy(s->graph);
	free(s);
	run->state = NULL;
}

const struct bench bench_launch = {
	.name = "launch",
	.summary = "kernels that do nothing",
	.least_sample_s = 1e-3,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
