/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of an iteration: as asked, in samples or tokens, or as is usual; and the warnings about them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/question.h"

bool question_batch_tokens(struct session *session, const struct paradl_model *model)
{
	const struct paradl_model_info info = paradl_model_info(model);
	if (!(info.sequence > 0))
		return session_usage(
			session, "--batch: a sample of %s has no tokens; write how many samples", info.name);
	const double samples = paradl_token_samples(session->arguments.batch_tokens, info.sequence);
	if (fabs(samples * info.sequence - session->arguments.batch_tokens) > 0.5)
		session_warn(session, "--batch: %.0f sequences of %.0f tokens are taken, %.3g M tokens",
			samples, info.sequence, samples * info.sequence / 1e6);
	session->arguments.batch = samples;
	return true;
}

double question_batch(const struct session *session, double devices, double usual)
{
	const struct arguments *const arguments = &session->arguments;
	if (arguments->batch > 0)
		return arguments->batch;
	if (arguments->per_gpu > 0)
		return arguments->per_gpu * devices;
	return usual;
}

const char *question_load_again(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_promise *const promise = &arguments->promise;
	const struct {
		const char *option, *unit;
		double value; /* value of the option; 0: not given */
	} numbers[] = {
		{"--batch", "", arguments->batch},
		{"--per-gpu", "", arguments->per_gpu},
		{"--ttft", "s", promise->first_s},
		{"--tpot", "s", promise->token_s},
		{"--latency", "s", promise->latency_s},
	};
	const char *text = "";
	for (size_t i = 0; text && i < sizeof numbers / sizeof *numbers; i++)
		if (numbers[i].value > 0)
			text = arena_printf(session->arena, "%s %s %.15g%s", text, numbers[i].option,
				numbers[i].value, numbers[i].unit);
	if (text && arguments->percentile != PARADL_MEAN)
		text = arena_printf(session->arena, "%s --percentile %s", text,
			paradl_percentile_name((enum paradl_percentile)arguments->percentile));
	return text ? text : "";
}

bool question_promise(struct session *session, struct paradl_promise *promise)
{
	const struct arguments *const arguments = &session->arguments;
	*promise = arguments->promise;
	promise->percentile = (enum paradl_percentile)arguments->percentile;
	if (paradl_promise_made(promise) && !arguments->inference)
		return session_usage(session, "--ttft, --tpot and --latency are about --inference");
	return promise->percentile == PARADL_MEAN || promise->first_s > 0 || promise->token_s > 0 ||
	       session_usage(session, "--percentile needs --ttft or --tpot");
}

bool question_too_many(struct session *session, const struct paradl_machine_info *machine, double gpus)
{
	session_usage(session, "--gpus %.15g is more than %s has: %u GPU%s", gpus, machine->name,
		machine->devices, machine->devices == 1 ? "" : "s");
	return error_hint(&session->error,
		"--set hw.levels.%u.devices=%.15g asks about a larger one, and --set hw.network.cluster=... "
		"about its network, "
		"if the file has one; or change both in a copy of its file",
		machine->level_count - 1, gpus);
}

static bool sets_batch(const struct option_texts *set)
{
	static const char key[] = "model.training.batch=";
	for (size_t i = 0; i < set->count; i++)
		if (strncmp(set->items[i], key, strlen(key)) == 0)
			return true;
	return false;
}

void question_warn_rounded(struct session *session, const struct paradl_model_info *model, const char *where,
	double devices, double batch)
{
	const struct arguments *const arguments = &session->arguments;
	if (arguments->batch > 0 || arguments->per_gpu > 0 || !sets_batch(&arguments->set) ||
		!(batch > model->batch))
		return;
	session_warn(session,
		"%smodel.training.batch=%.0f becomes %.0f, %.0f for each of %.0f GPUs (--batch %.0f: exactly "
		"that)",
		where, model->batch, batch, batch / devices, devices, model->batch);
}

void question_warn_shared(struct session *session, const struct paradl_oracle *oracle, const char *where,
	double devices, double batch)
{
	const struct arguments *const arguments = &session->arguments;
	const double usual = paradl_oracle_batch(oracle, devices);
	if (arguments->batch > 0 || arguments->per_gpu > 0 || arguments->inference || !(batch < usual))
		return;
	char each[64];
	if (batch < devices)
		snprintf(each, sizeof each, "one sample for every %.3g GPUs", devices / batch);
	else
		snprintf(each, sizeof each, "%.3g for each GPU", batch / devices);
	session_warn(session,
		"%sthe usual batch of %.0f fits only under slower plans, or none; all here is for a batch of "
		"%.0f, %s (--batch asks for another)",
		where, usual, batch, each);
}

void question_warn_epoch(struct session *session, const struct question *question, double batch)
{
	const struct paradl_model_info *const model = &question->head.model;
	if (!question->head.inference && model->samples > 0 && batch > model->samples)
		session_warn(session,
			"an epoch is shorter than an iteration: %s has %.0f samples, a batch %.0f",
			model->dataset && *model->dataset ? model->dataset : "the data set", model->samples,
			batch);
}

bool question_check_load(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const bool batched = arguments->batch > 0 || arguments->batch_tokens > 0;
	if (batched && arguments->per_gpu > 0)
		return session_usage(session, "only one of --batch and --per-gpu is possible");
	if (arguments->rate_per_s > 0 && (batched || arguments->per_gpu > 0))
		return session_usage(session, "only one of --batch and --rate is possible: a rate says how "
					      "many requests are under way");
	return true;
}

/*
 * Warns of a batch of four times the tokens that DeepSeek-V3 was trained with (15,360 sequences of 4,096, 2024): tokens may
 * have been meant.
 */
static void warn_large(struct session *session, const struct paradl_model_info *model)
{
	static const double most_tokens = 256e6;
	const double samples = session->arguments.batch, tokens = samples * model->sequence;
	if (tokens > most_tokens)
		session_warn(session,
			"--batch: %.0f sequences are %.3g G tokens; write --batch '%.4g M tokens' if so many "
			"are meant",
			samples, tokens / 1e9, samples / 1e6);
}

bool question_check_batch(struct session *session, const struct question *question)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_model_info *const model = &question->head.model;
	if (!question_check_load(session))
		return false;
	if (!model->generates && (arguments->promise.first_s > 0 || arguments->promise.token_s > 0))
		return session_usage(session,
			"--ttft and --tpot are about networks that generate tokens: %s does not (--latency "
			"is about any)",
			model->name);
	if (question->head.inference && model->generates)
		return true;
	warn_large(session, model);
	if (arguments->batch > 0 || arguments->batch_tokens > 0 || arguments->per_gpu > 0 ||
		model->batch_per_gpu > 0 || model->batch > 0)
		return true;
	if (!question->oracle) { /* a sweep: each point has an oracle of its own, and its batch */
		session_warn(
			session, "%s names no batch: a usual one is taken (--batch, --per-gpu)", model->name);
		return true;
	}
	const double usual = paradl_oracle_batch(question->oracle, 1);
	if (model->generates)
		session_warn(session,
			"%s names no batch: %.0f sequences, %.2g M tokens, are taken, as GPT-3 of its size "
			"had, rounded up to a multiple of the GPUs (--batch)",
			model->name, usual, usual * model->sequence / 1e6);
	else
		session_warn(session, "%s names no batch: %.0f samples a GPU are taken (--per-gpu)",
			model->name, usual);
	return true;
}
