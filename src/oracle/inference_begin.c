/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a question about inference asks for: lengths of prompts and answers, and in how many passes a batch goes. One pass
 * takes prompts of at most 8192 tokens on a device (or one prompt): larger ones run no faster and hold more.
 */
#include <math.h>

#include "base/error.h"
#include "oracle/inference.h"

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

double serving_replicas(const struct paradl_plan *plan)
{
	return (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
}

double serving_passes(const struct paradl_plan *plan, double local, double most)
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
	return serving_passes(&evaluation->plan, local, most > 1 ? most : 1);
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
	evaluation->chunks = 1;
	evaluation->recompute = PARADL_RECOMPUTE_NONE;
	evaluation->recomputes_stages = false;
	evaluation->local_batch = share(plan->batch, serving_replicas(plan), false);
	if (evaluation->local_batch < 1)
		evaluation->local_batch = 1; /* plan_feasible says why that cannot be */
	evaluation->micro_batches = serving_prompt_passes(evaluation, evaluation->local_batch);
	evaluation->samples = share(evaluation->local_batch, evaluation->micro_batches, false);
	return true;
}
