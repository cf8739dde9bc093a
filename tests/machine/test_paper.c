/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines without a profile: their levels, and how long rings take on them. */
#include "test.h"

#include "machine/machine.h"
#include "network/cost/curve_table.h"

static const char path[] = "hw-profiles/devices/a100-sxm4-80gb.json";

static const struct paradl_machine *paper(
	struct paradl_arena *arena, unsigned devices, unsigned node, const char *device)
{
	struct paradl_error error = {0};
	const struct paper_machine text = {.device_path = device,
		.devices = devices,
		.devices_per_node = node,
		.port_bytes_per_s = 25e9,
		.network_share = 0.8,
		.link_share = 0.75};
	const struct paradl_machine *machine = machine_on_paper(arena, &text, &error);
	if (!machine)
		fail_msg("%s", error.message);
	return machine;
}

static void has_levels_of_links_and_ports(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine *m = paper(arena, 60, 8, path); /* eight nodes, the last not full */
	assert_int_equal(m->devices, 64);
	assert_int_equal(m->devices_per_node, 8);
	assert_int_equal(m->level_count, 2);
	assert_close(m->levels[0].bandwidth_bytes_per_s, 225e9, 1e-12);
	assert_close(m->levels[0].ring_bytes_per_s, 225e9, 1e-12);
	assert_int_equal(m->levels[0].ports, 1);
	assert_close(m->levels[1].ring_bytes_per_s, 20e9, 1e-12);
	assert_int_equal(m->levels[1].ports, 8);
	assert_int_equal(m->levels[1].devices, 64);
	assert_string_equal(m->framework, "nccl");
	assert_string_equal(m->path, "hw-profiles/paper");
	m = paper(arena, 4, 8, path);
	assert_int_equal(m->level_count, 1);
	assert_int_equal(m->devices_per_node, 4);
	paradl_arena_free(arena);
}

/* Domains of 72 that span nodes of 4: all are full but the last. */
static void domains_may_span_nodes(void **state)
{
	(void)state;
	static const struct {
		unsigned asked, devices, domain;
	} sizes[] = {{4, 4, 4}, {8, 8, 8}, {64, 64, 64}, {72, 72, 72}, {76, 144, 72}, {128, 144, 72},
		{256, 288, 72}, {144, 144, 72}, {512, 576, 72}};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
		const struct paradl_machine *m =
			paper(arena, sizes[i].asked, 4, "hw-profiles/devices/gb200-186gb.json");
		assert_int_equal(m->devices, sizes[i].devices);
		assert_int_equal(m->devices_per_node, sizes[i].domain);
		assert_int_equal(
			m->levels[m->level_count - 1].ports, m->level_count > 1 ? sizes[i].domain : 1);
	}
	paradl_arena_free(arena);
}

static void needs_what_joins_the_devices(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paper_machine text = {.device_path = path, .devices = 16, .devices_per_node = 8};
	assert_null(machine_on_paper(arena, &text, &error));
	assert_string_equal(error.message, "2 nodes need the rate of a network port");
	text.devices = 0;
	assert_null(machine_on_paper(arena, &text, &error));
	assert_int_equal(error.status, PARADL_USAGE);
	text = (struct paper_machine){
		.device_path = path, .devices = 8, .devices_per_node = 8, .link_share = 2};
	assert_null(machine_on_paper(arena, &text, &error));
	text.link_share = 0;
	text.device_path = "hw-profiles/devices/fpga-hbm-16gb.json";
	assert_null(machine_on_paper(arena, &text, &error));
	assert_string_equal(error.message, "no \"link\" joins the devices of a node");
	assert_string_equal(error.path, text.device_path);
	text.device_path = "nowhere.json";
	assert_null(machine_on_paper(arena, &text, &error));
	assert_int_equal(error.status, PARADL_IO);
	paradl_arena_free(arena);
}

/* Bytes per second that leave each device while all of them reduce a large vector in rings: 2 (n - 1) / n M / time. */
static double ring_rate(const struct paradl_machine *machine)
{
	static const struct collective *const rings[] = {&collective_allreduce_ring, NULL};
	static const struct choice choice = {.operation = ALLREDUCE, .algorithms = rings, .value_bytes = 2};
	struct paradl_arena *const arena = paradl_arena_create();
	struct network *network = network_for(arena, machine, machine->devices, NULL);
	assert_non_null(network);
	struct table *table = table_create(arena, network);
	struct paradl_plan plan = {.batch = 1};
	for (unsigned i = 0; i < PARADL_AXIS_COUNT; ++i) {
		plan.degree[i] = 1;
		plan.order[i] = (unsigned char)i;
	}
	plan.degree[PARADL_DATA] = machine->devices;
	plan.spatial[0] = plan.spatial[1] = plan.spatial[2] = 1;
	const struct group group = group_of(machine, &plan, 1u << PARADL_DATA);
	const struct curve *curve = table_curve(table, &group, &choice);
	assert_non_null(curve);
	const double n = machine->devices, bytes = 1e12;
	const double rate = 2 * (n - 1) / n * bytes / (curve_s(curve, bytes) - curve_s(curve, 0));
	paradl_arena_free(arena);
	return rate;
}

static void rings_reach_the_share_of_links_and_ports(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	assert_close(ring_rate(paper(arena, 2, 8, path)), 225e9, 1e-6);
	assert_close(ring_rate(paper(arena, 8, 8, path)), 225e9, 1e-6);
	/* between nodes eight rings leave by one port each */
	for (unsigned nodes = 2; nodes <= 16; nodes *= 2)
		assert_close(ring_rate(paper(arena, 8 * nodes, 8, path)), 8 * 20e9, 1e-6);
	/* nodes of four with four ports; one device in a node */
	assert_close(ring_rate(paper(arena, 16, 4, path)), 4 * 20e9, 1e-6);
	assert_close(ring_rate(paper(arena, 16, 1, path)), 20e9, 1e-6);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_levels_of_links_and_ports),
		cmocka_unit_test(domains_may_span_nodes),
		cmocka_unit_test(needs_what_joins_the_devices),
		cmocka_unit_test(rings_reach_the_share_of_links_and_ports),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
