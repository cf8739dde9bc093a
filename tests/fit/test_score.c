/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scores of rows whose numbers were made up: every expectation is worked out by hand. */
#include "test.h"

#include <math.h>

#include "base/arena.h"
#include "fit/validate/score.h"

/* A row of some model on some machine; plans are told apart by their text only. Negative projected: skipped. */
static struct measurement row(const char *plan, double batch, double measured_s, double projected_s)
{
	struct measurement result = {
		.row = {.model = "m",
			.hw = "h",
			.strategy = plan,
			.family = "data",
			.framework = "f",
			.set = "s",
			.includes = "",
			.unit = "iter",
			.batch = batch,
			.measured = {-1, -1, measured_s, -1, -1},
			.projected = {-1, -1, projected_s, -1, -1},
			.skipped = projected_s < 0 ? "why" : NULL},
		.precision = "",
		.tokens = -1,
		.conditions = "",
		.plan = {.degree = {4, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}},
		.plan_text = plan,
		.samples = batch,
	};
	accuracy_fill(&result.row);
	return result;
}

static struct paradl_score score(
	const struct measurement *list, size_t count, const struct selection *selection)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_score result = {.name = ""};
	struct paradl_error error;
	struct ranking_order order;
	const struct selection all = {NULL, NULL};
	assert_true(ranking_order(arena, list, count, &order, &error));
	score_means(list, count, selection ? selection : &all, &result);
	score_ranking(&order, selection ? selection : &all, &result);
	paradl_arena_free(arena);
	return result;
}

static struct paradl_validation pairs(const struct measurement *list, size_t count)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_validation result = {.count = count};
	struct paradl_error error;
	struct ranking_order order;
	assert_true(ranking_order(arena, list, count, &order, &error));
	rank_pairs(&order, &result);
	paradl_arena_free(arena);
	return result;
}

static void scores_a_row(void **state)
{
	(void)state;
	static const struct {
		double measured, projected, accuracy;
	} cases[] = {
		{2, 2, 1}, {2, 1, 0.5}, {2, 3, 0.5}, {2, 4, 0}, {2, 9, 0}, /* no less than 0 */
		{2, 0, 0}, {0, 0, 1}, {0, 1, 0}, {-1, 1, -1},              /* not measured */
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_measured_row measured = {.measured = {cases[i].measured, -1, -1, -1, -1},
			.projected = {cases[i].projected, 1, 1, 1, 1}};
		accuracy_fill(&measured);
		assert_close(measured.accuracy.compute, cases[i].accuracy, 0);
		assert_close(measured.accuracy.communication, -1, 0);
		assert_close(measured.accuracy.total, -1, 0);
		measured.skipped = "why";
		accuracy_fill(&measured);
		assert_close(measured.accuracy.compute, cases[i].measured < 0 ? -1 : 0, 0);
	}
}

static void averages_what_was_measured(void **state)
{
	(void)state;
	struct measurement list[] = {
		row("a", 8, 10, 12), row("b", 8, 10, 5), row("c", 8, 10, -1), row("d", 8, -1, 3)};
	list[0].row.measured.compute_s = 4; /* 3 projected: 0.75 */
	list[0].row.projected.compute_s = 3;
	list[3].row.measured.communication_s = 2; /* 2.2 projected: 0.9 */
	list[3].row.projected.communication_s = 2.2;
	list[0].row.measured.memory_bytes = 100; /* 130 projected: 30 % */
	list[0].row.projected.memory_bytes = 130;
	list[2].row.measured.memory_bytes = 100; /* skipped: 100 % */
	accuracy_fill(&list[0].row);
	accuracy_fill(&list[3].row);
	const struct paradl_score result = score(list, 4, NULL);
	assert_int_equal(result.rows, 4);
	assert_int_equal(result.skipped, 1);
	assert_close(result.mean.total, (0.8 + 0.5 + 0) / 3, 1e-12);
	assert_close(result.mean.compute, 0.75, 1e-12);
	assert_close(result.mean.communication, 0.9, 1e-12);
	assert_close(result.mape, (20 + 50 + 100) / 3.0, 1e-12);
	assert_close(result.bias, (20 - 50) / 2.0, 1e-12);
	assert_close(result.memory_mape, (30 + 100) / 2.0, 1e-12);
}

static void has_no_mean_of_nothing(void **state)
{
	(void)state;
	const struct measurement list[] = {row("a", 8, -1, 12)};
	const struct paradl_score result = score(list, 1, NULL);
	assert_close(result.mean.total, -1, 0);
	assert_close(result.mean.compute, -1, 0);
	assert_close(result.mape, 0, 0);
	assert_close(result.memory_mape, -1, 0);
	assert_close(result.kendall_tau, -2, 0);
	assert_close(result.regret_max, 0, 0);
}

static void ranks_within_groups(void **state)
{
	(void)state;
	/*
	 * Batch 8: of the pairs ab ac ad bc bd cd, ab and cd are the wrong way round: (4 - 2) / 6. b is projected
	 * fastest and takes 12 where a takes 10: 20 %. Batch 16: right, no regret. Batch 32: one row is no group.
	 */
	const struct measurement list[] = {row("a", 8, 10, 11), row("e", 16, 5, 1), row("b", 8, 12, 10),
		row("c", 8, 15, 16), row("f", 16, 6, 2), row("d", 8, 20, 15), row("a", 32, 1, 1)};
	const struct paradl_score result = score(list, 7, NULL);
	assert_close(result.kendall_tau, (1.0 / 3 + 1) / 2, 1e-12);
	assert_close(result.regret_mean, 10, 1e-12);
	assert_close(result.regret_max, 20, 1e-12);
}

static void makes_groups_of_equal_conditions(void **state)
{
	(void)state;
	for (unsigned which = 0; which < 10; ++which) {
		struct measurement list[] = {row("a", 8, 10, 12), row("b", 8, 12, 10)};
		struct measurement *const b = &list[1];
		assert_close(score(list, 2, NULL).kendall_tau, -1, 0);
		b->row.model = which == 0 ? "other" : b->row.model;
		b->row.hw = which == 1 ? "other" : b->row.hw;
		b->row.framework = which == 2 ? "other" : b->row.framework;
		b->row.includes = which == 3 ? "everything" : b->row.includes;
		b->precision = which == 4 ? "fp16" : b->precision;
		b->tokens = which == 5 ? 2048 : b->tokens;
		b->plan.degree[PARADL_DATA] = which == 6 ? 8 : b->plan.degree[PARADL_DATA];
		b->row.set = which == 7 ? "other" : b->row.set;
		b->row.unit = which == 8 ? "epoch" : b->row.unit;
		b->row.batch = which == 9 ? 16 : b->row.batch;
		assert_close(score(list, 2, NULL).kendall_tau, -2, 0);
		/* Pairs compare times per sample, whatever the set, the unit and the batch. */
		assert_int_equal(pairs(list, 2).rank_pairs, which < 7 ? 0 : 1);
	}
}

static void ties_are_neither_right_nor_wrong(void **state)
{
	(void)state;
	/* ab tied, ac right, bc right: of 3 measured and 2 projected pairs 2 are right */
	const struct measurement list[] = {row("a", 8, 10, 7), row("b", 8, 12, 7), row("c", 8, 14, 9)};
	assert_close(score(list, 3, NULL).kendall_tau, 2 / sqrt(3 * 2), 1e-12);
	assert_close(pairs(list, 3).rank_pairs_right, 2.0 / 3, 1e-12);
	/* Repetitions of a plan are no pairs; a measured tie is one of the projected pairs. */
	const struct measurement equal[] = {row("a", 8, 10, 7), row("b", 8, 10, 9), row("a", 8, 12, 7)};
	assert_close(score(equal, 3, NULL).kendall_tau, -1 / sqrt(1 * 2), 1e-12); /* b before the second a */
	const struct measurement same[] = {row("a", 8, 10, 7), row("a", 8, 20, 7)};
	assert_close(score(same, 2, NULL).kendall_tau, -2, 0);
	assert_int_equal(pairs(same, 2).rank_pairs, 0);
	assert_close(pairs(same, 2).rank_pairs_right, -1, 0);
}

static void skipped_rows_count_against(void **state)
{
	(void)state;
	/* ab right, ac and bc with the skipped c: 1 / 3; of the projected ones a is picked, c takes 5: 100 % */
	const struct measurement list[] = {row("a", 8, 10, 7), row("b", 8, 12, 8), row("c", 8, 5, -1)};
	struct paradl_score result = score(list, 3, NULL);
	assert_close(result.kendall_tau, 1.0 / 3, 1e-12);
	assert_close(result.regret_max, 100, 1e-12);
	assert_close(pairs(list, 3).rank_pairs_right, 1.0 / 3, 1e-12);
	/* All skipped: the slowest stands for the pick. */
	const struct measurement skipped[] = {row("a", 8, 10, -1), row("b", 8, 12, -1)};
	result = score(skipped, 2, NULL);
	assert_close(result.kendall_tau, 0, 0);
	assert_close(result.regret_mean, 20, 1e-12);
	/* A plan that could not be read is in no group. */
	struct measurement unread[] = {row("a", 8, 10, 1), row("b", 8, 12, -1)};
	unread[1].plan_text = NULL;
	assert_close(score(unread, 2, NULL).kendall_tau, -2, 0);
}

static void pairs_differ_by_more_than_two_percent(void **state)
{
	(void)state;
	static const struct {
		double a_s, b_s;
		size_t count;
	} cases[] = {{100, 101, 0}, {100, 102, 0}, {100, 102.01, 1}, {102, 100, 0}, {102.01, 100, 1},
		{100, 100, 0}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		const struct measurement list[] = {
			row("a", 8, cases[i].a_s, 1), row("b", 8, cases[i].b_s, 2)};
		assert_int_equal(pairs(list, 2).rank_pairs, cases[i].count);
	}
}

static void pairs_compare_times_per_sample(void **state)
{
	(void)state;
	/* Per sample: a 1 s, b 2 s measured; a 1.5 s, b 1 s projected: wrong. Per iteration it would be right. */
	const struct measurement list[] = {row("a", 8, 8, 12), row("b", 2, 4, 2)};
	const struct paradl_validation result = pairs(list, 2);
	assert_int_equal(result.rank_pairs, 1);
	assert_close(result.rank_pairs_right, 0, 0);
	/* An epoch of 100 samples beside an iteration of 8: 1 s and 2 s measured, 1.1 s and 1.2 s projected */
	struct measurement units[] = {row("a", 8, 100, 110), row("b", 8, 16, 9.6)};
	units[0].row.unit = "epoch";
	units[0].samples = 100;
	assert_close(pairs(units, 2).rank_pairs_right, 1, 0);
	units[0].samples = 0; /* not known */
	assert_int_equal(pairs(units, 2).rank_pairs, 0);
}

static void selects_families_and_sets(void **state)
{
	(void)state;
	struct measurement list[] = {row("a", 8, 10, 11), row("b", 8, 12, 10), row("c", 8, 15, 16)};
	list[2].row.family = "filter";
	list[1].row.set = "t";
	const struct selection data = {"data", NULL}, set = {NULL, "s"}, none = {"channel", NULL};
	assert_int_equal(score(list, 3, &data).rows, 2);
	assert_int_equal(score(list, 3, &set).rows, 2);
	assert_int_equal(score(list, 3, &none).rows, 0);
	assert_close(score(list, 3, &set).kendall_tau, 1, 0);
	list[1].row.set = "s";
	assert_close(score(list, 3, &data).kendall_tau, -1, 0);
	assert_close(score(list, 3, NULL).kendall_tau, 1.0 / 3, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scores_a_row),
		cmocka_unit_test(averages_what_was_measured),
		cmocka_unit_test(has_no_mean_of_nothing),
		cmocka_unit_test(ranks_within_groups),
		cmocka_unit_test(makes_groups_of_equal_conditions),
		cmocka_unit_test(ties_are_neither_right_nor_wrong),
		cmocka_unit_test(skipped_rows_count_against),
		cmocka_unit_test(pairs_differ_by_more_than_two_percent),
		cmocka_unit_test(pairs_compare_times_per_sample),
		cmocka_unit_test(selects_families_and_sets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
