/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes collectives as a library runs them. The time of the wires is that of the network; w is that time without
 * the latency of steps. A library adds
 *     start + start_log log2(members)      for each call
 * and inside a node
 *     own w / s                            a device's own part is copied, too; s steps of a ring
 *     ramp w / (w + ramp / 2)              messages do not fill the links yet: w once more where that is half of ramp
 * The form was chosen on NCCL's times inside nodes of A100, H100 and B200 (nccl-tests by size, operation and
 * devices): errors are a median of 6 %.
 *
 * Where a node has no links from each device to each, as with PCIe alone, a ring is as fast as the slowest boundary
 * that it crosses. Below one switch devices write to one another, beyond the switch data is staged in host memory,
 * and farther away it crosses sockets. The network's rate is that of rings through the whole node.
 */
#include <math.h>

#include "machine/device.h"

double link_places(double experts, unsigned top_k, double places)
{
	const double left = experts - experts / places;
	double none = 1; /* probability that a place has none of a token's experts */
	for (unsigned i = 0; i < top_k && none > 0; ++i)
		none *= left > i ? (left - i) / (experts - i) : 0;
	return places * (1 - none);
}

double link_share(const struct device_link *link, double span)
{
	const struct link_boundary *socket = &link->beyond_socket, *host = &link->beyond_switch;
	return socket->devices > 0 && span > socket->devices ? socket->share
	       : host->devices > 0 && span > host->devices   ? host->share
							     : link->share;
}

struct library_call link_call(
	const struct device_link *link, const struct link_group *group, double latency_s)
{
	const bool is_inside = group->span > 0;
	return (struct library_call){.start_s = link->start_s + link->start_log_s * log2(group->members),
		.saved = is_inside ? 1 - link_share(link, group->node) / link_share(link, group->span) : 0,
		.own = is_inside && group->steps > 0 ? link->own / group->steps : 0,
		.ramp_s = is_inside ? link->ramp_s : 0,
		.latency_s = latency_s};
}

double link_node_s(const struct device_link *link, const struct node_call *call)
{
	const double latency_s = call->hops * link->latency_s;
	const double wire_s = call->turns * (call->members - 1) / call->members * call->bytes /
			      (link->bytes_per_s * link_share(link, call->members));
	const struct link_group group = {.members = call->members,
		.steps = call->turns * (call->members - 1),
		.span = call->members,
		.node = call->members};
	const struct library_call library = link_call(link, &group, latency_s);
	return library_s(&library, latency_s + wire_s);
}

double link_reduce_s(const struct device_link *link, double ports_bytes_per_s, double start_s, double members,
	double bytes)
{
	const double most = link->bytes_per_s < ports_bytes_per_s ? link->bytes_per_s : ports_bytes_per_s;
	const double rate = most * link_share(link, members);
	const double at_once_s = start_s + (members - 1) * bytes / rate;
	const double in_parts_s = 2 * start_s + 2 * (members - 1) / members * bytes / rate;
	return at_once_s < in_parts_s ? at_once_s : in_parts_s;
}
