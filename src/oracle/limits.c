/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans have limits in the categories of ParaDL's table of limitations (inherent in the method) and bottlenecks
 * (removable: of the framework or the system). The largest share of the iteration that is not useful kernel time wins;
 * below 5 % the kernels themselves are the limit. For input, the resource that takes longest is named. Input that
 * alone takes longer than all the rest of a step is the limit, however little of it shows: what the rest takes hides
 * behind it, and a step with less of that is no shorter.
 */
#include <math.h>

#include "oracle/evaluation.h"
#include "oracle/replicas.h"

static const struct paradl_limit gradient = {PARADL_GRADIENT_EXCHANGE, PARADL_LIMITATION, 0,
	"gradient exchange",
	"a larger batch per device, faster links between nodes, or hiding the exchange behind backward"};
static const struct paradl_limit gradient_inside = {PARADL_GRADIENT_EXCHANGE, PARADL_LIMITATION, 0,
	"gradient exchange", "a larger batch per device, or hiding the exchange behind backward"};
static const struct paradl_limit gradient_host = {PARADL_GRADIENT_EXCHANGE, PARADL_BOTTLENECK, 0,
	"host time per gradient tensor",
	"a larger batch per device, or a training program that does less for each tensor of gradients"};
static const struct paradl_limit congestion = {PARADL_GRADIENT_EXCHANGE, PARADL_BOTTLENECK, 0,
	"waiting for the slowest node",
	"a quieter network and evenly loaded nodes, or fewer synchronisations"};
static const struct paradl_limit activation = {PARADL_ACTIVATION_EXCHANGE, PARADL_LIMITATION, 0,
	"activation exchange", "keep axes that cut layers inside a node, or lower their degrees"};
static const struct paradl_limit activation_inside = {PARADL_ACTIVATION_EXCHANGE, PARADL_LIMITATION, 0,
	"activation exchange",
	"lower degrees of the axes that cut layers, or hiding their exchanges behind compute"};
static const struct paradl_limit halo_staged = {PARADL_HALO_EXCHANGE, PARADL_BOTTLENECK, 0,
	"halo exchange through the host", "device-to-device messages (GPUDirect) instead of host staging"};
static const struct paradl_limit halo_direct = {PARADL_HALO_EXCHANGE, PARADL_LIMITATION, 0, "halo exchange",
	"fewer spatial pieces, or pieces along two dimensions"};
static const struct paradl_limit stage = {PARADL_STAGE_TRANSFER, PARADL_BOTTLENECK, 0,
	"transfers between stages", "faster links between stages, or stages inside a node"};
static const struct paradl_limit bubble = {PARADL_BUBBLE, PARADL_LIMITATION, 0,
	"pipeline bubble and uneven stages", "more micro-batches, or fewer stages"};
static const struct paradl_limit update = {PARADL_WEIGHT_UPDATE, PARADL_LIMITATION, 0, "weight update",
	"a larger batch, or weights divided over devices"};
static const struct paradl_limit update_divided = {
	PARADL_WEIGHT_UPDATE, PARADL_LIMITATION, 0, "weight update", "a larger batch, or faster memory"};
static const struct paradl_limit redundant = {PARADL_FORWARD, PARADL_BOTTLENECK, 0,
	"layers that are not divided", "a framework that divides them too, or a lower degree of this axis"};
static const struct paradl_limit recompute = {PARADL_RECOMPUTE, PARADL_LIMITATION, 0,
	"recomputed activations", "memory for the activations, or fewer stages"};
static const struct paradl_limit recompute_unstaged = {PARADL_RECOMPUTE, PARADL_LIMITATION, 0,
	"recomputed activations", "memory for the activations, or more devices that divide them"};
static const struct paradl_limit starts = {PARADL_FORWARD, PARADL_BOTTLENECK, 0, "starting kernels",
	"larger micro-batches, graphs of kernels (CUDA graphs), or fewer devices for each replica"};
static const struct paradl_limit kernels = {
	PARADL_BACKWARD, PARADL_LIMITATION, 0, "compute", "a faster device or a lower precision"};

/* Improvements where a resource of input is the slowest; none for the devices themselves. */
static const char *const input_improve[PARADL_RESOURCE_COUNT] = {
	[PARADL_RESOURCE_SHARED] = "a copy on the disks of each node, a larger cache, or more servers",
	[PARADL_RESOURCE_REQUESTS] =
		"samples packed into shards that are read from the start, or a copy on each node",
	[PARADL_RESOURCE_METADATA] = "samples packed into fewer, larger files",
	[PARADL_RESOURCE_CLIENT] =
		"a copy on the disks of each node, a larger cache, or more links to the file system",
	[PARADL_RESOURCE_LOCAL] = "more or faster disks in a node, or a larger cache",
	[PARADL_RESOURCE_PEERS] = "a copy on each node, a local or partial shuffle, or faster ports",
	[PARADL_RESOURCE_MEMORY] = "smaller samples: fewer bits, or compressed",
	[PARADL_RESOURCE_CORES] =
		"more cores for each GPU, preparation on the GPU, or samples stored as they are needed",
	[PARADL_RESOURCE_HOST_LINK] = "smaller samples: fewer bits, or decoded on the GPU",
	[PARADL_RESOURCE_EXCHANGE] = "a smaller share that changes hands, or one message for each iteration",
};

/* Returns the limit by input: its slowest resource, and the share of the step that waits. */
static struct paradl_limit input_limit(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, double waits)
{
	struct paradl_input input;
	unsigned slowest = PARADL_RESOURCE_SHARED;
	paradl_input(evaluation->oracle, estimate, NULL, &input);
	for (unsigned i = 0; i < PARADL_RESOURCE_COUNT; ++i)
		if (input_improve[i] && input.resource_s[i] > input.resource_s[slowest])
			slowest = i;
	return (struct paradl_limit){PARADL_INPUT, PARADL_BOTTLENECK, waits, paradl_resource_text(slowest),
		input_improve[slowest]};
}

void input_limit_consider(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const double step_s = estimate->iteration_s, waits = estimate->phase_s[PARADL_INPUT] / step_s;
	if (waits < PARADL_INPUT_WAITS_NOT)
		return;
	if (waits > estimate->limited_by.share || estimate->input_s > step_s * (1 - waits))
		estimate->limited_by = input_limit(evaluation, estimate, waits);
}

/* Returns the seconds in which replicas of undivided layers do the same: all but 1 / (model degrees) of their time. */
static double redundant_s(const struct evaluation *evaluation)
{
	const unsigned model_axes =
		evaluation->axes & (1u << PARADL_FILTER | 1u << PARADL_CHANNEL | 1u << PARADL_SPATIAL);
	const struct prepared *net = evaluation->net;
	double s = 0, degrees = 1;
	for (unsigned axis = PARADL_FILTER; axis < PARADL_AXIS_COUNT; ++axis)
		degrees *= evaluation->plan.degree[axis];
	for (unsigned i = 0; model_axes && i < net->model->layer_count; ++i)
		if (!(net->costs[i].cut & model_axes))
			s += net->model->layers[i].count *
			     (net->costs[i].forward_s + net->costs[i].backward_s);
	return s * (1 - 1 / degrees) * evaluation->micro_batches / evaluation->plan.degree[PARADL_PIPELINE];
}

static void consider(
	struct paradl_limit *best, const struct paradl_limit *limit, double s, double iteration_s)
{
	const double part = iteration_s > 0 ? s / iteration_s : 0;
	if (part > best->share) {
		*best = *limit;
		best->share = part;
	}
}

static const struct paradl_limit kernel_limits[BOUNDS] = {
	[BOUND_COMPUTE] = {PARADL_FORWARD, PARADL_LIMITATION, 0, "compute",
		"a faster device or a lower precision"},
	[BOUND_MEMORY] = {PARADL_FORWARD, PARADL_LIMITATION, 0, "reading weights and caches",
		"more sequences at a time, faster memory, a narrower format, or a higher tensor degree"},
	[BOUND_LAUNCH] = {PARADL_FORWARD, PARADL_BOTTLENECK, 0, "starting kernels",
		"more samples at a time, fused kernels, or fewer devices for each replica"},
};
static const struct paradl_limit turns = {PARADL_BUBBLE, PARADL_LIMITATION, 0,
	"stages that wait for one another", "more samples at a time than stages, or fewer stages"};

/* Returns the limit by exchanges of layers, whose remedy depends on whether any of them leaves a node. */
static const struct paradl_limit *activation_of(const struct evaluation *evaluation)
{
	for (unsigned load = 0; load < LAYER_LOADS; ++load)
		if (load_reach(evaluation, load) == LINKS_ACROSS)
			return &activation;
	return &activation_inside;
}

void inference_limits_fill(
	const struct evaluation *evaluation, const double shares[BOUNDS], struct paradl_estimate *estimate)
{
	const double *phase = estimate->phase_s, total = estimate->iteration_s;
	struct paradl_limit best = kernel_limits[BOUND_COMPUTE];
	best.share = shares[BOUND_COMPUTE];
	for (unsigned k = 0; k < BOUNDS; ++k)
		consider(&best, &kernel_limits[k], shares[k], 1);
	consider(&best, activation_of(evaluation), phase[PARADL_ACTIVATION_EXCHANGE], total);
	consider(&best, &halo_direct, phase[PARADL_HALO_EXCHANGE], total);
	consider(&best, &stage, phase[PARADL_STAGE_TRANSFER], total);
	consider(&best, &turns, phase[PARADL_BUBBLE], total);
	estimate->limited_by = best;
}

void limits_fill(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const double *phase = estimate->phase_s, total = estimate->iteration_s;
	const bool staged = evaluation->oracle->rules.staged;
	const double hidden = estimate->gradient_hidden_s;
	const double hidden_calls = estimate->communication_s - estimate->exposed_communication_s - hidden;
	struct paradl_limit best = {.share = 0};
	if (!(total > 0)) {
		estimate->limited_by = kernels;
		return;
	}
	/*
	 * Waiting and the host's time stand by themselves, although they are in the phases of kernels and exchanges;
	 * what is hidden limits nothing.
	 */
	const double exposed = fmax(phase[PARADL_GRADIENT_EXCHANGE] - hidden, 0);
	const double gradient_waits = fmin(estimate->gradient_waiting_s, exposed - estimate->gradient_host_s);
	const double calls = estimate->waiting_s - estimate->gradient_waiting_s;
	const bool in_halo = phase[PARADL_HALO_EXCHANGE] > 0;
	consider(&best, replicas_reach(evaluation) == LINKS_ACROSS ? &gradient : &gradient_inside,
		exposed - gradient_waits - estimate->gradient_host_s, total);
	consider(&best, &gradient_host, estimate->gradient_host_s, total);
	consider(&best, activation_of(evaluation),
		phase[PARADL_ACTIVATION_EXCHANGE] - (in_halo ? 0 : calls) - hidden_calls -
			estimate->host_exchange_waits_s,
		total);
	consider(&best, &starts, estimate->host_waits_s, total);
	consider(&best, staged ? &halo_staged : &halo_direct,
		phase[PARADL_HALO_EXCHANGE] - (in_halo ? calls : 0), total);
	consider(&best, &congestion, calls + gradient_waits, total);
	consider(&best, &stage, phase[PARADL_STAGE_TRANSFER], total);
	consider(&best, &bubble, phase[PARADL_BUBBLE], total);
	consider(&best, evaluation->plan.zero > 0 ? &update_divided : &update, phase[PARADL_WEIGHT_UPDATE],
		total);
	consider(&best, evaluation->plan.degree[PARADL_PIPELINE] > 1 ? &recompute : &recompute_unstaged,
		phase[PARADL_RECOMPUTE], total);
	consider(&best, &redundant, redundant_s(evaluation), total);
	if (best.share < 0.05 && phase[PARADL_INPUT] / total < 0.05) {
		best = kernels;
		best.share = (phase[PARADL_FORWARD] + phase[PARADL_BACKWARD]) / total;
	}
	estimate->limited_by = best;
	input_limit_consider(evaluation, estimate);
}
