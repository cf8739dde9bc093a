/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file enumerates partial assignments of the parts of a graph, from edges upwards. A label is one partial
 * assignment for two given options at the ends of a part. It is left out
 *   - if it and the least around it need too much memory;
 *   - if its bound, at any of the prices, is no less than the limit of the run;
 *   - if another of the same cell has no more cost, no more cost + exposed, and no more memory: whatever is around,
 *     the value max(cost, cost + exposed) is no more, either;
 *   - if its cell is full: then the least bound of those left out is proven for all of them.
 * The first run has narrow cells, and each next run has wider ones. A run with too many labels is given up, and the
 * next has a limit nearer to the bound: either the optimum lies below that limit, or nothing does and the limit is the
 * next bound.
 */
#include <math.h>
#include <string.h>

#include "search/assign_graph.h"

enum { FIRST_WIDTH = 16, WIDEN = 4, LEAST_RUN = 100000, MOST_TABLE_BYTES = 1 << 30 };

struct run {
	struct assign_state *state;
	struct assign_prices prices;
	struct assign_tables tables[ASSIGN_PRICES], memory;
	struct label_cells cells; /* labels of the parts so far */
	struct label_pile pile;   /* labels of the cell that is being filled */
	double limit;             /* limit of the run: labels with this bound or more are left out */
	size_t label_limit;       /* number of labels, all runs together, at which this run is given up */
};

static bool is_spent(const struct run *run)
{
	return run->state->labels >= run->label_limit;
}

static bool add(struct run *run, const struct cell_around *around, struct label label)
{
	++run->state->labels;
	if (!assign_fits(run->state->graph, label.memory + around->memory))
		return true;
	label.bound = -HUGE_VAL;
	for (unsigned k = 0; k < run->prices.count; ++k) {
		const struct assign_price *const price = &run->prices.price[k];
		const double bound = label.cost + price->exposed * label.exposed +
				     price->memory * label.memory + around->bound[k];
		label.bound = bound > label.bound ? bound : label.bound;
	}
	return label.bound >= run->limit || label_pile_add(&run->pile, &label);
}

static bool add_products(struct run *run, const struct cell_around *around, struct label_range left,
	struct label_range right, const struct assign_place *middle, unsigned m)
{
	const struct label *const labels = run->cells.labels;
	const double cost = middle ? middle->cost[m] : 0, exposed = middle ? middle->exposed[m] : 0,
		     memory = middle ? middle->memory[m] : 0;
	for (unsigned l = left.begin; l < left.end && !is_spent(run); ++l)
		for (unsigned r = right.begin; r < right.end; ++r) {
			const struct label label = {
				.cost = labels[l].cost + cost + labels[r].cost,
				.exposed = labels[l].exposed + exposed + labels[r].exposed,
				.memory = labels[l].memory + memory + labels[r].memory,
				.left = l,
				.right = r,
				.middle = m,
			};
			if (!add(run, around, label))
				return false;
		}
	return true;
}

static bool fill_cell(struct run *run, unsigned p, unsigned a, unsigned b, const struct cell_around *around)
{
	const struct assign_graph *const graph = run->state->graph;
	const struct assign_part *const part = &graph->parts[p];
	const size_t columns = graph->nodes[part->to].count, k = a * columns + b;
	if (part->kind == ASSIGN_EDGE)
		return add(run, around, (struct label){.cost = part->cost[k]});
	if (part->kind == ASSIGN_PARALLEL)
		return add_products(run, around, label_cell(&run->cells, graph->cell[part->left] + k),
			label_cell(&run->cells, graph->cell[part->right] + k), NULL, 0);
	const struct assign_place *const middle = &graph->nodes[part->node];
	for (unsigned m = 0; m < middle->count; ++m) {
		const struct label_range left =
			label_cell(&run->cells, graph->cell[part->left] + (size_t)a * middle->count + m);
		if (left.begin < left.end &&
			!add_products(run, around, left,
				label_cell(&run->cells, graph->cell[part->right] + m * columns + b), middle,
				m))
			return false;
	}
	return true;
}

/* Fills the sums around a cell; false if nothing in this cell can be within the limits. */
static bool look_around(const struct run *run, unsigned p, size_t k, struct cell_around *around)
{
	const struct assign_graph *const graph = run->state->graph;
	const size_t outside = graph->cell[p] + k, inside = graph->cell[graph->parts[p].alike] + k;
	around->memory = run->memory.outside[outside];
	if (!assign_fits(graph, run->memory.inside[inside] + around->memory))
		return false;
	for (unsigned i = 0; i < run->prices.count; ++i) {
		around->bound[i] =
			run->tables[i].outside[outside] - run->prices.price[i].memory * graph->capacity;
		if (run->tables[i].inside[inside] + around->bound[i] >= run->limit)
			return false;
	}
	return true;
}

static bool fill_part(struct run *run, unsigned p)
{
	const struct assign_graph *const graph = run->state->graph;
	const struct assign_part *const part = &graph->parts[p];
	const unsigned rows = graph->nodes[part->from].count, columns = graph->nodes[part->to].count;
	for (unsigned a = 0; a < rows; ++a)
		for (unsigned b = 0; b < columns && !is_spent(run); ++b) {
			const size_t k = (size_t)a * columns + b;
			struct cell_around around;
			if (look_around(run, p, k, &around) && !fill_cell(run, p, a, b, &around))
				return false;
			if (!label_cell_take(&run->cells, graph->cell[p] + k, &run->pile))
				return false;
		}
	return true;
}

/* Offers the choice of the best label of the whole graph, if there is one. */
static void offer_best(struct run *run, unsigned *label_of)
{
	struct assign_state *const state = run->state;
	const struct assign_graph *const graph = state->graph;
	const struct label *const labels = run->cells.labels;
	const struct label_range all = label_cell(&run->cells, graph->cell[graph->part_count - 1]);
	double best = HUGE_VAL;
	for (unsigned k = all.begin; k < all.end; ++k) {
		const double value = labels[k].cost + (labels[k].exposed > 0 ? labels[k].exposed : 0);
		if (value < best) {
			best = value;
			label_of[graph->part_count - 1] = k;
		}
	}
	for (unsigned p = graph->part_count; isfinite(best) && p-- > 0;) {
		const struct assign_part *const part = &graph->parts[p];
		const struct label *const label = &labels[label_of[p]];
		if (part->kind == ASSIGN_EDGE)
			continue;
		if (part->kind == ASSIGN_SERIES)
			state->trial[part->node] = label->middle;
		label_of[part->left] = label->left;
		label_of[part->right] = label->right;
	}
	if (isfinite(best))
		assign_offer(state);
}

/* Enumerates the labels below the limit, at most `width` in a cell. Returns false when out of memory. */
static bool enumerate(struct run *run, size_t width, unsigned *label_of)
{
	struct assign_state *const state = run->state;
	const struct assign_graph *const graph = state->graph;
	struct paradl_arena *const arena = paradl_arena_create();
	bool is_done = arena && label_cells_create(&run->cells, graph->cell[graph->part_count], arena) &&
		       label_pile_create(&run->pile, width, arena);
	for (unsigned p = 0; is_done && p < graph->part_count && !is_spent(run); ++p)
		is_done = fill_part(run, p);
	if (is_done && !is_spent(run)) {
		const double proven = fmin(run->limit, run->pile.dropped);
		offer_best(run, label_of);
		state->bound = fmin(fmax(state->bound, proven), state->value);
	}
	paradl_arena_free(arena);
	return is_done;
}

/* Runs until the gap is reached or the labels are used up. */
static bool run_all(struct run *run, unsigned *label_of)
{
	struct assign_state *const state = run->state;
	size_t width = FIRST_WIDTH;
	double share = 1; /* position of the run's limit between the bound (0) and the value to prove (1) */
	while (!assign_done(state) && state->labels < state->label_limit) {
		const double value = fmin(state->value, state->below);
		const double target = value - state->gap * (1 - 1e-9) * fabs(value);
		run->limit = share < 1 ? state->bound + share * (target - state->bound) : target;
		const size_t left = state->label_limit - state->labels;
		run->label_limit = state->labels + (left > LEAST_RUN ? left / 2 : left);
		if (!enumerate(run, width, label_of))
			return false;
		if (is_spent(run)) {
			share /= 8;
		} else {
			share = fmin(1, 2 * share);
			width *= WIDEN;
		}
	}
	return true;
}

bool assign_labels(struct assign_state *state, const struct assign_prices *prices)
{
	static const struct assign_price memory = {.cost = 0, .exposed = 0, .memory = 1};
	const struct assign_graph *const graph = state->graph;
	const size_t tables = 2 * (prices->count + (size_t)1), cells = graph->cell[graph->part_count];
	if (state->label_limit == 0 || cells > MOST_TABLE_BYTES / sizeof(double) / tables)
		return true;
	struct run run = {.state = state, .prices = *prices};
	unsigned *const label_of = arena_alloc(state->arena, graph->part_count, sizeof *label_of);
	if (!label_of || !assign_tables_create(graph, true, state->arena, &run.memory))
		return false;
	assign_inside(graph, &memory, &run.memory);
	assign_outside(graph, &run.memory);
	for (unsigned k = 0; k < prices->count; ++k) {
		if (!assign_tables_create(graph, true, state->arena, &run.tables[k]))
			return false;
		assign_inside(graph, &prices->price[k], &run.tables[k]);
		assign_outside(graph, &run.tables[k]);
	}
	return run_all(&run, label_of);
}
