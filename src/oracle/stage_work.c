/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time of a stage in one micro-batch.
 *     t = (device^q + host^q)^(1/q)   the host runs ahead unless it is slower; near to that both delay
 *     t = device + exposed host       where launches block (CUDA_LAUNCH_BLOCKING)
 *     device: kernels and the exposed part of collectives; host: so much for each block, call and micro-batch
 */
#include <math.h>

#include "oracle/stage_work.h"

/* Host time of backward / forward of a block: it starts twice the products and as many passes. */
static const double backward_host = 1.3;

static double together_s(double device_s, double host_s, double sharpness)
{
	if (!(host_s > 0))
		return device_s;
	if (!(device_s > 0))
		return host_s;
	const double larger = device_s > host_s ? device_s : host_s;
	const double ratio = device_s > host_s ? host_s / device_s : device_s / host_s;
	return larger * pow(1 + pow(ratio, sharpness), 1 / sharpness);
}

struct overlaps overlaps_of(const struct evaluation *evaluation)
{
	const struct framework_training *training = &evaluation->oracle->framework->training;
	const unsigned apart = evaluation->plan.apart;
	struct overlaps overlaps = {0};
	if (!(apart & PARADL_OVERLAP_GRADIENTS)) {
		overlaps.gradients = training->overlap_gradients;
		overlaps.gathers = training->overlap_gathers;
		overlaps.shards = training->overlap_shards;
	}
	if (!(apart & PARADL_OVERLAP_TENSOR))
		overlaps.tensor = training->overlap_tensor;
	if (!(apart & PARADL_OVERLAP_EXPERTS))
		overlaps.experts = training->overlap_experts;
	return overlaps;
}

static void exchanges_fill(
	const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work)
{
	const struct overlaps overlaps = overlaps_of(evaluation);
	const double overlap[TOKEN_AXES] = {[0] = overlaps.experts, /* the first of these axes */
		[PARADL_TENSOR - PARADL_EXPERT] = overlaps.tensor};
	for (unsigned pass = 0; pass < 2; ++pass) {
		work->exchange_s[pass] = stage->term[STAGE_LAYERWISE_S + pass];
		work->halo_s[pass] = stage->term[STAGE_HALO_S + pass];
		for (unsigned axis = 0; axis < TOKEN_AXES; ++axis) {
			const double s = stage->term[STAGE_EXCHANGE_S + 2 * axis + pass];
			work->exchange_s[pass] += s * (1 - overlap[axis]);
			work->hidden_s += s * overlap[axis];
		}
	}
	work->hidden_s += stage->term[STAGE_HIDDEN_S];
	const double again = stage->term[STAGE_AGAIN_EXCHANGE_S];
	work->exchange_s[PASS_BACKWARD] += again * (1 - overlaps.tensor);
	work->hidden_s += again * overlaps.tensor;
}

/*
 * What goes to host memory and comes back, one unit while the device works on another: only what takes longer than the
 * work shows. Weights come before each pass; what backward needs leaves in forward and comes in backward.
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

/* Graphs are launched whole: of the host only what experts wait for remains, which is in STAGE_HOST_S then. */
static void host_fill(const struct framework_training *training, const double *term, double host_s[2])
{
	const double each_s = training->graphs ? 0 : training->host_micro_batch_s;
	const double call_s = training->graphs ? 0 : training->host_collective_s;
	host_s[PASS_FORWARD] = term[STAGE_HOST_S] + call_s * term[STAGE_CALLS_FORWARD] + each_s;
	host_s[PASS_BACKWARD] = backward_host * term[STAGE_HOST_S] + term[STAGE_HOST_AGAIN_S] +
				call_s * term[STAGE_CALLS_BACKWARD] + each_s;
}

void stage_work_fill(const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work)
{
	const struct framework_training *training = &evaluation->oracle->framework->training;
	const double *term = stage->term;
	const double sharpness = training->host_sharpness > 0 ? training->host_sharpness : 4.4;
	*work = (struct stage_work){.forward_s = term[STAGE_FORWARD_S],
		.backward_s = term[STAGE_BACKWARD_S],
		.again_s = term[STAGE_AGAIN_S],
		.weight_s = term[STAGE_WEIGHT_S]};
	exchanges_fill(evaluation, stage, work);
	offload_add(evaluation, stage, work);
	double host_s[2];
	host_fill(training, term, host_s);
	const double forward_s =
		work->forward_s + work->exchange_s[PASS_FORWARD] + work->halo_s[PASS_FORWARD];
	const double backward_s = work->backward_s + work->weight_s + work->again_s +
				  work->exchange_s[PASS_BACKWARD] + work->halo_s[PASS_BACKWARD];
	work->host_s = host_s[PASS_FORWARD] + host_s[PASS_BACKWARD];
	work->host_pass_s[PASS_FORWARD] = host_s[PASS_FORWARD];
	work->host_pass_s[PASS_BACKWARD] = host_s[PASS_BACKWARD];
	work->device_s = forward_s + backward_s;
	if (training->host_exposed > 0) {
		work->forward_total_s = forward_s + training->host_exposed * host_s[PASS_FORWARD];
		work->backward_total_s = backward_s + training->host_exposed * host_s[PASS_BACKWARD];
		return;
	}
	work->forward_total_s = together_s(forward_s, host_s[PASS_FORWARD], sharpness);
	work->backward_total_s = together_s(backward_s, host_s[PASS_BACKWARD], sharpness);
}
