/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads of DLIO. What accelerators want is compared with figures of MLPerf Storage: batch * record length / computation
 * time of mlcommons/storage (golden rows V32 and V33 of the validation targets), and computed again here from the network
 * that came of the file.
 */
#include <math.h>
#include <unistd.h>

#include "test.h"

#include "base/arena.h"
#include "base/yaml.h"
#include "model/model.h"

struct imported {
	struct paradl_arena *arena;
	const char *text; /* NULL: refused, see error */
	struct paradl_findings findings;
	struct paradl_error error;
};

static struct imported import_file(const char *path, bool dataset_only)
{
	struct imported imported = {.arena = paradl_arena_create()};
	assert_non_null(imported.arena);
	const struct paradl_import_options options = {.dataset = dataset_only};
	imported.text = paradl_import(imported.arena, path, &options, &imported.findings, &imported.error);
	return imported;
}

static struct imported import_text(const char *text, bool dataset_only)
{
	char path[64];
	snprintf(path, sizeof path, "/tmp/paradl-dlio-%ld.yaml", (long)getpid());
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	const struct imported imported = import_file(path, dataset_only);
	unlink(path);
	return imported;
}

static const struct json *tree(const struct imported *imported)
{
	struct paradl_error error = {0};
	assert_non_null(imported->text);
	const struct json *const root =
		json_parse(imported->arena, imported->text, strlen(imported->text), "imported", &error);
	assert_non_null(root);
	return root;
}

static const struct paradl_model *model_of(const struct imported *imported)
{
	struct paradl_error error = {0};
	const struct paradl_model *const model = model_build(imported->arena, tree(imported), NULL, &error);
	if (!model)
		fail_msg("%s", error.message);
	return model;
}

static void wants_what_the_benchmark_says(void **state)
{
	static const struct {
		const char *name;
		double batch, compute_s, mib_per_s; /* as published */
	} cases[] = {
		{"unet3d_a100", 7, 0.636, 1539},
		{"unet3d_h100", 7, 0.323, 3030},
		{"unet3d_b200", 7, 0.162, 6041},
		{"resnet50_a100", 400, 0.435, 100.6},
		{"resnet50_h100", 400, 0.224, 195.3},
		{"cosmoflow_a100", 1, 0.00551, 489.6},
		{"cosmoflow_h100", 1, 0.0035, 770.7},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char path[80], figure[24];
		snprintf(path, sizeof path, "tests/data/dlio/%s.yaml", cases[i].name);
		const struct imported imported = import_file(path, false);
		const struct paradl_model *const model = model_of(&imported);
		const struct layer *const layer = &model->layers[0];
		const double step_s = model->batch_per_gpu * (layer->forward_s + layer->backward_s);
		const double demand = model->batch_per_gpu * model->dataset.sample_bytes / step_s;
		assert_close(model->batch_per_gpu, cases[i].batch, 0);
		assert_close(step_s, cases[i].compute_s, 1e-12);
		if (fabs(demand / 1048576 / cases[i].mib_per_s - 1) > 1e-3)
			fail_msg("%s: %g MiB/s, not %g", cases[i].name, demand / 1048576, cases[i].mib_per_s);
		snprintf(figure, sizeof figure, "reads %.4g MiB/s", demand / 1048576);
		assert_non_null(imported.findings.note);
		assert_non_null(strstr(imported.findings.note, figure));
		paradl_arena_free(imported.arena);
	}
}

static void keeps_what_a_data_set_is(void **state)
{
	(void)state;
	const struct imported volumes = import_file("tests/data/dlio/unet3d_h100.yaml", false);
	const struct dataset *dataset = &model_of(&volumes)->dataset;
	assert_close(dataset->samples, 168, 0);
	assert_close(dataset->files, 168, 0);
	assert_close(dataset->sample_bytes, 146600628, 0);
	assert_close(dataset->decoded_bytes, 2097152, 0);
	assert_int_equal(dataset->layout, LAYOUT_FILES);
	assert_int_equal(volumes.findings.count, 1); /* sizes differ */
	paradl_arena_free(volumes.arena);

	const struct imported images = import_file("tests/data/dlio/resnet50_a100.yaml", false);
	dataset = &model_of(&images)->dataset;
	assert_close(dataset->samples, 1024 * 1251, 0);
	assert_close(dataset->files, 1024, 0);
	assert_int_equal(dataset->layout, LAYOUT_SHARDS);
	assert_int_equal(images.findings.count, 0);
	paradl_arena_free(images.arena);
}

/* A data set alone has the same keys as the one in the model. */
static void gives_a_data_set_alone(void **state)
{
	(void)state;
	const struct imported alone = import_file("tests/data/dlio/resnet50_a100.yaml", true);
	const struct imported whole = import_file("tests/data/dlio/resnet50_a100.yaml", false);
	const struct json *const dataset = json_member(tree(&whole), "dataset"), *const root = tree(&alone);
	assert_string_equal(json_member(root, "format")->string, "paradl-dataset");
	assert_string_equal(alone.findings.format, "paradl-dataset");
	for (const struct json *key = dataset->child; key; key = key->next) {
		const struct json *const same = json_member(root, key->key);
		assert_non_null(same);
		assert_true(same->kind == key->kind);
		if (key->kind == JSON_STRING)
			assert_string_equal(same->string, key->string);
	}
	paradl_arena_free(alone.arena);
	paradl_arena_free(whole.arena);
}

#define SMALL "dataset:\n  num_files_train: 10\n  record_length: 1000\n"
#define TRAIN "train: {computation_time: 0.5}\n"

static void reads_other_spellings(void **state)
{
	static const struct {
		const char *text;
		double samples, bytes, step_s, preparation_s;
		int layout, encoding;
	} cases[] = {
		{SMALL TRAIN, 10, 1000, 0.5, 0, LAYOUT_FILES, ENCODING_NONE},
		{"workload:\n  dataset: {num_files_train: 4, num_samples_per_file: 8, format: hdf5, "
		 "record_length_bytes: 2.5e3}\n  train: {computation_time: {mean: 0.25, stdev: 0.1}}\n",
			32, 2500, 0.25, 0, LAYOUT_HDF5, ENCODING_NONE},
		{SMALL "  num_samples_per_file: 3\n  compression: gzip\nreader: {preprocess_time: "
		       "1.0e-3}\n" TRAIN,
			30, 1000, 0.5, 1e-3, LAYOUT_SHARDS, ENCODING_GZIP},
		{SMALL "  format: jpeg\n" TRAIN, 10, 1000, 0.5, 0, LAYOUT_FILES, ENCODING_JPEG},
		{SMALL "  record_length_bytes: ~\n" TRAIN, 10, 1000, 0.5, 0, LAYOUT_FILES, ENCODING_NONE},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct imported imported = import_text(cases[i].text, false);
		if (!imported.text)
			fail_msg("%zu: %s", i, imported.error.message);
		const struct paradl_model *const model = model_of(&imported);
		assert_close(model->dataset.samples, cases[i].samples, 0);
		assert_close(model->dataset.sample_bytes, cases[i].bytes, 0);
		assert_close(model->dataset.preparation_s, cases[i].preparation_s, 0);
		assert_close(
			model->layers[0].forward_s + model->layers[0].backward_s, cases[i].step_s, 1e-15);
		assert_int_equal(model->dataset.layout, cases[i].layout);
		assert_int_equal(model->dataset.encoding, cases[i].encoding);
		paradl_arena_free(imported.arena);
	}
}

static void refuses_with_the_place(void **state)
{
	static const struct {
		const char *text;
		int line, column;
		const char *message;
	} cases[] = {
		{"dataset: [1, 2\n", 2, 1, "is not YAML"},
		{"model:\n  name: x\n", 1, 1, "no workload of DLIO"},
		{"dataset:\n  record_length: 10\n", 2, 3, "no num_files_train"},
		{"dataset:\n  num_files_train: 10\n", 2, 3, "no record_length_bytes"},
		{"dataset:\n  num_files_train: many\n", 2, 20, "must be"},
		{"dataset:\n  num_files_train: 1.5\n", 2, 20, "whole number"},
		{"dataset:\n  num_files_train: -3\n", 2, 20, "must be"},
		{SMALL "dataset:\n", 4, 1, "there twice"},
		{SMALL "  a: &x 1\n  b: *x\n", 5, 6, "aliases"},
		{SMALL "  a: !!int 1\n", 4, 6, "tags"},
		{SMALL "---\n" SMALL, 4, 1, "more than one document"},
		{SMALL "? [a]\n: 1\n", 4, 3, "a key is text"},
		{"workload:\n", 1, 1, "no workload"},
		{SMALL "reader: 3\n", 4, 9, "section"},
		{SMALL, 0, 0, "no computation_time"},
		{SMALL "train: {computation_time: 0}\n", 0, 0, "no computation_time"},
		{SMALL "  format: synthetic\n" TRAIN, 4, 11, "synthetic"},
		{"# nothing\n", 2, 1, "nothing in it"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct imported imported = import_text(cases[i].text, false);
		if (imported.text || !strstr(imported.error.message, cases[i].message) ||
			imported.error.line != cases[i].line || imported.error.column != cases[i].column)
			fail_msg("%s\n%d:%d: %s", cases[i].text, imported.error.line, imported.error.column,
				imported.error.message);
		paradl_arena_free(imported.arena);
	}
}

static void tells_what_it_leaves_out(void **state)
{
	(void)state;
	const struct imported imported = import_text(
		SMALL "  record_lenght: 3\n" TRAIN "checkpoint: {checkpoint_after_epoch: 2}\n", false);
	assert_non_null(imported.text);
	assert_int_equal(imported.findings.count, 2);
	assert_non_null(strstr(imported.findings.warnings[0], "/dataset/record_lenght"));
	assert_non_null(strstr(imported.findings.warnings[1], "checkpoints"));
	paradl_arena_free(imported.arena);
}

/* Too deep and too long ends early, whatever the reader below would do. */
static void limits_what_it_reads(void **state)
{
	struct paradl_error error = {0};
	char deep[4 * JSON_DEPTH + 1];
	struct paradl_arena *const arena = paradl_arena_create();
	char *const many = malloc(4 * YAML_VALUES_MAX + 4);
	(void)state;
	assert_non_null(many);
	memset(deep, '[', 2 * JSON_DEPTH);
	memset(deep + 2 * JSON_DEPTH, ']', 2 * JSON_DEPTH);
	assert_null(yaml_parse(arena, deep, 4 * JSON_DEPTH, "deep", &error));
	assert_non_null(strstr(error.message, "nested too deep"));
	for (size_t i = 0; i <= YAML_VALUES_MAX; i++)
		memcpy(many + 4 * i, "- a\n", 4);
	assert_non_null(yaml_parse(arena, many, 4 * YAML_VALUES_MAX, "many", &error));
	assert_null(yaml_parse(arena, many, 4 * YAML_VALUES_MAX + 4, "many", &error));
	assert_non_null(strstr(error.message, "more values"));
	assert_null(yaml_parse(arena, many, YAML_SIZE_LIMIT + 1, "many", &error));
	assert_non_null(strstr(error.message, "larger than"));
	free(many);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wants_what_the_benchmark_says),
		cmocka_unit_test(keeps_what_a_data_set_is),
		cmocka_unit_test(gives_a_data_set_alone),
		cmocka_unit_test(reads_other_spellings),
		cmocka_unit_test(refuses_with_the_place),
		cmocka_unit_test(tells_what_it_leaves_out),
		cmocka_unit_test(limits_what_it_reads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
