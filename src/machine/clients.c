/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads clients of federated training; see paradl-clients(5). */
#include "base/error.h"
#include "base/source.h"
#include "machine/format.h"
#include "machine/machine.h"

enum { GROUPS_MAX = 64 };

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define AT(member)   offsetof(struct paradl_client_group, member)

static const struct json_field group_fields[] = {
	{"name", JSON_TO_TEXT, true, AT(name), 0, 0, DIMENSION_NONE, NULL},
	{"samples", JSON_TO_DOUBLE, false, AT(samples), 1, 1e15, DIMENSION_NONE, NULL},
	{"device", JSON_TO_TEXT, false, AT(device), 0, 0, DIMENSION_NONE, NULL},
	{"speed", JSON_TO_DOUBLE, false, AT(speed), 1e-6, 1e6, DIMENSION_NONE, NULL},
	{"sample_time", JSON_TO_QUANTITY, false, AT(sample_s), 1e-12, 1e9, DIMENSION_TIME, NULL},
	{"up", JSON_TO_QUANTITY, false, AT(up_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"down", JSON_TO_QUANTITY, false, AT(down_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"lan", JSON_TO_QUANTITY, false, AT(lan_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"memory", JSON_TO_QUANTITY, false, AT(memory_bytes), 1, 1e18, DIMENSION_BYTES, NULL},
	{"power", JSON_TO_QUANTITY, false, AT(busy_watt), 1e-6, 1e6, DIMENSION_POWER, NULL},
};
static const char *const group_keys[] = {"count", NULL};

/* The number of clients in a group, which is whole because clients are drawn. */
struct counted {
	unsigned count;
};
static const struct json_field count_fields[] = {
	{"count", JSON_TO_UNSIGNED, true, 0, 1, 1e9, DIMENSION_NONE, NULL},
};
static const char *const count_keys[] = {
	"name", "samples", "device", "speed", "sample_time", "up", "down", "lan", "memory", "power", NULL};

struct clients_file {
	const char *name;
	const struct json *groups;
};
static const struct json_field file_fields[] = {
	{"name", JSON_TO_TEXT, true, offsetof(struct clients_file, name), 0, 0, DIMENSION_NONE, NULL},
	{"groups", JSON_TO_ARRAY, true, offsetof(struct clients_file, groups), 0, 0, DIMENSION_NONE, NULL},
};
static const char *const file_keys[] = {"format", "version", NULL};

static bool group_read(const struct json *node, struct paradl_client_group *group, struct paradl_error *error)
{
	struct counted counted = {0};
	if (!json_read(node, group_fields, COUNT(group_fields), group_keys, group, error) ||
		!json_read(node, count_fields, COUNT(count_fields), count_keys, &counted, error))
		return false;
	group->count = counted.count;
	if (group->device && !plain_name_expect(json_member(node, "device"), group->device, "devices", error))
		return false;
	if (json_member(node, "speed") && json_member(node, "sample_time"))
		return json_error(json_member(node, "speed"), error,
			"is of the device, but \"sample_time\" says how long it takes: leave one of them "
			"out");
	return true;
}

bool clients_read(struct paradl_arena *arena, const struct json *root,
	const struct paradl_client_group *usual, struct paradl_clients *clients, struct paradl_error *error)
{
	struct clients_file file = {NULL, NULL};
	if (!format_expect(root, "paradl-clients", 1, error) ||
		!json_read(root, file_fields, COUNT(file_fields), file_keys, &file, error))
		return false;
	if (file.groups->count < 1 || file.groups->count > GROUPS_MAX)
		return json_error(file.groups, error, "must have 1 to %d groups, has %u", GROUPS_MAX,
			file.groups->count);
	struct paradl_client_group *const groups = arena_alloc(arena, file.groups->count, sizeof *groups);
	if (!groups)
		return out_of_memory(error);
	*clients = (struct paradl_clients){file.name, json_path(root), groups, file.groups->count};
	size_t next = 0;
	for (const struct json *node = file.groups->child; node; node = node->next, next++) {
		groups[next] = *usual;
		if (!group_read(node, &groups[next], error))
			return false;
	}
	return true;
}

bool paradl_clients_load(struct paradl_arena *arena, const struct paradl_source *source,
	const struct paradl_client_group *usual, struct paradl_clients *clients, struct paradl_error *error)
{
	const struct json *const root = source_json(arena, source, NULL, error);
	return root && clients_read(arena, root, usual, clients, error);
}

bool clients_check(struct paradl_arena *arena, const struct json *root, struct paradl_findings *findings,
	struct paradl_error *error)
{
	static const struct paradl_client_group usual = {.name = ""};
	struct paradl_clients clients;
	(void)findings;
	return clients_read(arena, root, &usual, &clients, error);
}
