/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of any format where a model or a machine is wanted, and places of errors in our own. */
#include <unistd.h>

#include "test.h"

#include "model/model.h"

#define CONFIG                                                                                               \
	"{\"model_type\": \"llama\", \"hidden_size\": 64, \"intermediate_size\": 128, "                      \
	"\"num_hidden_layers\": 2, \"num_attention_heads\": 4, \"vocab_size\": 100, "                        \
	"\"max_position_embeddings\": 8192}"
#define PLATFORM                                                                                             \
	"MEM_PER_NODE|16e9\nNODE_SPEED|7.8E12\nBANDWIDTH|12.5E9\nLATENCY|500E-9\nMAX_NODE|4096\n"            \
	"GPU_PER_NODE|4\n"

static void write_file(char path[64], const char *text)
{
	snprintf(path, 64, "/tmp/paradl-load-XXXXXX");
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
	close(descriptor);
}

static void a_config_is_the_model_that_import_writes(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	char config[64], native[64];
	write_file(config, CONFIG);
	const char *const text = paradl_import(arena, config, NULL, &findings, &error);
	assert_non_null(text);
	write_file(native, text);
	const struct paradl_model *const direct =
		paradl_model_load(arena, &(struct paradl_source){.path = config}, &error);
	const struct paradl_model *const written =
		paradl_model_load(arena, &(struct paradl_source){.path = native}, &error);
	assert_non_null(direct);
	assert_non_null(written);
	const struct paradl_model_info a = paradl_model_info(direct), b = paradl_model_info(written);
	assert_close(a.parameters, b.parameters, 0);
	assert_close(a.forward_flop_per_sample, b.forward_flop_per_sample, 0);
	assert_string_equal(a.path, config);
	assert_null(b.imported);
	assert_non_null(a.imported);
	assert_int_equal(a.imported->count, findings.count);
	assert_int_equal(a.imported->count, 1);
	assert_string_equal(a.imported->warnings[0], findings.warnings[0]);
	unlink(config);
	unlink(native);
	paradl_arena_free(arena);
}

static void a_platform_is_a_machine(void **state)
{
	(void)state;
	static const char *const shipped[] = {".", NULL};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	char path[64];
	write_file(path, PLATFORM);
	const struct paradl_machine *const machine = paradl_machine_load(
		arena, &(struct paradl_source){.path = path, .directories = shipped}, &error);
	if (!machine)
		fail_msg("%s", error.message);
	const struct paradl_machine_info info = paradl_machine_info(machine);
	assert_int_equal(info.devices, 4096);
	assert_int_equal(info.devices_per_node, 4);
	assert_non_null(info.imported);
	assert_int_equal(info.imported->count, 2);
	unlink(path);
	paradl_arena_free(arena);
}

static void what_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		bool is_machine;
		int line, column;
		const char *message;
	} cases[] = {
		{CONFIG, true, 0, 0, "is a model (huggingface), not a machine"},
		{PLATFORM, false, 0, 0, "is a machine (plat), not a model"},
		{"{\"model_type\": \"llama\", \"hidden_size\": 64}", false, 1, 1, "needs num_hidden_layers"},
		{"{\"format\": \"paradl-model\",\n \"version\": 1, \"nam\": 2}", false, 2, 23, "\"nam\""},
		{"{\"format\": \"paradl-model\",\n \"version\": 1,, }", false, 2, 15, "expected"},
		{"{\"layers\": []}", false, 1, 1, "needs a \"format\": \"paradl-model\""},
		{"{\"levels\": []}", true, 1, 1, "format"},
		{"what is this", false, 1, 1, "value"},
		{"", false, 1, 1, "value"},
		{"Dataset|few\nInput|1x3x50000x50000\nModel|m\nFC|3x50000x50000|3x2x50000x50000|2x1x1\n",
			false, 0, 0, "cannot be a model: its input has 7500000000 items"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		char path[64];
		write_file(path, cases[i].text);
		if (cases[i].is_machine)
			assert_null(
				paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error));
		else
			assert_null(paradl_model_load(arena, &(struct paradl_source){.path = path}, &error));
		if (error.line != cases[i].line || error.column != cases[i].column ||
			!strstr(error.message, cases[i].message) || strcmp(error.path, path) != 0)
			fail_msg("%s: %d:%d: %s", cases[i].text, error.line, error.column, error.message);
		unlink(path);
		paradl_arena_free(arena);
	}
}

static void an_option_without_meaning_is_refused(void **state)
{
	(void)state;
	static const struct paradl_import_options options[] = {
		{.dataset = true},
		{.layer_config = "x.lc"},
		{.from = "hugingface"},
	};
	static const char *const messages[] = {"a data set alone does not go with files of the format",
		"a layer configuration does not go with files of the format huggingface",
		"there is no format \"hugingface\""};
	char path[64];
	write_file(path, CONFIG);
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct paradl_findings findings;
		assert_null(paradl_import(arena, path, &options[i], &findings, &error));
		assert_int_equal(error.status, PARADL_USAGE);
		assert_non_null(strstr(error.message, messages[i]));
		paradl_arena_free(arena);
	}
	unlink(path);
}

static void every_format_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (size_t i = 0; paradl_format(i).name; i++) {
		const struct paradl_format format = paradl_format(i);
		assert_true(strcmp(format.becomes, "paradl-model") == 0 ||
			    strcmp(format.becomes, "paradl-hw") == 0);
		assert_true(strlen(format.summary) <= 70);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(paradl_format(j).name, format.name);
	}
}

/* A pipe can be read only once. */
static void a_model_comes_through_a_pipe(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	char path[32];
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], CONFIG, strlen(CONFIG)), strlen(CONFIG));
	close(ends[1]);
	snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!model)
		fail_msg("%s", error.message);
	assert_non_null(paradl_model_info(model).imported);
	close(ends[0]);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_config_is_the_model_that_import_writes),
		cmocka_unit_test(a_platform_is_a_machine),
		cmocka_unit_test(what_is_refused),
		cmocka_unit_test(an_option_without_meaning_is_refused),
		cmocka_unit_test(every_format_has_a_name_of_its_own),
		cmocka_unit_test(a_model_comes_through_a_pipe),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
