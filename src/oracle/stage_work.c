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

static void exchanges_fill(
	const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work)
{
	const struct framework_training *training = &evaluation->oracle->framework->training;
	const double overlap[TOKEN_AXES] = {[PARADL_EXPERT - PARADL_EXPERT] = training->overlap_experts,
		[PARADL_TENSOR - PARADL_EXPERT] = training->overlap_tensor};
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
	work->exchange_s[PASS_BACKWARD] += again * (1 - training->overlap_tensor);
	work->hidden_s += again * training->overlap_tensor;
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
	const double host_forward = term[STAGE_HOST_S] +
				    training->host_collective_s * term[STAGE_CALLS_FORWARD] +
				    training->host_micro_batch_s;
	const double host_backward = backward_host * term[STAGE_HOST_S] + term[STAGE_HOST_AGAIN_S] +
				     training->host_collective_s * term[STAGE_CALLS_BACKWARD] +
				     training->host_micro_batch_s;
	const double forward_s =
		work->forward_s + work->exchange_s[PASS_FORWARD] + work->halo_s[PASS_FORWARD];
	const double backward_s = work->backward_s + work->weight_s + work->again_s +
				  work->exchange_s[PASS_BACKWARD] + work->halo_s[PASS_BACKWARD];
	work->host_s = host_forward + host_backward;
	work->device_s = forward_s + backward_s;
	if (training->host_exposed > 0) {
		work->forward_total_s = forward_s + training->host_exposed * host_forward;
		work->backward_total_s = backward_s + training->host_exposed * host_backward;
		return;
	}
	work->forward_total_s = together_s(forward_s, host_forward, sharpness);
	work->backward_total_s = together_s(backward_s, host_backward, sharpness);
}
