/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/quantity.h"
#include "cli/command.h"
#include "cli/question.h"

static const double usual_tau = 0.7;

/*
 * Reads the share of samples that a measured training hid in each epoch: column hidden_share of a CSV, 0 to below 1.
 */
static bool read_log(struct session *session, const char *path, struct paradl_hide_request *request)
{
	static const char share[] = "hidden_share";
	struct csv log;
	if (!csv_load(session->arena, path, &log, &session->error))
		return false;
	double *const hidden = arena_alloc(session->arena, log.rows + 1, sizeof *hidden);
	if (!hidden)
		return out_of_memory(&session->error);
	for (size_t i = 0; i < log.rows; i++) {
		const char *const cell = csv_cell(&log, i, share), *end = NULL;
		if (!cell || !decimal_read(cell, 0, &hidden[i], &end) || *end || hidden[i] >= 1)
			return session_usage(session, "%s: row %zu has no share from 0 to 1 in a column %s",
				path, i + 1, share);
	}
	if (log.rows == 0)
		return session_usage(session, "%s: has no epochs", path);
	request->hidden = hidden;
	request->hidden_count = log.rows;
	return true;
}

static bool read_retention(struct session *session, struct paradl_hide_request *request)
{
	static const char table[] = ".csv";
	const char *const text = session->arguments.retention;
	const size_t length = text ? strlen(text) : 0;
	if (length > sizeof table - 1 && strcmp(text + length - (sizeof table - 1), table) == 0)
		return read_log(session, text, request);
	return !text || paradl_steps_parse(text, &request->retention, NULL, &session->error);
}

/*
 * Refuses networks of tokens, unless epochs and a number of samples are given: texts for pre-training are read once,
 * and nothing is hidden in a first epoch, while fine-tuning has epochs and samples of its own.
 */
static bool check_texts(struct session *session, const struct question *question)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_model_info *const model = &question->head.model;
	const bool has_epochs = arguments->epochs > 0 || arguments->fraction_schedule;
	if (!(model->sequence > 0) || (has_epochs && (arguments->dataset || arguments->samples > 0)))
		return true;
	session_usage(session,
		"%s is pre-trained on texts that are read once, and what does not come again cannot be "
		"hidden",
		model->name);
	return error_hint(&session->error,
		"fine-tuning has epochs and a data set of its own: --epochs 3 --dataset alpaca");
}

static bool read_request(struct session *session, struct paradl_hide_request *request)
{
	const struct arguments *const arguments = &session->arguments;
	double epochs = 0;
	*request = paradl_hide_usual();
	request->sampler = paradl_sampler((size_t)arguments->sampler).name;
	request->fraction = arguments->fraction;
	request->tau = arguments->tau;
	request->hidden_cost = arguments->phi;
	request->ratio = arguments->ratio;
	request->warm_up = arguments->warm_up;
	request->samples = arguments->samples;
	request->epoch_s = arguments->epoch_s;
	request->candidate_s = arguments->candidate_s;
	request->distributed = arguments->distributed_selection;
	if (arguments->fraction_schedule &&
		!paradl_steps_parse(arguments->fraction_schedule, &request->caps, &epochs, &session->error))
		return false;
	request->epochs = arguments->epochs > 0 ? arguments->epochs : epochs;
	return read_retention(session, request);
}

static void warn(struct session *session, const struct question *question, const struct paradl_hide *hide)
{
	const struct arguments *const arguments = &session->arguments;
	const struct paradl_estimate *const estimate = &hide->estimate;
	char lacking[64];
	if (!paradl_plan_offered(question->oracle, &estimate->plan, lacking, sizeof lacking))
		session_warn(session, "%s has no %s; it is estimated as if it had",
			question->head.framework.name, lacking);
	if (!estimate->fits)
		session_warn(session, "the plan needs more memory than a GPU has");
	if (!arguments->retention && arguments->tau < 1 &&
		(arguments->tau < usual_tau || arguments->tau > usual_tau))
		session_warn(session, "retention 0.6 was seen with tau 0.7; how many candidates another tau "
				      "moves back is up to "
				      "the training (--retention)");
}

static bool assume(struct session *session, struct report_head *head, const struct paradl_hide *hide)
{
	const struct arguments *const arguments = &session->arguments;
	const bool hides = hide->count > 0 && hide->chosen == 0;
	if (hides && !(arguments->phi > 0) &&
		!question_assume(session, head,
			arena_printf(session->arena,
				"a hidden sample costs %.2f of a trained one: 1 / (1 + %.2f) for its forward "
				"pass, 0.1 for a second loader and bookkeeping",
				hide->hidden_cost, hide->ratio)))
		return false;
	if (hides && !arguments->retention &&
		!question_assume(session, head,
			"60 % of the candidates stay hidden; the one public log has 51 to 66 %, rising"))
		return false;
	return question_assume(
		session, head, "accuracy is not projected: paradl-hide(1) has what was reported");
}

static enum exit_status run(struct session *session)
{
	struct question question;
	struct paradl_plan plan;
	struct paradl_hide_request request;
	struct document document;
	struct paradl_hide *const hide = arena_alloc(session->arena, 1, sizeof *hide);
	if (!hide)
		return session_out_of_memory(session);
	if (!session->arguments.strategy && session->operands.count > 0 && session->arguments.hw) {
		session_missing(session, "hide needs -s PLAN, such as data=64");
		return session_fail(session);
	}
	if (!read_request(session, &request) || !question_load(session, &question) ||
		!check_texts(session, &question) || !question_check_batch(session, &question) ||
		!question_plan(session, &question, session->arguments.strategy, &plan) ||
		!paradl_hide(question.oracle, &plan, &request, session->arena, hide, &session->error) ||
		!question_assume_input(session, &question, &hide->estimate) ||
		!assume(session, &question.head, hide))
		return session_fail(session);
	warn(session, &question, hide);
	question_finish(session, &question);
	const struct report_hide report = {
		.head = &question.head, .hide = hide, .compares = session->arguments.compare};
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->hide(&document.sink, &report);
	return document_end(session, &document, hide->estimate.fits ? EXIT_ANSWER : EXIT_NO);
}

const struct command command_hide = {
	.name = "hide",
	.summary = "project training with fewer samples: what hiding them saves",
	.synopsis = "MODEL --hw HW -s PLAN [--fraction F] [--sampler NAME] [options]",
	.details = "KAKURENBO hides samples that are learnt for an epoch at a time, and the samplers that\n"
		   "it is compared with leave out backward passes, draw by importance, or prune. Says\n"
		   "what each takes over the training, and when input leaves nothing to save.",
	OPERAND_MODEL,
	.usual = "hw strategy batch sampler fraction retention epochs epoch-samples dataset no-input compare "
		 "output",
	.examples = {"paradl hide resnet50 --hw abci -s data=32",
		"paradl hide resnet50 --hw abci -s data=32 --compare --no-input"},
	.most_operands = 1,
	.run = run,
};
