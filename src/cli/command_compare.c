/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"
#include "report/html/html.h"
#include "report/study_text.h"

/* The command's request, what it is about and the answer. */
struct query {
	struct report_head head;
	const struct paradl_changes *changes; /* of --set, to all files; NULL: none */
	struct paradl_model_info *models;
	struct paradl_machine_info *machines;
	struct paradl_oracle **oracles;
	double *samples, *rates, *worths;
	unsigned devices[OPTION_COUNTS_MAX];
	struct paradl_run_request job;
	struct paradl_compare_request request;
	struct paradl_comparison comparison;
	struct report_compare report;
};

static bool check(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	if (session->operands.count == 0)
		return session_missing(session, "compare needs a MODEL: a file, or one of %s",
			shipped_names(session, SHIPPED_MODELS));
	if (arguments->compare.machines.count == 0)
		return session_missing(session,
			"compare needs --hw HW, once for each machine: a file, or one of %s",
			shipped_names(session, SHIPPED_HW));
	if ((arguments->deadline_s > 0) + (arguments->budget.amount > 0) + (arguments->gpus.count > 0) > 1)
		return session_usage(session, "only one of --gpus, --deadline and --budget is possible");
	if (arguments->inference && (arguments->deadline_s > 0 || arguments->budget.amount > 0))
		return session_usage(session,
			"--deadline and --budget are of whole trainings: write --gpus, and what is "
			"promised (--ttft, --tpot, --rate)");
	if (arguments->inference &&
		(arguments->tokens > 0 || arguments->samples > 0 || arguments->epochs > 0))
		return session_usage(session, "--tokens, --samples and --epochs are of whole trainings");
	return question_check_load(session);
}

static bool make_room(struct session *session, struct query *query)
{
	const size_t models = session->operands.count, machines = session->arguments.compare.machines.count;
	query->models = arena_alloc(session->arena, models, sizeof *query->models);
	query->machines = arena_alloc(session->arena, machines, sizeof *query->machines);
	query->oracles = arena_alloc(session->arena, models * machines, sizeof(struct paradl_oracle *));
	query->samples = arena_alloc(session->arena, models, sizeof *query->samples);
	query->rates = arena_alloc(session->arena, machines, sizeof *query->rates);
	query->worths = arena_alloc(session->arena, machines, sizeof *query->worths);
	return (query->models && query->machines && query->oracles && query->samples && query->rates &&
		       query->worths) ||
	       out_of_memory(&session->error);
}

static bool read_models(struct session *session, struct query *query, const struct paradl_model **models)
{
	for (size_t i = 0; i < session->operands.count; i++) {
		models[i] = session_model(session, session->operands.items[i], query->changes);
		if (!models[i])
			return false;
		query->models[i] = paradl_model_info(models[i]);
		if (!question_input(session, &query->head, query->models[i].path))
			return false;
		if (session->arguments.inference)
			continue;
		if (!job_samples(session, &query->models[i], &query->samples[i]))
			return false;
		if (!(query->samples[i] > 0))
			query->samples[i] = query->models[i].samples;
		if (!(query->samples[i] > 0))
			return session_usage(session,
				"%s does not say how many samples an epoch has; write %s",
				query->models[i].name,
				query->models[i].sequence > 0 ? "--tokens N" : "--samples N");
	}
	return true;
}

/* Reads a machine, with prices of the comparison's kind where it has them. NULL: error is set. */
static const struct paradl_machine *read_machine(
	struct session *session, struct query *query, const char *name)
{
	int *const basis = &query->report.basis;
	const struct paradl_changes *changes = query->changes;
	const struct paradl_machine *const machine =
		session_machine_priced(session, name, *basis, &session->arguments.set, &changes);
	const struct paradl_machine_info info =
		machine ? paradl_machine_info(machine) : (struct paradl_machine_info){0};
	if (*basis < 0 && info.price_per_device_hour > 0)
		*basis = info.owned;
	return machine;
}

static bool read_machines(struct session *session, struct query *query, const struct paradl_model **models)
{
	const struct arguments *const arguments = &session->arguments;
	const size_t count = arguments->compare.machines.count;
	struct paradl_options options;
	if (!question_options(session, &options))
		return false;
	options.input = NULL; /* here --epochs is only a length of training */
	const struct paradl_framework *framework = NULL;
	query->report.basis = arguments->compare.price; /* -1: that of the first machine with a price */
	query->report.precision = arguments->precision;
	if (arguments->framework) {
		const char *const path = shipped_find(session, SHIPPED_FRAMEWORKS, arguments->framework);
		framework = path ? paradl_framework_load(session->arena,
					   &(struct paradl_source){.path = path, .changes = query->changes},
					   &session->error)
				 : NULL;
		if (!framework)
			return false;
	}
	for (size_t j = 0; j < count; j++) {
		const struct paradl_machine *const machine =
			read_machine(session, query, arguments->compare.machines.items[j]);
		if (!machine)
			return false;
		query->machines[j] = paradl_machine_info(machine);
		if (!question_input(session, &query->head, query->machines[j].path))
			return false;
		for (size_t i = 0; i < session->operands.count; i++) {
			struct paradl_oracle **const oracle = &query->oracles[i * count + j];
			*oracle = paradl_oracle_create(
				session->arena, models[i], machine, framework, &options, &session->error);
			if (*oracle)
				continue;
			if (session->error.status != PARADL_USAGE)
				return false;
			session_warn(session, "%s cannot run %s: %s", query->machines[j].name,
				query->models[i].name, session->error.message);
			session->error = (struct paradl_error){0};
		}
	}
	return true;
}

/* Fills in the numbers of GPUs: --gpus, else all of the smallest machine's; none where a deadline, a budget or a rate chooses. */
static bool read_gpus(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	struct paradl_compare_request *const request = &query->request;
	unsigned least = query->machines[0].devices;
	for (size_t j = 0; j < arguments->compare.machines.count; j++)
		least = query->machines[j].devices < least ? query->machines[j].devices : least;
	query->report.fewest = arguments->gpus.count == 0 && arguments->rate_per_s > 0;
	if (request->deadline_s > 0 || request->budget > 0 || query->report.fewest)
		return true;
	for (size_t i = 0; i < arguments->gpus.count; i++)
		query->devices[request->device_count++] = (unsigned)arguments->gpus.values[i];
	if (arguments->gpus.count == 0)
		query->devices[request->device_count++] = least;
	request->devices = query->devices;
	return true;
}

/* Returns the first cell whose plan runs; NULL: none does. */
static const struct paradl_compare_cell *any_running(const struct paradl_comparison *comparison)
{
	for (size_t i = 0; i < comparison->model_count * comparison->device_count * comparison->machine_count;
		i++)
		if (comparison->cells[i].runs)
			return &comparison->cells[i];
	return NULL;
}

/* Reads what an option of a job asks about: then the whole training has checkpoints and failures, as in advise. */
static bool read_job(struct session *session, struct query *query)
{
	bool asked;
	if (!job_request(session, &query->job, &asked))
		return false;
	query->request.job = asked ? &query->job : NULL;
	return true;
}

/* Adds what is assumed about failures, unless these are left out. */
static bool assume_failures(struct session *session, struct query *query)
{
	const struct paradl_compare_cell *const running = any_running(&query->comparison);
	return !query->request.job || (running && running->run.lacking) ||
	       job_assume(session, &query->head, &query->job, query->machines, query->request.machine_count);
}

static bool read_query(struct session *session, struct query *query)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_model **const models =
		arena_alloc(session->arena, session->operands.count, sizeof(struct paradl_model *));
	if (!models || !make_room(session, query))
		return out_of_memory(&session->error);
	query->request = (struct paradl_compare_request){.oracles = query->oracles,
		.model_count = session->operands.count,
		.machine_count = arguments->compare.machines.count,
		.samples = arguments->inference ? NULL : query->samples,
		.rates = query->rates,
		.worths = query->worths,
		.deadline_s = arguments->deadline_s,
		.budget = arguments->budget.amount,
		.batch = arguments->batch,
		.batch_tokens = arguments->batch_tokens,
		.per_device = arguments->per_gpu,
		.strategies = arguments->strategies,
		.options = arguments->plan_options};
	query->head.inference = arguments->inference;
	query->head.rate_per_s = arguments->rate_per_s;
	return question_promise(session, &query->request.promise) &&
	       question_changes(session, &query->changes) && question_assume_changes(session, &query->head) &&
	       question_command(session, &query->head) && read_models(session, query, models) &&
	       read_machines(session, query, models) &&
	       compare_rates(session, query->machines, &query->report, query->rates, query->worths) &&
	       read_job(session, query) && read_gpus(session, query);
}

/* Warns of each machine, also where nothing runs on it, that keeps checkpoints and failures out of the comparison. */
static void warn_lacking(struct session *session, const struct query *query)
{
	const struct paradl_comparison *const comparison = &query->comparison;
	const struct paradl_compare_cell *const running = any_running(comparison);
	const size_t machines = comparison->machine_count;
	for (size_t i = 0; running && running->run.lacking && i < machines; i++)
		for (size_t model = 0; model < comparison->model_count; model++) {
			const struct paradl_oracle *const oracle = query->oracles[model * machines + i];
			const char *const lacking = oracle ? paradl_run_lacking(oracle, &query->job) : NULL;
			if (!lacking)
				continue;
			job_warn_lacking(session, query->machines[i].name, lacking, machines > 1);
			break;
		}
}

/* Warns for each model and machine whose best plan has a smaller batch than is usual, as no batch was asked for. */
static void warn_shared(struct session *session, const struct query *query)
{
	const struct paradl_comparison *const comparison = &query->comparison;
	const size_t machines = comparison->machine_count;
	for (size_t i = 0; i < comparison->model_count * comparison->device_count * machines; i++) {
		const struct paradl_compare_cell *const cell = &comparison->cells[i];
		char where[256];
		if (!cell->runs)
			continue;
		snprintf(where, sizeof where, "%.100s on %.100s: ", query->models[cell->model].name,
			query->machines[cell->machine].name);
		question_warn_shared(session, query->oracles[cell->model * machines + cell->machine], where,
			cell->devices, cell->estimate.plan.batch);
		question_warn_rounded(session, &query->models[cell->model], where, cell->devices,
			cell->estimate.plan.batch);
	}
}

static enum exit_status write_page(struct session *session, struct query *query, bool runs)
{
	struct figures figures = {.session = session};
	struct document document;
	if (runs)
		figures_draw(&figures, &picture_machines, &query->report,
			query->head.inference ? "The best plan of each machine: what answers take and "
						"cost, with what is not known "
						"as lines."
					      : "The best plan of each machine: time and cost of the job, "
						"with what is not known as "
						"lines.");
	query->head.warnings = session->warnings;
	if (!document_begin(session, &document))
		return session_fail(session);
	html_compare(&document.sink, &query->report, figures.items, figures.count);
	return document_end(session, &document, runs ? EXIT_ANSWER : EXIT_NO);
}

static enum exit_status answer(struct session *session, struct query *query)
{
	enum exit_status status = EXIT_ANSWER;
	struct document document;
	const bool runs = any_running(&query->comparison);
	if (session->page)
		return write_page(session, query, runs);
	if (session->picture || (draw_wanted(session) && runs))
		status = draw_picture(session, &picture_machines, &query->report);
	if (session->picture || !draw_goes_on(session, status))
		return status;
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->compare(&document.sink, &query->report);
	return document_end(session, &document, runs ? status : EXIT_NO);
}

/* Returns the amount that sorts the table: cost where GPUs are chosen by what is enough and there is a currency, else the one that chose the plans. */
static enum paradl_amount report_order(
	const struct report_compare *report, const struct paradl_compare_cell *running)
{
	if ((report->deadline_s > 0 || report->fewest) && report->currency)
		return PARADL_AMOUNT_COST;
	return running ? running->best_by : PARADL_AMOUNT_TIME;
}

static enum exit_status run(struct session *session)
{
	struct query *const query = arena_alloc(session->arena, 1, sizeof *query);
	if (!query)
		return session_out_of_memory(session);
	memset(query, 0, sizeof *query);
	if (!check(session) || !read_query(session, query) ||
		(session->page && !question_digests(session, &query->head)) ||
		!paradl_compare(&query->request, session->arena, &query->comparison, &session->error) ||
		!assume_failures(session, query))
		return session_fail(session);
	struct report_compare *const report = &query->report;
	report->head = &query->head;
	report->comparison = &query->comparison;
	report->models = query->models;
	report->machines = query->machines;
	report->samples = query->request.samples;
	report->promise = query->request.promise;
	report->deadline_s = query->request.deadline_s;
	report->budget = query->request.budget;
	report->by = report_order(report, any_running(&query->comparison));
	warn_shared(session, query);
	warn_lacking(session, query);
	query->head.warnings = session->warnings;
	return answer(session, query);
}

/* Returns whether all options that were typed for another command are options of compare, too; false: error is set. */
static bool are_of_compare(struct session *session)
{
	for (size_t i = 0; i < session->argument_count; i++) {
		const char *const word = session->typed[i];
		const char *const name = strncmp(word, "--", 2) == 0 ? arena_copy(session->arena, word + 2,
									       strcspn(word + 2, "="))
								     : NULL;
		if (name && *name && option_find(&arguments_table, session->command->name, name) &&
			!option_find(&arguments_table, command_compare.name, name))
			return session_usage(session, "--%s is for a report about one machine", name);
	}
	return true;
}

enum exit_status compare_page(struct session *session)
{
	session->page = true;
	return are_of_compare(session) ? run(session) : session_fail(session);
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare machines for a model: time, cost, energy, with ranges",
	.synopsis = "MODEL... --hw HW --hw HW [--gpus N | --deadline TIME | --budget X] [options]",
	.details = "The best plan of each machine for each model, with what is not known of its\n"
		   "numbers as a range; machines whose ranges overlap have the same rank.",
	OPERAND_MODEL,
	.usual =
		"hw gpus deadline budget tokens batch seq precision framework inference exchange output plot",
	.examples = {"paradl compare llama2-7b --hw aws-p4d --hw aws-p5 --gpus 64",
		"paradl compare llama2-7b --hw aws-p4d --hw aws-p5 --tokens 1T --deadline 30d"},
	.first = true,
	.most_operands = 8,
	.has_page = true,
	.run = run,
};
