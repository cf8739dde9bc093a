/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far off estimates may be: the same plan on machines that are a little faster and slower. */
#include "golden/golden.h"
#include "paradl/study.h"

#include <stdio.h>

enum { QUESTIONS_EACH = 5 };

static void tell_range(struct text *text, const char *name, const struct paradl_range *range)
{
	text_prefix(text, "%s.", name);
	NUMBER(text, range, value);
	NUMBER(text, range, low);
	NUMBER(text, range, high);
	text_prefix_end(text);
}

static void tell_uncertainty(struct text *text, const struct paradl_uncertainty *uncertainty)
{
	char name[64];
	for (unsigned i = 0; i < PARADL_SOURCE_COUNT; ++i) {
		const char *const source = paradl_uncertainty_source_name((enum paradl_uncertainty_source)i);
		snprintf(name, sizeof name, "share.%s", source);
		text_number(text, name, uncertainty->share[i]);
		snprintf(name, sizeof name, "origin.%s", source);
		text_word(text, name, uncertainty->origin[i]);
		snprintf(name, sizeof name, "effect.%s", source);
		tell_range(text, name, &uncertainty->effect[i]);
	}
	tell_range(text, "time_s", &uncertainty->amounts[PARADL_AMOUNT_TIME]);
	tell_range(text, "joule", &uncertainty->amounts[PARADL_AMOUNT_ENERGY]);
	tell_range(text, "cost", &uncertainty->amounts[PARADL_AMOUNT_COST]);
}

static void question_ask(
	const struct asking *asking, struct subject *subject, struct paradl_study *study, struct draw *draw)
{
	char words[PARADL_PLAN_TEXT], rest[PARADL_PLAN_TEXT + 64];
	struct paradl_plan plan;
	struct paradl_estimate estimate;
	struct paradl_uncertainty uncertainty;
	plan_draw(draw, subject, draw_chance(draw, 50), &plan);
	paradl_plan_format(&plan, words, sizeof words);
	snprintf(rest, sizeof rest, "%s batch=%.15g", words, plan.batch);
	subject_question(subject, asking, rest);
	if (!study || !paradl_estimate(subject->oracle, &plan, &estimate, &subject->error) ||
		!paradl_uncertainty(study, &estimate, &uncertainty, &subject->error)) {
		text_refusal(asking->text, "refused", &subject->error);
		return;
	}
	++asking->text->answered;
	tell_uncertainty(asking->text, &uncertainty);
}

void ask_uncertainty(const struct asking *asking, unsigned questions)
{
	const unsigned subjects = (questions + QUESTIONS_EACH - 1) / QUESTIONS_EACH;
	for (unsigned s = 0; s < subjects; ++s) {
		struct subject subject;
		struct draw draw = draw_begin(asking->kind, asking->block, s, 0);
		struct paradl_study *study = NULL;
		subject_begin(&subject, asking, &draw, s, NETWORK_ANY, SUBJECT_INPUT | SUBJECT_SMALL_MACHINE);
		if (subject.oracle)
			study = paradl_study_create(subject.arena, subject.oracle, &subject.error);
		for (unsigned q = 0; q < QUESTIONS_EACH && asking->text->questions < questions; ++q) {
			draw = draw_begin(asking->kind, asking->block, s, q + 1);
			question_ask(asking, &subject, study, &draw);
		}
		paradl_arena_free(subject.arena);
	}
}
