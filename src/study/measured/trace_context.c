/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds out what the program was doing when it started a kernel. Ranges of a thread nest, so a kernel belongs
 * to the innermost one that is open at that moment, and to all ranges around that one. Backward runs in threads of its
 * own, whose operations name the forward ones by a number.
 *
 * This file knows what names of events mean: those of the profiler of PyTorch (Kineto), NCCL and RCCL, and annotations
 * of users.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/measured/trace.h"

static const double rounding_s = 20e-6; /* by which ends of nested ranges may cross */

static int sign(double a, double b)
{
	return (a > b) - (a < b);
}

/* Compares ranges by thread and begin; outer ranges come first. */
static int by_begin(const void *a, const void *b)
{
	const struct trace_range *one = a, *other = b;
	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	const int order = sign(one->begin_s, other->begin_s);
	return order ? order : sign(other->end_s, one->end_s);
}

/*
 * Returns the kind that counts inside two nested ranges: the inner one if it names a phase or the outer is a step,
 * else the outer one.
 */
static enum range_kind joined(enum range_kind outer, enum range_kind inner)
{
	const bool says = inner == RANGE_FORWARD || inner == RANGE_BACKWARD || inner == RANGE_UPDATE ||
			  inner == RANGE_LOADER;
	return says || outer == RANGE_STEP ? inner : outer;
}

static bool crosses(
	const struct trace *trace, const struct trace_range *outer, const struct trace_range *inner)
{
	return inner->kind != RANGE_OPERATION && inner->kind != RANGE_NAMED &&
	       inner->end_s > outer->end_s + rounding_s &&
	       !error_at(trace->reading->error, PARADL_SCHEMA, trace->reading->path, 0, 0,
		       "two annotations of one thread overlap without nesting: at %.6f and %.6f s of its "
		       "clock",
		       outer->begin_s, inner->begin_s);
}

static bool ranges_nest(struct trace *trace)
{
	int open = -1;
	for (size_t i = 0; i < trace->range_count; ++i) {
		struct trace_range *range = &trace->ranges[i];
		while (open >= 0 && (trace->ranges[open].thread != range->thread ||
					    trace->ranges[open].end_s <= range->begin_s))
			open = trace->ranges[open].parent;
		if (open >= 0) {
			const struct trace_range *outer = &trace->ranges[open];
			if (crosses(trace, outer, range))
				return false;
			range->parent = open;
			range->within = joined(outer->within, range->kind);
			if (range->layer < 0)
				range->layer = outer->layer;
		}
		open = (int)i;
	}
	return true;
}

/* ---- backward operations and the layers of their forward ones ---- */

struct forward {
	double sequence;
	int layer;
};

static int by_sequence(const void *a, const void *b)
{
	return sign(((const struct forward *)a)->sequence, ((const struct forward *)b)->sequence);
}

static bool link_backward(struct trace *trace)
{
	size_t count = 0;
	struct forward *links = arena_alloc(trace->reading->arena, trace->range_count + 1, sizeof *links);
	if (!links)
		return out_of_memory(trace->reading->error);
	for (size_t i = 0; i < trace->range_count; ++i) {
		const struct trace_range *range = &trace->ranges[i];
		if (range->sequence >= 0 && range->within != RANGE_BACKWARD && range->layer >= 0)
			links[count++] = (struct forward){range->sequence, range->layer};
	}
	qsort(links, count, sizeof *links, by_sequence);
	for (size_t i = 0; i < trace->range_count; ++i) {
		struct trace_range *range = &trace->ranges[i];
		const struct forward wanted = {.sequence = range->sequence};
		if (range->within != RANGE_BACKWARD)
			continue;
		const struct forward *found =
			range->sequence >= 0 && count
				? bsearch(&wanted, links, count, sizeof *links, by_sequence)
				: NULL;
		if (found)
			range->layer = found->layer;
		else if (range->layer < 0 && range->parent >= 0)
			range->layer = trace->ranges[range->parent].layer;
	}
	return true;
}

/* ---- kernels ---- */

/* A moment of a thread, for which a kernel asks what was going on. */
struct moment {
	double at_s;
	unsigned thread;
	struct trace_kernel *kernel;
};

static int by_moment(const void *a, const void *b)
{
	const struct moment *one = a, *other = b;
	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	return sign(one->at_s, other->at_s);
}

static int by_correlation(const void *a, const void *b)
{
	return sign(
		((const struct trace_launch *)a)->correlation, ((const struct trace_launch *)b)->correlation);
}

/* Goes through moments and ranges in the order of time: the innermost open range has the moment. */
static void answer(struct trace *trace, const struct moment *moments, size_t count)
{
	size_t next = 0;
	int open = -1;
	for (size_t i = 0; i < count; ++i) {
		const struct moment *moment = &moments[i];
		for (; next < trace->range_count; ++next) {
			const struct trace_range *range = &trace->ranges[next];
			if (range->thread > moment->thread ||
				(range->thread == moment->thread && range->begin_s > moment->at_s))
				break;
			open = (int)next;
		}
		while (open >= 0 && (trace->ranges[open].thread != moment->thread ||
					    trace->ranges[open].end_s <= moment->at_s))
			open = trace->ranges[open].parent;
		if (open < 0)
			continue;
		moment->kernel->within = trace->ranges[open].within;
		moment->kernel->layer = trace->ranges[open].layer;
	}
}

bool trace_context(struct trace *trace)
{
	struct moment *moments = arena_alloc(trace->reading->arena, trace->kernel_count + 1, sizeof *moments);
	if (!moments)
		return out_of_memory(trace->reading->error);
	if (trace->range_count)
		qsort(trace->ranges, trace->range_count, sizeof *trace->ranges, by_begin);
	if (trace->launch_count)
		qsort(trace->launches, trace->launch_count, sizeof *trace->launches, by_correlation);
	if (!ranges_nest(trace) || !link_backward(trace))
		return false;
	for (size_t i = 0; i < trace->kernel_count; ++i) {
		struct trace_kernel *kernel = &trace->kernels[i];
		const struct trace_launch wanted = {.correlation = kernel->correlation};
		const struct trace_launch *launch =
			kernel->correlation >= 0 && trace->launch_count
				? bsearch(&wanted, trace->launches, trace->launch_count, sizeof wanted,
					  by_correlation)
				: NULL;
		moments[i] = launch ? (struct moment){launch->at_s, launch->thread, kernel}
				    : (struct moment){kernel->begin_s, DEVICE_THREAD, kernel};
		kernel->launched_s = moments[i].at_s;
	}
	qsort(moments, trace->kernel_count, sizeof *moments, by_moment);
	answer(trace, moments, trace->kernel_count);
	return true;
}

enum { NAME_LETTERS = 128 };

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool ends(const char *text, const char *with)
{
	const size_t length = strlen(text), end = strlen(with);
	return length >= end && strcmp(text + length - end, with) == 0;
}

/* Copies only letters, in lower case: "AllReduce" is "all_reduce". */
static void letters(const char *text, char *plain, size_t size)
{
	size_t length = 0;
	for (; *text && length + 1 < size; ++text)
		if (isalpha((unsigned char)*text))
			plain[length++] = (char)tolower((unsigned char)*text);
	plain[length] = '\0';
}

enum range_kind trace_range_kind(const char *category, const char *name)
{
	char plain[NAME_LETTERS];
	if (strcmp(category, "cpu_op") == 0) {
		const bool backward = begins(name, "autograd::engine::evaluate_function") ||
				      ends(name, "Backward0") || ends(name, "Backward");
		return backward ? RANGE_BACKWARD : RANGE_OPERATION;
	}
	if (begins(name, "ProfilerStep#"))
		return RANGE_STEP;
	if (begins(name, "Optimizer.step"))
		return RANGE_UPDATE;
	if (begins(name, "enumerate(DataLoader)"))
		return RANGE_LOADER;
	letters(name, plain, sizeof plain);
	if (strcmp(plain, "forward") == 0 || ends(name, ".forward"))
		return RANGE_FORWARD;
	if (strcmp(plain, "backward") == 0 || ends(name, ".backward"))
		return RANGE_BACKWARD;
	if (strcmp(plain, "optimizer") == 0 || strcmp(plain, "optimizerstep") == 0 ||
		strcmp(plain, "weightupdate") == 0 || strcmp(plain, "update") == 0)
		return RANGE_UPDATE;
	if (strcmp(plain, "dataloader") == 0 || strcmp(plain, "input") == 0)
		return RANGE_LOADER;
	return RANGE_NAMED;
}

enum sends trace_collective(const char *name)
{
	static const struct {
		const char *word;
		enum sends sends;
	} words[] = {
		{"reducescatter", COLLECTIVE_SCATTER},
		{"allgather", COLLECTIVE_GATHER},
		{"alltoall", COLLECTIVE_ALL_TO_ALL},
		{"sendrecv", COLLECTIVE_SEND},
		{"allreduce", COLLECTIVE_REDUCE},
		{"broadcast", COLLECTIVE_GATHER},
		{"reduce", COLLECTIVE_REDUCE},
		{"send", COLLECTIVE_SEND},
		{"recv", COLLECTIVE_SEND},
	};
	char plain[NAME_LETTERS];
	letters(name, plain, sizeof plain);
	if (!begins(plain, "nccl") && !begins(plain, "rccl") && !begins(plain, "mscclkernel") &&
		!begins(plain, "oneccl"))
		return COLLECTIVE_NONE;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i)
		if (strstr(plain, words[i].word))
			return words[i].sends;
	return COLLECTIVE_NONE;
}
