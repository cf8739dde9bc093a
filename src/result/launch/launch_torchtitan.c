/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the options of torchtitan 0.3; titan_network.c writes the module with the network. The mesh is nested
 * pipeline, replicated data, sharded data, context, tensor. Experts are dealt out to neighbours along the last three.
 * fully_shard keeps whole weights between passes (zero=2) or does not (zero=3); replicated data is zero=0. With a
 * pipeline, the local batch is that of all micro-batches of a step.
 */
#include <math.h>
#include <string.h>

#include "result/launch/titan.h"

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void tell_sharding(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const double replicas = job->replicas * plan->degree[PARADL_CONTEXT];
	const bool part = plan->shard > 0 && plan->shard < replicas;
	const double context = plan->degree[PARADL_CONTEXT];
	const double shard = plan->zero == 0 ? 1 : part ? plan->shard / context : job->replicas;
	if (plan->zero == 1)
		CANNOT("torchtitan shards gradients where it shards the optimizer; nearest: zero=2");
	if (shard < 1 || fmod(job->replicas, shard) > 0)
		CANNOT("torchtitan shards among whole groups of data, not shard=%u", plan->shard);
	FLAG("--parallelism.data_parallel_replicate_degree %.15g", floor(job->replicas / fmax(1, shard)));
	FLAG("--parallelism.data_parallel_shard_degree %.15g", fmax(1, shard));
	if (plan->zero > 0)
		FLAG("--parallelism.fsdp_reshard_after_forward %s", plan->zero == 3 ? "always" : "never");
	if (plan->offload && plan->zero > 0 &&
		plan->offload == (PARADL_OFFLOAD_WEIGHTS | PARADL_OFFLOAD_OPTIMIZER))
		FLAG("--training.enable_cpu_offload");
	else if (plan->offload)
		CANNOT("torchtitan offloads sharded weights with their optimizer, nothing else; nearest: "
		       "zero=3,offload=optimizer+weights");
}

static void tell_pipeline(struct launch *launch, const struct launch_job *job)
{
	static const char *const schedules[PARADL_SCHEDULE_COUNT] = {[PARADL_SCHEDULE_DEFAULT] = "1F1B",
		[PARADL_GPIPE] = "GPipe",
		[PARADL_1F1B] = "1F1B",
		[PARADL_INTERLEAVED] = "Interleaved1F1B",
		[PARADL_ZERO_BUBBLE_V] = "ZBVZeroBubble"};
	const struct paradl_plan *const plan = job->plan;
	const unsigned pipeline = plan->degree[PARADL_PIPELINE];
	const double chunks = plan->schedule == PARADL_INTERLEAVED     ? plan->chunks
			      : plan->schedule == PARADL_ZERO_BUBBLE_V ? 2
								       : 1;
	if (pipeline == 1)
		return;
	FLAG("--parallelism.pipeline_parallel_degree %u", pipeline);
	FLAG("--training.disable_cuda_graphs"); /* torchtitan has no CUDA graphs of pipelines, and says so */
	if (schedules[plan->schedule])
		FLAG("--parallelism.pipeline_parallel_schedule %s", schedules[plan->schedule]);
	else
		CANNOT("torchtitan has no such schedule with one stage on each device; nearest: 1f1b");
	FLAG("--parallelism.pipeline_parallel_microbatch_size %.15g", ceil(job->micro));
	/* Where blocks do not divide, the embedding and the head may count as a block each. */
	const double stages = pipeline * chunks, blocks = job->dimensions->blocks;
	const unsigned less = fmod(blocks, stages) > 0 && !(fmod(blocks + 2, stages) > 0);
	FLAG("--parallelism.pipeline_parallel_layers_per_stage %.15g", ceil((blocks + 2 * less) / stages));
	FLAG("--parallelism.pipeline_parallel_first_stage_less_layers %u", less);
	FLAG("--parallelism.pipeline_parallel_last_stage_less_layers %u", less);
	if (plan->split_count || fmod(blocks + 2 * less, stages) > 0)
		CANNOT("torchtitan deals equal blocks out to stages, not %s",
			plan->split_count ? "split=..." : "these");
}

static void tell_experts(struct launch *launch, const struct launch_job *job)
{
	const struct paradl_plan *const plan = job->plan;
	const unsigned tensor = plan->degree[PARADL_TENSOR], expert = plan->degree[PARADL_EXPERT];
	const unsigned degree = plan->expert_tensor ? expert : expert * tensor;
	if (!(job->dimensions->experts > 0))
		return;
	FLAG("--parallelism.expert_parallel_degree %u", degree);
	if (plan->expert_tensor && tensor > 1)
		CANNOT("torchtitan deals experts out to the tensor axis, too; nearest: without "
		       "experts=tensor");
	if (plan->zero == 0 && expert > 1)
		CANNOT("torchtitan has experts on replicas that share weights only; nearest: zero=2");
	if (expert > 1 && plan->degree[PARADL_CONTEXT] > 1)
		CANNOT("torchtitan deals experts out to neighbours along context before data; the plan along "
		       "data");
}

static void tell_axes(struct launch *launch, const struct launch_job *job)
{
	static const enum paradl_axis nesting[] = {
		PARADL_PIPELINE, PARADL_DATA, PARADL_EXPERT, PARADL_CONTEXT, PARADL_TENSOR};
	const struct paradl_plan *const plan = job->plan;
	const double local = job->micro * (plan->degree[PARADL_PIPELINE] > 1 ? job->micro_batches : 1);
	tell_sharding(launch, job);
	FLAG("--parallelism.tensor_parallel_degree %u", plan->degree[PARADL_TENSOR]);
	if (plan->degree[PARADL_TENSOR] > 1 && !plan->sequence)
		FLAG("--parallelism.no-enable-sequence-parallel");
	tell_pipeline(launch, job);
	tell_experts(launch, job);
	if (plan->degree[PARADL_CONTEXT] > 1)
		FLAG("--parallelism.context_parallel_degree %u", plan->degree[PARADL_CONTEXT]);
	if (plan->degree[PARADL_CONTEXT] > 1 && plan->context == PARADL_CONTEXT_ULYSSES)
		CANNOT("torchtitan sends keys and values, not heads; nearest: context=%u",
			plan->degree[PARADL_CONTEXT]);
	FLAG("--training.local_batch_size %.15g", ceil(local));
	FLAG("--training.global_batch_size %.15g", plan->batch);
	FLAG("--training.seq_len %.15g", job->dimensions->tokens);
	launch_nesting(launch, "torchtitan", plan, nesting, sizeof nesting / sizeof nesting[0]);
	launch_divides(launch, "torchtitan", job);
	launch_batch(launch, "torchtitan", job);
}

static void tell_precision(struct launch *launch, const struct launch_job *job)
{
	if (job->precision == PARADL_FP32 || job->precision == PARADL_TF32)
		FLAG("--training.mixed_precision_param float32");
	else if (job->precision == PARADL_BF16)
		FLAG("--training.dtype bfloat16");
	else if (job->precision != PARADL_BF16_MIXED)
		CANNOT("torchtitan has %s, if at all, by converters of a module of its own; nearest: "
		       "bf16-mixed",
			paradl_precision_name(job->precision));
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	const unsigned axes = 1U << PARADL_DATA | 1U << PARADL_PIPELINE | 1U << PARADL_EXPERT |
			      1U << PARADL_CONTEXT | 1U << PARADL_TENSOR;
	if (!(job->dimensions->blocks > 0)) {
		CANNOT("torchtitan trains transformers, and %s is none; nearest: --flags torchrun",
			job->head->model.name);
		return;
	}
	if (!launch_axes(launch, "torchtitan", job, axes) || !titan_network(launch, job))
		return;
	launch_torchrun(launch, job, "-m torchtitan.train");
	FLAG("--module paradl_network");
	FLAG("--config network");
	tell_axes(launch, job);
	tell_precision(launch, job);
}

const struct launcher launcher_torchtitan = {
	.name = "torchtitan",
	.summary = "options of torchtitan, and a module with the network",
	.frameworks = "torchtitan",
	.profile = "torchtitan",
	.tell = tell,
};
