/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inventory of a network: the parts it is made of; paradl.h has the results. Figures that depend on the room
 * assume a floor of racks in rows. Racks and their distances are as Koibuchi et al. (ISCA 2012) lay out random
 * topologies, with Manhattan distance between racks.
 */
#ifndef NETWORK_GRAPH_INVENTORY_H
#define NETWORK_GRAPH_INVENTORY_H

#include "network/machine_network.h"
#include "paradl/network.h"

/* The role of a vertex, by where it lies and by the cables at it. */
enum role {
	ROLE_NOTHING, /* no cable, or a place in the network that no node takes */
	ROLE_DEVICE,
	ROLE_PORT,        /* port of a node */
	ROLE_NODE_SWITCH, /* switch with cables of the inside of a node */
	ROLE_SWITCH
};

/* Returns whether a cable of a first switch goes to a place that no node takes: it is drawn, but not bought. */
static inline bool cable_is_spare(const struct cable *cable, const unsigned char *roles)
{
	return roles[cable->from] == ROLE_NOTHING || roles[cable->to] == ROLE_NOTHING;
}
static inline bool kind_is_of_node(unsigned kind)
{
	return kind == LINK_DEVICE || kind == LINK_PCIE;
}

struct floor_plan {
	double rack_width_m, row_pitch_m;             /* pitch: depth of a rack and the aisle */
	double inside_m;                              /* length of a cable inside a rack */
	double overhead_m;                            /* extra length at each end of a cable between racks */
	double copper_m;                              /* longest cable without transceivers */
	unsigned devices_per_rack, switches_per_rack; /* switches are those in racks of their own */
};

/*
 * Returns the usual floor plan. Racks are 0.6 m wide at 2.1 m pitch; cables take 2 m inside a rack, and 2 m at each
 * end between racks: Koibuchi et al. Copper reaches 3 m: what IEEE 802.3cd asks of 50 Gb/s lanes (5 m at 25 Gb/s,
 * 802.3bj; 2 m at 100 Gb/s, 802.3ck). Devices per rack are as the profile says, else 32 in whole nodes. 16 switches
 * in a rack are a round number.
 */
struct floor_plan floor_plan_of(const struct network *network);

/*
 * The places of the racks. Devices fill racks in order. A switch goes to the middle one of the racks below it. The
 * switches farthest from devices, if they are two links or more away and there are several racks, go to racks of
 * their own, in the middle of the floor. Racks fill rows; there are as many rows as racks in a row, or one more.
 */
struct floor {
	unsigned racks, columns;
	unsigned own_first, own_count; /* place of the first rack of switches; how many there are */
	unsigned *rack; /* rack of each vertex: racks of devices, then those of switches; UINT_MAX: none */
};
bool floor_lay(struct paradl_arena *arena, const struct network *network, const unsigned char *roles,
	const struct floor_plan *plan, struct floor *floor);
/* Returns the length in metres of a cable between two racks, or inside one. */
double floor_cable_m(
	const struct floor *floor, const struct floor_plan *plan, unsigned from_rack, unsigned to_rack);

/*
 * Finds the most that devices with side 0 can send to those with side 1, over all routes: the maximum flow, which
 * equals the least cut between them. Insides of switches do not limit it. Negative: unlimited. False when out of
 * memory.
 */
bool cut_bytes_per_s(struct paradl_arena *arena, const struct graph *graph, const unsigned char *side,
	double *bytes_per_s);
/*
 * Finds the least cut between devices 0 .. n/2 - 1 (in whole nodes, if there are several) and the rest; in a grid
 * also between its halves along each extent, whichever is least. Halves of odd extents differ by one. False when out
 * of memory.
 */
bool bisection_bytes_per_s(struct paradl_arena *arena, const struct network *network, double *bytes_per_s);

struct distances {
	double most_hops, mean_hops;
	unsigned sampled;
};

/*
 * Power that all gear draws when nothing is sent, and its price; negative: not known. It is found at once, since the
 * rest of an inventory is left out.
 */
struct gear {
	double watt, price;
	double outside_watt; /* without cables inside nodes, whose power devices and nodes include; 0: not known */
};
bool inventory_gear(struct paradl_arena *arena, const struct network *network, struct gear *gear);

bool inventory_take(struct paradl_arena *arena, const struct network *network,
	struct paradl_inventory *inventory, struct paradl_error *error);
bool inventory_take_on(struct paradl_arena *arena, const struct network *network,
	const struct floor_plan *plan, struct paradl_inventory *inventory, struct paradl_error *error);

#endif
