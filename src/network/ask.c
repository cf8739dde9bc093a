/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks of the public interface: the network of a machine, or one on paper. */
#include "network/ask.h"

#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "network/graph/inventory.h"
#include "network/graph/topology.h"

_Static_assert((int)PARADL_OPERATION_COUNT == (int)OPERATION_COUNT, "public and internal operations differ");

const char *paradl_operation_name(enum paradl_operation operation)
{
	return operation_names[operation];
}

/*
 * Names of operations as MPI, NCCL, PyTorch and their users write them. Case, '_', '-' and what the names of MPI,
 * NCCL and of the benchmarks add (MPI_Allreduce, ncclAllReduce, osu_allreduce, all_reduce_perf) do not matter.
 */
static const struct alias {
	const char *name;
	enum paradl_operation operation;
} aliases[] = {
	{"ar", PARADL_ALLREDUCE},
	{"ag", PARADL_ALLGATHER},
	{"allgatherintotensor", PARADL_ALLGATHER},
	{"rs", PARADL_REDUCE_SCATTER},
	{"reducescattertensor", PARADL_REDUCE_SCATTER},
	{"bcast", PARADL_BROADCAST},
	{"alltoall", PARADL_ALL_TO_ALL},
	{"a2a", PARADL_ALL_TO_ALL},
	{"alltoallsingle", PARADL_ALL_TO_ALL},
	{"p2p", PARADL_POINT_TO_POINT},
	{"sendrecv", PARADL_POINT_TO_POINT},
	{"sendreceive", PARADL_POINT_TO_POINT},
	{"message", PARADL_POINT_TO_POINT},
};

/* Copies a text in lower case without '_' and '-'. */
static void plain(const char *text, char *out, size_t size)
{
	static const char upper[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", lower[] = "abcdefghijklmnopqrstuvwxyz";
	size_t used = 0;
	for (; *text && used + 1 < size; ++text) {
		const char *capital = strchr(upper, *text);
		out[used] = *text;
		if (capital)
			out[used] = lower[capital - upper];
		used += *text != '_' && *text != '-';
	}
	out[used] = '\0';
}

static const char *core(char *name)
{
	static const char *const before[] = {"mpi", "nccl", "rccl", "osu"}, *const after = "perf";
	char *start = name;
	for (size_t i = 0; i < sizeof before / sizeof *before; ++i)
		if (strncmp(name, before[i], strlen(before[i])) == 0)
			start = name + strlen(before[i]);
	const size_t length = strlen(start), tail = strlen(after);
	if (length > tail && strcmp(start + length - tail, after) == 0)
		start[length - tail] = '\0';
	return start;
}

bool paradl_operation_parse(const char *text, enum paradl_operation *operation, struct paradl_error *error)
{
	char typed[40], name[40], quoted[48];
	plain(text, typed, sizeof typed);
	const char *asked = core(typed);
	for (unsigned i = 0; i < OPERATION_COUNT; ++i) {
		plain(operation_names[i], name, sizeof name);
		*operation = (enum paradl_operation)i;
		if (strcmp(asked, name) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; ++i) {
		*operation = aliases[i].operation;
		if (strcmp(asked, aliases[i].name) == 0)
			return true;
	}
	error_set(error, PARADL_USAGE, "there is no operation %s", error_quote(quoted, sizeof quoted, text));
	return name_hint(error, text, operation_names, OPERATION_COUNT,
		"allreduce, allgather, reduce-scatter, broadcast, reduce, all-to-all and point-to-point are "
		"possible");
}

/* ---- networks -------------------------------------------------------------------------------------------------- */

static struct paradl_network *network_wrap(struct paradl_arena *arena, const struct network *network,
	const struct paradl_machine *machine, const char *name, struct paradl_error *error)
{
	struct paradl_network *wrapped = arena_alloc(arena, 1, sizeof *wrapped);
	const char *copy = arena_text(arena, name);
	if (wrapped)
		*wrapped = (struct paradl_network){.network = network,
			.machine = machine,
			.name = copy,
			.cable_bytes_per_s = network->rules->links[LINK_PORT].bytes_per_s,
			.share = 1,
			.compiler = compiler_create(arena, network)};
	if (!wrapped || !copy || !wrapped->compiler || !compiler_times_only(arena, wrapped->compiler))
		return out_of_memory_null(error);
	return wrapped;
}

struct paradl_network *paradl_network_create(
	struct paradl_arena *arena, const struct paradl_machine *machine, struct paradl_error *error)
{
	const struct network *network = network_create(arena, machine, error);
	return network ? network_wrap(arena, network, machine, machine->name, error) : NULL;
}

struct paradl_network *ask_slice(struct paradl_network *network, const struct group *group,
	struct paradl_arena *arena, struct paradl_error *error)
{
	const struct paradl_machine *machine = network->network->machine;
	if (!machine || group->placement || !network_is_sliced(machine, group->devices))
		return network;
	const struct network *slice = network_for(arena, machine, group->devices, error);
	return slice ? network_wrap(arena, slice, machine, network->name, error) : NULL;
}

/*
 * Fills in the rules of a machine of levels. Its cables have no latency: the latency of the level is all in the
 * start-up of a message.
 */
static void rules_of_levels(const struct paradl_machine *machine, struct machine_network *rules)
{
	const struct level *node = &machine->levels[0], *port = &machine->levels[machine->level_count > 1];
	*rules = (struct machine_network){.usable = 1, .message_s = port->latency_s};
	for (unsigned i = 0; i < LINK_BACKPLANE; ++i)
		rules->links[i] = (struct link_class){.bytes_per_s = port->bandwidth_bytes_per_s,
			.sustained_bytes_per_s = port->ring_bytes_per_s};
	rules->links[LINK_DEVICE] = (struct link_class){
		.bytes_per_s = node->bandwidth_bytes_per_s, .sustained_bytes_per_s = node->ring_bytes_per_s};
}

static void rules_of_paper(const struct paradl_paper *paper, struct machine_network *rules)
{
	const struct paradl_machine *machine = paper->machine;
	if (machine && machine->network)
		*rules = *machine->network;
	else if (machine)
		rules_of_levels(machine, rules);
	else
		*rules = (struct machine_network){.usable = 1, .synchronous = true};
	rules->node = rules->cluster = NULL;
	rules->cables = NULL;
	rules->rails = (struct rails){0};
	rules->order_count = 0;
	rules->nvls_efficiency = 0;
	if (paper->cable_latency_s > 0 && !(machine && machine->network))
		rules->message_s = 0;
	for (unsigned i = 0; i < LINK_BACKPLANE; ++i) {
		struct link_class *cables = &rules->links[i];
		if (paper->cable_bytes_per_s > 0) {
			cables->bytes_per_s = paper->cable_bytes_per_s;
			cables->sustained_bytes_per_s = paper->cable_bytes_per_s * rules->usable;
			cables->flow_bytes_per_s = 0;
		}
		if (paper->cable_latency_s > 0)
			cables->latency_s = paper->cable_latency_s;
	}
}

static void rate_scale(struct link_class *cables, double factor)
{
	cables->bytes_per_s *= factor;
	cables->sustained_bytes_per_s *= factor;
	cables->flow_bytes_per_s *= factor;
}

/*
 * Counts for each vertex the cables to devices (`hosts`) and to other vertices (`degree`). *direct: devices are
 * cabled to each other.
 */
static void degrees_count(const struct graph *graph, unsigned *hosts, unsigned *degree, bool *direct)
{
	for (unsigned i = 0; i < graph->cable_count; ++i) {
		const struct cable *cable = &graph->cables[i];
		if (cable->from == cable->to)
			continue;
		*direct |= cable->from < graph->devices && cable->to < graph->devices;
		if (cable->from < graph->devices && cable->to >= graph->devices) {
			hosts[cable->to] += cable->width;
			continue;
		}
		degree[cable->from] += cable->width;
		degree[cable->to] += cable->one_way ? 0 : cable->width;
	}
}

/*
 * Finds the factor on the rate of cables by which the cables that leave a router carry what its devices can send.
 * Devices that are their own routers have as much as a device with one cable; p devices on a router of d cables give
 * each cable p / d. The factor is 1 where some switch has no devices (fat trees): what that switch can carry is the
 * point of such a network. False when out of memory.
 */
static bool router_share(struct paradl_arena *arena, const struct graph *graph, double *share, bool *direct)
{
	unsigned *hosts = arena_alloc(arena, 2 * (size_t)graph->vertices, sizeof *hosts);
	unsigned most_hosts = 1, most_degree = 0;
	*direct = false;
	*share = 1;
	if (!hosts)
		return false;
	const unsigned *degree = hosts + graph->vertices;
	degrees_count(graph, hosts, hosts + graph->vertices, direct);
	for (unsigned v = *direct ? 0 : graph->devices; v < graph->vertices; ++v) {
		if (!*direct && !hosts[v])
			return true;
		most_hosts = !*direct && hosts[v] > most_hosts ? hosts[v] : most_hosts;
		most_degree = degree[v] > most_degree ? degree[v] : most_degree;
	}
	if (most_degree)
		*share = (double)most_hosts / most_degree;
	return true;
}

static struct network *paper_build(struct paradl_arena *arena, const struct paradl_paper *paper,
	const struct machine_network *rules, struct paradl_error *error)
{
	struct network *network = network_on_paper(arena, paper->topology, rules, error);
	if (network && paper->machine)
		network->memory_s_per_byte = paper->machine->device.s_per_byte;
	return network;
}

static const struct network *paper_share(struct paradl_arena *arena, const struct paradl_paper *paper,
	struct machine_network *rules, double *share, struct paradl_error *error)
{
	bool direct = false;
	struct network *network = paper_build(arena, paper, rules, error);
	*share = 1;
	if (!network || !paper->equal_ports)
		return network;
	if (!router_share(arena, network->graph, share, &direct))
		return out_of_memory_null(error);
	for (unsigned i = direct ? 0 : LINK_SWITCH; i < LINK_BACKPLANE; ++i)
		rate_scale(&rules->links[i], *share);
	return paper_build(arena, paper, rules, error);
}

struct paradl_network *paradl_network_on_paper(
	struct paradl_arena *arena, const struct paradl_paper *paper, struct paradl_error *error)
{
	double share = 1;
	struct machine_network *rules = arena_alloc(arena, 1, sizeof *rules);
	if (!rules)
		return out_of_memory_null(error);
	if (!paper->machine && !(paper->cable_bytes_per_s > 0)) {
		error_set(
			error, PARADL_USAGE, "a network on paper needs a machine or the rate of its cables");
		return NULL;
	}
	rules_of_paper(paper, rules);
	for (unsigned i = 0; paper->rate > 0 && i < LINK_BACKPLANE; ++i)
		rate_scale(&rules->links[i], paper->rate);
	const double cable_bytes_per_s = rules->links[LINK_PORT].bytes_per_s;
	const struct network *network = paper_share(arena, paper, rules, &share, error);
	struct paradl_network *wrapped =
		network ? network_wrap(arena, network, paper->machine, paper->topology, error) : NULL;
	if (wrapped) {
		wrapped->cable_bytes_per_s = cable_bytes_per_s;
		wrapped->share = share;
	}
	return wrapped;
}

struct paradl_network_info paradl_network_info(const struct paradl_network *network)
{
	const struct device *device = network->machine ? &network->machine->device : NULL;
	struct paradl_network_info info = {.name = network->name,
		.devices = network->network->devices,
		.devices_per_node = network->network->devices_per_node,
		.calibrated = network->network->rules->protocol_count > 0,
		.schematic = network->network->machine && !network->network->machine->network,
		.cable_bytes_per_s = network->cable_bytes_per_s,
		.cable_latency_s = network->network->rules->links[LINK_PORT].latency_s,
		.message_s = network->network->rules->message_s,
		.share = network->share,
		.waiting_watt = -1};
	if (device && device->busy_watt > 0) {
		info.waiting_watt = device->waiting_watt;
		info.waiting_is_assumed = !device->waiting_is_given;
	}
	return info;
}

bool ask_gear(struct paradl_network *network, struct paradl_arena *arena, struct paradl_error *error)
{
	struct gear gear;
	if (network->weighed)
		return true;
	if (!inventory_gear(arena, network->network, &gear))
		return out_of_memory(error);
	network->gear_watt = gear.watt;
	network->weighed = true;
	return true;
}

bool paradl_network_inventory(struct paradl_arena *arena, const struct paradl_network *network,
	struct paradl_inventory *inventory, struct paradl_error *error)
{
	return inventory_take(arena, network->network, inventory, error);
}

struct paradl_algorithm_info paradl_algorithm(size_t index)
{
	size_t count = 0;
	while (collectives[count])
		++count;
	if (index >= count)
		return (struct paradl_algorithm_info){0};
	const struct collective *collective = collectives[index];
	return (struct paradl_algorithm_info){collective->name, collective->summary, collective->source,
		(enum paradl_operation)collective->operation, collective->sparse};
}

_Static_assert(sizeof(((struct paradl_topology_info *)0)->keys) / sizeof(struct paradl_topology_key) >=
		       TOPOLOGY_KEYS_MAX,
	"keys do not fit");

struct paradl_topology_info paradl_topology(size_t index)
{
	size_t count = 0;
	struct paradl_topology_info info = {0};
	while (topologies[count])
		++count;
	if (index >= count)
		return info;
	const struct topology *topology = topologies[index];
	info.name = topology->name;
	info.summary = topology->summary;
	info.shape = topology->shape;
	info.source = topology->source;
	for (unsigned i = 0; i < TOPOLOGY_KEYS_MAX && topology->keys[i].name; ++i) {
		info.keys[i].name = topology->keys[i].name;
		info.keys[i].summary = topology->keys[i].summary;
		info.keys[i].initial = topology->keys[i].initial;
		info.keys[i].least = topology->keys[i].min;
		info.keys[i].most = topology->keys[i].max;
	}
	return info;
}
