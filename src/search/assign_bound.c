/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the sums inside and outside the parts of a graph, for one price of cost, exposure and memory, by
 * dynamic programming in the semiring (min, +). With w the priced costs of the options of a node,
 *
 *     series    inside[a][b] = min over m of left[a][m] + w[m] + right[m][b]
 *     parallel  inside[a][b] = left[a][b] + right[a][b]
 *
 * and the outside follows in the same way downwards; it includes the ends' own w. The sum inside + outside of a cell
 * is the least of all choices that have these two options at the ends.
 */
#include <math.h>
#include <string.h>

#include "search/assign_graph.h"

bool assign_tables_create(const struct assign_graph *graph, bool outside, struct paradl_arena *arena,
	struct assign_tables *tables)
{
	const size_t cells = graph->cell[graph->part_count];
	*tables = (struct assign_tables){
		.weight =
			arena_alloc(arena, (size_t)graph->node_count * graph->widest, sizeof *tables->weight),
		.inside = arena_alloc(arena, cells, sizeof *tables->inside),
		.outside = outside ? arena_alloc(arena, cells, sizeof *tables->outside) : NULL,
	};
	return tables->weight && tables->inside && (tables->outside || !outside);
}

static void weigh(const struct assign_graph *graph, struct assign_tables *tables)
{
	const struct assign_price price = tables->price;
	for (unsigned n = 0; n < graph->node_count; ++n) {
		const struct assign_place *const place = &graph->nodes[n];
		double *const weight = tables->weight + (size_t)n * graph->widest;
		for (unsigned o = 0; o < place->count; ++o)
			weight[o] = (isinf(place->cost[o]) ? HUGE_VAL : price.cost * place->cost[o]) +
				    price.exposed * place->exposed[o] + price.memory * place->memory[o];
	}
}

static double *inside_of(const struct assign_graph *graph, const struct assign_tables *tables, unsigned part)
{
	return tables->inside + graph->cell[graph->parts[part].alike];
}

static const double *weight_of(
	const struct assign_graph *graph, const struct assign_tables *tables, unsigned node)
{
	return tables->weight + (size_t)node * graph->widest;
}

/* Lowers each least[k] to min(least[k], add + row[k]). */
static void lower(double *restrict least, const double *restrict row, double add, unsigned count)
{
	for (unsigned k = 0; k < count; ++k) {
		const double sum = add + row[k];
		least[k] = sum < least[k] ? sum : least[k];
	}
}

static void fill(double *row, double value, size_t count)
{
	for (size_t k = 0; k < count; ++k)
		row[k] = value;
}

static void inside_series(const struct assign_graph *graph, const struct assign_tables *tables,
	const struct assign_part *part, double *inside)
{
	const unsigned rows = graph->nodes[part->from].count, columns = graph->nodes[part->to].count,
		       middles = graph->nodes[part->node].count;
	const double *const left = inside_of(graph, tables, part->left),
			    *const right = inside_of(graph, tables, part->right),
			    *const weight = weight_of(graph, tables, part->node);
	fill(inside, HUGE_VAL, (size_t)rows * columns);
	for (unsigned a = 0; a < rows; ++a)
		for (unsigned m = 0; m < middles; ++m)
			lower(inside + (size_t)a * columns, right + (size_t)m * columns,
				left[(size_t)a * middles + m] + weight[m], columns);
}

double assign_inside(
	const struct assign_graph *graph, const struct assign_price *price, struct assign_tables *tables)
{
	tables->price = *price;
	weigh(graph, tables);
	for (unsigned p = 0; p < graph->part_count; ++p) {
		const struct assign_part *const part = &graph->parts[p];
		double *const inside = tables->inside + graph->cell[p];
		const size_t cells = graph->cell[p + 1] - graph->cell[p];
		if (part->alike != p)
			continue;
		if (part->kind == ASSIGN_SERIES)
			inside_series(graph, tables, part, inside);
		else if (part->kind == ASSIGN_PARALLEL)
			for (size_t k = 0; k < cells; ++k)
				inside[k] = inside_of(graph, tables, part->left)[k] +
					    inside_of(graph, tables, part->right)[k];
		else
			for (size_t k = 0; k < cells; ++k)
				inside[k] = isinf(part->cost[k]) ? HUGE_VAL : price->cost * part->cost[k];
	}
	return inside_of(graph, tables, graph->part_count - 1)[0];
}

/* Returns the option of the part's middle node that gives inside[a][b]. */
static unsigned best_middle(const struct assign_graph *graph, const struct assign_tables *tables,
	const struct assign_part *part, unsigned a, unsigned b)
{
	const unsigned columns = graph->nodes[part->to].count, middles = graph->nodes[part->node].count;
	const double *const left = inside_of(graph, tables, part->left) + (size_t)a * middles,
			    *const right = inside_of(graph, tables, part->right) + b,
			    *const weight = weight_of(graph, tables, part->node);
	unsigned best = 0;
	double least = HUGE_VAL;
	for (unsigned m = 0; m < middles; ++m) {
		const double sum = left[m] + weight[m] + right[(size_t)m * columns];
		if (sum < least) {
			least = sum;
			best = m;
		}
	}
	return best;
}

void assign_choose(const struct assign_graph *graph, const struct assign_tables *tables, unsigned *choice)
{
	choice[graph->node_count - 2] = choice[graph->node_count - 1] = 0;
	for (unsigned p = graph->part_count; p-- > 0;) { /* a part's ends are chosen before the part */
		const struct assign_part *const part = &graph->parts[p];
		if (part->kind == ASSIGN_SERIES)
			choice[part->node] =
				best_middle(graph, tables, part, choice[part->from], choice[part->to]);
	}
}

static void outside_series(const struct assign_graph *graph, struct assign_tables *tables, unsigned p,
	const struct assign_part *part)
{
	const unsigned rows = graph->nodes[part->from].count, columns = graph->nodes[part->to].count,
		       middles = graph->nodes[part->node].count;
	const double *const left = inside_of(graph, tables, part->left),
			    *const right = inside_of(graph, tables, part->right),
			    *const weight = weight_of(graph, tables, part->node),
			    *const outside = tables->outside + graph->cell[p];
	double *const of_left = tables->outside + graph->cell[part->left], *const of_right =
										   tables->outside +
										   graph->cell[part->right];
	fill(of_right, HUGE_VAL, (size_t)middles * columns);
	for (unsigned a = 0; a < rows; ++a)
		for (unsigned m = 0; m < middles; ++m) {
			const double *const around = outside + (size_t)a * columns;
			double least = HUGE_VAL;
			for (unsigned b = 0; b < columns; ++b) {
				const double sum = right[(size_t)m * columns + b] + around[b];
				least = sum < least ? sum : least;
			}
			of_left[(size_t)a * middles + m] = least + weight[m];
			lower(of_right + (size_t)m * columns, around,
				left[(size_t)a * middles + m] + weight[m], columns);
		}
}

void assign_outside(const struct assign_graph *graph, struct assign_tables *tables)
{
	tables->outside[graph->cell[graph->part_count - 1]] = 0;
	for (unsigned p = graph->part_count; p-- > 0;) {
		const struct assign_part *const part = &graph->parts[p];
		if (part->kind == ASSIGN_SERIES)
			outside_series(graph, tables, p, part);
		else if (part->kind == ASSIGN_PARALLEL)
			for (size_t k = 0; k < graph->cell[p + 1] - graph->cell[p]; ++k) {
				const double around = tables->outside[graph->cell[p] + k];
				tables->outside[graph->cell[part->left] + k] =
					around + inside_of(graph, tables, part->right)[k];
				tables->outside[graph->cell[part->right] + k] =
					around + inside_of(graph, tables, part->left)[k];
			}
	}
}
