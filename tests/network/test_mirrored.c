/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flows that go both ways on a network whose routes back take the same cables: routed once, as if all had been. */
#include "machine/machine.h"
#include "network/cost/compile.h"
#include "network/paper.h"

enum { DEVICES = 1088 };

static const struct network *levels_open(struct paradl_arena *arena)
{
	struct paradl_error error;
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &error);
	assert_non_null(machine);
	const struct network *const network = network_for(arena, machine, DEVICES, &error);
	assert_non_null(network);
	return network;
}

static struct compiler *compiler_open(struct paradl_arena *arena, const struct network *network)
{
	struct compiler *const compiler = compiler_create(arena, network);
	assert_non_null(compiler);
	assert_true(compiler_times_only(arena, compiler));
	return compiler;
}

/* How often a link is on a route. */
static unsigned times_on(const struct path *path, unsigned link)
{
	unsigned times = 0;
	for (unsigned i = 0; i < path->count; ++i)
		times += path->links[i] == link;
	return times;
}

/* The links of a route back are those of the route, each the other way. */
static void routes_turn_around(void **state)
{
	struct paradl_arena *const arena = paradl_arena_create();
	const struct graph *const graph = levels_open(arena)->graph;
	struct path there, back;
	(void)state;
	assert_true(graph->mirrored && graph->ways == 2);
	assert_true(path_create(arena, graph, &there) && path_create(arena, graph, &back));
	for (unsigned from = 0; from < graph->devices; from += 7)
		for (unsigned to = 0; to < graph->devices; to += 13) {
			graph_route(graph, from, to, &there);
			graph_route(graph, to, from, &back);
			assert_int_equal(there.count, back.count);
			for (unsigned i = 0; i < there.count; ++i)
				assert_int_equal(times_on(&back, there.links[i] ^ 1),
					times_on(&there, there.links[i]));
		}
	paradl_arena_free(arena);
}

static void both_ways_are_routed_once(void **state)
{
	static const struct collective *const algorithms[] = {
		&collective_allreduce_double_tree, &collective_allreduce_ring, &collective_allreduce_tree};
	static const struct run runs[][2] = {{{1, 1088}}, {{1, 64}}, {{4, 256}}, {{1, 4}, {32, 32}},
		{{2, 512}}, {{16, 67}}, {{1, 2}, {8, 100}}};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct network *const network = levels_open(arena);
	struct network plain = *network;
	struct graph graph = *network->graph;
	(void)state;
	graph.mirrored = false;
	plain.graph = &graph;
	struct compiler *const got = compiler_open(arena, network), *const want =
									    compiler_open(arena, &plain);
	for (size_t g = 0; g < sizeof runs / sizeof *runs; ++g) {
		struct group group = {.devices = DEVICES, .runs = {runs[g][0], runs[g][1]}};
		group.run_count = 1 + (runs[g][1].degree > 0);
		group.size = runs[g][0].degree * (group.run_count > 1 ? runs[g][1].degree : 1);
		const struct communicator comm = communicator_of(network, &group);
		for (unsigned a = 0; a < 3; ++a)
			for (unsigned variant = 0; variant < algorithms[a]->variants(&comm); ++variant) {
				struct compiled once, all;
				assert_true(compile(got, &group, &comm, algorithms[a], variant, 0, &once));
				assert_true(compile(want, &group, &comm, algorithms[a], variant, 0, &all));
				for (double bytes = 1; bytes < 1e10; bytes *= 30) {
					assert_close(
						hull_s(&once.upper, bytes), hull_s(&all.upper, bytes), 1e-12);
					assert_close(
						hull_s(&once.lower, bytes), hull_s(&all.lower, bytes), 1e-12);
				}
			}
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_turn_around),
		cmocka_unit_test(both_ways_are_routed_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
