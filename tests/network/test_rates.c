/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings, messages and what groups leave of ports and uplinks to one another, by hand. Nodes of 4 devices: rings of
 * 20 GB/s on 6 ports a device inside; 2 ports a node to racks of 16, 7 GB/s a ring (12.5 nominal); 4 racks share
 * uplinks of half the ports' capacity.
 */
#include "oracle/setup.h"

#include "network/network.h"

#define MACHINE                                                                                              \
	"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\", \"ring\": " \
	"\"20 GB/s\", "                                                                                      \
	"\"ports\": 6}, "                                                                                    \
	"{\"name\": \"rack\", \"devices\": 16, \"latency\": \"10 us\", \"bandwidth\": \"12.5 GB/s\", "       \
	"\"ring\": \"7 GB/s\", "                                                                             \
	"\"ports\": 2}, "                                                                                    \
	"{\"name\": \"all\", \"devices\": 64, \"latency\": \"30 us\", \"bandwidth\": \"12.5 GB/s\", "        \
	"\"ring\": \"6 GB/s\", "                                                                             \
	"\"ports\": 2, \"oversubscription\": 2}"

static struct group group(const struct paradl_machine *machine, const char *text, unsigned axes)
{
	const struct paradl_plan plan = setup_plan(text, 1);
	return group_of(machine, &plan, axes);
}

#define AXIS(name) (1u << PARADL_##name)

static double rate(const struct paradl_machine *machine, const char *text, unsigned axes, unsigned rings)
{
	const struct group members = group(machine, text, axes);
	return group_bytes_per_s(machine, &members, rings);
}

static void rings_inside_a_node(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	assert_close(rate(machine, "data=4", AXIS(DATA), 1), 20e9, 1e-12);
	assert_close(rate(machine, "data=4", AXIS(DATA), 5), 100e9, 1e-12);
	assert_close(rate(machine, "data=4", AXIS(DATA), 9), 120e9, 1e-12); /* 6 ports */
	assert_close(rate(machine, "data=16,filter=2", AXIS(FILTER), 1), 20e9, 1e-12);
}

/* Ports of a node among the groups with members on it, at most one for each ring. */
static void groups_share_ports(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	static const struct {
		const char *plan;
		unsigned axes, rings;
		double rate;
	} cases[] = {
		{"data=16", AXIS(DATA), 1, 7e9},         /* one group: one ring, one port */
		{"data=16", AXIS(DATA), 2, 14e9},        /* two rings, two ports */
		{"data=16", AXIS(DATA), 8, 14e9},        /* no more ports than there are */
		{"data=8,filter=2", AXIS(DATA), 1, 7e9}, /* two groups, a port each */
		{"data=8,filter=2", AXIS(DATA), 5, 7e9},
		{"data=4,filter=4", AXIS(DATA), 1, 3.5e9}, /* four groups, half a port each */
		{"data=4,filter=4", AXIS(DATA), 5, 3.5e9},
		{"filter=4,data=4", AXIS(FILTER), 5, 3.5e9},
		{"filter=4,data=4", AXIS(DATA), 5, 100e9},
		{"data=2,filter=8", AXIS(FILTER), 5, 14e9}, /* one group a node, on two of them */
		{"data=2,filter=8", AXIS(DATA), 5, 3.5e9},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_close(
			rate(machine, cases[i].plan, cases[i].axes, cases[i].rings), cases[i].rate, 1e-12);
}

/* Out of a rack: 4 nodes * 2 ports * 12.5 GB/s / 2 = 50 GB/s for all groups that leave it. */
static void racks_share_uplinks(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	assert_close(rate(machine, "data=64", AXIS(DATA), 1), 6e9, 1e-12);
	assert_close(rate(machine, "data=64", AXIS(DATA), 2), 12e9, 1e-12);
	/* 4 groups of a member a node: half a port, 3 GB/s, is less than a quarter of 50. */
	assert_close(rate(machine, "data=16,filter=4", AXIS(DATA), 1), 3e9, 1e-12);
	/* 16 groups with one member in each rack: a sixteenth of 50. */
	assert_close(rate(machine, "data=4,filter=16", AXIS(DATA), 1), fmin(3e9, 50e9 / 16), 1e-12);
	struct setup *const setup = *state;
	const struct paradl_machine *const thin = setup_machine(setup, SETUP_DEVICE,
		arena_printf(setup->arena, "%.*s\"oversubscription\": 20}",
			(int)(strstr(MACHINE, "\"oversub") - MACHINE), MACHINE));
	assert_close(rate(thin, "data=4,filter=16", AXIS(DATA), 1), 5e9 / 16, 1e-12);
	assert_close(rate(thin, "data=16,filter=4", AXIS(DATA), 1), 5e9 / 4, 1e-12);
	assert_close(rate(thin, "data=64", AXIS(DATA), 2), 5e9, 1e-12);
}

static double time_s(const struct paradl_machine *machine, const struct collective *collective,
	const char *text, unsigned axes, bool ideal, double bytes)
{
	const struct exchange exchange = {.group = group(machine, text, axes), .rings = 1, .ideal = ideal};
	struct curve curve;
	collective->compile(machine, &exchange, &curve);
	return curve_s(&curve, bytes);
}

/* Ideal: Tag = (p-1)(alpha + m/p beta), Tar twice that, Tp2p = alpha + m beta, of the level that joins the group. */
static void ideal_times_are_nominal(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	static const struct {
		const char *plan;
		unsigned axes;
		double p, alpha, bandwidth;
	} cases[] = {
		{"data=3", AXIS(DATA), 3, 2e-6, 50e9},
		{"data=4,filter=4", AXIS(FILTER), 4, 2e-6, 50e9},
		{"data=4,filter=4", AXIS(DATA), 4, 10e-6, 12.5e9},
		{"data=64", AXIS(DATA), 64, 30e-6, 12.5e9},
		{"data=4,filter=16", AXIS(FILTER), 16, 10e-6, 12.5e9},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		for (double bytes = 0; bytes <= 1e9; bytes = 10 * bytes + 1) {
			const double p = cases[i].p, alpha = cases[i].alpha;
			const double ring = (p - 1) * (alpha + bytes / p / cases[i].bandwidth);
			const char *const plan = cases[i].plan;
			const unsigned axes = cases[i].axes;
			assert_close(time_s(machine, &collective_allgather_ring, plan, axes, true, bytes),
				ring, 1e-12);
			assert_close(time_s(machine, &collective_allreduce_ring, plan, axes, true, bytes),
				2 * ring, 1e-12);
			assert_close(time_s(machine, &collective_point_to_point, plan, axes, true, bytes),
				alpha + bytes / cases[i].bandwidth, 1e-12);
		}
}

/* Of the p - 1 steps of a trip, as many cross nodes as there are nodes but one. */
static void calibrated_rings_cross_nodes_once_each(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	const double m = 1e8;
	assert_close(time_s(machine, &collective_allgather_ring, "data=4", AXIS(DATA), false, m),
		3 * 2e-6 + 3.0 / 4 * m / 20e9, 1e-12);
	assert_close(time_s(machine, &collective_allreduce_ring, "data=16", AXIS(DATA), false, m),
		2 * (3 * 10e-6 + 12 * 2e-6) + 2 * 15.0 / 16 * m / 7e9, 1e-12);
	assert_close(time_s(machine, &collective_allreduce_ring, "data=16,filter=4", AXIS(DATA), false, m),
		2 * 15 * 30e-6 + 2 * 15.0 / 16 * m / 3e9, 1e-12);
	assert_close(time_s(machine, &collective_allreduce_ring, "data=64", AXIS(DATA), false, m),
		2 * (15 * 30e-6 + 48 * 2e-6) + 2 * 63.0 / 64 * m / 6e9, 1e-12);
	/* Messages inside a node have a link, across nodes the group's share of the ports. */
	assert_close(time_s(machine, &collective_point_to_point, "pipeline=4", AXIS(PIPELINE), false, m),
		2e-6 + m / 50e9, 1e-12);
	assert_close(
		time_s(machine, &collective_point_to_point, "pipeline=4,data=4", AXIS(PIPELINE), false, m),
		10e-6 + m / 3.5e9, 1e-12);
}

/* Of every collective: nothing for one device, more bytes never take less. */
static void every_collective_behaves(void **state)
{
	static const struct collective *const all[] = {
#define X(id) &collective_##id,
#include "network/collective/list.def"
#undef X
	};
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	static const char *const plans[] = {
		"data=2", "data=4", "data=16", "data=64", "data=4,filter=16", "data=5,filter=3"};
	for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
		for (unsigned ideal = 0; ideal < 2; ++ideal) {
			assert_true(all[i]->name && all[i]->summary);
			assert_true(time_s(machine, all[i], "filter=4", AXIS(DATA), ideal, 1e9) <= 0);
			for (size_t k = 0; k < sizeof plans / sizeof *plans; ++k) {
				double before = 0;
				for (double bytes = 0; bytes < 1e12; bytes = 3 * bytes + 1) {
					const double now =
						time_s(machine, all[i], plans[k], AXIS(DATA), ideal, bytes);
					assert_true(isfinite(now) && now >= before &&
						    (now > before || bytes <= 0));
					before = now;
				}
			}
		}
}

static void segments_begin_where_the_last_ends(void **state)
{
	(void)state;
	static const struct message_segment segments[] = {
		{100, 1e-6, 1e9}, {1000, 2e-6, 2e9}, {0, 5e-6, 4e9}};
	struct curve curve;
	curve_of_segments(segments, 3, &curve);
	assert_int_equal(curve.count, 3);
	assert_close(curve_s(&curve, 0), 1e-6, 1e-12);
	assert_close(curve_s(&curve, 100), 1e-6 + 100 / 1e9, 1e-12);
	assert_close(curve_s(&curve, 101), 2e-6 + 101 / 2e9, 1e-12);
	assert_close(curve_s(&curve, 1000), 2e-6 + 1000 / 2e9, 1e-12);
	assert_close(curve_s(&curve, 1000.5), 5e-6 + 1000.5 / 4e9, 1e-12);
	assert_close(curve_s(&curve, 1e15), 5e-6 + 1e15 / 4e9, 1e-12);
	curve_of_segments(segments + 2, 1, &curve);
	assert_close(curve_s(&curve, 1), 5e-6 + 1 / 4e9, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(rings_inside_a_node),
		setup_test(groups_share_ports),
		setup_test(racks_share_uplinks),
		setup_test(ideal_times_are_nominal),
		setup_test(calibrated_rings_cross_nodes_once_each),
		setup_test(every_collective_behaves),
		cmocka_unit_test(segments_begin_where_the_last_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
