/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "network/platforms.h"

#include <limits.h>

const char *const platform_names[PLATFORM_COUNT] = {
	[TSUBAME3] = "Tsubame3",
	[NVCLUSTER_2] = "NVCluster_2",
	[NVCLUSTER_4] = "NVCluster_4",
	[NVCLUSTER_8] = "NVCluster_8",
	[NVCLUSTER_16] = "NVCluster_16",
	[DRAGONFLY_4_64] = "Dragonfly_4_64",
	[ABCI] = "ABCI",
	[DGX1] = "DGX1",
	[DGX2] = "DGX2",
};

/* SMPI's defaults in SimGrid 3.19, smpi/lat-factor and smpi/bw-factor. */
static const struct protocol protocols[] = {
	{0, 2.01467, 0.812084},
	{257, 1.95341, 0.338112},
	{732, 1.9503, 0.341987},
	{1426, 1.61075, 0.608902},
	{3484, 1.88101, 0.77493},
	{5776, 2.18796, 1.08739},
	{9376, 2.59299, 0.58729},
	{15424, 3.48845, 0.697866},
	{65472, 11.6436, 0.940694},
};

static struct link_class class_of(
	double gigabytes_per_s, double latency_s, double idle_watt, double peak_watt)
{
	return (struct link_class){.bytes_per_s = gigabytes_per_s * 1e9,
		.sustained_bytes_per_s = 0.97 * gigabytes_per_s * 1e9,
		.latency_s = latency_s,
		.idle_watt = idle_watt,
		.peak_watt = peak_watt};
}

/* ---- cables -------------------------------------------------------------------------------------------------- */

static unsigned gpu(const struct platform *platform, unsigned node, unsigned i)
{
	return node * platform->per_node + i;
}

static unsigned plx(const struct platform *platform, unsigned node, unsigned h)
{
	return platform->first_plx + node * platform->plx + h;
}

/* In every node. */
static void nvlink(struct platform *platform, unsigned a, unsigned b, unsigned width)
{
	for (unsigned j = 0; j < platform->nodes; ++j)
		graph_cable(platform->graph, gpu(platform, j, a), gpu(platform, j, b), LINK_DEVICE, width);
}

static void nvlink_all(struct platform *platform, unsigned first, unsigned count)
{
	for (unsigned a = first; a < first + count; ++a)
		for (unsigned b = a + 1; b < first + count; ++b)
			nvlink(platform, a, b, 1);
}

static void pcie(struct platform *platform)
{
	for (unsigned j = 0; j < platform->nodes; ++j)
		for (unsigned i = 0; i < platform->per_node; ++i)
			graph_cable(
				platform->graph, gpu(platform, j, i), plx(platform, j, i / 2), LINK_PCIE, 1);
}

static unsigned switches(struct platform *platform, unsigned count, unsigned width)
{
	const unsigned first = graph_vertices(platform->graph, count);
	for (unsigned i = 0; i < count; ++i)
		graph_cable(platform->graph, first + i, first + i, LINK_BACKPLANE, width);
	return first;
}

static void backplane_class(
	struct platform *platform, unsigned first, unsigned count, const struct link_class *class_)
{
	const unsigned index = graph_class(platform->graph, class_);
	for (unsigned i = 0; i < platform->graph->cable_count; ++i) {
		struct cable *cable = &platform->graph->cables[i];
		if (cable->from == cable->to && cable->from >= first && cable->from < first + count)
			cable->class_ = (unsigned char)index;
	}
}

static void uplinks(struct platform *platform, unsigned leaves, unsigned count, unsigned root)
{
	for (unsigned i = 0; i < count; ++i)
		graph_cable(platform->graph, leaves + i, root, LINK_SWITCH, 1);
}

/* ---- platforms ----------------------------------------------------------------------------------------------- */

/* 9 nodes on a pair of leaves, one for each PLX of a node. */
static void tsubame3(struct platform *platform)
{
	struct graph *graph = platform->graph;
	const struct link_class double_link =
		class_of(100, 0, 19.04, 22.4); /* the power of one link, as in the file */
	const unsigned wide = graph_class(graph, &double_link), leaf_count = 2 * ((platform->nodes + 8) / 9);
	nvlink(platform, 0, 1, 1);
	nvlink(platform, 0, 3, 1);
	nvlink(platform, 1, 2, 1);
	nvlink(platform, 2, 3, 1);
	const unsigned doubles = graph->cable_count;
	nvlink(platform, 0, 2, 1);
	nvlink(platform, 1, 3, 1);
	for (unsigned i = doubles; i < graph->cable_count; ++i)
		graph->cables[i].class_ = (unsigned char)wide;
	pcie(platform);
	const unsigned root = switches(platform, 1, leaf_count);
	const unsigned leaves = switches(platform, leaf_count, 1);
	for (unsigned j = 0; j < platform->nodes; ++j)
		for (unsigned h = 0; h < 2; ++h)
			graph_cable(graph, plx(platform, j, h), leaves + 2 * (j / 9) + h, LINK_PORT, 1);
	uplinks(platform, leaves, leaf_count, root);
}

/* Leaves of 48 GPUs below one root, all PLXs of a node on one leaf. */
static unsigned leaves_of_48(struct platform *platform, unsigned root_width)
{
	const unsigned leaf_count = (platform->graph->devices + 47) / 48;
	const unsigned root = switches(platform, 1, root_width);
	const unsigned leaves = switches(platform, leaf_count, 1);
	for (unsigned j = 0; j < platform->nodes; ++j)
		for (unsigned h = 0; h < platform->plx; ++h)
			graph_cable(platform->graph, plx(platform, j, h), leaves + gpu(platform, j, 0) / 48,
				LINK_PORT, 1);
	uplinks(platform, leaves, leaf_count, root);
	return root;
}

static void nvcluster(struct platform *platform)
{
	static const unsigned char cross_8[][2] = {{0, 5}, {1, 4}, {2, 7}, {3, 6}};
	static const unsigned char cross_16[][2] = {
		{0, 13}, {1, 4}, {2, 7}, {3, 14}, {5, 8}, {6, 11}, {9, 12}, {10, 15}};
	const unsigned g = platform->per_node;
	if (g == 2)
		nvlink(platform, 0, 1, 4);
	for (unsigned quad = 0; quad + 4 <= g; quad += 4)
		nvlink_all(platform, quad, 4);
	for (unsigned i = 0; g == 8 && i < 4; ++i)
		nvlink(platform, cross_8[i][0], cross_8[i][1], 1);
	for (unsigned i = 0; g == 16 && i < 8; ++i)
		nvlink(platform, cross_16[i][0], cross_16[i][1], 1);
	pcie(platform);
	leaves_of_48(platform, 3);
}

/* 16 groups of 4 switches with a node each; global links as in the file: one between each two groups, and 60 more. */
static void dragonfly_4_64(struct platform *platform)
{
	struct graph *graph = platform->graph;
	nvlink_all(platform, 0, 4);
	pcie(platform);
	const unsigned first = switches(platform, 64, 1);
	for (unsigned j = 0; j < 64; ++j)
		for (unsigned h = 0; h < 2; ++h)
			graph_cable(graph, plx(platform, j, h), first + j, LINK_PORT, 1);
	for (unsigned a = 0; a < 64; ++a)
		for (unsigned b = a + 1; b < a / 4 * 4 + 4; ++b)
			graph_cable(graph, first + a, first + b, LINK_SWITCH, 1);
	for (unsigned g = 0; g < 16; ++g)
		for (unsigned h = g + 1; h < 16; ++h) {
			graph_cable(
				graph, first + 4 * g + (h - 1) % 4, first + 4 * h + g % 4, LINK_GLOBAL, 1);
			if (h <= 9)
				graph_cable(graph, first + 4 * g + (h + 2) % 4, first + 4 * h + (g + 3) % 4,
					LINK_GLOBAL, 1);
			if (g >= 10)
				graph_cable(graph, first + 4 * g + h % 4, first + 4 * h + (g + 1) % 4,
					LINK_GLOBAL, 1);
		}
}

/* 2 spines; racks of 34 nodes with 3 middle switches and 4 leaves, two for the even nodes and two for the odd. */
static void abci(struct platform *platform)
{
	struct graph *graph = platform->graph;
	const struct link_class spine_inside = class_of(16250, 400e-9, 0, 0);
	const unsigned racks = platform->nodes / 34;
	nvlink_all(platform, 0, 4);
	pcie(platform);
	const unsigned spines = switches(platform, 2, 1);
	const unsigned middles = switches(platform, 3 * racks, 1);
	const unsigned leaves = switches(platform, 4 * racks, 1);
	backplane_class(platform, spines, 2, &spine_inside);
	for (unsigned j = 0; j < platform->nodes; ++j)
		for (unsigned h = 0; h < 2; ++h)
			graph_cable(graph, plx(platform, j, h), leaves + j / 34 * 4 + 2 * (j % 34 % 2) + h,
				LINK_PORT, 1);
	for (unsigned leaf = 0; leaf < 4 * racks; ++leaf)
		for (unsigned m = 0; m < 3; ++m)
			graph_cable(graph, leaves + leaf, middles + leaf / 4 * 3 + m, LINK_SWITCH, 1);
	for (unsigned m = 0; m < 3 * racks; ++m)
		for (unsigned s = 0; s < 2; ++s)
			graph_cable(graph, middles + m, spines + s, LINK_GLOBAL, 1);
}

static void dgx1(struct platform *platform)
{
	static const unsigned char links[][3] = {{0, 3, 2}, {1, 2, 2}, {2, 3, 2}, {0, 4, 2}, {1, 5, 2},
		{4, 7, 2}, {5, 6, 2}, {6, 7, 2}, {0, 1, 1}, {0, 2, 1}, {1, 3, 1}, {2, 6, 1}, {3, 7, 1},
		{4, 5, 1}, {4, 6, 1}, {5, 7, 1}};
	const struct link_class spine_inside = class_of(16250, 400e-9, 0, 0);
	for (unsigned i = 0; i < sizeof links / sizeof *links; ++i)
		nvlink(platform, links[i][0], links[i][1], links[i][2]);
	pcie(platform);
	const unsigned spine = leaves_of_48(platform, 1);
	backplane_class(platform, spine, 1, &spine_inside);
}

/*
 * The file declares routes over the NVSwitch only between GPU 15 and each other GPU of its node: two links, the other's
 * and GPU 15's. Here that is a cable with the other's link, towards a GPU 15 with its own link as backplane.
 */
static void dgx2(struct platform *platform)
{
	const struct link_class spine_inside = class_of(16250, 400e-9, 0, 0);
	for (unsigned i = 0; i < 15; ++i)
		nvlink(platform, i, 15, 1);
	nvlink(platform, 15, 15, 1);
	pcie(platform);
	const unsigned spine = leaves_of_48(platform, 1);
	backplane_class(platform, spine, 1, &spine_inside);
}

/* ---- classes ------------------------------------------------------------------------------------------------- */

static void classes_fill(struct link_class *links, enum platform_id id)
{
	const bool ipccc = id >= ABCI;
	links[LINK_DEVICE] = class_of(50, 0, 19.04, 22.4);
	links[LINK_PCIE] = class_of(16, ipccc ? 7.5e-6 : 100e-9, 10.37, 12.2);
	links[LINK_PORT] =
		ipccc ? class_of(12.5, 26e-9, 4.23889, 4.38889) : class_of(12.5, 26e-9, 8.26667, 9.5);
	links[LINK_SWITCH] = class_of(id == TSUBAME3 ? 225 : 150, 26e-9, 19.41667, 23.5);
	links[LINK_BACKPLANE] = class_of(id == TSUBAME3 ? 225 : 300, 100e-9, 0, 0);
	if (ipccc) {
		links[LINK_SWITCH] = class_of(150, 26e-9, 158.576, 280.667);
		links[LINK_BACKPLANE] = class_of(900, 90e-9, 0, 0);
		links[LINK_DEVICE].latency_s = id == DGX2 ? 5e-6 : 9e-6;
	}
	if (id == ABCI) {
		links[LINK_DEVICE] = class_of(100, 9e-6, 19.04, 44.8);
		links[LINK_SWITCH] = class_of(75, 26e-9, 40.6667, 40.6667);
		links[LINK_GLOBAL] = class_of(50, 26e-9, 52.8586, 93.5556);
	}
	if (id == DRAGONFLY_4_64) {
		links[LINK_SWITCH] = links[LINK_GLOBAL] = class_of(50, 26e-9, 14.8333, 17);
		links[LINK_BACKPLANE] = class_of(12.5, 100e-9, 0, 0);
	}
}

static const struct {
	unsigned nodes, per_node, plx;
	void (*build)(struct platform *platform);
	unsigned char local[16]; /* GPU of each local rank; all 0: in order */
} shapes[PLATFORM_COUNT] = {
	[TSUBAME3] = {64, 4, 2, tsubame3, {0}},
	[NVCLUSTER_2] = {128, 2, 1, nvcluster, {0}},
	[NVCLUSTER_4] = {64, 4, 2, nvcluster, {0}},
	[NVCLUSTER_8] = {32, 8, 4, nvcluster, {0, 1, 2, 7, 4, 5, 6, 3}},
	[NVCLUSTER_16] = {16, 16, 8, nvcluster, {0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14, 3}},
	[DRAGONFLY_4_64] = {64, 4, 2, dragonfly_4_64, {0}},
	[ABCI] = {68, 4, 2, abci, {0}},
	[DGX1] = {36, 8, 4, dgx1, {0, 3, 2, 1, 5, 6, 7, 4}},
	[DGX2] = {18, 16, 8, dgx2, {0}},
};

/* As in the files: GPUs and PLXs node by node, then the switches from the spine down. */
static const unsigned *file_order(const struct platform *platform)
{
	const unsigned vertices = platform->graph->vertices;
	unsigned *order = arena_alloc(platform->arena, vertices, sizeof *order), count = 0;
	assert_non_null(order);
	for (unsigned j = 0; j < platform->nodes; ++j) {
		for (unsigned i = 0; i < platform->per_node; ++i)
			order[count++] = gpu(platform, j, i);
		for (unsigned h = 0; h < platform->plx; ++h)
			order[count++] = plx(platform, j, h);
	}
	while (count < vertices) {
		order[count] = count;
		++count;
	}
	return order;
}

static void placement_fill(struct platform *platform, const unsigned char *local)
{
	const unsigned g = platform->per_node;
	if (!local[1])
		return;
	platform->placement = arena_alloc(platform->arena, platform->graph->devices, sizeof(unsigned));
	assert_non_null(platform->placement);
	for (unsigned rank = 0; rank < platform->graph->devices; ++rank)
		platform->placement[rank] = rank / g * g + local[rank % g];
}

struct platform *platform_create(struct paradl_arena *arena, enum platform_id id, double reduce_s_per_byte)
{
	struct paradl_error error = {0};
	struct platform *platform = arena_alloc(arena, 1, sizeof *platform);
	assert_non_null(platform);
	*platform = (struct platform){.id = id,
		.nodes = shapes[id].nodes,
		.per_node = shapes[id].per_node,
		.plx = shapes[id].plx,
		.arena = arena};
	struct machine_network *rules = &platform->rules;
	*rules = (struct machine_network){.half_duplex = true,
		.fewest_links = true,
		.synchronous = true,
		.usable = 0.97,
		.return_share = 0.05,
		.reduce_s_per_byte = reduce_s_per_byte,
		.protocol_count = sizeof protocols / sizeof *protocols};
	memcpy(rules->protocols, protocols, sizeof protocols);
	classes_fill(rules->links, id);
	struct graph *graph = platform->graph = graph_create(arena, rules->links, true);
	assert_non_null(graph);
	graph->devices = platform->nodes * platform->per_node;
	graph_vertices(graph, graph->devices);
	platform->first_plx = graph_vertices(graph, platform->nodes * platform->plx);
	platform->first_switch = graph->vertices;
	shapes[id].build(platform);
	if (!graph_finish(graph, &error) || !graph_route_shortest(graph, file_order(platform), &error))
		fail_msg("%s: %s", platform_names[id], error.message);
	placement_fill(platform, shapes[id].local);
	platform->network = (struct network){.graph = graph,
		.rules = rules,
		.devices = graph->devices,
		.devices_per_node = platform->per_node,
		.ports = 1};
	platform->compiler = compiler_create(arena, &platform->network);
	assert_non_null(platform->compiler);
	return platform;
}

struct group platform_group(const struct platform *platform, unsigned ranks)
{
	return (struct group){.size = ranks,
		.devices = ranks,
		.runs = {{1, ranks}},
		.run_count = 1,
		.placement = platform->placement};
}

struct communicator platform_party(const struct platform *platform, unsigned ranks, unsigned per_group)
{
	struct network network = platform->network;
	const struct group group = platform_group(platform, ranks);
	network.devices_per_node = per_group;
	return communicator_of(&network, &group);
}

const struct collective *algorithm_find(
	const struct communicator *comm, const char *name, const char *variant, unsigned *index)
{
	for (size_t i = 0; collectives[i]; ++i) {
		const struct collective *collective = collectives[i];
		if (strcmp(collective->name, name) != 0)
			continue;
		const unsigned variants = collective->variants(comm);
		for (*index = 0; *index < variants; ++*index) {
			char text[64] = "";
			if (collective->describe)
				collective->describe(comm, *index, text, sizeof text);
			if (!variant[0] || strcmp(text, variant) == 0)
				return collective;
		}
	}
	fail_msg("there is no %s (%s) for %u ranks", name, variant, comm->size);
	return NULL;
}

struct compiled platform_compile(const struct platform *platform, const struct communicator *comm,
	const char *name, const char *variant, double bytes)
{
	struct compiled compiled = {0};
	unsigned index = 0;
	const struct collective *collective = algorithm_find(comm, name, variant, &index);
	const struct group group = platform_group(platform, comm->size);
	assert_true(compile(platform->compiler, &group, comm, collective, index, bytes, &compiled));
	return compiled;
}
