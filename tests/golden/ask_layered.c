/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan for each layer: parts of networks, each cut in its own way. */
#include "golden/golden.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"

enum { QUESTIONS_EACH = 25, PARTS_MOST = 6 };

struct mixture {
	struct paradl_layered_part parts[PARTS_MOST];
	struct paradl_layered layered;
};

/* Draws where parts end, ascending: of tokens between units, which only the library itself knows. */
static unsigned ends_draw(struct draw *draw, const struct subject *subject, unsigned parts, unsigned *ends)
{
	const struct paradl_model *const model = subject->model;
	const unsigned last = subject->tokens ? model->unit_count : (unsigned)subject->info.layer_count;
	unsigned count = 0, before = 0;
	for (unsigned i = 1; i <= parts; ++i) {
		const unsigned most = i == parts ? last : last - (parts - i);
		unsigned end = draw_between(draw, before + 1, most > before ? most : before + 1);
		if (draw_chance(draw, 70))
			end = last * i / parts;
		if (i == parts || end > last)
			end = last;
		if (end <= before)
			continue;
		ends[count++] = subject->tokens ? model->units[end - 1].end : end;
		before = end;
	}
	return count;
}

static void mixture_draw(struct draw *draw, const struct subject *subject, struct mixture *mixture)
{
	static const enum paradl_pipeline_schedule schedules[] = {PARADL_SCHEDULE_DEFAULT, PARADL_GPIPE,
		PARADL_1F1B, PARADL_ZERO_BUBBLE, PARADL_ZERO_BUBBLE_2P, PARADL_SCHEDULE_DEFAULT};
	unsigned ends[PARTS_MOST], replicas = 1;
	const unsigned room = subject->devices < 64 ? subject->devices : 64;
	const unsigned devices = draw_power(draw, room);
	const unsigned cut = draw_power(draw, devices < 4 ? devices : 4);
	const unsigned stages = subject->tokens && draw_chance(draw, 35) ? cut : 1;
	const unsigned parts = stages + draw_between(draw, 0, PARTS_MOST - 4);
	const unsigned count = ends_draw(draw, subject, parts, ends);
	for (unsigned i = 0; i < count; ++i) {
		struct paradl_layered_part *const part = &mixture->parts[i];
		*part = (struct paradl_layered_part){
			.first = i ? ends[i - 1] : 0, .end = ends[i], .stage = i < stages ? i + 1 : stages};
		if (i > 0 && i >= stages && draw_chance(draw, 30))
			part->plan = part[-1].plan;
		else
			part_plan_draw(draw, subject, devices / stages, &part->plan);
		if (plan_replicas_of(&part->plan) > replicas)
			replicas = plan_replicas_of(&part->plan);
	}
	const unsigned rounds = draw_power(draw, 8);
	mixture->layered = (struct paradl_layered){.devices = devices,
		.stages = stages,
		.batch = (double)replicas * rounds,
		.parts = mixture->parts,
		.part_count = count};
	if (draw_chance(draw, 40))
		mixture->layered.micro_batches = draw_power(draw, rounds);
	if (stages > 1)
		mixture->layered.schedule = DRAW_FROM(draw, schedules);
	for (unsigned i = 0; i < count; ++i)
		mixture->parts[i].plan.batch = mixture->layered.batch;
}

/* The whole mixture as words: "data=8 to 12, tensor=8 to 40 of stage 2". */
static void mixture_say(const struct mixture *mixture, char *words, size_t size)
{
	const struct paradl_layered *const layered = &mixture->layered;
	char plan[PARADL_PLAN_TEXT];
	size_t length = (size_t)snprintf(words, size,
		"batch=%.15g devices=%u stages=%u micros=%.15g schedule=%d", layered->batch, layered->devices,
		layered->stages, layered->micro_batches, (int)layered->schedule);
	for (size_t i = 0; i < layered->part_count && length < size; ++i) {
		const struct paradl_layered_part *const part = &layered->parts[i];
		paradl_plan_format(&part->plan, plan, sizeof plan);
		length += (size_t)snprintf(
			words + length, size - length, "; %s to %u of %u", plan, part->end, part->stage);
	}
}

static void tell_rows(struct text *text, const struct paradl_layered_explanation *explanation)
{
	for (size_t i = 0; i < explanation->row_count; ++i) {
		const struct paradl_layered_row *const row = &explanation->rows[i];
		text_prefix(text, "part[%zu].", i);
		NUMBER(text, row, part);
		NUMBER(text, row, forward_s);
		NUMBER(text, row, backward_s);
		NUMBER(text, row, update_s);
		NUMBER(text, row, exchange_s);
		NUMBER(text, row, halo_s);
		NUMBER(text, row, gradient_s);
		NUMBER(text, row, weights_bytes);
		NUMBER(text, row, activations_bytes);
		text_number(text, "instead_s", explanation->other_s[i]);
	}
	for (size_t i = 0; i < explanation->move_count; ++i) {
		const struct paradl_redistribution *const move = &explanation->moves[i];
		text_prefix(text, "move[%zu].", i);
		NUMBER(text, move, from);
		NUMBER(text, move, to);
		NUMBER(text, move, devices);
		NUMBER(text, move, bytes[0]);
		NUMBER(text, move, bytes[1]);
		NUMBER(text, move, s[0]);
		NUMBER(text, move, s[1]);
	}
	text_prefix_end(text);
}

static void question_ask(const struct asking *asking, const struct subject *subject, struct draw *draw)
{
	char words[1800];
	struct text *const text = asking->text;
	struct mixture mixture;
	struct paradl_estimate estimate;
	struct paradl_layered_explanation explanation = {0};
	struct paradl_error error = subject->error;
	mixture_draw(draw, subject, &mixture);
	mixture_say(&mixture, words, sizeof words);
	subject_question(subject, asking, words);
	if (!subject->oracle ||
		!paradl_estimate_layered(subject->oracle, &mixture.layered, &estimate, &error)) {
		text_refusal(text, subject->oracle ? "refused" : "no oracle", &error);
		return;
	}
	++text->answered;
	tell_estimate(text, &estimate);
	if (text->questions % 4 != 0)
		return;
	tell_power(text, subject->oracle, &estimate);
	if (paradl_explain_layered(subject->oracle, &mixture.layered, &mixture.parts[0].plan, 1,
		    subject->arena, &explanation, &error))
		tell_rows(text, &explanation);
	else
		text_refusal(text, "terms", &error);
}

static void block_ask(const struct asking *asking, unsigned questions, enum networks network)
{
	const unsigned subjects = (questions + QUESTIONS_EACH - 1) / QUESTIONS_EACH;
	for (unsigned s = 0; s < subjects; ++s) {
		struct subject subject;
		struct draw draw = draw_begin(asking->kind, asking->block, s, 0);
		const unsigned flags = draw_chance(&draw, 50) ? SUBJECT_OPTIONS : 0;
		subject_begin(&subject, asking, &draw, (asking->block - 1) * subjects + s, network, flags);
		for (unsigned q = 0; q < QUESTIONS_EACH && asking->text->questions < questions; ++q) {
			draw = draw_begin(asking->kind, asking->block, s, q + 1);
			question_ask(asking, &subject, &draw);
		}
		paradl_arena_free(subject.arena);
	}
}

void ask_layered_images(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, NETWORK_IMAGES);
}

void ask_layered_tokens(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, NETWORK_TOKENS);
}
