/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The update by the host's processors, against its closed form and the latency of DeepSpeed's CPUAdam, and rows that add
 * up to it. Device memory costs nothing, so that only host memory and the link to it take time.
 */
#include "oracle/setup.h"

#include <math.h>

#include "model/transformer.h"

enum { HOST = 8 };
static const double link_rate = 10e9, host_rate = 128e9, adam_bytes = 28, sent_bytes = 2 + 2;

static struct paradl_oracle *oracle_of(struct setup *setup, const char *link, double memory_rate)
{
	const struct transformer_shape shape = {.name = "t",
		.precision = "bf16-mixed",
		.optimizer = "adam",
		.layers = 8,
		.hidden = 1024,
		.heads = 16,
		.ffn = 4096,
		.vocabulary = 32768,
		.sequence = 2048};
	const struct paradl_model *const model = transformer_build(setup->arena, &shape, &setup->error);
	if (!model)
		fail_msg("%s", setup->error.message);
	struct paradl_machine *const machine = arena_alloc(setup->arena, 1, sizeof *machine);
	assert_non_null(machine);
	*machine = *setup_machine(setup,
		arena_printf(setup->arena,
			"\"memory\": \"1 TB\", \"memory_rate\": \"1e17 B/s\", "
			"\"peak\": {\"fp32\": \"1 Tflop/s\", \"bf16\": \"1 Tflop/s\"}, "
			"\"contraction\": {\"efficiency\": 1}, \"link\": {\"rate\": \"100 GB/s\", "
			"\"host_rate\": \"%s\"}",
			link),
		"{\"name\": \"node\", \"devices\": 8, \"latency\": \"0 s\", \"bandwidth\": \"100 GB/s\"}, "
		"{\"name\": \"all\", \"devices\": 4096, \"latency\": \"0 s\", \"bandwidth\": \"10 GB/s\"}");
	machine->host.memory_bytes_per_s = memory_rate;
	return setup_oracle(setup, model, machine,
		setup_framework(setup, ", \"rules\": {\"gradient_bytes\": {\"tokens\": \"2 B\"}}"), false);
}

static double update_of(struct paradl_oracle *oracle, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, 64);
	return setup_estimate(oracle, &plan).phase_s[PARADL_WEIGHT_UPDATE];
}

static double weights_of(struct paradl_oracle *oracle, const char *text)
{
	const struct paradl_plan plan = setup_plan(text, 64);
	return setup_estimate(oracle, &plan).memory.weights_bytes / 2;
}

/* All devices of a host share its memory; each has a link of its own. */
static void devices_share_the_memory_of_their_host(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, "10 GB/s", host_rate);
	const double weights = weights_of(oracle, "data=16,zero=1,micro=1");
	const struct {
		const char *plan;
		double owned, devices;
	} cases[] = {{"data=16,zero=1,micro=1,offload=optimizer", weights / 16, HOST},
		{"data=4,zero=1,micro=1,offload=optimizer", weights / 4, 4},
		{"data=4,micro=1,offload=optimizer", weights, 4}, {"micro=1,offload=optimizer", weights, 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_close(update_of(oracle, cases[i].plan),
			cases[i].owned * (adam_bytes * cases[i].devices / host_rate + sent_bytes / link_rate),
			1e-6);
	assert_true(update_of(oracle, "data=16,zero=1,micro=1") < 1e-6);
}

/* Where nobody knows the rate of host memory, it is as fast as the link to it. */
static void unknown_memory_is_as_fast_as_the_link(void **state)
{
	struct paradl_oracle *const oracle = oracle_of(*state, "10 GB/s", 0);
	static const char plan[] = "data=16,zero=1,micro=1,offload=optimizer";
	assert_close(update_of(oracle, plan),
		weights_of(oracle, plan) / 16 * (adam_bytes + sent_bytes) / link_rate, 1e-6);
}

/*
 * Ren et al., ZeRO-Offload (ATC 2021), Table 4, as recalled: seconds of CPUAdam for billions of weights, on two Xeon Platinum
 * 8168 with six channels of DDR4-2666 each, of whose 256 GB/s copies reach half.
 */
static void cpu_adam_takes_what_was_measured(void **state)
{
	static const struct {
		double billions, s;
	} measured[] = {{1, 0.22}, {2, 0.51}, {4, 1.03}, {8, 2.41}, {10, 2.57}};
	struct paradl_oracle *const oracle = oracle_of(*state, "1e17 B/s", 128e9);
	static const char plan[] = "micro=1,offload=optimizer";
	const double each_s = update_of(oracle, plan) / weights_of(oracle, plan);
	for (size_t i = 0; i < sizeof measured / sizeof *measured; ++i)
		assert_true(fabs(each_s * measured[i].billions * 1e9 / measured[i].s - 1) < 0.3);
}

/* Rows of the update add up to it, whichever device of a pipeline takes longest. */
static void rows_add_up(void **state)
{
	struct setup *const setup = *state;
	struct paradl_oracle *const oracle = oracle_of(setup, "10 GB/s", host_rate);
	static const char *const plans[] = {"data=16,zero=2,micro=1,offload=optimizer",
		"data=4,pipeline=4,micro=1,offload=optimizer", "data=4,pipeline=4,micro=1,zero=1",
		"data=2,pipeline=8,micro=1,zero=1,split=1:1:1:1:1:1:1:1,offload=optimizer"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_plan plan = setup_plan(plans[i], 64);
		struct paradl_explanation explanation;
		double s = 0;
		const double update_s = update_of(oracle, plans[i]);
		assert_true(paradl_explain(oracle, &plan, setup->arena, &explanation, &setup->error));
		for (size_t k = 0; k < explanation.count; ++k)
			s += explanation.terms[k].phase == PARADL_WEIGHT_UPDATE ? explanation.terms[k].seconds
										: 0;
		assert_close(s, update_s, 1e-8);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(devices_share_the_memory_of_their_host),
		setup_test(unknown_memory_is_as_fast_as_the_link),
		setup_test(cpu_adam_takes_what_was_measured),
		setup_test(rows_add_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
