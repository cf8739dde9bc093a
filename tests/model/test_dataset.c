/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data sets: what is read, how tokens are cut into samples, what is refused, and every shipped one with every shipped model. */
#include "model/model.h"
#include "test.h"

#include <dirent.h>
#include <unistd.h>

#define HEAD "{ \"format\": \"paradl-dataset\", \"version\": 1"

static bool read_text(const char *text, double sequence, struct dataset *dataset, struct paradl_error *error)
{
	struct paradl_arena *const arena = paradl_arena_create();
	const struct json *const root = json_parse(arena, text, strlen(text), "", error);
	const bool is_read = root && dataset_file_read(root, sequence, dataset, error);
	dataset->name = NULL; /* the arena's */
	dataset->path = NULL;
	paradl_arena_free(arena);
	return is_read;
}

static struct dataset good(const char *text, double sequence)
{
	struct dataset dataset;
	struct paradl_error error = {0};
	if (!read_text(text, sequence, &dataset, &error))
		fail_msg("%s %s", error.pointer, error.message);
	return dataset;
}

static void every_key_is_read(void **state)
{
	(void)state;
	const struct dataset dataset = good(HEAD
		", \"name\": \"scans\", \"samples\": 1000, \"validation_samples\": 50, \"sample_size\": \"4 "
		"MB\", \"files\": 10, "
		"\"decoded_size\": \"16 MiB\", \"preparation\": \"3 ms\", \"classes\": 12, \"layout\": "
		"\"hdf5\", "
		"\"encoding\": \"gzip\" }",
		0);
	assert_close(dataset.samples, 1000, 0);
	assert_close(dataset.validation_samples, 50, 0);
	assert_close(dataset.sample_bytes, 4e6, 0);
	assert_close(dataset.files, 10, 0);
	assert_close(dataset.decoded_bytes, 16777216, 0);
	assert_close(dataset.preparation_s, 3e-3, 1e-15);
	assert_close(dataset.classes, 12, 0);
	assert_int_equal(dataset.layout, LAYOUT_HDF5);
	assert_int_equal(dataset.encoding, ENCODING_GZIP);
}

static void what_is_not_said_is_not_known(void **state)
{
	(void)state;
	const struct dataset dataset = good(HEAD " }", 1024);
	assert_close(dataset.samples, 0, 0);
	assert_close(dataset.sample_bytes, 0, 0);
	assert_close(dataset.decoded_bytes, 0, 0);
	assert_int_equal(dataset.layout, LAYOUT_FILES);
	assert_int_equal(dataset.encoding, ENCODING_NONE);
}

/* 10,000 tokens are 9 sequences of 1024, which leave 784 over; 2 bytes each. */
static void tokens_are_cut_into_sequences(void **state)
{
	(void)state;
	static const char text[] = HEAD ", \"tokens\": 10000, \"token_size\": \"2 B\" }";
	const struct dataset dataset = good(text, 1024);
	assert_close(dataset.samples, 9, 0);
	assert_close(dataset.sample_bytes, 2048, 0);
	assert_int_equal(dataset.encoding, ENCODING_TOKENS);
	assert_close(good(text, 10000).samples, 1, 0);
	assert_close(good(text, 65536).samples, 1, 0); /* shorter than one sample: still one */
}

static void samples_and_their_bytes_are_never_more_than_the_tokens(void **state)
{
	(void)state;
	for (unsigned sequence = 1; sequence < 70000; sequence = 3 * sequence + 1) {
		const struct dataset dataset =
			good(HEAD ", \"tokens\": 1234567, \"token_size\": \"4 B\" }", sequence);
		assert_true(dataset.samples * sequence <= 1234567);
		assert_true((dataset.samples + 1) * sequence > 1234567);
		assert_close(dataset.sample_bytes, 4 * sequence, 1e-12);
	}
}

static void errors_say_where_and_what(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double sequence;
		const char *pointer, *message;
	} cases[] = {
		{"[]", 0, "", "a data set is a JSON object"},
		{"{ \"version\": 1 }", 0, "", "needs a \"format\": \"paradl-dataset\""},
		{HEAD ", \"sample\": 3 }", 0, "/sample", "did you mean \"samples\""},
		{HEAD ", \"samples\": 0 }", 0, "/samples", "1"},
		{HEAD ", \"sample_size\": 110000 }", 0, "/sample_size", "unit"},
		{HEAD ", \"layout\": \"tar\" }", 0, "/layout", "shards"},
		{HEAD ", \"encoding\": \"jpg\" }", 0, "/encoding", "jpeg"},
		{HEAD ", \"preparation\": \"3 MB\" }", 0, "/preparation", "MB"},
		{HEAD ", \"tokens\": 10 }", 0, "/tokens", "only a model whose input is tokens"},
		{HEAD ", \"token_size\": \"2 B\" }", 0, "/token_size", "only a model whose input is tokens"},
		{HEAD ", \"tokens\": 10, \"samples\": 5 }", 4, "", "or in samples"},
		{HEAD ", \"token_size\": \"2 B\", \"sample_size\": \"5 B\" }", 4, "", "or in samples"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct dataset dataset;
		struct paradl_error error = {0};
		assert_false(read_text(cases[i].text, cases[i].sequence, &dataset, &error));
		assert_int_equal(error.status, PARADL_SCHEMA);
		assert_string_equal(error.pointer, cases[i].pointer);
		if (!strstr(error.message, cases[i].message))
			fail_msg("%s: %s", cases[i].text, error.message);
	}
}

/* Calls visit for each file of a folder. */
static unsigned each_file(const char *folder, const char *with, void (*visit)(const char *, const char *))
{
	DIR *const directory = opendir(folder);
	const struct dirent *entry;
	unsigned count = 0;
	assert_non_null(directory);
	while ((entry = readdir(directory))) { /* NOLINT(concurrency-mt-unsafe): the stream is ours */
		char path[512];
		if (!strstr(entry->d_name, ".json"))
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		visit(path, with);
		++count;
	}
	closedir(directory);
	return count;
}

/* Tokens go with networks of tokens, images and volumes with the others; nothing but the data set changes. */
static void trains(const char *model_path, const char *path)
{
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_dataset_info info;
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = model_path}, &error);
	assert_non_null(model);
	assert_true(paradl_dataset_load(arena, &(struct paradl_source){.path = path}, &info, &error));
	const bool padded = info.token_bytes > 0 && !(info.tokens > 0); /* to the network's length */
	assert_int_equal(info.bytes > 0, !padded);
	const bool of_images = strcmp(info.encoding, "jpeg") == 0;
	const bool suits = model->input.tokens ? !of_images : !(info.token_bytes > 0);
	const struct paradl_model *const other =
		paradl_model_with_dataset(arena, model, &(struct paradl_source){.path = path}, &error);
	assert_int_equal(other != NULL, suits);
	if (!other) {
		assert_int_equal(error.status, PARADL_SCHEMA);
	} else {
		assert_string_equal(other->dataset.path, path);
		assert_ptr_equal(other->layers, model->layers);
		const double sequence = model->input.tokens ? model->input.extent[0] : 1;
		const double samples = info.tokens > 0 ? floor(info.tokens / sequence) : info.samples;
		assert_close(paradl_model_info(other).samples, samples, 0);
		const double bytes = padded ? info.samples * info.token_bytes * sequence : info.bytes;
		assert_close(other->dataset.samples * other->dataset.sample_bytes, bytes, 1e-5);
	}
	paradl_arena_free(arena);
}

static void with_every_model(const char *path, const char *with)
{
	(void)with;
	assert_true(each_file("models", path, trains) > 20);
}

static void shipped_ones_go_with_the_models_they_suit(void **state)
{
	(void)state;
	assert_true(each_file("datasets", NULL, with_every_model) >= 9);
}

/* Records and compute times of MLPerf Storage v1.0: demand = batch record / time, MiB/s; its rows are of H100. */
static void records_are_those_of_the_published_demand(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		double batch, compute_s, demand;
	} rows[] = {
		{"datasets/kits19.json", 7, 0.323, 3030},
		{"datasets/cosmoflow-128.json", 1, 0.0035, 770.7},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
		struct paradl_error error = {0};
		struct paradl_dataset_info info;
		assert_true(paradl_dataset_load(
			arena, &(struct paradl_source){.path = rows[i].path}, &info, &error));
		assert_close(info.sample_bytes * rows[i].batch / rows[i].compute_s / 1048576, rows[i].demand,
			1e-3);
	}
	paradl_arena_free(arena);
}

/* Decoded sizes by hand; pictures fit whatever takes one to four colours in two dimensions, and nothing else. */
static void sizes_and_colours_are_compared(void **state)
{
	(void)state;
	static const struct {
		unsigned channels, dimensions, extent[3];
		double decoded;
		int encoding;
		bool fits;
	} cases[] = {
		{3, 2, {224, 224, 1}, 602112, ENCODING_NONE, true},
		{3, 2, {224, 224, 1}, 150528, ENCODING_NONE, true}, /* a byte for each colour */
		{3, 2, {224, 224, 1}, 150527, ENCODING_NONE, false},
		{3, 2, {224, 224, 1}, 0, ENCODING_NONE, true},          /* not known */
		{3, 2, {224, 224, 1}, 60162048, ENCODING_NONE, false},  /* DeepCAM's */
		{16, 2, {768, 1152, 1}, 60162048, ENCODING_NONE, true}, /* with its labels */
		{1, 3, {128, 128, 128}, 10485760, ENCODING_NONE, true},
		{4, 3, {128, 128, 128}, 33554432, ENCODING_GZIP, true},
		{4, 3, {512, 512, 512}, 33554432, ENCODING_GZIP, false},
		{3, 2, {600, 600, 1}, 602112, ENCODING_JPEG, true}, /* cut as wanted */
		{1, 2, {28, 28, 1}, 0, ENCODING_PNG, true},
		{16, 2, {768, 1152, 1}, 602112, ENCODING_JPEG, false},
		{3, 3, {128, 128, 128}, 602112, ENCODING_JPEG, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		char text[192] = "";
		const struct paradl_model model = {
			.input = {.channels = cases[i].channels,
				.dimensions = cases[i].dimensions,
				.extent = {cases[i].extent[0], cases[i].extent[1], cases[i].extent[2]}},
			.dataset = {.decoded_bytes = cases[i].decoded, .encoding = cases[i].encoding}};
		const bool fits = paradl_dataset_fits(&model, text, sizeof text);
		if (fits != cases[i].fits || fits == (*text != '\0'))
			fail_msg("case %zu: %s", i, text);
	}
}

/* Each shipped model fits the data set that it names. */
static void fits_its_own(const char *path, const char *with)
{
	char text[192];
	struct paradl_error error = {0};
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = path}, &error);
	(void)with;
	if (!model)
		fail_msg("%s: %s", path, error.message);
	if (!paradl_dataset_fits(model, text, sizeof text) ||
		!paradl_dataset_classes_fit(model, text, sizeof text))
		fail_msg("%s: %s", path, text);
	paradl_arena_free(arena);
}

static void shipped_models_fit_their_own(void **state)
{
	(void)state;
	assert_true(each_file("models", NULL, fits_its_own) > 20);
}

static void a_file_that_is_not_there(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	struct paradl_dataset_info info;
	assert_false(paradl_dataset_load(
		arena, &(struct paradl_source){.path = "/nowhere/data.json"}, &info, &error));
	assert_int_equal(error.status, PARADL_IO);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_read),
		cmocka_unit_test(what_is_not_said_is_not_known),
		cmocka_unit_test(tokens_are_cut_into_sequences),
		cmocka_unit_test(samples_and_their_bytes_are_never_more_than_the_tokens),
		cmocka_unit_test(errors_say_where_and_what),
		cmocka_unit_test(shipped_ones_go_with_the_models_they_suit),
		cmocka_unit_test(records_are_those_of_the_published_demand),
		cmocka_unit_test(sizes_and_colours_are_compared),
		cmocka_unit_test(shipped_models_fit_their_own),
		cmocka_unit_test(a_file_that_is_not_there),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
