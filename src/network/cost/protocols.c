/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between nodes, NCCL sends messages by one of three protocols: words with a flag each (LL), lines of 128 bytes with
 * a flag (LL128), and plain data, after which the receiver is notified (Simple). Each hop takes a latency of the
 * protocol, not of the cable. For the fastest protocol:
 *     T = start + inside hops * latency + other steps * latency + (network's time, less its latency) / share
 * Constants are those of NCCL's own choice of algorithms and protocols (src/graph/tuning.cc, 2026-06): facts about
 * the library on NVLink, PCIe and InfiniBand. A ring between nodes also pays the network's overhead on each of its
 * hops. This overhead, 120 of 128 bytes in trees, and the rule that LL128 needs NVLink are as recalled of that file.
 * The time that a transport other than InfiniBand takes more is the machine's (transport of its profile).
 *
 * Measured times of collectives inside nodes have NCCL's start (machine/link.c), so they take the place of its
 * constant where there are any.
 */
#include "network/algorithm/lines.h"
#include "network/cost/hull.h"
#include "network/machine_network.h"

#include <math.h>
#include <string.h>

enum kind { RING, TREE, NVLS_TREE, KINDS };
enum { NVLINK, PCIE, BETWEEN, HOPS };

struct constants {
	const char *name;
	bool needs_order; /* messages must arrive in the order in which they are written */
	bool needs_nvlink;
	double start_s[KINDS], hop_s[KINDS][HOPS];
	double overhead_s;   /* least time of each hop of a ring between nodes */
	double share[KINDS]; /* 0: NCCL does not send so */
};

static const double nccl_start_s = 6.6e-6;

/*
 * NCCL's constants. Starts are relative to that of rings by LL. The rate of trees is 92 % of the links', of which LL
 * has a share of 1 / 3.8, LL128 120 of 128 bytes.
 */
static const struct constants nccl[LIBRARY_PROTOCOLS] = {
	{"LL", true, false, {0, 0.2e-6}, {{0.6e-6, 1e-6, 2.7e-6}, {0.6e-6, 1e-6, 5e-6}}, 1e-6,
		{0.5, 0.92 / 3.8, 0}},
	{"LL128", true, true, {7.4e-6, 7.4e-6}, {{1.9e-6, 2.5e-6, 4e-6}, {1.25e-6, 1.9e-6, 8.5e-6}}, 1e-6,
		{0.92, 0.92 * 120 / 128, 0}},
	{"Simple", false, false, {1.8e-6, 1.8e-6},
		{{3.4e-6, 5.7e-6, 14e-6}, {4e-6, 4e-6, 14e-6}, {0, 0, 14e-6}}, 3e-6, {1, 0.92, 1}},
};

/* Collectives that are sent so, and how often data goes around a ring or through a tree. */
static const struct sent {
	const struct collective *collective;
	enum kind kind;
	double trips;
} sent[] = {
	{&collective_allreduce_ring, RING, 2},
	{&collective_allreduce_double_tree, TREE, 2},
	{&collective_allreduce_nvls_tree, NVLS_TREE, 2},
	{&collective_allgather_ring, RING, 1},
	{&collective_reduce_scatter_ring, RING, 1},
	{&collective_broadcast_chain, RING, 1},
	{&collective_reduce_chain, RING, 1},
};

const char *machine_library(const struct paradl_machine *machine)
{
	const char *const own = machine->device.link.library;
	return machine->library ? machine->library : own ? own : "nccl";
}

/*
 * Returns whether NCCL's protocols are those of the machine. Protocols of a calibrated network already have the
 * library's times in them.
 */
static bool has_protocols(const struct paradl_machine *machine)
{
	return machine && !(machine->network && machine->network->protocol_count) &&
	       strcmp(machine_library(machine), "nccl") == 0;
}

static const struct sent *sent_of(const struct collective *collective)
{
	for (size_t i = 0; i < sizeof sent / sizeof *sent; ++i)
		if (sent[i].collective == collective)
			return &sent[i];
	return NULL;
}

/* Returns the steps inside nodes of one trip: around a ring, along a chain, or through the switch at once. */
static double hops_inside(enum kind kind, const struct communicator *comm)
{
	return kind == RING ? (double)comm->size - comm->nodes : kind == TREE ? node_most(comm) - 1.0 : 1;
}

/* Returns whether switches reduce, which has a protocol of its own. */
static bool is_in_switches(const struct collective *collective)
{
	const size_t length = strlen(collective->name);
	return (length > 5 && strcmp(collective->name + length - 5, "-nvls") == 0) ||
	       (length > 6 && strcmp(collective->name + length - 6, "-sharp") == 0);
}

/*
 * Returns the protocol as it sends the messages of an algorithm that NCCL does not have, as programs that run any
 * algorithm by its protocols do (MSCCL): latencies are the network's own, longer by what those between nodes are than
 * LL's.
 */
static struct library_protocol protocol_of_others(
	const struct constants *constants, const struct paradl_machine *machine)
{
	return (struct library_protocol){.name = constants->name,
		.start_s = constants->start_s[RING],
		.longer = constants->hop_s[RING][BETWEEN] / nccl[0].hop_s[RING][BETWEEN],
		.transport_s = machine->transport.latency_s,
		.share = constants->share[RING]};
}

static struct library_protocol protocol_of(const struct constants *constants,
	const struct paradl_machine *machine, const struct communicator *comm, const struct sent *how)
{
	const bool pcie = machine->device.link.beyond_switch.devices > 0;
	const double *const hop_s = constants->hop_s[how->kind];
	const double inside_s = hop_s[pcie ? PCIE : NVLINK];
	return (struct library_protocol){.name = constants->name,
		.start_s = how->kind == NVLS_TREE ? comm->nvls.start_s : constants->start_s[how->kind],
		.inside = how->trips * hops_inside(how->kind, comm),
		.inside_s = how->kind == RING ? fmax(inside_s, constants->overhead_s) : inside_s,
		.between_s = hop_s[BETWEEN] + machine->transport.latency_s,
		.share = constants->share[how->kind]};
}

unsigned library_protocols(const struct paradl_machine *machine, const struct communicator *comm,
	const struct collective *collective, struct library_protocol protocols[LIBRARY_PROTOCOLS])
{
	const struct sent *how = sent_of(collective);
	const bool is_left_out = collective->operation == ALL_TO_ALL ||
				 collective->operation == POINT_TO_POINT || collective->sparse ||
				 is_in_switches(collective);
	unsigned count = 0;
	if ((!how && is_left_out) || comm->nodes < 2 || !has_protocols(machine))
		return 0;
	for (unsigned i = 0; i < LIBRARY_PROTOCOLS; ++i) {
		const struct constants *constants = &nccl[i];
		if ((constants->needs_order && machine->transport.unordered) ||
			(constants->needs_nvlink && machine->device.link.beyond_switch.devices > 0) ||
			(how && !(constants->share[how->kind] > 0)))
			continue;
		protocols[count++] = how ? protocol_of(constants, machine, comm, how)
					 : protocol_of_others(constants, machine);
	}
	return count;
}

void protocol_apply(const struct library_protocol *protocol, double steps, struct hull *hull)
{
	const double own_s = hull_s(hull, 0);
	const double longer_s = (protocol->longer - 1) * fmax(0, own_s - steps * protocol->transport_s);
	const double hops_s = protocol->longer > 0 ? own_s + longer_s
						   : protocol->inside * protocol->inside_s +
							     (steps - protocol->inside) * protocol->between_s;
	const double latency_s = protocol->start_s + hops_s;
	for (unsigned i = 0; i < hull->count; ++i) {
		struct line *line = &hull->lines[i];
		line->a_s = latency_s + (line->a_s - own_s) / protocol->share;
		line->b_s_per_byte /= protocol->share;
	}
}

void protocols_account(
	const struct paradl_machine *machine, enum operation operation, struct library_call *call)
{
	const struct device_link *link = &machine->device.link;
	if (!has_protocols(machine))
		return;
	if (!link->library)
		call->start_s = nccl_start_s;
	else if (operation != ALL_TO_ALL && operation != POINT_TO_POINT)
		call->ramp_s = link->ramp_s;
}
