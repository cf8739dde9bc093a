/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORK_COLLECTIVE_RING_H
#define NETWORK_COLLECTIVE_RING_H

#include "network/network.h"

/*
 * One trip (allgather, reduce-scatter) or two (allreduce) around a ring of p members, bytes / p per step:
 *     ideal       T = trips (p - 1) (alpha + bytes / p * beta)                        Tag, Tar of ParaDL (HPDC'21)
 *     calibrated  T = trips ((n - 1) alpha_n + (p - n) alpha_0 + (p - 1) / p * bytes / rate)
 * The ring is pipelined through a node, so only n - 1 of its steps cross between the n nodes (the same count as in
 * NCCL's tuning model); rate is group_bytes_per_s.
 */
void ring_compile(const struct paradl_machine *machine, const struct exchange *exchange, double trips,
	struct curve *curve);

#endif
