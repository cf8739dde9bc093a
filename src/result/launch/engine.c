/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fills the settings of serving engines, so that they run a plan as it was estimated. An engine runs as many
 * sequences at a time as a replica has clients; for requests that come at a rate, as many as fit in memory. Chunks of
 * prompts, memory and formats are those of the rules of the framework. The estimate fills the share S of the memory M
 * with weights W, caches and working memory B. Shares of memory follow:
 *     all of it, of M                            S
 *     weights and caches, of M                   S - B / M
 *     caches, of the memory that W and B leave   (S M - W - B) / (M - W - B)
 */
#include "result/launch/launch.h"

#include <math.h>

static void fill_memory(const struct launch_job *job, struct engine_job *engine)
{
	const struct paradl_estimate *const estimate = job->estimate;
	const double all = estimate->capacity_bytes, share = job->head->framework.serve_memory,
		     weights = estimate->memory.weights_bytes,
		     working = estimate->memory_bytes - weights - estimate->memory.cache_bytes;
	engine->memory_share = share;
	engine->static_share = share - working / all;
	engine->cache_share = (share * all - weights - working) / (all - weights - working);
}

static void fill_formats(const struct launch_job *job, struct engine_job *engine)
{
	const enum paradl_precision precision = job->precision;
	const bool is_half = precision == PARADL_FP16 || precision == PARADL_FP16_MIXED;
	engine->is_fp8 = precision == PARADL_FP8_MIXED || precision == PARADL_MXFP8_MIXED;
	engine->is_fp4 = precision == PARADL_FP4_MIXED;
	engine->is_cache_fp8 = (engine->is_fp8 || engine->is_fp4) && job->head->framework.serve_narrow_cache;
	engine->dtype = precision == PARADL_TF32   ? NULL
			: precision == PARADL_FP32 ? "float32"
			: is_half                  ? "float16"
						   : "bfloat16";
}

/* Reports the options of the plan that no engine has. */
static void refuse_options(struct launch *launch, const char *program, const struct launch_job *job,
	const struct engine_job *engine)
{
	const struct paradl_plan *const plan = job->plan;
	const struct report_head *const head = job->head;
	launch_divides(launch, program, job);
	if (!engine->dtype)
		launch_add(launch, &launch->cannot, "%s has no %s; nearest: fp32", program, head->precision);
	if (launcher_of(head->framework.name) != head->launcher)
		launch_add(launch, &launch->cannot,
			"%s serves otherwise than %s, as which this is estimated; nearest: --framework %s",
			program, head->framework.name, head->launcher->profile);
	if (plan->split_count)
		launch_add(launch, &launch->cannot, "%s deals blocks out itself, without split=...", program);
	if (plan->micro > 0 && plan->degree[PARADL_PIPELINE] > 1)
		launch_add(launch, &launch->cannot,
			"%s cuts steps into as many parts as stages, not micro=%.15g", program, plan->micro);
	if (plan->sequence && plan->degree[PARADL_TENSOR] > 1)
		launch_add(launch, &launch->cannot, "%s has no sequence=on; nearest: sequence=off", program);
}

bool engine_job_fill(
	struct launch *launch, const char *program, const struct launch_job *job, struct engine_job *engine)
{
	const unsigned axes =
		1U << PARADL_DATA | 1U << PARADL_PIPELINE | 1U << PARADL_EXPERT | 1U << PARADL_TENSOR;
	const struct paradl_inference *const served = &job->estimate->inference;
	const struct report_head *const head = job->head;
	const unsigned *const degree = job->plan->degree;
	if (!launch_axes(launch, program, job, axes))
		return false;
	if (!(served->output_tokens > 0) || !(job->dimensions->blocks > 0)) {
		launch_add(launch, &launch->cannot,
			"%s serves transformers that generate text, and %s is none", program,
			head->model.name);
		return false;
	}
	if (served->prefill) {
		launch_add(launch, &launch->cannot,
			"%s is started for each pool, with what joins both; nearest: without --prefill",
			program);
		return false;
	}
	const double seats = floor(served->largest_batch / job->replicas);
	*engine = (struct engine_job){.data = degree[PARADL_DATA],
		.expert = degree[PARADL_EXPERT],
		.tensor = degree[PARADL_TENSOR],
		.pipeline = degree[PARADL_PIPELINE],
		.has_experts = job->dimensions->experts > 0,
		.deals = job->dimensions->experts > 0 && !job->plan->expert_tensor,
		.sequences =
			fmax(1, head->rate_per_s > 0 ? seats : fmin(seats, ceil(job->estimate->local_batch))),
		.chunk = head->framework.serve_chunk,
		.length = served->prompt_tokens + served->output_tokens,
		.guessed = head->speculative_tokens,
		.knows_prefix = head->cached_prefix > 0};
	fill_memory(job, engine);
	fill_formats(job, engine);
	refuse_options(launch, program, job, engine);
	return true;
}

void engine_replicas(struct launch *launch, const char *program, const struct launch_job *job,
	const struct engine_job *engine)
{
	launch_add(launch, &launch->cannot,
		"%s starts one of %u replicas that share nothing: start as many, on %u GPUs each, behind a "
		"balancer",
		program, engine->data, job->estimate->devices / engine->data);
}
