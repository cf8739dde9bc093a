/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inference: B samples (images, or sequences of tokens) come at once, are spread over the replicas, and leave together.
 *     pass       the network once, forward, over some samples: stages in turn, L = sum of stages and messages between
 *     prompts    q passes follow one another through the stages: L + (q - 1) slowest stage
 *     tokens     micro-batches are in flight at once, each back at the first stage for its next token:
 *                max(L + message back, micro-batches x slowest stage) from one token to the next
 *     request    prompts + (n - 1) tokens, of n: the prompts' passes make the first. Keys grow with each token; time is
 *                linear in them, so the mean stands for all: prompt + n / 2
 * One pass takes prompts of at most 8192 tokens on a device (or one prompt): larger ones run no faster and hold more.
 */
#include "oracle/inference.h"

#include <math.h>

#include "base/error.h"
#include "oracle/serving_memory.h"
#include "oracle/training.h"

static const double pass_tokens = 8192;
static const double usual_prompt = 1024, usual_answer = 128, tokens_max = 1e9;

static double limited(double usual, double most)
{
	return usual < most ? usual : most > 1 ? floor(most) : 1;
}

/* Learned positions, for one, may end: a network for prompt and answer together must exist. */
static bool lengths_fit(const struct paradl_oracle *oracle, struct paradl_error *error)
{
	const struct model_variant whole = {
		.sequence = (unsigned)(oracle->prompt_tokens + oracle->output_tokens)};
	if (model_build(oracle->arena, oracle->model->source, &whole, error))
		return true;
	if (error && error->status != PARADL_NO_MEMORY)
		error->status = PARADL_USAGE;
	error_hint(error, "a shorter prompt or answer: together they are the sequence of the model");
	return false;
}

bool inference_check(struct paradl_oracle *oracle, struct paradl_error *error)
{
	const struct paradl_options *options = &oracle->options;
	const struct paradl_model *model = oracle->model;
	const double prompt = options->prompt_tokens, answer = options->output_tokens;
	if (!options->inference) {
		if (prompt > 0 || answer > 0)
			return error_set(
				error, PARADL_USAGE, "prompts and answers have lengths in inference only");
		return true;
	}
	if (options->ideal)
		return error_set(error, PARADL_USAGE,
			"the paper's Table III is about training: inference has no ideal mode");
	if (!(prompt >= 0) || !(answer >= 0) || prompt > tokens_max || answer > tokens_max)
		return error_set(error, PARADL_USAGE, "a prompt or an answer has from 1 to 1e9 tokens");
	if (prompt > 0 && !model->input.tokens)
		return error_set(error, PARADL_USAGE,
			"%s takes no prompt: its input is no sequence of tokens", model->name);
	if (answer > 0 && !model_generates(model))
		return error_set(error, PARADL_USAGE,
			"%s generates no tokens: that takes a prompt, and attention that is causal",
			model->name);
	oracle->prompt_tokens = floor(prompt);
	if (!model_generates(model))
		return true;
	const double sequence = model->sequence;
	oracle->output_tokens =
		answer > 0 ? floor(answer)
			   : limited(usual_answer, prompt > 0 ? sequence - prompt : sequence / 2);
	if (!(prompt > 0))
		oracle->prompt_tokens = limited(usual_prompt, sequence - oracle->output_tokens);
	return lengths_fit(oracle, error);
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

/* Replicas that a batch is spread over. */
static double replicas_of(const struct paradl_plan *plan)
{
	return (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
}

/* Into how many passes a replica's samples go, of at most so many each; as many as keep the stages busy. */
static double passes_of(const struct paradl_plan *plan, double local, double most)
{
	const double stages = plan->degree[PARADL_PIPELINE];
	const double count = share(local, plan->micro > 0 ? plan->micro : most, false);
	if (plan->micro > 0)
		return count > 1 ? count : 1;
	const double fill = stages < local ? stages : local;
	return count > fill ? count : fill;
}

double serving_prompt_passes(const struct evaluation *evaluation, double local)
{
	const struct paradl_model *model = evaluation->net->model;
	double most = local;
	if (model->tokens && model->sequence > 0)
		most = floor(pass_tokens * evaluation->plan.degree[PARADL_CONTEXT] / model->sequence);
	return passes_of(&evaluation->plan, local, most > 1 ? most : 1);
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
	evaluation->serving = SERVE_PROMPT;
	evaluation->generates = evaluation->oracle->output_tokens > 0;
	/* At least one: plan_feasible says why fewer cannot be. */
	evaluation->local_batch = fmax(1, share(plan->batch, replicas_of(plan), false));
	evaluation->micro_batches = serving_prompt_passes(evaluation, evaluation->local_batch);
	evaluation->samples = share(evaluation->local_batch, evaluation->micro_batches, false);
	return true;
}

/* Passes of one kind: their stages on the common schedule, forward only, and what bounds their kernels. */
struct passes {
	struct step step;
	double bound_s[BOUNDS], cast_s,
		flop; /* of one pass of the whole network, on one device of each stage */
	double times; /* that a request has them */
};

/* What a batch takes: passes over prompts, once, and those for each token but the first. */
enum { PROMPTS, TOKENS, KINDS };
struct request {
	struct passes passes[KINDS];
	double total_s;
};

/* Adds up kernels by what bounds them; what they do not take of the stages' time is the host's, starting them. */
static void bounds_add(const struct evaluation *evaluation, struct passes *passes)
{
	const struct prepared *net = evaluation->net;
	double kernels_s = 0, stages_s = 0;
	for (unsigned i = 0; i < net->model->layer_count; ++i) {
		const double count = net->model->layers[i].count;
		for (unsigned k = 0; k < BOUNDS; ++k) {
			passes->bound_s[k] += count * net->costs[i].bound_s[k];
			kernels_s += count * net->costs[i].bound_s[k];
		}
		passes->cast_s += count * net->costs[i].cast_s[PASS_FORWARD];
		passes->flop += count * net->costs[i].flop;
	}
	for (unsigned i = 0; i < passes->step.count; ++i) {
		struct stage_work kernels;
		stage_kernels_fill(evaluation, net->stages[i].term, &kernels);
		stages_s += kernels.forward_s;
	}
	if (stages_s > kernels_s)
		passes->bound_s[BOUND_LAUNCH] += stages_s - kernels_s;
}

/* Runs so many passes with the costs of the evaluation's layers; cut: chooses the stages, too. */
static bool passes_run(struct evaluation *evaluation, double count, bool cut, struct passes *passes,
	struct paradl_error *error)
{
	struct step *step = &passes->step;
	*passes = (struct passes){.times = 1};
	evaluation->micro_batches = count;
	unit_costs_fill(evaluation);
	if (!(cut ? training_stages : training_stages_fill)(evaluation, step, error))
		return false;
	training_schedule(evaluation, step);
	/* Phases add up to the whole, without exchanges that are hidden; a pass waits for each message. */
	step->busiest.hidden_s = step->blocked_s = 0;
	for (unsigned i = 0; i + 1 < step->count; ++i)
		step->blocked_s += evaluation->net->stages[i].send_s[PASS_FORWARD];
	bounds_add(evaluation, passes);
	return true;
}

static void costs_fill(const struct evaluation *evaluation)
{
	for (unsigned i = 0; i < evaluation->net->model->layer_count; ++i)
		layer_cost(evaluation, i, &evaluation->net->costs[i]);
}

/* Adds tokens of `local` sequences on each replica; leaves the costs of such a pass. */
static bool tokens_run(
	struct evaluation *evaluation, double local, struct passes *tokens, struct paradl_error *error)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const double id_bytes = 4, count = passes_of(&evaluation->plan, local, local);
	const double sequences = share(local, count, false);
	const bool sequence = evaluation->plan.sequence;
	struct step *step = &tokens->step;
	evaluation->serving = SERVE_TOKEN;
	evaluation->samples = sequences / evaluation->net->model->sequence;
	evaluation->keys = oracle->prompt_tokens + oracle->output_tokens / 2;
	evaluation->plan.sequence = false; /* a token is no sequence to cut */
	costs_fill(evaluation);
	const bool runs = passes_run(evaluation, 1, false, tokens, error);
	if (step->count > 1) {
		const double back_s = training_send_s(evaluation, sequences * id_bytes);
		step->blocked_s += back_s;
		step->schedule.makespan_s += back_s;
	}
	tokens->times = oracle->output_tokens - 1;
	step->micro_batches = count;
	step->schedule.makespan_s = later_s(step->schedule.makespan_s, count * step->schedule.busy_s);
	evaluation->plan.sequence = sequence;
	evaluation->serving = SERVE_PROMPT;
	return runs;
}

/* After the passes over prompts, whose costs give way to others. */
static bool answers_run(
	struct evaluation *evaluation, double local, struct request *request, struct paradl_error *error)
{
	if (evaluation->generates && !tokens_run(evaluation, local, &request->passes[TOKENS], error))
		return false;
	request->total_s = 0;
	for (unsigned i = 0; i < KINDS; ++i)
		request->total_s += request->passes[i].times * request->passes[i].step.schedule.makespan_s;
	return true;
}

static void times_fill(const struct request *request, struct paradl_estimate *estimate)
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
	estimate->iteration_s = estimate->iteration_quiet_s = request->total_s;
	estimate->compute_s = phase[PARADL_FORWARD];
	estimate->communication_s = estimate->exposed_communication_s = phase[PARADL_ACTIVATION_EXCHANGE] +
									phase[PARADL_HALO_EXCHANGE] +
									phase[PARADL_STAGE_TRANSFER];
	for (unsigned k = 0; k < BOUNDS; ++k)
		all_s += bound_s[k];
	for (unsigned k = 0; k < BOUNDS; ++k) /* shares of the whole */
		bound_s[k] = all_s > 0 && request->total_s > 0
				     ? bound_s[k] / all_s * phase[PARADL_FORWARD] / request->total_s
				     : 0;
	estimate->inference.cast_s = all_s > 0 ? cast_s / all_s * phase[PARADL_FORWARD] : 0;
	estimate->inference.memory_share = bound_s[BOUND_MEMORY];
	estimate->inference.launch_share = bound_s[BOUND_LAUNCH];
	inference_limits_fill(bound_s, estimate);
}

static void rates_fill(
	const struct evaluation *evaluation, const struct request *request, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_model *model = evaluation->net->model;
	struct paradl_inference *inference = &estimate->inference;
	const double batch = estimate->plan.batch, total_s = request->total_s;
	const double peak = oracle->machine->device.peak_flop_per_s[oracle->precision];
	const double stages = evaluation->plan.degree[PARADL_PIPELINE];
	double flop[KINDS]; /* of one request's prompts, of one token */
	for (unsigned i = 0; i < KINDS; ++i)
		flop[i] = request->passes[i].step.micro_batches * request->passes[i].flop;
	inference->prompt_tokens = model->input.tokens ? model->sequence : 0;
	inference->output_tokens = oracle->output_tokens;
	inference->prompts_s = request->passes[PROMPTS].step.schedule.makespan_s;
	inference->token_s = request->passes[TOKENS].step.schedule.makespan_s;
	inference->cache_bytes_per_token = serving_cache_bytes(evaluation);
	expense_fill(oracle, estimate);
	if (!(total_s > 0))
		return;
	estimate->samples_per_s = batch / total_s;
	estimate->flop_per_s_per_device =
		(flop[PROMPTS] + request->passes[TOKENS].times * flop[TOKENS]) / stages / total_s;
	estimate->mfu = estimate->flop_per_s_per_device / peak;
	inference->tokens_per_s = batch * inference->output_tokens / total_s;
	inference->prompt_tokens_per_s = batch * inference->prompt_tokens / inference->prompts_s;
	if (inference->token_s > 0)
		inference->token_flop_share = flop[TOKENS] / stages / inference->token_s / peak;
}

/* The same with as many samples as fit. */
static bool largest_fill(struct evaluation *evaluation, double local, struct paradl_inference *inference,
	struct paradl_error *error)
{
	struct request request = {.total_s = 0};
	inference->largest_batch = local * replicas_of(&evaluation->plan);
	if (local < 1)
		return true;
	const double count = serving_prompt_passes(evaluation, local);
	evaluation->samples = share(local, count, false);
	costs_fill(evaluation);
	if (!passes_run(evaluation, count, false, &request.passes[PROMPTS], error) ||
		!answers_run(evaluation, local, &request, error))
		return false;
	if (request.total_s > 0)
		inference->largest_batch_answers_per_s = inference->largest_batch / request.total_s;
	inference->largest_batch_tokens_per_s =
		inference->largest_batch_answers_per_s * inference->output_tokens;
	return true;
}

bool inference_run(
	struct evaluation *evaluation, struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct request request = {.total_s = 0};
	const double samples = evaluation->samples, count = evaluation->micro_batches;
	double largest = 0;
	if (!passes_run(evaluation, count, true, &request.passes[PROMPTS], error))
		return false;
	serving_memory(evaluation, request.passes[PROMPTS].step.holders, estimate, &largest);
	if (!answers_run(evaluation, evaluation->local_batch, &request, error))
		return false;
	times_fill(&request, estimate);
	rates_fill(evaluation, &request, estimate);
	const bool filled = largest_fill(evaluation, largest, &estimate->inference, error);
	evaluation->samples = samples;
	evaluation->micro_batches = count;
	return filled;
}
