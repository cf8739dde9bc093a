/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links of a device to its neighbours, and collectives on them as libraries and programs run them. */
#ifndef MACHINE_LINK_H
#define MACHINE_LINK_H

#include <stdbool.h>

/*
 * A boundary inside nodes without links from each device to each; groups of more than `devices` neighbours cross it.
 */
struct link_boundary {
	double devices; /* 0: there is none */
	double share;   /* share of a link's nominal rate that rings across it reach */
};

/* The device's own links to its neighbours, of which a node is made when no profile says more. */
struct device_link {
	double bytes_per_s;                                /* nominal rate of one device in one direction */
	double share;                                      /* share that large collectives reach */
	struct link_boundary beyond_switch, beyond_socket; /* through host memory; from socket to socket */
	double start_s, start_log_s; /* time of one collective: start_s + start_log_s log2(members) */
	double own;              /* a device's own part takes this share of a ring's step, inside a node */
	double ramp_s;           /* most extra time for messages that do not fill the links yet */
	double dispatch_start_s; /* time of one call of kernels that carry tokens to their experts; 0: not known */
	double dispatch_bytes_per_s; /* rate at which they send copies of tokens; 0: not known */
	const char *library;         /* library that was measured: "nccl"; NULL: none in particular */
	unsigned devices; /* devices that one domain joins, even of several nodes; 0: those of a node */
	double latency_s; /* time of a step, on top of start */
	double cycle_s;   /* clock cycle, unit of start and ramp where none is measured; 0: not known */
	double host_bytes_per_s; /* rate to host memory, for offload; 0: not known */
};

/* A collective of one group as a library runs it: link.c. All zero: the network alone. */
struct library_call {
	double start_s;
	double saved; /* share of the time on the wires, where the network's rate is that of a slower boundary */
	double own;       /* share of the time on the wires, for the device's own part */
	double ramp_s;    /* most extra time for messages that do not fill the links yet */
	double latency_s; /* part of the network's time that is latency of steps */
};

/* The members of a call. */
struct link_group {
	double members;
	double steps; /* steps of a ring through them; 0: messages */
	double span; /* devices of a node from the first member to the last; 0: members are in several nodes */
	double node; /* devices of a node */
};
struct library_call link_call(
	const struct device_link *link, const struct link_group *group, double latency_s);

/* Returns the share of a link's nominal rate that rings through `span` neighbours reach. */
double link_share(const struct device_link *link, double span);

/*
 * Returns how many of `places`, among which `experts` are dealt out evenly, a token visits on average that goes to
 * top_k experts.
 */
double link_places(double experts, unsigned top_k, double places);
/* Returns the seconds in which kernels send `bytes` of copies of tokens to the devices of their experts. */
static inline double link_dispatch_s(const struct device_link *link, double bytes)
{
	return link->dispatch_start_s + bytes / link->dispatch_bytes_per_s;
}

/* Returns the seconds of a collective for which the network alone takes network_s. */
static inline double library_s(const struct library_call *call, double network_s)
{
	const double wires_s = network_s > call->latency_s ? network_s - call->latency_s : 0;
	const double moving_s = (1 - call->saved) * wires_s;
	const double ramp_s = moving_s > 0 && call->ramp_s > 0
				      ? call->ramp_s * moving_s / (moving_s + call->ramp_s / 2)
				      : 0;
	return network_s - call->saved * wires_s + call->start_s + call->own * moving_s + ramp_s;
}

/* A collective on the devices of a node whose links are all alike: the network's curve there, in closed form. */
struct node_call {
	double members, bytes;
	double turns; /* parts of all others that pass a device's link: allreduce 2, others 1 */
	double hops;  /* steps one after another: turns (members - 1) in a ring, 1 to all others at once */
};
double link_node_s(const struct device_link *link, const struct node_call *call);
/*
 * Returns the seconds of an allreduce inside a node by one kernel of a serving program, where each device reads what
 * it needs from all others. It reads everything at once, or in two steps: a part to add up, then the sums. No link is
 * faster than the ports of a device inside the node, together: ports_bytes_per_s.
 */
double link_reduce_s(const struct device_link *link, double ports_bytes_per_s, double start_s, double members,
	double bytes);

#endif
