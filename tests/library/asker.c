/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks the library each line of standard input, in one process: asker DIRECTORY... < QUESTIONS
 * Each answer, or the document of its error, ends with a NUL; standard error has the seconds of each.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "paradl.h"

static double now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	setlocale(LC_ALL, ""); /* as hosts do, which may have decimal commas */
	if (argc > 1 && strcmp(argv[1], "--schema") == 0) {
		struct paradl_error error = {0};
		struct paradl_arena *const arena = paradl_arena_create();
		const char *const schema = argc > 2 ? paradl_schema(arena, argv[2], &error) : NULL;
		fputs(schema ? schema : error.message, stdout);
		paradl_arena_free(arena);
		return schema == NULL;
	}
	while ((length = getline(&line, &size, stdin)) > 0) {
		struct paradl_error error = {0};
		struct paradl_arena *const arena = paradl_arena_create();
		const struct paradl_question question = {.text = line,
			.length = (size_t)length,
			.directories = (const char *const *)argv + 1,
			.threads = 1};
		size_t bytes = 0;
		const double begin_s = now_s();
		const char *const answer = arena ? paradl_ask(arena, &question, &bytes, &error) : NULL;
		fprintf(stderr, "%.6f\n", now_s() - begin_s);
		if (answer)
			fwrite(answer, 1, bytes, stdout);
		else
			printf("error: %s", error.message);
		putchar('\0');
		paradl_arena_free(arena);
	}
	free(line);
	return 0;
}
