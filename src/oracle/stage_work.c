/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stage takes, for one micro-batch,
 *     t = (device^q + host^q)^(1/q)   the host runs ahead unless it is slower; near to that both delay
 *     t = device + exposed host       where launches block (CUDA_LAUNCH_BLOCKING)
 * where device is kernels and the exposed part of collectives, and host a time for each block, call and micro-batch.
 */
#include <math.h>

#include "oracle/stage.h"

const double host_backward = 1.3;

static double together_s(double device_s, double host_s, double sharpness)
{
	if (!(host_s > 0))
		return device_s;
	if (!(device_s > 0))
		return host_s;
	const double larger = device_s > host_s ? device_s : host_s;
	const double ratio = device_s > host_s ? host_s / device_s : device_s / host_s;
	const double sum = 1 + pow(ratio, sharpness);
	return sum > 1 ? larger * pow(sum, 1 / sharpness) : larger;
}

struct overlaps overlaps_of(const struct evaluation *evaluation)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const unsigned apart = evaluation->plan.apart;
	struct overlaps overlaps = {0};
	if (!(apart & PARADL_OVERLAP_GRADIENTS)) {
		overlaps.gradients = rules->overlap_gradients;
		overlaps.gathers = rules->overlap_gathers;
		overlaps.shards = rules->overlap_shards;
	}
	if (!(apart & PARADL_OVERLAP_TENSOR))
		overlaps.axis[PARADL_TENSOR - PARADL_EXPERT] = rules->overlap_tensor;
	if (!(apart & PARADL_OVERLAP_EXPERTS))
		overlaps.axis[0] = rules->overlap_experts; /* expert is the first of these axes */
	return overlaps;
}

/* Fills the exposed part of each pass's exchanges: all but a share that its kernels hide, as long as these last. */
static void exchanges_fill(
	const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work)
{
	const struct overlaps overlaps = overlaps_of(evaluation);
	const double *term = stage->term, again = term[STAGE_AGAIN_EXCHANGE_S];
	const double kernels_s[2] = {work->forward_s, work->backward_s + work->weight_s + work->again_s};
	double all_s[2] = {0, again}, hidden_s[2] = {0, again * overlaps.axis[PARADL_TENSOR - PARADL_EXPERT]};
	for (unsigned pass = 0; pass < 2; ++pass) {
		for (unsigned axis = 0; axis < TOKEN_AXES && !stage->plain; ++axis) {
			const double s = term[STAGE_EXCHANGE_S + 2 * axis + pass];
			all_s[pass] += s;
			hidden_s[pass] += s * overlaps.axis[axis];
		}
		const double behind_s = stage->plain ? 0 : term[STAGE_HIDDEN_S + pass];
		hidden_s[pass] = fmin(hidden_s[pass], kernels_s[pass] - behind_s);
		work->exchange_s[pass] = term[STAGE_LAYERWISE_S + pass] + all_s[pass] - hidden_s[pass];
		work->halo_s[pass] = term[STAGE_HALO_S + pass];
		work->hidden_s += hidden_s[pass] + behind_s;
	}
}

/*
 * Adds transfers to host memory and back, one unit while the device works on another: only what takes longer than the
 * work is exposed. Weights come before each pass; what backward needs leaves in forward and comes in backward.
 */
static void offload_add(
	const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work)
{
	const unsigned offload = evaluation->plan.offload;
	const double rate = evaluation->oracle->machine->device.link.host_bytes_per_s;
	if (!(offload & (PARADL_OFFLOAD_WEIGHTS | PARADL_OFFLOAD_ACTIVATIONS)) || !(rate > 0))
		return;
	double bytes = 0;
	if (offload & PARADL_OFFLOAD_WEIGHTS)
		bytes += (stage->term[STAGE_WEIGHTS] + stage->term[STAGE_FROZEN]) *
			 precision_weight_bytes(evaluation->oracle->precision);
	if (offload & PARADL_OFFLOAD_ACTIVATIONS)
		bytes += stage->term[STAGE_KEPT] * evaluation->item_bytes;
	const double work_s[2] = {work->forward_s, work->backward_s + work->weight_s + work->again_s};
	for (unsigned pass = 0; pass < 2; ++pass) {
		const double hidden = bytes / rate < work_s[pass] ? bytes / rate : work_s[pass];
		work->exchange_s[pass] += bytes / rate - hidden;
		work->hidden_s += hidden;
	}
}

static void host_fill(const struct rules *rules, const double *term, double host_s[2])
{
	host_s[PASS_FORWARD] = term[STAGE_HOST_S];
	host_s[PASS_BACKWARD] = host_backward * term[STAGE_HOST_S] + term[STAGE_HOST_AGAIN_S];
	for (unsigned pass = 0; pass < 2; ++pass)
		host_s[pass] = host_s[pass] + rules->host_collective_s * term[STAGE_CALLS_FORWARD + pass] +
			       rules->host_micro_batch_s;
}

void stage_kernels_fill(const struct evaluation *evaluation, const double *term, struct stage_work *work)
{
	const double backward_s = term[STAGE_BACKWARD_S] + term[STAGE_WEIGHT_S];
	const double forward_share = backward_s > 0 ? 1 / (1 + host_backward) : 1;
	const double host_s = forward_share * term[STAGE_HOST_S];
	*work = (struct stage_work){.forward_s = term[STAGE_FORWARD_S],
		.backward_s = term[STAGE_BACKWARD_S],
		.again_s = term[STAGE_AGAIN_S],
		.weight_s = term[STAGE_WEIGHT_S]};
	if (evaluation->oracle->rules.host != HOST_STRETCHES)
		return;
	if (work->forward_s > 0)
		work->forward_s = fmax(work->forward_s, host_s);
	if (work->again_s > 0)
		work->again_s = fmax(work->again_s, forward_share * term[STAGE_HOST_AGAIN_S]);
	if (backward_s > 0) {
		const double stretch = fmax(1, (term[STAGE_HOST_S] - host_s) / backward_s);
		work->backward_s *= stretch;
		work->weight_s *= stretch;
	}
	work->waits_s = work->forward_s + work->backward_s + work->weight_s + work->again_s -
			(term[STAGE_FORWARD_S] + backward_s + term[STAGE_AGAIN_S]);
}

/* Returns the mean seconds per micro-batch of recomputing the whole stage for all micro-batches but the last. */
static double stage_again_s(
	const struct evaluation *evaluation, const struct stage *stage, const struct stage_work *work)
{
	const double count = evaluation->micro_batches;
	return (count - 1) / count *
	       (work->forward_s + work->exchange_s[PASS_FORWARD] - stage->gather_s +
		       work->halo_s[PASS_FORWARD]);
}

void stage_work_fill(const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double *term = stage->term;
	stage_kernels_fill(evaluation, term, work);
	exchanges_fill(evaluation, stage, work);
	if (evaluation->recomputes_stages)
		work->again_s = stage_again_s(evaluation, stage, work);
	offload_add(evaluation, stage, work);
	const double device_s[2] = {
		work->forward_s + work->exchange_s[PASS_FORWARD] + work->halo_s[PASS_FORWARD],
		work->backward_s + work->weight_s + work->again_s + work->exchange_s[PASS_BACKWARD] +
			work->halo_s[PASS_BACKWARD]};
	work->device_s = device_s[PASS_FORWARD] + device_s[PASS_BACKWARD];
	if (rules->host == HOST_RUNS_AHEAD || rules->host == HOST_BLOCKS)
		host_fill(rules, term, work->host_s);
	for (unsigned pass = 0; pass < 2; ++pass)
		work->total_s[pass] =
			rules->host == HOST_RUNS_AHEAD
				? together_s(device_s[pass], work->host_s[pass], rules->host_sharpness)
				: device_s[pass] + rules->host_exposed * work->host_s[pass];
}

void stage_work_ratios(const struct stage_work *work, double ratio[2])
{
	const double forward_s =
		work->forward_s + work->exchange_s[PASS_FORWARD] + work->halo_s[PASS_FORWARD];
	const double device_s[2] = {forward_s, work->device_s - forward_s};
	for (unsigned pass = 0; pass < 2; ++pass)
		ratio[pass] = device_s[pass] > 0 ? work->total_s[pass] / device_s[pass] : 0;
}
