/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inference takes two forms. In networks that generate no text, B samples come at once, are spread over the replicas,
 * and leave together:
 *     pass       the network once, forward, over some samples: stages in turn, L = sum of stages and messages between
 *     all        q passes follow one another through the stages: L + (q - 1) slowest stage
 * In those that do, an engine takes steps (serving.c, serving_passes.c), and B is how many requests are under way:
 *     step       parts are in flight at once, each back at the first stage for its next token:
 *                max(L + message back, parts x slowest stage). Keys grow with each token; time is linear in them, so
 *                the mean stands for all: prompt + n / 2, of n tokens
 * One pass takes prompts of at most the tokens that the program reads in a step (or one prompt), which is what memory
 * holds.
 */
#include "oracle/inference.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static const double usual_seats =
	256; /* seats of a replica where memory for one is missing, to say what it would take */

const char *paradl_percentile_name(enum paradl_percentile percentile)
{
	static const char *const names[PARADL_PERCENTILE_COUNT] = {"mean", "p50", "p90", "p99"};
	return (unsigned)percentile < PARADL_PERCENTILE_COUNT ? names[percentile] : NULL;
}

void inference_rules(struct rules *rules)
{
	rules->schedule = PARADL_GPIPE;
	rules->links_queue = rules->scatter_gather = false;
	rules->stage_blocking = rules->stage_start_s = 0;
	rules->recompute = PARADL_RECOMPUTE_NONE;
	rules->recompute_stages = false;
	rules->host = rules->host == HOST_STRETCHES ? HOST_STRETCHES : HOST_NONE;
	rules->overlap_tensor = rules->overlap_experts = 0;
	rules->library_starts = true;
	rules->sustained = rules->attention = 1; /* device files are fitted to kernels of serving programs */
	rules->own_maxima = rules->moments = rules->frees_early = rules->holds_inputs = false;
}

double serving_prompt_passes(const struct evaluation *evaluation, double local)
{
	const struct paradl_model *model = evaluation->net->model;
	double most = local;
	if (model->tokens && model->sequence > 0)
		most = floor(serving_chunk(evaluation) * evaluation->plan.degree[PARADL_CONTEXT] /
			     model->sequence);
	return serving_passes(&evaluation->plan, local, most > 1 ? most : 1);
}

bool serving_omits(const struct evaluation *evaluation, enum omitted part)
{
	return evaluation->oracle->omits & 1u << part;
}

bool inference_begin(struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	if (plan->zero || plan->shard || plan->offload || plan->schedule != PARADL_SCHEDULE_DEFAULT ||
		plan->recompute != PARADL_RECOMPUTE_DEFAULT) {
		error_set(error, PARADL_USAGE,
			"schedules, zero, recomputation and offload belong to training, not to inference");
		error_hint(error, "degrees, micro, sequence, experts and split are what inference has");
		return false;
	}
	if (evaluation->oracle->options.rate_per_s > 0) /* the question is how many are under way */
		evaluation->plan.batch = serving_replicas(plan);
	if (!prefill_has_devices(evaluation->oracle, paradl_plan_devices(plan), error))
		return false;
	evaluation->serving = SERVE_PROMPT;
	evaluation->generates = evaluation->oracle->output_tokens > 0;
	/* At least one sample: plan_feasible says why fewer cannot be. */
	evaluation->local_batch = fmax(1, share(plan->batch, serving_replicas(plan), false));
	evaluation->micro_batches = serving_prompt_passes(evaluation, evaluation->local_batch);
	evaluation->samples = share(evaluation->local_batch, evaluation->micro_batches, false);
	return true;
}

/* Fills the phases of the iteration, and what bounds it. */
static void times_fill(
	const struct evaluation *evaluation, const struct request *request, struct paradl_estimate *estimate)
{
	double *phase = estimate->phase_s, bound_s[BOUNDS] = {0}, all_s = 0, cast_s = 0;
	for (unsigned i = 0; i < KINDS; ++i) {
		const struct passes *passes = &request->passes[i];
		double once[PARADL_PHASE_COUNT] = {0};
		phases_fill(&passes->step, once);
		for (unsigned k = 0; k < PARADL_PHASE_COUNT; ++k)
			phase[k] += passes->times * once[k];
		for (unsigned k = 0; k < BOUNDS; ++k)
			bound_s[k] += passes->times * passes->step.micro_batches * passes->bound_s[k];
		cast_s += passes->times * passes->step.micro_batches * passes->cast_s;
	}
	phase[PARADL_BUBBLE] += request->idle_s;
	estimate->compute_s = phase[PARADL_FORWARD];
	estimate->communication_s = estimate->exposed_communication_s = phase[PARADL_ACTIVATION_EXCHANGE] +
									phase[PARADL_HALO_EXCHANGE] +
									phase[PARADL_STAGE_TRANSFER];
	for (unsigned k = 0; k < BOUNDS; ++k)
		all_s += bound_s[k];
	for (unsigned k = 0; k < BOUNDS; ++k) /* as shares of the whole */
		bound_s[k] = all_s > 0 && request->total_s > 0
				     ? bound_s[k] / all_s * phase[PARADL_FORWARD] / request->total_s
				     : 0;
	estimate->inference.cast_s = all_s > 0 ? cast_s / all_s * phase[PARADL_FORWARD] : 0;
	estimate->inference.memory_share = bound_s[BOUND_MEMORY];
	estimate->inference.launch_share = bound_s[BOUND_LAUNCH];
	inference_limits_fill(evaluation, bound_s, estimate);
}

/* Returns the tokens that a request gets, on average. */
static double answer_tokens(const struct evaluation *evaluation, const struct request *request)
{
	return evaluation->generates ? request->answer.steps * request->answer.gains + 1 : 0;
}

/* Returns the flop of one request on one device of each stage. */
static double request_flop(const struct evaluation *evaluation, const struct request *request)
{
	const struct passes *const tokens = &request->passes[TOKENS], *const prompts =
									      &request->passes[PROMPTS];
	const double prompt_flop = prompts->step.micro_batches * prompts->flop;
	if (!evaluation->generates)
		return prompt_flop / evaluation->local_batch;
	return prompt_flop + (tokens->times > 0 ? tokens->times * tokens->step.micro_batches * tokens->flop /
							  request->answer.sequences
						: 0);
}

static const char *program_origin(const struct paradl_framework *framework)
{
	return framework->chunk_origin ? framework->chunk_origin : "assumed: no file says it";
}

/* Fills the settings of the engine, of which programs have their own where the plan says nothing. */
static void settings_fill(const struct evaluation *evaluation, struct paradl_inference *inference)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct prefill *prefill = oracle->prefill;
	const unsigned given = prefill ? prefill->plan.chunk : evaluation->plan.chunk;
	if (!evaluation->generates)
		return;
	inference->chunk_tokens = prefill ? prefill->chunk : serving_chunk(evaluation);
	inference->chunk_origin = given ? NULL : program_origin(oracle->framework);
}

/* Fills the shares of the devices' peak, of all requests and while tokens are made. */
static void shares_fill(const struct evaluation *evaluation, const struct request *request,
	double local_per_s, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct passes *const tokens = &request->passes[TOKENS];
	const double peak = oracle->machine->device.peak_flop_per_s[oracle->precision];
	const double stages = evaluation->plan.degree[PARADL_PIPELINE];
	estimate->flop_per_s_per_device = local_per_s * request_flop(evaluation, request) / stages *
					  paradl_plan_devices(&evaluation->plan) / estimate->devices;
	estimate->mfu = estimate->flop_per_s_per_device / peak;
	if (estimate->inference.token_s > 0)
		estimate->inference.token_flop_share = tokens->step.micro_batches * tokens->flop / stages /
						       tokens->step.schedule.makespan_s / peak;
}

/*
 * Returns the requests of a replica on average, of the fullest engine, which replicas that share experts are together.
 * A trace's requests are dealt out to replicas.
 */
static double local_requests(const struct evaluation *evaluation)
{
	const double joined = serving_joined(&evaluation->plan);
	const double engines = serving_replicas(&evaluation->plan) / joined;
	if (!evaluation->generates || evaluation->oracle->replay ||
		evaluation->oracle->options.rate_per_s > 0)
		return evaluation->local_batch;
	return share(evaluation->plan.batch, engines, false) / joined;
}

static void rates_fill(
	const struct evaluation *evaluation, const struct request *request, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_model *model = evaluation->net->model;
	struct paradl_inference *inference = &estimate->inference;
	const double total_s = request->total_s;
	const double replicas = serving_replicas(&evaluation->plan);
	const bool open = oracle->options.rate_per_s > 0;
	inference->prompt_tokens = model->input.tokens ? model->sequence : 0;
	inference->output_tokens = oracle->output_tokens;
	inference->longest_tokens = inference_longest(oracle);
	inference->prompts_s = evaluation->generates ? request->answer.first_s : total_s;
	inference->token_s = request->answer.token_s;
	inference->step_s = request->answer.step_s;
	inference->sequences = request->answer.sequences;
	inference->prompt_s = request->answer.prompt_s;
	inference->wait_s = request->answer.wait_s;
	inference->preemptions = request->answer.preempted;
	inference->replayed = oracle->replay ? (double)oracle->options.trace->count : 0;
	memcpy(inference->first_percentile_s, request->answer.first_percentile_s,
		sizeof inference->first_percentile_s);
	memcpy(inference->token_percentile_s, request->answer.token_percentile_s,
		sizeof inference->token_percentile_s);
	inference->under_way = replicas * request->answer.under_way;
	inference->most_per_s = open ? replicas * request->answer.most_per_s : 0;
	if (oracle->prefill) {
		inference->prefill = oracle->options.prefill;
		inference->prefill_devices = oracle->prefill->devices;
		inference->transfer_s = request->transfer_s;
		inference->prefill_weights_bytes = oracle->prefill->weights_bytes;
		inference->prefill_working_bytes = oracle->prefill->working_bytes;
		inference->prefill_prompts = oracle->prefill->room;
		inference->prefill_share = fmin(1, request->answer.under_way / request->total_s *
							   request->answer.reads_s / request->readers);
	}
	settings_fill(evaluation, inference);
	inference->cache_bytes_per_token = serving_cache_bytes(evaluation);
	expense_fill(oracle, estimate);
	if (!(total_s > 0))
		return;
	const double replayed_per_s = request->answer.replayed_per_s; /* of a trace */
	const double per_s = replayed_per_s > 0 ? replayed_per_s
			     : open             ? oracle->options.rate_per_s
						: estimate->plan.batch / total_s;
	const double local_per_s =
		open || replayed_per_s > 0 ? per_s / replicas : local_requests(evaluation) / total_s;
	estimate->samples_per_s = per_s;
	inference->tokens_per_s = per_s * answer_tokens(evaluation, request);
	inference->prompt_tokens_per_s = per_s * inference->prompt_tokens;
	if (!serving_omits(evaluation, OMITTED_PHASES))
		shares_fill(evaluation, request, local_per_s, estimate);
}

/* Fills the rates with as many samples of a replica as fit, `local`; false with an error. */
static bool largest_fill(struct evaluation *evaluation, double local, const struct request *answered,
	struct paradl_inference *inference, struct paradl_error *error)
{
	struct request request = *answered;
	inference->largest_batch = local * serving_replicas(&evaluation->plan);
	inference->seats = evaluation->generates ? local : 0;
	if (local < 1 || serving_omits(evaluation, OMITTED_LARGEST))
		return true;
	if (inference->most_per_s > 0) {
		request.total_s = inference->largest_batch / inference->most_per_s;
	} else if (evaluation->generates) {
		if (!serving_answers_run(evaluation, local, local, &request, error))
			return false;
	} else {
		const double count = serving_prompt_passes(evaluation, local);
		evaluation->samples = share(local, count, false);
		serving_costs_fill(evaluation);
		if (!serving_passes_run(evaluation, count, false, &request.passes[PROMPTS], error))
			return false;
		request.total_s = request.passes[PROMPTS].step.schedule.makespan_s;
	}
	if (request.total_s > 0)
		inference->largest_batch_answers_per_s = inference->largest_batch / request.total_s;
	inference->largest_batch_tokens_per_s =
		inference->largest_batch_answers_per_s * answer_tokens(evaluation, &request);
	return true;
}

/* Sets an error: requests come too fast even for a replica with memory for some, and there is none for any. */
static bool room_refuse(struct evaluation *evaluation, struct paradl_error *error)
{
	evaluation->most_per_s = 0;
	error_set(error, PARADL_INFEASIBLE, "a replica has no memory for a request, and %.4g a second come",
		evaluation->oracle->options.rate_per_s);
	return error_hint(error, "replicas of more devices (tensor, pipeline), or devices with more memory");
}

/* Serves requests of text, with memory for `largest` of a replica at a time, and counts those that are under way. */
static bool answers_run(
	struct evaluation *evaluation, double largest, struct request *request, struct paradl_error *error)
{
	const bool open = evaluation->oracle->options.rate_per_s > 0;
	const double tried = open ? usual_seats : evaluation->local_batch; /* if there is memory for none */
	if (!serving_answers_run(
		    evaluation, local_requests(evaluation), largest >= 1 ? largest : tried, request, error))
		return evaluation->most_per_s > 0 && largest < 1 ? room_refuse(evaluation, error) : false;
	if (open)
		evaluation->local_batch = fmax(1, ceil(request->answer.under_way));
	return true;
}

bool inference_run(
	struct evaluation *evaluation, struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct request request = {.total_s = 0};
	const double samples = evaluation->samples, count = evaluation->micro_batches;
	struct passes *const prompts = &request.passes[PROMPTS];
	if (!serving_passes_run(evaluation, count, true, prompts, error))
		return false;
	const unsigned pipeline_ranks = prompts->step.pipeline_ranks;
	const double seats = evaluation->plan.seqs;
	request.fit = serving_largest(evaluation, pipeline_ranks);
	const double largest = seats > 0 ? fmin(request.fit, seats) : request.fit;
	const bool open = evaluation->generates && evaluation->oracle->options.rate_per_s > 0;
	/* Requests of text that find no room wait until there is some. */
	const double most = evaluation->generates && largest >= 1 ? largest : HUGE_VAL;
	if (!open)
		serving_memory(evaluation, pipeline_ranks, fmin(evaluation->local_batch, most), estimate);
	request.total_s = prompts->step.schedule.makespan_s;
	if (evaluation->generates && !answers_run(evaluation, largest, &request, error))
		return false;
	estimate->iteration_s = estimate->iteration_quiet_s = request.total_s;
	if (!serving_omits(evaluation, OMITTED_PHASES))
		times_fill(evaluation, &request, estimate);
	rates_fill(evaluation, &request, estimate);
	const bool filled = largest_fill(evaluation, largest, &request, &estimate->inference, error);
	evaluation->samples = samples;
	evaluation->micro_batches = count;
	estimate->local_batch = evaluation->local_batch;
	if (!open || !filled)
		return filled;
	/* Only now is known how many are under way, and memory takes the costs of a pass over prompts once more. */
	serving_costs_fill(evaluation);
	if (!serving_passes_run(evaluation, count, true, prompts, error))
		return false;
	serving_memory(evaluation, pipeline_ranks, fmin(evaluation->local_batch, most), estimate);
	return true;
}

void inference_feed(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	struct paradl_inference *const inference = &estimate->inference;
	const double busy_s = estimate->iteration_s;
	oracle_input_add(evaluation, estimate);
	if (!(estimate->iteration_s > busy_s))
		return;
	const double busy = busy_s / estimate->iteration_s;
	const double fed_per_s = estimate->plan.batch / estimate->input_s;
	estimate->samples_per_s *= busy;
	estimate->flop_per_s_per_device *= busy;
	estimate->mfu *= busy;
	inference->prompts_s = estimate->iteration_s;
	inference->memory_share *= busy;
	inference->launch_share *= busy;
	inference->largest_batch_answers_per_s = fmin(inference->largest_batch_answers_per_s, fed_per_s);
	estimate->limited_by.share *= busy;
	input_limit_consider(evaluation, estimate);
	expense_fill(evaluation->oracle, estimate);
}
