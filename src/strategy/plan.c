/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans as text: "data=64,spatial=2x2,micro=4", outermost axis first. Aliases: dp pp ep cp tp, and the paper's letters d s p f c.
 */
#include "strategy/strategy.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/suggest.h"

static const struct alias {
	const char *name;
	enum paradl_axis axis;
} aliases[] = {
	{"data", PARADL_DATA},
	{"dp", PARADL_DATA},
	{"d", PARADL_DATA},
	{"pipeline", PARADL_PIPELINE},
	{"pp", PARADL_PIPELINE},
	{"p", PARADL_PIPELINE},
	{"expert", PARADL_EXPERT},
	{"ep", PARADL_EXPERT},
	{"context", PARADL_CONTEXT},
	{"cp", PARADL_CONTEXT},
	{"tensor", PARADL_TENSOR},
	{"tp", PARADL_TENSOR},
	{"filter", PARADL_FILTER},
	{"f", PARADL_FILTER},
	{"channel", PARADL_CHANNEL},
	{"c", PARADL_CHANNEL},
	{"spatial", PARADL_SPATIAL},
	{"s", PARADL_SPATIAL},
};
enum { ALIAS_COUNT = sizeof aliases / sizeof *aliases };

static bool axis_find(const char *name, enum paradl_axis *axis)
{
	for (unsigned i = 0; i < ALIAS_COUNT; ++i)
		if (strcmp(aliases[i].name, name) == 0) {
			*axis = aliases[i].axis;
			return true;
		}
	return false;
}

/* A whole number from 1 to UINT_MAX at *text; moves *text past it. */
static bool degree_read(const char **text, unsigned *degree)
{
	char *end;
	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	const unsigned long value = strtoul(*text, &end, 10);
	if (errno || value == 0 || value > UINT_MAX)
		return false;
	*degree = (unsigned)value;
	*text = end;
	return true;
}

static bool unknown_axis(const char *name, struct paradl_error *error)
{
	const char *names[ALIAS_COUNT + 1];
	for (unsigned i = 0; i < ALIAS_COUNT; ++i)
		names[i] = aliases[i].name;
	names[ALIAS_COUNT] = "micro";
	const char *near = suggest(name, names, ALIAS_COUNT + 1);
	if (near)
		return error_set(
			error, PARADL_USAGE, "a plan has no \"%s\"; did you mean \"%s\"?", name, near);
	return error_set(error, PARADL_USAGE,
		"a plan has no \"%s\"; it has data, pipeline, expert, context, tensor, filter, channel, "
		"spatial and "
		"micro",
		name);
}

static bool spatial_read(const char **value, struct paradl_plan *plan)
{
	unsigned product = plan->spatial[0];
	for (unsigned i = 1; i < 3 && **value == 'x'; ++i) {
		++*value;
		if (!degree_read(value, &plan->spatial[i]) || plan->spatial[i] > UINT_MAX / product)
			return false;
		product *= plan->spatial[i];
	}
	plan->degree[PARADL_SPATIAL] = product;
	return true;
}

static bool axis_place(enum paradl_axis axis, unsigned degree, struct paradl_plan *plan, unsigned *used,
	struct paradl_error *error)
{
	for (unsigned i = 0; i < *used; ++i)
		if (plan->order[i] == (unsigned char)axis)
			return error_set(error, PARADL_USAGE, "%s is given twice", strategies[axis]->name);
	plan->order[(*used)++] = (unsigned char)axis;
	plan->degree[axis] = degree;
	if (axis == PARADL_SPATIAL)
		plan->spatial[0] = degree;
	return true;
}

/* One "name=value"; used counts the axes placed so far. */
static bool term_read(const char *name, const char *value, struct paradl_plan *plan, unsigned *used,
	struct paradl_error *error)
{
	const char *rest = value;
	const bool micro = strcmp(name, "micro") == 0;
	enum paradl_axis axis = PARADL_DATA;
	unsigned number;
	if (!micro && !axis_find(name, &axis))
		return unknown_axis(name, error);
	if (!degree_read(&rest, &number))
		return error_set(error, PARADL_USAGE, "%s must be a whole number from 1 to %u, is \"%s\"",
			name, UINT_MAX, value);
	if (micro && plan->micro > 0)
		return error_set(error, PARADL_USAGE, "micro is given twice");
	if (micro)
		plan->micro = number;
	else if (!axis_place(axis, number, plan, used, error))
		return false;
	if (axis == PARADL_SPATIAL && !spatial_read(&rest, plan))
		return error_set(error, PARADL_USAGE,
			"spatial takes one to three whole numbers, as in 2x2, not \"%s\"", value);
	if (*rest)
		return error_set(error, PARADL_USAGE, "%s must be a whole number, is \"%s\"", name, value);
	return true;
}

/* Axes that the text leaves out have degree 1; their place in the order does not matter. */
static void order_complete(struct paradl_plan *plan, unsigned used)
{
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis) {
		bool placed = false;
		for (unsigned i = 0; i < used; ++i)
			placed = placed || plan->order[i] == axis;
		if (!placed)
			plan->order[used++] = (unsigned char)axis;
	}
}

static bool devices_fit(const struct paradl_plan *plan, struct paradl_error *error)
{
	if (paradl_plan_devices(plan) > UINT_MAX)
		return error_set(error, PARADL_USAGE, "the degrees multiply to %.0f devices; the most is %u",
			paradl_plan_devices(plan), UINT_MAX);
	return true;
}

bool paradl_plan_parse(const char *text, struct paradl_plan *plan, struct paradl_error *error)
{
	char copy[256];
	unsigned used = 0;
	*plan = (struct paradl_plan){.degree = {1, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}};
	if (strlen(text) >= sizeof copy)
		return error_set(error, PARADL_USAGE, "a plan has fewer than %zu characters", sizeof copy);
	memcpy(copy, text, strlen(text) + 1);
	const bool serial = strcmp(text, "serial") == 0;
	for (char *term = copy, *next; !serial && term; term = next) {
		next = strchr(term, ',');
		if (next)
			*next++ = '\0';
		char *value = strchr(term, '=');
		if (!value)
			return error_set(error, PARADL_USAGE,
				"a plan is axis=degree pairs such as data=16,spatial=4, not \"%s\"", text);
		*value++ = '\0';
		if (!term_read(term, value, plan, &used, error))
			return false;
	}
	order_complete(plan, used);
	return devices_fit(plan, error);
}

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
	}
	if (!length)
		append(text, size, &length, "serial");
	else if (plan->micro > 0)
		append(text, size, &length, ",micro=%.0f", plan->micro);
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
