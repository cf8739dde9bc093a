/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The networks and curves of the shipped profiles; the simulated ones against the platforms of the studies. */
#include "test.h"

#include <dirent.h>

#include "network/cost/measured_curves.h"
#include "network/graph/inventory.h"
#include "network/platforms.h"

enum { ROUTES = 300 };

static const struct paradl_machine *machine_load(struct paradl_arena *arena, const char *name)
{
	struct paradl_error error = {0};
	const char *path = arena_printf(arena, "hw-profiles/%s", name);
	const struct paradl_machine *machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!machine)
		fail_msg("%s: %s", name, error.message);
	return machine;
}

static struct network *network_of(struct paradl_arena *arena, const struct paradl_machine *machine)
{
	struct paradl_error error = {0};
	struct network *network = network_create(arena, machine, &error);
	if (!network)
		fail_msg("%s: %s", machine->name, error.message);
	return network;
}

static uint64_t random_state = 20;

static unsigned random_below(unsigned end)
{
	random_state = random_state * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)((random_state >> 33) % end);
}

/* Devices are reached over links that have a rate, and back from there. */
static void routes_hold(struct paradl_arena *arena, const struct paradl_machine *machine)
{
	const struct network *network = network_of(arena, machine);
	struct path path;
	assert_int_equal(network->devices, machine->devices);
	assert_true(path_create(arena, network->graph, &path));
	for (unsigned i = 0; i < ROUTES && machine->devices > 1; ++i) {
		const unsigned from = random_below(machine->devices);
		const unsigned to = (from + 1 + random_below(machine->devices - 1)) % machine->devices;
		graph_route(network->graph, from, to, &path);
		assert_true(path.count > 0 && path.count <= network->graph->longest);
		assert_true(path.latency_s >= 0 && path.latency_s < 1e-3);
		for (unsigned k = 0; k < path.count; ++k) {
			assert_true(path.links[k] < network->graph->cable_count * network->graph->ways);
			if (!(graph_hop(network->graph, path.links[k])->s_per_byte > 0))
				fail_msg("%s: a cable from %u to %u has no rate", machine->name, from, to);
		}
	}
}

static void curves_hold(const struct paradl_machine *machine)
{
	for (unsigned c = 0; c < machine->curve_count; ++c) {
		const struct measured_curve *curve = &machine->curves[c];
		unsigned operation = 0;
		struct curve affine;
		while (strcmp(operation_names[operation], curve->operation) != 0)
			++operation;
		assert_true(curve->devices <= machine->devices);
		assert_int_equal(curve->devices / curve->nodes, machine->devices_per_node);
		assert_true(measured_curve(
			machine, (enum operation)operation, curve->nodes, curve->devices, &affine));
		for (unsigned i = 0; i < affine.count; ++i)
			assert_true(
				affine.segments[i].upto_bytes > 0 && isfinite(affine.segments[i].line.a_s));
	}
}

static void every_profile_has_its_network(void **state)
{
	(void)state;
	struct dirent *entry;
	unsigned count = 0, routed = 0;
	DIR *const folder = opendir("hw-profiles");
	assert_non_null(folder);
	while ((entry = readdir(folder))) {
		const char *dot = strrchr(entry->d_name, '.');
		if (!dot || strcmp(dot, ".json") != 0)
			continue;
		struct paradl_arena *const arena = paradl_arena_create();
		const struct paradl_machine *const machine = machine_load(arena, entry->d_name);
		routes_hold(arena, machine);
		curves_hold(machine);
		++count;
		routed += machine->network != NULL;
		paradl_arena_free(arena);
	}
	closedir(folder);
	assert_true(count >= 20 && routed >= 18);
}

static void same_compiled(const char *name, const struct collective *collective, unsigned ranks,
	const struct compiled *profile, const struct compiled *platform)
{
	for (double bytes = 4; bytes < 1e9; bytes *= 16) {
		const double got[] = {hull_s(&profile->upper, bytes), hull_s(&profile->lower, bytes)};
		const double want[] = {hull_s(&platform->upper, bytes), hull_s(&platform->lower, bytes)};
		for (unsigned i = 0; i < 2; ++i)
			if (!(fabs(got[i] - want[i]) <= 1e-9 * want[i]))
				fail_msg("%s, %s, %u ranks, %g bytes: %.17g s, the platform %.17g s", name,
					collective->name, ranks, bytes, got[i], want[i]);
	}
}

/* Between any two ranks: the sum of latencies, and the rate of the slowest link. */
static void same_routes(struct paradl_arena *arena, const char *file, const struct network *network,
	const struct platform *platform)
{
	struct path ours, theirs;
	const unsigned *const placement = platform->placement;
	assert_true(
		path_create(arena, network->graph, &ours) && path_create(arena, platform->graph, &theirs));
	for (unsigned from = 0; from < network->devices; ++from)
		for (unsigned to = 0; to < network->devices; ++to) {
			double slowest[2] = {0, 0};
			graph_route(network->graph, from, to, &ours);
			graph_route(platform->graph, placement ? placement[from] : from,
				placement ? placement[to] : to, &theirs);
			for (unsigned k = 0; k < ours.count; ++k)
				slowest[0] = fmax(
					slowest[0], graph_hop(network->graph, ours.links[k])->s_per_byte);
			for (unsigned k = 0; k < theirs.count; ++k)
				slowest[1] = fmax(
					slowest[1], graph_hop(platform->graph, theirs.links[k])->s_per_byte);
			if (fabs(ours.latency_s - theirs.latency_s) > 1e-12 * theirs.latency_s ||
				fabs(slowest[0] - slowest[1]) > 1e-12 * slowest[1])
				fail_msg("%s, %u to %u: %g s and %g s/B, the platform %g and %g", file, from,
					to, ours.latency_s, slowest[0], theirs.latency_s, slowest[1]);
		}
}

/* A profile and the platform that it is to be. */
struct couple {
	const char *file;
	const struct platform *platform;
	struct compiler *compiler; /* of the profile */
};

/* Ranks are in the profile's own order; the platform's are placed. Watts of a cable are rounded in the files. */
static unsigned same_collective(
	const struct couple *couple, const struct collective *collective, unsigned ranks)
{
	const struct group placed = platform_group(couple->platform, ranks);
	const struct communicator comm = platform_party(couple->platform, ranks, couple->platform->per_node);
	struct group group = placed;
	unsigned compared = 0;
	group.placement = NULL;
	for (unsigned variant = 0; variant < collective->variants(&comm); ++variant)
		for (double bytes = 1024; bytes < 1e9; bytes *= 1024) {
			struct compiled on_profile, on_platform;
			assert_true(compile(couple->platform->compiler, &placed, &comm, collective, variant,
				bytes, &on_platform));
			assert_true(compile(
				couple->compiler, &group, &comm, collective, variant, bytes, &on_profile));
			same_compiled(couple->file, collective, ranks, &on_profile, &on_platform);
			assert_close(on_profile.used_watt, on_platform.used_watt, 1e-5);
			assert_close(on_profile.joule_per_byte, on_platform.joule_per_byte, 1e-5);
			++compared;
		}
	return compared;
}

/* Every algorithm takes the same time, watts and joules on the profile as on the platform. */
static unsigned same_times(const struct couple *couple, unsigned ranks)
{
	unsigned compared = 0;
	for (unsigned i = 0; collectives[i]; ++i)
		if (!collectives[i]->sparse && collectives[i]->operation == ALLREDUCE)
			compared += same_collective(couple, collectives[i], ranks);
	return compared;
}

/*
 * Not 96 ranks: profiles have no insides of switches, and where an algorithm of a number of ranks that is no power of two
 * fills a leaf of NVCluster with flows of unequal start-ups, its inside is what they share (7.6 % of doubling, 16 kB).
 */
static void profile_is_platform(const char *file, enum platform_id id)
{
	static const unsigned counts[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 144, 192, 240, 256};
	struct paradl_arena *const arena = paradl_arena_create();
	struct network network = *network_of(arena, machine_load(arena, file));
	const struct platform *const platform = platform_create(arena, id, 0);
	network.memory_s_per_byte = 0; /* platforms have none */
	const struct couple couple = {file, platform, compiler_create(arena, &network)};
	assert_non_null(couple.compiler);
	assert_int_equal(network.devices, platform->network.devices);
	same_routes(arena, file, &network, platform);
	for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
		assert_true(same_times(&couple, counts[i]) >= 15);
	same_times(&couple, network.devices);
	paradl_arena_free(arena);
}

static void simulated_ones_are_the_platforms(void **state)
{
	(void)state;
	profile_is_platform("tsubame3-simulated.json", TSUBAME3);
	profile_is_platform("nvcluster-2-simulated.json", NVCLUSTER_2);
	profile_is_platform("nvcluster-4-simulated.json", NVCLUSTER_4);
	profile_is_platform("nvcluster-8-simulated.json", NVCLUSTER_8);
	profile_is_platform("nvcluster-16-simulated.json", NVCLUSTER_16);
	profile_is_platform("abci-simulated.json", ABCI);
	profile_is_platform("dgx1-simulated.json", DGX1);
}

/*
 * The routed network alone, without the curves: the ring that the library would run, on all ports, at the largest size.
 * Rates of the profiles are of single links and of few large runs, so this is a test of how they are put together. Not
 * of 8 A100 nodes of ABCI, which reach half the rate of 4: other traffic or the routes of a scattered job.
 */
static void large_rings_come_near_measurements(void **state)
{
	(void)state;
	static const char *const files[] = {"abci-2.json", "abci-routed.json", "dgx-a100-superpod.json"};
	for (size_t f = 0; f < sizeof files / sizeof files[0]; ++f) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct paradl_machine *const machine = machine_load(arena, files[f]);
		const struct network *const network = network_of(arena, machine);
		struct compiler *const compiler = compiler_create(arena, network);
		assert_non_null(compiler);
		for (unsigned c = 0; c < machine->curve_count; ++c) {
			const struct measured_curve *curve = &machine->curves[c];
			struct compiled compiled;
			if (strcmp(curve->operation, "allreduce") != 0 ||
				strncmp(curve->library, "nccl", 4) != 0 || curve->nodes < 2)
				continue;
			const struct group group = {.size = curve->devices,
				.nodes = curve->nodes,
				.devices = curve->devices,
				.runs = {{1, curve->devices}},
				.run_count = 1};
			const struct communicator comm = communicator_of(network, &group);
			const double bytes = curve->points.x[curve->points.count - 1],
				     seconds = curve->points.y[curve->points.count - 1];
			assert_true(compile(
				compiler, &group, &comm, &collective_allreduce_ring, 0, bytes, &compiled));
			const double error = hull_s(&compiled.upper, bytes) / seconds - 1;
			print_message("# %s, %u nodes, %.0f MB: %+.1f %%\n", files[f], curve->nodes,
				bytes / 1e6, 100 * error);
			if (f > 0 || curve->nodes < 8)
				assert_true(fabs(error) <= 0.25);
		}
		paradl_arena_free(arena);
	}
}

/* Idle: a pair of NVLinks counts once on Tsubame3 (6 bundles a node) and twice on DGX-1 (16, of 24 links). */
static void bundles_are_powered_once(void **state)
{
	(void)state;
	static const struct {
		const char *file;
		double watt, outside_watt;
	} cases[] = {
		{"tsubame3-simulated.json", 64 * 6 * 19.04 + 256 * 10.37 + 128 * 8.26667 + 16 * 19.4167,
			128 * 8.26667 + 16 * 19.4167},
		{"dgx1-simulated.json", 36 * 24 * 19.04 + 288 * 10.37 + 144 * 4.23889 + 6 * 158.576,
			144 * 4.23889 + 6 * 158.576},
	};
	for (size_t i = 0; i < 2; ++i) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct gear gear;
		assert_true(
			inventory_gear(arena, network_of(arena, machine_load(arena, cases[i].file)), &gear));
		assert_close(gear.watt, cases[i].watt, 1e-12);
		assert_close(gear.outside_watt, cases[i].outside_watt, 1e-12);
		paradl_arena_free(arena);
	}
}

/* Jobs of a machine with optical switches have tori of their own, as cubic as blocks of 4 x 4 x 4 allow. */
static void slices_are_tori(void **state)
{
	static const struct {
		unsigned devices, grid[3];
	} cases[] = {{64, {4, 4, 4}}, {128, {4, 4, 8}}, {256, {4, 8, 8}}, {512, {8, 8, 8}}, {768, {8, 8, 12}},
		{960, {4, 12, 20}}, {1024, {8, 8, 16}}, {2048, {8, 16, 16}}};
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_machine *machine = machine_load(arena, "tpu-v4.json");
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		assert_true(network_is_sliced(machine, cases[i].devices));
		const struct network *network = network_for(arena, machine, cases[i].devices, NULL);
		assert_non_null(network);
		assert_int_equal(network->devices, cases[i].devices);
		assert_true(network->graph->wraps);
		for (unsigned d = 0; d < 3; ++d)
			assert_int_equal(network->graph->grid[d], cases[i].grid[d]);
	}
	assert_false(network_is_sliced(machine, 48));   /* less than a block, and no power of two */
	assert_false(network_is_sliced(machine, 100));  /* not whole blocks */
	assert_false(network_is_sliced(machine, 4096)); /* all of it */
	assert_false(network_is_sliced(machine_load(arena, "frontier.json"), 64));
	paradl_arena_free(arena);
}

/* Bus bandwidth of an allreduce of 1 TB, by some algorithms. */
static double bus_rate(struct paradl_arena *arena, const char *file, unsigned ranks, const char *algorithms)
{
	const double bytes = 1e12;
	const struct paradl_collective_request request = {.operation = PARADL_ALLREDUCE,
		.ranks = ranks,
		.bytes = &bytes,
		.count = 1,
		.algorithms = algorithms};
	struct paradl_collective_table table;
	struct paradl_network *network = paradl_network_create(arena, machine_load(arena, file), NULL);
	assert_non_null(network);
	assert_true(paradl_collective(network, &request, arena, &table, NULL));
	return table.rows[0].bus_bytes_per_s;
}

/*
 * Less than a block is a box of links of 45 GB/s that are not closed around. Along an extent of k <= 2 parts wait for no
 * others, so bucket keeps all D links of a chip busy. No algorithm is faster than the three links of a corner.
 */
static void smaller_slices_are_boxes(void **state)
{
	static const struct {
		unsigned devices, grid[3], dimensions;
	} cases[] = {{2, {2}, 1}, {4, {2, 2}, 2}, {8, {2, 2, 2}, 3}, {16, {2, 2, 4}, 0}, {32, {2, 4, 4}, 0}};
	struct paradl_arena *arena = paradl_arena_create();
	const struct paradl_machine *machine = machine_load(arena, "tpu-v4.json");
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
		assert_true(network_is_sliced(machine, cases[i].devices));
		const struct network *network = network_for(arena, machine, cases[i].devices, NULL);
		assert_non_null(network);
		assert_int_equal(network->devices, cases[i].devices);
		assert_false(network->graph->wraps);
		for (unsigned d = 0; d < network->graph->grid_count; ++d)
			assert_int_equal(network->graph->grid[d], cases[i].grid[d]);
		const double rate = bus_rate(arena, "tpu-v4.json", cases[i].devices, NULL);
		if (cases[i].dimensions)
			assert_close(rate, cases[i].dimensions * 45e9, 1e-4);
		else
			assert_in_range((unsigned)(rate / 1e9), 90 - 1, 135);
	}
	/* 2 x 2 x 4, in steps: x and y, then twice z alone; 1/2, 1/4 and 1/16 of a third, or 1/4, 1/8 and 1/16 */
	const double third = (0.5 + 2 * 0.25) + (0.25 + 2 * 0.125) + 3 * 0.0625;
	assert_close(bus_rate(arena, "tpu-v4.json", 16, "bucket"), 15.0 / 16 / (third / 3) * 45e9, 1e-4);
	paradl_arena_free(arena);
}

/* As many rings as the last node has GPUs, each by a port of 47 GB/s of its own; one link of all nodes is enough for 64. */
static void rings_of_unequal_nodes_take_the_ports_of_the_smallest(void **state)
{
	struct paradl_arena *arena = paradl_arena_create();
	(void)state;
	for (unsigned more = 1; more < 8; ++more)
		assert_close(bus_rate(arena, "dgx-h100-superpod.json", 56 + more, "ring"), more * 47e9, 1e-4);
	/* racks of NVLink are filled evenly: 64 of 72 in each, whose ports are more than the NVLink of a GPU */
	assert_close(bus_rate(arena, "gb200-nvl72.json", 512, "ring"), 668e9, 0.05);
	/* and 64 + 7 x 63 */
	assert_close(bus_rate(arena, "gb200-nvl72.json", 505, "ring"), 668e9, 0.05);
	paradl_arena_free(arena);
}

/* Of the same message, fewer chips take no longer. */
static void slices_are_as_fast_as_the_whole(void **state)
{
	static const unsigned ranks[] = {64, 512, 4096};
	const double bytes = 1 << 28;
	double before_s = 0;
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_network *network =
		paradl_network_create(arena, machine_load(arena, "tpu-v4.json"), NULL);
	(void)state;
	assert_non_null(network);
	for (unsigned i = 0; i < sizeof ranks / sizeof *ranks; ++i) {
		const struct paradl_collective_request request = {
			.operation = PARADL_ALLREDUCE, .ranks = ranks[i], .bytes = &bytes, .count = 1};
		struct paradl_collective_table table;
		assert_true(paradl_collective(network, &request, arena, &table, NULL));
		assert_true(table.rows[0].time_s > before_s);
		before_s = table.rows[0].time_s;
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_profile_has_its_network),
		cmocka_unit_test(large_rings_come_near_measurements),
		cmocka_unit_test(simulated_ones_are_the_platforms),
		cmocka_unit_test(bundles_are_powered_once),
		cmocka_unit_test(slices_are_tori),
		cmocka_unit_test(slices_are_as_fast_as_the_whole),
		cmocka_unit_test(smaller_slices_are_boxes),
		cmocka_unit_test(rings_of_unequal_nodes_take_the_ports_of_the_smallest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
