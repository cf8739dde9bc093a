/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ranking_request.h"

#include <string.h>

#include "base/error.h"

static bool ranking_request(struct session *session, const struct question *question, double devices,
	struct paradl_request *request)
{
	const struct arguments *const arguments = &session->arguments;
	const double batch = question_batch(session, devices, paradl_oracle_batch(question->oracle, devices));
	const bool batched = arguments->batch > 0 ||
			     (question->head.inference && !paradl_promise_made(&arguments->promise));
	*request = (struct paradl_request){
		.devices = (unsigned)devices,
		.batch = batched && !(arguments->rate_per_s > 0) ? batch : 0,
		.per_device = arguments->batch > 0 ? 0 : arguments->per_gpu,
		.micro = arguments->micro,
		.goal = (enum paradl_goal)arguments->goal,
		.strategies = arguments->strategies,
		.all_members = arguments->all,
		.options = arguments->plan_options,
	};
	return question_promise(session, &request->promise);
}

bool ranking_load(struct session *session, struct question *question)
{
	const char **const prefill = &session->arguments.prefill;
	const struct option_counts *const gpus = &session->arguments.gpus;
	struct paradl_request request;
	if (!*prefill || strcmp(*prefill, "auto") != 0)
		return question_load(session, question);
	if (gpus->count != 1)
		return session_usage(session, "--prefill auto is for one number of --gpus");
	*prefill = NULL;
	if (!question_load(session, question) ||
		!ranking_request(session, question, gpus->values[0], &request) ||
		!paradl_prefill_choose(question->oracle, &request, session->arena, prefill, &session->error))
		return false;
	if (*prefill)
		return question_load(session, question);
	error_set(&session->error, PARADL_INFEASIBLE, "no part of %.0f GPUs can read prompts for the others",
		gpus->values[0]);
	return error_hint(&session->error, "more GPUs, or no --prefill");
}

bool ranking_each(struct session *session, const struct question *question, const struct option_counts *gpus,
	struct paradl_ranking *rankings)
{
	for (size_t i = 0; i < gpus->count; i++) {
		struct paradl_request request;
		if (!ranking_request(session, question, gpus->values[i], &request))
			return false;
		const double batch = question_batch(
			session, gpus->values[i], paradl_oracle_batch(question->oracle, gpus->values[i]));
		rankings[i] = (struct paradl_ranking){.devices = request.devices, .batch = batch};
		if (!paradl_advise(question->oracle, &request, session->arena, &rankings[i], &session->error))
			return false;
		if (session->arguments.verbose)
			diagnostic_print(session, "paradl: %u GPU%s: %zu plans looked at", request.devices,
				request.devices == 1 ? "" : "s", rankings[i].evaluated);
	}
	return true;
}

const struct paradl_estimate *ranking_unfit(
	struct session *session, const struct question *question, const struct paradl_ranking *ranking)
{
	struct paradl_estimate *const unfit =
		arena_alloc(session->arena, ranking->infeasible_count, sizeof *unfit);
	for (size_t i = 0; unfit && i < ranking->infeasible_count; i++) {
		struct paradl_plan plan;
		struct paradl_error error;
		if (!paradl_plan_parse(ranking->infeasible[i].strategy, &plan, &error))
			continue;
		plan.batch = ranking->batch;
		plan.micro = plan.micro > 0 ? plan.micro : session->arguments.micro;
		if (!paradl_estimate(question->oracle, &plan, &unfit[i], &error))
			unfit[i].devices = 0;
	}
	return unfit;
}
