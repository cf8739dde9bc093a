/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every kind of document from a file and from memory: the same numbers, the same changes, errors that name the source. */
#include "paradl/network.h"
#include "paradl/study.h"
#include "test.h"

static const char *const directories[] = {".", NULL};

struct fixture {
	struct paradl_arena *arena;
	struct paradl_error error;
};

static int setup(void **state)
{
	struct fixture *const fixture = calloc(1, sizeof *fixture);
	*state = fixture;
	return fixture && (fixture->arena = paradl_arena_create()) ? 0 : -1;
}

static int teardown(void **state)
{
	struct fixture *const fixture = *state;
	paradl_arena_free(fixture->arena);
	free(fixture);
	return 0;
}

/* ---- one function for each kind: a number of what is loaded, or negative ---- */

static const struct paradl_model *cosmoflow(struct fixture *fixture)
{
	return paradl_model_load(fixture->arena, &(struct paradl_source){.path = "models/cosmoflow-512.json"},
		&fixture->error);
}

static double model_load(struct fixture *fixture, const struct paradl_source *source)
{
	const struct paradl_model *const model = paradl_model_load(fixture->arena, source, &fixture->error);
	return model ? paradl_model_info(model).batch_per_gpu : -1;
}

static double machine_load(struct fixture *fixture, const struct paradl_source *source)
{
	const struct paradl_machine *const machine =
		paradl_machine_load(fixture->arena, source, &fixture->error);
	return machine ? paradl_machine_info(machine).memory_bytes : -1;
}

static double framework_load(struct fixture *fixture, const struct paradl_source *source)
{
	const struct paradl_framework *const framework =
		paradl_framework_load(fixture->arena, source, &fixture->error);
	return framework ? 1 + paradl_framework_info(framework).known_error : -1;
}

static double dataset_load(struct fixture *fixture, const struct paradl_source *source)
{
	struct paradl_dataset_info info;
	return paradl_dataset_load(fixture->arena, source, &info, &fixture->error) ? info.samples : -1;
}

static double other_dataset_load(struct fixture *fixture, const struct paradl_source *source)
{
	const struct paradl_model *const model = cosmoflow(fixture);
	const struct paradl_model *const other =
		model ? paradl_model_with_dataset(fixture->arena, model, source, &fixture->error) : NULL;
	return other ? paradl_model_info(other).samples : -1;
}

static double layered_load(struct fixture *fixture, const struct paradl_source *source)
{
	const struct paradl_model *const model = cosmoflow(fixture);
	struct paradl_layered layered;
	return model && paradl_layered_load(fixture->arena, model, source, &layered, &fixture->error)
		       ? (double)layered.part_count
		       : -1;
}

static double timings_load(struct fixture *fixture, const struct paradl_source *source)
{
	struct paradl_timings timings;
	return paradl_timings_load(fixture->arena, source, PARADL_ALLREDUCE, 8, &timings, &fixture->error)
		       ? timings.items[timings.count - 1].time_s
		       : -1;
}

static double clients_load(struct fixture *fixture, const struct paradl_source *source)
{
	static const struct paradl_client_group usual = {.name = ""};
	struct paradl_clients clients;
	return paradl_clients_load(fixture->arena, source, &usual, &clients, &fixture->error)
		       ? clients.groups[0].count
		       : -1;
}

static double measurement_load(struct fixture *fixture, const struct paradl_source *source)
{
	const struct paradl_options options = {.input = &(struct paradl_input_options){.off = true}};
	const struct paradl_model *const model = paradl_model_load(fixture->arena,
		&(struct paradl_source){.path = "models/vgg16-chainer.json"}, &fixture->error);
	const struct paradl_machine *const machine = paradl_machine_load(
		fixture->arena, &(struct paradl_source){.path = "hw-profiles/abci.json"}, &fixture->error);
	struct paradl_plan plan;
	struct paradl_measurement measurement;
	struct paradl_oracle *oracle;
	assert_true(model && machine && paradl_plan_parse("data=4,filter=4", &plan, &fixture->error));
	plan.batch = 128;
	oracle = paradl_oracle_create(fixture->arena, model, machine, NULL, &options, &fixture->error);
	assert_non_null(oracle);
	return paradl_measurement_load(
		       fixture->arena, source, 1, oracle, &plan, &measurement, &fixture->error)
		       ? measurement.times[0].seconds
		       : -1;
}

static const struct kind {
	const char *path, *name; /* name: where names are looked up */
	double (*load)(struct fixture *fixture, const struct paradl_source *source);
	const char *change; /* of the number that is looked at; NULL: nothing can be changed */
	double changed;
	const char *unmet; /* a change that meets nothing there */
} kinds[] = {
	{"models/resnet50.json", "resnet50", model_load, "model.training.batch_per_gpu=7", 7,
		"model.no.such=x2"},
	{"hw-profiles/abci.json", "abci", machine_load, "device.memory=1 GB", 1e9, "hw.no.such=x2"},
	{"hw-profiles/frameworks/nccl.json", "nccl", framework_load, "framework.known_error=0.5", 1.5,
		"framework.no.such=x2"},
	{"datasets/imagenet-1k.json", "imagenet-1k", dataset_load, NULL, 0, NULL},
	{"datasets/cosmoflow-128.json", "cosmoflow-128", other_dataset_load, NULL, 0, NULL},
	{"examples/plan-cosmoflow.json", NULL, layered_load, NULL, 0, NULL},
	{"tests/data/logs/abci-v-allreduce.nccl-tests.txt", NULL, timings_load, NULL, 0, NULL},
	{"examples/clients.json", NULL, clients_load, NULL, 0, NULL},
	{"tests/data/measured/abci.csv", NULL, measurement_load, NULL, 0, NULL},
};

enum { KINDS = sizeof kinds / sizeof kinds[0], TEXT_BYTES = 1 << 16 };

/* The file of a kind as a text under another path. */
static struct paradl_source in_memory(const struct kind *kind, char text[TEXT_BYTES])
{
	FILE *const file = fopen(kind->path, "rb");
	assert_non_null(file);
	const size_t length = fread(text, 1, TEXT_BYTES, file);
	assert_true(length > 0 && length < TEXT_BYTES);
	assert_int_equal(fclose(file), 0);
	return (struct paradl_source){
		.path = "nowhere/a text", .text = text, .length = length, .directories = directories};
}

static void texts_are_files(void **state)
{
	struct fixture *const fixture = *state;
	static char text[TEXT_BYTES];
	for (size_t i = 0; i < KINDS; i++) {
		const struct kind *const kind = &kinds[i];
		const struct paradl_source source = in_memory(kind, text);
		const double of_file = kind->load(fixture, &(struct paradl_source){.path = kind->path});
		if (!(of_file > 0))
			fail_msg("%s: %s", kind->path, fixture->error.message);
		assert_close(kind->load(fixture, &source), of_file, 0);
		if (kind->name)
			assert_close(kind->load(fixture, &(struct paradl_source){.path = kind->name,
								 .directories = directories}),
				of_file, 0);
		/* Given once, it is there. */
		assert_close(kind->load(fixture, &(struct paradl_source){.path = source.path,
							 .directories = directories}),
			of_file, 0);
	}
}

static void changes_apply_to_both(void **state)
{
	struct fixture *const fixture = *state;
	static char text[TEXT_BYTES];
	for (size_t i = 0; i < KINDS && kinds[i].change; i++) {
		const struct kind *const kind = &kinds[i];
		struct paradl_source sources[] = {{.path = kind->path}, in_memory(kind, text)};
		for (size_t j = 0; j < 2; j++) {
			sources[j].changes =
				paradl_changes_parse(fixture->arena, &kind->change, 1, &fixture->error);
			assert_close(kind->load(fixture, &sources[j]), kind->changed, 0);
			sources[j].changes =
				paradl_changes_parse(fixture->arena, &kind->unmet, 1, &fixture->error);
			assert_non_null(sources[j].changes);
			assert_true(kind->load(fixture, &sources[j]) < 0);
			assert_int_equal(fixture->error.status, PARADL_USAGE);
			assert_non_null(strstr(fixture->error.message, "no"));
		}
	}
}

static void errors_name_the_source(void **state)
{
	struct fixture *const fixture = *state;
	const struct paradl_source missing = {.path = "nowhere/missing.json"},
				   broken = {.path = "mine.json", .text = "{\n 1", .length = 4},
				   empty = {.path = "empty.json", .text = "", .length = 0},
				   nameless = {.text = "{}", .length = 2}, nothing = {.path = NULL};
	for (size_t i = 0; i < KINDS; i++) {
		assert_true(kinds[i].load(fixture, &missing) < 0);
		assert_int_equal(fixture->error.status, PARADL_IO);
		assert_string_equal(fixture->error.path, missing.path);
		assert_true(kinds[i].load(fixture, &broken) < 0);
		assert_int_equal(fixture->error.status, PARADL_SYNTAX);
		assert_string_equal(fixture->error.path, broken.path);
		assert_true(kinds[i].load(fixture, &empty) < 0);
		assert_string_equal(fixture->error.path, empty.path);
		assert_true(kinds[i].load(fixture, &nameless) < 0);
		assert_int_equal(fixture->error.status, PARADL_USAGE);
		assert_true(kinds[i].load(fixture, &nothing) < 0);
		assert_int_equal(fixture->error.status, PARADL_USAGE);
		if (!kinds[i].name)
			continue;
		assert_true(kinds[i].load(fixture, &(struct paradl_source){.path = "no-such-name",
							   .directories = directories}) < 0);
		assert_non_null(strstr(fixture->error.message, "no-such-name"));
	}
}

/* What is estimated again with something changed is read again. */
static void studies_read_texts(void **state)
{
	struct fixture *const fixture = *state;
	static char texts[3][TEXT_BYTES];
	static const char *const paths[] = {"a/model", "b/machine", "c/framework"};
	const struct paradl_options options = {.input = &(struct paradl_input_options){.off = true}};
	for (size_t i = 0; i < 3; i++) {
		const struct paradl_source source = in_memory(&kinds[i], texts[i]);
		assert_true(paradl_file_give(fixture->arena, paths[i], source.text, source.length));
	}
	struct paradl_plan plan;
	assert_true(paradl_plan_parse("data=16", &plan, &fixture->error));
	plan.batch = 1024;
	const struct paradl_whatif_request request = {.model = paths[0],
		.machine = paths[1],
		.framework = paths[2],
		.directories = directories,
		.options = &options,
		.plan = &plan};
	struct paradl_tornado tornado;
	if (!paradl_tornado(&request, 0.2, fixture->arena, &tornado, &fixture->error))
		fail_msg("%s", fixture->error.message);
	for (size_t i = 0; i < tornado.moving; i++)
		assert_true(tornado.rows[i].low.runs && tornado.rows[i].high.runs);
	assert_true(tornado.moving > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(texts_are_files, setup, teardown),
		cmocka_unit_test_setup_teardown(changes_apply_to_both, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_name_the_source, setup, teardown),
		cmocka_unit_test_setup_teardown(studies_read_texts, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
