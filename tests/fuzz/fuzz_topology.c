/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topologies: a text that was accepted builds a graph of as many devices, whose routes are ways to where they should go. */
#include "input.h"

#include "../network/walk.h"

enum { DEVICES_FEW = 1024, MEMORY = 1 << 30 };

static void check_routes(struct paradl_arena *arena, const struct graph *graph)
{
	const unsigned ends = graph->devices + graph->ports;
	double *balance = arena_alloc(arena, graph->vertices, sizeof *balance);
	struct path path;

	REQUIRE(balance != NULL && path_create(arena, graph, &path));
	for (unsigned i = 0; i < 200; ++i) {
		const unsigned from = i < ends ? i : i * 2654435761U % ends, to = (i * 40503U + 7) % ends;

		graph_route(graph, from, to, &path);
		REQUIRE(walk_check(graph, from, to, &path, balance) == NULL);
		REQUIRE(isfinite(path.latency_s) && isfinite(path.flow_s_per_byte));
		REQUIRE((path.count == 0) == (from == to));
	}
}

/* Large ones, mostly of few devices, are only parsed: an input should take milliseconds. */
static bool is_small(const struct topology_spec *spec, double devices)
{
	double product = 1;

	for (unsigned i = 0; i < spec->extents; ++i)
		product *= spec->extent[i];
	return devices <= DEVICES_FEW && product <= DEVICES_FEW;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = arena_create_limited(MEMORY);
	struct link_class classes[LINK_KINDS];
	struct paradl_error error = {0};
	struct topology_spec spec;
	const char *text = arena_copy(arena, (const char *)data, size);

	REQUIRE(text != NULL);
	walk_classes(classes);
	if (!topology_parse(text, &spec, &error)) {
		require_explained(&error);
	} else {
		const double devices = spec.topology->devices(&spec, &error);

		REQUIRE(devices >= 1 && devices <= TOPOLOGY_DEVICES_MAX);
		if (is_small(&spec, devices)) {
			const struct graph *graph =
				topology_build(arena, &spec, classes, false, false, &error);

			if (graph == NULL) {
				require_explained(&error);
			} else {
				REQUIRE(graph->devices == (unsigned)devices);
				REQUIRE(graph->cable_count <= TOPOLOGY_CABLES_MAX);
				check_routes(arena, graph);
			}
		}
	}
	paradl_arena_free(arena);
	return 0;
}
