/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of inference is checked, and the lengths of prompts and answers are chosen where none are asked for. */
#include "oracle/inference.h"

#include <math.h>

#include "base/error.h"

static const double usual_prompt = 1024, usual_answer = 128, tokens_max = 1e9;

static double limited(double usual, double most)
{
	return usual < most ? usual : most > 1 ? floor(most) : 1;
}

/* Returns whether the network exists for so many tokens, prompt and answer together: learned positions may end. */
static bool length_exists(const struct paradl_oracle *oracle, double tokens, struct paradl_error *error)
{
	const struct model_variant whole = {.sequence = (unsigned)tokens};
	return model_build(oracle->arena, oracle->model->source, &whole, error) != NULL;
}

/* Returns the tokens of an answer where none are asked for: fewer than is usual where the network ends before. */
static double answer_of(const struct paradl_oracle *oracle, double prompt)
{
	const double sequence = oracle->model->sequence;
	struct paradl_error error = {0};
	if (!(prompt > 0))
		return limited(usual_answer, sequence / 2);
	return length_exists(oracle, prompt + usual_answer, &error)
		       ? usual_answer
		       : limited(usual_answer, sequence - prompt);
}

double inference_longest(const struct paradl_oracle *oracle)
{
	const struct paradl_trace *const trace = oracle->options.trace;
	return fmax(oracle->prompt_tokens + oracle->output_tokens, trace ? trace->longest_tokens : 0);
}

static bool lengths_fit(const struct paradl_oracle *oracle, struct paradl_error *error)
{
	if (length_exists(oracle, inference_longest(oracle), error))
		return true;
	if (error && error->status != PARADL_NO_MEMORY)
		error->status = PARADL_USAGE;
	error_hint(error, "a shorter prompt or answer: together they are the sequence of the model");
	return false;
}

/* Checks that nothing is asked of training that belongs to inference. */
static bool training_check(const struct paradl_oracle *oracle, struct paradl_error *error)
{
	const struct paradl_options *options = &oracle->options;
	if (options->prompt_tokens > 0 || options->output_tokens > 0 || options->requests > 0 ||
		options->spread > 0 || options->rate_per_s > 0 || options->speculative_tokens > 0 ||
		options->accepted_tokens > 0 || options->cached_prefix > 0 || options->prefill)
		return error_set(
			error, PARADL_USAGE, "prompts, answers and requests are there in inference only");
	if (oracle->framework->serves) {
		error_set(error, PARADL_USAGE, "%s serves networks, it trains none", oracle->framework->name);
		return error_hint(error, "--inference, or another --framework");
	}
	return true;
}

/* Checks that requests are there or come, and that what is guessed for them can be accepted. */
static bool requests_check(const struct paradl_options *options, struct paradl_error *error)
{
	const double guessed = options->speculative_tokens, accepted = options->accepted_tokens;
	if (!(options->requests >= 0))
		return error_set(error, PARADL_USAGE, "a run has no %.4g requests", options->requests);
	if (!(options->spread >= 0) || options->spread >= 1) {
		error_set(error, PARADL_USAGE, "answers cannot be up to %.4g %% shorter than others",
			100 * options->spread);
		return error_hint(error, "--spread is less than 100 %%: the shortest answer has a token");
	}
	if (!(options->rate_per_s >= 0) || !(options->rate_per_s <= 1e9))
		return error_set(error, PARADL_USAGE, "from 0 to 1e9 requests come in a second");
	if (options->rate_per_s > 0 && options->requests > 0)
		return error_set(error, PARADL_USAGE, "requests come at a rate or are so many, not both");
	if (!(options->cached_prefix >= 0) || options->cached_prefix >= 1)
		return error_set(error, PARADL_USAGE, "less than the whole prompt is in the cache");
	if (guessed > 0 ? accepted >= 1 && accepted <= 1 + guessed && guessed <= 64 : !(accepted > 0))
		return true;
	error_set(error, PARADL_USAGE, "of %.0f speculative tokens, a step gives from 1 to %.0f, not %.3g",
		guessed, 1 + guessed, accepted);
	return error_hint(
		error, "both numbers are needed: tokens guessed in a step, at most 64, and what it gives");
}

bool inference_check(struct paradl_oracle *oracle, struct paradl_error *error)
{
	if (!trace_take(oracle, error))
		return false;
	const struct paradl_options *options = &oracle->options;
	const struct paradl_model *model = oracle->model;
	const double prompt = options->prompt_tokens, answer = options->output_tokens;
	if (!options->inference)
		return training_check(oracle, error);
	if (options->ideal)
		return error_set(error, PARADL_USAGE,
			"the paper's Table III is about training: inference has no ideal mode");
	if (!(prompt >= 0) || !(answer >= 0) || prompt > tokens_max || answer > tokens_max)
		return error_set(error, PARADL_USAGE, "a prompt or an answer has from 1 to 1e9 tokens");
	if (model_decodes(model)) {
		error_set(error, PARADL_USAGE,
			"%s has an encoder and a decoder: how such a network is served, with one pass of the "
			"encoder and a cache of its keys, is not modelled",
			model->name);
		return error_hint(error, "without --inference its training is projected");
	}
	if (prompt > 0 && !model->input.tokens)
		return error_set(error, PARADL_USAGE,
			"%s takes no prompt: its input is no sequence of tokens", model->name);
	if (oracle->framework->serves && !model_generates(model))
		return error_set(error, PARADL_USAGE, "%s answers prompts, %s generates no tokens",
			oracle->framework->name, model->name);
	if (!requests_check(options, error))
		return false;
	if ((options->requests > 0 || options->spread > 0 || options->rate_per_s > 0 ||
		    options->speculative_tokens > 0 || options->cached_prefix > 0 || options->prefill) &&
		!model_generates(model))
		return error_set(error, PARADL_USAGE,
			"requests come one after the other where a network generates tokens: %s does not",
			model->name);
	if (answer > 0 && !model_generates(model))
		return error_set(error, PARADL_USAGE,
			"%s generates no tokens: that takes a prompt, and attention that is causal",
			model->name);
	oracle->prompt_tokens = floor(prompt);
	if (!model_generates(model))
		return true;
	oracle->output_tokens = answer > 0 ? floor(answer) : answer_of(oracle, oracle->prompt_tokens);
	if (!(prompt > 0))
		oracle->prompt_tokens = limited(usual_prompt, model->sequence - oracle->output_tokens);
	return lengths_fit(oracle, error);
}
