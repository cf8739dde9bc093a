/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that are no topology say why, and what to do. */
#include "test.h"

#include "base/arena.h"
#include "network/graph/topology.h"

static const struct row {
	const char *text, *message, *hint; /* parts of them; hint NULL: not looked at */
} rows[] = {
	{"", "no topology", NULL},
	{"torsu:4x4", "no topology \"torsu\"", "\"torus\""},
	{"nothing:4", "no topology \"nothing\"", "list topologies"},
	{"torus", "the shape of torus is", "torus:8x4"},
	{"twisted-torus:4x6", "extents of a twisted torus are N or 2N", NULL},
	{"twisted-torus:4x4", "extents of a twisted torus are N or 2N", NULL},
	{"torus:", "the shape of torus is", NULL},
	{"torus:4x", "the shape of torus is", NULL},
	{"torus:4x0", "the shape of torus is", NULL},
	{"torus:4x-4", "the shape of torus is", NULL},
	{"torus:4x4,5", "the shape of torus is", NULL},
	{"torus:1x1x1x1x1x1x1x1x1", "the shape of torus is", NULL},
	{"torus:4x4:", "has no key \"\"", NULL},
	{"torus:4x4:spilt=1", "no key \"spilt\"; did you mean \"split\"?", NULL},
	{"torus:4x4:split", "must be a whole number from 0 to 1", NULL},
	{"torus:4x4:wrap=1", "has no key \"wrap\"", "its keys are hosts, split"},
	{"fat-tree:8x4:up=2:up=4", "up of fat-tree is given twice", NULL},
	{"torus:4x4:split=2", "must be a whole number from 0 to 1", NULL},
	{"torus:4x4:split=1.5", "must be a whole number", NULL},
	{"torus:4096x4096", "16777216 devices; at most 131072", NULL},
	{"torus:1000000x1000000x1000000x1000000", "at most 131072", NULL},
	{"ring:4x4", "the shape of ring is N", NULL},
	{"ring:99999999999", "too large", NULL},
	{"ring:10000000", "too large", NULL},
	{"torus:8x1000001", "an extent is at most 1000000", NULL},
	{"switch:8x8", "the shape of switch is DEVICES", "\"switch:8\""},
	{"switch:8:ports=3", "3 ports do not serve the 8 devices", "must divide"},
	{"nvlink:65", "at most 64 GPUs, not 65", NULL},
	{"nvlink:8:kind=1", "kind 1 has 4 GPUs, not 8", NULL},
	{"nvlink:4:kind=2", "kind 2 has 8 GPUs, not 4", NULL},
	{"nvlink:8:kind=4", "kind 4 has 16 GPUs, not 8", NULL},
	{"nvlink:8:kind=5", "from 0 to 4", NULL},
	{"nvlink:8:ports=3", "3 ports do not serve 8 GPUs", NULL},
	{"fat-tree:8", "the shape of fat-tree is", NULL},
	{"fat-tree:65536x2:up=4096", "268566528 cables; at most 4194304", NULL},
	{"fat-tree:1000000x3:bundle=1", "3000000 devices; at most 131072", NULL},
	{"fat-tree:2x600x2:up=300:core=300:bundle=1", "at most 65535 cables", NULL},
	{"rail:4x8", "the shape of rail is PODS x NODES x PORTS", NULL},
	{"rail:1000x2x60:up=4096", "cables; at most", NULL},
	{"abci:55", "55 racks do not fit", "at most 54 racks"},
	{"dragonfly:6x4", "6 groups are too many: this dragonfly joins at most 5", "raise global=1"},
	{"dragonfly:10x4:global=2", "10 groups are too many: this dragonfly joins at most 9",
		"raise global=2"},
	{"dragonfly:5x4:links=2", "joins at most 3", "raise global=1"},
	{"dragonfly:5x4:split=1:valiant=1", "exclude each other", NULL},
	{"dragonfly:1x100000", "cables; at most", NULL},
	{"dragonfly+:3x2:links=3", "3 links between two groups are too many for 2 spines", "raise spines="},
	{"hyperx:8", "the shape of hyperx is K x K", NULL},
	{"hyperx:100000x1", "4999950000 cables; at most 4194304", NULL},
	{"hyperx:256x256", "cables; at most", NULL},
	{"dln:64x64x64", "the shape of dln is", NULL},
	{"dln:64:strides=17", "from 0 to 16", NULL},
	{"dln2d:64", "the shape of dln2d is X x Y", NULL},
	{"kautz:3", "the shape of kautz is D x K", NULL},
	{"kautz:2x40", "at most 17 letters", NULL},
	{"kautz:2000x2", "cables; at most", NULL},
};

static void what_is_no_topology_says_why(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		struct paradl_error error = {0};
		struct topology_spec spec;
		if (topology_parse(rows[i].text, &spec, &error))
			fail_msg("\"%s\" is taken for a topology", rows[i].text);
		assert_int_not_equal(error.status, PARADL_OK);
		if (!strstr(error.message, rows[i].message))
			fail_msg("\"%s\": %s", rows[i].text, error.message);
		if (rows[i].hint && !strstr(error.hint, rows[i].hint))
			fail_msg("\"%s\": hint %s", rows[i].text, error.hint);
	}
}

static void what_is_too_large_to_split_says_so(void **state)
{
	static const char *const texts[] = {"dln:8192:split=1", "dln2d:2x8192:split=1"};
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct link_class classes[LINK_KINDS] = {{0}};
		struct topology_spec spec;
		assert_true(topology_parse(texts[i], &spec, &error));
		assert_null(topology_build(arena, &spec, classes, false, false, &error));
		assert_non_null(strstr(error.message, "routes of 8192 routers cannot be split"));
		paradl_arena_free(arena);
	}
}

/* At every limit of memory a graph is built or the reason given, never half a graph. */
static void little_memory_is_reported(void **state)
{
	static const char *const texts[] = {"switch:8:ports=4", "nvlink:8:kind=2", "fat-tree:4x4",
		"rail:2x2x2", "abci:1", "torus:4x4:hosts=2", "hyperx:8x8", "dragonfly:9x8", "dln:64:split=1",
		"dln2d:8x8:split=1", "kautz:3x3"};
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
		bool built = false;
		for (size_t limit = 1 << 10; !built && limit < 1 << 24; limit += limit / 4) {
			struct paradl_arena *arena = arena_create_limited(limit);
			struct paradl_error error = {0};
			struct link_class classes[LINK_KINDS] = {{0}};
			struct topology_spec spec;
			struct path path;
			if (!arena)
				continue;
			assert_true(topology_parse(texts[i], &spec, &error));
			const struct graph *graph =
				topology_build(arena, &spec, classes, false, false, &error);
			if (graph && path_create(arena, graph, &path)) {
				graph_route(graph, 0, graph->devices - 1, &path);
				built = true;
			} else if (!graph) {
				assert_int_equal(error.status, PARADL_NO_MEMORY);
			}
			paradl_arena_free(arena);
		}
		assert_true(built);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_topology_says_why),
		cmocka_unit_test(what_is_too_large_to_split_says_so),
		cmocka_unit_test(little_memory_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
