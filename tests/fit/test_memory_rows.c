/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of published runs: mean errors of each set of tests/validation/llm_measured.csv that gives it. Two sets print
 * gigabytes that a tool showed for a whole process; "computed" rows of a paper leave embeddings out. And plans that
 * ran must be projected to fit, whether anyone measured their memory or not.
 */
#include "test.h"

#include "paradl/fit.h"

static const char *const directories[] = {".", NULL};

static const struct bar {
	const char *set;
	double percent;
} bars[] = {
	{"korthikanti-mem", 5},
	{"bloom-jz", 7},
	{"torchtitan", 4},
	{"internevo-mem", 10},
	{"simumax-b200", 3},
	{"meglm-golden", 6},
	{"zero-bubble", 4},
};

static double bar_of(const char *set)
{
	for (size_t i = 0; i < sizeof bars / sizeof *bars; ++i)
		if (strcmp(bars[i].set, set) == 0)
			return bars[i].percent;
	return 0;
}

static struct paradl_validation validation_of(struct paradl_arena *arena, bool all_rows)
{
	const struct paradl_lookup lookup = {.directories = directories, .all_rows = all_rows};
	struct paradl_validation validation;
	struct paradl_error error = {0};
	if (!paradl_validate(arena, "tests/validation/llm_measured.csv", &lookup, &validation, &error))
		fail_msg("%s", error.message);
	return validation;
}

static void errors_of_memory_are_small(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_validation validation = validation_of(arena, false);
	size_t sets = 0;
	double sum = 0;
	for (size_t i = 0; i < validation.set_count; ++i) {
		const struct paradl_score *const set = &validation.by_set[i];
		const double bar = bar_of(set->name);
		if (!(bar > 0))
			continue;
		print_message("# %-18s %6.2f %%, at most %g\n", set->name, set->memory_mape, bar);
		assert_true(set->memory_mape >= 0 && set->memory_mape <= bar);
		sum += set->memory_mape;
		++sets;
	}
	assert_int_equal(sets, sizeof bars / sizeof *bars);
	print_message("# mean of sets %.2f %%\n", sum / (double)sets);
	assert_true(sum / (double)sets <= 6);
	paradl_arena_free(arena);
}

/*
 * What is left of nemo-bridge: Llama-3-70B on 64 GB200 keeps activations in the host's memory (6), on 8 GPUs it was probably
 * fine-tuned (5), neither of which the source prints; and gpt-oss with the micro-batches of another row (1).
 */
static void plans_that_ran_are_projected_to_fit(void **state)
{
	(void)state;
	static const struct {
		const char *set;
		size_t most;
	} known[] = {{"nemo-bridge", 12}, {"llama12", 1}, {"colossalai", 1}};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_validation validation = validation_of(arena, true);
	assert_true(validation.summary.rows - validation.summary.skipped > 1700);
	for (size_t i = 0; i < validation.set_count; ++i) {
		const struct paradl_score *const set = &validation.by_set[i];
		size_t most = 0;
		for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
			most = strcmp(set->name, known[k].set) == 0 ? known[k].most : most;
		print_message(
			"# %-18s %zu of %zu do not fit\n", set->name, set->unfit, set->rows - set->skipped);
		assert_true(set->unfit <= most);
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_of_memory_are_small),
		cmocka_unit_test(plans_that_ran_are_projected_to_fit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
