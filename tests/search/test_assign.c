/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solver against every assignment of small problems; its bounds; problems that are none. */
#include "test.h"

#include "search/assign_graph.h"
#include "search/random_graph.h"

struct truth {
	double value;    /* least; inf: nothing fits */
	bool is_allowed; /* something is, whatever memory it needs */
};

static struct truth try_all(const struct random_graph *graph)
{
	struct truth truth = {.value = HUGE_VAL, .is_allowed = false};
	unsigned option[GRAPH_MOST_NODES] = {0};
	for (;;) {
		const struct graph_sums sums = graph_sums(graph, option);
		const double value = sums.cost + (sums.exposed > 0 ? sums.exposed : 0);
		truth.is_allowed |= isfinite(value);
		if (sums.memory <= graph->problem.capacity_bytes && value < truth.value)
			truth.value = value;
		unsigned n = 0;
		while (n < graph->problem.node_count && ++option[n] == graph->nodes[n].options)
			option[n++] = 0;
		if (n == graph->problem.node_count)
			return truth;
	}
}

static struct assign_solution solve(const struct random_graph *graph, double gap, size_t labels)
{
	const struct assign_limits limits = {.gap = gap, .labels = labels};
	struct assign_solution solution;
	struct paradl_error error = {0};
	if (!assign_solve(&graph->problem, &limits, graph->arena, &solution, &error))
		fail_msg("%s", error.message);
	return solution;
}

/* The options it gives are allowed, fit and have the value it says. */
static void check_option(const struct random_graph *graph, const struct assign_solution *solution)
{
	const struct graph_sums sums = graph_sums(graph, solution->option);
	const double value = sums.cost + (sums.exposed > 0 ? sums.exposed : 0);
	assert_true(fabs(value - solution->value_s) <= 1e-12 * (1 + fabs(value)));
	assert_true(sums.memory <= graph->problem.capacity_bytes);
}

static struct graph_kind kind_of(unsigned bits)
{
	return (struct graph_kind){.nodes = 6,
		.options = bits & 64 ? 3 : 5,
		.depth = bits & 1 ? 2 : 0,
		.has_memory = bits & 2,
		.has_exposed = bits & 4,
		.is_integer = bits & 8,
		.is_forbidding = bits & 16,
		.is_repeating = bits & 32,
		.least = bits & 128 ? -5 : 0};
}

static void exact(void **state)
{
	(void)state;
	enum { GRAPHS = 6000 };
	unsigned infeasible = 0, bound_by_memory = 0, branched = 0, labelled = 0;
	for (unsigned i = 0; i < GRAPHS; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct graph_kind kind = kind_of(i);
		struct random_graph graph;
		graph_draw(&graph, 77 + i, arena, &kind);
		const struct truth truth = try_all(&graph);
		const struct assign_solution solution = solve(&graph, 0, 10000000);
		assert_int_equal(solution.feasible, isfinite(truth.value));
		assert_int_equal(solution.proven_infeasible, !solution.feasible);
		if (solution.feasible) {
			check_option(&graph, &solution);
			if (!(fabs(solution.value_s - truth.value) <= 1e-12 * (1 + fabs(truth.value))))
				fail_msg("graph %u: %.17g, best is %.17g", i, solution.value_s, truth.value);
			assert_close(solution.lower_bound_s, solution.value_s, 0);
			graph.problem.capacity_bytes = HUGE_VAL;
			bound_by_memory += solve(&graph, 0, 10000000).value_s < solution.value_s;
		}
		infeasible += truth.is_allowed && !solution.feasible;
		branched += graph.problem.edge_count >= graph.problem.node_count;
		labelled += solution.labels > 0;
		paradl_arena_free(arena);
	}
	/* All that matters is among them. */
	assert_true(infeasible > 100 && bound_by_memory > 800 && branched > 2000 && labelled > 1500);
}

static void bounds(void **state)
{
	(void)state;
	enum { GRAPHS = 3000 };
	unsigned apart = 0;
	for (unsigned i = 0; i < GRAPHS; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct graph_kind kind = kind_of(i);
		struct random_graph graph;
		graph_draw(&graph, 1234567 + i, arena, &kind);
		const double best = try_all(&graph).value;
		static const size_t limits[] = {0, 20, 100, 1000};
		static const double gaps[] = {0, 0.3, 0.01};
		for (unsigned l = 0; l < 4; ++l) {
			const double gap = gaps[i % 3];
			const struct assign_solution solution = solve(&graph, gap, limits[l]);
			assert_int_equal(solution.feasible, isfinite(best));
			if (!solution.feasible)
				continue;
			check_option(&graph, &solution);
			assert_true(solution.lower_bound_s <= best + 1e-12 * (1 + fabs(best)));
			assert_true(solution.value_s >= best - 1e-12 * (1 + fabs(best)));
			apart += solution.value_s - solution.lower_bound_s > gap * fabs(solution.value_s);
		}
		paradl_arena_free(arena);
	}
	assert_true(apart > 100); /* the limits are felt */
}

/* A value to be beaten: it ends, and says that nothing is below it by the gap, or finds what is. */
static void value_to_beat(void **state)
{
	(void)state;
	enum { GRAPHS = 3000 };
	unsigned beaten = 0, proven = 0;
	for (unsigned i = 0; i < GRAPHS; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct graph_kind kind = kind_of(i & 127);
		struct random_graph graph;
		graph_draw(&graph, 4711 + i, arena, &kind);
		const double best = try_all(&graph).value, gap = i % 2 ? 0.1 : 0.003;
		const double below = best * (1 + gap * (0.25 * (i % 13) - 1.5));
		const struct assign_limits limits = {.gap = gap, .labels = 10000000, .below = below};
		struct assign_solution solution;
		struct paradl_error error = {0};
		if (isfinite(best) && best > 0) {
			assert_true(assign_solve(&graph.problem, &limits, arena, &solution, &error));
			assert_true(solution.lower_bound_s <= best * (1 + 1e-12));
			if (solution.lower_bound_s >= (1 - gap) * below * (1 - 1e-12))
				++proven;
			else
				assert_true(solution.value_s - solution.lower_bound_s <=
					    gap * solution.value_s * (1 + 1e-12));
			if (best < (1 - gap) * below * (1 - 1e-12)) {
				assert_true(solution.value_s * (1 - gap) <= best * (1 + 1e-12));
				++beaten;
			}
		}
		paradl_arena_free(arena);
	}
	assert_true(beaten > 300 && proven > 300);
}

/* Larger ones: what few labels prove never contradicts what many prove, and the gap that is asked for is kept. */
static void larger(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct graph_kind kind = kind_of(i | 7);
		kind.nodes = GRAPH_MOST_NODES;
		kind.options = 8;
		struct random_graph graph;
		graph_draw(&graph, 99 + i, arena, &kind);
		const struct assign_solution best = solve(&graph, 0, 100000000),
					     near = solve(&graph, 0.01, 100000000),
					     again = solve(&graph, 0.01, 100000000),
					     few = solve(&graph, 0, 500);
		assert_int_equal(near.feasible, best.feasible);
		if (best.feasible) {
			check_option(&graph, &best);
			const double rounding = 1e-12 * (1 + fabs(best.value_s));
			assert_close(best.lower_bound_s, best.value_s, 0);
			assert_true(near.value_s - near.lower_bound_s <= 0.01 * fabs(near.value_s));
			assert_true(near.lower_bound_s <= best.value_s + rounding);
			assert_true(few.lower_bound_s <= best.value_s + rounding);
			assert_true(few.value_s >= best.value_s - rounding);
			assert_true(near.value_s >= best.value_s - rounding);
			assert_memory_equal(
				near.option, again.option, graph.problem.node_count * sizeof *near.option);
			assert_true(near.labels == again.labels);
			assert_close(near.lower_bound_s, again.lower_bound_s, 0);
		}
		paradl_arena_free(arena);
	}
}

/* A capacity that only one assignment meets exactly. */
static void tight(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 500; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct graph_kind kind = kind_of((i & ~16U) | 8 | 2);
		struct random_graph graph;
		graph_draw(&graph, 5 + i, arena, &kind);
		double least, greatest;
		graph_memory(&graph, &least, &greatest);
		graph.problem.capacity_bytes = least;
		const struct assign_solution solution = solve(&graph, 0, 1000000);
		assert_true(solution.feasible);
		check_option(&graph, &solution);
		assert_true(fabs(solution.value_s - try_all(&graph).value) <=
			    1e-12 * (1 + fabs(solution.value_s)));
		graph.problem.capacity_bytes = least - 1;
		assert_true(solve(&graph, 0, 0).proven_infeasible);
		paradl_arena_free(arena);
	}
}

static void refuse(const struct assign_problem *problem, const char *message)
{
	struct paradl_arena *const arena = paradl_arena_create();
	const struct assign_limits limits = {.gap = 0, .labels = 10};
	struct assign_solution solution;
	struct paradl_error error = {0};
	assert_false(assign_solve(problem, &limits, arena, &solution, &error));
	assert_int_equal(error.status, PARADL_USAGE);
	assert_string_equal(error.message, message);
	paradl_arena_free(arena);
}

static void malformed(void **state)
{
	(void)state;
	static const double cost[] = {1, 2}, wrong[] = {1, (double)NAN}, edge_cost[] = {1, 2, 3, 4};
	static const struct assign_node nodes[] = {{.options = 2, .cost_s = cost},
		{.options = 2, .cost_s = cost}},
					wrong_nodes[] = {{.options = 2, .cost_s = cost},
						{.options = 2, .cost_s = wrong}};
	static const struct assign_edge edges[] = {{.cost_s = edge_cost}};
	static const struct assign_chain branch = {.count = 0};
	static const struct assign_item right[] = {{.node = 0}, {.node = 1}},
					open[] = {{.node = 0}, {.node = 1},
						{.branch_count = 1, .branches = &branch}},
					twice[] = {{.node = 0}, {.node = 0}},
					unknown[] = {{.node = 0}, {.node = 2}},
					apart[] = {{.node = 0}, {.node = 1, .edge = 1}};
	static const struct {
		const struct assign_item *items;
		unsigned count;
		const struct assign_node *nodes;
		double capacity;
		const char *message;
	} cases[] = {
		{right, 0, nodes, 1, "the chain is empty"},
		{right, 1, nodes, 1, "node 1 is nowhere in the chain"},
		{open, 3, nodes, 1, "item 2 of a chain, branches, is not between two nodes"},
		{twice, 2, nodes, 1, "node 0 is at two places"},
		{unknown, 2, nodes, 1, "node 2 is not there"},
		{apart, 2, nodes, 1, "there is no edge 1"},
		{right, 2, wrong_nodes, 1, "option 1 of node 1 has a cost that is no number"},
		{right, 2, nodes, (double)NAN, "the capacity is no number"},
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
		refuse(&(struct assign_problem){.nodes = cases[k].nodes,
			       .node_count = 2,
			       .edges = edges,
			       .edge_count = 1,
			       .chain = {.count = cases[k].count, .items = cases[k].items},
			       .capacity_bytes = cases[k].capacity},
			cases[k].message);
}

static bool places_equal(const struct assign_place *a, const struct assign_place *b)
{
	const size_t bytes = a->count * sizeof *a->cost;
	return a->count == b->count && memcmp(a->cost, b->cost, bytes) == 0 &&
	       memcmp(a->exposed, b->exposed, bytes) == 0 && memcmp(a->memory, b->memory, bytes) == 0;
}

/* Have two parts the same costs inside, all the way down? */
static bool parts_equal(const struct assign_graph *graph, unsigned p, unsigned q)
{
	const struct assign_part *const a = &graph->parts[p], *const b = &graph->parts[q];
	const unsigned rows = graph->nodes[a->from].count, columns = graph->nodes[a->to].count;
	if (a->kind != b->kind || rows != graph->nodes[b->from].count || columns != graph->nodes[b->to].count)
		return false;
	if (a->kind == ASSIGN_EDGE)
		return memcmp(a->cost, b->cost, (size_t)rows * columns * sizeof *a->cost) == 0;
	return parts_equal(graph, a->left, b->left) && parts_equal(graph, a->right, b->right) &&
	       (a->kind == ASSIGN_PARALLEL || places_equal(&graph->nodes[a->node], &graph->nodes[b->node]));
}

/* What repeats is worked out once: each node and each part is known by the first that equals it. */
static void alike(void **state)
{
	(void)state;
	unsigned nodes = 0, parts = 0;
	for (unsigned i = 0; i < 500; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct graph_kind kind = kind_of(i | 32);
		struct random_graph drawn;
		struct assign_graph graph;
		kind.nodes = GRAPH_MOST_NODES;
		graph_draw(&drawn, 4321 + i, arena, &kind);
		assert_true(assign_graph_build(&drawn.problem, arena, &graph, NULL) &&
			    assign_graph_reduce(&graph, arena));
		for (unsigned n = 0; n < graph.node_count; ++n) {
			unsigned first = 0;
			while (!places_equal(&graph.nodes[first], &graph.nodes[n]))
				++first;
			assert_int_equal(graph.nodes[n].alike, first);
			nodes += first < n;
		}
		for (unsigned p = 0; p < graph.part_count; ++p) {
			unsigned first = 0;
			while (!parts_equal(&graph, first, p))
				++first;
			assert_int_equal(graph.parts[p].alike, first);
			parts += first < p;
		}
		paradl_arena_free(arena);
	}
	assert_true(nodes > 500 && parts > 500);
}

/* Has a label no more of anything than another? */
static bool beats(const struct label *a, const struct label *b)
{
	return a->cost <= b->cost && a->cost + a->exposed <= b->cost + b->exposed && a->memory <= b->memory;
}

static bool is_beaten(const struct label_cells *cells, struct label_range range, const struct label *label)
{
	unsigned k = range.begin;
	while (k < range.end && !beats(&cells->labels[k], label))
		++k;
	return k < range.end;
}

/*
 * Of the labels of a cell one stays for each that no other beats; of more than there is room for
 * those go whose bound is no less than what is said of them.
 */
static void labels(void **state)
{
	(void)state;
	enum { LABELS = 3000, MOST = 4 };
	static struct label all[LABELS];
	struct random random = {2024};
	for (unsigned round = 0; round < 8; ++round) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct label_pile pile, narrow;
		struct label_cells cells;
		const unsigned values = round % 2 ? 200 : 1000000; /* with equal ones, and hardly any */
		assert_true(label_pile_create(&pile, LABELS, arena) &&
			    label_pile_create(&narrow, MOST, arena) && label_cells_create(&cells, 2, arena));
		for (unsigned i = 0; i < LABELS; ++i) {
			all[i] = (struct label){.cost = random_between(&random, 0, values),
				.exposed = random_between(&random, 0, values),
				.memory = random_between(&random, 0, values),
				.left = i};
			all[i].bound = all[i].cost + all[i].exposed;
			assert_true(label_pile_add(&pile, &all[i]) && label_pile_add(&narrow, &all[i]));
		}
		assert_true(label_cell_take(&cells, 0, &pile) && label_cell_take(&cells, 1, &narrow));
		const struct label_range kept = label_cell(&cells, 0), few = label_cell(&cells, 1);
		for (unsigned i = kept.begin; i < kept.end; ++i)
			for (unsigned k = kept.begin; k < kept.end; ++k)
				assert_true(i == k || !beats(&cells.labels[i], &cells.labels[k]));
		for (unsigned i = 0; i < LABELS; ++i) {
			assert_true(is_beaten(&cells, kept, &all[i]));
			assert_true(is_beaten(&cells, few, &all[i]) || all[i].bound >= narrow.dropped);
		}
		assert_true(kept.end - kept.begin > MOST && isinf(pile.dropped));
		assert_int_equal(few.end - few.begin, MOST);
		assert_true(narrow.dropped < HUGE_VAL);
		paradl_arena_free(arena);
	}
}

enum { LONG_NODES = 24, LONG_OPTIONS = 8, LONG_MOST = 20, LONG_SUMS = LONG_NODES * LONG_MOST + 1 };

/* A chain without costs between nodes: numbers of each option, memory from 0 to LONG_MOST, exposed from minus to plus half of that. */
struct long_chain {
	double cost[LONG_NODES][LONG_OPTIONS], exposed[LONG_NODES][LONG_OPTIONS],
		memory[LONG_NODES][LONG_OPTIONS];
	struct assign_node nodes[LONG_NODES];
	struct assign_item items[LONG_NODES];
};

static struct assign_problem long_draw(struct long_chain *chain, struct random *random)
{
	static const double nothing[LONG_OPTIONS * LONG_OPTIONS] = {0};
	static const struct assign_edge edge = {.cost_s = nothing};
	for (unsigned n = 0; n < LONG_NODES; ++n) {
		for (unsigned o = 0; o < LONG_OPTIONS; ++o) {
			chain->memory[n][o] = random_between(random, 0, LONG_MOST);
			chain->exposed[n][o] = random_between(random, 0, LONG_MOST) - LONG_MOST / 2.0;
			chain->cost[n][o] =
				random_between(random, 0, 2) - chain->memory[n][o] - chain->exposed[n][o];
		}
		chain->nodes[n] = (struct assign_node){
			LONG_OPTIONS, chain->cost[n], chain->exposed[n], chain->memory[n]};
		chain->items[n] = (struct assign_item){.node = n};
	}
	return (struct assign_problem){.nodes = chain->nodes,
		.node_count = LONG_NODES,
		.edges = &edge,
		.edge_count = 1,
		.chain = {.count = LONG_NODES, .items = chain->items},
		.capacity_bytes = LONG_NODES * LONG_MOST / 2};
}

/* Returns the least value of such a chain, from the least cost for each sum of memory and of what is exposed. */
static double long_least(const struct long_chain *chain, double capacity)
{
	static double sums[2][LONG_SUMS][LONG_SUMS];
	const unsigned zero = LONG_NODES * LONG_MOST / 2;
	double value = HUGE_VAL;
	for (unsigned n = 0; n <= LONG_NODES; ++n)
		for (unsigned m = 0; m < LONG_SUMS; ++m)
			for (unsigned x = 0; x < LONG_SUMS; ++x) {
				double least = n == 0 && m == 0 && x == zero ? 0 : HUGE_VAL;
				for (unsigned o = 0; n > 0 && o < LONG_OPTIONS; ++o) {
					const double before_m = m - chain->memory[n - 1][o],
						     before_x = x - chain->exposed[n - 1][o];
					if (before_m >= 0 && before_x >= 0 && before_x < LONG_SUMS)
						least = fmin(least, sums[(n + 1) % 2][(unsigned)before_m]
									[(unsigned)before_x] +
									    chain->cost[n - 1][o]);
				}
				sums[n % 2][m][x] = least;
			}
	for (unsigned m = 0; m <= capacity; ++m)
		for (unsigned x = 0; x < LONG_SUMS; ++x)
			value = fmin(value, sums[LONG_NODES % 2][m][x] + (x > zero ? x - zero : 0));
	return value;
}

/* Chains of many nodes: narrow cells do not hold all that matters, so wider ones have to follow. */
static void long_chains(void **state)
{
	(void)state;
	struct random random = {31};
	for (unsigned i = 0; i < 8; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct long_chain chain;
		const struct assign_problem problem = long_draw(&chain, &random);
		const struct assign_limits limits = {.gap = 0, .labels = 10000000};
		struct assign_solution solution;
		assert_true(assign_solve(&problem, &limits, arena, &solution, NULL));
		assert_close(solution.value_s, long_least(&chain, problem.capacity_bytes), 0);
		assert_close(solution.lower_bound_s, solution.value_s, 0);
		paradl_arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact),
		cmocka_unit_test(bounds),
		cmocka_unit_test(value_to_beat),
		cmocka_unit_test(larger),
		cmocka_unit_test(long_chains),
		cmocka_unit_test(tight),
		cmocka_unit_test(malformed),
		cmocka_unit_test(alike),
		cmocka_unit_test(labels),
	};
	return cmocka_run_group_tests_name("assign", tests, NULL, NULL);
}
