/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives inside a node as its library runs them: what the closed form of device files says, by the network's routes. */
#include "test.h"

#include "machine/machine.h"
#include "paradl/network.h"

static const double sizes[] = {512, 65536, 1048576, 67108864, 1e9};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct paradl_machine node_of(struct paradl_arena *arena, const char *device)
{
	struct paradl_error error = {0};
	const struct paper_machine paper = {
		.device_path = arena_printf(arena, "hw-profiles/devices/%s.json", device),
		.devices = 8,
		.devices_per_node = 8};
	const struct paradl_machine *machine = machine_on_paper(arena, &paper, &error);
	if (!machine)
		fail_msg("%s", error.message);
	return *machine;
}

static struct paradl_collective_table ask(struct paradl_arena *arena, const struct paradl_machine *machine,
	const struct paradl_collective_request *request)
{
	struct paradl_error error = {0};
	struct paradl_collective_table table = {0};
	struct paradl_network *network = paradl_network_create(arena, machine, &error);
	if (!network || !paradl_collective(network, request, arena, &table, &error))
		fail_msg("%s", error.message);
	return table;
}

static void times_are_those_of_the_device_file(void **state)
{
	(void)state;
	static const struct {
		enum paradl_operation operation;
		double turns;
		bool is_ring;
	} rows[] = {{PARADL_ALLREDUCE, 2, true}, {PARADL_ALLGATHER, 1, true},
		{PARADL_REDUCE_SCATTER, 1, true}, {PARADL_ALL_TO_ALL, 1, false}};
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_machine machine = node_of(arena, "b200-sxm-180gb");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
		for (unsigned ranks = 2; ranks <= 8; ranks *= 2) {
			const struct paradl_collective_request request = {.operation = rows[i].operation,
				.ranks = ranks,
				.bytes = sizes,
				.count = SIZES};
			const struct paradl_collective_table table = ask(arena, &machine, &request);
			assert_string_equal(table.library, "nccl");
			for (size_t k = 0; k < SIZES; ++k) {
				const struct node_call call = {.members = ranks,
					.bytes = sizes[k],
					.turns = rows[i].turns,
					.hops = rows[i].is_ring ? rows[i].turns * (ranks - 1) : 1};
				assert_close(
					table.rows[k].time_s, link_node_s(&machine.device.link, &call), 1e-9);
			}
		}
	paradl_arena_free(arena);
}

/* Without the name of a library, times are those of the wires, by any algorithm; with it they are longer, and by its own. */
static void the_order_of_algorithms_stays(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_machine machine = node_of(arena, "h100-sxm5-80gb");
	struct paradl_collective_request request = {
		.operation = PARADL_ALLREDUCE, .ranks = 8, .bytes = sizes, .count = SIZES};
	const struct paradl_collective_table own = ask(arena, &machine, &request);
	assert_int_equal(own.choice_count, 1);
	assert_string_equal(own.choices[0].algorithm, "allreduce-ring");
	request.algorithms = "all";
	const struct paradl_collective_table all = ask(arena, &machine, &request);
	machine.device.link.library = NULL;
	request.algorithms = NULL;
	const struct paradl_collective_table wires = ask(arena, &machine, &request);
	assert_null(wires.library);
	assert_int_equal(all.choice_count, wires.choice_count);
	for (size_t k = 0; k < SIZES; ++k) {
		assert_string_equal(all.choices[all.rows[k].choice].algorithm,
			wires.choices[wires.rows[k].choice].algorithm);
		assert_true(all.rows[k].time_s > wires.rows[k].time_s + machine.device.link.start_s);
		assert_true(all.rows[k].margin >= 0 && all.rows[k].time_s <= own.rows[k].time_s);
	}
	assert_int_equal(all.crossover_count, wires.crossover_count);
	paradl_arena_free(arena);
}

/* Groups over several nodes are on the wires, as before: their start-ups were not measured. */
static void between_nodes_nothing_is_added(void **state)
{
	(void)state;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_source source = {.path = "hw-profiles/dgx-h100-superpod.json"};
	const struct paradl_machine *machine = paradl_machine_load(arena, &source, &error);
	assert_non_null(machine);
	struct paradl_machine wires = *machine;
	wires.device.link.library = NULL;
	const struct paradl_collective_request request = {
		.operation = PARADL_ALLREDUCE, .ranks = 16, .bytes = sizes, .count = SIZES};
	const struct paradl_collective_table with = ask(arena, machine, &request),
					     without = ask(arena, &wires, &request);
	assert_null(with.library);
	for (size_t k = 0; k < SIZES; ++k)
		assert_close(with.rows[k].time_s, without.rows[k].time_s, 0);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_of_the_device_file),
		cmocka_unit_test(the_order_of_algorithms_stays),
		cmocka_unit_test(between_nodes_nothing_is_added),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
