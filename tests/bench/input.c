/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What input adds to each plan: rates of a number of nodes, worked out once, and steps. Figures, not a test. bench-input
 * [MODEL.json [MACHINE.json]], from the project's root.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "oracle/input/input.h"

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

/* Nodes differ from call to call, so that nothing is known before. */
static struct input_load load_of(unsigned call)
{
	const double nodes = 1 + call % 256;
	return (struct input_load){.nodes = nodes,
		.devices = 4 * nodes,
		.readers = 4 * nodes,
		.batch = 128 * nodes,
		.reader_samples = 32,
		.node_samples = 128};
}

int main(int argc, char **argv)
{
	enum { CALLS = 2000000 };
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_model *const model = paradl_model_load(
		arena, &(struct paradl_source){.path = argc > 1 ? argv[1] : "models/resnet50.json"}, &error);
	const struct paradl_machine *const machine =
		model ? paradl_machine_load(arena,
				&(struct paradl_source){.path = argc > 2 ? argv[2] : "hw-profiles/abci.json"},
				&error)
		      : NULL;
	if (!machine)
		stop(&error);
	const struct paradl_input_options options = {.prefetch = 0};
	const struct rules rules = {.exchange_store_bytes_per_s = HUGE_VAL};
	const struct input_setting setting = input_setting_make(model, machine, &rules, &options);
	if (setting.lacking)
		printf("input is not modelled: %s\n", setting.lacking);
	struct input_rates rates;
	double sum_s = 0, begin = now_s();
	for (unsigned i = 0; i < CALLS; i++) {
		const struct input_load load = load_of(i);
		input_rates_fill(&setting, load.nodes, load.readers, PARADL_STORE_SHARED, &rates);
		sum_s += rates.latest;
	}
	printf("rates of a number of nodes  %7.1f ns\n", (now_s() - begin) / CALLS * 1e9);
	begin = now_s();
	for (unsigned i = 0; i < CALLS; i++) {
		const struct input_load load = load_of(i);
		sum_s += input_step(&setting, &rates, &load, 0.01);
	}
	printf("step of a plan              %7.1f ns\n", (now_s() - begin) / CALLS * 1e9);
	begin = now_s();
	for (unsigned i = 0; i < CALLS; i++) {
		const struct input_load load = load_of(i);
		input_rates_choose(&setting, &load, 1e-5, &rates);
		sum_s += rates.latest;
	}
	printf("choice of a store           %7.1f ns\n", (now_s() - begin) / CALLS * 1e9);
	paradl_arena_free(arena);
	return sum_s > 0 ? 0 : 1;
}
