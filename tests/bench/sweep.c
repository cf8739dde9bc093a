/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a grid is gone through: points a second of one processor and of two, without what their text costs, and what a
 * second thread saves (medians of pairs, one after the other). Figures, not a test; from the project's root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "paradl/study.h"

enum { PAIRS = 5 };

static double now_s(clockid_t clock)
{
	struct timespec time;
	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool tell(void *context, const struct paradl_sweep_row *row, paradl_write *write, void *destination)
{
	(void)context;
	return write(destination, row->reason ? "0" : "1", 1);
}

static bool take(void *context, unsigned long long index, const char *text, size_t length)
{
	double *const feasible = context;
	(void)index;
	*feasible += length == 1 && *text == '1';
	return true;
}

struct took {
	double wall_s, processor_s, points, feasible;
};

static struct took sweep_once(unsigned threads)
{
	static const struct paradl_sweep_dimension dimensions[] = {{"gpus", "4..1024"},
		{"batch", "1024..12024+100"}, {"hw.levels.1.bandwidth", "x0.5..x1.5+0.01"}};
	static const char *const plan = "data=*";
	const struct paradl_sweep_request request = {.dimensions = dimensions,
		.dimension_count = sizeof dimensions / sizeof *dimensions,
		.model = "models/resnet50.json",
		.hw = "hw-profiles/abci.json",
		.strategies = &plan,
		.strategy_count = 1};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct took took = {0};
	const struct paradl_sweep_run run = {
		.threads = threads, .tell = tell, .take = take, .context = &took.feasible};
	const double wall_s = now_s(CLOCK_MONOTONIC), processor_s = now_s(CLOCK_PROCESS_CPUTIME_ID);
	struct paradl_sweep *const sweep = paradl_sweep_create(arena, &request, &error);
	if (!sweep || !paradl_sweep_run(sweep, &run, &error)) {
		fprintf(stderr, "%s\n", error.message);
		exit(1);
	}
	took.wall_s = now_s(CLOCK_MONOTONIC) - wall_s;
	took.processor_s = now_s(CLOCK_PROCESS_CPUTIME_ID) - processor_s;
	took.points = (double)paradl_sweep_count(sweep);
	paradl_arena_free(arena);
	return took;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(void)
{
	double ratios[PAIRS], least_s[2] = {1e9, 1e9}, processor_s = 1e9, points = 0;
	for (int i = 0; i < PAIRS; ++i) {
		const struct took one = sweep_once(1), two = sweep_once(2);
		ratios[i] = one.wall_s / two.wall_s;
		points = one.points;
		least_s[0] = one.wall_s < least_s[0] ? one.wall_s : least_s[0];
		least_s[1] = two.wall_s < least_s[1] ? two.wall_s : least_s[1];
		processor_s = one.processor_s < processor_s ? one.processor_s : processor_s;
	}
	qsort(ratios, PAIRS, sizeof *ratios, compare);
	printf("%.0f points: %.2f s of processor, %.0f points/s; wall %.2f s, with two threads %.2f s (best "
	       "of "
	       "%d); two "
	       "are %.2f times as fast (median)\n",
		points, processor_s, points / processor_s, least_s[0], least_s[1], PAIRS, ratios[PAIRS / 2]);
	return 0;
}
