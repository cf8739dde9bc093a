/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is more than a step: input, sample hiding and whole runs. */
#include "golden/golden.h"
#include "paradl/study.h"

#include <stdio.h>

enum { QUESTIONS_EACH = 5 };

/* Asks one question of a subject about a plan. */
typedef void question_of_job(const struct asking *asking, struct subject *subject, struct draw *draw,
	const struct paradl_plan *plan);

/* Draws plans along data, sometimes any plan. */
static void block_ask(
	const struct asking *asking, unsigned questions, enum networks network, question_of_job *question)
{
	const unsigned subjects = (questions + QUESTIONS_EACH - 1) / QUESTIONS_EACH;
	for (unsigned s = 0; s < subjects; ++s) {
		struct subject subject;
		struct draw draw = draw_begin(asking->kind, asking->block, s, 0);
		subject_begin(&subject, asking, &draw, s, network, SUBJECT_INPUT);
		for (unsigned q = 0; q < QUESTIONS_EACH && asking->text->questions < questions; ++q) {
			struct paradl_plan plan;
			draw = draw_begin(asking->kind, asking->block, s, q + 1);
			plan_draw(&draw, &subject, false, &plan);
			for (unsigned axis = PARADL_PIPELINE; axis < PARADL_AXIS_COUNT; ++axis)
				plan.degree[axis] = 1;
			plan.spatial[0] = plan.spatial[1] = plan.spatial[2] = 1;
			plan.expert_tensor = false;
			plan.context = PARADL_CONTEXT_RING;
			question(asking, &subject, &draw, &plan);
		}
		paradl_arena_free(subject.arena);
	}
}

static void plan_say(const struct paradl_plan *plan, char *words, size_t size)
{
	const int length = paradl_plan_format(plan, words, size);
	if (length > 0 && (size_t)length < size)
		snprintf(words + length, size - (size_t)length, " batch=%.15g", plan->batch);
}

/* ---- io ------------------------------------------------------------------------------------------------------- */

static void tell_fixes(struct text *text, const struct paradl_input_case *answer)
{
	for (size_t i = 0; i < answer->fix_count; ++i) {
		const struct paradl_input_fix *const fix = &answer->fixes[i];
		text_prefix(text, "fix[%zu].", i);
		text_word(text, "name", fix->name);
		text_word(text, "text", fix->text);
		text_word(text, "option", fix->option);
		NUMBER(text, fix, step_s);
		NUMBER(text, fix, utilisation);
		NUMBER(text, fix, saved_share);
		NUMBER(text, fix, binding);
	}
	for (size_t i = 0; i < answer->need_count; ++i) {
		text_prefix(text, "need[%zu].", i);
		text_word(text, "name", answer->needs[i].name);
		NUMBER(text, &answer->needs[i], has);
		NUMBER(text, &answer->needs[i], needs);
	}
	text_prefix_end(text);
}

static void tell_case(struct text *text, const struct paradl_input_case *answer)
{
	tell_estimate(text, &answer->estimate);
	for (size_t i = 0; i < answer->row_count; ++i) {
		const struct paradl_input_row *const row = &answer->rows[i];
		text_prefix(text, "row[%zu].", i);
		NUMBER(text, row, way.store);
		NUMBER(text, row, way.shuffle);
		NUMBER(text, row, way.exchanged);
		NUMBER(text, row, finish_s);
		NUMBER(text, row, break_even_epochs);
		NUMBER(text, row, samples_per_reader);
		NUMBER(text, row, samples_per_class);
		tell_input(text, &row->input);
	}
	tell_fixes(text, answer);
	if (answer->explanation)
		tell_explanation(text, answer->explanation);
}

static void io_ask(const struct asking *asking, struct subject *subject, struct draw *draw,
	const struct paradl_plan *plan)
{
	char words[1100];
	struct paradl_input_request request = {.plans = plan, .plan_count = 1};
	struct paradl_input_table table = {0};
	plan_say(plan, words, sizeof words - 200);
	input_options_draw(draw, &request.options, words, sizeof words);
	request.options.off = false;
	if (draw_chance(draw, 40))
		request.epochs = draw_between(draw, 1, 200);
	subject_question(subject, asking, words);
	if (!subject->oracle ||
		!paradl_input_table(subject->oracle, &request, subject->arena, &table, &subject->error)) {
		text_refusal(asking->text, "refused", &subject->error);
		return;
	}
	++asking->text->answered;
	NUMBER(asking->text, &table, epochs);
	NUMBER(asking->text, &table, sample_bytes);
	NUMBER(asking->text, &table, samples);
	NUMBER(asking->text, &table, classes);
	for (size_t i = 0; i < table.count; ++i)
		tell_case(asking->text, &table.cases[i]);
}

void ask_io(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, NETWORK_ANY, io_ask);
}

/* ---- hide ----------------------------------------------------------------------------------------------------- */

static void tell_trainings(struct text *text, const struct paradl_hide *hide)
{
	for (size_t i = 0; i < hide->training_count; ++i) {
		const struct paradl_hide_training *const training = &hide->trainings[i];
		text_prefix(text, "training[%zu].", i);
		text_word(text, "sampler", training->sampler);
		NUMBER(text, training, fraction);
		NUMBER(text, training, mean_cap);
		NUMBER(text, training, mean_hidden);
		NUMBER(text, training, reads);
		NUMBER(text, training, forward);
		NUMBER(text, training, backward);
		NUMBER(text, training, steps);
		NUMBER(text, training, probe_s);
		NUMBER(text, training, exchange_s);
		NUMBER(text, training, order_s);
		NUMBER(text, training, candidates_s);
		NUMBER(text, training, epoch_s);
		NUMBER(text, training, training_s);
		NUMBER(text, training, saved_s);
		NUMBER(text, training, saved_share);
		NUMBER(text, training, free_saved_share);
		NUMBER(text, training, memory_bytes);
	}
	text_prefix_end(text);
}

static void tell_epochs(struct text *text, const struct paradl_hide *hide)
{
	for (size_t i = 0; i < hide->count; i += 7) {
		const struct paradl_hide_epoch *const epoch = &hide->rows[i];
		text_prefix(text, "epoch[%zu].", i);
		NUMBER(text, epoch, cap);
		NUMBER(text, epoch, candidates);
		NUMBER(text, epoch, moved_back);
		NUMBER(text, epoch, hidden);
		NUMBER(text, epoch, rate_factor);
		NUMBER(text, epoch, time_s);
		NUMBER(text, epoch, saved_s);
	}
	text_prefix_end(text);
}

static void tell_hide(struct text *text, const struct paradl_hide *hide)
{
	tell_estimate(text, &hide->estimate);
	tell_input(text, &hide->input);
	NUMBER(text, hide, samples);
	NUMBER(text, hide, epochs);
	NUMBER(text, hide, warm_up);
	NUMBER(text, hide, tau);
	NUMBER(text, hide, ratio);
	NUMBER(text, hide, hidden_cost);
	NUMBER(text, hide, scale);
	NUMBER(text, hide, step_s);
	NUMBER(text, hide, fed_step_s);
	NUMBER(text, hide, forward_s);
	NUMBER(text, hide, backward_s);
	NUMBER(text, hide, update_s);
	NUMBER(text, hide, hidden_step_s);
	NUMBER(text, hide, fed_hidden_step_s);
	NUMBER(text, hide, hidden_binding);
	NUMBER(text, hide, samples_per_s);
	NUMBER(text, hide, hidden_samples_per_s);
	NUMBER(text, hide, plain_epoch_s);
	NUMBER(text, hide, plain_training_s);
	NUMBER(text, hide, exchange_bytes);
	NUMBER(text, hide, chosen);
	NUMBER(text, hide, verdict);
	tell_trainings(text, hide);
	tell_epochs(text, hide);
}

static void hide_draw(struct draw *draw, struct paradl_hide_request *request)
{
	static const char *const samplers[] = {"kakurenbo", "importance", "pruning", "selective"};
	static const char *const caps[] = {"imagenet", "1@0,0.8@30,0.6@60", "0.6", "fractal"};
	*request = paradl_hide_usual();
	request->sampler = DRAW_FROM(draw, samplers);
	if (draw_chance(draw, 40))
		request->fraction = draw_real(draw, 0, 0.6);
	if (draw_chance(draw, 20))
		request->tau = draw_real(draw, 0.5, 0.9);
	if (draw_chance(draw, 40))
		paradl_steps_parse(DRAW_FROM(draw, caps), &request->caps, &request->epochs, NULL);
	if (draw_chance(draw, 30))
		request->epochs = draw_between(draw, 10, 120);
	if (draw_chance(draw, 20))
		request->hidden_cost = draw_real(draw, 0.2, 0.9);
	if (draw_chance(draw, 20))
		request->warm_up = draw_between(draw, 0, 9);
	if (draw_chance(draw, 20))
		request->samples = 1000.0 * draw_between(draw, 10, 5000);
	if (draw_chance(draw, 20))
		request->epoch_s = draw_real(draw, 10, 1000);
}

static void hide_ask(const struct asking *asking, struct subject *subject, struct draw *draw,
	const struct paradl_plan *plan)
{
	char words[1100], asked[1400];
	struct paradl_hide_request request;
	struct paradl_hide hide;
	hide_draw(draw, &request);
	plan_say(plan, words, sizeof words);
	snprintf(asked, sizeof asked,
		"%s %s fraction=%.3f tau=%.3f caps=%u epochs=%g cost=%.3f samples=%g epoch=%.3f", words,
		request.sampler, request.fraction, request.tau, request.caps.count, request.epochs,
		request.hidden_cost, request.samples, request.epoch_s);
	subject_question(subject, asking, asked);
	if (!subject->oracle ||
		!paradl_hide(subject->oracle, plan, &request, subject->arena, &hide, &subject->error)) {
		text_refusal(asking->text, "refused", &subject->error);
		return;
	}
	++asking->text->answered;
	tell_hide(asking->text, &hide);
}

void ask_hide(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, NETWORK_IMAGES, hide_ask);
}

/* ---- runs ----------------------------------------------------------------------------------------------------- */

static void tell_run(struct text *text, const struct paradl_run *run)
{
	NUMBER(text, run, possible);
	NUMBER(text, run, in_time);
	text_word(text, "lacking", run->lacking);
	NUMBER(text, run, samples);
	NUMBER(text, run, iterations);
	NUMBER(text, run, epochs);
	NUMBER(text, run, work_s);
	NUMBER(text, run, time_s);
	NUMBER(text, run, checkpoints_s);
	NUMBER(text, run, restarts_s);
	NUMBER(text, run, lost_s);
	NUMBER(text, run, checkpoint_bytes);
	NUMBER(text, run, checkpoint_s);
	NUMBER(text, run, checkpoint_wait_s);
	NUMBER(text, run, checkpoints);
	NUMBER(text, run, interval_s);
	NUMBER(text, run, best_interval_s);
	NUMBER(text, run, node_mtbf_s);
	NUMBER(text, run, mtbf_s);
	NUMBER(text, run, mtbf_is_usual);
	NUMBER(text, run, failures);
	NUMBER(text, run, restart_s);
	NUMBER(text, run, energy_joule);
	NUMBER(text, run, cost);
}

static void run_draw(struct draw *draw, struct paradl_run_request *request)
{
	*request = (struct paradl_run_request){.samples = 1e6 * draw_between(draw, 1, 300)};
	if (draw_chance(draw, 30))
		request->limit_s = 3600.0 * draw_between(draw, 1, 2000);
	if (request->limit_s > 0 && draw_chance(draw, 50))
		request->samples = 0;
	request->checkpoints = (enum paradl_checkpoints)draw_between(draw, 0, PARADL_CHECKPOINTS_NONE);
	request->interval_s = 60.0 * draw_between(draw, 1, 500);
	request->asynchronous = draw_chance(draw, 40);
	if (draw_chance(draw, 30))
		request->write_bytes_per_s = 1e9 * draw_between(draw, 1, 100);
	if (draw_chance(draw, 30))
		request->node_mtbf_s = 86400.0 * draw_between(draw, 10, 3000);
	if (draw_chance(draw, 10))
		request->node_mtbf_s = -1;
	if (draw_chance(draw, 30))
		request->restart_s = draw_between(draw, 10, 3600);
}

static void run_ask(const struct asking *asking, struct subject *subject, struct draw *draw,
	const struct paradl_plan *plan)
{
	char words[1100], asked[1400];
	struct paradl_run_request request;
	struct paradl_estimate estimate;
	struct paradl_run run;
	run_draw(draw, &request);
	plan_say(plan, words, sizeof words);
	snprintf(asked, sizeof asked,
		"%s samples=%g limit=%g checkpoints=%d:%g asynchronous=%d write=%g mtbf=%g restart=%g", words,
		request.samples, request.limit_s, (int)request.checkpoints, request.interval_s,
		request.asynchronous, request.write_bytes_per_s, request.node_mtbf_s, request.restart_s);
	subject_question(subject, asking, asked);
	if (!subject->oracle || !paradl_estimate(subject->oracle, plan, &estimate, &subject->error)) {
		text_refusal(asking->text, "refused", &subject->error);
		return;
	}
	++asking->text->answered;
	paradl_run(subject->oracle, &estimate, &request, &run);
	tell_run(asking->text, &run);
}

void ask_runs(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, NETWORK_ANY, run_ask);
}
