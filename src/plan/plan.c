/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans are read from text and written as text that parses back: "data=64,spatial=2x2,micro=4", axes outermost first,
 * options anywhere; only options that are not the default are written. Aliases: dp pp ep cp tp sp fsdp, and the
 * paper's letters d s p f c.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "plan/plan_text.h"

double paradl_plan_devices(const struct paradl_plan *plan)
{
	double devices = 1;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		devices *= plan->degree[axis];
	return devices;
}

/* Appends formatted text at *length, as snprintf does, and counts the characters that do not fit, too. */
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

/* Appends the spatial pieces: "4", "2x2" or "2x2x2", without trailing dimensions that are not cut. */
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

/* Appends the names of a set, as in ",offload=optimizer+weights"; `before` is the text in front of the first name. */
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
	if (plan->dispatcher != PARADL_DISPATCHER_DEFAULT)
		append(text, size, length, ",dispatcher=%s", plan_dispatchers[plan->dispatcher]);
	set_append(plan->offload, plan_offloads, PLAN_OFFLOADS, ",offload=", text, size, length);
	overlap_append(plan, text, size, length);
	if (plan->gather[0])
		append(text, size, length, ",gather=%.*s", (int)sizeof plan->gather, plan->gather);
	if (plan->chunk)
		append(text, size, length, ",chunk=%u", plan->chunk);
	if (plan->seqs)
		append(text, size, length, ",seqs=%u", plan->seqs);
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

static bool unknown_name(const char *name, struct paradl_error *error)
{
	const char *names[ALIAS_COUNT + 2 * PLAN_OPTION_COUNT];
	unsigned count = 0;
	for (; count < ALIAS_COUNT; ++count)
		names[count] = aliases[count].name;
	for (unsigned i = 0; plan_option_word(i) && count < sizeof names / sizeof *names; ++i)
		names[count++] = plan_option_word(i);
	const struct suggestion near = suggestion_of(name, names, count);
	if (*near.clause)
		return error_set(error, PARADL_USAGE, "a plan has no \"%s\"%s", name, near.clause);
	error_set(error, PARADL_USAGE,
		"a plan has no \"%s\"; its axes are data, pipeline, expert, context, tensor, filter, channel "
		"and spatial",
		name);
	return error_hint(error,
		"options are micro, schedule, split, zero, shard, recompute, sequence, experts, dispatcher, "
		"offload, overlap and gather");
}

static bool spatial_read(const char **value, struct paradl_plan *plan)
{
	unsigned product = plan->spatial[0];
	for (unsigned i = 1; i < 3 && **value == 'x'; ++i) {
		++*value;
		if (!plan_number_read(value, 1, &plan->spatial[i]) || plan->spatial[i] > UINT_MAX / product)
			return false;
		product *= plan->spatial[i];
	}
	plan->degree[PARADL_SPATIAL] = product;
	return true;
}

/* Reads the method after a degree of context, as in "4:gather". */
static bool context_read(const char **value, struct paradl_plan *plan, struct paradl_error *error)
{
	unsigned way = 0;
	if (**value != ':')
		return true;
	const char *const method = ++*value;
	if (!plan_choice_read("context", value, plan_context_ways, PARADL_CONTEXT_COUNT, &way, error))
		return false;
	if (*value > method + strlen(plan_context_ways[way]))
		return error_set(error, PARADL_USAGE, "context=%u:%s takes nothing after that",
			plan->degree[PARADL_CONTEXT], plan_context_ways[way]);
	if (plan->degree[PARADL_CONTEXT] > 1)
		plan->context = (enum paradl_context_method)way;
	return true;
}

/* State of reading a plan. */
struct reading {
	struct paradl_plan *plan;
	unsigned axes;  /* axes placed in the order so far */
	unsigned given; /* options read so far: bit set of enum plan_option */
};

static bool axis_place(
	struct reading *reading, enum paradl_axis axis, unsigned degree, struct paradl_error *error)
{
	struct paradl_plan *plan = reading->plan;
	for (unsigned i = 0; i < reading->axes; ++i)
		if (plan->order[i] == (unsigned char)axis)
			return error_set(error, PARADL_USAGE, "%s is given twice", strategies[axis]->name);
	plan->order[reading->axes++] = (unsigned char)axis;
	plan->degree[axis] = degree;
	if (axis == PARADL_SPATIAL)
		plan->spatial[0] = degree;
	return true;
}

static bool axis_read(struct reading *reading, enum paradl_axis axis, const char *name, const char *value,
	struct paradl_error *error)
{
	const char *rest = value;
	unsigned degree;
	if (!plan_number_read(&rest, 1, &degree))
		return error_set(error, PARADL_USAGE, "%s must be a whole number from 1 to %u, is \"%s\"",
			name, UINT_MAX, value);
	if (!axis_place(reading, axis, degree, error))
		return false;
	if (axis == PARADL_SPATIAL && !spatial_read(&rest, reading->plan))
		return error_set(error, PARADL_USAGE,
			"spatial takes one to three whole numbers, as in 2x2, not \"%s\"", value);
	if (axis == PARADL_CONTEXT && !context_read(&rest, reading->plan, error))
		return false;
	return !*rest || error_set(error, PARADL_USAGE, "%s must be a whole number, is \"%s\"", name, value);
}

static bool not_a_plan(const char *text, struct paradl_error *error)
{
	return error_set(error, PARADL_USAGE,
		"a plan is axis=degree pairs such as data=16,spatial=4, not \"%s\"", text);
}

/* Reads one term, "name=value" or a name alone; `text` is the whole plan, for messages. */
static bool term_read(struct reading *reading, char *term, const char *text, struct paradl_error *error)
{
	enum paradl_axis axis = PARADL_DATA;
	char *value = strchr(term, '=');
	if (value)
		*value++ = '\0';
	if (plan_option_known(term))
		return plan_option_read(term, value, reading->plan, &reading->given, error);
	if (!value)
		return not_a_plan(text, error);
	if (!axis_find(term, &axis))
		return unknown_name(term, error);
	return axis_read(reading, axis, term, value, error);
}

/* Completes the order by the axes that the text leaves out: their degree is 1, so their place does not matter. */
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

/* Returns whether a term begins behind a space or a semicolon. */
static bool has_other_separators(const char *text)
{
	for (; *text; ++text) {
		const size_t length = strspn(text, " \t;,");
		const char next = text[length];
		if (strcspn(text, " \t;") < length && next >= 'a' && next <= 'z')
			return true;
	}
	return false;
}

/* Says that other separators than commas stand between terms, and how the plan is written. */
static bool not_commas(const char *text, struct paradl_error *error)
{
	char fixed[PARADL_PLAN_TEXT];
	size_t length = 0;
	for (; *text && length + 1 < sizeof fixed; ++text) {
		const bool separates = strchr(" \t;,", *text);
		if (!separates)
			fixed[length++] = *text;
		else if (length > 0 && fixed[length - 1] != ',')
			fixed[length++] = ',';
	}
	fixed[length - (length > 0 && fixed[length - 1] == ',')] = '\0';
	return error_set(error, PARADL_USAGE,
		"terms of a plan are separated by commas without spaces; did you mean \"%s\"?", fixed);
}

/* Reads comma-separated terms; "serial" in front stands for no axis at all. */
static bool terms_read(struct reading *reading, const char *text, struct paradl_error *error)
{
	char copy[PARADL_PLAN_TEXT];
	bool serial = false;
	if (strlen(text) >= sizeof copy)
		return error_set(error, PARADL_USAGE, "a plan has fewer than %zu characters", sizeof copy);
	if (has_other_separators(text))
		return not_commas(text, error);
	memcpy(copy, text, strlen(text) + 1);
	for (char *term = copy, *next; term; term = next) {
		next = strchr(term, ',');
		if (next)
			*next++ = '\0';
		if (term == copy && strcmp(term, "serial") == 0)
			serial = true;
		else if (!term_read(reading, term, text, error))
			return false;
	}
	return !(serial && reading->axes) || not_a_plan(text, error);
}

bool paradl_plan_parse(const char *text, struct paradl_plan *plan, struct paradl_error *error)
{
	struct reading reading = {.plan = plan};
	*plan = (struct paradl_plan){.degree = {1, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}};
	if (!terms_read(&reading, text, error))
		return false;
	order_complete(plan, reading.axes);
	return devices_fit(plan, error) && plan_options_hold(plan, error);
}

bool plan_options_parse(
	const char *text, struct paradl_plan *plan, unsigned *given, struct paradl_error *error)
{
	struct reading reading = {.plan = plan};
	*plan = (struct paradl_plan){.degree = {1, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}};
	if (!terms_read(&reading, text, error))
		return false;
	*given = reading.given;
	return !reading.axes || error_set(error, PARADL_USAGE, "%s is an axis; here only options are fixed",
					strategies[plan->order[0]]->name);
}

const struct paradl_plan *paradl_plan_create(
	struct paradl_arena *arena, const char *text, double batch, struct paradl_error *error)
{
	struct paradl_plan *const plan = arena_alloc(arena, 1, sizeof *plan);
	if (!plan)
		return out_of_memory_null(error);
	if (!paradl_plan_parse(text, plan, error))
		return NULL;
	plan->batch = batch;
	return plan;
}
