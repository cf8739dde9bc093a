/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces as the PyTorch profiler writes them (Chrome trace events): what ran on the device, what of the host started it, and
 * what the program was doing then.
 */
#ifndef STUDY_MEASURED_TRACE_H
#define STUDY_MEASURED_TRACE_H

#include "study/measured/measured.h"

enum range_kind {
	RANGE_STEP, /* ProfilerStep#3 */
	RANGE_FORWARD,
	RANGE_BACKWARD,
	RANGE_UPDATE,
	RANGE_LOADER,
	RANGE_NAMED, /* a layer, if the network has one of that name */
	RANGE_OPERATION
};

enum sends {
	COLLECTIVE_NONE,
	COLLECTIVE_REDUCE,
	COLLECTIVE_GATHER,
	COLLECTIVE_SCATTER,
	COLLECTIVE_SEND,
	COLLECTIVE_ALL_TO_ALL
};

/* A stretch of the host's time, or of an annotation on the device (thread: DEVICE_THREAD). */
struct trace_range {
	double begin_s, end_s;
	unsigned thread;
	enum range_kind kind;
	int layer;       /* of a named one; then, of what is inside; -1: none */
	double sequence; /* of an operation that autograd knows; -1 */
	/* What it is in, itself included; filled by trace_context. */
	int parent;
	enum range_kind within;
};

/* On the host: something is started on the device. */
struct trace_launch {
	double at_s, correlation;
	unsigned thread;
};

struct trace_kernel {
	double begin_s, end_s, correlation, group; /* group: devices of a collective; 0: not said */
	enum sends sends;
	bool to_device; /* a copy from the host */
	/* Filled by trace_context: */
	double launched_s;
	enum range_kind within;
	int layer;
};

enum { DEVICE_THREAD = 0, THREADS_MAX = 4096 };

struct trace_thread {
	double process, thread;
};

struct trace {
	struct measured_reading *reading;
	struct trace_range *ranges;
	struct trace_launch *launches;
	struct trace_kernel *kernels;
	size_t range_count, launch_count, kernel_count;
	struct trace_thread *threads; /* THREADS_MAX */
	unsigned thread_count;
	double rank; /* negative: not said */
};

/* Reads the file; false with an error. */
bool trace_read(struct measured_reading *reading, struct trace *trace);
/* What a name says. */
enum range_kind trace_range_kind(const char *category, const char *name);
enum sends trace_collective(const char *name);
/* Fills what ranges are in, and of each kernel what started it. */
bool trace_context(struct trace *trace);

#endif
