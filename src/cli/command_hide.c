/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/quantity.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/question.h"

#define HIDE(...) ROW("hide", __VA_ARGS__)

static const char *sampler_name(size_t index)
{
	return paradl_sampler(index).name;
}

static const struct option_row rows[] = {
	{HIDE("sampler", OPTION_CHOICE, hide.sampler, "NAME"), .initial = "kakurenbo", .choice = sampler_name,
		.group = "Samples", .help = "how to pick samples"},
	{HIDE("fraction", OPTION_RATIO, hide.fraction, "F"), .max = 0.99, .group = "Samples",
		.help = "largest share of samples that is hidden (default 30%); selective: that has no "
			"backward pass (50%); pruning: that is left out (30%)"},
	{HIDE("fraction-schedule", OPTION_TEXT, hide.fraction_schedule, "STEPS"), .formerly = "schedule",
		.group = "Samples",
		.help = "what F is multiplied with, by epoch: 1@0,0.8@30,0.6@60, or imagenet, cifar100, "
			"cords, "
			"long, fractal; without it imagenet's steps, scaled to --epochs"},
	{HIDE("retention", OPTION_TEXT, hide.retention, "STEPS"), .completes = "file", .group = "Samples",
		.help = "share of the candidates that stays hidden (default 0.6); by epoch 0.5@0,0.6@90; or "
			"a log, FILE.csv, whose column hidden_share has the share of all samples that each "
			"epoch hid"},
	{HIDE("tau", OPTION_RATIO, hide.tau, "T"), .initial = "0.7", .max = 1, .group = "Samples",
		.help = "confidence below which a candidate moves back; how many do is --retention"},
	{HIDE("phi", OPTION_RATIO, hide.phi, "SHARE"), .min = 0.001, .max = 1, .group = "Samples",
		.help = "cost of a hidden sample as a share of a trained one's; without it 1 / (1 + ratio) + "
			"0.1"},
	{HIDE("ratio", OPTION_RATIO, hide.ratio, "R"), .min = 0.01, .max = 100, .group = "Samples",
		.help = "time of a backward over a forward pass; without it, the estimate's"},
	{HIDE("epochs", OPTION_COUNT, epochs, "N"), .min = 1, .max = 1e5, .group = "Samples",
		.help = "epochs of the training (default 90); or those of --fraction-schedule"},
	{HIDE("warm-up", OPTION_COUNT, hide.warm_up, "N"), .initial = "5", .max = 1e5, .group = "Samples",
		.help = "epochs before the learning rate is raised"},
	{HIDE("epoch-samples", OPTION_COUNT, samples, "N"), .formerly = "samples", .min = 1, .max = 1e12,
		.group = "Samples", .help = "samples of an epoch (default the data set's)"},
	{HIDE("measured-epoch", OPTION_QUANTITY, hide.epoch_s, "TIME"), .formerly = "epoch",
		.dimension = DIMENSION_TIME, .min = 1e-6, .group = "Samples",
		.help = "measured time of an epoch with all samples: '31.2 s'; times are scaled to it"},
	{HIDE("per-candidate", OPTION_QUANTITY, hide.candidate_s, "TIME"), .dimension = DIMENSION_TIME,
		.initial = "1 us", .max = 1, .group = "Samples",
		.help = "host time to look at one candidate: a loop in Python; 0 s: none"},
	{HIDE("distributed-selection", OPTION_FLAG, hide.distributed_selection, NULL), .group = "Samples",
		.help = "each worker chooses among its own samples, and a bit of each sample is exchanged; "
			"without it all choose among all, as released programs do"},
	{FLAG("compare", hide.compare, "hide"), .help = "compare the samplers instead of listing epochs"},
};

const struct option_table arguments_hide = {rows, sizeof rows / sizeof rows[0], NULL};

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
	const char *const text = session->arguments.hide.retention;
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
	const bool has_epochs = arguments->epochs > 0 || arguments->hide.fraction_schedule;
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
	request->sampler = paradl_sampler((size_t)arguments->hide.sampler).name;
	request->fraction = arguments->hide.fraction;
	request->tau = arguments->hide.tau;
	request->hidden_cost = arguments->hide.phi;
	request->ratio = arguments->hide.ratio;
	request->warm_up = arguments->hide.warm_up;
	request->samples = arguments->samples;
	request->epoch_s = arguments->hide.epoch_s;
	request->candidate_s = arguments->hide.candidate_s;
	request->distributed = arguments->hide.distributed_selection;
	if (arguments->hide.fraction_schedule && !paradl_steps_parse(arguments->hide.fraction_schedule,
							 &request->caps, &epochs, &session->error))
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
	if (!arguments->hide.retention && arguments->hide.tau < 1 &&
		(arguments->hide.tau < usual_tau || arguments->hide.tau > usual_tau))
		session_warn(session, "retention 0.6 was seen with tau 0.7; how many candidates another tau "
				      "moves back is up to "
				      "the training (--retention)");
}

static bool assume(struct session *session, struct report_head *head, const struct paradl_hide *hide)
{
	const struct arguments *const arguments = &session->arguments;
	const bool hides = hide->count > 0 && hide->chosen == 0;
	if (hides && !(arguments->hide.phi > 0) &&
		!question_assume(session, head,
			arena_printf(session->arena,
				"a hidden sample costs %.2f of a trained one: 1 / (1 + %.2f) for its forward "
				"pass, 0.1 for a second loader and bookkeeping",
				hide->hidden_cost, hide->ratio)))
		return false;
	if (hides && !arguments->hide.retention &&
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
		.head = &question.head, .hide = hide, .compares = session->arguments.hide.compare};
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
