/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares traces as the PyTorch profiler writes them (Chrome trace events): kernels that ran on the
 * device, launches on the host that started them, and ranges that say what the program was doing then.
 */
#ifndef STUDY_MEASURED_TRACE_H
#define STUDY_MEASURED_TRACE_H

#include "study/measured/measured_phases.h"

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
	int layer;       /* layer of a named range; then, of the ranges inside; -1: none */
	double sequence; /* number of an operation that autograd knows; -1: none */
	/*
	 * Index of the range around it, -1: none; kind that counts, its own or an outer one's. Filled by
	 * trace_context.
	 */
	int parent;
	enum range_kind within;
};

/* A call of the host that starts something on the device. */
struct trace_launch {
	double at_s, correlation;
	unsigned thread;
};

struct trace_kernel {
	double begin_s, end_s, correlation, group; /* group: devices of a collective; 0: not said */
	enum sends sends;
	bool to_device; /* whether it is a copy from the host */
	/* Fields filled by trace_context: */
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
	struct trace_thread *threads; /* room for THREADS_MAX */
	unsigned thread_count;
	double rank; /* rank of the trace; negative: not said */
};

/* Reads the file; false with an error. */
bool trace_read(struct measured_reading *reading, struct trace *trace);
/* Returns what the category and name of an event on the host say. */
enum range_kind trace_range_kind(const char *category, const char *name);
enum sends trace_collective(const char *name);
/* Fills the ranges around each range, and for each kernel those around its launch. False: error is set. */
bool trace_context(struct trace *trace);

#endif
