/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast plans of a transformer are: plans per second of one core (time on the processor), by the recurrence and by
 * events, and one plan of a model of ten trillion weights on 100,000 devices. Figures, not a test; from the project's root.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "machine/machine.h"
#include "model/transformer.h"
#include "paradl/oracle.h"

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

static double plan_s(struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	enum { REPEAT = 5000, ROUNDS = 5 };
	double best_s = -1;
	for (int round = 0; round < ROUNDS; ++round) {
		const double begin = now_s();
		for (int i = 0; i < REPEAT; ++i)
			if (!paradl_estimate(oracle, plan, &estimate, &error))
				stop(&error);
		const double s = (now_s() - begin) / REPEAT;
		best_s = best_s < 0 || s < best_s ? s : best_s;
	}
	return best_s;
}

static void plan_read(const char *text, double batch, struct paradl_plan *plan)
{
	struct paradl_error error = {0};
	if (!paradl_plan_parse(text, plan, &error))
		stop(&error);
	plan->batch = batch;
}

static void gpt3_plans(struct paradl_arena *arena)
{
	static const char *const plans[] = {"data=64,tensor=8,sequence=on,zero=1,micro=1",
		"data=128,zero=3,micro=1,recompute=full", "data=16,pipeline=8,tensor=8,micro=1",
		"data=16,pipeline=8,tensor=8,micro=1,sequence=on,zero=1,recompute=selective",
		"data=8,pipeline=16,tensor=8,micro=1,schedule=gpipe",
		"data=16,pipeline=8,tensor=8,micro=1,schedule=interleaved:3",
		"data=16,pipeline=8,tensor=8,micro=1,schedule=zero-bubble"};
	struct paradl_error error = {0};
	const struct paradl_model *model =
		paradl_model_load(arena, &(struct paradl_source){.path = "models/gpt3-175b.json"}, &error);
	const struct paradl_machine *machine =
		model ? paradl_machine_load(arena,
				&(struct paradl_source){.path = "hw-profiles/dgx-a100-superpod.json"}, &error)
		      : NULL;
	const struct paradl_options layer_plans[2] = {{.events = false}, {.events = true}};
	struct paradl_oracle *oracles[2] = {NULL, NULL};
	for (int i = 0; machine && i < 2; ++i)
		oracles[i] = paradl_oracle_create(arena, model, machine, NULL, &layer_plans[i], &error);
	if (!oracles[0] || !oracles[1])
		stop(&error);
	printf("%-80s %10s %10s\n", "gpt3-175b, batch 1024", "recurrence", "events");
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		struct paradl_plan plan;
		plan_read(plans[i], 1024, &plan);
		printf("%-80s %10.0f %10.0f plans/s\n", plans[i], 1 / plan_s(oracles[0], &plan),
			1 / plan_s(oracles[1], &plan));
	}
}

/* 10 trillion weights: 320 blocks of width 51,200. */
static void largest_plan(struct paradl_arena *arena)
{
	const struct transformer_shape shape = {.name = "gpt-10t",
		.layers = 320,
		.hidden = 51200,
		.heads = 400,
		.vocabulary = 51200,
		.sequence = 2048,
		.tied = true};
	struct paradl_error error = {0};
	struct paradl_estimate estimate;
	struct paradl_plan plan;
	const struct paper_machine paper = {.device_path = "hw-profiles/devices/h100-sxm5-80gb.json",
		.framework = "nccl",
		.devices = 102400,
		.devices_per_node = 8,
		.port_bytes_per_s = 50e9};
	const double begin = now_s();
	const struct paradl_model *model = transformer_build(arena, &shape, &error);
	const struct paradl_machine *machine = model ? machine_on_paper(arena, &paper, &error) : NULL;
	const struct paradl_framework *framework =
		machine ? paradl_framework_load(arena,
				  &(struct paradl_source){.path = "hw-profiles/frameworks/nccl.json"}, &error)
			: NULL;
	struct paradl_oracle *oracle =
		framework ? paradl_oracle_create(arena, model, machine, framework, NULL, &error) : NULL;
	plan_read("data=160,pipeline=80,tensor=8,sequence=on,zero=1,micro=1,schedule=interleaved:4", 12800,
		&plan);
	if (!oracle || !paradl_estimate(oracle, &plan, &estimate, &error))
		stop(&error);
	printf("%.3g weights on %u devices: %.3g s a step, found in %.3g s\n",
		paradl_model_info(model).parameters, estimate.devices, estimate.iteration_s, now_s() - begin);
}

int main(void)
{
	struct paradl_arena *arena = paradl_arena_create();
	if (!arena)
		return 1;
	gpt3_plans(arena);
	largest_plan(arena);
	paradl_arena_free(arena);
	return 0;
}
