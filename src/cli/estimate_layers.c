/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate -s FILE: a plan for each part of the network. */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/draw.h"
#include "cli/estimate.h"
#include "cli/parts.h"
#include "report/parts.h"

bool estimate_is_file(const char *strategy)
{
	const char *const dot = strrchr(strategy, '.');
	return (dot && strcmp(dot, ".json") == 0) || access(strategy, F_OK) == 0;
}

/* --batch and --per-gpu have priority over the file's. */
static bool choose_batch(struct session *session, struct paradl_layered *layered)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_layered_part *const parts =
		arena_alloc(session->arena, layered->part_count, sizeof *parts);
	if (!parts)
		return error_set(&session->error, PARADL_NO_MEMORY, "out of memory");
	if (arguments->batch > 0)
		layered->batch = arguments->batch;
	else if (arguments->per_gpu > 0)
		layered->batch = arguments->per_gpu * layered->devices;
	for (size_t i = 0; i < layered->part_count; i++) {
		parts[i] = layered->parts[i];
		parts[i].plan.batch = layered->batch;
	}
	layered->parts = parts;
	return true;
}

static bool load(struct session *session, struct question *question, struct paradl_layered *layered)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_machine_info *const machine = &question->head.machine;
	const char *const path = arguments->strategy;
	if (arguments->batch > 0 && arguments->per_gpu > 0)
		return session_usage(session, "only one of --batch and --per-gpu is possible");
	if (arguments->inference)
		return session_usage(session, "-s %s is a plan for training, not for --inference", path);
	if (!paradl_layered_load(session->arena, question->model, path, layered, &session->error))
		return false;
	if (layered->devices > machine->devices)
		return session_usage(session, "%s is a plan for %u GPUs, more than %s has: %u", path,
			layered->devices, machine->name, machine->devices);
	return question_input(session, &question->head, path) && choose_batch(session, layered);
}

/* The different plans of the parts. */
static struct paradl_plan *distinct_plans(
	struct session *session, const struct paradl_layered *layered, size_t *count)
{
	struct paradl_plan *const plans = arena_alloc(session->arena, layered->part_count, sizeof *plans);
	*count = 0;
	for (size_t i = 0; plans && i < layered->part_count; i++) {
		const struct paradl_plan *const plan = &layered->parts[i].plan;
		size_t same = 0;
		while (same < *count && !parts_same_plan(plan, &plans[same]))
			same++;
		if (same == *count)
			plans[(*count)++] = *plan;
	}
	return plans;
}

static bool explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, struct report_parts *parts)
{
	size_t count = 0;
	const struct paradl_plan *const plans =
		session->arguments.explain ? distinct_plans(session, layered, &count) : NULL;
	if (session->arguments.explain && !plans)
		return error_set(&session->error, PARADL_NO_MEMORY, "out of memory");
	return parts_explain(session, question, layered, plans, count, parts);
}

enum exit_status estimate_layers(struct session *session, struct question *question)
{
	const struct arguments *const arguments = &session->arguments;
	const bool has_sections = arguments->layers || arguments->memory || arguments->explain;
	struct paradl_layered layered = {.devices = 0};
	struct paradl_estimate estimate;
	struct report_parts parts;
	struct paradl_run_request job;
	struct report_estimate report = {
		.head = &question->head,
		.estimate = &estimate,
		.parts = &parts,
		.show_phases = arguments->phases || !has_sections,
		.show_memory = arguments->memory,
		.show_layers = arguments->layers || (!has_sections && session->format == &report_text),
		.show_terms = arguments->explain,
	};
	if (arguments->timeline || draw_choice(session, NULL) == &picture_timeline) {
		session_usage(session, "a timeline is of one plan for all layers");
		return session_fail(session);
	}
	if (!load(session, question, &layered))
		return session_fail(session);
	if (!paradl_estimate_layered(question->oracle, &layered, &estimate, &session->error))
		return session->error.status == PARADL_INFEASIBLE
			       ? estimate_refuse(session, question, "", arguments->strategy)
			       : session_fail(session);
	if (!explain(session, question, &layered, &parts) ||
		!question_assume_input(session, question, &estimate) ||
		!estimate_expense(session, question, &report, &job))
		return session_fail(session);
	parts.file = arguments->strategy;
	question_finish(session, question);
	return estimate_answer(session, &report);
}
