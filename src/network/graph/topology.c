/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topologies are written as text, NAME:SHAPE[:KEY=VALUE]..., which this file parses and builds. */
#include "network/graph/topology.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"

enum {
#define X(id) TOPOLOGY_##id,
#include "network/graph/list.def"
#undef X
	TOPOLOGY_COUNT
};

const struct topology *const topologies[] = {
#define X(id) &topology_##id,
#include "network/graph/list.def"
#undef X
	NULL,
};

enum { WHOLE_MOST = 1000000 };

static const struct topology *topology_find(const char *name, size_t length)
{
	for (size_t i = 0; topologies[i]; ++i)
		if (strlen(topologies[i]->name) == length && memcmp(topologies[i]->name, name, length) == 0)
			return topologies[i];
	return NULL;
}

static bool unknown(const char *text, size_t length, struct paradl_error *error)
{
	char name[48];
	const char *names[TOPOLOGY_COUNT];
	size_t count = 0;
	for (; count < TOPOLOGY_COUNT; ++count)
		names[count] = topologies[count]->name;
	const size_t shown = length < sizeof name ? length : sizeof name - 1;
	memcpy(name, text, shown);
	name[shown] = '\0';
	char quoted[48];
	error_set(error, PARADL_USAGE, "there is no topology %s", error_quote(quoted, sizeof quoted, name));
	return name_hint(error, name, names, count, "\"paradl list topologies\" shows them");
}

/*
 * Reads a whole number of digits only, from 0 to WHOLE_MOST. False: there are none, or the number is too large, and
 * *value is then more than WHOLE_MOST.
 */
static bool whole(const char **at, unsigned *value)
{
	const char *digit = *at;
	unsigned long sum = 0;
	while (*digit >= '0' && *digit <= '9' && sum <= WHOLE_MOST)
		sum = 10 * sum + (unsigned long)(*digit++ - '0');
	const bool fine = digit > *at && sum <= WHOLE_MOST;
	*at = digit;
	*value = (unsigned)sum;
	return fine;
}

static bool shape_wrong(const char *text, const struct topology *topology, struct paradl_error *error)
{
	char quoted[64];
	error_set(error, PARADL_USAGE, "%s is not a topology: the shape of %s is %s",
		error_quote(quoted, sizeof quoted, text), topology->name, topology->shape);
	if (topology->least_extents > 1 || topology->most_extents > 1)
		error_hint(error, "whole numbers joined by x, as in \"%s:%s\"", topology->name,
			topology->least_extents > 2 ? "2x8x4" : "8x4");
	else
		error_hint(error, "a whole number, as in \"%s:8\"", topology->name);
	return false;
}

static bool shape_parse(
	const char *text, const char **at, struct topology_spec *spec, struct paradl_error *error)
{
	const struct topology *topology = spec->topology;
	for (;;) {
		unsigned value = 0;
		const bool fine = spec->extents < topology->most_extents && whole(at, &value);
		if (value > WHOLE_MOST)
			return error_set(error, PARADL_USAGE,
				"%s is too large: an extent is at most %d, and all have at most %d devices",
				text, WHOLE_MOST, TOPOLOGY_DEVICES_MAX);
		if (!fine || value == 0)
			return shape_wrong(text, topology, error);
		spec->extent[spec->extents++] = value;
		if (**at != 'x')
			break;
		++*at;
	}
	if ((**at && **at != ':') || spec->extents < topology->least_extents)
		return shape_wrong(text, topology, error);
	return true;
}

static bool key_unknown(
	const char *key, size_t length, const struct topology *topology, struct paradl_error *error)
{
	char name[32], list[128] = "";
	const char *names[TOPOLOGY_KEYS_MAX];
	size_t count = 0, used = 0;
	for (; count < TOPOLOGY_KEYS_MAX && topology->keys[count].name; ++count) {
		names[count] = topology->keys[count].name;
		if (used < sizeof list)
			used += (size_t)snprintf(
				list + used, sizeof list - used, "%s%s", count ? ", " : "", names[count]);
	}
	const size_t shown = length < sizeof name ? length : sizeof name - 1;
	memcpy(name, key, shown);
	name[shown] = '\0';
	error_set(error, PARADL_USAGE, "%s has no key \"%s\"%s", topology->name, name,
		suggestion_of(name, names, count).clause);
	if (count)
		error_hint(error, "its keys are %s, as in %s=1", list, names[0]);
	return false;
}

/* Parses one KEY=VALUE; `seen` has a bit for each key that was there before. False: error is set. */
static bool key_parse(const char **at, struct topology_spec *spec, unsigned *seen, struct paradl_error *error)
{
	const struct topology *topology = spec->topology;
	const char *key = *at;
	const size_t length = strcspn(key, "=:");
	for (unsigned i = 0; i < TOPOLOGY_KEYS_MAX && topology->keys[i].name; ++i) {
		const struct topology_key *row = &topology->keys[i];
		unsigned value = 0;
		if (strlen(row->name) != length || memcmp(row->name, key, length) != 0)
			continue;
		*at = key + length + (key[length] == '=');
		if (key[length] != '=' || !whole(at, &value) || (**at && **at != ':') || value < row->min ||
			value > row->max)
			return error_set(error, PARADL_USAGE,
				"%s of %s must be a whole number from %.0f to %.0f", row->name,
				topology->name, row->min, row->max);
		if (*seen & 1U << i)
			return error_set(
				error, PARADL_USAGE, "%s of %s is given twice", row->name, topology->name);
		*seen |= 1U << i;
		spec->key[i] = value;
		return true;
	}
	return key_unknown(key, length, topology, error);
}

bool topology_cables_fit(const struct topology_spec *spec, double cables, struct paradl_error *error)
{
	if (cables <= TOPOLOGY_CABLES_MAX)
		return true;
	return error_set(error, PARADL_USAGE, "this %s has %.0f cables; at most %d can be routed",
		spec->topology->name, cables, TOPOLOGY_CABLES_MAX);
}

bool topology_parse(const char *text, struct topology_spec *spec, struct paradl_error *error)
{
	const size_t length = strcspn(text, ":");
	*spec = (struct topology_spec){.topology = topology_find(text, length)};
	if (!spec->topology)
		return unknown(text, length, error);
	for (unsigned i = 0; i < TOPOLOGY_KEYS_MAX; ++i)
		spec->key[i] = spec->topology->keys[i].initial;
	const char *at = text + length;
	unsigned seen = 0;
	if (*at != ':')
		return shape_wrong(text, spec->topology, error);
	++at;
	if (!shape_parse(text, &at, spec, error))
		return false;
	while (*at == ':') {
		++at;
		if (!key_parse(&at, spec, &seen, error))
			return false;
	}
	const double devices = spec->topology->devices(spec, error);
	if (!(devices > 0))
		return false;
	if (devices > TOPOLOGY_DEVICES_MAX)
		return error_set(error, PARADL_USAGE, "%s has %.0f devices; at most %d can be routed", text,
			devices, TOPOLOGY_DEVICES_MAX);
	return true;
}

struct graph *topology_build(struct paradl_arena *arena, const struct topology_spec *spec,
	const struct link_class *classes, bool half_duplex, bool inside_node, struct paradl_error *error)
{
	struct graph *graph = graph_create(arena, classes, half_duplex);
	if (!graph)
		return out_of_memory_null(error);
	if (!spec->topology->build(spec, graph, error))
		return NULL;
	for (unsigned i = 0; inside_node && i < graph->cable_count; ++i)
		if (graph->cables[i].kind != LINK_PCIE && graph->cables[i].kind != LINK_BACKPLANE)
			cable_kind(&graph->cables[i], LINK_DEVICE);
	return !inside_node || graph_finish(graph, error) ? graph : NULL;
}
