/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares traces as the PyTorch profiler writes them (Chrome trace events): kernels that ran on the
 * device, launches on the host that started them, and ranges that say what the program was doing then.
 */
#ifndef STUDY_MEASURED_TRACE_H
#define STUDY_MEASURED_TRACE_H

#include "base/arena.h"
#include "base/json.h"
#include "paradl/oracle.h"
#include "study/measured/measured_phases.h"

#include <stdio.h>

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

/*
 * A stream is a reader of JSON of any size, value by value, from a file. It is strict as base/json.h is, and
 * builds no tree. The caller asks what the next value is, and takes it or skips it.
 */

enum { STREAM_BUFFER = 65536, STREAM_TEXT = 256 };

struct json_stream {
	FILE *file;
	const char *path;
	struct paradl_error *error;
	size_t at, end;
	/* Offsets in the file: of buffer[0], and of the first character of the line. */
	double offset, line_offset;
	int line;
	unsigned depth;
	bool failed, first; /* first: no member of the innermost array or object was read yet */
	unsigned char buffer[STREAM_BUFFER];
};

void stream_begin(struct json_stream *stream, FILE *file, const char *path, struct paradl_error *error);
/* Finds the kind of the next value; false at an error. */
bool stream_kind(struct json_stream *stream, enum json_kind *kind);
/* Takes a text, the next value. Texts longer than `size` - 1 bytes are cut at a character. */
bool stream_text(struct json_stream *stream, char *text, size_t size);
bool stream_number(struct json_stream *stream, double *number);
bool stream_skip(struct json_stream *stream);
/*
 * Begins an array or object. The next two begin each member until they return false, as they do at an error
 * (stream->failed).
 */
bool stream_enter(struct json_stream *stream, char bracket);
bool stream_next(struct json_stream *stream, char closing);
bool stream_next_key(struct json_stream *stream, char *key, size_t size);
/* Returns whether nothing but white space follows. */
bool stream_finish(struct json_stream *stream);
bool stream_fail(struct json_stream *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A timeline says what a device does at each moment. If several items run together, the phase of the
 * highest rank has the moment: compute before communication before copies of input. So each moment is counted once,
 * and the moments that communication has are exposed.
 */

struct timeline_item {
	double begin_s, end_s;
	unsigned phase;
};

struct timeline_window {
	double begin_s, end_s; /* begin and end, filled by the caller; windows are ascending, none overlap */
	double exposed_s[PARADL_PHASE_COUNT]; /* seconds of each phase, with idle moments that count as it */
	double busy_s[PARADL_PHASE_COUNT];    /* seconds in which each phase runs, whatever else does */
	double idle_s;                        /* seconds of exposed_s when nothing ran */
	double items[PARADL_PHASE_COUNT];     /* number of items that begin in the window */
};

/*
 * Fills the windows. `idle_phase`: what idle moments count as; PARADL_PHASE_COUNT: as what comes next. False: out of
 * memory.
 */
bool timeline_sweep(struct paradl_arena *arena, const struct timeline_item *items, size_t count,
	unsigned idle_phase, struct timeline_window *windows, size_t window_count);

/* Returns the index of the window that a moment is in; `count`: none. */
size_t timeline_window_of(const struct timeline_window *windows, size_t count, double at_s);

#endif
