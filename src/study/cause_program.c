/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file has the causes of gaps in what a program sends, reads, holds and does outside of its steps. */
#include "study/diagnose.h"

static double one(const struct diagnosing *diagnosing)
{
	(void)diagnosing;
	return 1;
}

enum { GRADIENT_BYTES_CHOICES = 3 };
static const double gradient_bytes_factors[GRADIENT_BYTES_CHOICES] = {2, 0.5, 4};
static const char *const gradient_bytes_texts[GRADIENT_BYTES_CHOICES] = {
	"gradients were sent with twice the bytes (fp32, not 16 bits)",
	"gradients were sent with half the bytes (16 bits, not fp32)",
	"gradients were sent with four times the bytes"};

static bool gradient_bytes_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_GRADIENT_EXCHANGE] > 0;
}

static double gradient_item_bytes(const struct diagnosing *diagnosing)
{
	const double bytes = diagnosing_rules(diagnosing)->gradient_bytes;
	return bytes > 0 ? bytes : precision_weight_bytes(diagnosing->oracle->precision);
}

static bool gradient_bytes_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const struct paradl_oracle *oracle = diagnosing->oracle;
	const unsigned index = (unsigned)value;
	if (index >= GRADIENT_BYTES_CHOICES)
		return false;
	if (oracle->model->tokens)
		counterfactual_rules(diagnosing, model)->gradient_bytes =
			gradient_item_bytes(diagnosing) * gradient_bytes_factors[index];
	else if (index == 1 && precision_activation_bytes(oracle->precision) > 2)
		model->options.compress = "fp16";
	else if (index == 0 && precision_activation_bytes(oracle->precision) <= 2)
		model->times[PARADL_GRADIENT_EXCHANGE] *= 2;
	else
		return index + 1 < GRADIENT_BYTES_CHOICES; /* no change, so never better */
	model->changed = true;
	return true;
}

/* Gradients are sent with more or fewer bytes than the framework's profile says. */
const struct cause cause_gradient_bytes = {
	.name = "gradient-bytes",
	.summary = "gradients of another size",
	.category = "communication",
	.origin = "framework",
	.check = "the number format of gradients (DDP: fp16_compress_hook; Megatron: "
		 "--accumulate-allreduce-grads-in-fp32); NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=COLL prints "
		 "counts and types",
	.phases = 1 << PARADL_GRADIENT_EXCHANGE,
	.applies = gradient_bytes_applies,
	.change = gradient_bytes_change,
	.choices = gradient_bytes_texts,
};

static double overlap_share(const struct diagnosing *diagnosing)
{
	return diagnosing_rules(diagnosing)->overlap_gradients;
}

/* Returns whether compute hides some of the communication. */
static bool overlap_applies(const struct diagnosing *diagnosing)
{
	const struct paradl_estimate *estimate = diagnosing->estimate;
	return overlap_share(diagnosing) > 0 && estimate->communication_s > estimate->exposed_communication_s;
}

static void overlap_range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = 0;
	*high = assumed;
}

static bool overlap_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	struct rules *rules = counterfactual_rules(diagnosing, model);
	const double factor = value / overlap_share(diagnosing);
	if (value <= 0)
		model->plan.apart = PARADL_OVERLAP_GRADIENTS | PARADL_OVERLAP_TENSOR | PARADL_OVERLAP_EXPERTS;
	rules->overlap_gradients *= factor;
	rules->overlap_gathers *= factor;
	rules->overlap_tensor *= factor;
	rules->overlap_experts *= factor;
	rules->overlap_shards *= factor;
	model->changed = true;
	return true;
}

/* Communication is hidden behind compute less, or more, than the framework's profile says. */
const struct cause cause_overlap = {
	.name = "overlap",
	.summary = "less overlap of communication with compute than assumed",
	.category = "communication",
	.origin = "framework",
	.quantity = "the share of compute that hides communication",
	.linear = true,
	.share = true,
	.check = "whether kernels of NCCL run beside those of backward (nsys, streams); bucket sizes, "
		 "find_unused_parameters, CUDA_DEVICE_MAX_CONNECTIONS, synchronising calls",
	.phases = 1 << PARADL_GRADIENT_EXCHANGE | 1 << PARADL_ACTIVATION_EXCHANGE,
	.applies = overlap_applies,
	.assumed = overlap_share,
	.range = overlap_range,
	.change = overlap_change,
};

/* Algorithms of NCCL, RCCL and the usual MPI libraries. */
static const char *const algorithm_names[] = {"ring", "double-tree", "tree", "nvls", "sharp", "rabenseifner",
	"nvls-tree", "doubling", "leader", "ring-segmented", "linear"};
enum { ALGORITHM_NAMES = sizeof algorithm_names / sizeof algorithm_names[0] };

static bool algorithm_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_GRADIENT_EXCHANGE] > 0 && !diagnosing->estimate->plan.zero;
}

static bool algorithm_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	if (value >= ALGORITHM_NAMES)
		return false;
	model->options.algorithm = algorithm_names[(unsigned)value];
	model->changed = true;
	return true;
}

static const char *algorithm_call(const struct diagnosing *diagnosing, double value)
{
	return arena_printf(diagnosing->arena, "gradients went by allreduce-%s instead of %s",
		algorithm_names[(unsigned)value],
		diagnosing->estimate->gradient_algorithm ? diagnosing->estimate->gradient_algorithm
							 : "what is assumed");
}

/* The library uses another algorithm for the allreduce of gradients. */
const struct cause cause_algorithm = {
	.name = "algorithm",
	.summary = "another collective algorithm than assumed",
	.category = "communication",
	.origin = "framework",
	.check = "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=TUNING, NCCL_ALGO and NCCL_PROTO, or the coll module of "
		 "the MPI library",
	.cost = 0.03, /* it is one of ten algorithms */
	.phases = 1 << PARADL_GRADIENT_EXCHANGE,
	.applies = algorithm_applies,
	.change = algorithm_change,
	.call = algorithm_call,
};

/* Start-up and rate as fitted to ABCI's programs, which staged halos over MPI. */
static const double usual_latency_s = 0.27e-3, usual_bytes_per_s = 3.6e9;

static bool halo_staging_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->plan.degree[PARADL_SPATIAL] > 1;
}

static double staging_rate(const struct diagnosing *diagnosing)
{
	const struct rules *rules = diagnosing_rules(diagnosing);
	return rules->staged && rules->segment_count ? rules->segments[0].bytes_per_s : usual_bytes_per_s;
}

static bool halo_staging_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	struct rules *rules = counterfactual_rules(diagnosing, model);
	if (!rules->staged || !rules->segment_count) {
		rules->staged = true;
		rules->segment_count = 1;
		rules->segments[0] = (struct message_segment){0, usual_latency_s, usual_bytes_per_s};
	}
	for (unsigned i = 0; i < rules->segment_count; ++i)
		rules->segments[i].bytes_per_s *= value / staging_rate(diagnosing);
	model->changed = true;
	return true;
}

/* Halos pass through host memory, where device-to-device messages are assumed, or more slowly than assumed. */
const struct cause cause_halo_staging = {
	.name = "halo-staging",
	.summary = "halos that pass through host memory",
	.category = "communication",
	.origin = "framework",
	.quantity = "the rate of messages through host memory",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "whether the MPI library takes device pointers (ompi_info --parsable --all | grep "
		 "cuda_support; MPICH_GPU_SUPPORT_ENABLED), copies to the host around halos (nsys)",
	.phases = 1 << PARADL_HALO_EXCHANGE | 1 << PARADL_ACTIVATION_EXCHANGE,
	.applies = halo_staging_applies,
	.assumed = staging_rate,
	.down = 100,
	.up = 4,
	.change = halo_staging_change,
};

static bool input_stall_applies(const struct diagnosing *diagnosing)
{
	return !diagnosing->measurement->without_input && !diagnosing->oracle->options.inference;
}

static void input_stall_range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	*low = assumed;
	*high = diagnosing->measured_s[PARADL_PART_TOTAL] > 0 ? diagnosing->measured_s[PARADL_PART_TOTAL]
							      : 10 * diagnosing->part_s[PARADL_PART_TOTAL];
	if (diagnosing->measured_s[PARADL_INPUT] >= 0)
		*high = diagnosing->measured_s[PARADL_INPUT] + assumed;
}

static double input_s(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_INPUT];
}

static bool input_stall_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	model->more_s[PARADL_INPUT] = value - diagnosing->part_s[PARADL_INPUT];
	return true;
}

/* Returns 2 if input was measured; else 0.8, since waiting for input is one guess of many that a total allows. */
static double input_stall_evidence(const struct diagnosing *diagnosing)
{
	return diagnosing->measured_s[PARADL_INPUT] >= 0 ? 2 : 0.8;
}

/* Waiting for samples. */
const struct cause cause_input_stall = {
	.name = "input-stall",
	.summary = "waiting for input",
	.category = "input",
	.origin = "framework",
	.quantity = "waiting for samples in each step",
	.dimension = DIMENSION_TIME,
	.linear = true,
	.check = "paradl io with the same plan; workers of the loader, their processor time, and the same "
		 "run with samples made up in memory",
	.phases = 1 << PARADL_INPUT,
	.applies = input_stall_applies,
	.assumed = input_s,
	.range = input_stall_range,
	.change = input_stall_change,
	.evidence = input_stall_evidence,
};

static double update_bytes(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->optimizer->bytes_per_weight;
}

static bool update_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->part_s[PARADL_WEIGHT_UPDATE] > 0;
}

static bool update_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	model->times[PARADL_WEIGHT_UPDATE] *= value / update_bytes(diagnosing);
	return true;
}

/* The optimizer moves more memory for each weight than a fused one, or another is used. */
const struct cause cause_update = {
	.name = "update",
	.summary = "a weight update that moves more memory than projected",
	.category = "compute",
	.quantity = "the bytes that the update moves for each weight",
	.dimension = DIMENSION_BYTES,
	.check = "a fused optimizer (fused=True, apex), one that goes tensor by tensor on the host "
		 "(foreach=False), --optimizer of this command, states in host memory",
	.phases = 1 << PARADL_WEIGHT_UPDATE,
	.applies = update_applies,
	.assumed = update_bytes,
	.down = 10,
	.up = 200,
	.change = update_change,
};

static const double full_share = 0.9;

static bool memory_pressure_applies(const struct diagnosing *diagnosing)
{
	const struct paradl_estimate *estimate = diagnosing->estimate;
	return estimate->capacity_bytes > 0 && estimate->memory_bytes > full_share * estimate->capacity_bytes;
}

static bool memory_pressure_change(
	const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	model->times[PARADL_FORWARD] *= value;
	model->times[PARADL_BACKWARD] *= value;
	model->times[PARADL_RECOMPUTE] *= value;
	return true;
}

/* Returns 2 if the plan does not fit: that is stronger evidence than memory which is nearly full. */
static double memory_pressure_evidence(const struct diagnosing *diagnosing)
{
	return diagnosing->estimate->fits ? 1 : 2;
}

/* Memory is nearly full: the allocator gives back and asks again, or pages move between host and device. */
const struct cause cause_memory_pressure = {
	.name = "memory-pressure",
	.summary = "memory that is nearly full",
	.category = "memory",
	.origin = "framework",
	.quantity = "how much longer passes take, for want of memory",
	.check = "torch.cuda.memory_stats(): num_alloc_retries; unified memory (cudaMallocManaged) moves "
		 "pages instead of failing; a smaller batch",
	.phases = PHASES_PASSES,
	.applies = memory_pressure_applies,
	.assumed = one,
	.down = 1,
	.up = 100,
	.change = memory_pressure_change,
	.evidence = memory_pressure_evidence,
};

static void outside_range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	*low = assumed;
	*high = diagnosing->measured_s[PARADL_PART_TOTAL];
}

static bool outside_applies(const struct diagnosing *diagnosing)
{
	return diagnosing->measured_s[PARADL_PART_TOTAL] > 0;
}

static bool outside_change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	(void)diagnosing;
	model->outside_s = value;
	return true;
}

/* Time of the run that belongs to no phase: start-up, evaluation, checkpoints, logging. */
const struct cause cause_outside = {
	.name = "outside",
	.summary = "time outside of the training step",
	.category = "measurement",
	.origin = "framework",
	.quantity = "time of an iteration in none of its phases",
	.dimension = DIMENSION_TIME,
	.linear = true,
	.check = "what the total includes: the first iterations, evaluation, checkpoints, logging; leave out "
		 "the first steps and time the phases of one step",
	.outside = true,
	.applies = outside_applies,
	.range = outside_range,
	.change = outside_change,
};
