/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges whether traffic between nodes goes through the kernel's TCP instead of the network's own protocol. One way
 * of a small message takes 1 to 5 us with RDMA (12 to 16 on EFA and in virtual machines), 15 to 60 with TCP. Small
 * allreduces of NCCL are compared with its own tuning constants for InfiniBand (NCCL src/graph/tuning.cc):
 *     6.8 us + 2 (0.6 us (devices of a node - 1) + 5 us log2 nodes)
 * Healthy fabrics take 0.75 to 2 times that; others pass too where their rate is that of RDMA.
 *
 * Judges whether only one network port of several is in use. Pairs of devices of two nodes that send at the same time
 * together get the rate of all ports, and a large allreduce passes its bus bandwidth through them. Neither exceeds the
 * rate of one port where the others are not used.
 */
#include <math.h>
#include <string.h>

#include "fit/verdict/verdict.h"
#include "machine/machine.h"

static const double small_bytes = 64;
static const double rdma_rate = 10e9; /* a port of 100 Gb/s, less its losses */
static const double slow_rate = 12e9; /* below the rate of one such port */
static const double slow_stream_s = 10e-6, tcp_rate = 5e9;
static const double odd_s = 15e-6, tcp_s = 30e-6;
static const double peer_s = 12e-6; /* most time of a small all-to-all for each other rank */

static const char check[] =
	"which transport is in use (NCCL_DEBUG=INFO: NET/IB or a plug-in, not NET/Socket; ucx_info -d; "
	"fi_info -p); "
	"plug-ins (libfabric CXI, EFA), NCCL_IB_DISABLE, NCCL_SOCKET_IFNAME, OMPI_MCA_btl, memlock limits";

static void say(struct calibration *calibration, const struct series *series, enum paradl_severity severity,
	const char *what, double measured_s, const char *usual)
{
	const struct verdict_head head = {
		severity, "tcp-fallback", cell_place(calibration, series->cells[0]), check};
	verdict_say(calibration, &head, "%s: %s takes %s, %s", series_name(calibration, series), what,
		verdict_quantity(calibration, measured_s, DIMENSION_TIME), usual);
}

static void judge_pair(struct calibration *calibration, const struct series *series, bool is_rdma)
{
	const double small_s = series_small_s(series, small_bytes);
	const struct cell *last = series_last(series);
	if (strcmp(series->way, "stream") == 0) {
		if (small_s <= slow_stream_s || cell_bytes(last) < 1 << 20 || series->groups > 1 ||
			cell_bytes(last) / last->seconds > tcp_rate)
			return;
		say(calibration, series, is_rdma ? PARADL_BAD : PARADL_SUSPECT, "a small message of a stream",
			small_s, "1 to 3 us with RDMA; large ones are slow too");
	} else if (small_s > tcp_s) {
		say(calibration, series, is_rdma ? PARADL_BAD : PARADL_SUSPECT, "a small message", small_s,
			"1 to 5 us with RDMA");
	} else if (small_s > odd_s && is_rdma) {
		say(calibration, series, PARADL_NOTE, "a small message", small_s,
			"1 to 5 us with RDMA, some 15 us on EFA and in virtual machines");
	}
}

static void judge_nccl(struct calibration *calibration, const struct series *series, bool is_rdma)
{
	const double small_s = series_small_s(series, small_bytes), rate = series_best_bus_rate(series);
	const unsigned node_devices = series->devices / series->nodes;
	const double floor_s = 6.8e-6 + 2 * (0.6e-6 * (node_devices - 1) + 5e-6 * log2(series->nodes));
	if (small_s <= 2 * floor_s || rate > slow_rate || cell_bytes(series_last(series)) < 16 << 20)
		return;
	const struct verdict_head head = {is_rdma ? PARADL_BAD : PARADL_SUSPECT, "tcp-fallback",
		cell_place(calibration, series->cells[0]), check};
	verdict_say(calibration, &head,
		"%s: small ones take %s where NCCL expects %s with RDMA, and large ones reach %s of bus "
		"bandwidth, "
		"less than one port of 100 Gb/s",
		series_name(calibration, series), verdict_quantity(calibration, small_s, DIMENSION_TIME),
		verdict_quantity(calibration, floor_s, DIMENSION_TIME),
		verdict_quantity(calibration, rate, DIMENSION_BYTES_PER_S));
}

static void judge_all_to_all(struct calibration *calibration, const struct series *series)
{
	const double small_s = series_small_s(series, small_bytes * series->devices);
	if (small_s <= peer_s * (series->devices - 1))
		return;
	say(calibration, series, PARADL_SUSPECT, "the smallest", small_s,
		"less than 5 us for each other rank with RDMA");
}

static void judge_transport(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	(void)list;
	const struct level *far = verdict_far_level(calibration);
	const bool is_rdma = far && far->bandwidth_bytes_per_s >= rdma_rate;
	if (series->nodes < 2 || !(series_small_s(series, small_bytes * series->devices) > 0))
		return;
	if (series_is(series, "point-to-point") && series_small_s(series, small_bytes) > 0)
		judge_pair(calibration, series, is_rdma);
	else if (series_is(series, "allreduce") && series_is_library(series, "nccl") &&
		 series_small_s(series, small_bytes) > 0)
		judge_nccl(calibration, series, is_rdma);
	else if (series_is(series, "all-to-all"))
		judge_all_to_all(calibration, series);
}

void judge_tcp_fallback(struct calibration *calibration)
{
	series_each(calibration, judge_transport);
}

static const double least_bytes = 4 << 20, least_share = 0.4, most_share = 1.1;

static bool is_judged_by_ports(const struct series *series, const struct level *far)
{
	const double bytes = cell_bytes(series_last(series));
	if (series->nodes < 2 || bytes < least_bytes)
		return false;
	if (series_is(series, "point-to-point"))
		return series->nodes == 2 && series->groups >= far->ports;
	return series_is(series, "allreduce") && series_is_library(series, "nccl") &&
	       series->devices / series->nodes >= far->ports;
}

static void judge_ports(
	struct calibration *calibration, const struct series_list *list, const struct series *series)
{
	(void)list;
	const struct level *far = verdict_far_level(calibration);
	if (!far || far->ports < 2)
		return;
	if (!is_judged_by_ports(series, far))
		return;
	const double rate =
		series_is(series, "allreduce")
			? series_best_bus_rate(series)
			: series->groups * cell_bytes(series_last(series)) / series_last(series)->seconds;
	const double share = rate / far->bandwidth_bytes_per_s;
	if (share < least_share || share > most_share)
		return;
	const struct verdict_head head = {PARADL_SUSPECT, "port-missing",
		cell_place(calibration, series_last(series)),
		"NCCL_IB_HCA and UCX_NET_DEVICES name all ports; state of each port (ibstat); "
		"binding of "
		"processes to the port nearest to their device; rails cabled to the same switches"};
	verdict_say(calibration, &head,
		"%s: a node's exchange runs at %s, what one of its %u ports of %s carries",
		series_name(calibration, series), verdict_quantity(calibration, rate, DIMENSION_BYTES_PER_S),
		far->ports, verdict_quantity(calibration, far->bandwidth_bytes_per_s, DIMENSION_BYTES_PER_S));
}

void judge_port_missing(struct calibration *calibration)
{
	series_each(calibration, judge_ports);
}
