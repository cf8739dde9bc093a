/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes cases of a number. */
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "cli/arguments.h"
#include "mutate.h"

enum { MUTATIONS_MOST = 4, KIND_BYTES = 32, LOADS_PERCENT = 60, COMMAND_BYTES = 32, TRIES = 12 };

static void mutate_some(struct text *text, const struct corpus *corpus, struct chance *chance)
{
	size_t left = chance_percent(chance, 60) ? 1 : 2 + chance_below(chance, MUTATIONS_MOST - 1);
	for (; left > 0; --left)
		mutate(text, &corpus_any(corpus, NULL, chance)->text, chance);
}

/* Puts files in place of each "@kind" of a question: as they are, or mutated. */
static void fill_in(struct text *question, const struct corpus *corpus, struct chance *chance)
{
	struct text file = {NULL, 0, 0}, object = {NULL, 0, 0};
	size_t done = 0;
	for (char *at; (at = strstr(question->bytes + done, "\"@"));) {
		char kind[KIND_BYTES];
		const char *const end = strchr(at + 1, '"');
		if (!end)
			break;
		snprintf(kind, sizeof kind, "%.*s", (int)(end - at - 2), at + 2);
		const struct seed *const seed = corpus_any(corpus, kind, chance);
		const size_t place = (size_t)(at - question->bytes), length = (size_t)(end - at + 1);
		text_set(&object, "null", 4);
		if (seed) {
			text_set(&file, seed->text.bytes, seed->text.length);
			if (chance_percent(chance, 70))
				mutate_some(&file, corpus, chance);
			text_set(&object, "", 0);
			text_add(&object, "{\"text\": ");
			text_add_quoted(&object, &file);
			text_add(&object, "}");
		}
		if (question->length + object.length > TEXT_MOST)
			text_set(&object, "null", 4);
		text_splice(question, place, length, object.bytes, object.length);
		done = place + object.length; /* what files say is no place for another */
	}
	text_free(&file);
	text_free(&object);
}

/* Is it an option of the command that is asked? */
static bool is_of(const struct option_row *row, const struct text *question)
{
	static const char ask[] = "\"ask\": \"";
	char command[COMMAND_BYTES];
	const char *const at = strstr(question->bytes, ask), *const name = at ? at + strlen(ask) : "";
	snprintf(command, sizeof command, "%.*s", (int)strcspn(name, "\""), name);
	return option_applies(row, command);
}

/* Adds an option, mostly one that the command has, with a value that may suit it. */
static void add_option(struct text *question, struct chance *chance)
{
	size_t count = 0;
	char member[512], value[256];
	while (option_at(&arguments_table, count))
		++count;
	const struct option_row *row = option_at(&arguments_table, chance_below(chance, count));
	for (unsigned try = 0; try < TRIES && !is_of(row, question); ++try)
		row = option_at(&arguments_table, chance_below(chance, count));
	if (row->kind == OPTION_FLAG) {
		snprintf(value, sizeof value, "true");
	} else if (row->kind == OPTION_CHOICE && row->choice) {
		size_t choices = 0;
		while (row->choice(choices))
			++choices;
		snprintf(value, sizeof value, "\"%s\"", row->choice(chance_below(chance, choices)));
	} else {
		const char *const odd = odd_value(chance);
		snprintf(value, sizeof value, "\"%.200s\"", odd[strcspn(odd, "\\\"\x1b")] ? "1" : odd);
	}
	snprintf(member, sizeof member, ", \"%s\": %s", row->name, value);
	for (char *c = member; *c && *c != ':'; ++c)
		*c = *c == '-' ? '_' : *c;
	if (question->length > 1)
		text_splice(question, question->length - 1, 0, member, strlen(member));
}

void case_make(const struct corpus *corpus, uint64_t seed, uint64_t number, struct case_text *made,
	struct chance *chance)
{
	*chance = (struct chance){seed * 0x9e3779b97f4a7c15u ^ number * 0xd1b54a32d192ed03u};
	(void)chance_next(chance);
	made->seed = NULL;
	if (chance_percent(chance, LOADS_PERCENT)) {
		made->seed = corpus_any(corpus, NULL, chance);
		text_set(&made->text, made->seed->text.bytes, made->seed->text.length);
		mutate_some(&made->text, corpus, chance);
		return;
	}
	const struct text *const question = &corpus->questions[chance_below(chance, corpus->question_count)];
	text_set(&made->text, question->bytes, question->length);
	for (size_t left = chance_below(chance, 3); left > 0; --left)
		add_option(&made->text, chance);
	if (chance_percent(chance, 25))
		mutate(&made->text, &corpus->questions[chance_below(chance, corpus->question_count)], chance);
	fill_in(&made->text, corpus, chance);
}
