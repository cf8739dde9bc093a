/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a framework file says of its program: options that it offers, runs that it was checked with. */
#include "base/error.h"
#include "machine/framework.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Reads "offers" of a framework file: the options of plans that its program has. */

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct framework_offers, member)

static const char *const schedules[] = {
	"gpipe", "1f1b", "interleaved", "zero-bubble", "zero-bubble-2p", "zero-bubble-v"};
static const char *const recomputes[] = {"none", "selective", "full", "modules"};
static const char *const contexts[] = {"ring", "gather", "ulysses"};
static const char *const offloads[] = {"optimizer", "weights", "activations"};

/* Lists of names, in the order of framework_offers_read; the bit of the first name is 1 << first. */
static const struct set {
	const char *key;
	const char *const *names;
	unsigned count, first;
} sets[] = {
	{"axes", framework_axis_names, PARADL_AXIS_COUNT, 0},
	{"schedules", schedules, COUNT(schedules), PARADL_GPIPE},
	{"recomputes", recomputes, COUNT(recomputes), PARADL_RECOMPUTE_NONE},
	{"contexts", contexts, COUNT(contexts), PARADL_CONTEXT_RING},
	{"dispatchers", framework_dispatcher_names, FRAMEWORK_DISPATCHERS, PARADL_DISPATCHER_ALL_TO_ALL},
	{"offload", offloads, COUNT(offloads), 0},
};

void framework_offers_default(struct framework_offers *offers)
{
	*offers = (struct framework_offers){.axes = ~0u,
		.schedules = ~0u,
		.recomputes = ~0u,
		.contexts = ~0u,
		.dispatchers = ~0u,
		.zero = ~0u,
		.zero_with_pipeline = ~0u,
		.offload = ~0u,
		.shard = true,
		.sequence = true,
		.expert_tensor = true};
}

static bool names_read(
	const struct json *list, const struct set *set, unsigned *bits, struct paradl_error *error)
{
	*bits = 0;
	for (const struct json *name = list->child; name; name = name->next) {
		int index = 0;
		if (!framework_name_read(name, set->names, (int)set->count, &index, error))
			return false;
		*bits |= 1u << (set->first + (unsigned)index);
	}
	return true;
}

static bool levels_read(const struct json *list, unsigned *bits, struct paradl_error *error)
{
	static const struct json_field level = {
		"zero", JSON_TO_UNSIGNED, true, 0, 0, 3, DIMENSION_NONE, NULL};
	*bits = 0;
	for (const struct json *number = list->child; number; number = number->next) {
		unsigned zero = 0;
		if (!json_read_value(number, &level, &zero, error))
			return false;
		*bits |= 1u << zero;
	}
	return true;
}

bool framework_offers_read(
	const struct json *node, struct framework_offers *offers, struct paradl_error *error)
{
	static const struct json_field flags[] = {
		{"shard", JSON_TO_BOOL, false, AT(shard), 0, 0, DIMENSION_NONE, NULL},
		{"sequence", JSON_TO_BOOL, false, AT(sequence), 0, 0, DIMENSION_NONE, NULL},
		{"expert_tensor", JSON_TO_BOOL, false, AT(expert_tensor), 0, 0, DIMENSION_NONE, NULL},
	};
	static const char *const keys[] = {"axes", "schedules", "recomputes", "contexts", "dispatchers",
		"offload", "zero", "zero_with_pipeline", NULL};
	unsigned *const bits[COUNT(sets)] = {&offers->axes, &offers->schedules, &offers->recomputes,
		&offers->contexts, &offers->dispatchers, &offers->offload};
	if (!json_read(node, flags, COUNT(flags), keys, offers, error))
		return false;
	for (size_t i = 0; keys[i]; ++i) {
		const struct json *list = json_member(node, keys[i]);
		if (list && list->kind != JSON_ARRAY)
			return json_error(list, error, "must be a list");
	}
	for (size_t i = 0; i < COUNT(sets); ++i) {
		const struct json *list = json_member(node, sets[i].key);
		if (list && !names_read(list, &sets[i], bits[i], error))
			return false;
	}
	const struct json *zero = json_member(node, "zero");
	const struct json *with_pipeline = json_member(node, "zero_with_pipeline");
	return (!zero || levels_read(zero, &offers->zero, error)) &&
	       (!with_pipeline || levels_read(with_pipeline, &offers->zero_with_pipeline, error));
}

static bool lacks(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool lacks(char *text, size_t size, const char *format, ...)
{
	va_list arguments;
	if (!size)
		return false;
	va_start(arguments, format);
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	vsnprintf(text, size, format, arguments);
	va_end(arguments);
	return false;
}

/* Returns the first of `count` bits that is in `asked` and not in `offered`; `count`: there is none. */
static unsigned missing(unsigned asked, unsigned offered, unsigned count)
{
	unsigned bit = 0;
	while (bit < count && !(asked & ~offered & 1u << bit))
		++bit;
	return bit;
}

static bool pipeline_offered(
	const struct framework_offers *offers, const struct paradl_plan *plan, char *text, size_t size)
{
	const bool is_default = plan->schedule == PARADL_SCHEDULE_DEFAULT;
	if (plan->degree[PARADL_PIPELINE] < 2)
		return true;
	if (!is_default && !(offers->schedules & 1u << plan->schedule))
		return lacks(text, size, "schedule=%s", schedules[plan->schedule - PARADL_GPIPE]);
	return offers->zero_with_pipeline & 1u << plan->zero ||
	       lacks(text, size, "zero=%u with pipelines", plan->zero);
}

static bool tensor_offered(
	const struct framework_offers *offers, const struct paradl_plan *plan, char *text, size_t size)
{
	if (plan->sequence && !offers->sequence)
		return lacks(text, size, "sequence=on");
	if (plan->dispatcher != PARADL_DISPATCHER_DEFAULT && !(offers->dispatchers & 1u << plan->dispatcher))
		return lacks(text, size, "dispatcher=%s",
			framework_dispatcher_names[plan->dispatcher - PARADL_DISPATCHER_ALL_TO_ALL]);
	return !plan->expert_tensor || offers->expert_tensor || lacks(text, size, "experts=tensor");
}

bool framework_offers_plan(
	const struct paradl_framework *framework, const struct paradl_plan *plan, char *text, size_t size)
{
	const struct framework_offers *offers = &framework->offers;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (plan->degree[axis] > 1 && !(offers->axes & 1u << axis))
			return lacks(text, size, "%s parallelism", framework_axis_names[axis]);
	if (!(offers->zero & 1u << plan->zero))
		return lacks(text, size, "zero=%u", plan->zero);
	if (plan->shard && !offers->shard)
		return lacks(text, size, "shard=%u", plan->shard);
	if (plan->recompute != PARADL_RECOMPUTE_DEFAULT && !(offers->recomputes & 1u << plan->recompute))
		return lacks(text, size, "recompute=%s", recomputes[plan->recompute - PARADL_RECOMPUTE_NONE]);
	if (plan->degree[PARADL_CONTEXT] > 1 && !(offers->contexts & 1u << plan->context))
		return lacks(text, size, "context=%u:%s", plan->degree[PARADL_CONTEXT],
			contexts[plan->context - PARADL_CONTEXT_RING]);
	const unsigned offload = missing(plan->offload, offers->offload, COUNT(offloads));
	if (offload < COUNT(offloads))
		return lacks(text, size, "offload=%s", offloads[offload]);
	return pipeline_offered(offers, plan, text, size) && tensor_offered(offers, plan, text, size);
}

/* Reads "checked" of a framework file: the measured runs that it was compared with. Estimates beyond them say so. */

static bool devices_read(
	const struct json *list, struct framework_checked *checked, struct paradl_error *error)
{
	if (list->kind != JSON_ARRAY || list->count > CHECKED_MAX)
		return json_error(list, error, "must be a list of at most %d names of devices", CHECKED_MAX);
	checked->device_count = 0;
	for (const struct json *name = list->child; name; name = name->next) {
		if (name->kind != JSON_STRING)
			return json_error(name, error, "must be a name in quotes");
		checked->devices[checked->device_count++] = name->string;
	}
	return true;
}

static bool precisions_read(
	const struct json *list, struct framework_checked *checked, struct paradl_error *error)
{
	if (list->kind != JSON_ARRAY)
		return json_error(list, error, "must be a list of number formats");
	checked->precisions = 0;
	for (const struct json *name = list->child; name; name = name->next) {
		unsigned i = 0;
		if (name->kind != JSON_STRING)
			return json_error(name, error, "must be a name in quotes");
		while (i < PARADL_PRECISION_COUNT &&
			strcmp(name->string, paradl_precision_name((enum paradl_precision)i)) != 0)
			++i;
		if (i == PARADL_PRECISION_COUNT)
			return json_error(name, error, "unknown precision \"%s\"", name->string);
		checked->precisions |= 1u << i;
	}
	return true;
}

bool framework_checked_names(const struct framework_checked *checked, const char *device)
{
	for (unsigned i = 0; i < checked->device_count; ++i)
		if (strcmp(checked->devices[i], device) == 0)
			return true;
	return false;
}

bool framework_checked_read(
	const struct json *node, struct framework_checked *checked, struct paradl_error *error)
{
#define CHECKED(member) offsetof(struct framework_checked, member)
	static const struct json_field fields[] = {
		{"gpus", JSON_TO_DOUBLE, false, CHECKED(gpus), 1, 1e9, DIMENSION_NONE, NULL},
		{"tokens", JSON_TO_DOUBLE, false, CHECKED(tokens), 1, 1e9, DIMENSION_NONE, NULL},
	};
	static const char *const keys[] = {"devices", "precisions", NULL};
	if (!json_read(node, fields, sizeof fields / sizeof *fields, keys, checked, error))
		return false;
	checked->said = true;
	const struct json *devices = json_member(node, "devices");
	const struct json *precisions = json_member(node, "precisions");
	return (!devices || devices_read(devices, checked, error)) &&
	       (!precisions || precisions_read(precisions, checked, error));
}
