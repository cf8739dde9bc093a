/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every algorithm on every kind of network, against a second, slow adding-up at one size: no hulls, no links touched
 * lists, every message routed and kept. With no start-ups the two are equal; with start-ups the compiler's hulls may leave
 * lines out, so its times may be lower by little, never higher. Steps belong to phases with names, but for
 * single messages.
 */
#include "paper.h"

#include "network/graph/topology.h"

enum { LINKS_MOST = 4096, DEPTH_MOST = 16, SHAPES = 4, COPIES_MOST = 64 };

/* ---- the second implementation ----------------------------------------------------------------------------- */

struct bounds {
	double upper_s, lower_s;
};

struct adding {
	struct schedule schedule;
	const struct network *network;
	const struct group *group;
	struct path path;
	double bytes;
	double load[LINKS_MOST], most_s[LINKS_MOST], least_s[LINKS_MOST]; /* of the current step */
	struct bounds flows, stack[DEPTH_MOST];
	unsigned depth, ring;
	double repeat, besides_s, carried;
	struct starts { /* of one copy of the group: start-ups of its messages */
		double sum_s, most_s, least_s, count;
	} trips[COPIES_MOST];
	bool open;
	const char *phase; /* that the current step belongs to; NULL before the first */
};

/* Start-ups of a pipelined ring for each of its steps: all hops but the longest, of the slowest copy's mean ring. */
static double trip_s(const struct adding *adding)
{
	double slowest_s = 0;
	if (adding->ring < 2 || adding->network->rules->synchronous)
		return 0;
	for (unsigned copy = 0; copy < COPIES_MOST; ++copy) {
		const struct starts *trip = &adding->trips[copy];
		if (trip->count > 0)
			slowest_s =
				fmax(slowest_s, fmax(trip->sum_s / trip->count * adding->ring - trip->most_s,
							trip->least_s * (adding->ring - 1)));
	}
	return slowest_s / (adding->ring - 1);
}

static void step_end(struct adding *adding)
{
	const struct graph *graph = adding->network->graph;
	struct bounds step = adding->flows;
	double besides_s = adding->besides_s;
	if (!adding->open)
		return;
	for (unsigned link = 0; link < graph->cable_count * graph->ways; ++link) {
		if (!(adding->load[link] > 0))
			continue;
		const double busy_s = adding->load[link] * graph_hop(graph, link)->s_per_byte;
		step.upper_s = fmax(step.upper_s, adding->most_s[link] + busy_s);
		step.lower_s = fmax(step.lower_s, adding->least_s[link] + busy_s);
		adding->carried += adding->load[link] * adding->repeat;
		adding->load[link] = 0;
	}
	besides_s += trip_s(adding);
	adding->stack[adding->depth].upper_s += adding->repeat * (step.upper_s + besides_s);
	adding->stack[adding->depth].lower_s += adding->repeat * (step.lower_s + besides_s);
	adding->open = false;
}

static void on_phase(struct schedule *schedule, const char *name)
{
	assert_true(name && *name);
	((struct adding *)schedule)->phase = name;
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct adding *adding = (struct adding *)schedule;
	step_end(adding);
	assert_non_null(adding->phase);
	adding->repeat = repeat;
	adding->ring = ring;
	adding->flows = (struct bounds){0, 0};
	memset(adding->trips, 0, sizeof adding->trips);
	adding->besides_s = 0;
	adding->open = true;
}

static void message(struct adding *adding, struct starts *trip, unsigned from, unsigned to, double bytes)
{
	const struct graph *graph = adding->network->graph;
	const struct machine_network *rules = adding->network->rules;
	struct path *path = &adding->path;
	double slowest = 0;
	graph_route(graph, from, to, path);
	assert_true(path->count > 0 && path->count <= graph->longest);
	const double start_s = rules->message_s + path->latency_s;
	const double shown_s = adding->ring && !rules->synchronous ? 0 : start_s;
	for (unsigned i = 0; i < path->count; ++i) {
		const unsigned link = path->links[i];
		const double part = path->split ? path->shares[i] : 1;
		adding->most_s[link] = adding->load[link] > 0 ? fmax(adding->most_s[link], shown_s) : shown_s;
		adding->least_s[link] =
			adding->load[link] > 0 ? fmin(adding->least_s[link], shown_s) : shown_s;
		adding->load[link] += part * bytes;
		slowest = fmax(slowest, part * graph_hop(graph, link)->s_per_byte);
	}
	adding->flows.upper_s = fmax(adding->flows.upper_s, shown_s);
	adding->flows.lower_s = fmax(adding->flows.lower_s, shown_s + bytes * slowest);
	trip->least_s = trip->count > 0 ? fmin(trip->least_s, start_s) : start_s;
	trip->most_s = fmax(trip->most_s, start_s);
	trip->sum_s += start_s;
	trip->count += 1;
}

static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct adding *adding = (struct adding *)schedule;
	const struct group *group = adding->group;
	assert_true(from < group->size && to < group->size && share >= 0 && share < 1e6);
	assert_true(group->devices / group->size <= COPIES_MOST);
	for (unsigned copy = 0; from != to && share > 0 && copy < group->devices / group->size; ++copy)
		message(adding, &adding->trips[copy], group_base(group, copy) + group_offset(group, from),
			group_base(group, copy) + group_offset(group, to), share * adding->bytes);
}

static void on_pairs(struct schedule *schedule, double share)
{
	const unsigned size = ((struct adding *)schedule)->group->size;
	for (unsigned i = 0; i < size * size; ++i)
		on_flow(schedule, i / size, i % size, share);
}

static void on_reduce(struct schedule *schedule, double share)
{
	struct adding *adding = (struct adding *)schedule;
	adding->besides_s += share * adding->bytes * adding->network->rules->reduce_s_per_byte;
}

static void on_memory(struct schedule *schedule, double share)
{
	struct adding *adding = (struct adding *)schedule;
	adding->besides_s += share * adding->bytes * adding->network->memory_s_per_byte;
}

static void on_wait(struct schedule *schedule, double seconds)
{
	((struct adding *)schedule)->besides_s += seconds;
}

static void on_branch(struct schedule *schedule)
{
	struct adding *adding = (struct adding *)schedule;
	step_end(adding);
	assert_true(adding->depth + 1 < DEPTH_MOST);
	adding->stack[++adding->depth] = (struct bounds){0, 0};
}

static void on_join(struct schedule *schedule)
{
	struct adding *adding = (struct adding *)schedule;
	step_end(adding);
	assert_true(adding->depth >= 2);
	const struct bounds *const branch = &adding->stack[adding->depth - 1];
	adding->depth -= 2;
	adding->stack[adding->depth].upper_s += fmax(branch[0].upper_s, branch[1].upper_s);
	adding->stack[adding->depth].lower_s += fmax(branch[0].lower_s, branch[1].lower_s);
}

static const struct schedule_listener adding_listener = {
	.phase = on_phase,
	.step = on_step,
	.flow = on_flow,
	.all_pairs = on_pairs,
	.reduce = on_reduce,
	.memory = on_memory,
	.wait = on_wait,
	.fork = on_branch,
	.branch = on_branch,
	.join = on_join,
};

static struct bounds add_up(struct adding *adding, const struct communicator *comm,
	const struct collective *collective, unsigned variant)
{
	adding->schedule.listener = &adding_listener;
	adding->depth = 0;
	adding->carried = 0;
	adding->open = false;
	adding->phase = collective->operation == POINT_TO_POINT ? "message" : NULL;
	adding->stack[0] = (struct bounds){0, 0};
	collective->emit(comm, variant, &adding->schedule);
	step_end(adding);
	assert_int_equal(adding->depth, 0);
	return adding->stack[0];
}

/* ---- networks and groups -------------------------------------------------------------------------------------- */

/* Nodes, or NULL; a cluster of their ports; how many nodes. */
static const struct site {
	const char *node, *cluster;
	struct rails rails;
	unsigned nodes;
	bool half_duplex;
} sites[] = {
	{NULL, "switch:12", {0}, 0, false},
	{NULL, "fat-tree:4x4:up=2", {0}, 0, false},
	{NULL, "fat-tree:2x3x4:up=2:core=1", {0}, 0, true},
	{NULL, "torus:4x4", {0}, 0, false},
	{NULL, "torus:3x2x4:split=1", {0}, 0, false},
	{NULL, "torus:2x4:hosts=2", {0}, 0, false},
	{NULL, "mesh:5x4", {0}, 0, false},
	{NULL, "hyperx:4x4:split=1", {0}, 0, false},
	{NULL, "hyperx:3x5", {0}, 0, false},
	{NULL, "dragonfly:5x4", {0}, 0, false},
	{NULL, "dragonfly+:4x3:hosts=2:links=2", {0}, 0, false},
	{NULL, "dragonfly:4x3:hosts=2:valiant=1", {0}, 0, false},
	{NULL, "dln:32:split=1", {0}, 0, false},
	{NULL, "dln2d:4x6", {0}, 0, false},
	{NULL, "kautz:4x2", {0}, 0, false},
	{"switch:4:ports=4", "rail:2x4x4:up=2", {4, 4, 4}, 8, false},
	{"switch:8:ports=2", "fat-tree:4x2:up=1", {2, 1, 0}, 4, false},
	{"nvlink:4:kind=1:ports=2", "fat-tree:2x6:up=2:bundle=1", {2, 1, 0}, 6, true},
	{"nvlink:8:kind=2:ports=4", "switch:12", {4, 1, 0}, 3, false},
	{"nvlink:4:ports=2:width=2", "abci:1", {2, 4, 17}, 12, false},
};

static struct graph *graph_from(
	struct paradl_arena *arena, const char *text, const struct machine_network *rules, bool inside)
{
	struct topology_spec spec;
	struct paradl_error error = {0};
	if (!topology_parse(text, &spec, &error))
		fail_msg("%s: %s", text, error.message);
	return topology_build(arena, &spec, rules->links, rules->half_duplex, inside, &error);
}

static void site_open(struct network *network, struct paradl_arena *arena, const struct site *site,
	struct machine_network *rules)
{
	rules->half_duplex = site->half_duplex;
	rules->rails = site->rails;
	const struct graph *graph = graph_from(arena, site->cluster, rules, false);
	*network = (struct network){.rules = rules,
		.devices_per_node = 1,
		.ports = site->node ? site->rails.ports : 1,
		.memory_s_per_byte = 1e-12};
	if (site->node) {
		struct paradl_error error = {0};
		const struct graph *const node = graph_from(arena, site->node, rules, true);
		network->devices_per_node = node->devices;
		graph = graph_hierarchy(arena, node, graph, site->nodes, &rules->rails, &error);
		if (!graph)
			fail_msg("%s in %s: %s", site->node, site->cluster, error.message);
	}
	assert_non_null(graph);
	assert_true(graph->cable_count * graph->ways <= LINKS_MOST);
	network->graph = graph;
	network->devices = graph->devices;
}

/* All devices; each fourth and its like; neighbouring pairs; neighbours and those half way on. */
static bool shape(const struct network *network, unsigned index, struct group *group)
{
	const unsigned n = network->devices;
	const struct group shapes[SHAPES] = {
		{.size = n, .runs = {{1, n}}, .run_count = 1},
		{.size = n / 4, .runs = {{4, n / 4}}, .run_count = 1},
		{.size = 2, .runs = {{1, 2}}, .run_count = 1},
		{.size = 4, .runs = {{1, 2}, {n / 2, 2}}, .run_count = 2},
	};
	*group = shapes[index];
	group->devices = n;
	group->nodes = group->size;
	return n % 4 == 0 || index == 0;
}

/* ---- the comparison ----------------------------------------------------------------------------------------------- */

struct tally {
	unsigned compared, algorithms;
	double lowest; /* compiled over added up, with start-ups */
};

static void variants_compare(struct compiler *compiler, struct adding *adding,
	const struct communicator *comm, const struct collective *collective, struct tally *tally)
{
	const bool exact = !(adding->network->rules->links[LINK_PORT].latency_s > 0);
	const unsigned count = collective->variants(comm);
	tally->algorithms += count > 0;
	for (unsigned variant = 0; variant < count; ++variant) {
		struct compiled compiled;
		const struct bounds want = add_up(adding, comm, collective, variant);
		assert_true(compile(
			compiler, adding->group, comm, collective, variant, adding->bytes, &compiled));
		const double upper = hull_s(&compiled.upper, adding->bytes) / want.upper_s;
		const double lower = hull_s(&compiled.lower, adding->bytes) / want.lower_s;
		const double least = exact ? 1 - 1e-11 : 0.98;
		if (!(want.lower_s > 0) || !(want.lower_s <= want.upper_s * (1 + 1e-12)) ||
			!(upper <= 1 + 1e-11 && lower <= 1 + 1e-11 && upper >= least && lower >= least))
			fail_msg("%s %u: %g .. %g of %g .. %g s", collective->name, variant, lower, upper,
				want.lower_s, want.upper_s);
		if (!(fabs(compiled.vector_copies * adding->bytes / adding->carried - 1) < 1e-9))
			fail_msg("%s %u carries %g, not %g bytes", collective->name, variant,
				compiled.vector_copies * adding->bytes, adding->carried);
		tally->lowest = fmin(tally->lowest, fmin(upper, lower));
		++tally->compared;
	}
}

static void network_compare(const struct site *site, struct machine_network *rules, struct tally *tally)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct network network;
	struct adding *adding = arena_alloc(arena, 1, sizeof *adding);
	site_open(&network, arena, site, rules);
	struct compiler *compiler = compiler_create(arena, &network);
	assert_true(compiler && path_create(arena, network.graph, &adding->path));
	adding->network = &network;
	for (unsigned i = 0; i < SHAPES; ++i) {
		struct group group;
		if (!shape(&network, i, &group))
			continue;
		struct communicator comm = communicator_of(&network, &group);
		comm.density = 0.01;
		comm.nvls = comm.sharp = (struct in_network){1e-5, 0.8};
		adding->group = &group;
		for (adding->bytes = 1e3; adding->bytes < 1e9; adding->bytes *= 300)
			for (unsigned c = 0; collectives[c]; ++c)
				variants_compare(compiler, adding, &comm, collectives[c], tally);
	}
	paradl_arena_free(arena);
}

static void family_compare(double latency_s, bool synchronous)
{
	struct tally tally = {.lowest = 1};
	for (unsigned i = 0; i < sizeof sites / sizeof *sites; ++i) {
		struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, latency_s);
		rules.synchronous = synchronous;
		rules.reduce_s_per_byte = 1e-11;
		rules.links[LINK_DEVICE].sustained_bytes_per_s = rules.links[LINK_DEVICE].bytes_per_s = 50e9;
		rules.links[LINK_PCIE].sustained_bytes_per_s = rules.links[LINK_PCIE].bytes_per_s = 16e9;
		rules.links[LINK_GLOBAL].latency_s = 7 * latency_s;
		rules.links[LINK_DEVICE].latency_s = 3 * latency_s;
		network_compare(&sites[i], &rules, &tally);
	}
	print_message("# %u schedules, at the least %.6f\n", tally.compared, tally.lowest);
	assert_true(tally.compared > 5000);
}

static void without_start_ups(void **state)
{
	(void)state;
	family_compare(0, true);
}

static void with_start_ups(void **state)
{
	(void)state;
	family_compare(PAPER_LATENCY_S, true);
}

static void pipelined_rings(void **state)
{
	(void)state;
	family_compare(PAPER_LATENCY_S, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_start_ups),
		cmocka_unit_test(with_start_ups),
		cmocka_unit_test(pipelined_rings),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
