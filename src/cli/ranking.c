/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/ranking.h"

bool ranking_each(struct session *session, const struct question *question, const struct option_counts *gpus,
	struct paradl_ranking *rankings)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_promise promise;
	if (!question_promise(session, &promise))
		return false;
	const bool promised = question_promised(arguments);
	const bool batched = arguments->batch > 0 || (question->head.inference && !promised);
	for (size_t i = 0; i < gpus->count; i++) {
		const double batch = question_batch(session, question, gpus->values[i], gpus->values[i]);
		const struct paradl_request request = {
			.devices = (unsigned)gpus->values[i],
			.batch = batched && !(arguments->rate_per_s > 0) ? batch : 0,
			.per_device = arguments->batch > 0 ? 0 : arguments->per_gpu,
			.micro = arguments->micro,
			.goal = (enum paradl_goal)arguments->goal,
			.strategies = arguments->strategies,
			.all_members = arguments->all,
			.options = arguments->plan_options,
			.promise = promise,
		};
		rankings[i] = (struct paradl_ranking){.devices = request.devices, .batch = batch};
		if (!paradl_advise(question->oracle, &request, session->arena, &rankings[i], &session->error))
			return false;
		if (arguments->verbose)
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
