/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the choices and resources of input. */
#include "paradl.h"

#define NAME_OF(list, index) ((unsigned)(index) < sizeof(list) / sizeof *(list) ? (list)[index] : "")

const char *paradl_store_name(enum paradl_store store)
{
	static const char *const names[PARADL_STORE_COUNT] = {"auto", "shared", "copy", "pooled", "shard"};
	return NAME_OF(names, store);
}

const char *paradl_shuffle_name(enum paradl_shuffle shuffle)
{
	static const char *const names[PARADL_SHUFFLE_COUNT] = {"global", "local", "partial", "pairwise"};
	return NAME_OF(names, shuffle);
}

const char *paradl_cache_name(enum paradl_cache cache)
{
	static const char *const names[PARADL_CACHE_COUNT] = {"page", "pinned", "lru", "none"};
	return NAME_OF(names, cache);
}

const char *paradl_risk_name(enum paradl_risk risk)
{
	static const char *const names[] = {"none", "low", "medium", "high"};
	return NAME_OF(names, risk);
}

static const struct {
	const char *name, *text;
} resources[PARADL_RESOURCE_COUNT] = {
	[PARADL_RESOURCE_SHARED] = {"shared", "the shared file system"},
	[PARADL_RESOURCE_REQUESTS] = {"requests", "small reads of the shared file system"},
	[PARADL_RESOURCE_METADATA] = {"metadata", "opening files"},
	[PARADL_RESOURCE_CLIENT] = {"client", "what one node reads of the shared file system"},
	[PARADL_RESOURCE_LOCAL] = {"local", "the disks of a node"},
	[PARADL_RESOURCE_PEERS] = {"peers", "reading from other nodes"},
	[PARADL_RESOURCE_MEMORY] = {"memory", "the memory of a node"},
	[PARADL_RESOURCE_CORES] = {"cores", "preparation by the cores of a node"},
	[PARADL_RESOURCE_HOST_LINK] = {"host_link", "copies from host to device"},
	[PARADL_RESOURCE_EXCHANGE] = {"exchange", "the exchange of samples"},
	[PARADL_RESOURCE_DEVICES] = {"devices", "compute and its communication"},
};

const char *paradl_resource_name(enum paradl_resource resource)
{
	return (unsigned)resource < PARADL_RESOURCE_COUNT ? resources[resource].name : "";
}

const char *paradl_resource_text(enum paradl_resource resource)
{
	return (unsigned)resource < PARADL_RESOURCE_COUNT ? resources[resource].text : "";
}
