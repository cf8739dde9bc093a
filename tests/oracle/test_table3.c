/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table III of ParaDL, row by row, against estimates in ideal mode; its last column against what is refused. */
#include "oracle/table3.h"

enum { CHAINS = 60 }; /* of each row */

/* Degrees: small ones mostly, a large one at times. */
static unsigned degree_random(struct random *random, unsigned most)
{
	return random_between(random, 2, random_between(random, 0, 3) ? 8 : most);
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static void serial(void **state)
{
	struct random random = {1};
	struct table3 table;
	for (unsigned i = 0; i < CHAINS; ++i) {
		table3_begin(&table, *state, &random, false);
		const double weights = table3_weights(&table);
		table3_check(&table, "serial",
			&(struct row){table.batch * table3_work_s(&table) + table3_update_s(&table, weights),
				0, 2 * DELTA * (table.batch * table3_activations(&table) + weights)});
	}
}

static void data(void **state)
{
	struct random random = {2};
	struct table3 table;
	for (unsigned i = 0; i < CHAINS; ++i) {
		table3_begin(&table, *state, &random, false);
		const unsigned p = degree_random(&random, table.machine->devices);
		char text[64];
		snprintf(text, sizeof text, "data=%u", p);
		if (p > table.batch) {
			table3_refuses(&table, text);
			continue;
		}
		const double weights = table3_weights(&table);
		const unsigned level = table3_level(&table, 1, p, p);
		table3_check(&table, text,
			&(struct row){
				table.batch / p * table3_work_s(&table) + table3_update_s(&table, weights),
				table3_allreduce_s(
					p, alpha_of(&table, level), DELTA * weights, beta_of(&table, level)),
				2 * DELTA * (table.batch / p * table3_activations(&table) + weights)});
	}
}

/* The batch of a model group is B / p1; filter gathers y and reduces dL/dx, channel reduces y and gathers dL/dx. */
static double layerwise_s(const struct table3 *table, unsigned p1, unsigned p2, bool filter)
{
	const double batch = table->batch / p1, p = p2;
	const unsigned level = table3_level(table, 1, p2, p1 * p2);
	const double alpha = alpha_of(table, level), beta = beta_of(table, level);
	double s = 0;
	for (unsigned l = 0; l < table->chain.count; ++l) {
		const double y = batch * table->chain.layers[l].y_items * DELTA;
		const double x = batch * table->chain.layers[l].x_items * DELTA;
		if (l + 1 < table->chain.count)
			s += filter ? table3_allgather_s(p, alpha, y, beta)
				    : table3_allreduce_s(p, alpha, y, beta);
		if (l > 0)
			s += filter ? table3_allreduce_s(p, alpha, x, beta)
				    : table3_allgather_s(p, alpha, x, beta);
	}
	return s;
}

/* min F_l of the layers with weights, or min C_l of those but the first. */
static unsigned layerwise_limit(const struct chain *chain, bool filter)
{
	unsigned limit = filter ? UINT32_MAX : 0;
	for (unsigned l = 0; l < chain->count; ++l) {
		const struct chain_layer *const layer = &chain->layers[l];
		if (!(layer->w_items > 0) || (!filter && l == 0))
			continue;
		const unsigned channels =
			layer->kind == CHAIN_LINEAR ? (unsigned)layer->x_items : layer->channels;
		limit = filter ? least(limit, layer->filters) : limit ? least(limit, channels) : channels;
	}
	return limit;
}

/* True if the plan is one that runs. */
static bool layerwise_check(struct table3 *table, unsigned p1, unsigned p2, bool filter)
{
	char text[64];
	snprintf(text, sizeof text, "data=%u,%s=%u", p1, filter ? "filter" : "channel", p2);
	if (p2 > layerwise_limit(&table->chain, filter) || p1 > table->batch) {
		table3_refuses(table, text);
		return false;
	}
	const double weights = table3_weights(table), shard = weights / p2;
	struct row row = {table->batch / p1 / p2 * table3_work_s(table) + table3_update_s(table, shard),
		layerwise_s(table, p1, p2, filter),
		2 * DELTA * (table->batch / p1 * table3_activations(table) + shard)};
	if (p1 > 1) {
		const unsigned level = table3_level(table, p2, p1, p1 * p2);
		row.communication_s +=
			table3_allreduce_s(p1, alpha_of(table, level), DELTA * shard, beta_of(table, level));
	}
	table3_check(table, text, &row);
	return true;
}

static void filter(void **state)
{
	struct random random = {3};
	struct table3 table;
	unsigned ran = 0;
	for (unsigned i = 0; i < CHAINS; ++i) {
		table3_begin(&table, *state, &random, false);
		ran += layerwise_check(
			&table, 1, degree_random(&random, least(70, table.machine->devices)), true);
	}
	assert_true(ran > CHAINS / 2);
}

static void channel(void **state)
{
	struct random random = {4};
	struct table3 table;
	unsigned ran = 0;
	for (unsigned i = 0; i < CHAINS; ++i) {
		table3_begin(&table, *state, &random, false);
		ran += layerwise_check(
			&table, 1, degree_random(&random, least(70, table.machine->devices)), false);
	}
	assert_true(ran > CHAINS / 2);
}

/* Degrees that tile the nodes, which have 2, 4 or 8 devices: where they do not, see tests/network/test_group.c. */
static void data_with_filter(void **state)
{
	struct random random = {5};
	struct table3 table;
	unsigned ran = 0;
	for (unsigned i = 0; i < CHAINS; ++i) {
		table3_begin(&table, *state, &random, false);
		const unsigned p2 = 1u << random_between(&random, 1, 3);
		const unsigned p1 = degree_random(&random, table.machine->devices);
		if (p1 * p2 <= table.machine->devices)
			ran += layerwise_check(&table, p1, p2, random_true(&random));
	}
	assert_true(ran > CHAINS / 2);
}

/* Each piece has a row of y and, of x, the rows that its neighbour's window reaches over. */
static bool spatial_fits(const struct chain *chain, const unsigned pieces[3])
{
	for (unsigned d = 0; d < 3; ++d)
		for (unsigned l = 0; l < chain->count && pieces[d] > 1; ++l) {
			const struct chain_layer *const layer = &chain->layers[l];
			const unsigned rows = (layer->kernel[d] - 1) / 2;
			if (d >= layer->dimensions || pieces[d] > layer->y[d] || pieces[d] > layer->x[d] ||
				(rows && pieces[d] > layer->x[d] / rows))
				return false;
		}
	return true;
}

/* One face along dimension d of a tensor whose other extents are local. */
static double face(const unsigned extent[3], unsigned dimensions, unsigned channels, const unsigned pieces[3],
	unsigned d, unsigned rows)
{
	double items = (double)channels * rows;
	for (unsigned k = 0; k < dimensions; ++k)
		if (k != d)
			items *= (double)extent[k] / pieces[k];
	return items;
}

static double halos_s(
	const struct table3 *table, double batch, const unsigned pieces[3], double alpha, double beta)
{
	double s = 0;
	for (unsigned l = 0; l < table->chain.count; ++l) {
		const struct chain_layer *const layer = &table->chain.layers[l];
		for (unsigned d = 0; d < layer->dimensions; ++d) {
			const unsigned rows = (layer->kernel[d] - 1) / 2;
			if (pieces[d] < 2 || rows == 0)
				continue;
			const double x = face(layer->x, layer->dimensions, layer->channels, pieces, d, rows);
			const double y = face(layer->y, layer->dimensions, layer->filters, pieces, d, rows);
			s += 2 * (2 * alpha + batch * (x + y) * DELTA * beta);
		}
	}
	return s;
}

static bool spatial_check(struct table3 *table, unsigned p1, const unsigned pieces[3])
{
	const unsigned p2 = pieces[0] * pieces[1] * pieces[2], p = p1 * p2;
	char text[64];
	snprintf(text, sizeof text, "data=%u,spatial=%ux%ux%u", p1, pieces[0], pieces[1], pieces[2]);
	if (!spatial_fits(&table->chain, pieces) || p1 > table->batch) {
		table3_refuses(table, text);
		return false;
	}
	const double weights = table3_weights(table), batch = table->batch / p1;
	const unsigned inner = table3_level(table, 1, p2, p), whole = table3_level(table, 1, p, p);
	table3_check(table, text,
		&(struct row){table->batch / p * table3_work_s(table) + table3_update_s(table, weights),
			table3_allreduce_s(
				p, alpha_of(table, whole), DELTA * weights, beta_of(table, whole)) +
				halos_s(table, batch, pieces, alpha_of(table, inner), beta_of(table, inner)),
			2 * DELTA * (table->batch / p * table3_activations(table) + weights)});
	return true;
}

static void spatial(void **state)
{
	struct random random = {6};
	struct table3 table;
	unsigned ran[4] = {0}; /* by the dimensions that are cut */
	for (unsigned i = 0; i < 6 * CHAINS; ++i) {
		unsigned pieces[3], cut = 0;
		table3_begin(&table, *state, &random, true);
		for (unsigned d = 0; d < 3; ++d) {
			pieces[d] = d < table.chain.layers[0].dimensions || i % 8 == 0
					    ? random_between(&random, 1, 5)
					    : 1;
			cut += pieces[d] > 1;
		}
		const unsigned p2 = pieces[0] * pieces[1] * pieces[2];
		if (p2 > 1 && p2 <= table.machine->devices)
			ran[cut] += spatial_check(&table, 1, pieces);
	}
	assert_true(ran[1] > CHAINS && ran[2] > CHAINS / 2 && ran[3] > CHAINS / 6);
}

static void data_with_spatial(void **state)
{
	struct random random = {7};
	struct table3 table;
	unsigned ran = 0;
	for (unsigned i = 0; i < 4 * CHAINS; ++i) {
		unsigned pieces[3] = {1, 1, 1};
		table3_begin(&table, *state, &random, true);
		for (unsigned d = 0; d < 3; ++d)
			pieces[d] = 1u << random_between(&random, 0, d < table.chain.layers[0].dimensions);
		const unsigned p2 = pieces[0] * pieces[1] * pieces[2], p1 = degree_random(&random, 64);
		if (p2 > 1 && p1 * p2 <= table.machine->devices)
			ran += spatial_check(&table, p1, pieces);
	}
	assert_true(ran > CHAINS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(serial),
		setup_test(data),
		setup_test(filter),
		setup_test(channel),
		setup_test(data_with_filter),
		setup_test(spatial),
		setup_test(data_with_spatial),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
