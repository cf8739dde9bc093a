/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file reads ranges, launches and kernels from a trace. Events that say nothing about phases are skipped. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/names.h"
#include "study/measured/trace.h"

static const double latest_us = 1e16; /* later than any clock of microseconds since 1970 shows */

/* The members of one event that are needed. */
struct event {
	char phase[8], category[48], name[STREAM_TEXT];
	double ts, dur, pid, tid, correlation, sequence, group;
	bool has_ts, has_dur;
};

/*
 * Reads the name of a process or thread as a number: both numbers and texts are in use, and texts become negative
 * hashes.
 */
static bool name_or_number(struct json_stream *stream, double *value)
{
	enum json_kind kind;
	char text[64];
	if (!stream_kind(stream, &kind))
		return false;
	if (kind == JSON_NUMBER)
		return stream_number(stream, value);
	if (kind != JSON_STRING)
		return stream_skip(stream);
	if (!stream_text(stream, text, sizeof text))
		return false;
	double hash = 0;
	for (const char *at = text; *at; ++at)
		hash = fmod(hash * 131 + (unsigned char)*at, 9007199254740881.0);
	*value = -1 - hash;
	return true;
}

/* Reads a number; anything else is passed over. */
static bool optional_number(struct json_stream *stream, double *value)
{
	enum json_kind kind;
	if (!stream_kind(stream, &kind))
		return false;
	return kind == JSON_NUMBER ? stream_number(stream, value) : stream_skip(stream);
}

static bool optional_text(struct json_stream *stream, char *text, size_t size)
{
	enum json_kind kind;
	if (!stream_kind(stream, &kind))
		return false;
	return kind == JSON_STRING ? stream_text(stream, text, size) : stream_skip(stream);
}

static bool arguments_read(struct json_stream *stream, struct event *event)
{
	char key[32];
	enum json_kind kind;
	if (!stream_kind(stream, &kind))
		return false;
	if (kind != JSON_OBJECT)
		return stream_skip(stream);
	if (!stream_enter(stream, '{'))
		return false;
	while (stream_next_key(stream, key, sizeof key)) {
		const bool read =
			strcmp(key, "correlation") == 0       ? optional_number(stream, &event->correlation)
			: strcmp(key, "Sequence number") == 0 ? optional_number(stream, &event->sequence)
			: strcmp(key, "Group size") == 0      ? optional_number(stream, &event->group)
							      : stream_skip(stream);
		if (!read)
			return false;
	}
	return !stream->failed;
}

static bool time_read(struct json_stream *stream, const char *what, double *value, bool *has)
{
	enum json_kind kind;
	if (!stream_kind(stream, &kind))
		return false;
	if (kind != JSON_NUMBER)
		return stream_fail(stream, "\"%s\" must be a number of microseconds", what);
	*has = true;
	if (!stream_number(stream, value))
		return false;
	return fabs(*value) <= latest_us ||
	       stream_fail(stream, "\"%s\" is %.3g microseconds, which no clock shows", what, *value);
}

enum member { MEMBER_TEXT, MEMBER_TIME, MEMBER_NAME, MEMBER_ARGUMENTS };

static const struct {
	const char *key;
	enum member member;
	size_t offset, more; /* more: size of a text, or offset of the flag that says that there is a time */
} members[] = {
	{"ph", MEMBER_TEXT, offsetof(struct event, phase), sizeof((struct event *)0)->phase},
	{"cat", MEMBER_TEXT, offsetof(struct event, category), sizeof((struct event *)0)->category},
	{"name", MEMBER_TEXT, offsetof(struct event, name), sizeof((struct event *)0)->name},
	{"ts", MEMBER_TIME, offsetof(struct event, ts), offsetof(struct event, has_ts)},
	{"dur", MEMBER_TIME, offsetof(struct event, dur), offsetof(struct event, has_dur)},
	{"pid", MEMBER_NAME, offsetof(struct event, pid), 0},
	{"tid", MEMBER_NAME, offsetof(struct event, tid), 0},
	{"args", MEMBER_ARGUMENTS, 0, 0},
};

static bool member_read(struct json_stream *stream, const char *key, struct event *event)
{
	size_t i = 0;
	while (i < sizeof members / sizeof members[0] && strcmp(members[i].key, key) != 0)
		++i;
	if (i == sizeof members / sizeof members[0])
		return stream_skip(stream);
	void *value = (char *)event + members[i].offset;
	switch (members[i].member) {
	case MEMBER_TEXT:
		return optional_text(stream, value, members[i].more);
	case MEMBER_TIME:
		return time_read(stream, key, value, (bool *)((char *)event + members[i].more));
	case MEMBER_NAME:
		return name_or_number(stream, value);
	case MEMBER_ARGUMENTS:
		break;
	}
	return arguments_read(stream, event);
}

static bool event_read(struct json_stream *stream, struct event *event)
{
	char key[32];
	event->phase[0] = event->category[0] = event->name[0] = '\0';
	event->ts = event->dur = event->pid = event->tid = event->group = 0;
	event->correlation = event->sequence = -1;
	event->has_ts = event->has_dur = false;
	if (!stream_enter(stream, '{'))
		return false;
	while (stream_next_key(stream, key, sizeof key))
		if (!member_read(stream, key, event))
			return false;
	return !stream->failed;
}

/* Returns the number of a thread, from 1; negative: there are too many. */
static int thread_of(struct trace *trace, const struct event *event)
{
	for (unsigned i = trace->thread_count; i-- > 0;) {
		const struct trace_thread *thread = &trace->threads[i];
		if (!(thread->process < event->pid) && !(thread->process > event->pid) &&
			!(thread->thread < event->tid) && !(thread->thread > event->tid))
			return (int)i + 1;
	}
	if (trace->thread_count == THREADS_MAX) {
		error_at(trace->reading->error, PARADL_SCHEMA, trace->reading->path, 0, 0,
			"has more than %d threads", THREADS_MAX);
		return -1;
	}
	trace->threads[trace->thread_count] = (struct trace_thread){event->pid, event->tid};
	return (int)++trace->thread_count;
}

static const char *layer_name(const char *name)
{
	static const char module[] = "nn.Module: ";
	return strncmp(name, module, sizeof module - 1) == 0 ? name + sizeof module - 1 : name;
}

/* Returns the index of the layer of that name; -1: the network has none. */
static int layer_find(struct trace *trace, const char *name)
{
	const struct paradl_model *model = trace->reading->oracle->model;
	const bool known = name_index(name, model->names, model->order_count) < model->order_count;
	return known ? observe_layer(trace->reading, name) : -1;
}

static bool range_add(struct trace *trace, const struct event *event, bool on_device)
{
	const int thread = on_device ? DEVICE_THREAD : thread_of(trace, event);
	const enum range_kind kind = trace_range_kind(event->category, event->name);
	const int layer = kind == RANGE_NAMED ? layer_find(trace, layer_name(event->name)) : -1;
	if ((kind == RANGE_NAMED && layer < 0) || (kind == RANGE_OPERATION && event->sequence < 0))
		return true;
	if (thread < 0)
		return false;
	struct trace_range *const range = LIST_ADD(trace->reading->arena, trace->ranges, trace->range_count);
	if (!range)
		return out_of_memory(trace->reading->error);
	*range = (struct trace_range){.begin_s = event->ts * 1e-6,
		.end_s = (event->ts + event->dur) * 1e-6,
		.thread = (unsigned)thread,
		.kind = kind,
		.layer = layer,
		.sequence = event->sequence,
		.parent = -1,
		.within = kind};
	return true;
}

static bool kernel_add(struct trace *trace, const struct event *event, bool copy)
{
	struct trace_kernel *const kernel =
		LIST_ADD(trace->reading->arena, trace->kernels, trace->kernel_count);
	if (!kernel)
		return out_of_memory(trace->reading->error);
	*kernel = (struct trace_kernel){.begin_s = event->ts * 1e-6,
		.end_s = (event->ts + event->dur) * 1e-6,
		.correlation = event->correlation,
		.group = event->group,
		.sends = copy ? COLLECTIVE_NONE : trace_collective(event->name),
		.to_device = copy && strstr(event->name, "HtoD") != NULL,
		.within = RANGE_FORWARD,
		.layer = -1};
	return true;
}

static bool launch_add(struct trace *trace, const struct event *event)
{
	const int thread = thread_of(trace, event);
	if (event->correlation < 0)
		return true;
	if (thread < 0)
		return false;
	struct trace_launch *const launch =
		LIST_ADD(trace->reading->arena, trace->launches, trace->launch_count);
	if (!launch)
		return out_of_memory(trace->reading->error);
	*launch = (struct trace_launch){
		.at_s = event->ts * 1e-6, .correlation = event->correlation, .thread = (unsigned)thread};
	return true;
}

static bool event_add(struct trace *trace, const struct event *event)
{
	const char *category = event->category;
	if (strcmp(category, "kernel") == 0)
		return kernel_add(trace, event, false);
	if (strcmp(category, "gpu_memcpy") == 0 || strcmp(category, "gpu_memset") == 0)
		return kernel_add(trace, event, true);
	if (strcmp(category, "cuda_runtime") == 0 || strcmp(category, "cuda_driver") == 0 ||
		strcmp(category, "hip_runtime") == 0)
		return launch_add(trace, event);
	if (strcmp(category, "gpu_user_annotation") == 0)
		return range_add(trace, event, true);
	if (strcmp(category, "user_annotation") == 0 || strcmp(category, "cpu_op") == 0 ||
		strcmp(category, "python_function") == 0)
		return range_add(trace, event, false);
	return true;
}

static bool events_read(struct json_stream *stream, struct trace *trace, struct event *event)
{
	if (!stream_enter(stream, '['))
		return false;
	while (stream_next(stream, ']')) {
		if (!event_read(stream, event))
			return false;
		if (strcmp(event->phase, "X") != 0)
			continue;
		if (!event->has_ts || !event->has_dur)
			return stream_fail(
				stream, "an event of ph \"X\" has no \"%s\"", event->has_ts ? "dur" : "ts");
		if (event->dur < 0)
			return stream_fail(stream, "\"%.60s\" takes %.6g microseconds: less than none",
				event->name, event->dur);
		if (!event_add(trace, event))
			return false;
	}
	return !stream->failed;
}

static bool rank_read(struct json_stream *stream, struct trace *trace)
{
	char key[32];
	enum json_kind kind;
	if (!stream_kind(stream, &kind) || kind != JSON_OBJECT)
		return !stream->failed && stream_skip(stream);
	if (!stream_enter(stream, '{'))
		return false;
	while (stream_next_key(stream, key, sizeof key))
		if (!(strcmp(key, "rank") == 0 ? optional_number(stream, &trace->rank) : stream_skip(stream)))
			return false;
	return !stream->failed;
}

static bool document_read(struct json_stream *stream, struct trace *trace, struct event *event)
{
	char key[32];
	bool found = false;
	enum json_kind kind;
	if (!stream_kind(stream, &kind))
		return false;
	if (kind == JSON_ARRAY)
		return events_read(stream, trace, event) && stream_finish(stream);
	if (!stream_enter(stream, '{'))
		return false;
	while (stream_next_key(stream, key, sizeof key)) {
		const bool events = strcmp(key, "traceEvents") == 0;
		if (events && found)
			return stream_fail(stream, "\"traceEvents\" is there twice");
		found |= events;
		if (!(events                                      ? events_read(stream, trace, event)
			    : strcmp(key, "distributedInfo") == 0 ? rank_read(stream, trace)
								  : stream_skip(stream)))
			return false;
	}
	if (stream->failed || !stream_finish(stream))
		return false;
	return found || stream_fail(stream, "has no \"traceEvents\"");
}

bool trace_read(struct measured_reading *reading, struct trace *trace)
{
	struct json_stream *stream = arena_alloc(reading->arena, 1, sizeof *stream);
	struct event *event = arena_alloc(reading->arena, 1, sizeof *event);
	if (!stream || !event)
		return out_of_memory(reading->error);
	*trace = (struct trace){.reading = reading,
		.threads = arena_alloc(reading->arena, THREADS_MAX, sizeof(struct trace_thread)),
		.rank = -1};
	if (!trace->threads)
		return out_of_memory(reading->error);
	FILE *file = file_stream(reading->arena, reading->path, reading->error);
	if (!file)
		return false;
	stream_begin(stream, file, reading->path, reading->error);
	const bool read = document_read(stream, trace, event);
	fclose(file);
	return read;
}
