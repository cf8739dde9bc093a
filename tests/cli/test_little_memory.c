/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions with too little memory: whatever the moment at which it runs out, the answer says so. */
#include <string.h>

#include "base/arena.h"
#include "test.h"

static const char *const questions[] = {
	"{\"ask\": \"estimate\", \"model\": \"gpt2-xl\", \"hw\": \"aws-p5\", \"strategy\": "
	"\"data=2,tensor=5,zero=1,micro=2\", \"explain\": true, \"layers\": true}",
	"{\"ask\": \"estimate\", \"model\": \"gpt2-xl\", \"hw\": \"aws-p5\", \"strategy\": \"tensor=4\"}",
	"{\"ask\": \"estimate\", \"model\": \"llama3-8b\", \"hw\": \"aws-p5\", \"strategy\": \"tensor=4\", "
	"\"inference\": true, \"batch\": 8}",
	"{\"ask\": \"advise\", \"model\": \"resnet50\", \"hw\": \"abci\", \"gpus\": 16}",
	"{\"ask\": \"search\", \"model\": \"resnet50\", \"hw\": \"abci\", \"gpus\": 8}",
	"{\"ask\": \"io\", \"model\": \"resnet50\", \"hw\": \"abci\", \"gpus\": 16}",
	"{\"ask\": \"collective\", \"operation\": \"allreduce\", \"hw\": \"abci\", \"ranks\": 16, \"bytes\": "
	"\"1 MB\"}",
	"{\"ask\": \"whatif\", \"model\": \"resnet50\", \"hw\": \"abci\", \"strategy\": \"data=16\"}",
	"{\"ask\": \"compare\", \"model\": \"resnet50\", \"hw\": [\"abci\", \"aws-p5\"], \"gpus\": 8}",
};

static bool is_answered(const char *question, size_t limit)
{
	const char *const directories[] = {".", NULL};
	struct paradl_arena *const arena = arena_create_limited(limit);
	struct paradl_error error = {0};
	size_t length;
	assert_non_null(arena);
	const struct paradl_question asked = {
		.text = question, .length = strlen(question), .directories = directories, .threads = 1};
	const bool answered = paradl_ask(arena, &asked, &length, &error);
	if (!answered && (error.status != PARADL_NO_MEMORY || !*error.message))
		fail_msg("%s with %zu bytes: status %d: %s", question, limit, error.status, error.message);
	paradl_arena_free(arena);
	return answered;
}

/* Asks with a little more memory each time: of the second question nearly every allocation is the first to fail. */
static void memory_that_runs_out_is_said(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
		unsigned refused = 0;
		for (size_t limit = 1 << 10; !is_answered(questions[i], limit);
			limit += i == 1 ? 61 : 701 + limit / 32) {
			++refused;
			assert_true(limit < 1 << 28);
		}
		assert_true(refused > 30);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(memory_that_runs_out_is_said)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
