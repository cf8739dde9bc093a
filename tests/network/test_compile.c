/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compiler of schedules: steps by hand on small networks, and random steps against a sum of loads over the routes.
 * Algorithms here are lists of what to tell.
 */
#include "paper.h"

#include <limits.h>

#define M 1e6 /* bytes of the vector */

/* ---- a schedule as data ------------------------------------------------------------------------------------- */

enum emit { END, STEP, FLOW, PAIRS, COMBINE, MEMORY, WAIT, FORK, BRANCH, JOIN };

struct emitted {
	enum emit emit;
	double share;      /* repeats of a step; seconds of a wait */
	unsigned from, to; /* from: of a step, its ring */
};

/* What scripted_emit tells: a test's; cmocka tests run one after the other. */
static const struct emitted *script;

static unsigned scripted_variants(const struct communicator *comm)
{
	return comm->size > 1;
}

static void scripted_emit(const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	(void)comm;
	(void)variant;
	for (const struct emitted *line = script; line->emit != END; ++line)
		switch (line->emit) {
		case STEP:
			schedule_step(schedule, line->share, line->from);
			break;
		case FLOW:
			schedule_flow(schedule, line->from, line->to, line->share);
			break;
		case PAIRS:
			schedule_all_pairs(schedule, line->share);
			break;
		case COMBINE:
			schedule_reduce(schedule, line->share);
			break;
		case MEMORY:
			schedule_memory(schedule, line->share);
			break;
		case WAIT:
			schedule_wait(schedule, line->share);
			break;
		case FORK:
			schedule_fork(schedule);
			break;
		case BRANCH:
			schedule_branch(schedule);
			break;
		case JOIN:
			schedule_join(schedule);
			break;
		case END:
			break;
		}
}

static const struct collective scripted = {
	.name = "allreduce-scripted",
	.summary = "what a test says",
	.source = "here",
	.operation = ALLREDUCE,
	.variants = scripted_variants,
	.emit = scripted_emit,
};

static struct compiled scripted_compile(struct paper *paper, const struct emitted *lines, double bytes)
{
	script = lines;
	return paper_compile(paper, &scripted, 0, bytes);
}

#define SCRIPT(...) ((const struct emitted[]){__VA_ARGS__, {END, 0, 0, 0}})

static const double beta = 1 / PAPER_BYTES_PER_S, hop = PAPER_LATENCY_S;

static struct machine_network plain(void)
{
	return paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
}

#define assert_times(compiled, upper_s, lower_s)                                                             \
	do {                                                                                                 \
		assert_close(hull_s(&(compiled).upper, M), upper_s, 1e-12);                                  \
		assert_close(hull_s(&(compiled).lower, M), lower_s, 1e-12);                                  \
	} while (0)

/* ---- steps --------------------------------------------------------------------------------------------------- */

/* One flow over a switch: two links, and the rate of one. Opposite flows do not meet on full-duplex cables. */
static void single_flows(void **state)
{
	const struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	paper_open(&paper, "switch:4", &rules, 0);
	struct compiled compiled = scripted_compile(&paper, SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.5, 0, 1}), M);
	const double once = 2 * hop + M / 2 * beta;
	assert_times(compiled, once, once);
	assert_close(compiled.steps, 1, 0);
	compiled = scripted_compile(&paper, SCRIPT({STEP, 3, 0, 0}, {FLOW, 0.5, 0, 1}, {FLOW, 0.5, 1, 0}), M);
	assert_times(compiled, 3 * once, 3 * once);
	assert_close(compiled.steps, 3, 0);
	compiled = scripted_compile(&paper,
		SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.5, 2, 2}, {FLOW, 0, 0, 1}, {STEP, 0, 0, 0}, {FLOW, 1, 0, 1}),
		M);
	assert_times(compiled, 0, 0);
	paper_close(&paper);
}

/* Three to one: the receiver's link has them all. A step of nothing but these flows; then another, twice. */
static void shared_links_and_sums(void **state)
{
	const struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	paper_open(&paper, "switch:4", &rules, 0);
	const struct compiled compiled = scripted_compile(&paper,
		SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.25, 1, 0}, {FLOW, 0.25, 2, 0}, {FLOW, 0.125, 3, 0},
			{STEP, 2, 0, 0}, {FLOW, 0.1, 0, 1}),
		M);
	const double want = 2 * hop + 0.625 * M * beta + 2 * (2 * hop + 0.1 * M * beta);
	assert_times(compiled, want, want);
	paper_close(&paper);
}

/*
 * Two leaves of 2. Into device 1 come a neighbour's flow (2 hops) and a far one (4 hops), m each:
 *     upper  4 hop + 2 m beta             the link waits for the later
 *     lower  max(2 hop + 2 m beta, 4 hop + m beta)
 */
static void unequal_start_ups(void **state)
{
	const struct machine_network rules = plain();
	const struct emitted *lines = SCRIPT({STEP, 1, 0, 0}, {FLOW, 1, 0, 1}, {FLOW, 1, 2, 1});
	struct paper paper;
	(void)state;
	paper_open(&paper, "fat-tree:2x2", &rules, 0);
	const struct compiled compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 4 * hop + 2 * M * beta, 2 * hop + 2 * M * beta);
	assert_close(hull_s(&compiled.upper, 10), 4 * hop + 20 * beta, 1e-12);
	assert_close(hull_s(&compiled.lower, 10), 4 * hop + 10 * beta, 1e-12);
	paper_close(&paper);
}

/* Branches run beside one another; a fork inside a branch belongs to it. */
static void forks(void **state)
{
	const struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	paper_open(&paper, "switch:8", &rules, 0);
	struct compiled compiled = scripted_compile(&paper,
		SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.5, 0, 1}, {FORK, 0, 0, 0}, {STEP, 4, 0, 0},
			{FLOW, 0.01, 0, 1}, {BRANCH, 0, 0, 0}, {STEP, 1, 0, 0}, {FLOW, 0.1, 2, 3},
			{JOIN, 0, 0, 0}, {STEP, 1, 0, 0}, {FLOW, 0.25, 0, 1}),
		M);
	const double around = 2 * (2 * hop) + 0.75 * M * beta;
	assert_times(compiled, around + 2 * hop + 0.1 * M * beta, around + 2 * hop + 0.1 * M * beta);
	/* few bytes: four start-ups are longer */
	assert_close(hull_s(&compiled.upper, 100), 4 * hop + 75 * beta + 4 * (2 * hop + beta), 1e-12);
	compiled = scripted_compile(&paper,
		SCRIPT({FORK, 0, 0, 0}, {STEP, 1, 0, 0}, {FLOW, 0.2, 0, 1}, {FORK, 0, 0, 0}, {STEP, 1, 0, 0},
			{FLOW, 0.3, 2, 3}, {BRANCH, 0, 0, 0}, {STEP, 1, 0, 0}, {FLOW, 0.4, 4, 5},
			{JOIN, 0, 0, 0}, {BRANCH, 0, 0, 0}, {STEP, 1, 0, 0}, {FLOW, 0.5, 6, 7},
			{JOIN, 0, 0, 0}),
		M);
	assert_times(compiled, 4 * hop + 0.6 * M * beta, 4 * hop + 0.6 * M * beta);
	assert_close(compiled.steps, 4, 0);
	paper_close(&paper);
}

/* A rank combines, reads its memory and waits while nothing else happens in the step. */
static void work_besides_flows(void **state)
{
	struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	rules.reduce_s_per_byte = 1e-12;
	paper_open(&paper, "switch:2", &rules, 0);
	paper.network->memory_s_per_byte = 2e-12;
	const struct compiled compiled = scripted_compile(&paper,
		SCRIPT({STEP, 3, 0, 0}, {FLOW, 0.5, 0, 1}, {COMBINE, 0.5, 0, 0}, {MEMORY, 4, 0, 0},
			{WAIT, 1e-5, 0, 0}),
		M);
	const double want = 3 * (2 * hop + 0.5 * M * beta + 0.5 * M * 1e-12 + 4 * M * 2e-12 + 1e-5);
	assert_times(compiled, want, want);
	paper_close(&paper);
}

/*
 * A ring of four over two leaves: hops 2, 4, 2, 4. Synchronous, each of three steps pays the longest; pipelined, a
 * message goes around once and skips the longest hop: 12 - 4.
 */
static void ring_start_ups(void **state)
{
	const struct emitted *lines = SCRIPT({STEP, 3, 4, 0}, {FLOW, 0.25, 0, 1}, {FLOW, 0.25, 1, 2},
		{FLOW, 0.25, 2, 3}, {FLOW, 0.25, 3, 0});
	struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	paper_open(&paper, "fat-tree:2x2", &rules, 0);
	struct compiled compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 3 * (4 * hop + M / 4 * beta), 3 * (4 * hop + M / 4 * beta));
	paper_close(&paper);
	rules.synchronous = false;
	rules.message_s = 1e-6;
	paper_open(&paper, "fat-tree:2x2", &rules, 0);
	compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 8 * hop + 3e-6 + 3 * M / 4 * beta, 8 * hop + 3e-6 + 3 * M / 4 * beta);
	paper_close(&paper);
}

/* ---- who runs, and where ------------------------------------------------------------------------------------------ */

/* Pairs (i, i + 4) of two leaves of 4 with one uplink: four at once share it, two or one less. */
static void copies_of_a_group(void **state)
{
	const struct machine_network rules = plain();
	const struct emitted *lines = SCRIPT({STEP, 1, 0, 0}, {FLOW, 1, 0, 1});
	struct paper paper;
	(void)state;
	paper_open(&paper, "fat-tree:2x4:up=1", &rules, 0);
	paper.group = (struct group){.size = 2, .nodes = 2, .devices = 8, .runs = {{4, 2}}, .run_count = 1};
	paper.comm = communicator_of(paper.network, &paper.group);
	struct compiled compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 4 * hop + 4 * M * beta, 4 * hop + 4 * M * beta);
	assert_close(compiled.vector_copies, 16, 1e-12);
	paper.group.concurrent = 3;
	compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 4 * hop + 3 * M * beta, 4 * hop + 3 * M * beta);
	paper.group.concurrent = 0;
	paper.group.silent[0] = (struct run){1, 2};
	paper.group.silent_count = 1;
	compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 4 * hop + 2 * M * beta, 4 * hop + 2 * M * beta);
	paper_close(&paper);
}

/* Two flows that each leave their leaf share its uplink; moved, both stay below their leaves. */
static void placement(void **state)
{
	const struct machine_network rules = plain();
	const struct emitted *lines = SCRIPT({STEP, 1, 0, 0}, {FLOW, 1, 0, 2}, {FLOW, 1, 1, 3});
	const unsigned moved[] = {0, 2, 1, 3};
	struct paper paper;
	(void)state;
	paper_open(&paper, "fat-tree:2x2:up=1", &rules, 0);
	struct compiled compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 4 * hop + 2 * M * beta, 4 * hop + 2 * M * beta);
	paper.group.placement = moved;
	compiled = scripted_compile(&paper, lines, M);
	assert_times(compiled, 2 * hop + M * beta, 2 * hop + M * beta);
	paper_close(&paper);
}

/* ---- rules of links and messages --------------------------------------------------------------------------------- */

/* Half duplex, both directions and what comes back share a cable: 2.1 m. Full duplex each direction has 1.05 m. */
static void duplex(void **state)
{
	const struct emitted *both = SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.5, 0, 1}, {FLOW, 0.5, 1, 0});
	const struct emitted *one = SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.5, 0, 1});
	struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	rules.return_share = 0.05;
	for (unsigned half = 0; half < 2; ++half) {
		rules.half_duplex = half;
		paper_open(&paper, "switch:2", &rules, 0);
		struct compiled compiled = scripted_compile(&paper, both, M);
		const double opposite = 2 * hop + (half ? 1.05 : 0.525) * M * beta;
		assert_times(compiled, opposite, opposite);
		compiled = scripted_compile(&paper, one, M);
		const double alone = 2 * hop + (half ? 0.525 : 0.5) * M * beta;
		assert_times(compiled, alone, alone);
		paper_close(&paper);
	}
}

/* From 1000 bytes on, start-ups of routes are doubled and a flow gets half of the listed rate; loads as before. */
static void protocols(void **state)
{
	struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	rules.message_s = 1e-6;
	rules.protocols[0] = (struct protocol){0, 1, 1};
	rules.protocols[1] = (struct protocol){1000, 2, 0.5};
	rules.protocol_count = 2;
	paper_open(&paper, "switch:4", &rules, 0);
	const struct emitted *one = SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.5, 0, 1});
	struct compiled compiled = scripted_compile(&paper, one, 1998);
	assert_close(hull_s(&compiled.upper, 1998), 1e-6 + 2 * hop + 999 * beta, 1e-12);
	compiled = scripted_compile(&paper, one, 2000);
	assert_close(hull_s(&compiled.upper, 2000), 1e-6 + 4 * hop + 2 * 1000 * beta, 1e-12);
	assert_close(hull_s(&compiled.lower, 2000), 1e-6 + 4 * hop + 2 * 1000 * beta, 1e-12);
	/* three flows to one: the link is the limit, not what one flow gets */
	const struct emitted *three =
		SCRIPT({STEP, 1, 0, 0}, {FLOW, 0.5, 0, 1}, {FLOW, 0.5, 2, 1}, {FLOW, 0.5, 3, 1});
	compiled = scripted_compile(&paper, three, 2000);
	assert_close(hull_s(&compiled.upper, 2000), 1e-6 + 4 * hop + 3 * 1000 * beta, 1e-12);
	paper_close(&paper);
}

/* Cables of width 4 with a limit for one flow: three flows run side by side, five share. */
static void bundles(void **state)
{
	const struct emitted *three =
		SCRIPT({STEP, 1, 0, 0}, {FLOW, 1, 0, 1}, {FLOW, 1, 0, 2}, {FLOW, 1, 0, 3});
	const struct emitted *five = SCRIPT({STEP, 1, 0, 0}, {FLOW, 1, 0, 1}, {FLOW, 1, 0, 2},
		{FLOW, 1, 0, 3}, {FLOW, 1, 0, 4}, {FLOW, 1, 0, 5});
	struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	rules.links[LINK_PORT].flow_bytes_per_s = PAPER_BYTES_PER_S;
	paper_open(&paper, "switch:8:width=4", &rules, 0);
	struct compiled compiled = scripted_compile(&paper, three, M);
	assert_times(compiled, 2 * hop + M * beta, 2 * hop + M * beta);
	compiled = scripted_compile(&paper, five, M);
	assert_times(compiled, 2 * hop + 1.25 * M * beta, 2 * hop + 1.25 * M * beta);
	paper_close(&paper);
}

/* Half of each flow over each of two ways of two links. */
static void split_route(const struct graph *graph, unsigned from, unsigned to, struct path *path)
{
	for (unsigned way = 0; way < 2; ++way) {
		path_add_share(graph, path, graph_link(graph, 2 * from + way, false), 0.5);
		path_add_share(graph, path, graph_link(graph, 2 * to + way, true), 0.5);
	}
	path->latency_s = 2 * graph_hop(graph, 0)->latency_s;
}

static void split_routes(void **state)
{
	const struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	paper_open(&paper, "switch:3", &rules, 0);
	struct graph *graph = graph_create(paper.arena, rules.links, false);
	graph->devices = 3;
	graph_vertices(graph, 5);
	for (unsigned i = 0; i < 6; ++i)
		graph_cable(graph, i / 2, 3 + i % 2, LINK_PORT, 1);
	graph->route = split_route;
	graph->longest = 4;
	assert_true(graph_finish(graph, NULL));
	paper.network->graph = graph;
	paper.compiler = compiler_create(paper.arena, paper.network);
	struct compiled compiled = scripted_compile(&paper, SCRIPT({STEP, 1, 0, 0}, {FLOW, 1, 0, 1}), M);
	assert_times(compiled, 2 * hop + M / 2 * beta, 2 * hop + M / 2 * beta);
	assert_close(compiled.vector_copies, 2, 1e-12);
	compiled = scripted_compile(&paper, SCRIPT({STEP, 1, 0, 0}, {FLOW, 1, 0, 1}, {FLOW, 0.5, 2, 1}), M);
	assert_times(compiled, 2 * hop + 0.75 * M * beta, 2 * hop + 0.75 * M * beta);
	paper_close(&paper);
}

/* ---- energy and traffic --------------------------------------------------------------------------------------------- */

/* Each direction is half of a cable's power; only links in use count; 1.05 of the bytes. */
static void energy(void **state)
{
	struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	rules.links[LINK_PORT].idle_watt = 8;
	rules.links[LINK_PORT].peak_watt = 10;
	rules.links[LINK_SWITCH].idle_watt = 3; /* peak not known */
	paper_open(&paper, "fat-tree:2x2:up=1", &rules, 0);
	struct compiled compiled =
		scripted_compile(&paper, SCRIPT({STEP, 2, 0, 0}, {FLOW, 0.5, 0, 2}, {FLOW, 0.25, 1, 2}), M);
	assert_close(compiled.used_watt, 3 * 4 + 2 * 1.5,
		1e-12); /* up from 0 and 1, down to 2; the leaves' cables */
	assert_close(compiled.vector_copies, 2 * (2 * 0.75 + 3 * 0.75 - 0.75), 1e-12);
	assert_close(compiled.joule_per_byte, 2 * (0.5 + 0.25 + 0.75) * 1 * beta, 1e-12);
	assert_true(compiled.hottest < UINT_MAX);
	assert_close(compiled.hottest_s_per_byte, 2 * 0.75 * beta, 1e-12);
	paper_close(&paper);
	rules.half_duplex = true;
	rules.return_share = 0.05;
	paper_open(&paper, "fat-tree:2x2:up=1", &rules, 0);
	compiled =
		scripted_compile(&paper, SCRIPT({STEP, 2, 0, 0}, {FLOW, 0.5, 0, 2}, {FLOW, 0.25, 1, 2}), M);
	assert_close(compiled.used_watt, 3 * 8 + 2 * 3, 1e-12);
	assert_close(compiled.joule_per_byte, 1.05 * 2 * 1.5 * 2 * beta, 1e-12);
	paper_close(&paper);
}

/* ---- all pairs --------------------------------------------------------------------------------------------------------- */

/* 48 ranks are routed pair by pair; 4096 by some of the ranks. On a switch every port has P - 1 messages each way. */
static void all_pairs(void **state)
{
	const char *const switches[] = {"switch:48", "switch:4096"};
	const double ranks[] = {48, 4096};
	const struct machine_network rules = plain();
	struct paper paper;
	(void)state;
	for (unsigned i = 0; i < 2; ++i) {
		paper_open(&paper, switches[i], &rules, 0);
		const struct compiled compiled =
			scripted_compile(&paper, SCRIPT({STEP, 1, 0, 0}, {PAIRS, 1 / ranks[i], 0, 0}), M);
		const double want = 2 * hop + (ranks[i] - 1) / ranks[i] * M * beta;
		assert_times(compiled, want, want);
		paper_close(&paper);
	}
	/* 4:1 oversubscribed: leaf (P - leaf) messages over the uplinks, whatever is routed */
	paper_open(&paper, "fat-tree:64x64:up=16", &rules, 0);
	const struct compiled compiled =
		scripted_compile(&paper, SCRIPT({STEP, 1, 0, 0}, {PAIRS, 1 / 4096.0, 0, 0}), M);
	const double uplinks = 4 * hop + 64 * 4032 / 16.0 / 4096 * M * beta;
	assert_times(compiled, uplinks, uplinks);
	paper_close(&paper);
}

/* ---- random steps ---------------------------------------------------------------------------------------------------------- */

enum { FLOWS = 24, LINKS_MOST = 512, STEPS = 200 };

static unsigned random_next(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

/* Formulas of compile.h, from each flow's route. */
static void bounds(const struct graph *graph, struct path *path, const struct emitted *flows, double bytes,
	double bound[2])
{
	double load[LINKS_MOST] = {0}, most[LINKS_MOST] = {0}, least[LINKS_MOST];
	bound[0] = bound[1] = 0;
	for (unsigned i = 0; i < FLOWS; ++i) {
		graph_route(graph, flows[i].from, flows[i].to, path);
		for (unsigned k = 0; k < path->count; ++k) {
			const unsigned link = path->links[k];
			assert_true(link < LINKS_MOST);
			least[link] = load[link] > 0 ? fmin(least[link], path->latency_s) : path->latency_s;
			most[link] = fmax(most[link], path->latency_s);
			load[link] += flows[i].share * bytes;
		}
		double slowest = 0;
		for (unsigned k = 0; k < path->count; ++k)
			slowest = fmax(slowest, graph_hop(graph, path->links[k])->s_per_byte);
		if (path->count)
			bound[1] = fmax(bound[1], path->latency_s + flows[i].share * bytes * slowest);
	}
	for (unsigned link = 0; link < LINKS_MOST; ++link) {
		if (!(load[link] > 0))
			continue;
		bound[0] = fmax(bound[0], most[link] + load[link] * graph_hop(graph, link)->s_per_byte);
		bound[1] = fmax(bound[1], least[link] + load[link] * graph_hop(graph, link)->s_per_byte);
	}
}

static void random_steps(void **state)
{
	unsigned seed = 21;
	(void)state;
	print_message("# seed %u\n", seed);
	struct machine_network rules = plain();
	rules.links[LINK_SWITCH].sustained_bytes_per_s = 7e9;
	rules.links[LINK_GLOBAL].latency_s = 3e-6;
	struct paper paper;
	struct path path;
	paper_open(&paper, "fat-tree:3x4x4:up=2:core=1", &rules, 0);
	assert_true(path_create(paper.arena, paper.network->graph, &path));
	for (unsigned turn = 0; turn < STEPS; ++turn) {
		struct emitted lines[FLOWS + 2] = {{STEP, 1, 0, 0}};
		const double bytes = pow(2, random_next(&seed) % 28);
		double want[2];
		for (unsigned i = 1; i <= FLOWS; ++i) {
			lines[i].from = random_next(&seed) % 48;
			lines[i].to = random_next(&seed) % 48;
			lines[i].share = (1 + random_next(&seed) % 100) / 100.0;
			lines[i].emit = FLOW;
		}
		const struct compiled compiled = scripted_compile(&paper, lines, bytes);
		bounds(paper.network->graph, &path, lines + 1, bytes, want);
		assert_close(hull_s(&compiled.upper, bytes), want[0], 1e-12);
		assert_close(hull_s(&compiled.lower, bytes), want[1], 1e-12);
		assert_true(hull_s(&compiled.lower, bytes) <= hull_s(&compiled.upper, bytes) * (1 + 1e-14));
	}
	paper_close(&paper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(single_flows),
		cmocka_unit_test(shared_links_and_sums),
		cmocka_unit_test(unequal_start_ups),
		cmocka_unit_test(forks),
		cmocka_unit_test(work_besides_flows),
		cmocka_unit_test(ring_start_ups),
		cmocka_unit_test(copies_of_a_group),
		cmocka_unit_test(placement),
		cmocka_unit_test(duplex),
		cmocka_unit_test(protocols),
		cmocka_unit_test(bundles),
		cmocka_unit_test(split_routes),
		cmocka_unit_test(energy),
		cmocka_unit_test(all_pairs),
		cmocka_unit_test(random_steps),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
