/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates a second of one core (time on the processor), one by one and many at once, of lists of plans: all ways to share, overlap,
 * recompute and run the pipeline of one transformer's degrees, and degrees of ResNet-50 on 4,096 GPUs. Figures, not a test; from the
 * project's root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "paradl/oracle.h"

enum { PLANS_MAX = 4096, ROUNDS = 5, IMAGE_PLANS = 300, IMAGE_GPUS = 4096 };

static struct paradl_plan plans[PLANS_MAX];
static struct paradl_estimate estimates[PLANS_MAX];
static size_t plan_count;

static double now_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void stop(const struct paradl_error *error)
{
	char text[1024];
	paradl_error_format(error, text, sizeof text);
	fprintf(stderr, "%s\n", text);
	exit(1);
}

static struct paradl_oracle *oracle_open(struct paradl_arena *arena, const char *model, const char *hw)
{
	char path[2][128];
	struct paradl_error error = {0};
	snprintf(path[0], sizeof path[0], "models/%s.json", model);
	snprintf(path[1], sizeof path[1], "hw-profiles/%s.json", hw);
	const struct paradl_model *network =
		paradl_model_load(arena, &(struct paradl_source){.path = path[0]}, &error);
	const struct paradl_machine *machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = path[1]}, &error);
	struct paradl_oracle *oracle =
		network && machine ? paradl_oracle_create(arena, network, machine, NULL, NULL, &error) : NULL;
	if (!oracle)
		stop(&error);
	return oracle;
}

/* Keeps a plan that can run. */
static void plan_add(struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_error error = {0};
	if (plan_count < PLANS_MAX && paradl_estimate(oracle, plan, &estimates[0], &error))
		plans[plan_count++] = *plan;
}

static void plan_read(const char *text, double batch, struct paradl_plan *plan)
{
	struct paradl_error error = {0};
	if (!paradl_plan_parse(text, plan, &error))
		stop(&error);
	plan->batch = batch;
}

/* Ways to share, innermost, under recomputations. */
static void options_list(struct paradl_oracle *oracle, struct paradl_plan plan)
{
	for (unsigned r = PARADL_RECOMPUTE_NONE; r <= PARADL_RECOMPUTE_FULL; ++r)
		for (unsigned zero = 0; zero <= 3; ++zero)
			for (unsigned apart = 0; apart <= PARADL_OVERLAP_GRADIENTS; ++apart) {
				plan.recompute = (enum paradl_recompute)r;
				plan.zero = zero;
				plan.apart = apart;
				plan_add(oracle, &plan);
			}
}

/* Plans of networks of images: powers of two along data, spatial, filter, channel and pipeline. */
static void degrees_list(struct paradl_oracle *oracle)
{
	static const unsigned axes[] = {PARADL_SPATIAL, PARADL_FILTER, PARADL_CHANNEL, PARADL_PIPELINE};
	struct paradl_plan plan;
	plan_read("data=2", 32.0 * IMAGE_GPUS, &plan);
	for (unsigned code = 0; code < 7 * 7 * 7 * 7 && plan_count < IMAGE_PLANS; ++code) {
		unsigned left = IMAGE_GPUS, rest = code;
		for (unsigned i = 0; i < 4; ++i, rest /= 7) {
			plan.degree[axes[i]] = 1u << rest % 7;
			left /= plan.degree[axes[i]];
		}
		plan.spatial[0] = plan.degree[PARADL_SPATIAL];
		plan.degree[PARADL_DATA] = left;
		if (left > 0)
			plan_add(oracle, &plan);
	}
}

static double alone_s(struct paradl_oracle *oracle)
{
	double best_s = -1;
	struct paradl_error error = {0};
	for (int round = 0; round < ROUNDS; ++round) {
		const double begin = now_s();
		for (size_t i = 0; i < plan_count; ++i)
			if (!paradl_estimate(oracle, &plans[i], &estimates[i], &error))
				stop(&error);
		const double s = now_s() - begin;
		best_s = best_s < 0 || s < best_s ? s : best_s;
	}
	return best_s;
}

static double many_s(struct paradl_oracle *oracle)
{
	double best_s = -1;
	struct paradl_error error = {0};
	for (int round = 0; round < ROUNDS; ++round) {
		const double begin = now_s();
		if (!paradl_estimate_many(oracle, plans, plan_count, estimates, &error))
			stop(&error);
		const double s = now_s() - begin;
		best_s = best_s < 0 || s < best_s ? s : best_s;
	}
	return best_s;
}

static void figures_print(struct paradl_oracle *oracle, const char *what)
{
	printf("%-64s %5zu plans  alone %9.0f/s  many %9.0f/s\n", what, plan_count,
		(double)plan_count / alone_s(oracle), (double)plan_count / many_s(oracle));
	fflush(stdout);
	plan_count = 0;
}

int main(void)
{
	static const char *const texts[] = {"data=64,tensor=8,sequence=on,micro=1",
		"data=16,pipeline=8,tensor=8,sequence=on,micro=1",
		"data=16,pipeline=8,tensor=8,sequence=on,micro=1,schedule=interleaved:3"};
	struct paradl_arena *arena = paradl_arena_create();
	if (!arena)
		return 1;
	struct paradl_oracle *tokens = oracle_open(arena, "gpt3-175b", "dgx-a100-superpod");
	for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
		struct paradl_plan plan;
		plan_read(texts[i], 1024, &plan);
		options_list(tokens, plan);
		figures_print(tokens, texts[i]);
	}
	struct paradl_oracle *images = oracle_open(arena, "resnet50", "abci");
	degrees_list(images);
	figures_print(images, "resnet50 on 4,096 V100");
	paradl_arena_free(arena);
	return 0;
}
