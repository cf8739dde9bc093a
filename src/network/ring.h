/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_RING_H
#define NETWORK_RING_H

#include "network/network.h"

struct exchange {
	struct group group;
	unsigned rings; /* concurrent rings of the library's collective */
	bool ideal;     /* one nominal alpha and beta, no sharing */
};
double group_bytes_per_s(const struct paradl_machine *machine, const struct group *group, unsigned rings);
void ring_compile(const struct paradl_machine *machine, const struct exchange *exchange, double trips,
	struct curve *curve);
void message_compile(
	const struct paradl_machine *machine, const struct exchange *exchange, struct curve *curve);

#endif
