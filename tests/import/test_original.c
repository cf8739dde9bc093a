/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The original tool's files. Its published networks are put together again from the layer tables in tests/data/layers
 * and imported; the expected counts are those of the published files (their BN and biases count 0).
 */
#include <stdlib.h>
#include <unistd.h>

#include "test.h"

#include "base/csv.h"
#include "model/model.h"

struct imported {
	struct paradl_arena *arena;
	const char *text;                 /* NULL: refused, see error */
	const struct paradl_model *model; /* of the text; NULL if it is a machine */
	struct paradl_findings findings;
	struct paradl_error error;
	char path[64], config[64];
};

static void write_file(char path[64], const char *text, size_t length)
{
	snprintf(path, 64, "/tmp/paradl-import-XXXXXX");
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, length), length);
	close(descriptor);
}

/* format NULL: as it looks */
static struct imported import_as(const char *format, const char *text, const char *config)
{
	struct imported imported = {.arena = paradl_arena_create()};
	write_file(imported.path, text, strlen(text));
	if (config)
		write_file(imported.config, config, strlen(config));
	const struct paradl_import_options options = {
		.from = format, .layer_config = config ? imported.config : NULL};
	imported.text =
		paradl_import(imported.arena, imported.path, &options, &imported.findings, &imported.error);
	if (imported.text && strcmp(imported.findings.format, "paradl-model") == 0) {
		struct paradl_error error = {0};
		const struct json *const root =
			json_parse(imported.arena, imported.text, strlen(imported.text), "imported", &error);
		imported.model = root ? model_build(imported.arena, root, NULL, &error) : NULL;
		if (!imported.model)
			fail_msg("%s: %s\n%s", error.pointer, error.message, imported.text);
	}
	unlink(imported.path);
	if (config)
		unlink(imported.config);
	return imported;
}

static struct imported import_text(const char *text, const char *config)
{
	return import_as(NULL, text, config);
}

static bool says(const struct imported *imported, const char *part)
{
	for (size_t i = 0; i < imported->findings.count; i++)
		if (strstr(imported->findings.warnings[i], part))
			return true;
	return false;
}

static size_t append_dims(
	char *text, size_t size, const struct csv *csv, size_t row, const char *const *columns)
{
	size_t used = 0;
	for (size_t i = 0; columns[i]; i++) {
		const char *const cell = csv_cell(csv, row, columns[i]);
		if (cell[0])
			used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "x" : "", cell);
	}
	return used;
}

/* The published file: blanks before '|', and the end of line that is asked for, none after the last line. */
static struct imported import_table(const char *table, const char *header, const char *end_of_line)
{
	static const char *const x[] = {"in_C", "in_W", "in_H", "in_D", NULL};
	static const char *const w[] = {"w_C", "w_F", "w_K1", "w_K2", "w_K3", NULL};
	static const char *const y[] = {"out_F", "out_W", "out_H", "out_D", NULL};
	enum { SIZE = 32768 };
	char *const text = malloc(SIZE), path[128];
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct csv csv;
	snprintf(path, sizeof path, "tests/data/layers/%s.csv", table);
	assert_true(csv_load(arena, path, &csv, &error));
	size_t used = (size_t)snprintf(text, SIZE, "# a comment%s%s", end_of_line, header);
	for (size_t row = 0; row < csv.rows; row++) {
		used += (size_t)snprintf(
			text + used, SIZE - used, "%s%s \t|", end_of_line, csv_cell(&csv, row, "name"));
		used += append_dims(text + used, SIZE - used, &csv, row, x);
		used += (size_t)snprintf(text + used, SIZE - used, "| ");
		used += append_dims(text + used, SIZE - used, &csv, row, w);
		used += (size_t)snprintf(text + used, SIZE - used, " |");
		used += append_dims(text + used, SIZE - used, &csv, row, y);
		used += (size_t)snprintf(text + used, SIZE - used, "|%s", csv_cell(&csv, row, "file_comp_s"));
	}
	assert_true(used < SIZE);
	const struct imported imported = import_text(text, NULL);
	paradl_arena_free(arena);
	free(text);
	if (!imported.text)
		fail_msg("%d: %s", imported.error.line, imported.error.message);
	return imported;
}

static double contraction_weights(const struct paradl_model *model)
{
	double sum = 0;
	for (unsigned i = 0; i < model->layer_count; i++)
		if (model->layers[i].kernel_volume > 0)
			sum += model->layers[i].count * model->layers[i].weight_items;
	return sum;
}

#define IMAGENET(name) "Dataset|ImageNet\nInput|1280000x3x226x226\nModel|" name

static void resnet_50_lacks_its_shortcuts(void **state)
{
	(void)state;
	const struct imported imported = import_table("resnet50", IMAGENET("ResNet50"), "\r\n");
	const struct paradl_model *const model = imported.model;
	assert_int_equal(model->order_count, 166);
	assert_close(contraction_weights(model), 22734016, 0);
	assert_close(model->dataset.samples, 1280000, 0);
	assert_string_equal(model->name, "ResNet50");
	assert_string_equal(paradl_model_layer(model, 0).x, "3x226x226");
	unsigned missing = 0, convolutions = 0;
	for (size_t i = 0; i < imported.findings.count; i++)
		missing += strstr(imported.findings.warnings[i], "shortcut") != NULL;
	for (unsigned i = 0; i < model->layer_count; i++)
		convolutions += model->layers[i].class_ == LAYER_CONVOLUTION ? model->layers[i].count : 0;
	assert_int_equal(missing, 4); /* one per stage; the other twelve are the identity */
	assert_int_equal(convolutions, 49);
	assert_true(says(&imported, "0.003119502 s per sample"));
	/* Blocks 2b, 2c are units: their shortcut is known. */
	assert_true(model->unit_count < model->order_count - 80);
	paradl_arena_free(imported.arena);
}

static void vgg_and_alexnet_keep_their_counts(void **state)
{
	(void)state;
	struct imported imported = import_table("vgg16", IMAGENET("VGG16"), "\n");
	assert_close(imported.model->weight_items, 169801408, 0);
	assert_close(imported.model->forward_flop, 32.589e9, 1e-3); /* as the shipped network at 226 */
	assert_int_equal(imported.findings.count, 1);
	paradl_arena_free(imported.arena);
	imported = import_table("alexnet", IMAGENET("AlexNet"), "\n");
	assert_close(imported.model->weight_items, 62367776, 0);
	assert_string_equal(paradl_model_layer(imported.model, 0).y, "96x54x54");
	assert_string_equal(paradl_model_layer(imported.model, 2).y, "96x27x27");
	paradl_arena_free(imported.arena);
}

static void volumes_are_read_and_a_typo_is_reported(void **state)
{
	(void)state;
	struct imported imported = import_table(
		"cosmoflow_256", "Dataset|CosmoFlow\nInput|1584x4x256x256x256\nModel|CosmoFlow", "\n");
	assert_close(imported.model->weight_items, 2128064, 0);
	assert_true(says(&imported, "reads 32x2128x128x128"));
	assert_int_equal(imported.findings.count, 2);
	assert_int_equal(imported.model->layers[imported.model->order[9]].stride[0], 2);
	paradl_arena_free(imported.arena);
	imported = import_table(
		"cosmoflow_512", "Dataset|CosmoFlow\nInput|1584x4x512x512x512\nModel|CosmoFlow", "\n");
	assert_close(imported.model->weight_items, 2128064, 0);
	assert_string_equal(paradl_model_layer(imported.model, 6).y, "64x62x62x62");
	assert_int_equal(imported.findings.count, 1);
	paradl_arena_free(imported.arena);
}

#define SMALL "Dataset|few\nInput|100x3x8x8\nModel|small\n"

static void what_dimensions_do_not_explain_is_custom(void **state)
{
	(void)state;
	/* 1x1 kernels do not enlarge; a reshape; grouped weights; an unknown kind. */
	struct imported imported =
		import_text(SMALL "CONV|3x8x8|3x4x1x1|4x9x9\nCONV|8x4x4|4x8x3x3|8x4x4\nSORT|8x4x4|0x0x0x0|"
				  "9x2x2\nMPOOL|9x2x2|0x0x2|9x1x1",
			NULL);
	const struct paradl_model *const model = imported.model;
	assert_int_equal(model->order_count, 5);
	assert_string_equal(paradl_model_layer(model, 0).type, "custom");
	assert_close(model->layers[model->order[0]].weight_items, 12, 0);
	assert_close(model->layers[model->order[0]].forward_flop, 2 * 12 * 81, 0);
	assert_string_equal(model->names[1], "reshape.1");
	assert_string_equal(paradl_model_layer(model, 1).y, "8x4x4");
	assert_int_equal(model->layers[model->order[2]].groups, 2);
	assert_close(model->layers[model->order[2]].weight_items, 4 * 8 * 9, 0);
	assert_string_equal(paradl_model_layer(model, 3).y, "9x2x2");
	assert_true(says(&imported, "line 4: CONV cannot be told"));
	assert_true(says(&imported, "line 5: CONV reads 8x4x4, but the layer before gives 4x9x9"));
	assert_true(says(&imported, "line 6: SORT cannot be told"));
	assert_true(says(&imported, "line 7: MPOOL cannot be told")); /* one kernel for two dimensions */
	paradl_arena_free(imported.arena);
}

static void windows_are_written_as_short_as_they_are(void **state)
{
	(void)state;
	/* Pooling with the kernel as stride, a conv with other strides in each dimension, kernels of 0. */
	struct imported imported =
		import_text(SMALL "MPOOL|3x8x8|0x0x2x2|3x4x4\nAPOOL|3x4x4|0x0x2x2|3x3x3\nCONV|3x3x3|3x4x3x1|"
				  "4x3x2\nCONV|4x3x2|4x5x3x3|5x3x2\nMPOOL|5x3x2|0x0x0x0|5x1x1",
			NULL);
	assert_non_null(strstr(imported.text, "\"type\":\"pool\",\"kind\":\"max\",\"kernel\":2}"));
	assert_non_null(strstr(imported.text, "\"kind\":\"avg\",\"kernel\":2,\"stride\":1}"));
	assert_non_null(strstr(imported.text,
		"\"out\":4,\"kernel\":[3,1],\"stride\":[1,2],\"pad\":\"same\",\"bias\":false}"));
	assert_non_null(strstr(imported.text, "\"out\":5,\"kernel\":3,\"pad\":1,\"bias\":false}"));
	assert_true(says(&imported, "line 8: MPOOL cannot be told"));
	assert_int_equal(imported.findings.count, 1);
	paradl_arena_free(imported.arena);
}

static void names_become_unique(void **state)
{
	(void)state;
	struct imported imported = import_text(SMALL "CONV|3x8x8|3x4x1x1|4x8x8\nRELU|4x8x8|4x4x0x0|"
						     "4x8x8\nRELU|4x8x8|4x4x0x0|4x8x8\n|4x8x8|0|4x8x8\n",
		NULL);
	assert_string_equal(imported.model->names[0], "CONV");
	assert_string_equal(imported.model->names[1], "RELU.1");
	assert_string_equal(imported.model->names[2], "RELU.2");
	assert_string_equal(imported.model->names[3], ".1");
	paradl_arena_free(imported.arena);
}

static void layer_configurations_are_counted(void **state)
{
	(void)state;
#define TWO SMALL "CONV|3x8x8|3x4x1x1|4x8x8\nRELU|4x8x8|4x4x0x0|4x8x8\n"
	struct imported imported = import_text(TWO, "CONV|1\nRELU|0\n");
	assert_true(says(&imported, "cuts 1 of 1 CONV layers"));
	assert_true(says(&imported, "cuts 0 of 1 RELU layers"));
	paradl_arena_free(imported.arena);
	imported = import_text(TWO, "CONV|1\nRELU|");
	assert_true(says(&imported, "cuts 0 of 1 RELU layers"));
	paradl_arena_free(imported.arena);
	imported = import_text(TWO, "CONV|1\n");
	assert_null(imported.text);
	assert_string_equal(imported.error.path, imported.config);
	assert_non_null(strstr(imported.error.message, "has 1 lines, but the network has 2 layers"));
	paradl_arena_free(imported.arena);
}

/* As many layers as there may be, and one more. */
static void only_layers_are_counted(void **state)
{
	enum { MOST = 5000 };
	static const char line[] = "RELU|3x8x8|0|3x8x8\n";
	(void)state;
	for (size_t more = 0; more < 2; more++) {
		const size_t head = strlen(SMALL), each = strlen(line);
		char *const text = calloc(head + (MOST + more) * each + 1, 1);
		assert_non_null(text);
		memcpy(text, SMALL, head);
		for (size_t i = 0; i < MOST + more; i++)
			memcpy(text + head + i * each, line, each);
		const struct imported imported = import_as("net", text, NULL);
		assert_int_equal(imported.text == NULL, more);
		assert_true(!more || strstr(imported.error.message, "more than 5000 layers"));
		free(text);
		paradl_arena_free(imported.arena);
	}
}

static void bad_networks_are_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int line, column;
		const char *message;
	} cases[] = {
		{"", 0, 0, "Dataset|NAME"},
		{"# nothing\n\n", 0, 0, "Dataset|NAME"},
		{"Dataset|few\nModel|small\n", 2, 1, "Input|SAMPLES"},
		{"Dataset|few\nInput|100x3x8x8\n", 0, 0, "Model|NAME"},
		{"Dataset|few\nInput|100x3\nModel|m\n", 2, 7, "SAMPLESxCHANNELS"},
		{"Dataset|few\nInput|100x3x0\nModel|m\n", 2, 7, "may be 0"},
		{"Dataset|few\nInput|100x3xa\nModel|m\n", 2, 7, "\"100x3xa\" is not dimensions"},
		{SMALL, 0, 0, "no layers"},
		{SMALL "CONV|3x8x8|3x4x1x1\n", 4, 12, "x dims|w dims|y dims"},
		{SMALL "# c\nCONV | 3x8x8 | 3x4x1x1 | 4x8y8\n", 5, 26, "\"4x8y8\" is not dimensions"},
		{SMALL "CONV|3x8x8|3x4x1x1|4x8x\n", 4, 20, "not dimensions"},
		{SMALL "CONV|3x8x8|3x4x1x1|0x8x8\n", 4, 20, "extent of 0"},
		{SMALL "CONV|3x8x8x8x8|3x4x1x1|4x8x8\n", 4, 6, "up to 3 extents"},
		{SMALL "CONV|3x8x8|3x4x1x1|4x8x8|fast\n", 4, 26, "\"fast\" is not a number"},
		{SMALL "CONV|3x8x8|3x4x1x1|4x8x8|1|2\n", 4, 1, "more than 5 fields"},
		{SMALL "FC|3x2147483647x2147483647|0|3x1x1\n", 4, 4, "2^53"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct imported imported = import_as("net", cases[i].text, NULL);
		const struct paradl_error *const error = &imported.error;
		if (imported.text || error->line != cases[i].line || error->column != cases[i].column ||
			!strstr(error->message, cases[i].message) || strcmp(error->path, imported.path) != 0)
			fail_msg("%s: %d:%d: %s", cases[i].text, error->line, error->column, error->message);
		paradl_arena_free(imported.arena);
	}
}

#define PLATFORM                                                                                             \
	"MEM_PER_NODE|16e9|bytes\nNODE_SPEED|7.8E12|flop/"                                                   \
	"s\nBANDWIDTH|12.5E9\nLATENCY|500E-9|s\nMAX_NODE|4096\n"

static void a_platform_becomes_a_machine(void **state)
{
	(void)state;
	struct imported imported = import_text(PLATFORM "GPU_PER_NODE|4", NULL);
	struct paradl_error error = {0};
	assert_non_null(imported.text);
	assert_string_equal(imported.findings.format, "paradl-hw");
	const struct json *const root =
		json_parse(imported.arena, imported.text, strlen(imported.text), "machine", &error);
	assert_non_null(root);
	assert_string_equal(json_member(root, "format")->string, "paradl-hw");
	const struct json *const node = json_member(root, "levels")->child, *const network = node->next;
	assert_null(network->next);
	assert_close(json_member(node, "devices")->number, 4, 0);
	assert_close(json_member(network, "devices")->number, 4096, 0);
	assert_string_equal(json_member(network, "latency")->string, "0.5 us");
	assert_string_equal(json_member(network, "bandwidth")->string, "12.5 GB/s");
	assert_true(says(&imported, "v100-sxm2-16gb"));
	paradl_arena_free(imported.arena);
	imported = import_text(PLATFORM "GPU_PER_NODE|3", NULL);
	assert_true(says(&imported, "4095 devices are taken"));
	assert_non_null(strstr(imported.text, "\"devices\":4095"));
	paradl_arena_free(imported.arena);
	imported = import_text(PLATFORM "GPU_PER_NODE|1", NULL); /* nothing inside a node */
	assert_null(strstr(imported.text, "\"node\""));
	assert_non_null(strstr(imported.text, "\"levels/0\": \"datasheet: MAX_NODE"));
	assert_int_equal(imported.findings.count, 2);
	paradl_arena_free(imported.arena);
}

static void bad_platforms_are_refused_with_the_place(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int line, column;
		const char *message;
	} cases[] = {
		{PLATFORM, 0, 0, "has no GPU_PER_NODE"},
		{PLATFORM "GPU_PER_NODE|0", 6, 14, "whole number from 1"},
		{PLATFORM "GPU_PER_NODE|2.5", 6, 14, "whole number from 1"},
		{PLATFORM "GPU_PER_NODE", 6, 1, "KEY|value|unit"},
		{PLATFORM "GPUS|4", 6, 1, "\"GPUS\" is not a key"},
		{PLATFORM "LATENCY|4", 6, 1, "given twice"},
		{PLATFORM "GPU_PER_NODE|-4", 6, 14, "\"-4\" is not a number"},
		{"BANDWIDTH|0\nMEM_PER_NODE|1\nNODE_SPEED|1\nLATENCY|0\nMAX_NODE|1\nGPU_PER_NODE|1", 1, 11,
			"bytes per second"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct imported imported = import_text(cases[i].text, NULL);
		const struct paradl_error *const error = &imported.error;
		if (imported.text || error->line != cases[i].line || error->column != cases[i].column ||
			!strstr(error->message, cases[i].message))
			fail_msg("%s: %d:%d: %s", cases[i].text, error->line, error->column, error->message);
		paradl_arena_free(imported.arena);
	}
}

/* "x.net" with a platform in it, "x.plat" with a network. */
static void the_name_says_what_a_file_is(void **state)
{
	(void)state;
	static const char *const suffixes[] = {".net_sc", ".plat"}, *const texts[] = {
									    PLATFORM "GPU_PER_NODE|4", SMALL};
	static const char *const messages[] = {"Dataset|NAME", "\"Dataset\" is not a key"};
	for (int i = 0; i < 2; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct paradl_findings findings;
		char path[64], named[80];
		write_file(path, texts[i], strlen(texts[i]));
		snprintf(named, sizeof named, "%s%s", path, suffixes[i]);
		assert_int_equal(rename(path, named), 0);
		assert_null(paradl_import(arena, named, NULL, &findings, &error));
		assert_non_null(strstr(error.message, messages[i]));
		unlink(named);
		paradl_arena_free(arena);
	}
}

static void other_files_are_refused(void **state)
{
	(void)state;
	const struct imported imported = import_text(
		"Dataset|few\nInput|1x3x50000x50000\nModel|m\nFC|3x50000x50000|3x2x50000x50000|2x1x1\n",
		NULL);
	assert_null(imported.text);
	assert_non_null(strstr(imported.error.message, "cannot be a model: its input has 7500000000 items"));
	paradl_arena_free(imported.arena);
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings;
	char path[64];
	write_file(path, "Dataset|\0", 10);
	assert_null(paradl_import(arena, path, NULL, &findings, &error));
	assert_non_null(strstr(error.message, "NUL"));
	unlink(path);
	assert_null(paradl_import(arena, path, NULL, &findings, &error));
	assert_int_equal(error.status, PARADL_IO);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resnet_50_lacks_its_shortcuts),
		cmocka_unit_test(vgg_and_alexnet_keep_their_counts),
		cmocka_unit_test(volumes_are_read_and_a_typo_is_reported),
		cmocka_unit_test(what_dimensions_do_not_explain_is_custom),
		cmocka_unit_test(windows_are_written_as_short_as_they_are),
		cmocka_unit_test(names_become_unique),
		cmocka_unit_test(layer_configurations_are_counted),
		cmocka_unit_test(only_layers_are_counted),
		cmocka_unit_test(bad_networks_are_refused_with_the_place),
		cmocka_unit_test(a_platform_becomes_a_machine),
		cmocka_unit_test(bad_platforms_are_refused_with_the_place),
		cmocka_unit_test(the_name_says_what_a_file_is),
		cmocka_unit_test(other_files_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
