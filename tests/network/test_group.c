/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of a plan against an enumeration of its ranks. Rank r has coordinates along the axes in the plan's order, the
 * last one fastest; a group along some axes is the ranks that agree in the others; node r / devices_per_node.
 */
#include "oracle/setup.h"

#include "network/machine_network.h"

enum { MOST = 64, LEVELS = 3 };

struct placement {
	unsigned size, level; /* level: the lowest that joins every group */
	unsigned least_members[LEVELS],
		most_members[LEVELS]; /* of a group in one domain, over groups and domains */
	unsigned least_nodes, most_nodes, most_siblings; /* siblings: groups with members on one node */
};

/* The group that a rank is in: its coordinates along the axes that are not in the mask. */
static unsigned group_index(const struct paradl_plan *plan, unsigned rank, unsigned mask)
{
	unsigned index = 0, scale = 1;
	for (unsigned i = PARADL_AXIS_COUNT; i-- > 0;) {
		const unsigned axis = plan->order[i];
		if (!(mask >> axis & 1)) {
			index += scale * (rank % plan->degree[axis]);
			scale *= plan->degree[axis];
		}
		rank /= plan->degree[axis];
	}
	return index;
}

static void domains_count(
	struct placement *placement, const unsigned *group, unsigned devices, unsigned domain, unsigned level)
{
	unsigned members[MOST][MOST] = {{0}}, domains[MOST] = {0}, siblings[MOST] = {0};
	for (unsigned rank = 0; rank < devices; ++rank)
		if (members[group[rank]][rank / domain]++ == 0) {
			domains[group[rank]]++;
			siblings[rank / domain]++;
		}
	placement->least_members[level] = MOST;
	for (unsigned rank = 0; rank < devices; ++rank) {
		const unsigned inside = members[group[rank]][rank / domain], spans = domains[group[rank]];
		unsigned *const least = &placement->least_members[level],
				*const most = &placement->most_members[level];
		*least = inside < *least ? inside : *least;
		*most = inside > *most ? inside : *most;
		if (spans > 1 && level + 1 > placement->level)
			placement->level = level + 1;
		if (level > 0)
			continue;
		placement->least_nodes =
			rank == 0 || spans < placement->least_nodes ? spans : placement->least_nodes;
		placement->most_nodes = spans > placement->most_nodes ? spans : placement->most_nodes;
		placement->most_siblings = siblings[rank / domain] > placement->most_siblings
						   ? siblings[rank / domain]
						   : placement->most_siblings;
	}
}

static struct placement placement_of(
	const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned mask)
{
	struct placement placement = {.size = 1};
	const unsigned devices = (unsigned)paradl_plan_devices(plan);
	unsigned group[MOST];
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		placement.size *= mask >> axis & 1 ? plan->degree[axis] : 1;
	for (unsigned rank = 0; rank < devices; ++rank)
		group[rank] = group_index(plan, rank, mask);
	for (unsigned level = 0; level < LEVELS; ++level)
		domains_count(&placement, group, devices, machine->levels[level].devices, level);
	return placement;
}

/*
 * Do the blocks of each run of neighbouring axes, all in the mask or all out of it, tile the domains of each level, or
 * domains the blocks? Such a run is one axis: data=4,spatial=3 replicate gradients over 12 neighbours, whatever a node.
 */
static bool tiles(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned mask)
{
	const unsigned devices = (unsigned)paradl_plan_devices(plan);
	for (unsigned level = 0; level < LEVELS; ++level) {
		const unsigned domain = machine->levels[level].devices;
		unsigned stride = 1;
		for (unsigned i = PARADL_AXIS_COUNT; i-- > 0 && devices > domain;) {
			unsigned next = i; /* the next axis outwards that is cut */
			stride *= plan->degree[plan->order[i]];
			while (next > 0 && plan->degree[plan->order[next - 1]] < 2)
				next--;
			if (next > 0 && (mask >> plan->order[i] & 1) == (mask >> plan->order[next - 1] & 1))
				continue;
			if (domain % stride != 0 && stride % domain != 0)
				return false;
		}
	}
	return true;
}

static void check(const struct paradl_machine *machine, const struct paradl_plan *plan, unsigned mask)
{
	const struct group got = group_of(machine, plan, mask);
	const struct placement want = placement_of(machine, plan, mask);
	bool equal = got.size == want.size && got.level == want.level;
	char text[128];
	if (tiles(machine, plan, mask)) {
		assert_int_equal(want.least_nodes, want.most_nodes);
		equal = equal && got.nodes == want.most_nodes;
		for (unsigned level = 0; level < LEVELS; ++level)
			equal = equal && got.members[level] == want.most_members[level];
		if (paradl_plan_devices(plan) > machine->devices_per_node)
			equal = equal && machine->devices_per_node / got.members[0] == want.most_siblings;
	} else { /* the worst placement: never fewer nodes than it has, never more members on a node */
		equal = equal && got.nodes >= want.most_nodes && got.members[0] <= want.most_members[0];
	}
	paradl_plan_format(plan, text, sizeof text);
	if (!equal)
		fail_msg("%s, axes %#x, nodes of %u: size %u, %u nodes, level %u, %u members a node; "
			 "expected %u, %u, %u, %u",
			text, mask, machine->devices_per_node, got.size, got.nodes, got.level, got.members[0],
			want.size, want.most_nodes, want.level, want.most_members[0]);
}

static const struct paradl_machine *machine_of(struct setup *setup, unsigned node)
{
	return setup_machine(setup, SETUP_DEVICE,
		arena_printf(setup->arena,
			"{\"name\": \"node\", \"devices\": %u, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			"GB/s\"}, "
			"{\"name\": \"rack\", \"devices\": %u, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			"GB/s\"}, "
			"{\"name\": \"all\", \"devices\": %d, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			"GB/s\"}",
			node, 4 * node, MOST));
}

/* Every three degrees whose product is at most 64, on three axes in two orders, and every set of those axes. */
static void every_plan_of_up_to_64_devices(void **state)
{
	static const unsigned char orders[2][PARADL_AXIS_COUNT] = {
		{PARADL_DATA, PARADL_PIPELINE, PARADL_EXPERT, PARADL_CONTEXT, PARADL_TENSOR, PARADL_FILTER,
			PARADL_CHANNEL, PARADL_SPATIAL},
		{PARADL_SPATIAL, PARADL_FILTER, PARADL_CHANNEL, PARADL_TENSOR, PARADL_CONTEXT, PARADL_EXPERT,
			PARADL_PIPELINE, PARADL_DATA}};
	static const unsigned masks[] = {1u << PARADL_DATA, 1u << PARADL_PIPELINE, 1u << PARADL_FILTER,
		1u << PARADL_DATA | 1u << PARADL_PIPELINE, 1u << PARADL_DATA | 1u << PARADL_FILTER,
		1u << PARADL_PIPELINE | 1u << PARADL_FILTER,
		1u << PARADL_DATA | 1u << PARADL_PIPELINE | 1u << PARADL_FILTER};
	for (unsigned node = 4; node <= 8; node += 4) {
		const struct paradl_machine *const machine = machine_of(*state, node);
		for (unsigned a = 1; a <= MOST; ++a)
			for (unsigned b = 1; a * b <= MOST; ++b)
				for (unsigned c = 1; a * b * c <= MOST; ++c)
					for (unsigned i = 0; i < 14; ++i) {
						struct paradl_plan plan = setup_plan("serial", 1);
						plan.degree[PARADL_DATA] = a;
						plan.degree[PARADL_PIPELINE] = b;
						plan.degree[PARADL_FILTER] = c;
						memcpy(plan.order, orders[i % 2], sizeof plan.order);
						check(machine, &plan, masks[i / 2]);
					}
	}
}

/* Axes that are not cut do not matter, wherever they stand; nor does a mask of nothing. */
static void axes_of_degree_one_are_transparent(void **state)
{
	const struct paradl_machine *const machine = machine_of(*state, 4);
	const struct paradl_plan plan = setup_plan("data=4,filter=2,spatial=2", 16);
	const struct paradl_plan other = setup_plan("pipeline=1,data=4,channel=1,filter=2,spatial=2", 16);
	for (unsigned mask = 0; mask < 1u << PARADL_AXIS_COUNT; ++mask) {
		const struct group one = group_of(machine, &plan, mask),
				   two = group_of(machine, &other, mask);
		assert_int_equal(one.size, two.size);
		assert_int_equal(one.nodes, two.nodes);
		assert_int_equal(one.level, two.level);
		assert_memory_equal(one.members, two.members, sizeof one.members);
	}
	const struct group alone = group_of(machine, &plan, 0);
	assert_int_equal(alone.size, 1);
	assert_int_equal(alone.nodes, 1);
	assert_int_equal(alone.level, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		setup_test(every_plan_of_up_to_64_devices),
		setup_test(axes_of_degree_one_are_transparent),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
