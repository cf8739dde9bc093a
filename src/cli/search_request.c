/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/question.h"

#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/arguments_rows.h"

enum { NAMES_MAX = 16, NAME_BYTES = 32, LIST_BYTES = 160 };

/* Function that returns the index-th name that an option may have; NULL past the last. */
typedef const char *name_of(size_t index);

/* Returns the name of a goal that is traded: those of --goal, and of answers. */
static const char *traded_name(size_t index)
{
	static const char *const names[PARADL_GOALS] = {
		[PARADL_FIRST_TOKEN] = "ttft", [PARADL_EACH_TOKEN] = "tpot", [PARADL_PER_DEVICE] = "per-gpu"};
	return index <= PARADL_THROUGHPUT ? arguments_goal(index)
	       : index < PARADL_GOALS     ? names[index]
					  : NULL;
}

static const char *axis_name(size_t index)
{
	return index < PARADL_AXIS_COUNT ? paradl_strategy(index).name : NULL;
}

static bool unknown_name(struct session *session, const char *option, const char *name, name_of *names)
{
	const char *known[NAMES_MAX];
	char list[LIST_BYTES] = "";
	size_t count = 0, used = 0;
	for (; count < NAMES_MAX && names(count); count++) {
		known[count] = names(count);
		const int length = snprintf(
			list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", known[count]);
		used += length > 0 && (size_t)length < sizeof list - used ? (size_t)length : 0;
	}
	const char *const near = suggest(name, known, count);
	if (near)
		return session_usage(session, "%s knows no '%s'; did you mean '%s'?", option, name, near);
	session_usage(session, "%s knows no '%s'", option, name);
	error_hint(&session->error, "%s are possible", list);
	return false;
}

/* Reads names such as "time,cost" into a set of 1u << index; *count is the number of names. */
static bool read_set(struct session *session, const char *option, const char *text, name_of *names,
	unsigned *set, unsigned *count)
{
	*set = *count = 0;
	for (const char *item = text;;) {
		const size_t length = strcspn(item, ",");
		char name[NAME_BYTES];
		size_t index = 0;
		snprintf(name, sizeof name, "%.*s", (int)(length < NAME_BYTES ? length : NAME_BYTES - 1),
			item);
		while (names(index) && strcmp(names(index), name) != 0)
			index++;
		if (!names(index))
			return unknown_name(session, option, name, names);
		if (*set & 1u << index)
			return session_usage(session, "%s names '%s' twice", option, name);
		*set |= 1u << index;
		++*count;
		if (!item[length])
			return true;
		item += length + 1;
	}
}

static bool read_sets(struct session *session, struct paradl_search_request *request)
{
	const struct arguments *const arguments = &session->arguments;
	unsigned count = 0;
	if (arguments->search.pareto) {
		if (!read_set(session, "--pareto", arguments->search.pareto, traded_name, &request->pareto,
			    &count))
			return false;
		if (count < 2)
			return session_usage(session,
				"--pareto %s is one goal: two or more are traded, such as time,memory",
				arguments->search.pareto);
	}
	if (request->pareto >> (PARADL_THROUGHPUT + 1) && !arguments->inference)
		return session_usage(session, "ttft, tpot and per-gpu are goals of --inference");
	if (arguments->search.map) {
		if (!read_set(session, "--map", arguments->search.map, axis_name, &request->map, &count))
			return false;
		if (count != 2)
			return session_usage(session,
				"--map %s is %u ax%cs: a map has two, such as tensor,pipeline",
				arguments->search.map, count, count == 1 ? 'i' : 'e');
	}
	return true;
}

/* Returns the first option about the whole training that was given; NULL: none. */
static const char *job_option(const struct arguments *arguments)
{
	if (arguments->deadline_s > 0)
		return "--deadline";
	if (arguments->budget.amount > 0)
		return "--budget";
	if (arguments->tokens > 0)
		return "--tokens";
	if (arguments->epochs > 0)
		return "--epochs";
	return arguments->samples > 0 ? "--samples" : NULL;
}

/* Refuses options that say the opposite, or nothing, together. */
static bool check_options(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const char *const of_job = job_option(arguments);
	if (arguments->search.write_plan || arguments->search.layer_plans > 0)
		return session_usage(session, "%s is of a plan for each layer: it needs --per-layer",
			arguments->search.write_plan ? "--write-plan" : "--layer-plans");
	if (arguments->search.exhaustive && arguments->search.gap > 0)
		return session_usage(session, "only one of --exhaustive and --gap is possible");
	if (of_job && arguments->inference) {
		session_usage(session, "%s is of training, not of --inference", of_job);
		error_hint(&session->error, "--latency, --ttft and --tpot limit answers");
		return false;
	}
	return true;
}

/* Reads how much the whole training is, and may take; without an amount it is an epoch. */
static bool read_job(struct session *session, struct question *question, struct report_search *report)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_model_info *const model = &question->head.model;
	const bool limits = arguments->deadline_s > 0 || arguments->budget.amount > 0;
	struct paradl_run_request *const job = arena_alloc(session->arena, 1, sizeof *job);
	bool asked;
	if (!job)
		return out_of_memory(&session->error);
	if (!job_read(session, question, job, &asked))
		return false;
	if (!asked)
		return true;
	report->job = job;
	job->samples = job->samples > 0 ? job->samples : model->samples;
	report->samples = job->samples;
	report->tokens = arguments->tokens > 0 ? arguments->tokens : report->samples * model->sequence;
	if (limits && !(report->samples > 0))
		return session_usage(session, "%s: %s does not say how many samples an epoch has; write %s",
			arguments->deadline_s > 0 ? "--deadline" : "--budget", model->name,
			model->sequence > 0 ? "--tokens N" : "--samples N");
	if (arguments->budget.amount > 0 && !(question->head.machine.price_per_device_hour > 0))
		return session_usage(session, "--budget: %s has no price", question->head.machine.name);
	if (*arguments->budget.currency &&
		strcmp(arguments->budget.currency, question->head.machine.currency) != 0)
		return session_usage(session, "--budget is in %s, and prices of %s are in %s",
			arguments->budget.currency, question->head.machine.name,
			question->head.machine.currency);
	return true;
}

static void warn_unweighed(struct session *session, const struct question *question,
	const struct paradl_search_request *request, const struct report_search *report)
{
	const bool costs = request->goal == PARADL_COST || request->pareto & 1u << PARADL_COST;
	if (costs && !(question->head.machine.price_per_device_hour > 0))
		session_warn(session, "%s has no price: cost is GPU time", question->head.machine.name);
	else if (costs && !(report->samples > 0) && !(question->head.model.samples > 0))
		session_warn(session, "%s names no data set: cost is GPU time (%s N for money)",
			question->head.model.name,
			question->head.model.sequence > 0 ? "--tokens" : "--samples");
}

/* Returns the goal: as advise has it, under a promise alone the most answers. */
static enum paradl_goal goal_choose(
	const struct arguments *arguments, const struct paradl_search_request *request)
{
	if (arguments->goal >= 0)
		return (enum paradl_goal)arguments->goal;
	if (arguments->deadline_s > 0)
		return PARADL_COST;
	const bool leaves_batch =
		!(arguments->batch > 0) && !(arguments->per_gpu > 0) && !(arguments->rate_per_s > 0);
	return paradl_promise_made(&request->promise) && leaves_batch && !request->pareto ? PARADL_THROUGHPUT
											  : PARADL_TIME;
}

bool search_request_read(struct session *session, struct question *question,
	struct paradl_search_request *request, struct report_search *report)
{
	const struct arguments *const arguments = &session->arguments;
	if (!check_options(session) || !question_promise(session, &request->promise) ||
		!read_sets(session, request) || !read_job(session, question, report))
		return false;
	request->batch = arguments->batch;
	request->per_device = arguments->per_gpu;
	request->goal = goal_choose(arguments, request);
	request->strategies = arguments->strategies;
	request->options = arguments->plan_options;
	request->vary = arguments->search.search_over;
	request->exhaustive = arguments->search.exhaustive;
	request->keep = (size_t)arguments->top;
	request->gap = arguments->search.gap;
	request->samples = report->samples;
	request->job = report->job;
	request->deadline_s = arguments->deadline_s;
	request->budget = arguments->budget.amount;
	request->threads = session_threads(session);
	if (session->team)
		request->team = &session->team->members;
	warn_unweighed(session, question, request, report);
	return true;
}
