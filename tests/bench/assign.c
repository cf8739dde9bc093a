/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast and how near the solver of search/assign.h is: chains and residual networks. Figures, not a test. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "oracle/random.h"
#include "search/assign.h"

enum { BRANCH_NODES = 9 };

struct bench {
	struct random random;
	struct paradl_arena *arena;
	struct assign_node *nodes;
	struct assign_edge *edges;
	struct assign_problem problem;
	bool is_exposed;
};

static double now_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *allocate(struct bench *bench, size_t count, size_t size)
{
	void *const data = arena_alloc(bench->arena, count, size);
	if (!data)
		exit(1);
	return data;
}

/* Options that trade time for memory, with noise. */
static struct assign_node node_draw(struct bench *bench, unsigned options)
{
	double *const cost = allocate(bench, options, sizeof *cost),
		      *const memory = allocate(bench, options, sizeof *memory),
		      *const exposed = allocate(bench, options, sizeof *exposed);
	const double size = random_real(&bench->random, 0.2, 2);
	for (unsigned o = 0; o < options; ++o) {
		const double share = random_real(&bench->random, 0, 1);
		memory[o] = 1e8 * size * (0.05 + share) * random_real(&bench->random, 0.5, 1.5);
		cost[o] = 1e-3 * size * (1 / (0.3 + share)) * random_real(&bench->random, 0.7, 1.3);
		exposed[o] = 1e-3 * size * random_real(&bench->random, -0.5, 0.5);
	}
	return (struct assign_node){.options = options,
		.cost_s = cost,
		.exposed_s = bench->is_exposed ? exposed : NULL,
		.memory_bytes = memory};
}

static const double *edge_draw(struct bench *bench, unsigned options)
{
	double *const cost = allocate(bench, (size_t)options * options, sizeof *cost);
	for (unsigned a = 0; a < options; ++a)
		for (unsigned b = 0; b < options; ++b)
			cost[a * options + b] = a == b ? 0 : 5e-4 * random_real(&bench->random, 0, 1);
	return cost;
}

static void begin(struct bench *bench, unsigned nodes, unsigned edges, bool is_exposed, uint64_t seed)
{
	*bench = (struct bench){.random = {seed}, .arena = paradl_arena_create(), .is_exposed = is_exposed};
	if (!bench->arena)
		exit(1);
	bench->nodes = allocate(bench, nodes, sizeof *bench->nodes);
	bench->edges = allocate(bench, edges, sizeof *bench->edges);
	bench->problem = (struct assign_problem){
		.nodes = bench->nodes, .edges = bench->edges, .node_count = nodes, .edge_count = edges};
}

static void chain(struct bench *bench, unsigned nodes, unsigned options)
{
	struct assign_item *const items = allocate(bench, nodes, sizeof *items);
	for (unsigned n = 0; n < nodes; ++n) {
		bench->nodes[n] = node_draw(bench, options);
		bench->edges[n].cost_s = edge_draw(bench, options);
		items[n] = (struct assign_item){.node = n, .edge = n};
	}
	bench->problem.chain = (struct assign_chain){.count = nodes, .items = items};
}

/* Blocks of nine nodes and a connection around them; four kinds of block, as in residual networks, or all different. */
static void residual(struct bench *bench, unsigned blocks, unsigned options, bool is_repeating)
{
	struct assign_item *const items = allocate(bench, 2 * (size_t)blocks + 1, sizeof *items);
	const unsigned nodes = BRANCH_NODES + 1, edges = BRANCH_NODES + 2;
	items[0] = (struct assign_item){.node = 0};
	bench->nodes[0] = node_draw(bench, options);
	for (unsigned k = 0; k < blocks; ++k) {
		const unsigned node = 1 + k * nodes, edge = k * edges;
		const bool is_copy = is_repeating && k > 0 && k * 4 / blocks == (k - 1) * 4 / blocks;
		for (unsigned n = node; n < node + nodes; ++n)
			bench->nodes[n] = is_copy ? bench->nodes[n - nodes] : node_draw(bench, options);
		for (unsigned e = edge; e < edge + edges; ++e)
			bench->edges[e].cost_s =
				is_copy ? bench->edges[e - edges].cost_s : edge_draw(bench, options);
		struct assign_chain *const branches = allocate(bench, 2, sizeof *branches);
		struct assign_item *const inner = allocate(bench, BRANCH_NODES, sizeof *inner);
		for (unsigned n = 0; n < BRANCH_NODES; ++n)
			inner[n] = (struct assign_item){.node = node + n, .edge = edge + n};
		branches[0] = (struct assign_chain){
			.count = BRANCH_NODES, .items = inner, .last_edge = edge + BRANCH_NODES};
		branches[1] = (struct assign_chain){.count = 0, .last_edge = edge + BRANCH_NODES + 1};
		items[2 * k + 1] = (struct assign_item){.branch_count = 2, .branches = branches};
		items[2 * k + 2] = (struct assign_item){.node = node + BRANCH_NODES};
	}
	bench->problem.chain = (struct assign_chain){.count = 2 * blocks + 1, .items = items};
}

/* `share` of the way from the least memory to that of the least cost of each node alone. */
static double capacity(const struct bench *bench, double share)
{
	double low = 0, high = 0;
	for (unsigned n = 0; n < bench->problem.node_count; ++n) {
		const struct assign_node *const node = &bench->nodes[n];
		double least = HUGE_VAL;
		unsigned cheapest = 0;
		for (unsigned o = 0; o < node->options; ++o) {
			least = fmin(least, node->memory_bytes[o]);
			cheapest = node->cost_s[o] < node->cost_s[cheapest] ? o : cheapest;
		}
		low += least;
		high += node->memory_bytes[cheapest];
	}
	return low + share * (high - low);
}

static void report(struct bench *bench, const char *name, size_t labels)
{
	static const double gaps[] = {0.01, 0.001, 0}, shares[] = {0.2, 0.6};
	for (unsigned s = 0; s < 2; ++s) {
		bench->problem.capacity_bytes = capacity(bench, shares[s]);
		for (unsigned g = 0; g < 3; ++g) {
			const struct assign_limits limits = {.gap = gaps[g], .labels = labels};
			struct assign_solution solution;
			struct paradl_error error = {0};
			const double start = now_s();
			if (!assign_solve(&bench->problem, &limits, bench->arena, &solution, &error)) {
				fprintf(stderr, "%s\n", error.message);
				exit(1);
			}
			printf("%-34s memory %.1f, gap %5.3f: %8.1f ms, proven %.2e, %zu labels\n", name,
				shares[s], gaps[g], 1e3 * (now_s() - start),
				1 - solution.lower_bound_s / solution.value_s, solution.labels);
		}
	}
	paradl_arena_free(bench->arena);
}

int main(int count, char **arguments)
{
	const size_t labels = count > 1 ? strtoull(arguments[1], NULL, 10) : 5000000;
	struct bench bench;
	for (unsigned exposed = 0; exposed < 2; ++exposed) {
		printf("exposed times: %s\n", exposed ? "yes" : "no");
		begin(&bench, 501, 550, exposed, 1);
		residual(&bench, 50, 24, true);
		report(&bench, "50 blocks of 10 x 24, 4 kinds", labels);
		begin(&bench, 501, 550, exposed, 2);
		residual(&bench, 50, 24, false);
		report(&bench, "50 blocks of 10 x 24, different", labels);
		static const unsigned chains[][2] = {{20, 6}, {50, 8}, {100, 12}, {200, 16}, {400, 24}};
		for (unsigned c = 0; c < sizeof chains / sizeof *chains; ++c) {
			char name[64];
			snprintf(name, sizeof name, "chain of %u x %u", chains[c][0], chains[c][1]);
			begin(&bench, chains[c][0], chains[c][0], exposed, 3 + c);
			chain(&bench, chains[c][0], chains[c][1]);
			report(&bench, name, labels);
		}
	}
	return 0;
}
