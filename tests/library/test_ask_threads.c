/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several threads of one process ask at the same time, each question by threads of its own: the answers of one thread. */
#include "test.h"

#include <pthread.h>
#include <string.h>

#include "paradl.h"

enum { ASKERS = 4, TURNS = 2 };

static const char *const questions[] = {
	"{\"ask\": \"advise\", \"model\": \"tiny\", \"hw\": \"toy\", \"gpus\": 8}",
	"{\"ask\": \"search\", \"model\": \"resnet50\", \"hw\": \"abci\", \"gpus\": 16}",
	"{\"ask\": \"sweep\", \"model\": \"tiny\", \"hw\": \"toy\", \"gpus\": \"2..8\", \"vary\": "
	"\"batch=16..64\"}",
	"{\"ask\": \"whatif\", \"model\": \"tiny\", \"hw\": \"toy\", \"strategy\": \"data=4\", \"perturb\": "
	"\"10%\"}",
	"{\"ask\": \"advise\", \"model\": \"llama2-7b\", \"hw\": \"aws-p5\", \"gpus\": 8, \"inference\": "
	"true}",
	"{\"ask\": \"collective\", \"operation\": \"allreduce\", \"hw\": \"abci\", \"ranks\": 16}",
	"{\"ask\": \"estimate\", \"model\": \"tiny\", \"hw\": \"nowhere\"}",
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

struct asker {
	const char *const *wanted;      /* answers, or messages of errors */
	unsigned begin, threads, other; /* other: number of answers that are not the wanted ones */
};

/* Returns the answer to a question, or the message of its error, in `error`. */
static const char *answer(
	struct paradl_arena *arena, const char *text, unsigned threads, struct paradl_error *error)
{
	static const char *const directories[] = {"tests/cli/data", ".", NULL};
	const struct paradl_question question = {
		.text = text, .length = strlen(text), .directories = directories, .threads = threads};
	size_t length;
	const char *const found = paradl_ask(arena, &question, &length, error);
	return found ? found : error->message;
}

static void *ask(void *context)
{
	struct asker *const asker = context;
	for (unsigned i = 0; i < TURNS * QUESTIONS; ++i) {
		const unsigned which = (i + asker->begin) % QUESTIONS;
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		const char *const found = answer(arena, questions[which], asker->threads, &error);
		asker->other += strcmp(found, asker->wanted[which]) != 0;
		paradl_arena_free(arena);
	}
	return NULL;
}

static void many_ask(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const char *wanted[QUESTIONS];
	struct paradl_error errors[QUESTIONS] = {0};
	struct asker askers[ASKERS];
	pthread_t threads[ASKERS];
	for (unsigned i = 0; i < QUESTIONS; ++i) {
		wanted[i] = answer(arena, questions[i], 1, &errors[i]);
		if ((wanted[i][0] == '{') != (i + 1 < QUESTIONS)) /* the last one alone is refused */
			fail_msg("%s: %s", questions[i], wanted[i]);
	}
	for (unsigned i = 0; i < ASKERS; ++i) {
		askers[i] = (struct asker){.wanted = wanted, .begin = 2 * i, .threads = 1 + i % 2};
		assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
	}
	for (unsigned i = 0; i < ASKERS; ++i) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(askers[i].other, 0);
	}
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(many_ask)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
