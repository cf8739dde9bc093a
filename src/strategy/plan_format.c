/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as the text that parses back: axes outermost first, then the options that are not the default. */
#include <stdarg.h>
#include <stdio.h>

#include "strategy/plan_text.h"

double paradl_plan_devices(const struct paradl_plan *plan)
{
	double devices = 1;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		devices *= plan->degree[axis];
	return devices;
}

/* snprintf that continues at *length and counts what did not fit, too. */
static void append(char *text, size_t size, size_t *length, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static void append(char *text, size_t size, size_t *length, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	const int n = vsnprintf(*length < size ? text + *length : NULL, *length < size ? size - *length : 0,
		format, arguments);
	va_end(arguments);
	if (n > 0)
		*length += (size_t)n;
}

/* "4", "2x2" or "2x2x2": trailing dimensions that are not cut are left out. */
static void pieces_append(const struct paradl_plan *plan, char *text, size_t size, size_t *length)
{
	const unsigned last = plan->spatial[2] > 1 ? 2 : plan->spatial[1] > 1 ? 1 : 0;
	for (unsigned i = 0; i <= last; ++i)
		append(text, size, length, "%s%u", i ? "x" : "", plan->spatial[i]);
}

static void split_append(const struct paradl_plan *plan, char *text, size_t size, size_t *length)
{
	for (unsigned i = 0; i < plan->split_count; ++i)
		append(text, size, length, "%s%u", i ? ":" : ",split=", (unsigned)plan->split[i]);
}

/* ",offload=optimizer+weights"; before: what the first name follows */
static void set_append(unsigned set, const char *const *names, unsigned count, const char *before, char *text,
	size_t size, size_t *length)
{
	for (unsigned i = 0; i < count; ++i) {
		if (!(set & 1u << i))
			continue;
		append(text, size, length, "%s%s", before, names[i]);
		before = "+";
	}
}

static void overlap_append(const struct paradl_plan *plan, char *text, size_t size, size_t *length)
{
	const unsigned all = (1u << PLAN_OVERLAPS) - 1;
	if (plan->apart == all)
		append(text, size, length, ",overlap=none");
	else if (plan->apart)
		set_append(all & ~plan->apart, plan_overlaps, PLAN_OVERLAPS, ",overlap=", text, size, length);
}

static void options_append(const struct paradl_plan *plan, char *text, size_t size, size_t *length)
{
	if (plan->micro > 0)
		append(text, size, length, ",micro=%.0f", plan->micro);
	if (plan->schedule != PARADL_SCHEDULE_DEFAULT)
		append(text, size, length, ",schedule=%s", plan_schedules[plan->schedule]);
	if (plan->schedule == PARADL_INTERLEAVED)
		append(text, size, length, ":%u", plan->chunks);
	split_append(plan, text, size, length);
	if (plan->zero)
		append(text, size, length, ",zero=%u", plan->zero);
	if (plan->shard)
		append(text, size, length, ",shard=%u", plan->shard);
	if (plan->recompute != PARADL_RECOMPUTE_DEFAULT)
		append(text, size, length, ",recompute=%s", plan_recomputes[plan->recompute]);
	if (plan->recompute == PARADL_RECOMPUTE_FULL && plan->recompute_blocks)
		append(text, size, length, ":%u", plan->recompute_blocks);
	if (plan->sequence)
		append(text, size, length, ",sequence=on");
	if (plan->expert_tensor)
		append(text, size, length, ",experts=tensor");
	set_append(plan->offload, plan_offloads, PLAN_OFFLOADS, ",offload=", text, size, length);
	overlap_append(plan, text, size, length);
}

int paradl_plan_format(const struct paradl_plan *plan, char *text, size_t size)
{
	size_t length = 0;
	if (size)
		*text = '\0';
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		const unsigned axis = plan->order[i];
		if (plan->degree[axis] < 2)
			continue;
		append(text, size, &length, "%s%s=", length ? "," : "", strategies[axis]->name);
		if (axis == PARADL_SPATIAL)
			pieces_append(plan, text, size, &length);
		else
			append(text, size, &length, "%u", plan->degree[axis]);
		if (axis == PARADL_CONTEXT && plan->context != PARADL_CONTEXT_RING)
			append(text, size, &length, ":%s", plan_context_ways[plan->context]);
	}
	if (!length)
		append(text, size, &length, "serial");
	options_append(plan, text, size, &length);
	return (int)length;
}

int paradl_plan_family(const struct paradl_plan *plan, char *text, size_t size)
{
	size_t length = 0;
	if (size)
		*text = '\0';
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (plan->degree[axis] > 1)
			append(text, size, &length, "%s%s", length ? "+" : "", strategies[axis]->name);
	if (!length)
		append(text, size, &length, "serial");
	return (int)length;
}
