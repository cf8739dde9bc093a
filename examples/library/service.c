/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Answers questions, one a line, by several threads and in the order of the questions:
 *
 *     cc -pthread service.c $(pkg-config --cflags --libs paradl) -o service
 *     ./service /usr/share/paradl <questions.jsonl >answers.jsonl
 *
 * Each thread has an arena for each question, so that memory is given back; nothing needs a lock but the lines.
 */
#include <paradl.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, LINES = 65536 };

static char *answers[LINES]; /* by the number of the line; NULL: not answered yet */
static size_t asked, written;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *directories[2];

static char *answer(const char *text, size_t length)
{
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct paradl_question question = {
		.text = text, .length = length, .directories = directories, .threads = 1};
	size_t bytes = 0;
	const char *found = paradl_ask(arena, &question, &bytes, &error);
	char *copy = found ? strndup(found, bytes) : strdup(error.message);
	paradl_arena_free(arena);
	return copy;
}

/* Writes what is answered, up to the first line that is not. */
static void write_answers(void)
{
	for (; written < LINES && answers[written]; free(answers[written++]))
		printf("%s\n", answers[written]);
	fflush(stdout);
}

static void *work(void *unused)
{
	char *line = NULL;
	size_t room = 0;
	for (;;) {
		pthread_mutex_lock(&mutex);
		const ssize_t length = asked < LINES ? getline(&line, &room, stdin) : -1;
		const size_t number = length >= 0 ? asked++ : 0;
		pthread_mutex_unlock(&mutex);
		if (length < 0)
			break;
		char *found = answer(line, (size_t)length);
		pthread_mutex_lock(&mutex);
		answers[number] = found;
		write_answers();
		pthread_mutex_unlock(&mutex);
	}
	free(line);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	directories[0] = argc > 1 ? argv[1] : "/usr/share/paradl";
	for (int i = 0; i < THREADS; ++i)
		if (pthread_create(&threads[i], NULL, work, NULL) != 0)
			return 1;
	for (int i = 0; i < THREADS; ++i)
		pthread_join(threads[i], NULL);
	return 0;
}
