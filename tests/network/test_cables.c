/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks whose cables a profile lists one by one. */
#include "test.h"

#include <string.h>

#include "base/json.h"
#include "machine/machine.h"
#include "network/machine_network.h"

static const char form[] =
	"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"h\", \"device\": \"d\", \"framework\": "
	"\"f\",\n"
	"\"levels\": [{\"name\": \"l\", \"devices\": 8, \"latency\": \"1 us\", \"bandwidth\": \"1 GB/s\"}],\n"
	"\"network\": {%s,\n"
	"\"links\": {\"device\": {\"bandwidth\": \"9 GB/s\", \"latency\": \"1 us\"},\n"
	"\"port\": {\"bandwidth\": \"2 GB/s\", \"latency\": \"1 us\"},\n"
	"\"switch\": {\"bandwidth\": \"3 GB/s\", \"latency\": \"0.5 us\"}}}}";

#define BETWEEN(a, b) "{\"between\": [" a ", " b "]}"
#define LEAF(leaf, a, b)                                                                                     \
	BETWEEN(a, "\"" leaf "\"") ", " BETWEEN("\"" leaf "\"", b) ", " BETWEEN("\"" leaf "\"", "\"spine\"")
#define CABLES                                                                                               \
	"\"cables\": [\n" LEAF("a", "0", "1") ",\n" LEAF("b", "2", "3") ",\n" LEAF(                          \
		"c", "4", "5") ",\n" LEAF("d", "6", "7") "]"

/* Returns the network of a profile with that in "network"; NULL, and what is wrong. */
static const struct network *network_with(
	struct paradl_arena *arena, const char *block, char *message, size_t size)
{
	struct paradl_error error = {0};
	struct paradl_machine machine;
	char text[2048];
	assert_true(snprintf(text, sizeof text, form, block) < (int)sizeof text);
	const struct json *root = json_parse(arena, text, strlen(text), "", &error);
	assert_non_null(root);
	struct network *network =
		machine_read(arena, root, &machine, &error) ? network_create(arena, &machine, &error) : NULL;
	*message = '\0';
	if (!network)
		paradl_error_format(&error, message, size);
	return network;
}

/* A tree of one spine is the same, by cables or as a topology. */
static void cables_of_a_tree_are_the_tree(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	char message[512];
	const struct network *listed = network_with(arena, CABLES, message, sizeof message);
	const struct network *named =
		network_with(arena, "\"cluster\": \"fat-tree:4x2:up=1\"", message, sizeof message);
	struct path a, b;
	assert_non_null(listed);
	assert_non_null(named);
	assert_int_equal(listed->graph->devices, 8);
	assert_int_equal(listed->graph->vertices, named->graph->vertices);
	assert_int_equal(listed->graph->cable_count, named->graph->cable_count);
	assert_true(path_create(arena, listed->graph, &a) && path_create(arena, named->graph, &b));
	for (unsigned from = 0; from < 8; ++from)
		for (unsigned to = 0; to < 8; ++to) {
			graph_route(listed->graph, from, to, &a);
			graph_route(named->graph, from, to, &b);
			assert_int_equal(a.count, b.count);
			assert_close(a.latency_s, b.latency_s, 1e-12);
			assert_close(a.flow_s_per_byte, b.flow_s_per_byte, 1e-12);
			for (unsigned i = 0; i < a.count; ++i)
				assert_close(graph_hop(listed->graph, a.links[i])->s_per_byte,
					graph_hop(named->graph, b.links[i])->s_per_byte, 1e-12);
		}
	paradl_arena_free(arena);
}

/* Cables may have rates of their own; parallel ones carry together. */
static void cables_have_rates_of_their_own(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	char message[512];
	const struct network *network =
		network_with(arena, CABLES ", \"usable\": 0.5, \"_cables\": 0", message, sizeof message);
	assert_non_null(network);
	assert_close(graph_hop(network->graph, 0)->s_per_byte, 1 / 1e9, 1e-12);
	network = network_with(arena,
		"\"usable\": 0.5, \"cables\": [{\"between\": [0, \"s\"], \"bandwidth\": \"8 GB/s\", "
		"\"count\": 3}, "
		"{\"between\": [1, \"s\"], \"bandwidth\": \"8 GB/s\", \"sustained\": \"7 GB/s\", "
		"\"latency\": "
		"\"4 us\"}, " BETWEEN("2", "\"s\"") ", " BETWEEN("3", "\"s\"") ", " BETWEEN(
			"4", "\"s\"") ", " BETWEEN("5", "\"s\"") ", " BETWEEN("6", "\"s\"") ", " BETWEEN("7",
			"\"s\"") "]",
		message, sizeof message);
	assert_string_equal(message, "");
	const unsigned ways = network->graph->ways;
	assert_close(graph_hop(network->graph, 0)->s_per_byte, 1 / (3 * 0.5 * 8e9), 1e-12);
	assert_close(graph_hop(network->graph, 0)->latency_s, 1e-6, 1e-12);
	assert_close(graph_hop(network->graph, ways)->s_per_byte, 1 / 7e9, 1e-12);
	assert_close(graph_hop(network->graph, ways)->latency_s, 4e-6, 1e-12);
	paradl_arena_free(arena);
}

/* Nodes in front of such cables change nothing of them. */
static void cables_between_nodes_keep_their_rates(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	char message[512];
	const struct network *network = network_with(arena,
		"\"node\": \"switch:8:ports=1\", \"usable\": 0.5, \"cables\": ["
		"{\"between\": [0, \"s\"], \"bandwidth\": \"8 GB/s\", \"latency\": \"4 us\"}, " BETWEEN(
			"1", "\"s\"") "]",
		message, sizeof message);
	assert_string_equal(message, "");
	const struct graph *graph = network->graph;
	unsigned own = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct link *hop = graph_hop(graph, graph_link(graph, i, false));
		const bool is_own = fabs(hop->s_per_byte * 0.5 * 8e9 - 1) < 1e-9;
		own += is_own;
		if (is_own)
			assert_close(hop->latency_s, 4e-6, 1e-12);
	}
	assert_int_equal(own, 1);
	paradl_arena_free(arena);
}

static void what_is_wrong_is_said(void **state)
{
	(void)state;
	static const struct {
		const char *block, *message;
	} cases[] = {
		{"\"cables\": []", "3:23: /network/cables: must have at least one cable"},
		{"\"cables\": [1]", "/network/cables/0: must be an object with \"between\""},
		{"\"cables\": [{\"between\": [1]}]", "/network/cables/0: must be an object with \"between\""},
		{"\"cables\": [{\"between\": [1, -2]}]",
			"/network/cables/0/between/1: must be the number of a device"},
		{"\"cables\": [{\"between\": [1, 2.5]}]", "must be the number of a device"},
		{"\"cables\": [{\"between\": [1, 1e9]}]", "must be the number of a device"},
		{"\"cables\": [{\"between\": [1, 1]}]",
			"/network/cables/0/between: must be two different ends"},
		{"\"cables\": [{\"between\": [0, 2]}]", "no cable has device 1, but one has device 2"},
		{"\"cables\": [{\"between\": [0, 1], \"width\": 2}]", "unknown key \"width\""},
		{"\"cables\": [{\"between\": [0, 1], \"sustained\": \"2 GB/s\"}]",
			"at most a \"bandwidth\" beside it"},
		{"\"cables\": [{\"between\": [0, 1]}]",
			"/network/cables: the list of cables has 2 devices, but levels say 8"},
		{"\"cables\": [" BETWEEN("0", "1") ", " BETWEEN("2", "3") "]",
			"not every device can be reached"},
		{CABLES ", \"cluster\": \"ring:8\"", "are in place of \"cluster\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_arena *arena = paradl_arena_create();
		char message[512];
		assert_null(network_with(arena, cases[i].block, message, sizeof message));
		if (!strstr(message, cases[i].message))
			fail_msg("%s: %s", cases[i].block, message);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cables_of_a_tree_are_the_tree),
		cmocka_unit_test(cables_have_rates_of_their_own),
		cmocka_unit_test(cables_between_nodes_keep_their_rates),
		cmocka_unit_test(what_is_wrong_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
