/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is there room? A node's part is S for copies, S / K of a pool, (1 + Q) S / K of what workers keep and exchange; on its disks,
 * else in the memory that may hold samples. What is not known is no limit.
 */
#include <stdio.h>

#include "base/quantity.h"
#include "input/input.h"

bool store_in_memory(const struct input_setting *setting, enum paradl_store store)
{
	return !setting->local && (store == PARADL_STORE_POOLED || store == PARADL_STORE_SHARD);
}

double store_bytes(const struct input_setting *setting, enum paradl_store store, double nodes)
{
	if (store == PARADL_STORE_COPY)
		return setting->total_bytes;
	if (store == PARADL_STORE_POOLED)
		return setting->total_bytes / nodes;
	return store == PARADL_STORE_SHARD ? setting->total_bytes / nodes * (1 + setting->options.exchanged)
					   : 0;
}

double store_capacity(const struct input_setting *setting, enum paradl_store store)
{
	const struct host *const host = &setting->machine->host;
	if (store == PARADL_STORE_SHARED || store == PARADL_STORE_AUTO)
		return setting->shared ? setting->shared->capacity_bytes : 0;
	if (store_in_memory(setting, store))
		return setting->options.cache_bytes > 0 ? setting->options.cache_bytes
							: host->memory_bytes * host->cache_share;
	return setting->local ? setting->local->capacity_bytes : 0;
}

/* What is asked for contradicts itself, or the machine has no such place. */
static const char *store_refused(const struct input_setting *setting, enum paradl_store store)
{
	const enum paradl_shuffle shuffle = setting->options.shuffle;
	if (store == PARADL_STORE_SHARD && shuffle == PARADL_SHUFFLE_GLOBAL)
		return "a global shuffle needs samples of other nodes, which shards do not give";
	if (store != PARADL_STORE_SHARD &&
		(shuffle == PARADL_SHUFFLE_PARTIAL || shuffle == PARADL_SHUFFLE_PAIRWISE))
		return "samples change hands between the parts that workers keep: only with shards";
	if (store == PARADL_STORE_SHARED && !setting->shared && setting->machine->storage_count)
		return "the machine has no shared file system";
	if (store == PARADL_STORE_COPY && !setting->local)
		return "nodes have no disks for a copy";
	return NULL;
}

bool store_possible(
	const struct input_setting *setting, enum paradl_store store, double nodes, char *text, size_t size)
{
	const char *const refused = store_refused(setting, store);
	const double capacity = store_capacity(setting, store);
	const double needed =
		store == PARADL_STORE_SHARED ? setting->total_bytes : store_bytes(setting, store, nodes);
	if (!refused && (!(capacity > 0) || needed <= capacity))
		return true;
	if (refused) {
		snprintf(text, size, "%s", refused);
		return false;
	}
	char need[32], have[32];
	quantity_format(need, sizeof need, needed, DIMENSION_BYTES);
	quantity_format(have, sizeof have, capacity, DIMENSION_BYTES);
	snprintf(text, size, "%s needed, %s %s", need, have,
		store == PARADL_STORE_SHARED      ? "on the shared file system"
		: store_in_memory(setting, store) ? "of memory in each node"
						  : "of disk in each node");
	return false;
}
