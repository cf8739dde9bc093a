/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/question.h"

#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"

#define RUN(...) ROW(ASKS " compare", __VA_ARGS__)

static const struct option_row rows[] = {
	{ROW(ASKS " compare report whatif", "tokens", OPTION_COUNT, tokens, "N"), .min = 1, .group = "Job",
		.help = "tokens of the whole training: 300B"},
	{ROW(ASKS " compare report whatif", "samples", OPTION_COUNT, samples, "N"), .min = 1, .group = "Job",
		.help = "samples of the whole training"},
	{ROW(ASKS " compare report whatif", "epochs", OPTION_COUNT, epochs, "N"), .min = 1, .group = "Job",
		.help = "epochs of the whole training; without an amount, one"},
	{ROW("advise estimate", "deadline", OPTION_QUANTITY, deadline_s, "TIME"), .formerly = "days",
		.formerly_unit = "d", .dimension = DIMENSION_TIME, .min = 1e-3, .group = "Job",
		.help = "say which plans finish training by then: '12 h', '30 d'; without an amount, how "
			"much they get done"},
	{RUN("checkpoint", OPTION_TEXT, checkpoint, "WHEN"), .group = "Job",
		.help = "when checkpoints are written: '30 min', best or none; after so much work; best "
			"(without it) is the interval that costs least"},
	{RUN("checkpoint-async", OPTION_FLAG, checkpoint_async, NULL), .group = "Job",
		.help = "GPUs wait for the copy to host memory only; the rest is written beside the steps"},
	{RUN("checkpoint-rate", OPTION_QUANTITY, checkpoint_bytes_per_s, "RATE"),
		.dimension = DIMENSION_BYTES_PER_S, .min = 1, .group = "Job",
		.help = "rate at which all nodes together write them: '100 GB/s'; instead of the profile's "
			"storage"},
	{RUN("mtbf", OPTION_TEXT, mtbf, "TIME"), .group = "Job",
		.help = "mean time between failures of a node: '200 d', or none: nothing fails"},
	{RUN("restart", OPTION_QUANTITY, restart_s, "TIME"), .dimension = DIMENSION_TIME, .min = 1e-3,
		.group = "Job", .help = "time from a failure until a checkpoint is loaded (default 10 min)"},
};

const struct option_table arguments_job = {rows, sizeof rows / sizeof rows[0], NULL};

bool job_samples(struct session *session, const struct paradl_model_info *model, double *samples)
{
	const struct arguments *const arguments = &session->arguments;
	const char *const amounts[] = {arguments->tokens > 0 ? "--tokens" : NULL,
		arguments->samples > 0 ? "--samples" : NULL, arguments->epochs > 0 ? "--epochs" : NULL};
	const char *given = NULL;
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
		if (given && amounts[i])
			return session_usage(session, "only one of %s and %s is possible", given, amounts[i]);
		given = amounts[i] ? amounts[i] : given;
	}
	if (arguments->tokens > 0 && !(model->sequence > 0))
		return session_usage(session, "--tokens: %s takes no tokens; write --samples N", model->name);
	if (arguments->epochs > 0 && !(model->samples > 0))
		return session_usage(session,
			"--epochs: %s does not say how many samples an epoch has; write %s", model->name,
			model->sequence > 0 ? "--tokens N" : "--samples N");
	*samples = arguments->tokens > 0   ? arguments->tokens / model->sequence
		   : arguments->epochs > 0 ? arguments->epochs * model->samples
					   : arguments->samples;
	return true;
}

static bool is_asked(const struct arguments *arguments)
{
	return arguments->tokens > 0 || arguments->samples > 0 || arguments->epochs > 0 ||
	       arguments->deadline_s > 0 || arguments->budget.amount > 0 || arguments->checkpoint ||
	       arguments->checkpoint_async || arguments->checkpoint_bytes_per_s > 0 || arguments->mtbf ||
	       arguments->restart_s > 0;
}

static bool read_time(struct session *session, const char *text, const char *option, double *value)
{
	if (quantity_parse(text, DIMENSION_TIME, option, value, &session->error) && *value > 0)
		return true;
	if (session->error.status == PARADL_OK)
		return session_usage(session, "%s %s: must be more than nothing", option, text);
	session->error.status = PARADL_USAGE;
	return false;
}

static bool read_checkpoints(struct session *session, struct paradl_run_request *request)
{
	const char *const when = session->arguments.checkpoint, *const mtbf = session->arguments.mtbf;
	if (mtbf && strcmp(mtbf, "none") == 0)
		request->node_mtbf_s = -1;
	else if (mtbf && !read_time(session, mtbf, "--mtbf", &request->node_mtbf_s))
		return false;
	if (!when || strcmp(when, "best") == 0)
		return true;
	request->checkpoints = PARADL_CHECKPOINTS_NONE;
	if (strcmp(when, "none") == 0)
		return !session->arguments.checkpoint_async ||
		       session_usage(
			       session, "only one of --checkpoint none and --checkpoint-async is possible");
	request->checkpoints = PARADL_CHECKPOINTS_EVERY;
	return read_time(session, when, "--checkpoint", &request->interval_s);
}

bool job_assume(struct session *session, struct report_head *head, const struct paradl_run_request *job,
	const struct paradl_machine_info *machines, size_t count)
{
	bool fails = true, restarts = true, ok = true;
	if (job->node_mtbf_s < 0)
		return true;
	for (size_t i = 0; i < count; i++) {
		fails = fails && (job->node_mtbf_s > 0 || machines[i].node_mtbf_s > 0);
		restarts = restarts && (job->restart_s > 0 || machines[i].restart_s > 0);
	}
	if (!fails)
		ok = question_assume(session, head,
			"something fails once in 50,700 hours of a GPU, as recalled of Llama 3 "
			"405B (--mtbf)");
	if (ok && !restarts)
		ok = question_assume(
			session, head, "10 min from a failure until a checkpoint is loaded (--restart)");
	return ok;
}

void job_warn_lacking(struct session *session, const char *machine, const char *lacking, bool of_all)
{
	if (lacking)
		session_warn(session,
			"%s has %s: checkpoints and failures are left out%s (--checkpoint-rate RATE)",
			machine, lacking, of_all ? " of all machines" : "");
}

bool job_request(struct session *session, struct paradl_run_request *job, bool *asked)
{
	const struct arguments *const arguments = &session->arguments;
	*job = (struct paradl_run_request){.asynchronous = arguments->checkpoint_async,
		.write_bytes_per_s = arguments->checkpoint_bytes_per_s,
		.restart_s = arguments->restart_s,
		.limit_s = arguments->deadline_s};
	*asked = is_asked(arguments);
	if (!*asked)
		return true;
	if (arguments->inference)
		return session_usage(session, "a job is of training, not of --inference");
	return read_checkpoints(session, job);
}

bool job_read(struct session *session, struct question *question, struct paradl_run_request *job, bool *asked)
{
	const struct paradl_model_info *const model = &question->head.model;
	if (!job_request(session, job, asked))
		return false;
	if (!*asked)
		return true;
	if (!job_samples(session, model, &job->samples))
		return false;
	if (!(job->samples > 0) && !(job->limit_s > 0)) {
		if (!(model->samples > 0))
			return session_usage(session,
				"%s does not say how many samples an epoch has; write %s or --deadline TIME",
				model->name, model->sequence > 0 ? "--tokens N" : "--samples N");
		job->samples = model->samples;
	}
	if (question->oracle && paradl_run_lacking(question->oracle, job))
		return true;
	return job_assume(session, &question->head, job, &question->head.machine, 1);
}

const struct paradl_run *job_runs(struct session *session, const struct question *question,
	const struct paradl_run_request *job, const struct paradl_ranking *rankings, size_t count)
{
	size_t all = 0, done = 0;
	for (size_t i = 0; i < count; i++)
		all += rankings[i].count;
	struct paradl_run *const runs = arena_alloc(session->arena, all + 1, sizeof *runs);
	for (size_t i = 0; runs && i < count; i++)
		for (size_t j = 0; j < rankings[i].count; j++)
			paradl_run(question->oracle, &rankings[i].results[j], job, &runs[done++]);
	if (!runs)
		out_of_memory(&session->error);
	else if (all > 0)
		job_warn_lacking(session, question->head.machine.name, runs[0].lacking, false);
	if (runs && all > 0 && job->samples > 0 && runs[0].iterations < 1)
		session_warn(session, "the whole training is less than one step: %.3g of %.15g samples%s",
			runs[0].samples, runs[0].samples / runs[0].iterations,
			session->arguments.tokens > 0 ? " (--tokens 300B are 300 billion)" : "");
	return runs;
}

bool job_is_late(struct session *session, const struct paradl_run_request *job, const struct paradl_run *run)
{
	if (run->in_time)
		return false;
	if (run->possible) {
		char time[64], limit[64];
		diagnostic_print(session, "paradl: it takes %s, more than --deadline %s",
			quantity_format(time, sizeof time, run->time_s, DIMENSION_TIME),
			quantity_format(limit, sizeof limit, job->limit_s, DIMENSION_TIME));
	} else {
		diagnostic_print(
			session, "paradl: it never ends: more fails than is done between two failures");
	}
	return true;
}
