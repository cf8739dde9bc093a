/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rates of storage tiers and of a node's network.
 *
 * A tier's table of clients is interpolated between its rows. Fewer clients than the first row, and more than the last, read as
 * much each as those of that row; the rate of the tier, where it is known, is the limit.
 */
#include <math.h>

#include "input/input.h"

/*
 * Of a shared file system in use that nobody has measured. In a figure of Nguyen et al. (IPDPS'22) 512 readers of ABCI's Lustre
 * read for 26.7 s and wait for 67.8 s in the gradient exchange (73.1 s, of which 5.3 s without waiting): E[slowest] / mean = 3.54,
 * and so a variation of 0.72; derived.
 */
static const double busy_variation = 0.7;

static double table_read(const struct storage_tier *tier, double clients)
{
	const struct storage_row *const rows = tier->rows;
	unsigned next = 0;
	while (next < tier->row_count && rows[next].clients < clients)
		++next;
	if (next == 0)
		return rows[0].read_bytes_per_s * clients / rows[0].clients;
	const struct storage_row *const row = &rows[next - 1];
	if (next == tier->row_count)
		return row->read_bytes_per_s * clients / row->clients;
	return row->read_bytes_per_s + (row[1].read_bytes_per_s - row->read_bytes_per_s) *
					       (clients - row->clients) / (row[1].clients - row->clients);
}

double tier_read(const struct storage_tier *tier, double clients)
{
	const double limit = tier->read_bytes_per_s > 0 ? tier->read_bytes_per_s : HUGE_VAL;
	if (!tier->row_count)
		return limit;
	if (tier->scope == STORAGE_SYSTEM)
		return fmin(limit, table_read(tier, clients));
	double most = 0; /* of one node: its programs read with as many threads as are best */
	for (unsigned i = 0; i < tier->row_count; i++)
		most = fmax(most, tier->rows[i].read_bytes_per_s);
	return fmin(limit, most);
}

double tier_variation(const struct storage_tier *tier)
{
	if (tier->variation >= 0)
		return tier->variation;
	return tier->scope == STORAGE_SYSTEM ? busy_variation : 0;
}

double node_network(const struct paradl_machine *machine)
{
	if (machine->host.network_bytes_per_s > 0)
		return machine->host.network_bytes_per_s;
	if (machine->level_count < 2)
		return HUGE_VAL;
	const struct level *const outermost = &machine->levels[machine->level_count - 1];
	const double ports = outermost->ports > 0 ? outermost->ports : 1;
	return outermost->bandwidth_bytes_per_s > 0 ? outermost->bandwidth_bytes_per_s * ports : HUGE_VAL;
}
