/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small searches: advice, the best of all plans, and the best plan for each layer. */
#include "golden/golden.h"

#include <stdio.h>

typedef void question_of_search(const struct asking *asking, struct subject *subject, struct draw *draw);

/* Asks `each` questions of every oracle. */
static void block_ask(const struct asking *asking, unsigned questions, unsigned each, unsigned flags,
	question_of_search *question)
{
	const unsigned subjects = (questions + each - 1) / each;
	for (unsigned s = 0; s < subjects; ++s) {
		struct subject subject;
		struct draw draw = draw_begin(asking->kind, asking->block, s, 0);
		const bool infers = draw_chance(&draw, 15);
		subject_begin(&subject, asking, &draw, (asking->block - 1) * subjects + s, NETWORK_SMALL,
			flags | (infers ? SUBJECT_INFERENCE : 0));
		for (unsigned q = 0; q < each && asking->text->questions < questions; ++q) {
			draw = draw_begin(asking->kind, asking->block, s, q + 1);
			question(asking, &subject, &draw);
		}
		paradl_arena_free(subject.arena);
	}
}

static void tell_infeasible(struct text *text, const struct paradl_infeasible *infeasible)
{
	text_word(text, "family", infeasible->family);
	text_word(text, "strategy", infeasible->strategy);
	text_word(text, "reason", infeasible->reason);
	text_word(text, "needs", infeasible->needs);
}

static void tell_estimates(
	struct text *text, const char *what, const struct paradl_estimate *estimates, size_t count)
{
	for (size_t i = 0; i < count; ++i) {
		text_prefix(text, "%s[%zu].", what, i);
		tell_estimate(text, &estimates[i]);
	}
	text_prefix_end(text);
}

/* ---- advice ---------------------------------------------------------------------------------------------------- */

static void tell_ranking(struct text *text, const struct paradl_ranking *ranking)
{
	NUMBER(text, ranking, devices);
	NUMBER(text, ranking, batch);
	NUMBER(text, ranking, evaluated);
	NUMBER(text, ranking, margin);
	NUMBER(text, ranking, tie);
	tell_estimates(text, "result", ranking->results, ranking->count);
	for (size_t i = 0; i < ranking->infeasible_count; ++i) {
		text_prefix(text, "infeasible[%zu].", i);
		tell_infeasible(text, &ranking->infeasible[i]);
	}
	text_prefix_end(text);
}

static void advise_ask(const struct asking *asking, struct subject *subject, struct draw *draw)
{
	static const char *const options[] = {
		NULL, NULL, "zero=1", "recompute=full", "zero=2,recompute=none"};
	static const char *const families[] = {
		NULL, NULL, "data,data+spatial,filter", "data,data+tensor,data+pipeline"};
	char words[256];
	const unsigned room = subject->devices < 64 ? subject->devices : 64;
	struct paradl_request request = {.devices = room >= 8 ? 8 * draw_power(draw, room / 8) : room};
	struct paradl_ranking ranking;
	if (draw_chance(draw, 40))
		request.per_device = draw_power(draw, 16);
	request.goal = (enum paradl_goal)draw_between(draw, 0, PARADL_THROUGHPUT);
	request.options = DRAW_FROM(draw, options);
	request.strategies = DRAW_FROM(draw, families);
	request.all_members = draw_chance(draw, 10);
	snprintf(words, sizeof words, "devices=%u per-device=%g goal=%d options=%s families=%s all=%d",
		request.devices, request.per_device, (int)request.goal,
		request.options ? request.options : "chosen", request.strategies ? request.strategies : "all",
		request.all_members);
	subject_question(subject, asking, words);
	if (!subject->oracle || !paradl_advise(subject->oracle, &request, PARADL_RANKED_ALL, subject->arena,
					&ranking, &subject->error)) {
		text_refusal(asking->text, "refused", &subject->error);
		return;
	}
	++asking->text->answered;
	tell_ranking(asking->text, &ranking);
}

void ask_advise(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, 5, 0, advise_ask);
}

/* ---- search ---------------------------------------------------------------------------------------------------- */

static void tell_search(struct text *text, const struct paradl_search *search)
{
	NUMBER(text, search, margin);
	NUMBER(text, search, equal);
	NUMBER(text, search, plans);
	NUMBER(text, search, evaluated);
	for (unsigned i = 0; i < PARADL_CUT_COUNT; ++i)
		text_number(text, paradl_cut_text((enum paradl_cut)i), search->cut[i]);
	NUMBER(text, search, lower_bound);
	NUMBER(text, search, gap);
	tell_estimates(text, "result", search->results, search->count);
	tell_estimates(text, "front", search->front, search->front_count);
	for (size_t i = 0; i < search->cell_count; ++i) {
		const struct paradl_map_cell *const cell = &search->cells[i];
		text_prefix(text, "cell[%zu].", i);
		NUMBER(text, cell, devices);
		NUMBER(text, cell, degree[0]);
		NUMBER(text, cell, degree[1]);
		NUMBER(text, cell, runs);
		NUMBER(text, cell, fits);
		if (cell->runs)
			tell_estimate(text, &cell->best);
	}
	text_prefix(text, "closest.");
	tell_infeasible(text, &search->closest);
	text_prefix_end(text);
}

static void limits_draw(struct draw *draw, struct paradl_search_request *request)
{
	if (draw_chance(draw, 20))
		request->pareto = 1u << PARADL_TIME | 1u << PARADL_MEMORY;
	if (draw_chance(draw, 20))
		request->map = 1u << PARADL_DATA | 1u << PARADL_TENSOR;
	if (draw_chance(draw, 15))
		request->gap = 0.05;
	if (draw_chance(draw, 15))
		request->deadline_s = 3600.0 * draw_between(draw, 1, 500);
	if (draw_chance(draw, 10))
		request->budget = 1000.0 * draw_between(draw, 1, 500);
}

/* Asks for the best of the plans of the request, whose devices, options and threads are drawn. */
static void request_ask(const struct asking *asking, struct subject *subject, struct draw *draw,
	struct paradl_search_request *request)
{
	char words[256];
	struct paradl_search search;
	request->per_device = draw_power(draw, 8);
	request->goal = (enum paradl_goal)draw_between(draw, 0, PARADL_THROUGHPUT);
	request->keep = draw_between(draw, 1, 3);
	limits_draw(draw, request);
	snprintf(words, sizeof words,
		"devices=%u:%zu per-device=%g goal=%d vary=%s keep=%zu gap=%g deadline=%g budget=%g",
		request->devices[0], request->device_count, request->per_device, (int)request->goal,
		request->vary ? request->vary : "all", request->keep, request->gap, request->deadline_s,
		request->budget);
	subject_question(subject, asking, words);
	if (!subject->oracle ||
		!paradl_search(subject->oracle, request, subject->arena, &search, &subject->error)) {
		text_refusal(asking->text, "refused", &subject->error);
		return;
	}
	++asking->text->answered;
	tell_search(asking->text, &search);
}

static void search_ask(const struct asking *asking, struct subject *subject, struct draw *draw)
{
	static const char *const varies[] = {"none", "micro", "recompute,zero", "micro,schedule",
		"zero,sequence", "order", "offload", "overlap,shard"};
	unsigned devices[2] = {8, 16};
	struct paradl_search_request request = {.devices = devices, .threads = asking->threads};
	request.device_count = subject->devices >= 16 ? draw_between(draw, 1, 2) : 1;
	if (subject->devices < 8)
		devices[0] = subject->devices;
	request.vary = DRAW_FROM(draw, varies);
	request_ask(asking, subject, draw, &request);
}

/* Takes long enough for a second thread to join. */
static void search_all_ask(const struct asking *asking, struct subject *subject, struct draw *draw)
{
	const unsigned devices = 16 * draw_power(draw, 4);
	struct paradl_search_request request = {
		.devices = &devices, .device_count = 1, .threads = asking->threads};
	request_ask(asking, subject, draw, &request);
}

void ask_search(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, 5, SUBJECT_SMALL_MACHINE, search_ask);
}

void ask_search_all(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, 2, SUBJECT_SMALL_MACHINE, search_all_ask);
}

/* ---- a plan for each layer ------------------------------------------------------------------------------------ */

static void tell_layered_search(struct text *text, const struct paradl_layered_search *search)
{
	NUMBER(text, search, best.devices);
	NUMBER(text, search, best.stages);
	NUMBER(text, search, best.batch);
	NUMBER(text, search, best.micro_batches);
	for (size_t i = 0; i < search->best.part_count; ++i) {
		text_prefix(text, "part[%zu].", i);
		NUMBER(text, &search->best.parts[i], first);
		NUMBER(text, &search->best.parts[i], end);
		NUMBER(text, &search->best.parts[i], stage);
		tell_plan(text, &search->best.parts[i].plan);
	}
	tell_estimates(text, "best", &search->estimate, 1);
	tell_estimates(text, "uniform", &search->uniform, search->uniform.devices > 0);
	tell_estimates(text, "single", &search->single, search->single.devices > 0);
	NUMBER(text, search, layer_plan_count);
	NUMBER(text, search, objective_s);
	NUMBER(text, search, lower_bound_s);
	NUMBER(text, search, objective_usual_s);
	NUMBER(text, search, gap);
	NUMBER(text, search, evaluated);
	NUMBER(text, search, labels);
}

static void layers_ask(const struct asking *asking, struct subject *subject, struct draw *draw)
{
	char words[256];
	const unsigned room = subject->devices < 16 ? subject->devices : 16;
	struct paradl_layers_request request = {.devices = room, .threads = asking->threads};
	struct paradl_layered_search search;
	request.per_device = draw_power(draw, 8);
	request.layer_plans = draw_between(draw, 2, 6);
	request.one_stage = draw_chance(draw, 85);
	request.gap = 0.01;
	snprintf(words, sizeof words, "devices=%u per-device=%g ways=%u one-stage=%d", request.devices,
		request.per_device, request.layer_plans, request.one_stage);
	subject_question(subject, asking, words);
	if (!subject->oracle ||
		!paradl_search_layers(subject->oracle, &request, subject->arena, &search, &subject->error)) {
		text_refusal(asking->text, "refused", &subject->error);
		return;
	}
	++asking->text->answered;
	tell_layered_search(asking->text, &search);
}

void ask_search_layers(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, 5, SUBJECT_SMALL_MACHINE, layers_ask);
}
