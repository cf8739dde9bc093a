/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pipeline row of Table III, with the weight update outside the factor, per iteration:
 *     compute        (p + S - 1) (max FW_G + max BW_G) + max WU_G              FW, BW of B/S samples
 *     communication  2 (p + S - 2) max over i < p of (alpha + B/S |y_Gi| delta beta)
 *     memory         2 delta max sum(B (|x| + |y|) + |w|)
 * The stages are found by trying every partition: the largest FW + BW is least. Where several are equally good, the
 * estimate must be that of one of them.
 */
#include "oracle/table3.h"

enum { CHAINS = 80 };

struct search {
	const struct table3 *table;
	unsigned parts, ends[CHAIN_MAX];
	double segments; /* S */
	double least_s;  /* the largest stage of the best partition */
	bool compare;    /* the second round: does one of the best equal the estimate? */
	const struct paradl_estimate *estimate;
	bool equal;
};

struct stage {
	double forward_s, backward_s, update_s, memory_bytes;
};

static struct stage stage_of(const struct search *search, unsigned first, unsigned end)
{
	const struct table3 *const table = search->table;
	const double micro = table->batch / search->segments;
	struct stage stage = {0};
	for (unsigned l = first; l < end; ++l) {
		const struct chain_layer *const layer = &table->chain.layers[l];
		stage.forward_s += micro * layer->forward_flop / table->peak;
		stage.backward_s += micro * layer->backward_flop / table->peak;
		stage.update_s += table3_update_s(table, layer->w_items);
		stage.memory_bytes +=
			2 * DELTA * (table->batch * (layer->x_items + layer->y_items) + layer->w_items);
	}
	return stage;
}

static bool close_to(double got, double want)
{
	return fabs(got - want) <= 1e-12 * fabs(want);
}

static struct row row_of(const struct search *search)
{
	const struct table3 *const table = search->table;
	const unsigned level = table3_level(table, 1, search->parts, search->parts);
	const double p = search->parts, micro = table->batch / search->segments;
	struct stage most = {0};
	double link = 0;
	for (unsigned i = 0, first = 0; i < search->parts; first = search->ends[i++]) {
		const struct stage stage = stage_of(search, first, search->ends[i]);
		const double y = table->chain.layers[search->ends[i] - 1].y_items;
		most.forward_s = fmax(most.forward_s, stage.forward_s);
		most.backward_s = fmax(most.backward_s, stage.backward_s);
		most.update_s = fmax(most.update_s, stage.update_s);
		most.memory_bytes = fmax(most.memory_bytes, stage.memory_bytes);
		if (i + 1 < search->parts)
			link = fmax(link, alpha_of(table, level) + micro * y * DELTA * beta_of(table, level));
	}
	return (struct row){(p + search->segments - 1) * (most.forward_s + most.backward_s) + most.update_s,
		2 * (p + search->segments - 2) * link, most.memory_bytes};
}

static void visit(struct search *search)
{
	double largest = 0;
	for (unsigned i = 0, first = 0; i < search->parts; first = search->ends[i++]) {
		const struct stage stage = stage_of(search, first, search->ends[i]);
		largest = fmax(largest, stage.forward_s + stage.backward_s);
	}
	if (!search->compare) {
		search->least_s = fmin(search->least_s, largest);
		return;
	}
	if (!close_to(largest, search->least_s))
		return;
	const struct paradl_estimate *const estimate = search->estimate;
	const struct row row = row_of(search);
	search->equal = search->equal ||
			(close_to(estimate->compute_s + estimate->phase_s[PARADL_BUBBLE], row.compute_s) &&
				close_to(estimate->communication_s, row.communication_s) &&
				close_to(estimate->memory_bytes, row.memory_bytes) &&
				close_to(estimate->iteration_s, row.compute_s + row.communication_s));
}

static void partitions(struct search *search, unsigned part, unsigned first)
{
	const unsigned count = search->table->chain.count;
	if (part + 1 == search->parts) {
		search->ends[part] = count;
		visit(search);
		return;
	}
	for (unsigned end = first + 1; end + (search->parts - 1 - part) <= count; ++end) {
		search->ends[part] = end;
		partitions(search, part + 1, end);
	}
}

static void check(struct table3 *table, unsigned p, double segments, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, table->batch);
	const struct paradl_estimate estimate = setup_estimate(table->oracle, &plan);
	struct search search = {
		.table = table, .parts = p, .segments = segments, .least_s = HUGE_VAL, .estimate = &estimate};
	partitions(&search, 0, 0);
	search.compare = true;
	partitions(&search, 0, 0);
	if (!search.equal)
		fail_msg("%s: compute %.17g, communication %.17g, memory %.17g of no best partition", text,
			estimate.compute_s, estimate.communication_s, estimate.memory_bytes);
	assert_close(estimate.phase_s[PARADL_BUBBLE],
		(p - 1.0) / segments * (estimate.phase_s[PARADL_FORWARD] + estimate.phase_s[PARADL_BACKWARD]),
		1e-12);
}

static void as_many_segments_as_stages(void **state)
{
	struct random random = {11};
	struct table3 table;
	unsigned ran = 0;
	for (unsigned i = 0; i < CHAINS; ++i) {
		char text[64];
		table3_begin(&table, *state, &random, false);
		const unsigned p = random_between(&random, 2, CHAIN_MAX);
		snprintf(text, sizeof text, "pipeline=%u", p);
		if (p > table.machine->devices)
			continue;
		if (p > table.chain.count || p > table.batch) {
			table3_refuses(&table, text);
			continue;
		}
		check(&table, p, p, text);
		ran++;
	}
	assert_true(ran > CHAINS / 4);
}

static void segments_of_a_given_size(void **state)
{
	struct random random = {12};
	struct table3 table;
	for (unsigned i = 0; i < CHAINS; ++i) {
		char text[64];
		table3_begin(&table, *state, &random, false);
		const unsigned p = random_between(&random, 2, table.chain.count);
		const unsigned micro = random_between(&random, 1, (unsigned)table.batch);
		snprintf(text, sizeof text, "pipeline=%u,micro=%u", p, micro);
		if (p <= table.machine->devices)
			check(&table, p, table.batch / micro, text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(as_many_segments_as_stages),
		setup_test(segments_of_a_given_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
