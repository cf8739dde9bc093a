/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies between host and devices, all devices of this process at once, and between devices. Of several copies at the same time the
 * slowest counts.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "kernels.h"
#include "list.h"
#include "numa.h"

enum { LANES_MAX = 64 };

/* A copy that repeats in a stream of its own. */
struct lane {
	int device;
	cudaStream_t stream;
	cudaEvent_t begin, end;
	void *to, *from;
	bool to_host, from_host;
	int to_device;
};

struct state {
	struct lane lanes[LANES_MAX];
	unsigned count;
	bool pinned;
	size_t bytes;
};

/* Large enough that the start of a copy does not show. */
enum { SIZE_QUICK = 1 << 28, SIZE_USUAL = 1 << 30 };

static void add_host(struct points *points, const char *kind, double size, double groups)
{
	struct point *point =
		points_add(points, &bench_transfer, "transfer/%s/pinned/%.0f/%.0f", kind, groups, size);
	point_text(point, "kind", kind);
	point_number(point, "pinned", 1);
	point_number(point, "size", size);
	point_number(point, "groups", groups);
	point_number(point, "busy", device.measured_together);
	point->bytes = size;
}

static void add_peer(struct points *points, double size, int from, int to)
{
	struct point *point = points_add(points, &bench_transfer, "transfer/peer/%d-%d/%.0f", from, to, size);
	point_text(point, "kind", "peer");
	point_number(point, "size", size);
	point_number(point, "groups", 1);
	point_number(point, "from", from);
	point_number(point, "to", to);
	point_number(point, "busy", device.measured_together);
	point->bytes = size;
}

/* To and from the host all devices copy at once, as they do in training; between devices one pair after another. */
static void list(const struct plan *plan, struct points *points)
{
	const double size = plan->effort == EFFORT_QUICK ? SIZE_QUICK : SIZE_USUAL;
	const int count = device_count_listed();
	const bool all = device.measured_together == 1;
	add_host(points, "to-device", size, all ? count : 1);
	add_host(points, "to-host", size, all ? count : 1);
	for (int from = 0; from < count && all; from++)
		for (int to = 0; to < count; to++)
			if (from != to)
				add_peer(points, size, from, to);
}

/* Says where pages of the host are to be for copies with a device: on its node, where the system knows one. */
static void near_device(int ordinal)
{
	char bus_id[32] = "";
	if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, ordinal) != cudaSuccess) {
		(void)cudaGetLastError();
		return;
	}
	const int node = numa_node_of(NULL, bus_id);
	if (node >= 0)
		(void)numa_prefer(node);
}

/* Memory of the host for copies with a device. */
static enum ready allocate_host(struct run *run, void **memory, int ordinal, const struct state *s)
{
	enum ready ready = READY;
	near_device(ordinal);
	if (s->pinned)
		ready = CUDA(run, cudaHostAlloc(memory, s->bytes, cudaHostAllocPortable));
	else if (!(*memory = malloc(s->bytes)))
		ready = run_say(run, ABSENT, "out of memory of the host");
	if (ready == READY)
		memset(*memory, 0x5a, s->bytes); /* touched, so that pages exist before they are copied */
	numa_anywhere();
	return ready;
}

static enum ready allocate_side(struct run *run, void **memory, bool host, int owner, const struct state *s)
{
	if (host)
		return allocate_host(run, memory, owner, s);
	TRY(CUDA(run, cudaSetDevice(owner)));
	TRY(CUDA(run, cudaMalloc(memory, s->bytes)));
	return CUDA(run, cudaMemset(*memory, 0x5a, s->bytes));
}

static enum ready open_lane(struct run *run, struct state *s, int from, int to)
{
	if (s->count == LANES_MAX)
		return run_say(run, ABSENT, "more than %d copies at once", LANES_MAX);
	struct lane *lane = &s->lanes[s->count++];
	*lane = (struct lane){
		.device = from < 0 ? to : from, .to_host = to < 0, .from_host = from < 0, .to_device = to};
	if (from >= 0 && to >= 0) {
		int access = 0;
		TRY(CUDA(run, cudaDeviceCanAccessPeer(&access, from, to)));
		TRY(CUDA(run, cudaSetDevice(from)));
		cudaError_t status = access ? cudaDeviceEnablePeerAccess(to, 0) : cudaSuccess;
		if (status == cudaErrorPeerAccessAlreadyEnabled)
			(void)cudaGetLastError();
		else
			TRY(CUDA(run, status));
	}
	/* The device's side first: where it does not fit, gigabytes of the host need not be touched. */
	if (lane->from_host)
		TRY(allocate_side(run, &lane->to, false, to, s));
	TRY(allocate_side(run, &lane->from, lane->from_host, lane->from_host ? lane->device : from, s));
	if (!lane->from_host)
		TRY(allocate_side(run, &lane->to, lane->to_host, lane->to_host ? lane->device : to, s));
	TRY(CUDA(run, cudaSetDevice(lane->device)));
	TRY(CUDA(run, cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking)));
	TRY(CUDA(run, cudaEventCreate(&lane->begin)));
	return CUDA(run, cudaEventCreate(&lane->end));
}

static enum ready open_host(struct run *run, struct state *s, const char *kind, int of)
{
	if (strcmp(kind, "to-host") != 0)
		TRY(open_lane(run, s, -1, of));
	if (strcmp(kind, "to-device") != 0)
		TRY(open_lane(run, s, of, -1));
	return READY;
}

static enum ready prepare(struct run *run)
{
	const struct point *point = run->point;
	const char *kind = point_get_text(point, "kind");
	struct state *s = calloc(1, sizeof *s);
	run->state = s;
	if (!s)
		return run_say(run, FAILED, "no memory on the host");
	s->pinned = point_get(point, "pinned") > 0;
	s->bytes = (size_t)point_get(point, "size");
	TRY(device_usable(run));
	if (strncmp(kind, "peer", 4) == 0) {
		int from = (int)point_get(point, "from"), to = (int)point_get(point, "to");
		TRY(open_lane(run, s, from, to));
		return strcmp(kind, "peer-both") == 0 ? open_lane(run, s, to, from) : READY;
	}
	int groups = (int)point_get(point, "groups");
	for (int i = 0; i < groups; i++)
		TRY(open_host(run, s, kind, groups == 1 ? device.ordinal : i));
	return READY;
}

static enum ready enqueue(struct run *run, const struct lane *lane, size_t bytes)
{
	if (!lane->to_host && !lane->from_host)
		return CUDA(run, cudaMemcpyPeerAsync(lane->to, lane->to_device, lane->from, lane->device,
					 bytes, lane->stream));
	return CUDA(
		run, cudaMemcpyAsync(lane->to, lane->from, bytes,
			     lane->to_host ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice, lane->stream));
}

/* Lanes take turns in being given work, so that they run side by side. */
static enum ready copy(struct run *run, const struct state *s, unsigned long long calls)
{
	for (unsigned i = 0; i < s->count; i++) {
		TRY(CUDA(run, cudaSetDevice(s->lanes[i].device)));
		TRY(CUDA(run, cudaEventRecord(s->lanes[i].begin, s->lanes[i].stream)));
	}
	for (unsigned long long call = 0; call < calls; call++)
		for (unsigned i = 0; i < s->count; i++) {
			if (s->count > 1)
				TRY(CUDA(run, cudaSetDevice(s->lanes[i].device)));
			TRY(enqueue(run, &s->lanes[i], s->bytes));
		}
	for (unsigned i = 0; i < s->count; i++) {
		TRY(CUDA(run, cudaSetDevice(s->lanes[i].device)));
		TRY(CUDA(run, cudaEventRecord(s->lanes[i].end, s->lanes[i].stream)));
	}
	return READY;
}

/*
 * Copies of pageable memory go through buffers of the driver: the host takes part, and its clock is the right one.
 */
static double sample(struct run *run, unsigned long long calls)
{
	const struct state *s = run->state;
	double start = clock_s(), longest = 0;
	if (copy(run, s, calls) != READY)
		return -1;
	for (unsigned i = 0; i < s->count; i++) {
		float milliseconds = 0;
		if (CUDA(run, cudaSetDevice(s->lanes[i].device)) != READY ||
			CUDA(run, cudaEventSynchronize(s->lanes[i].end)) != READY ||
			CUDA(run, cudaEventElapsedTime(&milliseconds, s->lanes[i].begin, s->lanes[i].end)) !=
				READY)
			return -1;
		longest = (double)milliseconds * 1e-3 > longest ? (double)milliseconds * 1e-3 : longest;
	}
	bool pageable = !s->pinned && (s->lanes[0].to_host || s->lanes[0].from_host);
	return pageable ? clock_s() - start : longest;
}

static void free_side(void *memory, bool host, bool pinned)
{
	if (!memory)
		return;
	if (!host)
		(void)cudaFree(memory);
	else if (pinned)
		(void)cudaFreeHost(memory);
	else
		free(memory);
}

static void release(struct run *run)
{
	struct state *s = run->state;
	if (!s)
		return;
	for (unsigned i = 0; i < s->count; i++) {
		struct lane *lane = &s->lanes[i];
		(void)cudaSetDevice(lane->device);
		free_side(lane->from, lane->from_host, s->pinned);
		free_side(lane->to, lane->to_host, s->pinned);
		if (lane->begin)
			(void)cudaEventDestroy(lane->begin);
		if (lane->end)
			(void)cudaEventDestroy(lane->end);
		if (lane->stream)
			(void)cudaStreamDestroy(lane->stream);
	}
	(void)cudaSetDevice(device.ordinal);
	free(s);
	run->state = NULL;
}

const struct bench bench_transfer = {
	.name = "transfer",
	.summary = "copies between host and devices, and between devices",
	.least_sample_s = 200e-6,
	.list = list,
	.prepare = prepare,
	.sample = sample,
	.release = release,
};
