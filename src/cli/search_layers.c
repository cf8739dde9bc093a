/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command.h"

#include <string.h>

#include "cli/question.h"
#include "result/ranking.h"

/* Refuses options that a search for a plan of each layer has no answer to. */
static bool check_options(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{"--goal", arguments->goal > PARADL_TIME},
		{"--search-over", arguments->search.search_over != NULL},
		{"--exhaustive", arguments->search.exhaustive},
		{"--pareto", arguments->search.pareto != NULL},
		{"--map", arguments->search.map != NULL},
		{"--min-gpus", arguments->search.min_gpus},
		{"--deadline", arguments->deadline_s > 0},
		{"--budget", arguments->budget.amount > 0},
		{"--tokens", arguments->tokens > 0},
		{"--samples", arguments->samples > 0},
		{"--epochs", arguments->epochs > 0},
		{"--ttft", arguments->promise.first_s > 0},
		{"--tpot", arguments->promise.token_s > 0},
		{"--latency", arguments->promise.latency_s > 0},
		{"--checkpoint", arguments->checkpoint != NULL},
		{"--checkpoint-async", arguments->checkpoint_async},
		{"--checkpoint-rate", arguments->checkpoint_bytes_per_s > 0},
		{"--mtbf", arguments->mtbf != NULL},
		{"--restart", arguments->restart_s > 0},
		{"--inference", arguments->inference},
		{"--columns", arguments->columns != NULL},
	};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (others[i].given)
			return session_usage(session,
				"--per-layer finds the fastest plan of one training step; %s does not go "
				"with it",
				others[i].name);
	if (arguments->gpus.count != 1)
		return session_usage(session, "--per-layer needs one number of GPUs: --gpus 64");
	if (arguments->search.write_plan && arguments->output &&
		strcmp(arguments->search.write_plan, arguments->output) == 0)
		return session_usage(
			session, "--write-plan and -o both write %s", arguments->search.write_plan);
	return true;
}

static bool ask(
	struct session *session, const struct question *question, struct paradl_layered_search *search)
{
	const struct arguments *const arguments = &session->arguments;
	struct option_counts gpus;
	if (!question_gpus(session, question, &gpus))
		return false;
	const struct paradl_layers_request request = {
		.devices = (unsigned)gpus.values[0],
		.batch = arguments->batch,
		.per_device = arguments->per_gpu,
		.strategies = arguments->strategies,
		.options = arguments->plan_options,
		.layer_plans = (unsigned)arguments->search.layer_plans,
		.threads = session_threads(session),
		.gap = arguments->search.gap,
	};
	if (!paradl_search_layers(question->oracle, &request, session->arena, search, &session->error))
		return false;
	question_warn_shared(session, question->oracle, "", gpus.values[0], search->best.batch);
	if (arguments->verbose)
		diagnostic_print(session, "paradl: %zu plans evaluated, %u ways kept, %zu partial choices",
			search->evaluated, search->layer_plan_count, search->labels);
	return true;
}

/* Explains what the layers take, and would take under the best plan for all where that is another. */
static bool compare(struct session *session, const struct question *question,
	const struct paradl_layered_search *search, struct report_parts *parts)
{
	const bool has_other =
		search->uniform.devices > 0 && search->best.stages == 1 && parts_plans(&search->best) > 1;
	return parts_explain(
		session, question, &search->best, &search->uniform.plan, has_other ? 1 : 0, parts);
}

static bool write_plan(
	struct session *session, const struct question *question, const struct paradl_layered *plan)
{
	const char *const path = session->arguments.search.write_plan;
	if (path && !paradl_layered_write(question->model, plan, path, &session->error))
		return false;
	if (path && session->arguments.verbose)
		diagnostic_print(session, "paradl: wrote %s", path);
	return true;
}

enum exit_status search_layers(struct session *session)
{
	struct question question;
	struct paradl_layered_search search;
	struct report_parts parts;
	struct document document;
	const struct report_layers report = {.head = &question.head, .search = &search, .parts = &parts};
	if (!check_options(session) || !question_load(session, &question) ||
		!question_check_batch(session, &question) || !ask(session, &question, &search) ||
		!compare(session, &question, &search, &parts) ||
		!question_assume_input(session, &question, &search.estimate))
		return session_fail(session);
	if (!write_plan(session, &question, &search.best))
		return session_fail_writing(session);
	parts.file = session->arguments.search.write_plan;
	question_finish(session, &question);
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->layers(&document.sink, &report);
	return document_end(session, &document, EXIT_ANSWER);
}
