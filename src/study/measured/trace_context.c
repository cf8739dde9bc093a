/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds out what the program was doing when it started a kernel. Ranges of a thread nest, so a kernel
 * belongs to the innermost one that is open at that moment, and to all ranges around that one. Backward runs in
 * threads of its own, whose operations name the forward ones by a number.
 */
#include <stdlib.h>

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
	const int begins = sign(one->begin_s, other->begin_s);
	return begins ? begins : sign(other->end_s, one->end_s);
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
