/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps by hand, and what must hold for all of them. */
#include "input_made_up.h"

#include "test.h"

static struct paradl_input ask(const struct made_up *made, const struct input_load *load, double busy_s)
{
	const struct input_setting setting = made_up_setting(made);
	struct input_rates rates;
	struct paradl_input input;
	input_rates_choose(&setting, load, busy_s, &rates);
	input_describe(&setting, &rates, load, busy_s, &input);
	assert_close(input_step(&setting, &rates, load, busy_s), input.step_s, 1e-12);
	assert_close(input.stall_fetch_s + input.stall_straggler_s + input.stall_preparation_s +
			     input.stall_exchange_s + busy_s,
		input.step_s, 1e-12);
	return input;
}

/* 16 nodes of 4 devices, 32 samples each: 2048 samples of 100 kB, 128 on each node. */
static void resources(void **state)
{
	(void)state;
	struct made_up made;
	made_up_fill(&made);
	made.options.store = PARADL_STORE_SHARED;
	made.tiers[1].random_reads_per_s = 50e3;
	made.tiers[1].opens_per_s = 40e3;
	made.tiers[1].open_s = 2e-3;
	made.tiers[1].client_bytes_per_s = 0.5e9;
	const struct input_load load = made_up_load(16, 32);
	const struct paradl_input input = ask(&made, &load, 0.01);
	assert_true(input.known && input.possible);
	assert_null(input.lacking);
	assert_close(input.resource_s[PARADL_RESOURCE_SHARED], 2048 * 1e5 / 10e9, 1e-12);
	assert_close(input.resource_s[PARADL_RESOURCE_REQUESTS], 2048 / 50e3, 1e-12);
	assert_close(input.resource_s[PARADL_RESOURCE_METADATA], 2048 / 40e3, 1e-12);
	assert_close(input.resource_s[PARADL_RESOURCE_CLIENT], 128 * 1e5 / 0.5e9, 1e-12);
	assert_close(input.resource_s[PARADL_RESOURCE_CORES], 128 * 1e5 / (20e6 * 40 * 0.9), 1e-12);
	assert_close(input.resource_s[PARADL_RESOURCE_HOST_LINK], 32 * 6e5 / 12e9, 1e-12);
	assert_close(input.fetch_s, 2048 / 40e3, 1e-12);
	assert_int_equal(input.binding, PARADL_RESOURCE_METADATA);
	assert_int_equal(input.next, PARADL_RESOURCE_REQUESTS);
	assert_close(input.step_s, 2048 / 40e3, 1e-12);
	assert_close(input.utilisation, 0.01 / input.step_s, 1e-12);
	assert_close(input.epoch_s, 1e6 / 2048 * input.step_s, 1e-12);
}

/* One client opens for itself, with as many threads as cores: 128 * 2 ms / 40. */
static void opens_of_a_client(void **state)
{
	(void)state;
	struct made_up made;
	made_up_fill(&made);
	made.options.store = PARADL_STORE_SHARED;
	made.tiers[1].open_s = 10e-3;
	const struct input_load load = made_up_load(2, 32);
	const struct paradl_input input = ask(&made, &load, 0);
	assert_close(input.resource_s[PARADL_RESOURCE_METADATA], 128 * 10e-3 / 40, 1e-12);
	made.options.workers = 2; /* threads of each of four devices */
	const struct paradl_input few = ask(&made, &load, 0);
	assert_close(few.resource_s[PARADL_RESOURCE_METADATA], 128 * 10e-3 / 8, 1e-12);
	assert_close(few.resource_s[PARADL_RESOURCE_CORES], 128 * 1e5 / (20e6 * 8 * 0.9), 1e-12);
	made.model.dataset.layout = LAYOUT_HDF5;
	assert_true(ask(&made, &load, 0).resource_s[PARADL_RESOURCE_METADATA] <= 0);
	made.model.dataset.layout = LAYOUT_SHARDS;
	made.model.dataset.files = 1000;
	assert_close(
		ask(&made, &load, 0).resource_s[PARADL_RESOURCE_METADATA], 128 * 1e-3 * 10e-3 / 8, 1e-12);
}

/* A device of a node that works alone has all cores, unless options say how many each has. */
static void one_device_of_a_node(void **state)
{
	(void)state;
	struct made_up made;
	made_up_fill(&made);
	const struct input_load load = {.nodes = 1,
		.devices = 1,
		.readers = 1,
		.batch = 32,
		.reader_samples = 32,
		.node_samples = 32};
	assert_close(ask(&made, &load, 0).preparation_s, 32 * 1e5 / (20e6 * 40 * 0.9), 1e-12);
	made.options.workers = 3;
	const struct paradl_input input = ask(&made, &load, 0);
	assert_close(input.preparation_s, 32 * 1e5 / (20e6 * 3 * 0.9), 1e-12);
	assert_close(input.transfer_s, 32 * 6e5 / 12e9, 1e-12);
}

static void pieces_and_peers(void **state)
{
	(void)state;
	struct made_up made;
	made_up_fill(&made);
	made.options.store = PARADL_STORE_POOLED;
	const struct input_load load = made_up_load(16, 32);
	struct paradl_input input = ask(&made, &load, 0);
	assert_close(input.resource_s[PARADL_RESOURCE_PEERS], 128 * 1e5 * 15 / 16 / 10e9, 1e-12);
	assert_close(input.resource_s[PARADL_RESOURCE_LOCAL], 128 * 1e5 / 1e9, 1e-12);
	assert_close(input.stored_bytes_per_node, 1e11 / 16, 1e-12);
	assert_close(input.share_per_reader, 1.0 / 64, 1e-12);
	made.machine.storage = &made.tiers[1];
	made.machine.storage_count = 1; /* without disks: in memory, which reads 100 GB/s */
	input = ask(&made, &load, 0);
	assert_true(input.possible);
	assert_true(input.resource_s[PARADL_RESOURCE_LOCAL] <= 0);
	assert_close(input.resource_s[PARADL_RESOURCE_MEMORY], 128 * 1e5 / 100e9, 1e-12);
	assert_close(input.capacity_bytes, 50e9, 1e-12);
}

static void stall_split(void **state)
{
	(void)state;
	struct made_up made;
	made_up_fill(&made);
	made.options.store = PARADL_STORE_SHARED;
	made.tiers[1].variation = 0.5;
	made.tiers[1].client_bytes_per_s = 312.5e6;          /* 32 of them: as fast as the system */
	const struct input_load load = made_up_load(32, 32); /* fetch 40.96 ms, preparation 17.8 ms */
	const double fetch_s = 128e5 / 312.5e6, preparation_s = 128e5 / (20e6 * 36),
		     late_s = fetch_s * (1 + 0.5 * sqrt(2 * log(32)));
	struct paradl_input input = ask(&made, &load, 0.010);
	assert_close(input.stall_preparation_s, preparation_s - 0.010, 1e-9);
	assert_close(input.stall_fetch_s, fetch_s - preparation_s, 1e-9);
	assert_close(input.stall_straggler_s, late_s - fetch_s, 1e-9);
	assert_close(input.straggler_s, late_s - fetch_s, 1e-9);
	assert_close(input.resource_s[PARADL_RESOURCE_CLIENT], late_s, 1e-9);
	input = ask(&made, &load, 0.050);
	assert_close(input.stall_straggler_s, late_s - 0.050, 1e-9);
	assert_true(input.stall_fetch_s <= 0 && input.stall_preparation_s <= 0);
	made.options.in_turn = true;
	input = ask(&made, &load, 0.050);
	assert_close(input.step_s, 0.050 + late_s + preparation_s + 32 * 6e5 / 12e9, 1e-9);
}

/* A file system that is full has read all when the slowest node has; the mean of two whose times deviate by 1 / sqrt(3) is 3 / 4. */
static void full_system(void **state)
{
	(void)state;
	struct made_up made;
	made_up_fill(&made);
	made.options.store = PARADL_STORE_SHARED;
	made.tiers[1].variation = 1 / sqrt(3);
	made.tiers[1].read_bytes_per_s = 1e9;
	const struct input_load load = made_up_load(2, 32);
	const struct paradl_input input = ask(&made, &load, 0.010);
	const double last_s = 256e5 / 1e9;
	assert_close(input.resource_s[PARADL_RESOURCE_SHARED], last_s, 1e-9);
	assert_close(input.step_s, last_s, 1e-9);
	assert_close(input.fetch_s, 0.75 * last_s, 1e-9);
	assert_close(input.straggler_s, 0.25 * last_s, 1e-9);
}

static void nothing_known(void **state)
{
	(void)state;
	struct made_up made;
	made_up_fill(&made);
	const struct input_load load = made_up_load(2, 32);
	made.machine.host.cores = 0;
	struct paradl_input input = ask(&made, &load, 1);
	assert_true(input.known);
	assert_non_null(strstr(input.lacking, "host cores"));
	assert_true(input.preparation_s <= 0);
	made.machine.storage_count = 0;
	input = ask(&made, &load, 1);
	assert_false(input.known);
	assert_non_null(strstr(input.lacking, "storage"));
	assert_close(input.step_s, 1, 1e-12);
	made_up_fill(&made);
	made.model.dataset.sample_bytes = 0;
	input = ask(&made, &load, 1);
	assert_false(input.known);
	assert_non_null(strstr(input.lacking, "sample_size"));
	made_up_fill(&made);
	made.options.off = true;
	assert_false(ask(&made, &load, 1).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resources),
		cmocka_unit_test(opens_of_a_client),
		cmocka_unit_test(one_device_of_a_node),
		cmocka_unit_test(pieces_and_peers),
		cmocka_unit_test(stall_split),
		cmocka_unit_test(full_system),
		cmocka_unit_test(nothing_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
