/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is routed from devices, or copies of a group, that stand for all takes as long as all of it: random groups on many networks. */
#include "network/paper.h"

#include "network/cost/compiler.h"

static unsigned random_next(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static unsigned random_of(unsigned *seed, unsigned count)
{
	return random_next(seed) % count;
}

static void same(const char *what, const struct hull *got, const struct hull *want)
{
	for (double bytes = 1; bytes < 1e10; bytes *= 10) {
		const double got_s = hull_s(got, bytes), want_s = hull_s(want, bytes);
		if (got_s < want_s * (1 - 1e-12) || got_s > want_s * (1 + 1e-12))
			fail_msg("%s, %g bytes: %.17g s, not %.17g s", what, bytes, got_s, want_s);
	}
}

static const char *const topologies[] = {"switch:64", "switch:48:ports=8", "fat-tree:8x16",
	"fat-tree:8x16:up=8", "fat-tree:6x12:up=8", "fat-tree:8x12:up=5", "fat-tree:4x4x8",
	"fat-tree:4x4x8:up=4:core=2", "fat-tree:3x4x8:up=16:core=4", "fat-tree:4x4x8:split=1",
	"fat-tree:4x5x8:up=8:core=4:bundle=1", "rail:4x8x8", "rail:4x8x8:up=4", "rail:3x6x4:up=4",
	"rail:4x8x4:split=1", "torus:8x8", "torus:4x5x6", "torus:4x4x2:hosts=4", "torus:6x4:split=1",
	"mesh:8x8", "dragonfly:9x4:hosts=4:global=2", "dragonfly:9x4:hosts=4:global=4:links=2",
	"dragonfly:9x4:hosts=2:global=2:split=1", "dragonfly:5x4:hosts=4:valiant=1",
	"dragonfly+:8x4:hosts=4:spines=4", "kautz:4x2", "hyperx:8x8", "hyperx:4x3x4:hosts=2:split=1",
	"ring:24", "abci:2"};

/* A group of one run or two, of all the network or of a part of it; whether there is one. */
static bool group_draw(const struct paper *paper, unsigned *seed, struct group *group)
{
	static const unsigned degrees[] = {2, 3, 4, 5, 6, 8, 9, 12, 16, 24, 32, 64};
	const unsigned devices = paper->network->devices, runs = 1 + random_of(seed, 2);
	unsigned below = 1;
	*group = (struct group){.size = 1};
	for (unsigned i = 0; i < runs; ++i) {
		struct run *run = &group->runs[group->run_count++];
		run->stride = below * (random_of(seed, 2) ? 1 : degrees[random_of(seed, 5)]);
		run->degree = random_of(seed, 3) ? degrees[random_of(seed, 12)] : devices / run->stride;
		run->degree += run->degree == 0;
		group->size *= run->degree;
		below = run->stride * run->degree;
	}
	if (below > devices || group->size < 2)
		return false;
	group->nodes = group->size;
	group->devices = random_of(seed, 2) ? devices / below * below : below;
	if (random_of(seed, 4) == 0 && group->runs[0].stride > 1)
		group->silent[group->silent_count++] = (struct run){1, group->runs[0].stride};
	return true;
}

static void group_compare(struct paper *paper, const char *topology, unsigned *turned)
{
	struct compiled got, want;
	char what[256];
	const struct collective *direct = collective_find(ALL_TO_ALL, "direct");
	const struct run *runs = paper->group.runs;
	snprintf(what, sizeof what, "%s: %u runs, %u x %u, %u x %u, of %u devices", topology,
		paper->group.run_count, runs[0].stride, runs[0].degree, runs[1].stride, runs[1].degree,
		paper->group.devices);
	paper->comm = communicator_of(paper->network, &paper->group);
	struct compiler *whole = compiler_create(paper->arena, paper->network);
	assert_true(compile(paper->compiler, &paper->group, &paper->comm, direct, 0, 1e6, &got));
	assert_true(compile_whole(whole, &paper->group, &paper->comm, direct, 0, 1e6, &want));
	*turned += paper->compiler->pairs.turned;
	same(what, &got.upper, &want.upper);
	same(what, &got.lower, &want.lower);
	/* what was kept is of no matter */
	assert_true(compile_whole(paper->compiler, &paper->group, &paper->comm, direct, 0, 1e6, &got));
	assert_close(got.vector_copies, want.vector_copies, 0);
	assert_close(got.hottest_s_per_byte, want.hottest_s_per_byte, 0);
}

/* Every collective, with copies of the group that stand for others. */
static void collectives_compare(struct paper *paper, const char *topology, unsigned *alike)
{
	struct compiler *whole = compiler_create(paper->arena, paper->network);
	paper->comm = communicator_of(paper->network, &paper->group);
	for (unsigned c = 0; collectives[c]; ++c) {
		const unsigned variants = collectives[c]->variants(&paper->comm);
		struct compiled got, want;
		char what[128];
		if (collectives[c]->sparse || !variants)
			continue;
		snprintf(what, sizeof what, "%s on %s, %u x %u of %u", collectives[c]->name, topology,
			paper->group.runs[0].stride, paper->group.size, paper->group.devices);
		assert_true(compile(paper->compiler, &paper->group, &paper->comm, collectives[c],
			variants - 1, 1e6, &got));
		assert_true(compile_whole(
			whole, &paper->group, &paper->comm, collectives[c], variants - 1, 1e6, &want));
		same(what, &got.upper, &want.upper);
		same(what, &got.lower, &want.lower);
		*alike += paper->compiler->copies.looked && paper->compiler->copies.alike;
	}
}

static void representatives_stand_for_all(void **state)
{
	unsigned seed = 7, count = 0, alike = 0;
	(void)state;
	for (unsigned t = 0; t < sizeof topologies / sizeof *topologies; ++t) {
		struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		struct paper paper;
		rules.synchronous = t % 2;
		rules.links[LINK_GLOBAL].latency_s *= 1.5;
		rules.links[LINK_SWITCH].latency_s *= 1.25;
		paper_open(&paper, topologies[t], &rules, 0);
		assert_true(compiler_times_only(paper.arena, paper.compiler));
		for (unsigned i = 0; i < 120; ++i)
			if (group_draw(&paper, &seed, &paper.group)) {
				group_compare(&paper, topologies[t], &count);
				if (i % 6 == 0)
					collectives_compare(&paper, topologies[t], &alike);
			}
		paper_close(&paper);
	}
	assert_true(count > 500 && alike > 500);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(representatives_stand_for_all)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
