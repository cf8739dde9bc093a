/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file counts what a network is built of, and measures how far apart its devices are.
 *
 * Distances between devices, in links of the router's own routes; a split route counts by the shares of its branches.
 */
#include "network/graph/inventory.h"
#include "base/error.h"

/* Returns the role of each vertex; NULL when out of memory. */
static unsigned char *roles_of(struct paradl_arena *arena, const struct graph *graph)
{
	unsigned char *roles = arena_alloc(arena, graph->vertices + 1, sizeof *roles);
	unsigned *cables = arena_alloc(arena, graph->vertices + 1, sizeof *cables);
	if (!roles || !cables)
		return NULL;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		const unsigned ends[] = {cable->from, cable->to};
		for (unsigned end = 0; end < 2; ++end) {
			unsigned char *role = &roles[ends[end]];
			++cables[ends[end]];
			if (ends[end] < graph->devices)
				*role = ROLE_DEVICE;
			else if (ends[end] < graph->devices + graph->ports)
				*role = ROLE_PORT;
			else if (kind_is_of_node(cable->kind))
				*role = ROLE_NODE_SWITCH;
			else if (*role == ROLE_NOTHING)
				*role = ROLE_SWITCH;
		}
	}
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (cable->kind == LINK_PORT && roles[cable->from] == ROLE_SWITCH &&
			roles[cable->to] == ROLE_SWITCH)
			roles[cables[cable->from] <= cables[cable->to] ? cable->from : cable->to] =
				ROLE_NOTHING;
	}
	return roles;
}

/* ---- counts ------------------------------------------------------------------------------------------------- */

static bool is_network_cable(const struct cable *cable, const unsigned char *roles)
{
	return cable->kind != LINK_BACKPLANE && !kind_is_of_node(cable->kind) &&
	       !cable_is_spare(cable, roles);
}

static void vertices_count(
	const struct graph *graph, const unsigned char *roles, struct paradl_inventory *inventory)
{
	inventory->devices = graph->devices;
	for (unsigned v = graph->devices; v < graph->vertices; ++v) {
		inventory->switches += roles[v] == ROLE_SWITCH;
		inventory->node_switches += roles[v] == ROLE_NODE_SWITCH;
	}
}

static void cables_count(
	const struct graph *graph, const unsigned char *roles, struct paradl_inventory *inventory)
{
	double *const of_kind[LINK_KINDS] = {
		[LINK_DEVICE] = &inventory->node_cables,
		[LINK_PCIE] = &inventory->node_cables,
		[LINK_PORT] = &inventory->port_cables,
		[LINK_SWITCH] = &inventory->switch_cables,
		[LINK_GLOBAL] = &inventory->global_cables,
	};
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (cable->kind == LINK_BACKPLANE || cable_is_spare(cable, roles))
			continue;
		*of_kind[cable->kind] += cable->width;
		inventory->cables += cable->width;
		inventory->one_way_links += (cable->one_way ? 1 : graph->ways) * cable->width;
		if (cable->kind == LINK_PORT)
			inventory->nics += ((unsigned)(roles[cable->from] != ROLE_SWITCH) +
						   (unsigned)(roles[cable->to] != ROLE_SWITCH)) *
					   cable->width;
	}
}

/*
 * Returns the pairs of transmitters and receivers at each end of a cable. A one-way cable has half as many as
 * another: half of its ports, power and price.
 */
static double pairs_of(const struct cable *cable)
{
	return cable->one_way ? 0.5 * cable->width : cable->width;
}

static bool ports_count(struct paradl_arena *arena, const struct graph *graph, const unsigned char *roles,
	struct paradl_inventory *inventory)
{
	double *ports = arena_alloc(arena, graph->vertices + 1, sizeof *ports);
	if (!ports)
		return false;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (!is_network_cable(cable, roles))
			continue;
		const double ends = pairs_of(cable);
		ports[cable->from] += ends;
		ports[cable->to] += ends;
	}
	for (unsigned v = 0; v < graph->vertices; ++v) {
		if (roles[v] == ROLE_SWITCH)
			inventory->switch_ports += ports[v];
		if (ports[v] > inventory->most_ports)
			inventory->most_ports = ports[v];
	}
	return true;
}

/* ---- the floor ------------------------------------------------------------------------------------------------ */

static bool cables_lay(struct paradl_arena *arena, const struct network *network, const unsigned char *roles,
	const struct floor_plan *plan, struct paradl_inventory *inventory)
{
	const struct graph *graph = network->graph;
	struct floor floor;
	if (!floor_lay(arena, network, roles, plan, &floor))
		return false;
	inventory->racks = floor.racks;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (!is_network_cable(cable, roles))
			continue;
		const unsigned from = floor.rack[cable->from], to = floor.rack[cable->to];
		const double length_m = floor_cable_m(&floor, plan, from, to);
		if (from == to)
			inventory->rack_cables += cable->width;
		else if (length_m <= plan->copper_m)
			inventory->copper_cables += cable->width;
		else
			inventory->optical_cables += cable->width;
		inventory->cable_m += length_m * cable->width;
		if (length_m > inventory->longest_cable_m)
			inventory->longest_cable_m = length_m;
	}
	return true;
}

/* ---- power and price ------------------------------------------------------------------------------------------- */

static const struct link_class *class_of(const struct graph *graph, const struct cable *cable)
{
	return &graph->classes[cable->class_];
}

/*
 * Fills in the power of cables, switches and NICs when nothing is sent; *node_watt is that of cables inside nodes.
 */
static void power_add(const struct network *network, const unsigned char *roles,
	struct paradl_inventory *inventory, double *node_watt)
{
	const struct graph *graph = network->graph;
	const struct machine_network *rules = network->rules;
	double watt = 0;
	*node_watt = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		const struct link_class *kind = class_of(graph, cable);
		if (cable_is_spare(cable, roles))
			continue;
		const double each = pairs_of(cable) / (kind->bundled ? cable->width : 1) * kind->idle_watt;
		watt += each;
		*node_watt += kind_is_of_node(cable->kind) ? each : 0;
	}
	inventory->cables_watt = watt > 0 ? watt : -1;
	inventory->switches_watt = rules->switch_watt > 0 ? inventory->switches * rules->switch_watt : -1;
	inventory->nics_watt = rules->port_watt > 0 ? inventory->nics * rules->port_watt : -1;
	inventory->static_watt = -1;
	const double parts[] = {inventory->cables_watt, inventory->switches_watt, inventory->nics_watt};
	for (unsigned i = 0; i < 3; ++i)
		if (parts[i] >= 0)
			inventory->static_watt =
				parts[i] + (inventory->static_watt > 0 ? inventory->static_watt : 0);
}

/*
 * Fills in the prices. A node's price includes its inside. If one price of the rest is missing, the whole price is.
 */
static void price_add(
	const struct network *network, const unsigned char *roles, struct paradl_inventory *inventory)
{
	const struct graph *graph = network->graph;
	const struct machine_network *rules = network->rules;
	bool known = true;
	double price = 0;
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		if (!is_network_cable(&graph->cables[i], roles))
			continue;
		const double each = class_of(graph, &graph->cables[i])->price;
		known = known && each > 0;
		price += pairs_of(&graph->cables[i]) * each;
	}
	inventory->cables_price = known ? price : -1;
	inventory->switches_price = rules->switch_price > 0 ? inventory->switches * rules->switch_price
				    : inventory->switches   ? -1
							    : 0;
	const bool both = inventory->cables_price >= 0 && inventory->switches_price >= 0;
	inventory->price = both ? inventory->cables_price + inventory->switches_price : -1;
}

/* ---- distances ------------------------------------------------------------------------------------------------- */

enum { SOURCES_ALL = 2048, ROUTES_MAX = 1 << 21, SOURCES_LEAST = 16 };
/* Limits on the links that are walked: of all routes, and of a sample. */
static const double hops_all = 1 << 27, hops_sample = 1 << 26;

static double hops_of(const struct graph *graph, const struct path *path, bool backplanes)
{
	if (!backplanes && !path->split)
		return path->count;
	double hops = 0;
	for (unsigned i = 0; i < path->count; ++i)
		if (!backplanes || graph->cables[path->links[i] / graph->ways].kind != LINK_BACKPLANE)
			hops += path->split ? path->shares[i] : 1;
	return hops;
}

static bool has_backplanes(const struct graph *graph)
{
	for (unsigned i = 0; i < graph->cable_count; ++i)
		if (graph->cables[i].kind == LINK_BACKPLANE)
			return true;
	return false;
}

/*
 * Returns a source of the sample: the first and the last device (corners of a mesh), and one in each stretch
 * between, never at the same place of its stretch.
 */
static unsigned source(unsigned index, unsigned sources, unsigned devices)
{
	const double golden = 0.6180339887498949, stretch = (double)devices / sources;
	const double turn = index * golden - (unsigned)(index * golden);
	const unsigned at = (unsigned)((index + turn) * stretch);
	return index + 1 == sources || at >= devices ? devices - 1 : at;
}

/* The routes that are walked: from `sources` devices, to every `stride`th device. */
struct sample {
	unsigned sources, stride;
	bool all;
};

static struct sample sample_of(const struct graph *graph)
{
	const unsigned n = graph->devices;
	const double hops = graph->longest / 2.0 + 1;
	struct sample sample = {.sources = n, .stride = 1};
	sample.all = n <= SOURCES_ALL && (double)n * n * hops <= hops_all;
	if (sample.all)
		return sample;
	sample.sources = ROUTES_MAX / n < n ? ROUTES_MAX / n : n;
	sample.sources = sample.sources > SOURCES_LEAST ? sample.sources : SOURCES_LEAST;
	while ((double)sample.sources * n * hops / sample.stride > hops_sample && sample.stride < n / 2)
		sample.stride *= 2;
	return sample;
}

static double route_hops(
	const struct graph *graph, unsigned from, unsigned to, bool backplanes, struct path *path)
{
	graph_route(graph, from, to, path);
	return hops_of(graph, path, backplanes);
}

/*
 * Counts the links on the routes of all pairs. With more than 2048 devices, or where routes are long, only evenly
 * spread devices are sources; where routes are very long, only every 2^i th device ahead is a destination. False
 * when out of memory.
 */
static bool distances_of(struct paradl_arena *arena, const struct graph *graph, struct distances *distances)
{
	const unsigned n = graph->devices;
	const bool backplanes = has_backplanes(graph);
	const struct sample sample = sample_of(graph);
	double sum = 0;
	struct path path;
	*distances = (struct distances){0};
	if (!path_create(arena, graph, &path))
		return false;
	if (n > 1) /* corners of a mesh */
		distances->most_hops = route_hops(graph, 0, n - 1, backplanes, &path);
	for (unsigned i = 0; i < sample.sources; ++i) {
		const unsigned from = sample.all ? i : source(i, sample.sources, n);
		for (unsigned ahead = sample.stride; ahead < n; ahead += sample.stride) {
			const unsigned to = ahead < n - from ? from + ahead : from + ahead - n;
			const double hops = route_hops(graph, from, to, backplanes, &path);
			sum += hops;
			distances->most_hops = hops > distances->most_hops ? hops : distances->most_hops;
		}
	}
	/* an offset of 0 devices is one of the multiples of the stride, but it is no pair */
	const unsigned ends = (n + sample.stride - 1) / sample.stride;
	distances->mean_hops = n > 1 ? sum / ((double)sample.sources * ends) * (n / (n - 1.0)) : 0;
	distances->sampled = sample.all ? 0 : sample.sources;
	return true;
}

/* ---- all ------------------------------------------------------------------------------------------------------- */

bool inventory_take_on(struct paradl_arena *arena, const struct network *network,
	const struct floor_plan *plan, struct paradl_inventory *inventory, struct paradl_error *error)
{
	const struct graph *graph = network->graph;
	struct distances distances;
	const unsigned char *roles = roles_of(arena, graph);
	double node_watt;
	*inventory = (struct paradl_inventory){0};
	if (!roles || !ports_count(arena, graph, roles, inventory) ||
		!cables_lay(arena, network, roles, plan, inventory) ||
		!bisection_bytes_per_s(arena, network, &inventory->bisection_bytes_per_s) ||
		!distances_of(arena, graph, &distances))
		return out_of_memory(error);
	inventory->schematic = network->machine && network->rules != network->machine->network;
	vertices_count(graph, roles, inventory);
	cables_count(graph, roles, inventory);
	inventory->diameter_hops = distances.most_hops;
	inventory->mean_hops = distances.mean_hops;
	inventory->sampled = distances.sampled;
	power_add(network, roles, inventory, &node_watt);
	price_add(network, roles, inventory);
	return true;
}

bool inventory_gear(struct paradl_arena *arena, const struct network *network, struct gear *gear)
{
	struct paradl_inventory inventory = {0};
	double node_watt;
	const unsigned char *roles = roles_of(arena, network->graph);
	if (!roles)
		return false;
	vertices_count(network->graph, roles, &inventory);
	cables_count(network->graph, roles, &inventory);
	power_add(network, roles, &inventory, &node_watt);
	price_add(network, roles, &inventory);
	*gear = (struct gear){.watt = inventory.static_watt,
		.outside_watt = inventory.static_watt > 0 ? inventory.static_watt - node_watt : 0,
		.price = inventory.price};
	return true;
}

bool inventory_take(struct paradl_arena *arena, const struct network *network,
	struct paradl_inventory *inventory, struct paradl_error *error)
{
	const struct floor_plan plan = floor_plan_of(network);
	return inventory_take_on(arena, network, &plan, inventory, error);
}
