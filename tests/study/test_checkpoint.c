/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints: published sizes, and the slowest of what they go through. */
#include "study/job/job.h"
#include "test.h"

static const double gib = 1073741824, gb = 1e9;

/* Golden: MLPerf Storage 2.0, checkpoints of Llama 3 with Adam in mixed precision; GiB, within 1 %. */
static void sizes_are_the_published_ones(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		double published_gib;
	} rows[] = {{"models/llama3-8b.json", 105}, {"models/llama3-70b.json", 912},
		{"models/llama3-405b.json", 5290}};
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct paradl_model *model =
			paradl_model_load(arena, &(struct paradl_source){.path = rows[i].path}, &error);
		assert_non_null(model);
		const double bytes = checkpoint_bytes(
			paradl_model_info(model).parameters, PARADL_BF16_MIXED, optimizer_find("adam"));
		assert_close(bytes / gib, rows[i].published_gib, 0.01);
	}
	/* Reference: BLOOM's checkpoints, 176.2 thousand million parameters, are said to have 2.3 TB. */
	assert_close(checkpoint_bytes(176.247e9, PARADL_BF16_MIXED, optimizer_find("adam")), 2.3e12, 0.08);
	paradl_arena_free(arena);
}

static void items_are_those_of_optimizer_and_precision(void **state)
{
	(void)state;
	assert_close(checkpoint_bytes(1, PARADL_FP32, optimizer_find("sgd")), 4, 1e-15);
	assert_close(checkpoint_bytes(1, PARADL_FP32, optimizer_find("sgd-momentum")), 8, 1e-15);
	assert_close(checkpoint_bytes(1, PARADL_FP32, optimizer_find("adamw")), 12, 1e-15);
	assert_close(checkpoint_bytes(1, PARADL_BF16, optimizer_find("sgd")), 2, 1e-15);
	assert_close(checkpoint_bytes(1, PARADL_FP16_MIXED, optimizer_find("adamw-8bit")), 8, 1e-15);
}

static struct paradl_plan plan_of(const char *text)
{
	struct paradl_plan plan;
	struct paradl_error error = {0};
	assert_true(paradl_plan_parse(text, &plan, &error));
	return plan;
}

static void rates_are_those_of_the_slowest_part(void **state)
{
	(void)state;
	const struct storage_tier tiers[] = {
		{.name = "local", .scope = STORAGE_NODE, .write_bytes_per_s = 500 * gb},
		{.name = "shared",
			.scope = STORAGE_SYSTEM,
			.write_bytes_per_s = 100 * gb,
			.read_bytes_per_s = 200 * gb,
			.client_bytes_per_s = 5 * gb},
	};
	struct paradl_machine machine = {
		.devices_per_node = 8, .devices_per_host = 8, .storage = tiers, .storage_count = 2};
	machine.device.link.host_bytes_per_s = 20 * gb;
	/* The first of 16 replicas: 64 devices, 8 nodes of 5 GB/s. All 128 nodes read. */
	struct paradl_plan plan = plan_of("data=16,pipeline=8,tensor=8");
	struct checkpoint_rates rates = checkpoint_rates(&machine, &plan);
	assert_close(rates.write_bytes_per_s, 40 * gb, 1e-15);
	assert_close(rates.read_bytes_per_s, 200 * gb, 1e-15);
	assert_close(rates.host_bytes_per_s, 64 * 20 * gb, 1e-15);
	/* All of them: then the file system is the slowest. */
	plan.zero = 1;
	rates = checkpoint_rates(&machine, &plan);
	assert_close(rates.write_bytes_per_s, 100 * gb, 1e-15);
	assert_close(rates.host_bytes_per_s, 1024 * 20 * gb, 1e-15);
	/* A node's own disks are no place for checkpoints. */
	machine.storage_count = 1;
	rates = checkpoint_rates(&machine, &plan);
	assert_true(!(rates.write_bytes_per_s > 0) && !(rates.read_bytes_per_s > 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_the_published_ones),
		cmocka_unit_test(items_are_those_of_optimizer_and_precision),
		cmocka_unit_test(rates_are_those_of_the_slowest_part),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
