/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks one question: cc ask.c $(pkg-config --cflags --libs paradl) -o ask; ./ask /usr/share/paradl */
#include <paradl.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	static const char question[] = "{\"ask\": \"advise\", \"model\": \"resnet50\", \"hw\": \"abci\", "
				       "\"gpus\": 64, \"as\": \"text\"}";
	const char *const directories[] = {argc > 1 ? argv[1] : ".", NULL};
	const struct paradl_question asked = {question, strlen(question), directories, 0};
	struct paradl_arena *arena = paradl_arena_create();
	struct paradl_error error = {0};
	size_t length;
	const char *answer = paradl_ask(arena, &asked, &length, &error);
	puts(answer ? answer : error.message);
	paradl_arena_free(arena);
	return !answer;
}
