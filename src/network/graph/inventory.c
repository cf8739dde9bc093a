/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/graph/inventory.h"

#include "base/error.h"

unsigned char *roles_of(struct paradl_arena *arena, const struct graph *graph)
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
