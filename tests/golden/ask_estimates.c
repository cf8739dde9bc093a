/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates of one plan: of networks of images and of tokens, without and with options, ideal, and of inference. */
#include "golden/golden.h"

#include <stdio.h>
#include <string.h>

enum { QUESTIONS_EACH = 25 }; /* of one oracle */

/* What blocks of a kind are about. */
struct manner {
	enum networks network;
	unsigned flags, more_each; /* every so many questions ask for layers, terms, ... */
	bool options;              /* of plans */
};

/* Returns whether the plan is one; otherwise what the parser says is kept, and the estimate says it again. */
static void plan_parse(struct text *text, const char *words, struct paradl_plan *plan)
{
	struct paradl_plan parsed;
	struct paradl_error error = {0};
	if (!paradl_plan_parse(words, &parsed, &error)) {
		text_refusal(text, "parse", &error);
		return;
	}
	parsed.batch = plan->batch;
	*plan = parsed;
}

static void question_ask(const struct asking *asking, const struct subject *subject, struct draw *draw,
	const struct manner *manner)
{
	char words[PARADL_PLAN_TEXT], rest[PARADL_PLAN_TEXT + 64];
	struct text *const text = asking->text;
	struct paradl_plan plan;
	struct paradl_estimate estimate;
	struct paradl_error error = subject->error;
	plan_draw(draw, subject, manner->options, &plan);
	paradl_plan_format(&plan, words, sizeof words);
	snprintf(rest, sizeof rest, "%s batch=%.15g", words, plan.batch);
	subject_question(subject, asking, rest);
	plan_parse(text, words, &plan);
	if (!subject->oracle || !paradl_estimate(subject->oracle, &plan, &estimate, &error)) {
		text_refusal(text, subject->oracle ? "refused" : "no oracle", &error);
		return;
	}
	++text->answered;
	tell_estimate(text, &estimate);
	if (text->questions % manner->more_each == 0)
		tell_more(text, subject, &estimate);
}

static void block_ask(const struct asking *asking, unsigned questions, const struct manner *manner)
{
	const unsigned subjects = (questions + QUESTIONS_EACH - 1) / QUESTIONS_EACH;
	for (unsigned s = 0; s < subjects; ++s) {
		struct subject subject;
		struct draw draw = draw_begin(asking->kind, asking->block, s, 0);
		subject_begin(&subject, asking, &draw, (asking->block - 1) * subjects + s, manner->network,
			manner->flags);
		for (unsigned q = 0; q < QUESTIONS_EACH && asking->text->questions < questions; ++q) {
			draw = draw_begin(asking->kind, asking->block, s, q + 1);
			question_ask(asking, &subject, &draw, manner);
		}
		paradl_arena_free(subject.arena);
	}
}

void ask_images(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, &(struct manner){NETWORK_IMAGES, 0, 8, false});
}

void ask_images_options(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, &(struct manner){NETWORK_IMAGES, SUBJECT_OPTIONS, 8, true});
}

void ask_tokens(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, &(struct manner){NETWORK_TOKENS, 0, 8, false});
}

void ask_tokens_options(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, &(struct manner){NETWORK_TOKENS, SUBJECT_OPTIONS, 8, true});
}

void ask_ideal(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, &(struct manner){NETWORK_ANY, SUBJECT_IDEAL, 8, false});
}

void ask_inference_images(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, &(struct manner){NETWORK_IMAGES, SUBJECT_INFERENCE, 8, false});
}

void ask_inference_tokens(const struct asking *asking, unsigned questions)
{
	block_ask(asking, questions, &(struct manner){NETWORK_TOKENS, SUBJECT_INFERENCE, 8, false});
}
