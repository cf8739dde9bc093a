/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured runs: rows that were accepted are scored with finite numbers in their ranges, or skipped with a reason. */
#include "estimates.h"
#include "paradl/fit.h"

static bool is_share(double value)
{
	return value >= -1 && value <= 1; /* -1: none; NaN is neither */
}

static void check_score(const struct paradl_score *score)
{
	REQUIRE(score->name != NULL && score->skipped <= score->rows && score->rows > 0);
	REQUIRE(is_share(score->mean.compute) && is_share(score->mean.communication) &&
		is_share(score->mean.total));
	REQUIRE(isfinite(score->mape) && score->mape >= 0 && isfinite(score->bias) &&
		isfinite(score->memory_mape));
	REQUIRE(is_share(score->kendall_tau) || score->kendall_tau <= -2);
	REQUIRE(score->regret_mean >= 0 && score->regret_mean <= score->regret_max * (1 + 1e-12));
	REQUIRE(isfinite(score->regret_max));
}

static void check_row(const struct paradl_measured_row *row)
{
	const bool is_skipped = row->skipped != NULL;

	REQUIRE(row->model && row->hw && row->strategy && row->family && row->framework && row->set &&
		row->unit);
	REQUIRE(is_share(row->accuracy.compute) && is_share(row->accuracy.total) &&
		is_share(row->accuracy.communication));
	REQUIRE(is_skipped ? *row->skipped != '\0'
			   : isfinite(row->projected.total_s) && row->projected.total_s > 0);
	REQUIRE(!is_skipped || row->accuracy.total <= 0);
}

static void check(const struct paradl_validation *validation)
{
	size_t rows = 0;

	check_score(&validation->summary);
	REQUIRE(validation->summary.rows == validation->count);
	for (size_t i = 0; i < validation->count; ++i)
		check_row(&validation->rows[i]);
	for (size_t i = 0; i < validation->strategy_count; ++i) {
		check_score(&validation->by_strategy[i]);
		rows += validation->by_strategy[i].rows;
	}
	for (size_t i = 0; i < validation->set_count; ++i) {
		check_score(&validation->by_set[i]);
		rows += validation->by_set[i].rows;
	}
	REQUIRE(rows == 2 * validation->count && is_share(validation->rank_pairs_right));
	REQUIRE((validation->rank_pairs == 0) == (validation->rank_pairs_right < 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_lookup lookup = {.directories = NULL};
	struct paradl_validation validation;
	struct paradl_error error = {0};

	REQUIRE(arena != NULL);
	estimates_begin(arena);
	const char *path = estimates_path(arena, "measured.csv");

	input_write(path, data, size);
	if (paradl_validate(arena, path, &lookup, &validation, &error))
		check(&validation);
	else
		require_explained(&error);
	remove(path);
	paradl_arena_free(arena);
	return 0;
}
