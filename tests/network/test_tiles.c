/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times from one part of each kind are those of all flows: every collective, on groups that fill parts, and that do not. */
#include "network/paper.h"

static void same(const struct collective *collective, unsigned variant, const struct hull *got,
	const struct hull *want)
{
	for (double bytes = 1; bytes < 1e10; bytes *= 10) {
		const double got_s = hull_s(got, bytes), want_s = hull_s(want, bytes);
		if (got_s < want_s * (1 - 1e-12) || got_s > want_s * (1 + 1e-12))
			fail_msg("%s, variant %u, %g bytes: %g s, not %g s", collective->name, variant, bytes,
				got_s, want_s);
	}
}

/* Every operation but those whose flows are sampled. */
static void all_compare(struct paper *paper)
{
	for (unsigned c = 0; collectives[c]; ++c) {
		const struct collective *collective = collectives[c];
		if (collective->operation == ALL_TO_ALL || collective->sparse)
			continue;
		for (unsigned v = 0; v < collective->variants(&paper->comm); ++v) {
			struct compiled got, want;
			assert_true(compile(
				paper->compiler, &paper->group, &paper->comm, collective, v, 1e6, &got));
			assert_true(compile_whole(
				paper->compiler, &paper->group, &paper->comm, collective, v, 1e6, &want));
			same(collective, v, &got.upper, &want.upper);
			same(collective, v, &got.lower, &want.lower);
		}
	}
}

static const struct {
	const char *topology;
	unsigned ranks, stride, devices, per_node;
	struct run outer; /* of a group in two runs, of which `ranks` is the inner one */
} cases[] = {
	{"dragonfly:16x8:global=2:hosts=16", 2048, 1, 2048, 8, {0, 0}},
	{"dragonfly:17x8:global=2:hosts=16", 2048, 1, 2048, 4, {0, 0}},
	{"dragonfly:17x8:global=2:hosts=16", 2048 + 77, 1, 2048 + 77, 1, {0, 0}},
	{"dragonfly:16x8:global=2:hosts=32", 512, 8, 4096, 8, {0, 0}},
	{"dragonfly:16x8:global=2:hosts=32", 8, 1, 4096, 8, {0, 0}},
	{"dragonfly:16x8:global=2:hosts=32", 6, 1, 3996, 8, {0, 0}},
	{"dragonfly+:16x8:hosts=16:spines=4", 2048, 1, 2048, 8, {0, 0}},
	{"dragonfly+:17x4:hosts=32:links=2:split=1", 2048, 1, 2048, 4, {0, 0}},
	{"dragonfly:16x8:global=2:hosts=32", 170, 4, 2040, 8, {0, 0}},
	{"dragonfly:16x8:global=2:hosts=32", 2, 1, 4096, 8, {4, 1024}},
	{"dragonfly:16x8:global=2:hosts=32", 4, 1, 4096, 8, {8, 512}},
	{"dragonfly:16x8:global=2:hosts=32", 4, 1, 4096, 8, {512, 8}},
	{"dragonfly:16x8:global=2:hosts=32", 6, 1, 4080, 6, {12, 340}},
	{"dragonfly+:17x4:hosts=32:links=2:split=1", 4, 2, 2048, 8, {8, 256}},
};

static void one_of_each_kind_stands_for_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i += takes_all() ? 1 : 3) {
		struct paper paper;
		struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		rules.synchronous = i % 2;
		rules.return_share = i == 3 ? 0.05 : 0;
		rules.links[LINK_GLOBAL].latency_s *= 1.5;
		paper_open(&paper, cases[i].topology, &rules, 0);
		assert_true(compiler_times_only(paper.arena, paper.compiler));
		assert_int_not_equal(paper.network->graph->tile, 0);
		paper.network->devices_per_node = cases[i].per_node;
		paper.group.size = paper.group.nodes = cases[i].ranks;
		paper.group.devices = cases[i].devices;
		paper.group.runs[0] = (struct run){cases[i].stride, cases[i].ranks};
		if (cases[i].outer.degree) {
			paper.group.size = paper.group.nodes = cases[i].ranks * cases[i].outer.degree;
			paper.group.runs[1] = cases[i].outer;
			paper.group.run_count = 2;
		}
		paper.comm = communicator_of(paper.network, &paper.group);
		all_compare(&paper);
		paper_close(&paper);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(one_of_each_kind_stands_for_all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
