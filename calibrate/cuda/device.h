/* SPDX-License-Identifier: BSD-3-Clause */
/* The GPU that a process measures, its clock, and statuses of calls. */
#ifndef CALIBRATE_CUDA_DEVICE_H
#define CALIBRATE_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#include "bench.h"

enum {
	NO_DEVICE_LISTED = 1, /* GPUs that points are listed for where there is none */
	QUEUE_SAFE = 512      /* calls that a stream holds without making the host wait */
};

struct device {
	int count;        /* GPUs that this process sees; 0: none */
	int ordinal;      /* the one it measures */
	int major, minor; /* compute capability */
	int multiprocessors;
	size_t l2_bytes, memory_bytes;
	unsigned measured_together; /* processes of this host that measure at the same time */
	cudaStream_t stream;
	cudaEvent_t begin, end;
	unsigned *gate;      /* in host memory that the device reads; what kernel_gate waits for */
	double busy_until_s; /* when the last work for a warm clock ended */
	bool lost;           /* by an error that stays until the process ends */
};
extern struct device device;

/* READY, or why not: ABSENT where memory is short, else FAILED with the call and its place. */
enum ready cuda_status(struct run *run, cudaError_t status, const char *call, const char *file, int line);
#define CUDA(run, call) cuda_status(run, call, #call, __FILE__, __LINE__)
/* The same of a library's own status; FAILED. */
enum ready library_status(
	struct run *run, bool good, const char *message, const char *call, const char *file, int line);

#define TRY(step)                                                                                            \
	do {                                                                                                 \
		enum ready tried = (step);                                                                   \
		if (tried != READY)                                                                          \
			return tried;                                                                        \
	} while (0)

/* Looks for GPUs and adds what they are to the environment. */
enum ready device_begin(struct run *run, unsigned local_rank);
void device_end(void);
/* First thing of every prepare. An error that makes the device unusable ends the program after its point (struct run: lost). */
enum ready device_usable(struct run *run);
int device_count_listed(void);

/* Enqueues call number `index` of a sample into device.stream. */
typedef enum ready enqueue_call(struct run *run, unsigned long long index);
/*
 * Seconds on the device of `calls` of them, one after another; negative: it failed. The device waits until calls are
 * enqueued, so that the time is that of kernels, not of the host that enqueues them.
 */
double device_time(struct run *run, unsigned long long calls, enqueue_call *enqueue);
/* Runs them for so long that clocks are where they stay: 0.5 s, less if the device was just busy, half of what a point has left at most. */
enum ready device_warm(struct run *run, enqueue_call *enqueue);
/* Runs them for so many seconds. */
enum ready device_run(struct run *run, enqueue_call *enqueue, double seconds);

/*
 * Copies of a point's buffers: calls take one after another, so that what one has left in the L2 cache is gone when its
 * turn comes again. All copies together are at least three times the L2 cache.
 */
struct rotation {
	unsigned char *base;
	size_t stride;
	unsigned copies;
};
enum ready rotation_allocate(struct run *run, struct rotation *rotation, size_t bytes);
void rotation_free(struct rotation *rotation);
void *rotation_at(const struct rotation *rotation, unsigned long long index, size_t offset);

/* Rounds up to 256 bytes, the alignment that libraries assume of operands. */
size_t aligned(size_t bytes);

#endif
