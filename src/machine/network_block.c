/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads "network" of a machine file with its "cables". */
#include "base/error.h"
#include "machine/blocks.h"

#include <stddef.h>
#include <string.h>

/* Reads "network" of a machine's profile: topologies, classes of cables, how messages and rings behave. */

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { CHOSEN_FIRST, CHOSEN_SECOND };
static const char *const duplexes[] = {"full", "half", NULL};
static const char *const routings[] = {"topology", "fewest-links", NULL};
static const char *const ring_kinds[] = {"pipelined", "synchronous", NULL};

struct block {
	int duplex, routing, rings;
	double reduce_bytes_per_s;
	const struct json *rails, *order, *links, *cables, *protocols, *nvls, *sharp;
};

#define BLOCK(member) offsetof(struct block, member)
static const struct json_field block_fields[] = {
	{"duplex", JSON_TO_CHOICE, false, BLOCK(duplex), 0, 0, DIMENSION_NONE, duplexes},
	{"routing", JSON_TO_CHOICE, false, BLOCK(routing), 0, 0, DIMENSION_NONE, routings},
	{"rings", JSON_TO_CHOICE, false, BLOCK(rings), 0, 0, DIMENSION_NONE, ring_kinds},
	{"reduce", JSON_TO_QUANTITY, false, BLOCK(reduce_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"rails", JSON_TO_OBJECT, false, BLOCK(rails), 0, 0, DIMENSION_NONE, NULL},
	{"order", JSON_TO_ARRAY, false, BLOCK(order), 0, 0, DIMENSION_NONE, NULL},
	{"cables", JSON_TO_ARRAY, false, BLOCK(cables), 0, 0, DIMENSION_NONE, NULL},
	{"links", JSON_TO_OBJECT, true, BLOCK(links), 0, 0, DIMENSION_NONE, NULL},
	{"protocols", JSON_TO_ARRAY, false, BLOCK(protocols), 0, 0, DIMENSION_NONE, NULL},
	{"nvls", JSON_TO_OBJECT, false, BLOCK(nvls), 0, 0, DIMENSION_NONE, NULL},
	{"sharp", JSON_TO_OBJECT, false, BLOCK(sharp), 0, 0, DIMENSION_NONE, NULL},
};
static const char *const block_keys[] = {"node", "cluster", "usable", "return", "message", "switch_power",
	"switch_price", "port_power", "devices_per_rack", "slice", NULL};

#define RULES(member) offsetof(struct machine_network, member)
static const struct json_field rules_fields[] = {
	{"node", JSON_TO_TEXT, false, RULES(node), 0, 0, DIMENSION_NONE, NULL},
	{"cluster", JSON_TO_TEXT, false, RULES(cluster), 0, 0, DIMENSION_NONE, NULL},
	{"usable", JSON_TO_DOUBLE, false, RULES(usable), 0.01, 1, DIMENSION_NONE, NULL},
	{"return", JSON_TO_DOUBLE, false, RULES(return_share), 0, 1, DIMENSION_NONE, NULL},
	{"message", JSON_TO_QUANTITY, false, RULES(message_s), 0, 1, DIMENSION_TIME, NULL},
	{"switch_power", JSON_TO_QUANTITY, false, RULES(switch_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"switch_price", JSON_TO_DOUBLE, false, RULES(switch_price), 0, 1e12, DIMENSION_NONE, NULL},
	{"port_power", JSON_TO_QUANTITY, false, RULES(port_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"devices_per_rack", JSON_TO_UNSIGNED, false, RULES(devices_per_rack), 1, 1e9, DIMENSION_NONE, NULL},
	{"slice", JSON_TO_UNSIGNED, false, RULES(slice), 1, 4096, DIMENSION_NONE, NULL},
};
static const char *const rules_keys[] = {"rails", "order", "duplex", "routing", "rings", "reduce", "cables",
	"links", "protocols", "nvls", "sharp", NULL};

#define RAILS(member) offsetof(struct rails, member)
static const struct json_field rails_fields[] = {
	{"ports", JSON_TO_UNSIGNED, false, RAILS(ports), 1, 1024, DIMENSION_NONE, NULL},
	{"planes", JSON_TO_UNSIGNED, false, RAILS(planes), 1, 1024, DIMENSION_NONE, NULL},
	{"leaf", JSON_TO_UNSIGNED, false, RAILS(leaf), 1, 1e6, DIMENSION_NONE, NULL},
};

#define LINK(member) offsetof(struct link_class, member)
static const struct json_field link_fields[] = {
	{"bandwidth", JSON_TO_QUANTITY, true, LINK(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"sustained", JSON_TO_QUANTITY, false, LINK(sustained_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
		NULL},
	{"flow", JSON_TO_QUANTITY, false, LINK(flow_bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S, NULL},
	{"latency", JSON_TO_QUANTITY, false, LINK(latency_s), 0, 1, DIMENSION_TIME, NULL},
	{"idle", JSON_TO_QUANTITY, false, LINK(idle_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"peak", JSON_TO_QUANTITY, false, LINK(peak_watt), 0, 1e6, DIMENSION_POWER, NULL},
	{"bundled", JSON_TO_BOOL, false, LINK(bundled), 0, 0, DIMENSION_NONE, NULL},
	{"price", JSON_TO_DOUBLE, false, LINK(price), 0, 1e12, DIMENSION_NONE, NULL},
};

#define KINDS(kind) (kind) * sizeof(const struct json *)
static const struct json_field links_fields[] = {
	{"device", JSON_TO_OBJECT, false, KINDS(LINK_DEVICE), 0, 0, DIMENSION_NONE, NULL},
	{"pcie", JSON_TO_OBJECT, false, KINDS(LINK_PCIE), 0, 0, DIMENSION_NONE, NULL},
	{"port", JSON_TO_OBJECT, false, KINDS(LINK_PORT), 0, 0, DIMENSION_NONE, NULL},
	{"switch", JSON_TO_OBJECT, false, KINDS(LINK_SWITCH), 0, 0, DIMENSION_NONE, NULL},
	{"global", JSON_TO_OBJECT, false, KINDS(LINK_GLOBAL), 0, 0, DIMENSION_NONE, NULL},
	{"backplane", JSON_TO_OBJECT, false, KINDS(LINK_BACKPLANE), 0, 0, DIMENSION_NONE, NULL},
};

static bool link_read(
	const struct json *node, double usable, struct link_class *link, struct paradl_error *error)
{
	*link = (struct link_class){0};
	if (!json_read(node, link_fields, COUNT(link_fields), NULL, link, error))
		return false;
	if (!(link->sustained_bytes_per_s > 0))
		link->sustained_bytes_per_s = link->bytes_per_s * usable;
	if (link->sustained_bytes_per_s > link->bytes_per_s)
		return json_error(json_member(node, "sustained"), error, "is more than the bandwidth");
	if (json_member(node, "idle") && json_member(node, "peak") && link->idle_watt > link->peak_watt)
		return json_error(json_member(node, "idle"), error, "is more than the peak");
	return true;
}

/*
 * Reads the classes of cables. A class that is left out is taken from the one below it, and none may stay without a
 * limit by mistake.
 */
static bool links_read(const struct json *links, struct machine_network *rules, struct paradl_error *error)
{
	const struct json *kinds[LINK_KINDS] = {NULL};
	if (!json_read(links, links_fields, COUNT(links_fields), NULL, kinds, error))
		return false;
	if (rules->node && !kinds[LINK_DEVICE])
		return json_error(links, error, "needs a \"device\": the links inside a node");
	if ((rules->cluster || rules->cables) && !kinds[LINK_PORT] && !kinds[LINK_SWITCH])
		return json_error(links, error, "needs a \"port\" or a \"switch\": the links between nodes");
	for (unsigned kind = 0; kind < LINK_KINDS; ++kind)
		if (kinds[kind] && !link_read(kinds[kind], rules->usable, &rules->links[kind], error))
			return false;
	if (!kinds[LINK_SWITCH])
		rules->links[LINK_SWITCH] = rules->links[LINK_PORT];
	if (!kinds[LINK_GLOBAL])
		rules->links[LINK_GLOBAL] = rules->links[LINK_SWITCH];
	return true;
}

/* Reads the order of devices, which has each device of a node once. */
static bool order_read(struct paradl_arena *arena, const struct json *list, unsigned per_node,
	struct machine_network *rules, struct paradl_error *error)
{
	const struct json_field field = {
		NULL, JSON_TO_UNSIGNED, true, 0, 0, per_node - 1.0, DIMENSION_NONE, NULL};
	if (!rules->node)
		return json_error(list, error, "is of the devices of a node, and there is no \"node\"");
	if (list->count != per_node)
		return json_error(list, error,
			"must have each of the %u devices of a node once, has %u numbers", per_node,
			list->count);
	unsigned *order = arena_alloc(arena, per_node, sizeof *order);
	bool *taken = arena_alloc(arena, per_node, sizeof *taken);
	if (!order || !taken)
		return out_of_memory(error);
	for (const struct json *node = list->child; node; node = node->next) {
		unsigned *device = &order[node->index];
		if (!json_read_value(node, &field, device, error))
			return false;
		if (taken[*device])
			return json_error(node, error, "is device %u again", *device);
		taken[*device] = true;
	}
	rules->order = order;
	rules->order_count = per_node;
	return true;
}

static bool protocols_read(const struct json *list, struct machine_network *rules, struct paradl_error *error)
{
#define PROTOCOL(member) offsetof(struct protocol, member)
	static const struct json_field fields[] = {
		{"from", JSON_TO_QUANTITY, true, PROTOCOL(from_bytes), 0, 1e15, DIMENSION_BYTES, NULL},
		{"latency", JSON_TO_DOUBLE, false, PROTOCOL(latency_factor), 0, 1000, DIMENSION_NONE, NULL},
		{"flow", JSON_TO_DOUBLE, false, PROTOCOL(flow_factor), 0.001, 1000, DIMENSION_NONE, NULL},
	};
	if (list->count < 1 || list->count > PROTOCOLS_MAX)
		return json_error(
			list, error, "must have 1 to %d protocols, has %u", PROTOCOLS_MAX, list->count);
	for (const struct json *node = list->child; node; node = node->next) {
		struct protocol *protocol = &rules->protocols[rules->protocol_count++];
		*protocol = (struct protocol){.latency_factor = 1, .flow_factor = 1};
		if (!json_read(node, fields, COUNT(fields), NULL, protocol, error))
			return false;
		if (node->index && !(protocol->from_bytes > protocol[-1].from_bytes))
			return json_error(
				json_member(node, "from"), error, "must be more than the protocol before");
	}
	return true;
}

static bool in_network_read(
	const struct json *node, double *start_s, double *efficiency, struct paradl_error *error)
{
	struct in_network {
		double start_s, efficiency;
	} read = {0, 0};
	static const struct json_field fields[] = {
		{"start", JSON_TO_QUANTITY, true, offsetof(struct in_network, start_s), 0, 1, DIMENSION_TIME,
			NULL},
		{"efficiency", JSON_TO_DOUBLE, true, offsetof(struct in_network, efficiency), 0.01, 2,
			DIMENSION_NONE, NULL},
	};
	if (node && !json_read(node, fields, COUNT(fields), NULL, &read, error))
		return false;
	*start_s = read.start_s;
	*efficiency = read.efficiency;
	return true;
}

/* Reads the members that are numbers or text; says what a topology looks like where one is neither. */
static bool rules_read(const struct json *node, struct machine_network *rules, struct paradl_error *error)
{
	if (json_read(node, rules_fields, COUNT(rules_fields), rules_keys, rules, error))
		return true;
	const char *const at = error ? strrchr(error->pointer, '/') : NULL;
	if (at && (strcmp(at, "/cluster") == 0 || strcmp(at, "/node") == 0))
		error_hint(error,
			"a topology is text such as \"dragonfly:9x8:hosts=4\" ('paradl list topologies')");
	return false;
}

bool network_block_read(struct paradl_arena *arena, const struct json *node, struct paradl_machine *machine,
	struct paradl_error *error)
{
	struct block block = {0};
	struct machine_network *rules = arena_alloc(arena, 1, sizeof *rules);
	if (!rules)
		return out_of_memory(error);
	*rules = (struct machine_network){.usable = 1,
		.rails = {.ports = machine->level_count > 1 ? machine->levels[1].ports : 1, .planes = 1}};
	if (!json_read(node, block_fields, COUNT(block_fields), block_keys, &block, error) ||
		!rules_read(node, rules, error))
		return false;
	if (!rules->node && !rules->cluster && !block.cables)
		return json_error(node, error, "needs a \"node\", a \"cluster\" or both: topologies");
	if (rules->cluster && block.cables)
		return json_error(
			block.cables, error, "are in place of \"cluster\": leave out one of the two");
	rules->node_at = json_member(node, "node");
	rules->cluster_at = block.cables ? block.cables : json_member(node, "cluster");
	rules->half_duplex = block.duplex == CHOSEN_SECOND;
	rules->fewest_links = block.routing == CHOSEN_SECOND;
	rules->synchronous = block.rings == CHOSEN_SECOND;
	rules->reduce_s_per_byte = block.reduce_bytes_per_s > 0 ? 1 / block.reduce_bytes_per_s : 0;
	machine->network = rules;
	return (!block.cables || network_cables_read(arena, block.cables, rules, error)) &&
	       (!block.rails || json_read(block.rails, rails_fields, COUNT(rails_fields), NULL, &rules->rails,
					error)) &&
	       (!block.order || order_read(arena, block.order, machine->levels[0].devices, rules, error)) &&
	       links_read(block.links, rules, error) &&
	       (!block.protocols || protocols_read(block.protocols, rules, error)) &&
	       in_network_read(block.nvls, &rules->nvls_start_s, &rules->nvls_efficiency, error) &&
	       in_network_read(block.sharp, &rules->sharp_start_s, &rules->sharp_efficiency, error);
}

/* Reads "cables" of a machine's network: each joins two of its devices and switches. */

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { SWITCHES_MOST = 4096, DEVICES_MOST = 1 << 17 };

/* Names of switches, in the order in which cables name them, and for each device whether any cable names it. */
struct ends {
	const char **names;
	unsigned name_count, devices;
	bool *is_there;
};

/* Finds the number of devices: one more than the highest that cables name. */
static bool devices_count(const struct json *list, struct ends *ends, struct paradl_error *error)
{
	for (const struct json *cable = list->child; cable; cable = cable->next) {
		const struct json *between =
			cable->kind == JSON_OBJECT ? json_member(cable, "between") : NULL;
		if (!between || between->kind != JSON_ARRAY || between->count != 2)
			return json_error(cable, error,
				"must be an object with \"between\": two of numbers of devices and names of "
				"switches");
		for (const struct json *end = between->child; end; end = end->next) {
			if (end->kind == JSON_STRING)
				continue;
			if (end->kind != JSON_NUMBER || !(end->number >= 0) || end->number >= DEVICES_MOST ||
				end->number > (unsigned)end->number)
				return json_error(end, error,
					"must be the number of a device, from 0 on, or the name of a switch");
			if ((unsigned)end->number >= ends->devices)
				ends->devices = (unsigned)end->number + 1;
		}
	}
	return true;
}

/* Finds the vertex of an end: devices come first, then switches. */
static bool vertex_of(struct ends *ends, const struct json *end, unsigned *vertex, struct paradl_error *error)
{
	unsigned i = 0;
	if (end->kind == JSON_NUMBER) {
		*vertex = (unsigned)end->number;
		ends->is_there[*vertex] = true;
		return true;
	}
	while (i < ends->name_count && strcmp(ends->names[i], end->string) != 0)
		++i;
	if (i == SWITCHES_MOST)
		return json_error(end, error, "there are more than %d switches", SWITCHES_MOST);
	if (i == ends->name_count)
		ends->names[ends->name_count++] = end->string;
	*vertex = ends->devices + i;
	return true;
}

static bool cable_read(
	const struct json *node, struct ends *ends, struct network_cable *cable, struct paradl_error *error)
{
#define CABLE(member) offsetof(struct network_cable, member)
	static const struct json_field fields[] = {
		{"count", JSON_TO_UNSIGNED, false, CABLE(count), 1, 65535, DIMENSION_NONE, NULL},
		{"bandwidth", JSON_TO_QUANTITY, false, CABLE(bytes_per_s), 1, 1e18, DIMENSION_BYTES_PER_S,
			NULL},
		{"sustained", JSON_TO_QUANTITY, false, CABLE(sustained_bytes_per_s), 1, 1e18,
			DIMENSION_BYTES_PER_S, NULL},
		{"latency", JSON_TO_QUANTITY, false, CABLE(latency_s), 0, 1, DIMENSION_TIME, NULL},
	};
	static const char *const others[] = {"between", NULL};
	const struct json *between = json_member(node, "between");
	*cable = (struct network_cable){.count = 1, .latency_s = -1};
	if (!json_read(node, fields, COUNT(fields), others, cable, error) ||
		!vertex_of(ends, between->child, &cable->from, error) ||
		!vertex_of(ends, between->child->next, &cable->to, error))
		return false;
	if (cable->from == cable->to)
		return json_error(between, error, "must be two different ends");
	if (cable->sustained_bytes_per_s > 0 && !(cable->bytes_per_s >= cable->sustained_bytes_per_s))
		return json_error(
			json_member(node, "sustained"), error, "must be at most a \"bandwidth\" beside it");
	return true;
}

bool network_cables_read(struct paradl_arena *arena, const struct json *list, struct machine_network *rules,
	struct paradl_error *error)
{
	struct network_cable *cables = arena_alloc(arena, list->count + 1, sizeof *cables);
	struct ends ends = {.is_there = arena_alloc(arena, DEVICES_MOST, sizeof *ends.is_there),
		.names = arena_alloc(arena, SWITCHES_MOST, sizeof *ends.names)};
	if (!cables || !ends.is_there || !ends.names)
		return out_of_memory(error);
	if (!list->count)
		return json_error(list, error, "must have at least one cable");
	if (!devices_count(list, &ends, error))
		return false;
	for (const struct json *node = list->child; node; node = node->next)
		if (!cable_read(node, &ends, &cables[node->index], error))
			return false;
	for (unsigned i = 0; i < ends.devices; ++i)
		if (!ends.is_there[i])
			return json_error(list, error, "no cable has device %u, but one has device %u", i,
				ends.devices - 1);
	rules->cables = cables;
	rules->cable_count = list->count;
	rules->cable_devices = ends.devices;
	rules->cable_switches = ends.name_count;
	return true;
}
