/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "storage" of a machine's profile: tiers by name, each of one node or of the whole system; see paradl-hw(5). */
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "machine/blocks.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TIER(member) offsetof(struct storage_tier, member)
#define ROW(member)  offsetof(struct storage_row, member)

enum { TIERS_MAX = 16, ROWS_MAX = 32 };

static const char *const scopes[] = {"node", "system", NULL};

static const struct json_field fields[] = {
	{"scope", JSON_TO_CHOICE, false, TIER(scope), 0, 0, DIMENSION_NONE, scopes},
	{"capacity", JSON_TO_QUANTITY, false, TIER(capacity_bytes), 1, 1e21, DIMENSION_BYTES, NULL},
	{"read", JSON_TO_QUANTITY, false, TIER(read_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"write", JSON_TO_QUANTITY, false, TIER(write_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"per_client", JSON_TO_QUANTITY, false, TIER(client_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"random_reads", JSON_TO_DOUBLE, false, TIER(random_reads_per_s), 0.001, 1e12, DIMENSION_NONE, NULL},
	{"opens", JSON_TO_DOUBLE, false, TIER(opens_per_s), 0.001, 1e12, DIMENSION_NONE, NULL},
	{"variation", JSON_TO_DOUBLE, false, TIER(variation), 0, 100, DIMENSION_NONE, NULL},
	{"open", JSON_TO_QUANTITY, false, TIER(open_s), 0, 1e3, DIMENSION_TIME, NULL},
	{"create", JSON_TO_QUANTITY, false, TIER(create_s), 0, 1e3, DIMENSION_TIME, NULL},
};
static const char *const tier_keys[] = {"by_clients", NULL};

static const struct json_field row_fields[] = {
	{"clients", JSON_TO_UNSIGNED, true, ROW(clients), 1, 1e9, DIMENSION_NONE, NULL},
	{"read", JSON_TO_QUANTITY, true, ROW(read_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
};

static bool rows_read(struct paradl_arena *arena, const struct json *list, struct storage_tier *tier,
	struct paradl_error *error)
{
	if (!list)
		return true;
	if (list->kind != JSON_ARRAY || list->count < 1 || list->count > ROWS_MAX)
		return json_error(list, error, "must be an array of 1 to %d numbers of clients", ROWS_MAX);
	struct storage_row *rows = arena_alloc(arena, list->count, sizeof *rows);
	if (!rows)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (const struct json *node = list->child; node; node = node->next) {
		struct storage_row *row = &rows[node->index];
		if (!json_read(node, row_fields, COUNT(row_fields), NULL, row, error))
			return false;
		if (node->index && row->clients <= row[-1].clients)
			return json_error(json_member(node, "clients"), error,
				"must be more than the %u before", row[-1].clients);
	}
	tier->rows = rows;
	tier->row_count = list->count;
	return true;
}

bool storage_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error)
{
	if (node->count > TIERS_MAX)
		return json_error(node, error, "must have at most %d tiers, has %u", TIERS_MAX, node->count);
	struct storage_tier *tiers = arena_alloc(arena, node->count + 1, sizeof *tiers);
	if (!tiers)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (const struct json *child = node->child; child; child = child->next) {
		if (*child->key == '_' || *child->key == '$')
			continue;
		struct storage_tier *tier = &tiers[machine->storage_count];
		*tier = (struct storage_tier){.name = child->key,
			.variation = -1,
			.scope = strcmp(child->key, "local") == 0 ? STORAGE_NODE : STORAGE_SYSTEM};
		if (child->kind != JSON_OBJECT)
			return json_error(child, error, "must be an object");
		if (!json_read(child, fields, COUNT(fields), tier_keys, tier, error) ||
			!rows_read(arena, json_member(child, "by_clients"), tier, error))
			return false;
		++machine->storage_count;
	}
	machine->storage = tiers;
	return true;
}
