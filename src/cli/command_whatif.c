/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "cli/arguments_rows.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"
#include "report/study_text.h"

#define WHATIF(...) ROW("whatif", __VA_ARGS__)

static const struct option_row rows[] = {
	{WHATIF("best", OPTION_FLAG, whatif.best, NULL), .group = "Question",
		.help = "take the best plan instead of -s; looked for again whenever something "
			"changes"},
	{WHATIF("gpus", OPTION_COUNTS, gpus, "N"), .min = 1, .group = "Question",
		.help = "GPUs of --best (default the largest power of 2)"},
	{WHATIF("goal", OPTION_CHOICE, goal, "GOAL"), .choice = arguments_goal, .initial = "time",
		.group = "Question", .help = "what is compared; and what --best optimizes"},
	{WHATIF("perturb", OPTION_RATIO, whatif.perturb, "SHARE"), .formerly = "vary", .min = 0.001,
		.max = 0.99, .group = "Question",
		.help = "change each input by so much both ways: 20%; the default, where nothing "
			"else is "
			"asked"},
	{WHATIF("target", OPTION_TEXT, whatif.target, "WHAT=VALUE"), .group = "Question",
		.help = "say what would reach this: epoch='30 s', memory='16 GB'; by how much one "
			"input "
			"alone has to change: iteration=, deadline='30 d' of --tokens, --samples or "
			"--epochs, cost= or energy='5 kWh' of an epoch; inference: ttft= or tpot='20 ms'"},
	{WHATIF("upgrade", OPTION_TEXT, whatif.upgrade, "HW"), .completes = "hw", .group = "Question",
		.help = "the same on another machine, side by side"},
};

const struct option_table arguments_whatif = {rows, sizeof rows / sizeof rows[0], NULL};

static const double usual_share = 0.2;

/* Question, as the library is asked. */
struct asked {
	struct question question;
	struct paradl_options options;
	struct paradl_plan plan;
	struct paradl_whatif_request request;
	enum paradl_measure measure;
	double wanted;
};

/* Refuses options that need --best or --target where these are missing, and several numbers of GPUs. */
static bool check_companions(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	if (arguments->gpus.count > 1)
		return session_usage(session, "whatif is about one number of GPUs");
	if (arguments->gpus.count == 1 && !arguments->whatif.best)
		return session_usage(
			session, "--gpus needs --best: a plan (-s) says itself how many GPUs it takes");
	if ((arguments->strategies || arguments->plan_options) && !arguments->whatif.best)
		return session_usage(session, "--%s needs --best: a plan (-s) says itself what it is",
			arguments->strategies ? "strategies" : "plan-options");
	if ((arguments->tokens > 0 || arguments->samples > 0 || arguments->epochs > 0) &&
		!arguments->whatif.target)
		return session_usage(session,
			"--%s needs --target deadline=TIME: other answers are about an epoch or an iteration",
			arguments->tokens > 0    ? "tokens"
			: arguments->samples > 0 ? "samples"
						 : "epochs");
	return true;
}

static bool check_modes(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	const int modes = (arguments->whatif.perturb > 0) + (arguments->whatif.target != NULL) +
			  (arguments->whatif.upgrade != NULL);
	if (session->operands.count == 0 || !arguments->hw)
		return true; /* question_load reports it */
	if (arguments->strategy && arguments->whatif.best)
		return session_usage(session, "only one of -s and --best is possible");
	if (!arguments->strategy && !arguments->whatif.best)
		return session_missing(session, "whatif needs -s PLAN, such as data=64, or --best");
	if (modes > 1)
		return session_usage(session, "only one of --perturb, --target and --upgrade is possible");
	if (draw_wanted(session) && (arguments->whatif.target || arguments->whatif.upgrade))
		return session_usage(session, "--plot draws what --perturb says, not --target or --upgrade");
	return check_companions(session);
}

/* ---- targets ---- */

/* Reads an energy such as '5 kWh', in joules. */
static bool read_energy(struct session *session, const char *text, double *joule)
{
	static const struct {
		const char *name;
		double joule;
	} units[] = {{"J", 1}, {"kJ", 1e3}, {"MJ", 1e6}, {"GJ", 1e9}, {"kWh", 3.6e6}, {"MWh", 3.6e9}};
	const char *unit = "";
	double number = 0;
	if (decimal_read(text, 0, &number, &unit)) {
		unit += strspn(unit, " ");
		for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
			if (strcmp(unit, units[i].name) == 0) {
				*joule = number * units[i].joule;
				return true;
			}
	}
	return session_usage(
		session, "--target energy=%s: write J, kJ, MJ, GJ, kWh or MWh, as in '5 kWh'", text);
}

static bool read_number(struct session *session, const char *name, const char *text, double *number)
{
	const char *end = "";
	if (decimal_read(text, 0, number, &end) && !*end)
		return true;
	return session_usage(session, "--target %s=%s is not a number", name, text);
}

static bool read_time(struct session *session, const char *text, double *seconds)
{
	if (text && quantity_parse(text, DIMENSION_TIME, "deadline", seconds, &session->error))
		return true;
	session->error.status = text ? PARADL_USAGE : PARADL_NO_MEMORY;
	return false;
}

/* Turns a deadline of the whole training into seconds of an epoch; in_days: the older spelling, a number of days. */
static bool read_deadline(struct session *session, struct asked *asked, const char *text, bool in_days)
{
	const struct paradl_model_info *const model = &asked->question.head.model;
	double samples = 0, limit_s = 0;
	if (in_days)
		session_warn(session,
			"--target days= is now --target deadline='%s d'; the old spelling goes "
			"with the next release",
			text);
	if (!job_samples(session, model, &samples))
		return false;
	if (!(samples > 0))
		return session_usage(session,
			"--target deadline= needs --tokens N, --samples N or --epochs N: of how much");
	if (!(model->samples > 0))
		return session_usage(session, "%s does not say how many samples an epoch has", model->name);
	if (!read_time(session, in_days ? arena_printf(session->arena, "%s d", text) : text, &limit_s))
		return false;
	asked->measure = PARADL_MEASURE_EPOCH;
	asked->wanted = limit_s * model->samples / samples;
	return question_assume(session, &asked->question.head,
		"the deadline is of steps alone: with --deadline estimate and search reckon with checkpoints "
		"and "
		"failures, too");
}

static bool read_value(struct session *session, enum paradl_measure measure, const char *text, double *value)
{
	const char *const name = paradl_measure_name(measure);
	if (measure == PARADL_MEASURE_COST)
		return read_number(session, name, text, value);
	if (measure == PARADL_MEASURE_ENERGY)
		return read_energy(session, text, value);
	if (quantity_parse(text, measure == PARADL_MEASURE_MEMORY ? DIMENSION_BYTES : DIMENSION_TIME, name,
		    value, &session->error))
		return true;
	session->error.status = PARADL_USAGE;
	return false;
}

static bool read_target(struct session *session, struct asked *asked)
{
	static const char days[] = "days=", deadline[] = "deadline=";
	const char *const text = session->arguments.whatif.target;
	if (!text)
		return true;
	if (strncmp(text, deadline, strlen(deadline)) == 0)
		return read_deadline(session, asked, text + strlen(deadline), false);
	if (strncmp(text, days, strlen(days)) == 0)
		return read_deadline(session, asked, text + strlen(days), true);
	for (unsigned i = 0; i < PARADL_MEASURE_COUNT; i++) {
		const char *const name = paradl_measure_name((enum paradl_measure)i);
		const size_t length = strlen(name);
		if (strncmp(text, name, length) != 0 || text[length] != '=')
			continue;
		asked->measure = (enum paradl_measure)i;
		return read_value(session, asked->measure, text + length + 1, &asked->wanted);
	}
	session_usage(session, "--target %s is not one", text);
	error_hint(&session->error,
		"epoch='30 s', iteration=, deadline=, memory=, cost=, energy=, ttft= and tpot= are possible");
	return false;
}

/* ---- the request ---- */

/* Asks for the best plan on --gpus, else on the most that are a power of two; the batch is advise's. */
static bool read_best(struct session *session, struct asked *asked)
{
	const struct arguments *const arguments = &session->arguments;
	struct option_counts gpus;
	if (!question_gpus(session, &asked->question, &gpus))
		return false;
	const double devices = gpus.values[gpus.count - 1];
	asked->request.best = (struct paradl_request){
		.devices = (unsigned)devices,
		.batch = question_batch(
			session, devices, paradl_oracle_batch(asked->question.oracle, devices)),
		.goal = (enum paradl_goal)arguments->goal,
		.strategies = arguments->strategies,
		.options = arguments->plan_options,
	};
	return true;
}

bool whatif_request(struct session *session, const struct question *question, struct paradl_options *options,
	struct paradl_whatif_request *request)
{
	const struct arguments *const arguments = &session->arguments;
	*request = (struct paradl_whatif_request){.model = question->head.model.path,
		.machine = question->head.machine.path,
		.dataset = question->dataset_path,
		.framework = arguments->framework ? question->head.framework.source : NULL,
		.directories = session->directories,
		.options = options,
		.fixed_batch = arguments->batch > 0,
		.goal = (enum paradl_goal)arguments->goal};
	if (strcmp(request->model, "-") == 0 || strcmp(request->machine, "-") == 0)
		return session_usage(session, "what is varied is read more than once: - cannot be a file");
	return question_options(session, options) && question_changes(session, &request->changes);
}

static bool read_request(struct session *session, struct asked *asked)
{
	const struct arguments *const arguments = &session->arguments;
	if (!whatif_request(session, &asked->question, &asked->options, &asked->request))
		return false;
	if (arguments->whatif.best)
		return read_best(session, asked);
	asked->request.plan = &asked->plan;
	return question_plan(session, &asked->question, arguments->strategy, &asked->plan);
}

/* ---- the answers ---- */

/* Returns the estimate without changes. */
static const struct paradl_estimate *base_of(const struct report_whatif *report)
{
	return report->tornado  ? &report->tornado->estimate
	       : report->target ? &report->target->estimate
				: &report->pair->before;
}

static enum exit_status answer(
	struct session *session, struct asked *asked, struct report_whatif *report, enum exit_status status)
{
	struct document document;
	if (!base_of(report)->fits)
		session_warn(session, "the plan needs more memory than a GPU has");
	question_finish(session, &asked->question);
	report->head = &asked->question.head;
	report->goal = asked->request.goal;
	report->is_best = session->arguments.whatif.best;
	if (!document_begin(session, &document))
		return session_fail(session);
	session->format->whatif(&document.sink, report);
	return document_end(session, &document, status);
}

static enum exit_status draw(struct session *session, const struct report_whatif *report)
{
	struct report_tornado tornado;
	struct report_sink sink = {.arena = session->arena};
	if (whatif_tornado(&sink, report, &tornado))
		return draw_picture(session, draw_choice(session, &picture_tornado), &tornado);
	return session_out_of_memory(session);
}

static enum exit_status vary(struct session *session, struct asked *asked)
{
	const double share = session->arguments.whatif.perturb;
	struct paradl_tornado tornado;
	struct report_whatif report = {.tornado = &tornado};
	if (!paradl_tornado(&asked->request, share > 0 ? share : usual_share, session->arena, &tornado,
		    &session->error))
		return session_fail(session);
	report.head = &asked->question.head;
	report.goal = asked->request.goal;
	report.is_best = session->arguments.whatif.best;
	const enum exit_status status = draw_wanted(session) ? draw(session, &report) : EXIT_ANSWER;
	if (session->picture || !draw_goes_on(session, status))
		return status;
	return answer(session, asked, &report, status);
}

/* Keeps the plan that is best now, before inputs change. */
static bool fix_plan(struct session *session, struct asked *asked)
{
	struct paradl_ranking ranking;
	if (asked->request.plan)
		return true;
	if (!paradl_advise(asked->question.oracle, &asked->request.best, PARADL_RANKED_FIRST, session->arena,
		    &ranking, &session->error))
		return false;
	if (ranking.count == 0)
		return error_set(&session->error, PARADL_INFEASIBLE, "no plan runs on %u GPUs",
			asked->request.best.devices);
	asked->plan = ranking.results[0].plan;
	asked->request.plan = &asked->plan;
	return true;
}

static enum exit_status hit(struct session *session, struct asked *asked)
{
	struct paradl_whatif_target target;
	struct report_whatif report = {.target = &target};
	if (!fix_plan(session, asked) || !paradl_whatif_target(&asked->request, asked->measure, asked->wanted,
						 session->arena, &target, &session->error))
		return session_fail(session);
	return answer(session, asked, &report, target.reached > 0 ? EXIT_ANSWER : EXIT_NO);
}

static bool read_upgrade(struct session *session, struct asked *asked, struct paradl_whatif_request *after,
	struct paradl_machine_info *info)
{
	struct report_head *const head = &asked->question.head;
	struct option_texts set = {.count = 0};
	if (!question_network_changes(session, &set, &after->changes))
		return false;
	const struct paradl_machine *const machine = session_machine_priced(
		session, session->arguments.whatif.upgrade, head->machine.owned, &set, &after->changes);
	if (!machine)
		return false;
	*info = paradl_machine_info(machine);
	after->machine = info->path;
	if (!question_input(session, head, info->path) || !question_assumed_numbers(session, head, info))
		return false;
	const char *const program =
		paradl_machine_framework(machine, asked->question.model, session->arguments.inference);
	if (after->framework || strcmp(program, asked->question.usual_framework) == 0)
		return true;
	return question_assume(session, head,
		arena_printf(session->arena, "%s runs %s, %s runs %s (--framework: one for both)",
			head->machine.name, head->framework.name, info->name, program));
}

static enum exit_status compare(struct session *session, struct asked *asked)
{
	struct paradl_whatif_pair pair;
	struct paradl_machine_info info;
	asked->request.own_batch = !(session->arguments.batch > 0) && !(session->arguments.per_gpu > 0);
	struct paradl_whatif_request before = asked->request, after = asked->request;
	struct report_whatif report = {.pair = &pair};
	if (session->arguments.whatif.upgrade) {
		if (!read_upgrade(session, asked, &after, &info))
			return session_fail(session);
		report.upgrade = &info;
	} else if (!question_sequence(session, &before.changes)) {
		return session_fail(session);
	}
	if (!paradl_whatif_pair(&before, &after, session->arena, &pair, &session->error))
		return session_fail(session);
	return answer(session, asked, &report, pair.after.runs ? EXIT_ANSWER : EXIT_NO);
}

static enum exit_status run(struct session *session)
{
	const struct arguments *const arguments = &session->arguments;
	struct asked *const asked = arena_alloc(session->arena, 1, sizeof *asked);
	if (!asked)
		return session_out_of_memory(session);
	if (!check_modes(session) || !question_load(session, &asked->question) ||
		!read_target(session, asked) || !question_check_batch(session, &asked->question) ||
		!read_request(session, asked))
		return session_fail(session);
	if (arguments->whatif.target)
		return hit(session, asked);
	if (arguments->whatif.upgrade || (arguments->set.count > (arguments->seq > 0) &&
						 !(arguments->whatif.perturb > 0) && !draw_wanted(session)))
		return compare(session, asked);
	return vary(session, asked);
}

const struct command command_whatif = {
	.name = "whatif",
	.summary = "change inputs: what matters, what it brings, what a target takes",
	.synopsis = "MODEL --hw HW -s PLAN|--best [--perturb SHARE] [options]",
	.details = "Without more, every input with 20 % less and more of it, what matters most first.\n"
		   "--set KEY=VALUE alone puts before and after side by side, phase by phase;\n"
		   "'paradl help changes' says what can be changed.",
	OPERAND_MODEL,
	.usual = "hw strategy best gpus perturb set target upgrade batch seq framework goal output plot",
	.examples = {"paradl whatif resnet50 --hw abci -s data=64",
		"paradl whatif resnet50 --hw abci -s data=64 --set 'hw.levels.*.bandwidth=x2'"},
	.first = true,
	.most_operands = 1,
	.run = run,
};
