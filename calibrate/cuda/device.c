/* SPDX-License-Identifier: BSD-3-Clause */
#include "device.h"

#include <stdio.h>
#include <string.h>

#include "kernels.h"
#include "nvml.h"

struct device device;

static const char *base_name(const char *file)
{
	const char *slash = strrchr(file, '/');
	return slash ? slash + 1 : file;
}

/* Errors of one call leave the device as it was; those that come back from cudaDeviceSynchronize stay. */
enum ready cuda_status(struct run *run, cudaError_t status, const char *call, const char *file, int line)
{
	if (status == cudaSuccess)
		return READY;
	(void)cudaGetLastError();
	if (status == cudaErrorMemoryAllocation)
		return run_say(run, ABSENT, "out of memory");
	device.lost = device.lost || (device.count > 0 && cudaDeviceSynchronize() != cudaSuccess);
	run->lost = device.lost;
	return run_say(run, FAILED, "%s (%s) at %s:%d: %.60s", cudaGetErrorName(status),
		cudaGetErrorString(status), base_name(file), line, call);
}

enum ready library_status(
	struct run *run, bool good, const char *message, const char *call, const char *file, int line)
{
	if (good)
		return READY;
	(void)cudaGetLastError();
	device.lost = device.lost || cudaDeviceSynchronize() != cudaSuccess;
	run->lost = device.lost;
	return run_say(run, FAILED, "%s at %s:%d: %.60s", message, base_name(file), line, call);
}

enum ready device_usable(struct run *run)
{
	return CUDA(run, cudaSetDevice(device.ordinal));
}

int device_count_listed(void)
{
	int count = device.count;
	if (count == 0 && cudaGetDeviceCount(&count) != cudaSuccess)
		(void)cudaGetLastError();
	return count > 0 ? count : NO_DEVICE_LISTED;
}

static void describe(const struct cudaDeviceProp *properties)
{
	int driver = 0, runtime = 0;
	(void)cudaDriverGetVersion(&driver);
	(void)cudaRuntimeGetVersion(&runtime);
	environment_add("gpu", "%s", properties->name);
	environment_add("gpus", "%d", device.count);
	environment_add("capability", "%d.%d", properties->major, properties->minor);
	environment_add("multiprocessors", "%d", properties->multiProcessorCount);
	environment_add("memory_bytes", "%zu", properties->totalGlobalMem);
	environment_add("l2_bytes", "%d", properties->l2CacheSize);
	environment_add("memory_bus_bits", "%d", properties->memoryBusWidth);
	environment_add("ecc", "%s", properties->ECCEnabled ? "on" : "off");
	environment_add("cuda", "%d.%d", runtime / 1000, runtime % 1000 / 10);
	environment_add("cuda_driver", "%d.%d", driver / 1000, driver % 1000 / 10);
}

enum ready device_begin(struct run *run, unsigned local_rank)
{
	int count = 0;
	cudaError_t status = cudaGetDeviceCount(&count);
	if (status != cudaSuccess)
		return run_say(run, ABSENT,
			"no CUDA device can be used: %s (%s); is a driver loaded, and is it as new "
			"as CUDA %d.%d?",
			cudaGetErrorName(status), cudaGetErrorString(status), CUDART_VERSION / 1000,
			CUDART_VERSION % 1000 / 10);
	if (count == 0)
		return run_say(run, ABSENT, "no CUDA device: the driver shows none to this process");
	struct cudaDeviceProp properties;
	int ordinal = (int)(local_rank % (unsigned)count);
	TRY(CUDA(run, cudaSetDevice(ordinal)));
	TRY(CUDA(run, cudaGetDeviceProperties(&properties, ordinal)));
	if (10 * properties.major + properties.minor < 75)
		return run_say(run, ABSENT, "%.60s has compute capability %d.%d; 7.5 and newer are measured",
			properties.name, properties.major, properties.minor);
	device.count = count;
	device.ordinal = ordinal;
	device.major = properties.major;
	device.minor = properties.minor;
	device.multiprocessors = properties.multiProcessorCount;
	device.l2_bytes = (size_t)properties.l2CacheSize;
	device.memory_bytes = properties.totalGlobalMem;
	TRY(CUDA(run, cudaStreamCreateWithFlags(&device.stream, cudaStreamNonBlocking)));
	TRY(CUDA(run, cudaEventCreate(&device.begin)));
	TRY(CUDA(run, cudaEventCreate(&device.end)));
	TRY(CUDA(run, cudaHostAlloc((void **)&device.gate, sizeof *device.gate, cudaHostAllocPortable)));
	*device.gate = 0;
	describe(&properties);
	nvml_begin(ordinal);
	return READY;
}

void device_end(void)
{
	nvml_end();
	if (device.count == 0 || device.lost)
		return;
	(void)cudaFreeHost(device.gate);
	(void)cudaEventDestroy(device.begin);
	(void)cudaEventDestroy(device.end);
	(void)cudaStreamDestroy(device.stream);
	device.count = 0;
}

/* Lets kernels go on that wait for this ticket; volatile, as the device reads it meanwhile. */
static void gate_open(unsigned ticket)
{
	*(volatile unsigned *)device.gate = ticket;
}

static enum ready timed(struct run *run, unsigned long long calls, enqueue_call *enqueue, float *milliseconds)
{
	const unsigned ticket = *device.gate + 1;
	TRY(CUDA(run, kernel_gate(device.gate, ticket, device.stream)));
	enum ready ready = CUDA(run, cudaEventRecord(device.begin, device.stream));
	for (unsigned long long i = 0; i < calls && ready == READY; i++) {
		if (i == QUEUE_SAFE)
			gate_open(ticket);
		ready = enqueue(run, i);
	}
	gate_open(ticket);
	TRY(ready);
	TRY(CUDA(run, cudaEventRecord(device.end, device.stream)));
	TRY(CUDA(run, cudaEventSynchronize(device.end)));
	return CUDA(run, cudaEventElapsedTime(milliseconds, device.begin, device.end));
}

double device_time(struct run *run, unsigned long long calls, enqueue_call *enqueue)
{
	float milliseconds = 0;
	run->timed = "kernels";
	nvml_watch(run);
	if (timed(run, calls, enqueue, &milliseconds) != READY)
		return -1;
	nvml_watch(run);
	device.busy_until_s = clock_s();
	return (double)milliseconds * 1e-3;
}

enum ready device_warm(struct run *run, enqueue_call *enqueue)
{
	const double usual = clock_s() - device.busy_until_s < 0.25 ? 0.1 : 0.5;
	const double most = run_left_s(run) / 2;
	return device_run(run, enqueue, usual < most ? usual : most);
}

enum ready device_run(struct run *run, enqueue_call *enqueue, double seconds)
{
	const double start = clock_s();
	unsigned long long index = 0;
	do {
		for (unsigned i = 0; i < 4; i++)
			TRY(enqueue(run, index++));
		TRY(CUDA(run, cudaStreamSynchronize(device.stream)));
		device.busy_until_s = clock_s();
	} while (device.busy_until_s - start < seconds);
	return READY;
}

size_t aligned(size_t bytes)
{
	return (bytes + 255) / 256 * 256;
}

enum ready rotation_allocate(struct run *run, struct rotation *rotation, size_t bytes)
{
	size_t stride = aligned(bytes ? bytes : 1), enough = 3 * device.l2_bytes;
	size_t copies = stride >= enough ? 1 : (enough + stride - 1) / stride;
	void *base = NULL;
	TRY(CUDA(run, cudaMalloc(&base, copies * stride)));
	*rotation = (struct rotation){base, stride, (unsigned)copies};
	return READY;
}

void rotation_free(struct rotation *rotation)
{
	if (rotation->base)
		(void)cudaFree(rotation->base);
	*rotation = (struct rotation){0};
}

void *rotation_at(const struct rotation *rotation, unsigned long long index, size_t offset)
{
	return rotation->base + index % rotation->copies * rotation->stride + offset;
}
