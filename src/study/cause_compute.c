/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file has the causes of gaps in what devices compute. */
#include <math.h>

#include "study/diagnose.h"

static bool pipelined(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->plan.degree[PARADL_PIPELINE] > 1;
}

static double one(const struct diagnosing *diagnosing)
{
	(void)diagnosing;
	return 1;
}

static double product_rate(const struct diagnosing *diagnosing)
{
	const struct paradl_oracle *oracle = diagnosing->oracle;
	const struct device *device = &oracle->machine->device;
	const double sustained = oracle->model->tokens ? device->product.sustained[oracle->precision]
						       : device->contraction_share[oracle->precision];
	return device->peak_flop_per_s[oracle->precision] * (sustained > 0 ? sustained : device->efficiency);
}

static bool slow_compute_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double factor = value / product_rate(diagnosing);
	for (unsigned i = 0; i < PARADL_PRECISION_COUNT; ++i)
		model->machine.device.peak_flop_per_s[i] *= factor;
	model->changed = true;
	return true;
}

/* The device computes slower than its profile says: its clock, or kernels of a worse library. */
const struct cause cause_slow_compute = {
	.name = "slow-compute",
	.summary = "a device that computes at another rate than in its profile",
	.category = "compute",
	.origin = "system",
	.quantity = "the rate of products",
	.dimension = DIMENSION_FLOP_PER_S,
	.check = "clocks and power cap (nvidia-smi -q -d CLOCK,PERFORMANCE), other jobs on the device, "
		 "cudnn.benchmark, channels_last, sizes that fill no tiles; paradl calibrate gpu measures "
		 "the rate",
	.phases = PHASES_PASSES | 1 << PARADL_BUBBLE,
	.assumed = product_rate,
	.down = 50,
	.up = 2,
	.change = slow_compute_change,
};

static double memory_rate(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->machine->device.memory_bytes_per_s;
}

static bool slow_memory_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double factor = value / memory_rate(diagnosing);
	struct device *device = &model->machine.device;
	device->memory_bytes_per_s *= factor;
	for (unsigned i = 0; i < device->memory_level_count; ++i)
		device->memory_levels[i].bytes_per_s *= factor;
	model->changed = true;
	return true;
}

/* Passes over memory are slower, or there are more of them, than profiles say. */
const struct cause cause_slow_memory = {
	.name = "slow-memory",
	.summary = "passes over the device's memory at another rate than in its profile",
	.category = "compute",
	.origin = "framework",
	.quantity = "the rate of the device's memory",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "whether activations, norms and copies are fused (nsys: many elementwise kernels), memory "
		 "clocks, ECC; paradl calibrate gpu measures the rate",
	.phases = PHASES_COMPUTE | 1 << PARADL_BUBBLE,
	.assumed = memory_rate,
	.down = 50,
	.up = 2,
	.change = slow_memory_change,
};

static double host_s(const struct diagnosing *diagnosing)
{
	return diagnosing_rules(diagnosing)->host_layer_s;
}

static bool host_time_applies(const struct diagnosing *diagnosing)
{
	return !diagnosing->oracle->options.inference && diagnosing->oracle->model->order_count > 0;
}

static void host_time_range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed > 0 ? assumed / 20 : 1e-6;
	*high = assumed > 0 ? assumed * 200 : 0.1;
}

/*
 * Sets the host time of each layer. Networks of images then wait for the longer of host and device, layer by layer,
 * even if their framework never waits for the host.
 */
static bool host_time_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	struct rules *rules = counterfactual_rules(diagnosing, model);
	rules->host_layer_s = value;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT && !diagnosing->oracle->model->tokens; ++axis)
		rules->blocking[axis] = true;
	model->changed = true;
	return true;
}

/*
 * Returns evidence from a trace, which says how long the device had nothing to do: 2 above 15 % of the time, 0 below
 * 3 %.
 */
static double host_time_evidence(const struct diagnosing *diagnosing)
{
	static const double idle = 0.15, busy = 0.03;
	const double waiting = diagnosing->measurement->waiting_share;
	return waiting < 0 ? 1 : waiting > idle ? 2 : waiting < busy ? 0 : 1;
}

/* Kernels are short, and the host does not start them fast enough. */
const struct cause cause_host_time = {
	.name = "host-time",
	.summary = "kernels too short for the host to keep the device busy",
	.category = "compute",
	.origin = "framework",
	.quantity = "the host time of each layer",
	.dimension = DIMENSION_TIME,
	.check = "gaps between kernels (nsys), a larger batch per device, CUDA graphs or torch.compile, "
		 "calls that synchronise (.item(), printing of losses)",
	.phases = PHASES_PASSES | 1 << PARADL_BUBBLE,
	.applies = host_time_applies,
	.assumed = host_s,
	.range = host_time_range,
	.change = host_time_change,
	.evidence = host_time_evidence,
};

static bool redundancy_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->whole_s[0] > diagnosing->part_s[PARADL_FORWARD];
}

static void redundancy_range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed;
	*high = 1.5;
}

static bool redundancy_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	for (unsigned pass = 0; pass < 2; ++pass) {
		const unsigned phase = pass ? PARADL_BACKWARD : PARADL_FORWARD;
		model->more_s[phase] +=
			value * (diagnosing->whole_s[pass] - diagnosing->estimate->phase_s[phase]);
	}
	return true;
}

/*
 * Kernels of cut layers that do not get shorter in proportion (redundant computation: fewer filters fill a device
 * badly, and layers that are not cut run everywhere):
 *     t(p) = r t(1) + (1 - r) t_projected(p)
 */
const struct cause cause_redundancy = {
	.name = "redundancy",
	.summary = "cut layers that do not get faster in proportion",
	.category = "compute",
	.origin = "framework",
	.quantity = "the share of the undivided kernel time that stays on each device",
	.linear = true,
	.share = true,
	.check = "times of the cut layers' kernels at two degrees (nsys); which layers the program really "
		 "cuts; a lower degree with a larger local batch",
	.phases = PHASES_PASSES,
	.applies = redundancy_applies,
	.range = redundancy_range,
	.change = redundancy_change,
};

static const char *const precision_texts[PARADL_PRECISION_COUNT] = {
	[PARADL_FP32] = "it ran in fp32",
	[PARADL_TF32] = "it ran in tf32",
	[PARADL_FP16] = "it ran in fp16",
	[PARADL_BF16] = "it ran in bf16",
	[PARADL_FP16_MIXED] = "it ran in fp16-mixed",
	[PARADL_BF16_MIXED] = "it ran in bf16-mixed",
	[PARADL_FP8_MIXED] = "it ran in fp8-mixed",
	[PARADL_MXFP8_MIXED] = "it ran in mxfp8-mixed",
	[PARADL_FP4_MIXED] = "it ran in fp4-mixed",
};

static bool precision_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	if (value >= PARADL_PRECISION_COUNT)
		return false;
	model->options.override_precision = true;
	model->options.precision = (enum paradl_precision)value;
	model->changed = true;
	return true;
}

/* The program computes and sends in another number format. */
const struct cause cause_precision = {
	.name = "precision",
	.summary = "another number format than projected",
	.category = "compute",
	.origin = "framework",
	.check = "autocast and TF32 switches of the program, and the names of its kernels (nsys: sgemm, "
		 "hgemm, s1688, s16816)",
	.phases = PHASES_COMPUTE | PHASES_COMMUNICATION,
	.change = precision_change,
	.choices = precision_texts,
};

static const enum paradl_recompute recomputation_ways[] = {
	PARADL_RECOMPUTE_FULL, PARADL_RECOMPUTE_SELECTIVE, PARADL_RECOMPUTE_NONE, PARADL_RECOMPUTE_MODULES};
static const char *const recomputation_texts[] = {"whole blocks were computed again (recompute=full)",
	"attention scores were computed again (recompute=selective)",
	"nothing was computed again (recompute=none)",
	"cheap modules were computed again (recompute=modules)"}; /* last: not all networks have them */
enum { RECOMPUTATION_WAYS = sizeof recomputation_ways / sizeof recomputation_ways[0] };

static bool recomputation_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->model->tokens || diagnosing->estimate->plan.degree[PARADL_PIPELINE] > 1;
}

static bool recomputation_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const unsigned index = (unsigned)value;
	if (index >= RECOMPUTATION_WAYS || (recomputation_ways[index] == PARADL_RECOMPUTE_MODULES &&
						   !diagnosing->oracle->model->has_modules))
		return false;
	model->plan.recompute = recomputation_ways[index];
	model->changed = true;
	return true;
}

/* Activations are computed again in backward, which the plan does not say. */
const struct cause cause_recomputation = {
	.name = "recomputation",
	.summary = "other recomputation than projected",
	.category = "compute",
	.check = "gradient checkpointing in the training program, and recompute= of the plan",
	.phases = 1 << PARADL_RECOMPUTE | 1 << PARADL_BACKWARD | 1 << PARADL_BUBBLE,
	.applies = recomputation_applies,
	.change = recomputation_change,
	.choices = recomputation_texts,
};

/* Sets the size of a micro-batch to the divisor of the local batch with this index; false past the last. */
static bool micro_batches_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double batch = diagnosing->estimate->local_batch;
	unsigned index = (unsigned)value;
	for (unsigned size = 1; size <= batch && size <= 65536; ++size) {
		if (fmod(batch, size) > 0 || index-- > 0)
			continue;
		model->plan.micro = size;
		model->changed = true;
		return true;
	}
	return false;
}

static const char *micro_batches_call(const struct diagnosing *diagnosing, double value)
{
	struct counterfactual model = {.changed = false};
	const double batch = diagnosing->estimate->local_batch;
	if (!micro_batches_change(diagnosing, value, &model))
		return "";
	return arena_printf(diagnosing->arena,
		"there were %.0f micro-batches of %.0f samples instead of %.0f", batch / model.plan.micro,
		model.plan.micro, diagnosing->estimate->micro_batches);
}

/* The pipeline runs with another number of micro-batches than assumed. */
const struct cause cause_micro_batches = {
	.name = "micro-batches",
	.summary = "another number of micro-batches than assumed",
	.category = "compute",
	.check = "micro-batch size or chunks of the program, and micro= of the plan",
	.phases = 1 << PARADL_BUBBLE | 1 << PARADL_STAGE_TRANSFER | PHASES_PASSES,
	.applies = pipelined,
	.change = micro_batches_change,
	.call = micro_batches_call,
};

static bool imbalance_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double *phase_s = diagnosing->estimate->phase_s;
	model->more_s[PARADL_BUBBLE] += (value - 1) * (phase_s[PARADL_FORWARD] + phase_s[PARADL_BACKWARD] +
							      phase_s[PARADL_RECOMPUTE]);
	return true;
}

/*
 * Stages of a pipeline take unequal times. All wait for the slowest in each micro-batch, so a slowest stage of v
 * times the mean adds (v - 1) of a stage's busy time to the bubble.
 */
const struct cause cause_imbalance = {
	.name = "imbalance",
	.summary = "stages that are loaded unequally",
	.category = "compute",
	.quantity = "the slowest stage over the mean, beyond what is projected",
	.linear = true,
	.check = "compute of each stage (one trace a rank); split= of the plan deals blocks out by hand, and "
		 "paradl search --per-layer looks for better stages",
	.phases = 1 << PARADL_BUBBLE,
	.applies = pipelined,
	.assumed = one,
	.down = 1,
	.up = 20,
	.change = imbalance_change,
};
