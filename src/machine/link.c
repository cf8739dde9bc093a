/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives as a library runs them. To the time of the wires, which is that of the network, w of it without the latency of
 * steps, it adds
 *     start + start_log log2(members)      of each call
 * and inside a node
 *     own w / s                            a device's own part is copied, too; s steps of a ring
 *     ramp w / (w + ramp / 2)              messages that do not fill the links yet: w once more where that is half of ramp
 * Chosen on NCCL's times inside nodes of A100, H100 and B200 (nccl-tests by size, operation and devices): errors are a median
 * of 6 %.
 */
#include <math.h>

#include "machine/device.h"

double link_places(double experts, unsigned top_k, double places)
{
	const double left = experts - experts / places;
	double none = 1; /* the chance that a place has none of a token's experts */
	for (unsigned i = 0; i < top_k && none > 0; ++i)
		none *= left > i ? (left - i) / (experts - i) : 0;
	return places * (1 - none);
}

struct library_call link_call(
	const struct device_link *link, double members, double steps, bool is_inside, double latency_s)
{
	return (struct library_call){.start_s = link->start_s + link->start_log_s * log2(members),
		.own = is_inside && steps > 0 ? link->own / steps : 0,
		.ramp_s = is_inside ? link->ramp_s : 0,
		.latency_s = latency_s};
}

double link_node_s(const struct device_link *link, const struct node_call *call)
{
	const double latency_s = call->hops * link->latency_s;
	const double wire_s = call->turns * (call->members - 1) / call->members * call->bytes /
			      (link->bytes_per_s * link->share);
	const struct library_call library =
		link_call(link, call->members, call->turns * (call->members - 1), true, latency_s);
	return library_s(&library, latency_s + wire_s);
}
