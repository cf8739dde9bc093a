/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What to expect of a program or a machine that constants were never fitted to: each set of published results is projected
 * with constants that were fitted to the others. Prints the table; fails if a set or their mean is further off than its bar, if
 * too few rows are inside their likely error, if the shipped constants are not those of the fit, or if a product or attention is
 * fitted through steps whose kernels were measured.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "paradl/fit.h"

static const double nearness =
	0.25; /* percentage points between the shipped constants' errors and the fit's */
static const double most_mean =
	6.2; /* percent, over sets; with 60 constants, those of kernels among them, it was 8.2, with 39 6.7 */
enum { MOST_CONSTANTS = 20, MANY_ROWS = 10 };
/* Of rows inside the interval that holds nine of ten: of all, and of a set of MANY_ROWS or more; median half width. */
static const double least_inside = 0.85, most_inside = 0.95, least_inside_set = 0.6, widest = 0.2;

/* Mean errors of sets that have no say, in percent. The host time of vtrain-single and nemo-bridge cannot be guessed. */
static const struct bar {
	const char *set;
	double most;
} bars[] = {{"korthikanti", 5}, {"korthikanti-layer", 6}, {"bloom-jz", 4}, {"vtrain-multi", 8},
	{"vtrain-single", 9}, {"torchtitan", 10}, {"llm-foundry", 10}, {"internevo", 6}, {"simumax-b200", 10},
	{"nemo-bridge", 16}, {"nemo-h100", 5}, {"nemo-longseq", 4}, {"nemo-a100", 9}, {"meglm-golden", 4},
	{"zero-bubble", 5}, {"megatron1-v100", 14}, {"dle-bert", 10}};
enum { BARS = sizeof bars / sizeof *bars };

/* Sets without a bar have no free constant: nothing is left out of their fit. */
static double bar_of(const char *set)
{
	for (size_t i = 0; i < BARS; ++i)
		if (strcmp(bars[i].set, set) == 0)
			return bars[i].most;
	return -1;
}

static int look(const struct paradl_fit *fit)
{
	int failures = 0;
	double sum = 0;
	unsigned found = 0;
	for (size_t i = 0; i < fit->set_count; ++i) {
		const struct paradl_fit_set *set = &fit->sets[i];
		const double most = bar_of(set->name);
		const bool far =
			most < 0 ? set->left_out >= 0 : !(set->left_out >= 0 && set->left_out <= most);
		const bool stale = fabs(set->before - set->after) > nearness;
		printf("%-18s %4zu rows, shipped %5.2f %%, fitted %5.2f %%, left out %5.2f %%%s%s\n",
			set->name, set->rows, set->before, set->after, set->left_out, far ? "  too far" : "",
			stale ? "  run paradl fit --into hw-profiles" : "");
		failures += far || stale;
		found += most >= 0;
		sum += most >= 0 ? set->left_out : 0;
	}
	printf("mean of %u sets left out %.2f %%\n", found, sum / BARS);
	return failures + (found != BARS) + !(sum / BARS <= most_mean);
}

static int bands_look(const struct paradl_fit *fit)
{
	int failures =
		!(fit->inside >= least_inside && fit->inside <= most_inside && fit->half_width <= widest);
	for (size_t i = 0; i < fit->set_count; ++i) {
		const struct paradl_fit_set *set = &fit->sets[i];
		const bool few =
			set->left_out >= 0 && set->rows >= MANY_ROWS && !(set->inside >= least_inside_set);
		if (few)
			printf("%-18s only %.0f %% inside\n", set->name, 100 * set->inside);
		failures += few;
	}
	printf("%.1f %% inside their likely error, median %.1f %%\n", 100 * fit->inside,
		100 * fit->half_width);
	return failures + (fit->knowledge_count == 0);
}

static bool is_of_measured_kernels(const struct paradl_fit_place *place)
{
	static const char *const devices[] = {"devices/a100-sxm4-80gb", "devices/h100-sxm5-80gb",
		"devices/b200-sxm-180gb", "devices/l40s-48gb"};
	bool measured = false;
	for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i)
		measured |= strcmp(place->file, devices[i]) == 0;
	return measured &&
	       (strncmp(place->name, "product", 7) == 0 || strncmp(place->name, "attention", 9) == 0);
}

static int constants_look(const struct paradl_fit *fit)
{
	int failures = fit->constant_count > MOST_CONSTANTS;
	for (size_t i = 0; i < fit->constant_count; ++i)
		for (size_t k = 0; k < fit->constants[i].place_count; ++k)
			failures += is_of_measured_kernels(&fit->constants[i].places[k]);
	printf("%zu constants%s\n", fit->constant_count,
		failures ? ": too many, or of kernels that were measured" : "");
	return failures;
}

int main(void)
{
	static const char *const directories[] = {".", NULL};
	const struct paradl_lookup lookup = {.directories = directories};
	const struct paradl_fit_request request = {.leave_each_out = true, .restarts = 8};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_fit fit;
	if (!arena ||
		!paradl_fit(arena, "tests/validation/llm_measured.csv", &lookup, &request, &fit, &error)) {
		fprintf(stderr, "%s\n", error.message);
		return 1;
	}
	const int failures = look(&fit) + bands_look(&fit) + constants_look(&fit);
	paradl_arena_free(arena);
	return failures > 0;
}
