/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What paradl-measure-cuda calls of the CUDA runtime, on devices that are not there: memory is host memory whose bounds are
 * known, streams take no time but that of a clock which work moves on, and what is not given back is told at the end.
 * FAKE_DEVICES (2) devices of FAKE_MEMORY (256 MiB) each; FAKE_LOST=N: the Nth synchronisation with a stream fails, and from then on
 * nothing works.
 */
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "fake_device.h"

enum { ALLOCATIONS_MAX = 4096, DEVICES_MAX = 16 };

struct allocation {
	unsigned char *base;
	size_t bytes;
	int device; /* -1: of the host, pinned */
};
static struct allocation allocations[ALLOCATIONS_MAX];
static size_t allocation_count, used[DEVICES_MAX];
static int current, objects; /* streams and events that live */
static double clock_of_device_s = 1;
static bool idle = true;
static cudaError_t last;

static size_t setting(const char *name, size_t otherwise)
{
	const char *text = getenv(name);
	return text ? (size_t)strtoull(text, NULL, 10) : otherwise;
}

static int devices(void)
{
	return (int)setting("FAKE_DEVICES", 2);
}

static cudaError_t result(cudaError_t status)
{
	if (status != cudaSuccess)
		last = status;
	return status;
}

static const struct allocation *find(const void *address)
{
	for (size_t i = 0; i < allocation_count; i++) {
		const struct allocation *a = &allocations[i];
		if ((const unsigned char *)address >= a->base &&
			(const unsigned char *)address < a->base + a->bytes)
			return a;
	}
	return NULL;
}

bool fake_holds(const void *address, size_t bytes)
{
	const struct allocation *a = find(address);
	return a && a->device >= 0 && (size_t)((const unsigned char *)address - a->base) + bytes <= a->bytes;
}

bool fake_check(const char *what, const void *address, size_t bytes)
{
	if (fake_holds(address, bytes))
		return true;
	fprintf(stderr, "FAKE: %s: %zu bytes at %p are not within one allocation\n", what, bytes, address);
	return false;
}

static double host_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Clocks fall to FAKE_HEATED per cent within some seconds after the first look, as those of a device that becomes warm. */
double fake_heat(void)
{
	static const double settling_s = 2;
	static double begin_s;
	if (!(begin_s > 0))
		begin_s = host_s();
	return fmin(1, (host_s() - begin_s) / settling_s);
}

double fake_clock_share(void)
{
	return 1 - fake_heat() * (1 - (double)setting("FAKE_HEATED", 100) / 100);
}

/*
 * What is launched on an idle device begins FAKE_GAP_NS later; clocks that are held down make all FAKE_SLOW per cent as long, and a power
 * limit what runs more than 8 ms after the last rest of 50 ms FAKE_FALLEN per cent as long.
 */
void fake_work(double seconds)
{
	static const double budget_s = 8e-3, rest_s = 0.05;
	static double rested_s, busy_until_s;
	if (idle) {
		clock_of_device_s += 1e-9 * (double)setting("FAKE_GAP_NS", 0);
		if (host_s() - busy_until_s > rest_s)
			rested_s = clock_of_device_s;
	}
	busy_until_s = host_s();
	idle = false;
	const double fallen =
		clock_of_device_s - rested_s > budget_s ? (double)setting("FAKE_FALLEN", 100) : 100;
	clock_of_device_s +=
		seconds * fallen / 100 * (double)setting("FAKE_SLOW", 100) / 100 / fake_clock_share();
}

/* Pages that nobody touches take no memory, so sizes can be those of real devices. */
static cudaError_t allocate(void **address, size_t bytes, int device)
{
	if (allocation_count == ALLOCATIONS_MAX || bytes == 0)
		return result(cudaErrorInvalidValue);
	if (device >= 0 && used[device] + bytes > setting("FAKE_MEMORY", (size_t)256 << 20))
		return result(cudaErrorMemoryAllocation);
	void *base =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (base == MAP_FAILED)
		return result(cudaErrorMemoryAllocation);
	allocations[allocation_count++] = (struct allocation){base, bytes, device};
	if (device >= 0)
		used[device] += bytes;
	*address = base;
	return cudaSuccess;
}

static cudaError_t release(void *address)
{
	for (size_t i = 0; i < allocation_count; i++)
		if (allocations[i].base == address) {
			if (allocations[i].device >= 0)
				used[allocations[i].device] -= allocations[i].bytes;
			munmap(address, allocations[i].bytes);
			allocations[i] = allocations[--allocation_count];
			return cudaSuccess;
		}
	fprintf(stderr, "FAKE: %p is freed and was not allocated\n", address);
	abort();
}

static void tell_leaks(void)
{
	for (size_t i = 0; i < allocation_count; i++)
		fprintf(stderr, "FAKE: %zu bytes were not freed\n", allocations[i].bytes);
	if (objects != 0)
		fprintf(stderr, "FAKE: %d streams or events are left\n", objects);
}

cudaError_t cudaGetDeviceCount(int *count)
{
	static bool registered;
	if (!registered)
		atexit(tell_leaks);
	registered = true;
	*count = devices();
	return *count > 0 ? cudaSuccess : result(cudaErrorNoDevice);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
	memset(properties, 0, sizeof *properties);
	snprintf(properties->name, sizeof properties->name, "Fake %d", device);
	properties->major = (int)setting("FAKE_CAPABILITY", 90) / 10;
	properties->minor = (int)setting("FAKE_CAPABILITY", 90) % 10;
	properties->multiProcessorCount = 4;
	properties->l2CacheSize = 1 << 20;
	properties->totalGlobalMem = setting("FAKE_MEMORY", (size_t)256 << 20);
	return cudaSuccess;
}

const char *cudaGetErrorName(cudaError_t status)
{
	return status == cudaErrorNoDevice ? "cudaErrorNoDevice" : "cudaError";
}
const char *cudaGetErrorString(cudaError_t status)
{
	return status == cudaErrorNoDevice ? "no CUDA-capable device is detected" : "an error";
}
cudaError_t cudaGetLastError(void)
{
	cudaError_t status = last;
	last = cudaSuccess;
	return status;
}
cudaError_t cudaSetDevice(int device)
{
	if (device < 0 || device >= devices())
		return result(cudaErrorInvalidDevice);
	current = device;
	return cudaSuccess;
}
static bool lost;
cudaError_t cudaDeviceSynchronize(void)
{
	idle = true;
	return lost ? cudaErrorIllegalAddress : cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version)
{
	*version = CUDART_VERSION;
	return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device)
{
	snprintf(text, (size_t)length, "0000:%02x:00.0", device);
	return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int from, int to)
{
	*can = from != to;
	return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
	static bool enabled[DEVICES_MAX][DEVICES_MAX];
	if (flags != 0 || peer == current)
		return result(cudaErrorInvalidValue);
	if (enabled[current][peer])
		return result(cudaErrorPeerAccessAlreadyEnabled);
	enabled[current][peer] = true;
	return cudaSuccess;
}

cudaError_t cudaMalloc(void **address, size_t bytes)
{
	return allocate(address, bytes, current);
}
cudaError_t cudaFree(void *address)
{
	return release(address);
}
cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned flags)
{
	(void)flags;
	return allocate(address, bytes, -1);
}
cudaError_t cudaFreeHost(void *address)
{
	return release(address);
}

static cudaError_t move(void *to, const void *from, size_t bytes, bool to_device, bool from_device)
{
	if ((to_device && !fake_check("copy to", to, bytes)) ||
		(from_device && !fake_check("copy from", from, bytes)))
		return result(cudaErrorInvalidValue);
	/* Large copies are for the clock only. */
	if (bytes <= 1 << 16)
		memcpy(to, from, bytes);
	else if (!to_device && from_device)
		memcpy(to, from, bytes);
	fake_work(5e-6 + (double)bytes / 1e10);
	return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
	return move(to, from, bytes, kind == cudaMemcpyHostToDevice, kind == cudaMemcpyDeviceToHost);
}
cudaError_t cudaMemcpyAsync(
	void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return move(to, from, bytes, kind == cudaMemcpyHostToDevice, kind == cudaMemcpyDeviceToHost);
}
cudaError_t cudaMemcpyPeerAsync(
	void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream)
{
	const struct allocation *a = find(to), *b = find(from);
	(void)stream;
	if (!a || !b || a->device != to_device || b->device != from_device)
		return result(cudaErrorInvalidValue);
	return move(to, from, bytes, true, true);
}
cudaError_t cudaMemset(void *address, int value, size_t bytes)
{
	(void)value;
	return fake_check("cudaMemset", address, bytes) ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes, cudaStream_t stream)
{
	(void)stream;
	return cudaMemset(address, value, bytes);
}

/* A stream is nothing but its address, an event the time of its record. */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
	(void)flags;
	objects++;
	*stream = (cudaStream_t)malloc(1);
	return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	objects--;
	free(stream);
	return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	static size_t count;
	idle = true;
	lost = lost || ++count == setting("FAKE_LOST", 0);
	if (lost)
		return result(cudaErrorIllegalAddress);
	return stream ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
	objects++;
	*event = (cudaEvent_t)calloc(1, sizeof(double));
	return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	objects--;
	free(event);
	return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	(void)stream;
	memcpy(event, &clock_of_device_s, sizeof(double));
	return cudaSuccess;
}
static bool stalled;
void fake_stall(bool is)
{
	stalled = is;
}
cudaError_t cudaEventQuery(cudaEvent_t event)
{
	if (stalled)
		return result(cudaErrorNotReady);
	return event ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	idle = true;
	return event ? cudaSuccess : result(cudaErrorInvalidValue);
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
	double from, to;
	memcpy(&from, begin, sizeof from);
	memcpy(&to, end, sizeof to);
	*milliseconds = (float)((to - from) * 1e3);
	return cudaSuccess;
}
