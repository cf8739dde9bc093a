/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file has the causes of gaps in the network of the machine, and in ranks that come late to it. */
#include "study/diagnose.h"

static bool on_nodes(const struct diagnosing *diagnosing)
{
	return diagnosing_nodes(diagnosing) > 1;
}

static bool communicates(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->communication_s > 0;
}

static double one(const struct diagnosing *diagnosing)
{
	(void)diagnosing;
	return 1;
}

static double ring_between_nodes(const struct diagnosing *diagnosing)
{
	return machine_ring_bytes_per_s(diagnosing->oracle->machine, true);
}

static bool link_rate_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	counterfactual_rates(model, true, value / ring_between_nodes(diagnosing));
	return true;
}

const struct cause cause_link_rate = {
	.name = "link-rate",
	.summary = "links between nodes at another rate than in their profile",
	.category = "communication",
	.origin = "system",
	.quantity = "the rate of a ring between nodes",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "nccl-tests or OSU between two nodes; NCCL_DEBUG=INFO: NET/IB, not NET/Socket (TCP); "
		 "GPUDirect; link width and speed (ibstat); paradl calibrate mpi",
	.phases = PHASES_COMMUNICATION | 1 << PARADL_BUBBLE,
	.applies = on_nodes,
	.assumed = ring_between_nodes,
	.down = 100,
	.up = 4,
	.change = link_rate_change,
};

static bool node_link_rate_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->machine->devices_per_node > 1 && diagnosing->estimate->devices > 1;
}

static double ring_inside_node(const struct diagnosing *diagnosing)
{
	return machine_ring_bytes_per_s(diagnosing->oracle->machine, false);
}

static bool node_link_rate_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	counterfactual_rates(model, false, value / ring_inside_node(diagnosing));
	return true;
}

const struct cause cause_node_link_rate = {
	.name = "node-link-rate",
	.summary = "links inside nodes at another rate than in their profile",
	.category = "communication",
	.origin = "system",
	.quantity = "the rate of a ring inside a node",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "nvidia-smi topo -m and nvlink -s; NCCL_DEBUG=INFO: P2P/CUMEM or SHM; NCCL_P2P_DISABLE; "
		 "nccl-tests in one node",
	.phases = PHASES_COMMUNICATION | 1 << PARADL_BUBBLE,
	.applies = node_link_rate_applies,
	.assumed = ring_inside_node,
	.down = 100,
	.up = 4,
	.change = node_link_rate_change,
};

static const struct level *level_of(const struct diagnosing *diagnosing)
{
	const struct paradl_machine *machine = diagnosing->oracle->machine;
	return &machine->levels[machine->level_count > 1 && diagnosing_nodes(diagnosing) > 1 ? 1 : 0];
}

static bool port_applies(const struct diagnosing *diagnosing)
{
	return diagnosing_nodes(diagnosing) > 1 && !diagnosing->oracle->machine->network &&
	       level_of(diagnosing)->ports > 1;
}

static bool port_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const unsigned ports = level_of(diagnosing)->ports;
	const unsigned left = ports >> ((unsigned)value + 1);
	if (value >= 3 || left < 1)
		return false;
	for (unsigned i = 1; i < model->machine.level_count; ++i)
		if (model->machine.levels[i].ports > left)
			model->machine.levels[i].ports = left;
	model->curve_times[1] *= (double)ports / left;
	model->changed = true;
	return true;
}

static const char *port_call(const struct diagnosing *diagnosing, double value)
{
	const unsigned ports = level_of(diagnosing)->ports;
	return arena_printf(diagnosing->arena, "only %u of the %u ports of each node carried traffic",
		ports >> ((unsigned)value + 1), ports);
}

/* A port of each node, or a link of each device, carries nothing. */
const struct cause cause_port = {
	.name = "port",
	.summary = "ports of the nodes that carry nothing",
	.category = "communication",
	.origin = "system",
	.check = "counters of all ports (ibstat, /sys/class/infiniband/*/ports/*/counters) during the run; "
		 "NCCL_IB_HCA and NCCL_DEBUG=INFO, which lists the devices in use",
	.phases = PHASES_COMMUNICATION,
	.applies = port_applies,
	.change = port_change,
	.call = port_call,
};

/*
 * Returns the seconds of a start-up as the framework counts them: for each gradient tensor, or for each collective
 * call of layers of tokens.
 */
static double start_s(const struct diagnosing *diagnosing)
{
	const struct rules *rules = diagnosing_rules(diagnosing);
	return diagnosing->oracle->model->tokens ? rules->collective_call_s : rules->gradient_tensor_s;
}

/*
 * Longest start-up, between processes on one machine and over TCP to another: nothing that is still a start-up takes
 * longer.
 */
static const double longest_start_s = 5e-3;

static void message_start_range(
	const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed > 0 ? assumed / 20 : 1e-7;
	*high = assumed > longest_start_s ? assumed : longest_start_s;
}

static bool message_start_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double more_s = value - start_s(diagnosing);
	struct rules *rules = counterfactual_rules(diagnosing, model);
	if (!diagnosing->oracle->model->tokens)
		rules->gradient_tensor_s += more_s;
	if (rules->collective_call_s + more_s > 0)
		rules->collective_call_s += more_s;
	model->changed = true;
	return true;
}

/* Many small messages, each with a start-up of its own: per tensor, per call, per bucket. */
const struct cause cause_message_start = {
	.name = "message-start",
	.summary = "the start-up of many small messages",
	.category = "communication",
	.origin = "framework",
	.quantity = "the start-up of each message",
	.dimension = DIMENSION_TIME,
	.check = "how many collectives a step has and how large they are (nsys; NCCL_DEBUG_SUBSYS=COLL): "
		 "bucket_cap_mb of DDP, fusion of tensors; the latency of an allreduce of 8 bytes "
		 "(nccl-tests)",
	.phases = 1 << PARADL_GRADIENT_EXCHANGE | 1 << PARADL_ACTIVATION_EXCHANGE,
	.applies = communicates,
	.assumed = start_s,
	.range = message_start_range,
	.change = message_start_change,
};

static bool contention_applies(const struct diagnosing *diagnosing)
{
	return diagnosing_nodes(diagnosing) > 1 && diagnosing->estimate->communication_s > 0;
}

static bool contention_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	counterfactual_rates(model, true, 1 / value);
	return true;
}

/*
 * Returns evidence from communication in several steps: steps that differ speak for contention (2), steps that are
 * all alike against it (0).
 */
static double contention_evidence(const struct diagnosing *diagnosing)
{
	static const double differ = 1.2, alike = 1.03;
	double most = 0;
	for (size_t i = 0; i < diagnosing->measurement->count; ++i) {
		const struct paradl_measured_time *time = &diagnosing->measurement->times[i];
		const unsigned communication = PHASES_COMMUNICATION;
		const bool sends = time->part == PARADL_PART_COMMUNICATION ||
				   (time->part < PARADL_PHASE_COUNT && communication & 1U << time->part);
		if (sends && time->quickest_s > 0 && time->slowest_s / time->quickest_s > most)
			most = time->slowest_s / time->quickest_s;
	}
	return most > differ ? 2 : most > 0 && most < alike ? 0 : 0.9;
}

/*
 * Other traffic on the same links. Messages that cross nodes take phi times longer, as with links that slow, but not
 * at all times: steps differ.
 */
const struct cause cause_contention = {
	.name = "contention",
	.summary = "other traffic on the links between nodes",
	.category = "communication",
	.origin = "system",
	.quantity = "contention phi between nodes",
	.check = "the same job at another time and on neighbouring nodes (one leaf switch); congestion "
		 "counters of the switches; adaptive routing",
	.phases = PHASES_COMMUNICATION,
	.applies = contention_applies,
	.assumed = one,
	.down = 1,
	.up = 100,
	.change = contention_change,
	.evidence = contention_evidence,
};

/* Returns the phase whose time includes waiting for the slowest rank. */
static unsigned waiting_phase(const struct diagnosing *diagnosing)
{
	if (diagnosing->part_s[PARADL_GRADIENT_EXCHANGE] > 0)
		return PARADL_GRADIENT_EXCHANGE;
	return diagnosing->part_s[PARADL_HALO_EXCHANGE] > 0 ? PARADL_HALO_EXCHANGE
							    : PARADL_ACTIVATION_EXCHANGE;
}

static double straggler_s(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->waiting_s;
}

static void straggler_range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	*low = 0;
	*high = assumed + 2 * diagnosing->part_s[PARADL_PART_TOTAL];
}

static bool straggler_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	model->more_s[waiting_phase(diagnosing)] += value - straggler_s(diagnosing);
	return true;
}

/*
 * Returns evidence from several ranks: how much longer than the median the slowest computes. 2: more than 4 % of
 * compute, 0: less than 1 %; 0.5 from one rank alone.
 */
static double straggler_evidence(const struct diagnosing *diagnosing)
{
	static const double alike = 0.01;
	double late_s = 0, all_s = 0;
	if (diagnosing->measurement->ranks < 2)
		return 0.5;
	for (size_t i = 0; i < diagnosing->measurement->count; ++i) {
		const struct paradl_measured_time *time = &diagnosing->measurement->times[i];
		const unsigned compute = PHASES_COMPUTE;
		if (time->part >= PARADL_PHASE_COUNT ? time->part == PARADL_PART_COMPUTE
						     : (compute & 1U << time->part) != 0) {
			late_s += time->most_s - time->seconds;
			all_s += time->seconds;
		}
	}
	return late_s > 4 * alike * all_s ? 2 : late_s < alike * all_s ? 0 : 1;
}

/* Ranks that come late: the others wait for them in the next exchange. */
const struct cause cause_straggler = {
	.name = "straggler",
	.summary = "ranks that come late to exchanges",
	.category = "scaling",
	.origin = "system",
	.quantity = "waiting for the slowest rank in each iteration",
	.dimension = DIMENSION_TIME,
	.linear = true,
	.check = "times of compute of each rank (one trace a rank): one slow node (clocks, ECC, a busy "
		 "processor), or unequal work",
	.phases = PHASES_COMMUNICATION,
	.applies = communicates,
	.assumed = straggler_s,
	.range = straggler_range,
	.change = straggler_change,
	.evidence = straggler_evidence,
};
