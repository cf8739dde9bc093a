/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rings, messages and what groups leave of ports and uplinks to one another, by hand. Nodes of 4 devices: rings of
 * 20 GB/s on 6 ports a device inside; 2 ports a node to racks of 16, 7 GB/s a ring (12.5 nominal); 4 racks share
 * uplinks of half the ports' capacity.
 */
#include "oracle/setup.h"

#include "network/cost/compile.h"

#define MACHINE MACHINE_WITH("")
#define MACHINE_WITH(more)                                                                                   \
	"{" more                                                                                             \
	"\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\", \"ring\": "  \
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

/* Lines of one algorithm for the group along some axes of a plan. */
static struct compiled lines(struct setup *setup, const struct paradl_machine *machine,
	const struct collective *collective, const char *text, unsigned axes, unsigned rings)
{
	const struct group members = group(machine, text, axes);
	struct compiled compiled;
	struct network *network = network_create(setup->arena, machine, NULL);
	assert_non_null(network);
	struct compiler *compiler = compiler_create(setup->arena, network);
	assert_non_null(compiler);
	struct communicator comm = communicator_of(network, &members);
	comm.channels = comm.nodes > 1 && rings > comm.ports ? comm.ports : rings;
	assert_true(compile(compiler, &members, &comm, collective, 0, 0, &compiled));
	return compiled;
}

/* Bytes per second and ring step: 2 (p - 1) / p of the vector over the slope. */
static double rate(struct setup *setup, const struct paradl_machine *machine, const char *text, unsigned axes,
	unsigned rings)
{
	const double p = group(machine, text, axes).size;
	const struct compiled compiled = lines(setup, machine, &collective_allreduce_ring, text, axes, rings);
	return 2 * (p - 1) / p / compiled.upper.lines[compiled.upper.count - 1].b_s_per_byte;
}

static void rings_inside_a_node(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	assert_close(rate(*state, machine, "data=4", AXIS(DATA), 1), 20e9, 1e-12);
	assert_close(rate(*state, machine, "data=4", AXIS(DATA), 5), 100e9, 1e-12);
	assert_close(rate(*state, machine, "data=4", AXIS(DATA), 9), 120e9, 1e-12); /* 6 ports */
	assert_close(rate(*state, machine, "data=16,filter=2", AXIS(FILTER), 1), 20e9, 1e-12);
}

/* Of ports that are cables to the three others, a group has those to its members; of ports to a switch, all. */
static void a_group_has_its_cables(void **state)
{
	static const char *const levels[] = {MACHINE, MACHINE_WITH("\"mesh\": true, ")};
	for (unsigned mesh = 0; mesh < 2; ++mesh)
		for (unsigned k = 2; k <= 4; ++k) {
			struct setup *const setup = *state;
			const struct paradl_machine *const machine =
				setup_machine(setup, SETUP_DEVICE, levels[mesh]);
			const struct group members =
				group(machine, arena_printf(setup->arena, "data=%u", k), AXIS(DATA));
			const struct communicator comm =
				communicator_of(network_create(setup->arena, machine, NULL), &members);
			assert_int_equal(comm.channels, mesh ? 2 * (k - 1) : 6);
		}
}

/* 4 devices a node, 7 GB/s a ring, so many ports, and slowdowns of pairs. */
static const struct paradl_machine *contended(struct setup *setup, const char *more)
{
	char levels[600];
	snprintf(levels, sizeof levels,
		"{\"name\": \"node\", \"devices\": 4, \"latency\": \"2 us\", \"bandwidth\": \"50 GB/s\"}, "
		"{\"name\": \"rack\", \"devices\": 16, \"latency\": \"10 us\", \"bandwidth\": \"12.5 GB/s\", "
		"\"ring\": \"7 GB/s\", %s}",
		more);
	return setup_machine(setup, SETUP_DEVICE, levels);
}

/*
 * Allreduces of two, one on each node, are exchanges of pairs: bytes over the vector once each way. Four pairs together are
 * as much slower than one as was measured, whatever the ports.
 */
static void contention_is_what_was_measured(void **state)
{
	static const struct {
		const char *level;
		double one, two, four;
	} cases[] = {
		{"\"ports\": 1", 7e9, 3.5e9, 1.75e9},
		{"\"ports\": 1, \"contention\": [{\"groups\": 4, \"slowdown\": 2}]", 7e9, 7e9, 3.5e9},
		{"\"ports\": 2", 7e9, 3.5e9, 3.5e9},
		{"\"ports\": 2, \"contention\": [{\"groups\": 4, \"slowdown\": 2}]", 7e9, 3.5e9, 3.5e9},
		{"\"ports\": 2, \"contention\": [{\"groups\": 4, \"slowdown\": 4}]", 7e9, 3.5e9, 1.75e9},
		{"\"ports\": 2, \"contention\": [{\"groups\": 2, \"slowdown\": 1.6}, {\"groups\": 4, "
		 "\"slowdown\": 3.2}]",
			7e9, 3.5e9, 2.1875e9},
		{"\"ports\": 4, \"contention\": [{\"groups\": 4, \"slowdown\": 1}]", 7e9, 7e9, 7e9},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		const struct paradl_machine *machine = contended(*state, cases[i].level);
		/* Two rings of 8 leave a node from devices 2 and 3, which share one of two ports. */
		assert_close(rate(*state, machine, "data=2,filter=4", AXIS(DATA), 1), cases[i].four, 1e-12);
		assert_close(rate(*state, machine, "data=4,filter=4", AXIS(DATA), 1), cases[i].four, 1e-12);
		assert_close(rate(*state, machine, "data=16", AXIS(DATA), 1), cases[i].one, 1e-12);
		assert_close(rate(*state, machine, "data=8,filter=2", AXIS(DATA), 1), cases[i].two, 1e-12);
		assert_close(rate(*state, machine, "data=4", AXIS(DATA), 1), 50e9, 1e-12); /* in a node */
	}
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
		{"data=16", AXIS(DATA), 1, 7e9},  /* one group: one ring, one port */
		{"data=16", AXIS(DATA), 2, 14e9}, /* two rings, two ports */
		{"data=16", AXIS(DATA), 8, 14e9}, /* no more ports than there are */
		/* Groups {0, 2} and {1, 3} of a node both leave it from devices 2, 3 by one port and enter by the other. */
		{"data=8,filter=2", AXIS(DATA), 1, 3.5e9},
		{"data=8,filter=2", AXIS(DATA), 5, 7e9},   /* two rings of each: both ports, both ways */
		{"data=4,filter=4", AXIS(DATA), 1, 3.5e9}, /* four groups, half a port each */
		{"data=4,filter=4", AXIS(DATA), 5, 3.5e9},
		{"filter=4,data=4", AXIS(FILTER), 5, 3.5e9},
		{"filter=4,data=4", AXIS(DATA), 5, 100e9},
		{"data=2,filter=8", AXIS(FILTER), 5, 14e9}, /* one group a node, on two of them */
		{"data=2,filter=8", AXIS(DATA), 5, 3.5e9},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		assert_close(rate(*state, machine, cases[i].plan, cases[i].axes, cases[i].rings),
			cases[i].rate, 1e-12);
}

/* Out of a rack: 4 nodes * 2 ports * 12.5 GB/s / 2 = 50 GB/s for all groups that leave it. */
static void racks_share_uplinks(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	assert_close(rate(*state, machine, "data=64", AXIS(DATA), 1), 6e9, 1e-12);
	assert_close(rate(*state, machine, "data=64", AXIS(DATA), 2), 12e9, 1e-12);
	/* 4 groups of a member a node: half a port, 3.5 GB/s, is less than a quarter of 50. */
	assert_close(rate(*state, machine, "data=16,filter=4", AXIS(DATA), 1), 3.5e9, 1e-12);
	/* 16 groups with one member in each rack: a sixteenth of 50. */
	assert_close(rate(*state, machine, "data=4,filter=16", AXIS(DATA), 1), fmin(3.5e9, 50e9 / 16), 1e-12);
	struct setup *const setup = *state;
	const struct paradl_machine *const thin = setup_machine(setup, SETUP_DEVICE,
		arena_printf(setup->arena, "%.*s\"oversubscription\": 20}",
			(int)(strstr(MACHINE, "\"oversub") - MACHINE), MACHINE));
	assert_close(rate(*state, thin, "data=4,filter=16", AXIS(DATA), 1), 5e9 / 16, 1e-12);
	assert_close(rate(*state, thin, "data=16,filter=4", AXIS(DATA), 1), 5e9 / 4, 1e-12);
	assert_close(rate(*state, thin, "data=64", AXIS(DATA), 2), 5e9, 1e-12);
}

static double time_s(struct setup *setup, const struct paradl_machine *machine,
	const struct collective *collective, const char *text, unsigned axes, double bytes)
{
	const struct compiled compiled = lines(setup, machine, collective, text, axes, 1);
	return hull_s(&compiled.upper, bytes);
}

/* Of the p - 1 steps of a trip, as many cross nodes as there are nodes but one. */
static void rings_cross_nodes_once_each(void **state)
{
	const struct paradl_machine *const machine = setup_machine(*state, SETUP_DEVICE, MACHINE);
	const struct collective *const ring = &collective_allreduce_ring, *const message =
										  &collective_point_to_point;
	const double m = 1e8;
	assert_close(time_s(*state, machine, ring, "data=4", AXIS(DATA), m),
		2 * (3 * 2e-6 + 3.0 / 4 * m / 20e9), 1e-12);
	assert_close(time_s(*state, machine, ring, "data=16", AXIS(DATA), m),
		2 * (3 * 10e-6 + 12 * 2e-6) + 2 * 15.0 / 16 * m / 7e9, 1e-12);
	assert_close(time_s(*state, machine, ring, "data=16,filter=4", AXIS(DATA), m),
		2 * (3 * 30e-6 + 12 * 10e-6) + 2 * 15.0 / 16 * m / 3.5e9,
		1e-12); /* 3 of 15 hops leave a rack */
	assert_close(time_s(*state, machine, ring, "data=64", AXIS(DATA), m),
		2 * (3 * 30e-6 + 12 * 10e-6 + 48 * 2e-6) + 2 * 63.0 / 64 * m / 6e9, 1e-12);
	assert_close(time_s(*state, machine, message, "pipeline=4", AXIS(PIPELINE), m), 2e-6 + m / 50e9,
		1e-12); /* a message fills the link, a ring one lane */
	assert_close(time_s(*state, machine, message, "pipeline=4,data=4", AXIS(PIPELINE), m),
		10e-6 + m / 3.5e9, 1e-12);
}

/* A period of the network stands for all of it: 17 nodes a leaf do not tile powers of two. */
static void same_times(struct compiler *all, struct compiler *some, const struct group *members,
	const struct communicator *comm, const struct collective *collective, unsigned variant)
{
	struct compiled whole, part;
	assert_true(compile(all, members, comm, collective, variant, 0, &whole));
	assert_true(compile(some, members, comm, collective, variant, 0, &part));
	for (double bytes = 1; bytes < 1e10; bytes *= 10) {
		const double got = hull_s(&part.upper, bytes), want = hull_s(&whole.upper, bytes);
		if (fabs(got - want) > 1e-9 * want)
			fail_msg(
				"%s (%u) of %u among %u devices, %g bytes: %.15g s in a period, %.15g in all",
				collective->name, variant, members->size, members->devices, bytes, got, want);
	}
}

static void period_is_enough(struct setup *setup, const char *path)
{
	const struct paradl_machine *const machine =
		paradl_machine_load(setup->arena, &(struct paradl_source){.path = path}, NULL);
	assert_non_null(machine);
	struct network *const network = network_create(setup->arena, machine, NULL);
	struct compiler *const all = compiler_create(setup->arena, network);
	struct compiler *const some = compiler_create(setup->arena, network);
	assert_true(all && some);
	assert_true(compiler_times_only(setup->arena, some));
	static const char *const plans[] = {"data=1088,filter=4", "data=512,filter=8", "filter=8,data=512",
		"data=64,filter=16,spatial=4", "data=2,filter=64,spatial=2", "data=7,filter=9,spatial=5",
		"filter=3,data=17,channel=8", "data=256,channel=16", "data=16,filter=4", "filter=8,data=16"};
	for (size_t i = 0; i < sizeof plans / sizeof *plans; ++i)
		for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis) {
			const struct paradl_plan plan = setup_plan(plans[i], 1);
			const struct group members = group_of(machine, &plan, 1u << axis);
			const struct communicator comm = communicator_of(network, &members);
			if (members.size < 2 || members.devices > network->devices)
				continue;
			for (unsigned k = 0; collectives[k]; ++k) {
				const unsigned variants = collectives[k]->operation == ALL_TO_ALL
								  ? 0
								  : collectives[k]->variants(&comm);
				const unsigned most = members.devices > 1000 && variants > 1 ? 2 : variants;
				for (unsigned variant = 0; variant < most; ++variant)
					same_times(all, some, &members, &comm, collectives[k], variant);
			}
		}
}

static void a_period_is_enough(void **state)
{
	period_is_enough(*state, "hw-profiles/abci.json");
	period_is_enough(*state, "hw-profiles/dgx-h100-superpod.json");
	period_is_enough(*state, "hw-profiles/aws-p4d.json");
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
		setup_test(a_group_has_its_cables),
		setup_test(groups_share_ports),
		setup_test(contention_is_what_was_measured),
		setup_test(racks_share_uplinks),
		setup_test(rings_cross_nodes_once_each),
		setup_test(a_period_is_enough),
		cmocka_unit_test(segments_begin_where_the_last_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
