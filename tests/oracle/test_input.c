/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input as plans ask for it: what each node and device reads, what the iteration waits for, what is said of it. */
#include "oracle/fed.h"

#include "oracle/evaluation.h"
#include <math.h>

static double busy_s(const struct paradl_estimate *estimate)
{
	return estimate->iteration_s - estimate->phase_s[PARADL_INPUT];
}

static void off_changes_nothing(void **state)
{
	static const char *const plans[] = {"serial", "data=16", "data=4,spatial=2x2", "data=4,filter=4",
		"pipeline=4", "data=8,zero=1", "data=2,pipeline=4,micro=2,schedule=1f1b"};
	struct setup *const setup = *state;
	struct fed fed, bare;
	fed_fill(setup, "resnet50", &fed);
	fed.tiers[1].read_bytes_per_s = 1e8;
	fed.input.off = true;
	bare = fed;
	bare.machine.storage_count = 0;
	bare.machine.host = (struct host){.cores = 0};
	bare.input.off = false;
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		const struct paradl_estimate off = fed_estimate(setup, &fed, plans[i], 64);
		const struct paradl_estimate none = fed_estimate(setup, &bare, plans[i], 64);
		assert_memory_equal(off.phase_s, none.phase_s, sizeof off.phase_s);
		assert_memory_equal(&off.iteration_s, &none.iteration_s, sizeof off.iteration_s);
		assert_memory_equal(&off.epoch_s, &none.epoch_s, sizeof off.epoch_s);
		assert_false(off.input_known || none.input_known);
		fed.input.off = false;
		const struct paradl_estimate fast = fed_estimate(setup, &fed, plans[i], 64);
		fed.input.off = true;
		assert_true(fast.input_known);
	}
}

static void one_device_waits_for_its_samples(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	fed_fill(setup, "resnet50", &fed);
	fed.tiers[1].read_bytes_per_s = 1e6; /* 8 samples of 110 kB: 0.88 s */
	fed.input.store = PARADL_STORE_SHARED;
	const struct paradl_estimate estimate = fed_estimate(setup, &fed, "serial", 8);
	assert_close(estimate.iteration_s, 0.88, 1e-12);
	assert_close(estimate.iteration_quiet_s, 0.88, 1e-12);
	assert_close(estimate.input_s, 0.88, 1e-12);
	assert_close(estimate.epoch_s, 0.88 * 1281167 / 8, 1e-12);
	assert_close(estimate.samples_per_s, 8 / 0.88, 1e-12);
	fed.input.in_turn = true;
	const struct paradl_estimate in_turn = fed_estimate(setup, &fed, "serial", 8);
	assert_true(in_turn.phase_s[PARADL_INPUT] >= 0.88);
	assert_close(busy_s(&in_turn), busy_s(&estimate), 1e-12);
}

/* Disks of 1 MB/s in each node: seconds of input are 0.11 times the samples that the fullest node reads. */
static void nodes_read_what_they_hold(void **state)
{
	static const struct {
		const char *plan;
		double samples;
	} cases[] = {
		{"serial", 32},                      /* all */
		{"data=2", 32},                      /* both replicas are in the node */
		{"data=4", 32},                      /* four devices are a node */
		{"data=8", 16},                      /* two nodes */
		{"data=6", 24},                      /* 6 on each device (32 / 6 rounded up), 4 devices */
		{"spatial=2x2", 32},                 /* one replica, one node */
		{"spatial=2x4", 16},                 /* a replica on two nodes: each reads its half */
		{"data=2,spatial=2x4", 8},           /* four nodes, half of 16 */
		{"filter=8", 32},                    /* a replica on two nodes: each reads all */
		{"data=2,filter=8", 16},             /* four nodes, a replica on two of them */
		{"data=4,pipeline=2", 16},           /* two nodes, two replicas in each */
		{"data=4,pipeline=4", 8},            /* four nodes, a replica in each */
		{"data=2,spatial=1x2,filter=2", 16}, /* a replica in each of two nodes */
	};
	struct setup *const setup = *state;
	struct fed fed;
	fed_fill(setup, "resnet50", &fed);
	fed.tiers[0].read_bytes_per_s = 1e6;
	fed.input.store = PARADL_STORE_COPY;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_estimate estimate = fed_estimate(setup, &fed, cases[i].plan, 32);
		if (fabs(estimate.input_s - 0.11 * cases[i].samples) > 1e-9)
			fail_msg("%s reads %g samples, not %g", cases[i].plan, estimate.input_s / 0.11,
				cases[i].samples);
	}
}

/* Copies of 600 kB samples over a link of 1 MB/s: 0.6 s for each sample of a device; spatial pieces are cut on the host. */
static void devices_get_their_pieces(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	fed_fill(setup, "resnet50", &fed);
	fed.model.dataset.decoded_bytes = 6e5;
	fed.machine.device.link.host_bytes_per_s = 1e6;
	assert_close(fed_estimate(setup, &fed, "data=8", 32).input_s, 4 * 0.6, 1e-12);
	assert_close(fed_estimate(setup, &fed, "data=2,spatial=2x2", 32).input_s, 16 * 0.6 / 4, 1e-12);
	assert_close(fed_estimate(setup, &fed, "data=2,filter=4", 32).input_s, 16 * 0.6, 1e-12);
}

static void waiting_grows_with_batch_and_shrinks_with_bandwidth(void **state)
{
	static const char *const plans[] = {"data=16", "data=4,spatial=2x2", "data=8,zero=1"};
	struct setup *const setup = *state;
	struct fed fed;
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i) {
		double slower_s = HUGE_VAL, smaller_s = 0;
		fed_fill(setup, "resnet50", &fed);
		for (double rate = 1e6; rate < 1e11; rate *= 3) {
			fed.tiers[1].read_bytes_per_s = rate;
			const struct paradl_estimate estimate = fed_estimate(setup, &fed, plans[i], 256);
			assert_true(estimate.phase_s[PARADL_INPUT] <= slower_s);
			assert_true(estimate.iteration_s >= estimate.input_s);
			assert_true(estimate.iteration_quiet_s <= estimate.iteration_s);
			slower_s = estimate.phase_s[PARADL_INPUT];
		}
		assert_close(slower_s, 0, 0);
		fed.tiers[1].read_bytes_per_s = 1e7;
		fed.tiers[0].read_bytes_per_s = 1e6;
		for (double batch = 16; batch < 1e4; batch *= 2) {
			const double s = fed_estimate(setup, &fed, plans[i], batch).phase_s[PARADL_INPUT];
			assert_true(s >= smaller_s);
			smaller_s = s;
		}
	}
}

/* Whatever was asked before; and the description of a plan is of the estimate. */
static void answers_do_not_depend_on_their_order(void **state)
{
	enum { PLANS = 400 };
	struct setup *const setup = *state;
	struct random random = {5};
	struct fed fed;
	fed_fill(setup, "resnet50", &fed);
	fed.tiers[1].read_bytes_per_s = 3e8;
	fed.tiers[1].variation = 0.4;
	fed.tiers[0].read_bytes_per_s = 1e8;
	fed.tiers[0].capacity_bytes = 1e10; /* a pool of some nodes has room */
	fed.machine.host.network_bytes_per_s = 5e8;
	for (unsigned variant = 0; variant < 4; ++variant) {
		fed.input.prefetch = variant & 1 ? 2 : 0;
		fed.input.in_turn = variant & 2;
		struct paradl_oracle *const oracle = fed_oracle(setup, &fed);
		struct paradl_oracle *const clone = oracle_clone(oracle, setup->arena, &setup->error);
		unsigned stores = 0;
		assert_non_null(clone);
		for (unsigned i = 0; i < PLANS; ++i) {
			const struct paradl_plan plan = shipped_plan(&random, 256);
			struct paradl_estimate estimate, again;
			struct paradl_input input;
			if (!paradl_estimate(oracle, &plan, &estimate, NULL))
				continue;
			paradl_input(oracle, &estimate, NULL, &input);
			assert_close(input.step_s, estimate.iteration_s, 1e-9);
			assert_close(input.stall_fetch_s + input.stall_straggler_s +
					     input.stall_preparation_s + input.stall_exchange_s,
				estimate.phase_s[PARADL_INPUT], 1e-9);
			stores |= 1u << input.store;
			if (i % 3 == 0) {
				assert_true(paradl_estimate(clone, &plan, &again, NULL));
				assert_memory_equal(
					&estimate.iteration_s, &again.iteration_s, sizeof again.iteration_s);
			}
			const double least_s = oracle_input_least_s(oracle, &plan, busy_s(&estimate));
			assert_true(least_s <= estimate.iteration_s);
			assert_close(least_s, estimate.iteration_s, 1e-6);
			assert_true(oracle_input_least_s(oracle, &plan, busy_s(&estimate) / 2) <=
				    least_s * (1 + 1e-12));
		}
		assert_true(stores & 1u << PARADL_STORE_SHARED);
		assert_true(stores & 1u << PARADL_STORE_POOLED);
	}
}

static void what_binds_is_said(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	fed_fill(setup, "resnet50", &fed);
	assert_int_not_equal(fed_estimate(setup, &fed, "data=16", 1024).limited_by.phase, PARADL_INPUT);
	fed.tiers[1].read_bytes_per_s = fed.tiers[0].read_bytes_per_s = 1e6;
	const struct paradl_limit shared = fed_estimate(setup, &fed, "data=2", 128).limited_by;
	assert_int_equal(shared.phase, PARADL_INPUT);
	assert_int_equal(shared.kind, PARADL_BOTTLENECK);
	assert_string_equal(shared.text, paradl_resource_text(PARADL_RESOURCE_SHARED));
	fed_fill(setup, "resnet50", &fed);
	fed.machine.host.cores = 1;
	fed.model.dataset.encoding = ENCODING_JPEG;
	const struct paradl_limit cores = fed_estimate(setup, &fed, "data=4", 1024).limited_by;
	assert_string_equal(cores.text, paradl_resource_text(PARADL_RESOURCE_CORES));
	fed_fill(setup, "resnet50", &fed);
	fed.tiers[1].opens_per_s = 100;
	fed.input.store = PARADL_STORE_SHARED;
	const struct paradl_limit opens = fed_estimate(setup, &fed, "data=64", 4096).limited_by;
	assert_string_equal(opens.text, paradl_resource_text(PARADL_RESOURCE_METADATA));
	assert_true(opens.share > 0.05 && *opens.improve);
}

/* Input that takes longer than all else is the limit, although more of the step goes into the exchange behind it. */
static void what_hides_is_no_limit(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	struct paradl_input input;
	fed_fill(setup, "resnet50", &fed);
	fed.input.store = PARADL_STORE_SHARED;
	const struct paradl_estimate alone = fed_estimate(setup, &fed, "data=16", 16);
	assert_int_equal(alone.limited_by.phase, PARADL_GRADIENT_EXCHANGE);
	paradl_input(fed_oracle(setup, &fed), &alone, NULL, &input);
	fed.tiers[1].read_bytes_per_s = input.bytes_per_s / 0.95;
	const struct paradl_estimate less = fed_estimate(setup, &fed, "data=16", 16);
	assert_int_equal(less.limited_by.phase, PARADL_GRADIENT_EXCHANGE);
	fed.tiers[1].read_bytes_per_s = input.bytes_per_s / 1.05;
	const struct paradl_estimate more = fed_estimate(setup, &fed, "data=16", 16);
	assert_int_equal(more.limited_by.phase, PARADL_INPUT);
	assert_string_equal(more.limited_by.text, paradl_resource_text(PARADL_RESOURCE_SHARED));
	assert_close(more.limited_by.share, more.phase_s[PARADL_INPUT] / more.iteration_s, 1e-12);
	assert_true(more.limited_by.share < 0.2 &&
		    more.phase_s[PARADL_GRADIENT_EXCHANGE] / more.iteration_s > 0.4);
}

/* A sequence is kilobytes for seconds of work: a thousandth of a usual disk's rate is enough. */
static void text_never_waits(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	fed_fill(setup, "gpt3-175b", &fed);
	fed.machine.device.peak_flop_per_s[fed.model.precision] = 1e15;
	fed.model.dataset.sample_bytes = 2 * 2048;
	fed.model.dataset.encoding = ENCODING_TOKENS;
	fed.tiers[0].read_bytes_per_s = 1e6;
	fed.tiers[1].read_bytes_per_s = 1e8;
	fed.machine.host.cores = 1;
	const struct paradl_estimate estimate =
		fed_estimate(setup, &fed, "data=8,pipeline=16,tensor=8,micro=1", 1536);
	assert_true(estimate.input_known);
	assert_close(estimate.phase_s[PARADL_INPUT], 0, 0);
	assert_true(estimate.input_s > 0 && estimate.input_s < estimate.iteration_s / 100);
}

/* A volume of 512^3 is gigabytes for less than a second of work: everything on its way is slower. */
static void volumes_wait(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	fed_fill(setup, "cosmoflow-512", &fed);
	fed.tiers[0].read_bytes_per_s = 2e9;
	fed.tiers[1].read_bytes_per_s = 1e11;
	fed.tiers[1].client_bytes_per_s = 2e9;
	fed.machine.device.memory_bytes = 1e15;
	const struct paradl_estimate estimate = fed_estimate(setup, &fed, "data=16,spatial=2x2x1", 64);
	struct paradl_input input;
	assert_true(estimate.phase_s[PARADL_INPUT] > 0.1 * estimate.iteration_s);
	assert_int_equal(estimate.limited_by.phase, PARADL_INPUT);
	paradl_input(fed_oracle(setup, &fed), &estimate, NULL, &input);
	assert_int_equal(input.binding, PARADL_RESOURCE_CLIENT);
}

static void ideal_and_inference_have_none(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	struct paradl_input input;
	fed_fill(setup, "resnet50", &fed);
	fed.tiers[0].read_bytes_per_s = fed.tiers[1].read_bytes_per_s = 1e3;
	for (unsigned i = 0; i < 2; ++i) {
		fed.options.ideal = i == 0;
		fed.options.inference = i == 1;
		const struct paradl_estimate estimate = fed_estimate(setup, &fed, "data=4", 64);
		assert_false(estimate.input_known);
		assert_close(estimate.phase_s[PARADL_INPUT], 0, 0);
		paradl_input(fed_oracle(setup, &fed), &estimate, NULL, &input);
		assert_true(!input.known && input.lacking);
	}
}

/* Stored samples are read once, and nothing but the forward pass hides that: the slower of the two. */
static void inference_over_a_data_set_waits(void **state)
{
	struct setup *const setup = *state;
	struct fed fed;
	fed_fill(setup, "resnet50", &fed);
	fed.options.inference = true;
	const struct paradl_estimate there = fed_estimate(setup, &fed, "data=4", 64);
	fed.model.dataset.path = "stored";
	for (double share = 0.25; share <= 4; share *= 16) {
		fed.tiers[0].read_bytes_per_s = fed.tiers[1].read_bytes_per_s =
			64 * fed.model.dataset.sample_bytes / (share * there.iteration_s);
		const struct paradl_estimate read = fed_estimate(setup, &fed, "data=4", 64);
		assert_true(read.input_known);
		assert_close(read.iteration_s, fmax(1, share) * there.iteration_s, 1e-9);
		assert_close(read.samples_per_s, 64 / read.iteration_s, 1e-9);
		assert_int_equal(read.limited_by.phase == PARADL_INPUT, share > 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(off_changes_nothing),
		setup_test(one_device_waits_for_its_samples),
		setup_test(nodes_read_what_they_hold),
		setup_test(devices_get_their_pieces),
		setup_test(waiting_grows_with_batch_and_shrinks_with_bandwidth),
		setup_test(answers_do_not_depend_on_their_order),
		setup_test(what_binds_is_said),
		setup_test(what_hides_is_no_limit),
		setup_test(text_never_waits),
		setup_test(volumes_wait),
		setup_test(ideal_and_inference_have_none),
		setup_test(inference_over_a_data_set_waits),
	};
	return cmocka_run_group_tests_name("oracle/input", tests, NULL, NULL);
}
