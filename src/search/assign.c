/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This solver chooses one option for each node of a series-parallel graph, with a proven gap.
 *
 * With sums C of costs, X of exposed times and M of memory, max(0, X) is the greatest of lambda X for
 * 0 <= lambda <= 1. For any such lambda and any mu >= 0, every choice that fits satisfies
 *
 *     C + max(0, X) >= C + lambda X + mu (M - capacity)
 *
 * since lambda X <= max(0, X) and mu (M - capacity) <= 0. The least of the right side over all choices, fitting or
 * not, is therefore no more than the optimum; it is a sum over nodes and edges, so dynamic programming finds it
 * (assign_bound.c). Cutting planes (assign_dual.c) nearly find the greatest of these bounds over the multipliers.
 * The same bound on the rest of the graph around a partial assignment leaves few of these to enumerate
 * (assign_labels.c). Those left out for lack of room have a bound of their own, and the least of these is proven too.
 */
#include "search/assign.h"

#include <math.h>

#include "base/error.h"
#include "search/assign_graph.h"

/*
 * Finds the choice that needs the least memory of all that are allowed, in state->trial; *is_allowed: there is one.
 * Returns false when out of memory.
 */
static bool least_memory(struct assign_state *state, bool *is_allowed)
{
	struct assign_tables tables;
	if (!assign_tables_create(state->graph, false, state->arena, &tables))
		return false;
	const struct assign_price memory = {.cost = 0, .exposed = 0, .memory = 1};
	*is_allowed = isfinite(assign_inside(state->graph, &memory, &tables));
	if (*is_allowed)
		assign_choose(state->graph, &tables, state->trial);
	return true;
}

static bool search(struct assign_state *state)
{
	bool is_allowed;
	if (!least_memory(state, &is_allowed))
		return false;
	if (!is_allowed || !assign_offer(state)) {
		state->bound = HUGE_VAL;
		return true;
	}
	const struct assign_totals least = assign_sum(state->graph, state->trial);
	struct assign_prices prices;
	if (!assign_dual(state, &least, &prices))
		return false;
	if (assign_done(state))
		return true;
	assign_improve(state);
	return assign_done(state) || assign_labels(state, &prices);
}

bool assign_solve(const struct assign_problem *problem, const struct assign_limits *limits,
	struct paradl_arena *arena, struct assign_solution *solution, struct paradl_error *error)
{
	struct assign_graph graph;
	struct paradl_arena *const scratch = paradl_arena_create();
	if (!scratch)
		return out_of_memory(error);
	bool is_done = assign_graph_build(problem, scratch, &graph, error);
	if (is_done) {
		struct assign_state state = {.graph = &graph,
			.arena = scratch,
			.gap = limits->gap,
			.below = limits->below > 0 ? limits->below : HUGE_VAL,
			.label_limit = limits->labels,
			.choice = arena_alloc(scratch, graph.node_count, sizeof *state.choice),
			.trial = arena_alloc(scratch, graph.node_count, sizeof *state.trial),
			.value = HUGE_VAL,
			.bound = -HUGE_VAL};
		*solution = (struct assign_solution){
			.option = arena_alloc(arena, problem->node_count, sizeof *solution->option)};
		is_done = state.choice && state.trial && solution->option &&
			  assign_graph_reduce(&graph, scratch) && search(&state);
		if (is_done) {
			solution->value_s = state.value;
			solution->lower_bound_s = fmin(state.bound, state.value);
			solution->feasible = isfinite(state.value);
			solution->proven_infeasible = !solution->feasible;
			solution->labels = state.labels;
			for (unsigned n = 0; n < problem->node_count; ++n)
				solution->option[n] = graph.nodes[n].option[state.choice[n]];
		} else {
			out_of_memory(error);
		}
	}
	paradl_arena_free(scratch);
	return is_done;
}
