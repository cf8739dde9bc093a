/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages that are added up by the trunks of leaves take as long as when each is routed by itself, and rounds that stand
 * for others as long as all of them.
 */
#include "network/algorithm/lines.h"
#include "network/graph/topology.h"
#include "network/paper.h"

static void same(const char *topology, const struct collective *collective, const struct hull *got,
	const struct hull *want, double tolerance)
{
	for (double bytes = 1; bytes < 1e10; bytes *= 10) {
		const double got_s = hull_s(got, bytes), want_s = hull_s(want, bytes);
		if (got_s < want_s * (1 - tolerance) || got_s > want_s * (1 + tolerance))
			fail_msg("%s, %s, %g bytes: %g s, not %g s", topology, collective->name, bytes, got_s,
				want_s);
	}
}

/* Networks inside nodes, or none, and between them. */
static const struct {
	const char *inside, *between;
	unsigned nodes;
	struct rails rails;
	unsigned ranks, stride;
} cases[] = {
	{NULL, "dragonfly:9x8:hosts=8", 0, {0}, 576, 1},
	{NULL, "dragonfly:9x8:hosts=8:split=1", 0, {0}, 570, 1},
	{NULL, "dragonfly:5x8:hosts=15:valiant=1", 0, {0}, 600, 1},
	{NULL, "dragonfly+:9x8:hosts=8:spines=4:split=1", 0, {0}, 288, 2},
	{NULL, "fat-tree:18x32:split=1", 0, {0}, 576, 1},
	{NULL, "fat-tree:4x9x16:bundle=1", 0, {0}, 144, 4},
	{"switch:8:ports=4", "dragonfly:5x8:hosts=8", 72, {.ports = 4}, 576, 1},
	{"nvlink:4:ports=4", "dragonfly:9x8:hosts=8", 144, {.ports = 4}, 576, 1},
	{"switch:8:ports=8", "rail:4x20x8:split=1", 80, {.ports = 8, .planes = 8, .leaf = 20}, 640, 1},
	{"nvlink:8:kind=2:ports=4", "fat-tree:18x16:split=1", 72, {.ports = 4}, 576, 1},
};

static void case_open(struct paper *paper, size_t i)
{
	struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
	struct paradl_error error = {0};
	rules.links[LINK_GLOBAL].latency_s *= 1.5;
	rules.links[LINK_PCIE].sustained_bytes_per_s /= 3;
	rules.links[LINK_PORT].flow_bytes_per_s = PAPER_BYTES_PER_S / 1.5;
	paper_open(paper, cases[i].between, &rules, 0);
	if (cases[i].inside) {
		struct topology_spec spec;
		assert_true(topology_parse(cases[i].inside, &spec, &error));
		const struct graph *inside =
			topology_build(paper->arena, &spec, rules.links, false, true, &error);
		assert_non_null(inside);
		paper->network->graph = graph_hierarchy(
			paper->arena, inside, paper->network->graph, cases[i].nodes, &cases[i].rails, &error);
		assert_non_null(paper->network->graph);
		paper->network->devices = paper->network->graph->devices;
		paper->network->devices_per_node = inside->devices;
		paper->compiler = compiler_create(paper->arena, paper->network);
	}
	assert_non_null(paper->network->graph->stem);
	paper->group.size = paper->group.nodes = cases[i].ranks;
	paper->group.devices = cases[i].ranks * cases[i].stride;
	paper->group.runs[0] = (struct run){cases[i].stride, cases[i].ranks};
	paper->comm = communicator_of(paper->network, &paper->group);
	assert_true(compiler_times_only(paper->arena, paper->compiler));
}

static void messages_by_trunk_take_as_long_as_each_by_itself(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paper paper;
		case_open(&paper, i);
		for (unsigned c = 0; collectives[c]; ++c) {
			struct compiled got, want;
			if (collectives[c]->sparse || !compile(paper.compiler, &paper.group, &paper.comm,
							      collectives[c], 0, 1e6, &got))
				continue;
			assert_true(compile_whole(
				paper.compiler, &paper.group, &paper.comm, collectives[c], 0, 1e6, &want));
			same(cases[i].between, collectives[c], &got.upper, &want.upper, 1e-12);
			same(cases[i].between, collectives[c], &got.lower, &want.lower, 1e-12);
		}
		paper_close(&paper);
	}
}

static void all_shifts_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	(void)variant;
	for (unsigned by = 1; by < comm->size; ++by)
		lines_shift(&all, by, 1.0 / comm->size, schedule);
}

static void some_rounds_stand_for_all(void **state)
{
	(void)state;
	static const char *const networks[] = {"torus:12x16x16", "dragonfly:9x8:hosts=42"};
	for (size_t i = 0; i < sizeof networks / sizeof *networks; ++i) {
		struct paper paper;
		struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		paper_open(&paper, networks[i], &rules, 0);
		assert_true(paper.comm.size > 2900 && compiler_times_only(paper.arena, paper.compiler));
		struct collective all = *collective_find(ALL_TO_ALL, "shift");
		const struct compiled some = paper_compile(&paper, &all, 0, 1);
		all.emit = all_shifts_emit;
		const struct compiled each = paper_compile(&paper, &all, 0, 1);
		same(networks[i], &all, &some.upper, &each.upper, 0.01);
		paper_close(&paper);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_by_trunk_take_as_long_as_each_by_itself),
		cmocka_unit_test(some_rounds_stand_for_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
