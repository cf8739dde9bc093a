/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command report: all that is known of one question, as a page that a browser shows offline. */
#include "base/error.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/question.h"
#include "report/html/html.h"
#include "report/study_text.h"

enum { USUAL_GPUS = 64, DRAWN_PLANS = 12 };

static const double vary_share = 0.2;

/* The page and its contents. */
struct dossier {
	struct session *session;
	struct paradl_oracle
		*asked; /* oracle of the question; that of `question` has the readers of the best plan */
	struct question question;
	struct report_advice advice, scaling;
	struct paradl_explanation explanation;
	struct report_estimate best;
	struct paradl_run_request job;
	struct figures figures;
	struct report_page page;
};

/* Reads --gpus, else 64 or as many as there are, into *one, and every power of two of the machine into *all. */
static bool read_gpus(struct dossier *dossier, struct option_counts *one, struct option_counts *all)
{
	struct session *const session = dossier->session;
	const unsigned most = dossier->question.head.machine.devices;
	*one = session->arguments.gpus;
	if (one->count > 1)
		return session_usage(
			session, "report is about one number of GPUs; it compares others by itself");
	if (one->count == 0) {
		one->values[0] = most < USUAL_GPUS ? most : USUAL_GPUS;
		one->count = 1;
	}
	if (one->values[0] > most)
		return question_gpus(session, &dossier->question, all);
	session->arguments.gpus.count = 0;
	return question_gpus(session, &dossier->question, all);
}

static bool rank(struct dossier *dossier)
{
	struct session *const session = dossier->session;
	struct question *const question = &dossier->question;
	struct option_counts one = {.count = 0}, all = {.count = 0};
	dossier->asked = question->oracle;
	if (!read_gpus(dossier, &one, &all))
		return false;
	struct paradl_ranking *const rankings = arena_alloc(session->arena, 1 + all.count, sizeof *rankings);
	if (!rankings)
		return out_of_memory(&session->error);
	if (!ranking_each(session, question, &one, PARADL_RANKED_ALL, rankings) ||
		!ranking_each(session, question, &all, PARADL_RANKED_ALL, rankings + 1) ||
		!ranking_settle(session, question, rankings->count > 0 ? rankings->results : NULL))
		return false;
	question_warn_shared(session, question->oracle, "", rankings->devices, rankings->batch);
	question_warn_rounded(session, &question->head.model, "", rankings->devices, rankings->batch);
	dossier->advice = (struct report_advice){.head = &question->head,
		.rankings = rankings,
		.count = 1,
		.goal = (enum paradl_goal)session->arguments.goal,
		.top = session->arguments.top > 0 ? (size_t)session->arguments.top : 0,
		.unfit = ranking_unfit(session, question, rankings)};
	dossier->scaling = dossier->advice;
	dossier->scaling.rankings = rankings + 1;
	dossier->scaling.count = all.count;
	dossier->scaling.is_sweep = true;
	dossier->scaling.unfit = NULL;
	return true;
}

static bool explain_best(struct dossier *dossier)
{
	struct session *const session = dossier->session;
	const struct paradl_ranking *const ranking = &dossier->advice.rankings[0];
	if (ranking->count == 0)
		return true;
	dossier->best = (struct report_estimate){.head = &dossier->question.head,
		.estimate = &ranking->results[0],
		.explanation = &dossier->explanation};
	dossier->page.best = &dossier->best;
	paradl_power(dossier->question.oracle, dossier->best.estimate, &dossier->best.power);
	paradl_price(dossier->question.oracle, dossier->best.estimate, &dossier->best.price);
	return paradl_explain(dossier->question.oracle, &ranking->results[0].plan, session->arena,
		&dossier->explanation, &session->error);
}

/* Projects the whole training with every plan, if one is asked about. */
static bool run_job(struct dossier *dossier)
{
	struct session *const session = dossier->session;
	struct report_estimate *const best = &dossier->best;
	bool asked = false;
	if (!job_read(session, &dossier->question, &dossier->job, &asked))
		return false;
	if (!asked || !dossier->page.best)
		return true;
	struct report_advice *const advices[] = {&dossier->advice, &dossier->scaling};
	for (size_t i = 0; i < 2; i++) {
		advices[i]->job = &dossier->job;
		advices[i]->runs = job_runs(
			session, &dossier->question, &dossier->job, advices[i]->rankings, advices[i]->count);
		if (!advices[i]->runs)
			return false;
	}
	best->job = &dossier->job;
	best->run = dossier->advice.runs;
	return true;
}

static void lack_drawing(struct session *session)
{
	session_warn(session, "the page lacks a drawing: %s", session->error.message);
	session->error = (struct paradl_error){.status = PARADL_OK};
}

/* Draws the inputs that the best plan's time, or other goal, rests on. */
static void draw_tornado(struct dossier *dossier)
{
	struct session *const session = dossier->session;
	struct paradl_options options;
	struct paradl_whatif_request request;
	struct paradl_tornado tornado;
	struct report_tornado picture;
	struct report_sink sink = {.arena = session->arena};
	const struct report_whatif report = {
		.head = &dossier->question.head, .goal = dossier->advice.goal, .tornado = &tornado};
	bool ok = whatif_request(session, &dossier->question, &options, &request);
	request.plan = &dossier->best.estimate->plan;
	ok = ok && paradl_tornado(&request, vary_share, session->arena, &tornado, &session->error);
	if (!ok)
		lack_drawing(session);
	else if (whatif_tornado(&sink, &report, &picture) && picture.count > 0)
		figures_draw(&dossier->figures, &picture_tornado, &picture,
			"What the best plan's result rests on.");
}

static void draw_timeline(struct dossier *dossier)
{
	struct session *const session = dossier->session;
	const struct paradl_plan *const plan = &dossier->best.estimate->plan;
	struct paradl_timeline timeline;
	const struct report_timeline report = {&dossier->question.head, plan, &timeline};
	if (plan->degree[PARADL_PIPELINE] < 2)
		return;
	if (paradl_timeline(dossier->question.oracle, plan, session->arena, &timeline, &session->error))
		figures_draw(&dossier->figures, &picture_timeline, &report,
			"A step of the best plan, stage by stage.");
	else
		lack_drawing(session);
}

/* Draws the front of time per token against tokens per second and GPU, of networks that generate text. */
static void draw_front(struct dossier *dossier)
{
	struct session *const session = dossier->session;
	const unsigned devices = dossier->advice.rankings[0].devices;
	const struct paradl_search_request request = {.devices = &devices,
		.device_count = 1,
		.pareto = 1u << PARADL_EACH_TOKEN | 1u << PARADL_PER_DEVICE,
		.strategies = session->arguments.strategies,
		.options = session->arguments.plan_options,
		.threads = session_threads(session)};
	struct paradl_search search;
	const struct report_search report = {
		.head = &dossier->question.head, .request = &request, .search = &search};
	if (!(dossier->best.estimate->inference.output_tokens > 0) || dossier->question.head.rate_per_s > 0)
		return;
	if (!paradl_search(dossier->asked, &request, session->arena, &search, &session->error))
		lack_drawing(session);
	else if (search.front_count > 1)
		figures_draw(&dossier->figures, &picture_pareto, &report,
			"What a quick token costs: time per token against tokens per second and GPU.");
}

static void draw_all(struct dossier *dossier)
{
	dossier->figures.session = dossier->session;
	struct report_advice few = dossier->advice;
	few.top = few.top > 0 && few.top < DRAWN_PLANS ? few.top : DRAWN_PLANS;
	figures_draw(
		&dossier->figures, &picture_ranking, &few, "Plans by time, and the phases that it goes to.");
	if (dossier->scaling.count > 1)
		figures_draw(&dossier->figures, &picture_scaling, &dossier->scaling,
			"How far families of plans go, and what each GPU does beside the best plan on the "
			"fewest.");
	figures_draw(&dossier->figures, &picture_memory, &few, "Peak memory per GPU, against what it has.");
	if (dossier->page.best && !dossier->figures.lack_tool)
		draw_front(dossier);
	if (dossier->page.best && !dossier->figures.lack_tool)
		draw_timeline(dossier);
	if (dossier->page.best && !dossier->figures.lack_tool)
		draw_tornado(dossier);
	dossier->page.figures = dossier->figures.items;
	dossier->page.figure_count = dossier->figures.count;
}

static enum exit_status write_page(struct dossier *dossier)
{
	struct session *const session = dossier->session;
	struct document document;
	if (!document_begin(session, &document))
		return session_fail(session);
	html_page(&document.sink, &dossier->page);
	return document_end(session, &document, dossier->page.best ? EXIT_ANSWER : EXIT_NO);
}

/* Reports whether several machines are to be side by side; the first becomes the machine of the question. */
static bool has_several(struct session *session)
{
	const struct option_texts *const machines = &session->arguments.compare.machines;
	session->arguments.hw = machines->count > 0 ? machines->items[0] : NULL;
	return machines->count > 1;
}

static enum exit_status run(struct session *session)
{
	const bool several = has_several(session);
	if (session->arguments.interactive)
		return report_interactive(session);
	if (several)
		return compare_page(session);
	struct dossier *const dossier = arena_alloc(session->arena, 1, sizeof *dossier);
	if (!dossier)
		return session_out_of_memory(session);
	dossier->session = session;
	if (!question_load(session, &dossier->question) ||
		!question_digests(session, &dossier->question.head) ||
		!question_check_batch(session, &dossier->question) || !rank(dossier) ||
		!explain_best(dossier) || !run_job(dossier) ||
		!question_assume_input(session, &dossier->question, dossier->best.estimate))
		return session_fail(session);
	dossier->page.advice = &dossier->advice;
	dossier->page.scaling = dossier->scaling.count > 1 ? &dossier->scaling : NULL;
	draw_all(dossier);
	question_finish(session, &dossier->question);
	return write_page(dossier);
}

const struct command command_report = {
	.name = "report",
	.summary = "write a page for a browser: ranking, pictures, sources of numbers",
	.synopsis = "MODEL --hw HW [--gpus N] [--interactive] -o report.html [options]",
	.details = "The page needs nothing else: pictures are in it, and no script or font is\n"
		   "loaded. Without --gpus it is about 64, or as many as the machine has.\n"
		   "With several machines (--hw) it is the page of compare.\n"
		   "With --interactive it has controls, and the engine in it that answers them:\n"
		   "one file that works offline, with up to three machines (--hw) side by side.",
	OPERAND_MODEL,
	.usual = "hw gpus batch seq precision framework goal inference tokens top strategies interactive "
		 "output",
	.examples = {"paradl report resnet50 --hw abci --gpus 64 -o report.html",
		"paradl report llama2-7b --hw aws-p4d --hw aws-p5 --gpus 64 -o machines.html"},
	.most_operands = 1,
	.has_page = true,
	.first = true,
	.run = run,
};
