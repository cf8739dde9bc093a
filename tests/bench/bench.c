/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast the oracle is: plans per second of one core for ResNet-50 by kind of plan, the mean over every plan of 4,096
 * GPUs that runs, whole advise calls, and pipeline schedules. Figures, not a test. bench [MODEL.json [MACHINE.json]],
 * from the project's root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oracle/schedule.h"
#include "paradl/oracle.h"

static double now_s(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void stop(const struct paradl_error *error)
{
	char text[1024];
	paradl_error_format(error, text, sizeof text);
	fprintf(stderr, "%s\n", text);
	exit(1);
}

/* Estimates a plan for about a fifth of a second, five times; the fastest counts. */
static double plans_per_s(struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	unsigned repeat = 1000;
	double best_s = -1;
	for (int round = 0; round < 6; ++round) {
		const double begin = now_s();
		for (unsigned i = 0; i < repeat; ++i)
			if (!paradl_estimate(oracle, plan, &estimate, &error))
				stop(&error);
		const double s = (now_s() - begin) / repeat;
		if (round > 0 && (best_s < 0 || s < best_s))
			best_s = s;
		if (round == 0)
			repeat = (unsigned)(0.2 / (s > 1e-9 ? s : 1e-9)) + 1;
	}
	return 1 / best_s;
}

static void kinds_of_plans(struct paradl_oracle *oracle)
{
	static const char *const plans[] = {"serial", "data=64", "data=1024", "filter=16", "channel=16",
		"spatial=4", "pipeline=8", "data=16,filter=4", "data=16,spatial=4", "data=16,spatial=2x2",
		"data=16,pipeline=4", "data=4,pipeline=4,filter=2,channel=2,spatial=2"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		struct paradl_plan plan;
		struct paradl_error error = {0};
		if (!paradl_plan_parse(plans[i], &plan, &error))
			stop(&error);
		plan.batch = 16 * paradl_plan_devices(&plan);
		printf("%-48s %10.0f plans/s\n", plans[i], plans_per_s(oracle, &plan));
	}
}

static void all_plans(struct paradl_oracle *oracle, unsigned devices)
{
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_request request = {.devices = devices, .per_device = 32, .all_members = true};
	struct paradl_ranking ranking;
	struct paradl_error error = {0};
	struct paradl_estimate estimate;
	if (!arena || !paradl_advise(oracle, &request, PARADL_RANKED_ALL, arena, &ranking, &error))
		stop(&error);
	double best_s = -1;
	for (int round = 0; round < 5; ++round) {
		const double begin = now_s();
		for (size_t i = 0; i < ranking.count; ++i)
			if (!paradl_estimate(oracle, &ranking.results[i].plan, &estimate, &error))
				stop(&error);
		const double s = now_s() - begin;
		best_s = best_s < 0 || s < best_s ? s : best_s;
	}
	printf("%zu plans of %u GPUs that run: %.0f plans/s\n", ranking.count, devices,
		(double)ranking.count / best_s);
	paradl_arena_free(arena);
}

static void whole_advice(struct paradl_oracle *oracle, unsigned devices)
{
	const struct paradl_request request = {.devices = devices, .per_device = 32};
	double best_s = -1;
	size_t evaluated = 0;
	for (int round = 0; round < 5; ++round) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_ranking ranking;
		struct paradl_error error = {0};
		const double begin = now_s();
		if (!arena || !paradl_advise(oracle, &request, PARADL_RANKED_ALL, arena, &ranking, &error))
			stop(&error);
		const double s = now_s() - begin;
		best_s = best_s < 0 || s < best_s ? s : best_s;
		evaluated = ranking.evaluated;
		paradl_arena_free(arena);
	}
	printf("advise %5u GPUs: %6zu plans in %.3f ms\n", devices, evaluated, 1e3 * best_s);
}

static void schedule_events_only(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	struct schedule_result *result)
{
	schedule_events(schedule, scratch, false, result);
}

/* The fastest of many runs, five at a time. */
static double schedule_us(const struct pipeline_schedule *schedule, struct schedule_scratch *scratch,
	void (*run)(const struct pipeline_schedule *, struct schedule_scratch *, struct schedule_result *))
{
	struct schedule_device devices[12];
	unsigned held[24];
	struct schedule_result result = {.devices = devices, .held = held};
	double best_s = -1;
	for (int round = 0; round < 200; ++round) {
		const double begin = now_s();
		for (int i = 0; i < 5; ++i)
			run(schedule, scratch, &result);
		const double s = (now_s() - begin) / 5;
		best_s = best_s < 0 || s < best_s ? s : best_s;
	}
	return 1e6 * best_s;
}

/* One step of a pipeline with stages alike and with stages that are not. */
static void schedules(void)
{
	static const struct {
		const char *name;
		struct pipeline_schedule schedule;
	} kinds[] = {
		{"gpipe, 8 stages, 64 micro-batches", {PARADL_GPIPE, 8, 1, 64, NULL, false}},
		{"1f1b, 8 stages, 64 micro-batches", {PARADL_1F1B, 8, 1, 64, NULL, false}},
		{"1f1b, 8 stages, 1,000,000 micro-batches", {PARADL_1F1B, 8, 1, 1000000, NULL, false}},
		{"interleaved, 12 x 2 stages, 512 micro-batches",
			{PARADL_INTERLEAVED, 12, 2, 512, NULL, false}},
		{"zero bubble, 8 stages, 64 micro-batches", {PARADL_ZERO_BUBBLE, 8, 1, 64, NULL, false}},
		{"zero bubble 2p, 8 stages, 64 micro-batches",
			{PARADL_ZERO_BUBBLE_2P, 8, 1, 64, NULL, false}},
		{"zero bubble V, 8 x 2 stages, 64 micro-batches",
			{PARADL_ZERO_BUBBLE_V, 8, 2, 64, NULL, false}},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	struct schedule_scratch scratch = {0};
	struct paradl_error error = {0};
	if (!arena || !schedule_reserve(&scratch, arena, 12, 2, &error))
		stop(&error);
	for (size_t i = 0; i < 2 * (sizeof kinds / sizeof *kinds); ++i) {
		struct pipeline_schedule schedule = kinds[i / 2].schedule;
		struct stage_times times[24];
		for (unsigned k = 0; k < 24; ++k) {
			const double s = i % 2 ? 1e-3 * (1 + 0.1 * (k * 7 % 11)) : 1e-3;
			times[k] = (struct stage_times){{s, s}, s, {1e-4, 1e-4}, {5e-5, 5e-5}};
		}
		schedule.times = times;
		const double events_us = schedule_us(&schedule, &scratch, schedule_events_only);
		const double run_us = schedule_us(&schedule, &scratch, schedule_run);
		printf("%-46s %-7s %8.2f us by events %8.2f us\n", kinds[i / 2].name,
			i % 2 ? "unequal" : "equal", events_us, run_us);
	}
	paradl_arena_free(arena);
}

int main(int argc, char **argv)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_options options = {0};
	const char *const model_path = argc > 1 ? argv[1] : "models/resnet50.json";
	const char *const machine_path = argc > 2 ? argv[2] : "hw-profiles/abci.json";
	const double begin = now_s();
	const struct paradl_model *const model =
		arena ? paradl_model_load(arena, &(struct paradl_source){.path = model_path}, &error) : NULL;
	const struct paradl_machine *const machine =
		model ? paradl_machine_load(arena, &(struct paradl_source){.path = machine_path}, &error)
		      : NULL;
	struct paradl_oracle *const oracle =
		machine ? paradl_oracle_create(arena, model, machine, NULL, &options, &error) : NULL;
	if (!oracle)
		stop(&error);
	printf("%s on %s: read in %.3f ms\n", paradl_model_info(model).name,
		paradl_machine_info(machine).name, 1e3 * (now_s() - begin));
	kinds_of_plans(oracle);
	all_plans(oracle, 4096);
	for (unsigned devices = 64; devices <= 4096; devices *= 4)
		whole_advice(oracle, devices);
	schedules();
	paradl_arena_free(arena);
	return 0;
}
