/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long one plan and one ranking take: bench_estimate HW MODEL...
 * Each line is the best of several rounds, so that other work on the machine does not count.
 */
#include <stdio.h>
#include <time.h>

#include "paradl.h"

enum { ROUNDS = 20, GPUS = 64 };

static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void print_best(const char *model, const char *what, double best_s, double plans)
{
	printf("%-24s %-28s %10.2f us %10.3g plans/s\n", model, what, 1e6 * best_s, plans / best_s);
}

static bool bench_plan(
	struct paradl_oracle *oracle, const char *model, const char *text, struct paradl_error *error)
{
	struct paradl_plan plan;
	struct paradl_estimate estimate;
	double best_s = 1e9;

	if (!paradl_plan_parse(text, &plan, error))
		return false;
	plan.batch = 2048;
	for (int round = 0; round < ROUNDS; ++round) {
		const int times = 200;
		const double begin_s = now_s();
		double took_s;

		for (int i = 0; i < times; ++i)
			if (!paradl_estimate(oracle, &plan, &estimate, error))
				return false;
		took_s = (now_s() - begin_s) / times;
		best_s = took_s < best_s ? took_s : best_s;
	}
	print_best(model, text, best_s, 1);
	return true;
}

static bool bench_advice(struct paradl_oracle *oracle, const char *model, struct paradl_error *error)
{
	const struct paradl_request request = {.devices = GPUS, .batch = 2048};
	double best_s = 1e9, plans = 0;

	for (int round = 0; round < ROUNDS; ++round) {
		struct paradl_arena *arena = paradl_arena_create();
		struct paradl_ranking ranking;
		const double begin_s = now_s();
		const bool done = arena && paradl_advise(oracle, &request, arena, &ranking, error);
		const double took_s = now_s() - begin_s;

		best_s = took_s < best_s ? took_s : best_s;
		plans = done ? (double)ranking.evaluated : 0;
		paradl_arena_free(arena);
		if (!done)
			return false;
	}
	print_best(model, "advise, 64 GPUs", best_s, plans);
	return true;
}

static bool bench(const char *hw, const char *path, struct paradl_error *error)
{
	static const char *const plans[] = {
		"data=64", "data=16,filter=4", "data=16,spatial=2x2", "data=16,pipeline=4"};
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_model *model = arena ? paradl_model_load(arena, path, error) : NULL;
	const struct paradl_machine *machine = model ? paradl_machine_load(arena, hw, error) : NULL;
	struct paradl_oracle *oracle =
		machine ? paradl_oracle_create(arena, model, machine, NULL, NULL, error) : NULL;
	bool done = oracle != NULL;

	for (size_t i = 0; done && i < sizeof(plans) / sizeof(plans[0]); ++i)
		done = bench_plan(oracle, paradl_model_info(model).name, plans[i], error);
	done = done && bench_advice(oracle, paradl_model_info(model).name, error);
	paradl_arena_free(arena);
	return done;
}

int main(int argc, char **argv)
{
	struct paradl_error error = {PARADL_OK, 0, 0, "", "", "", ""};
	char text[1024];

	for (int i = 2; i < argc; ++i)
		if (!bench(argv[1], argv[i], &error)) {
			paradl_error_format(&error, text, sizeof(text));
			fprintf(stderr, "bench_estimate: %s\n", text);
			return 1;
		}
	return argc < 3;
}
