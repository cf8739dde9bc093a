/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file has the topics of `paradl list` about networks: operations, algorithms, topologies. */
#include <string.h>

#include "cli/command_list.h"

static struct paradl_entry operation_entry(size_t index)
{
	static const char *const summaries[PARADL_OPERATION_COUNT] = {
		[PARADL_ALLREDUCE] = "everybody gets the sum of all vectors",
		[PARADL_ALLGATHER] = "everybody gets all parts",
		[PARADL_REDUCE_SCATTER] = "everybody gets a part of the sum",
		[PARADL_BROADCAST] = "one rank's vector to everybody",
		[PARADL_REDUCE] = "the sum to one rank",
		[PARADL_ALL_TO_ALL] = "a part from everybody to everybody",
		[PARADL_POINT_TO_POINT] = "from each rank to the next",
	};
	if (index >= PARADL_OPERATION_COUNT)
		return (struct paradl_entry){NULL, NULL};
	return (struct paradl_entry){paradl_operation_name((enum paradl_operation)index), summaries[index]};
}

bool list_operations(struct session *session, struct report_listing *listing)
{
	return list_entries(session, listing, operation_entry);
}

bool list_collectives(struct session *session, struct report_listing *listing)
{
	size_t count = 0;
	while (paradl_algorithm(count).name)
		count++;
	struct paradl_algorithm_info *const rows = list_rows(session, listing, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++)
		rows[i] = paradl_algorithm(i);
	return rows != NULL;
}

/* Returns what can be set of a topology, with the default values: "up=0 width=1"; NULL: out of memory. */
static const char *keys_text(struct session *session, const struct paradl_topology_info *info)
{
	const char *keys = "";
	for (size_t i = 0; keys && i < sizeof info->keys / sizeof info->keys[0] && info->keys[i].name; i++)
		keys = arena_printf(session->arena, "%s%s%s=%.0f", keys, i > 0 ? " " : "", info->keys[i].name,
			info->keys[i].initial);
	return keys;
}

/* Returns the length of a shape without its remark in parentheses, which only the manual shows. */
static size_t shape_length(const char *shape)
{
	const char *const remark = strstr(shape, " (");
	return remark ? (size_t)(remark - shape) : strlen(shape);
}

bool list_topologies(struct session *session, struct report_listing *listing)
{
	size_t count = 0;
	while (paradl_topology(count).name)
		count++;
	struct listed_topology *const rows = list_rows(session, listing, count, sizeof *rows);
	for (size_t i = 0; rows && i < count; i++) {
		const struct paradl_topology_info info = paradl_topology(i);
		rows[i] = (struct listed_topology){info.name,
			arena_copy(session->arena, info.shape, shape_length(info.shape)),
			keys_text(session, &info), info.summary, info.source};
	}
	return rows != NULL;
}
