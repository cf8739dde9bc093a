/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shipped networks against published figures, and against the layer tables of the measured programs. */
#include <dirent.h>
#include <time.h>

#include "model/build.h"

#include "base/csv.h"

static const struct paradl_model *load(
	struct paradl_arena *arena, const char *name, unsigned extent, unsigned pieces)
{
	struct paradl_error error = {0};
	char path[128];
	const struct model_variant variant = {
		.extent = {extent, extent}, .padded_pieces = pieces, .padded_kinds = 1};
	snprintf(path, sizeof path, "models/%s.json", name);
	const struct json *const root = json_load(arena, path, &error);
	const struct paradl_model *const model = root ? model_build(arena, root, &variant, &error) : NULL;
	if (!model)
		fail_msg("%s: %s %s", path, error.pointer, error.message);
	return model;
}

struct published {
	const char *name;
	double parameters, forward_macs;
	unsigned tensors;
};

/* Parameters and multiply-adds of one forward pass at 224x224 as torchvision, timm and PyTorch's own counter publish them. */
static const struct published torchvision[] = {
	{"alexnet", 61100840, 714188480, 16},
	{"vgg16", 138357544, 15470264320, 32},
	{"vgg19", 143667240, 19632062464, 38},
	{"resnet50", 25557032, 4089184256, 161},
	{"resnet101", 44549160, 7801405440, 314},
	{"resnet152", 60192808, 11513626624, 467},
	{"densenet121", 7978856, 2834161664, 364},
	{"googlenet", 6624904, 1498376192, 173}, /* without auxiliary classifiers */
	{"mobilenet-v2", 3504872, 300774272, 158},
	{"efficientnet-b0", 5288548, 385814752, 213},
	{"resnet18", 11689512, 1814073344, 62},
	{"resnext101-32x4d", 44177704, 7969996800, 314},
	{"se-resnext101-32x4d", 48955416, 7974739968, 446},
	{"densenet161", 28681000, 7727907072, 484},
	/* and a multiplication for each item that a layer's scale takes, which counters leave out */
	{"convnext-t", 28589128, 4455531264 + 3.0 * 96 * (3136 + 2 * 784 + 3 * 4 * 196 + 8 * 49), 182},
};

static void parameters_and_flop_are_the_published_ones(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof torchvision / sizeof torchvision[0]; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		const struct paradl_model *const model = load(arena, torchvision[i].name, 0, 1);
		const struct paradl_model_info info = paradl_model_info(model);
		assert_close(info.parameters, torchvision[i].parameters, 0);
		assert_close(info.forward_flop_per_sample, 2 * torchvision[i].forward_macs, 0);
		assert_int_equal(model->weight_tensors, torchvision[i].tensors);
		assert_close(info.samples, 1281167, 0);
		assert_close(model->dataset.sample_bytes, 110e3, 0);
		paradl_arena_free(arena);
	}
}

static void check_measured(
	const char *name, unsigned extent, unsigned pieces, double parameters, double gflop, unsigned tensors)
{
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_model *const model = load(arena, name, extent, pieces);
	assert_close(model->weight_items, parameters, 0);
	assert_close(model->forward_flop, gflop * 1e9, 1e-3);
	assert_int_equal(model->weight_tensors, tensors);
	assert_int_equal(model->precision, PARADL_FP32);
	assert_string_equal(model->optimizer, "adam");
	assert_close(model->dataset.samples, 1280000, 0);
	paradl_arena_free(arena);
}

/* Chainer: a bias in conv1 (64 weights more than torchvision's), the stride in the first 1x1: 7.72 GFLOP at 226. */
static void networks_are_as_measured(void **state)
{
	(void)state;
	check_measured("resnet50-chainer", 226, 1, 25557032 + 64, 7.72, 162);
	check_measured("resnet152-chainer", 226, 1, 60192808 + 64, 22.569, 468);
	/* Weights without fc6's matrix at 7x7x512, and what fc6 reads in each case. */
	const double rest = 138357544.0 - 4096.0 * 512 * 7 * 7;
	check_measured("vgg16-chainer", 224, 1, rest + 4096.0 * 512 * 7 * 7, 30.94, 32);
	check_measured("vgg16-chainer", 226, 1, rest + 4096.0 * 512 * 8 * 8, 32.589, 32);
	check_measured("vgg16-chainer", 224, 4, rest + 4096.0 * 512 * 16 * 7, 37.348, 32);
}

static void variants_must_fit_the_input(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	const struct json *const root = json_load(arena, "models/resnet50.json", &error);
	const struct model_variant volume = {.extent = {224, 224, 224}};
	const struct model_variant line = {.extent = {224}};
	const struct model_variant small = {.extent = {8, 8}};
	assert_null(model_build(arena, root, &volume, &error));
	assert_int_equal(error.status, PARADL_USAGE);
	assert_null(model_build(arena, root, &line, &error));
	assert_non_null(model_build(arena, root, &small, &error));
	const struct paradl_model *const other = load(arena, "resnet50", 64, 1);
	assert_string_equal(paradl_model_layer(other, 0).x, "3x64x64");
	assert_string_equal(paradl_model_layer(other, 0).y, "64x32x32");
	assert_close(other->weight_items, 25557032, 0);
	paradl_arena_free(arena);
}

static double cell(const struct csv *csv, size_t row, const char *column)
{
	const char *const text = csv_cell(csv, row, column);
	return text[0] ? strtod(text, NULL) : 1; /* images have no depth */
}

static double product(const struct csv *csv, size_t row, const char *const *columns)
{
	double result = 1;
	for (; *columns; columns++)
		result *= cell(csv, row, *columns);
	return result;
}

static void check_table_row(const struct csv *csv, size_t row, const struct layer *layer)
{
	static const char *const x[] = {"in_C", "in_W", "in_H", "in_D", NULL}, *const y[] = {"out_F", "out_W",
										       "out_H", "out_D",
										       NULL};
	const double filters = cell(csv, row, "out_F");
	const bool has_typo = cell(csv, row, "in_W") > 2000; /* 2128 for 128 in COSMOFLOW.net_256 */
	if (!has_typo)
		assert_close(layer->x_items, product(csv, row, x), 0);
	assert_close(layer->y_items, product(csv, row, y), 0);
	assert_int_equal(layer->y.channels, filters);
	for (unsigned d = 0; d < layer->y.dimensions; d++)
		assert_int_equal(layer->y.extent[d], cell(csv, row, y[d + 1]));
	const double bias = layer->kernel_volume > 0 ? filters : 0; /* the table has none */
	assert_close(layer->weight_items - bias, cell(csv, row, "weight_items"), 0);
}

static void check_table(const char *model_name, unsigned extent, const char *table)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct csv csv;
	char path[128];
	const struct paradl_model *const model = load(arena, model_name, extent, 1);
	snprintf(path, sizeof path, "tests/data/layers/%s.csv", table);
	assert_true(csv_load(arena, path, &csv, &error));
	assert_int_equal(model->order_count, csv.rows + 1); /* and the loss */
	for (size_t row = 0; row < csv.rows; row++)
		check_table_row(&csv, row, &model->layers[model->order[row]]);
	paradl_arena_free(arena);
}

static void shapes_are_those_of_the_layer_tables(void **state)
{
	(void)state;
	check_table("cosmoflow-256", 0, "cosmoflow_256");
	check_table("cosmoflow-512", 0, "cosmoflow_512");
	check_table("vgg16-chainer", 226, "vgg16");
}

/* MLPerf HPC: 8.9 M parameters; a convolution has an eighth of the places and four times the filters of the one before. */
static void cosmoflow_of_mlperf_is_the_closed_form(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_model *const model = load(arena, "cosmoflow-128", 0, 1);
	const double places = 128.0 * 128 * 128, square = 32.0 * 64;
	const double filters = 27 * (4 * 32 + square * (1 + 4 + 16 + 64)),
		     dense = 64 * 512 * 128 + 128 * 64 + 64 * 4;
	assert_close(model->weight_items, filters + 32 + 64 + 128 + 256 + 512 + dense + 128 + 64 + 4, 0);
	assert_close(model->weight_items, 8907556, 0);
	assert_close(model->forward_flop,
		54 * places * (4 * 32 + square * (1.0 / 8 + 1.0 / 16 + 1.0 / 32 + 1.0 / 64)) + 2 * dense, 0);
	assert_close(model->dataset.sample_bytes, 2828486, 0);
	paradl_arena_free(arena);
}

static void vit_has_the_work_that_torchvision_prints(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_model *const model = load(arena, "vit-b16", 0, 1);
	assert_close(model->weight_items, 86567656, 0);
	assert_close(model->forward_flop, 2 * 17.564e9, 1e-3); /* vit_b_16 */
	paradl_arena_free(arena);
}

static void cosmoflow_has_its_samples(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_model *const model = load(arena, "cosmoflow-512", 0, 1);
	assert_close(model->dataset.samples, 1584, 0);
	assert_close(model->dataset.sample_bytes, 4.0 * 512 * 512 * 512 * 4, 0);
	assert_close(model->batch_per_gpu, 1, 0);
	paradl_arena_free(arena);
}

static int check_shipped_file(const char *name)
{
	static const char *const optimizers[] = {"adam", "sgd-momentum", "adamw", "sgd"};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_findings findings = {0};
	char path[300];
	snprintf(path, sizeof path, "models/%s", name);
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!model)
		fail_msg("%s: %s", path, error.message);
	assert_true(model_check(arena, model->source, &findings, &error));
	if (findings.count > 0)
		fail_msg("%s: %s", path, findings.warnings[0]);
	assert_true(model->batch_per_gpu + model->batch >= 1 && model->dataset.samples > 0 &&
		    model->dataset.name);
	assert_true(strcmp(model->optimizer, optimizers[0]) == 0 ||
		    strcmp(model->optimizer, optimizers[1]) == 0 ||
		    strcmp(model->optimizer, optimizers[2]) == 0 ||
		    strcmp(model->optimizer, optimizers[3]) == 0);
	assert_non_null(json_member(model->source, "_source"));
	assert_true(model->layers[model->order[model->order_count - 1]].is_last);
	assert_string_equal(model->path, path);
	paradl_arena_free(arena);
	return 1;
}

static void every_shipped_file_is_complete(void **state)
{
	(void)state;
	int count = 0;
	DIR *const folder = opendir("models");
	assert_non_null(folder);
	for (const struct dirent *entry; (entry = readdir(folder));)
		if (strstr(entry->d_name, ".json"))
			count += check_shipped_file(entry->d_name);
	closedir(folder);
	assert_true(count >= 28);
}

/* Of this process: other ones may keep it waiting. */
static double spent_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The oracle builds variants; the bound is some fifty times what it takes, so that only a wrong order is caught. */
static void building_is_fast(void **state)
{
	(void)state;
	double least = 1e9;
	for (int i = 0; i < 5; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		const struct json *const root = json_load(arena, "models/resnet152.json", &error);
		const double start = spent_s();
		assert_non_null(model_build(arena, root, NULL, &error));
		const double taken = spent_s() - start;
		least = taken < least ? taken : least;
		paradl_arena_free(arena);
	}
	assert_true(least < 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_and_flop_are_the_published_ones),
		cmocka_unit_test(networks_are_as_measured),
		cmocka_unit_test(variants_must_fit_the_input),
		cmocka_unit_test(shapes_are_those_of_the_layer_tables),
		cmocka_unit_test(cosmoflow_has_its_samples),
		cmocka_unit_test(cosmoflow_of_mlperf_is_the_closed_form),
		cmocka_unit_test(vit_has_the_work_that_torchvision_prints),
		cmocka_unit_test(every_shipped_file_is_complete),
		cmocka_unit_test(building_is_fast),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
