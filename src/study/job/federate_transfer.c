/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Transfers between many clients and one server. At any time the server's rate is shared max-min fairly: each client
 * that transfers has its own rate or, where that is more, the same level as all others that could have more. Events
 * are starts and ends of transfers.
 */
#include <math.h>

#include "study/job/federated.h"

/* Gives transfers that are under way at now_s their own rate, the others 0; *wanting: the clients of the former. */
static void begin_shares(struct transfer *transfers, size_t count, double now_s, double *wanting)
{
	*wanting = 0;
	for (size_t i = 0; i < count; i++) {
		struct transfer *const transfer = &transfers[i];
		const bool busy = transfer->left_bytes > 0 && transfer->start_s <= now_s;
		transfer->now_bytes_per_s = busy ? transfer->bytes_per_s : 0;
		*wanting += busy ? transfer->count : 0;
	}
}

/*
 * Divides the server's rate. The level rises from an equal share of all while the own rate of some is below it: at
 * most as often as there are transfers, because each time at least one more is found to be below.
 */
static void share_server(struct transfer *transfers, size_t count, double now_s, double server_bytes_per_s)
{
	double level = 0, left = server_bytes_per_s, wanting = 0;
	begin_shares(transfers, count, now_s, &wanting);
	for (size_t round = 0; round < count && wanting > 0; round++) {
		level = left / wanting;
		left = server_bytes_per_s;
		wanting = 0;
		for (size_t i = 0; i < count; i++) {
			const struct transfer *const transfer = &transfers[i];
			if (transfer->now_bytes_per_s > level)
				wanting += transfer->count;
			else
				left -= transfer->count * transfer->now_bytes_per_s;
		}
	}
	if (wanting > 0)
		for (size_t i = 0; i < count; i++)
			transfers[i].now_bytes_per_s = fmin(transfers[i].now_bytes_per_s, level);
}

/* Returns when a transfer ends if nothing changes, or when it starts; HUGE_VAL: it is over. */
static double next_of(const struct transfer *transfer, double now_s)
{
	if (transfer->now_bytes_per_s > 0)
		return now_s + transfer->left_bytes / transfer->now_bytes_per_s;
	return transfer->left_bytes > 0 ? transfer->start_s : HUGE_VAL;
}

void transfers_run(struct transfer *transfers, size_t count, double server_bytes_per_s)
{
	double now_s = 0;
	for (size_t i = 0; i < count; i++) {
		transfers[i].left_bytes = transfers[i].count > 0 ? transfers[i].bytes : 0;
		transfers[i].end_s = transfers[i].start_s;
	}
	for (;;) {
		double next_s = HUGE_VAL;
		share_server(transfers, count, now_s, server_bytes_per_s > 0 ? server_bytes_per_s : HUGE_VAL);
		for (size_t i = 0; i < count; i++)
			next_s = fmin(next_s, next_of(&transfers[i], now_s));
		if (!(next_s < HUGE_VAL))
			return;
		for (size_t i = 0; i < count; i++) {
			struct transfer *const transfer = &transfers[i];
			if (!(transfer->now_bytes_per_s > 0))
				continue;
			if (next_of(transfer, now_s) <= next_s) {
				transfer->left_bytes = 0;
				transfer->end_s = next_s;
			} else {
				transfer->left_bytes -= (next_s - now_s) * transfer->now_bytes_per_s;
			}
		}
		now_s = next_s;
	}
}
