/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "cables" of a machine's network: each joins two of its devices and switches. */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "machine/blocks.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SWITCHES_MOST = 4096, DEVICES_MOST = 1 << 17 };

/* Names of switches, in the order in which cables name them, and for each device whether any cable names it. */
struct ends {
	const char **names;
	unsigned name_count, devices;
	bool *is_there;
};

/* Finds the number of devices: one more than the highest that cables name. */
static bool devices_count(const struct json *list, struct ends *ends, struct paradl_error *error)
{
	for (const struct json *cable = list->child; cable; cable = cable->next) {
		const struct json *between =
			cable->kind == JSON_OBJECT ? json_member(cable, "between") : NULL;
		if (!between || between->kind != JSON_ARRAY || between->count != 2)
			return json_error(cable, error,
				"must be an object with \"between\": two of numbers of devices and names of "
				"switches");
		for (const struct json *end = between->child; end; end = end->next) {
			if (end->kind == JSON_STRING)
				continue;
			if (end->kind != JSON_NUMBER || !(end->number >= 0) || end->number >= DEVICES_MOST ||
				end->number > (unsigned)end->number)
				return json_error(end, error,
					"must be the number of a device, from 0 on, or the name of a switch");
			if ((unsigned)end->number >= ends->devices)
				ends->devices = (unsigned)end->number + 1;
		}
	}
	return true;
}

/* Finds the vertex of an end: devices come first, then switches. */
static bool vertex_of(struct ends *ends, const struct json *end, unsigned *vertex, struct paradl_error *error)
{
	unsigned i = 0;
	if (end->kind == JSON_NUMBER) {
		*vertex = (unsigned)end->number;
		ends->is_there[*vertex] = true;
		return true;
	}
	while (i < ends->name_count && strcmp(ends->names[i], end->string) != 0)
		++i;
	if (i == SWITCHES_MOST)
		return json_error(end, error, "there are more than %d switches", SWITCHES_MOST);
	if (i == ends->name_count)
		ends->names[ends->name_count++] = end->string;
	*vertex = ends->devices + i;
	return true;
}

static bool cable_read(
	const struct json *node, struct ends *ends, struct network_cable *cable, struct paradl_error *error)
{
#define CABLE(member) offsetof(struct network_cable, member)
	static const struct json_field fields[] = {
		{"count", JSON_TO_UNSIGNED, false, CABLE(count), 1, 65535, DIMENSION_NONE, NULL},
		{"bandwidth", JSON_TO_QUANTITY, false, CABLE(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
			NULL},
		{"sustained", JSON_TO_QUANTITY, false, CABLE(sustained_bytes_per_s), 1, 1e18,
			DIMENSION_BYTES_PER_S, NULL},
		{"latency", JSON_TO_QUANTITY, false, CABLE(latency_s), 0, 1, DIMENSION_TIME, NULL},
	};
	static const char *const others[] = {"between", NULL};
	const struct json *between = json_member(node, "between");
	*cable = (struct network_cable){.count = 1, .latency_s = -1};
	if (!json_read(node, fields, COUNT(fields), others, cable, error) ||
		!vertex_of(ends, between->child, &cable->from, error) ||
		!vertex_of(ends, between->child->next, &cable->to, error))
		return false;
	if (cable->from == cable->to)
		return json_error(between, error, "must be two different ends");
	if (cable->sustained_bytes_per_s > 0 && !(cable->bytes_per_s >= cable->sustained_bytes_per_s))
		return json_error(
			json_member(node, "sustained"), error, "must be at most a \"bandwidth\" beside it");
	return true;
}

bool network_cables_read(struct paradl_arena *arena, const struct json *list, struct machine_network *rules,
	struct paradl_error *error)
{
	struct network_cable *cables = arena_alloc(arena, list->count + 1, sizeof *cables);
	struct ends ends = {.is_there = arena_alloc(arena, DEVICES_MOST, sizeof *ends.is_there),
		.names = arena_alloc(arena, SWITCHES_MOST, sizeof *ends.names)};
	if (!cables || !ends.is_there || !ends.names)
		return out_of_memory(error);
	if (!list->count)
		return json_error(list, error, "must have at least one cable");
	if (!devices_count(list, &ends, error))
		return false;
	for (const struct json *node = list->child; node; node = node->next)
		if (!cable_read(node, &ends, &cables[node->index], error))
			return false;
	for (unsigned i = 0; i < ends.devices; ++i)
		if (!ends.is_there[i])
			return json_error(list, error, "no cable has device %u, but one has device %u", i,
				ends.devices - 1);
	rules->cables = cables;
	rules->cable_count = list->count;
	rules->cable_devices = ends.devices;
	rules->cable_switches = ends.name_count;
	return true;
}
