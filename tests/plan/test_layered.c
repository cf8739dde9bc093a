/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of parts as files: what is read, that a plan written is that plan again, and what is refused and where. */
#include <unistd.h>

#include "test.h"

#include "base/error.h"
#include "model/build.h"
#include "oracle/random.h"
#include "plan/plan_text.h"

enum { TEXT_SIZE = 4096 };

/* A file in a folder of its own. */
struct folder {
	char path[40], file[60];
	struct paradl_arena *arena;
	struct built built; /* layers: stem, res/0/a, res/0/b, res/1/a, res/1/b, pool, fc */
};

static int make_folder(void **state)
{
	static struct folder folder;
	snprintf(folder.path, sizeof folder.path, "/tmp/paradl-plan-XXXXXX");
	if (!mkdtemp(folder.path))
		return -1;
	snprintf(folder.file, sizeof folder.file, "%s/plan.json", folder.path);
	folder.arena = paradl_arena_create();
	folder.built = build_at("4", "[16, 16]",
		"{ \"name\": \"stem\", \"type\": \"conv\", \"out\": 8, \"kernel\": 3, \"pad\": 1 },"
		"{ \"name\": \"res\", \"repeat\": 2, \"layers\": ["
		"{ \"name\": \"a\", \"type\": \"conv\", \"out\": 8, \"kernel\": 3, \"pad\": 1 },"
		"{ \"name\": \"b\", \"type\": \"act\", \"kind\": \"relu\" } ] },"
		"{ \"name\": \"pool\", \"type\": \"pool\", \"kind\": \"avg\", \"global\": true },"
		"{ \"name\": \"fc\", \"type\": \"linear\", \"out\": 10 }");
	*state = &folder;
	return folder.arena ? 0 : -1;
}

static int remove_folder(void **state)
{
	struct folder *const folder = *state;
	unlink(folder->file);
	rmdir(folder->path);
	paradl_arena_free(folder->arena);
	paradl_arena_free(folder->built.arena);
	return 0;
}

static void put(const struct folder *folder, const char *text)
{
	FILE *const file = fopen(folder->file, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

/* A file for the network "test" on 8 GPUs; more: further keys, each with a comma behind it. */
static const char *file_of(char text[TEXT_SIZE], const char *more, const char *parts)
{
	snprintf(text, TEXT_SIZE,
		"{ \"format\": \"paradl-plan\", \"version\": 1, \"model\": \"test\", \"gpus\": 8, \"batch\": "
		"64, %s\"parts\": [ %s ] }",
		more, parts);
	return text;
}

static bool load(const struct folder *folder, const char *more, const char *parts,
	struct paradl_layered *layered, struct paradl_error *error)
{
	char text[TEXT_SIZE];
	put(folder, file_of(text, more, parts));
	return paradl_layered_load(folder->arena, folder->built.model,
		&(struct paradl_source){.path = folder->file}, layered, error);
}

static void assert_part(const struct paradl_layered_part *part, unsigned first, unsigned end, unsigned stage,
	const char *plan)
{
	char text[PARADL_PLAN_TEXT];
	paradl_plan_format(&part->plan, text, sizeof text);
	assert_int_equal(part->first, first);
	assert_int_equal(part->end, end);
	assert_int_equal(part->stage, stage);
	assert_string_equal(text, plan);
}

static void reads_parts_by_names_of_layers(void **state)
{
	const struct folder *const folder = *state;
	struct paradl_error error = {0};
	struct paradl_layered layered;
	assert_true(load(folder, "",
		"{ \"from\": \"stem\", \"to\": \"res/0/b\", \"plan\": \"data=2,spatial=2x2\" },"
		"{ \"from\": \"res/1/a\", \"to\": \"res/1/a\", \"plan\": \"dp=8,zero=1\" },"
		"{ \"from\": \"res/1/b\", \"to\": \"fc\", \"plan\": \"filter=4,data=2\" }",
		&layered, &error));
	assert_int_equal(layered.devices, 8);
	assert_int_equal(layered.stages, 1);
	assert_close(layered.batch, 64, 0);
	assert_close(layered.micro_batches, 0, 0);
	assert_int_equal(layered.schedule, PARADL_SCHEDULE_DEFAULT);
	assert_int_equal(layered.part_count, 3);
	assert_part(&layered.parts[0], 0, 3, 1, "data=2,spatial=2x2");
	assert_part(&layered.parts[1], 3, 4, 1, "data=8,zero=1");
	assert_part(&layered.parts[2], 4, 7, 1, "filter=4,data=2");
	assert_close(layered.parts[1].plan.batch, 64, 0);
}

static void reads_stages(void **state)
{
	const struct folder *const folder = *state;
	struct paradl_error error = {0};
	struct paradl_layered layered;
	assert_true(load(folder, "\"stages\": 2, \"micro_batches\": 16, \"schedule\": \"zero-bubble\", ",
		"{ \"from\": \"stem\", \"to\": \"stem\", \"stage\": 1, \"plan\": \"spatial=2x2\" },"
		"{ \"from\": \"res/0/a\", \"to\": \"res/0/b\", \"plan\": \"data=4\" },"
		"{ \"from\": \"res/1/a\", \"to\": \"fc\", \"stage\": 2, \"plan\": \"data=4\" }",
		&layered, &error));
	assert_int_equal(layered.stages, 2);
	assert_close(layered.micro_batches, 16, 0);
	assert_int_equal(layered.schedule, PARADL_ZERO_BUBBLE);
	assert_part(&layered.parts[1], 1, 3, 1, "data=4");
	assert_part(&layered.parts[2], 3, 7, 2, "data=4");
}

/* A plan with a random cut of the layers into parts, and random ones of these plans for them. */
static void draw(struct random *random, struct paradl_layered *layered, struct paradl_layered_part parts[7])
{
	static const char *const plans[] = {"data=4", "data=2,spatial=1x2,zero=3", "filter=4,recompute=full",
		"spatial=2,channel=2", "tensor=4,sequence=on"};
	struct paradl_error error = {0};
	*layered = (struct paradl_layered){.devices = 8, .parts = parts};
	layered->stages = random_between(random, 1, 2);
	layered->batch = random_between(random, 1, 1000);
	layered->micro_batches = random_between(random, 0, 2);
	layered->schedule = random_true(random) ? PARADL_1F1B : PARADL_SCHEDULE_DEFAULT;
	const unsigned second = random_between(random, 1, 6); /* where the second stage begins */
	for (unsigned first = 0; first < 7;) {
		struct paradl_layered_part *const part = &parts[layered->part_count++];
		const bool is_second = layered->stages == 2 && first >= second;
		const unsigned most = layered->stages == 2 && !is_second ? second : 7;
		*part = (struct paradl_layered_part){.first = first, .stage = is_second ? 2 : 1};
		part->end = random_between(random, first + 1, most);
		assert_true(paradl_plan_parse(plans[random_between(random, 0, 4)], &part->plan, &error));
		part->plan.batch = layered->batch;
		if (layered->stages == 1)
			part->plan.degree[PARADL_DATA] *= 2;
		first = part->end;
	}
}

static void a_plan_written_is_that_plan_again(void **state)
{
	const struct folder *const folder = *state;
	struct random random = {20260115};
	for (unsigned repetition = 0; repetition < 200; repetition++) {
		struct paradl_layered_part parts[7];
		struct paradl_layered written, read;
		struct paradl_error error = {0};
		draw(&random, &written, parts);
		assert_true(paradl_layered_write(folder->built.model, &written, folder->file, &error));
		if (!paradl_layered_load(folder->arena, folder->built.model,
			    &(struct paradl_source){.path = folder->file}, &read, &error))
			fail_msg("%s: %s", error.pointer, error.message);
		assert_int_equal(read.stages, written.stages);
		assert_close(read.batch, written.batch, 0);
		assert_close(read.micro_batches, written.micro_batches, 0);
		assert_int_equal(read.schedule, written.schedule);
		assert_int_equal(read.part_count, written.part_count);
		for (size_t i = 0; i < read.part_count; i++) {
			char plan[PARADL_PLAN_TEXT];
			paradl_plan_format(&parts[i].plan, plan, sizeof plan);
			assert_part(&read.parts[i], parts[i].first, parts[i].end, parts[i].stage, plan);
		}
	}
}

static bool is_written(const struct folder *folder, unsigned second, unsigned end)
{
	const struct paradl_layered_part parts[] = {
		{.first = 0, .end = 3, .stage = 1}, {.first = second, .end = end, .stage = 1}};
	const struct paradl_layered layered = {
		.devices = 8, .stages = 1, .batch = 64, .parts = parts, .part_count = 2};
	struct paradl_error error = {0};
	const bool done = paradl_layered_write(folder->built.model, &layered, folder->file, &error);
	assert_int_equal(error.status, done ? PARADL_OK : PARADL_USAGE);
	return done;
}

static void what_does_not_cover_the_network_is_not_written(void **state)
{
	const struct folder *const folder = *state;
	put(folder, "before");
	assert_false(is_written(folder, 4, 7));
	assert_false(is_written(folder, 3, 8));
	assert_false(is_written(folder, 3, 6));
	assert_int_equal(access(folder->file, F_OK), 0);
	assert_true(is_written(folder, 3, 7));
}

#define ALL "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"data=8\" }"

/* Each is refused at `pointer` with these words in message and hint. */
static const struct refused {
	const char *more, *parts, *pointer, *message, *hint;
} refusals[] = {
	/* clang-format off */
	{"", "{ \"from\": \"stem\", \"to\": \"pool\", \"plan\": \"data=8\" }", "/parts", "no part has the 1 layer from \"fc\"", "\"to\": \"fc\""},
	{"", "{ \"from\": \"res/0/a\", \"to\": \"fc\", \"plan\": \"data=8\" }", "/parts/0/from", "gap: no part has the 1 layer from \"stem\" to \"stem\"", "\"from\": \"stem\""},
	{"", "{ \"from\": \"stem\", \"to\": \"stem\", \"plan\": \"data=8\" }, { \"from\": \"res/1/b\", \"to\": \"fc\", \"plan\": \"data=8\" }", "/parts/1/from", "the 3 layers from \"res/0/a\" to \"res/1/a\"", "\"from\": \"res/0/a\""},
	{"", "{ \"from\": \"stem\", \"to\": \"pool\", \"plan\": \"data=8\" }, { \"from\": \"res/1/b\", \"to\": \"fc\", \"plan\": \"data=8\" }", "/parts/1/from", "overlaps: \"res/1/b\"", "is \"fc\""},
	{"", ALL ", " ALL, "/parts/1/from", "overlaps: \"stem\"", ""},
	{"", "{ \"from\": \"stem\", \"to\": \"stem\", \"plan\": \"data=8\" }, { \"from\": \"res/0/a\", \"to\": \"stem\", \"plan\": \"data=8\" }", "/parts/1/to", "\"stem\" comes before \"res/0/a\"", ""},
	{"", "{ \"from\": \"stem\", \"to\": \"res/O/b\", \"plan\": \"data=8\" }", "/parts/0/to", "test has no layer \"res/O/b\"; did you mean \"res/0/b\"", "paradl list"},
	{"", "{ \"from\": \"steam\", \"to\": \"fc\", \"plan\": \"data=8\" }", "/parts/0/from", "did you mean \"stem\"", "paradl list"},
	{"", "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"data=4\" }", "/parts/0/plan", "is for 4 GPUs, but the file is for 8", "multiply"},
	{"\"stages\": 2, ", ALL, "/parts/0/plan", "is for 8 GPUs, but each stage has 4", "multiply"},
	{"", "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"data=4,pipeline=2\" }", "/parts/0/plan", "has a pipeline", "\"stages\""},
	{"", "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"data=8,micro=2\" }", "/parts/0/plan", "micro is said of the whole plan", "micro_batches"},
	{"", "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"data=8,schedule=1f1b\" }", "/parts/0/plan", "schedule is said of the whole plan", "micro_batches"},
	{"", "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"dataa=8\" }", "/parts/0/plan", "did you mean \"data\"", ""},
	{"", "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"data=8,shard=4\" }", "/parts/0/plan", "zero is 0", "zero=1"},
	{"", "{ \"from\": \"stem\", \"too\": \"fc\", \"plan\": \"data=8\" }", "/parts/0/too", "did you mean \"to\"", ""},
	{"", "", "/parts", "at least one part", ""},
	{"\"stages\": 3, ", ALL, "/stages", "8 GPUs cannot be dealt out to 3 stages", ""},
	{"\"stages\": 2, ", "{ \"from\": \"stem\", \"to\": \"fc\", \"plan\": \"data=4\" }", "/parts", "parts of 1 of the file's 2 stages", ""},
	{"\"stages\": 2, ", "{ \"from\": \"stem\", \"to\": \"fc\", \"stage\": 2, \"plan\": \"data=4\" }", "/parts/0/stage", "stages come in order", ""},
	{"\"stages\": 2, ", "{ \"from\": \"stem\", \"to\": \"stem\", \"plan\": \"data=4\" }, { \"from\": \"res/0/a\", \"to\": \"res/0/a\", \"stage\": 2, \"plan\": \"data=4\" }, { \"from\": \"res/0/b\", \"to\": \"fc\", \"plan\": \"data=4\" }", "/parts/2", "stages come in order", ""},
	{"", "{ \"from\": \"stem\", \"to\": \"fc\", \"stage\": 2, \"plan\": \"data=8\" }", "/parts/0/stage", "the file has 1 stage", ""},
	{"\"schedule\": \"interleaved\", ", ALL, "/schedule", "must be \"gpipe\"", ""},
	{"\"bach\": 1, ", ALL, "/bach", "did you mean \"batch\"", ""},
	/* clang-format on */
};

static void refuses_what_is_no_plan_and_says_where(void **state)
{
	const struct folder *const folder = *state;
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		const struct refused *const refused = &refusals[i];
		struct paradl_error error = {0};
		struct paradl_layered layered;
		if (load(folder, refused->more, refused->parts, &layered, &error))
			fail_msg("accepted: %s%s", refused->more, refused->parts);
		assert_int_equal(error.status, PARADL_SCHEMA);
		if (strcmp(error.pointer, refused->pointer) != 0 ||
			!strstr(error.message, refused->message) || !strstr(error.hint, refused->hint))
			fail_msg("%s%s: %s: %s (%s)", refused->more, refused->parts, error.pointer,
				error.message, error.hint);
	}
}

/* A part that begins at the second layer of a name leaves a gap, although the first one has a part. */
static void names_repeat(void **state)
{
	const struct folder *const folder = *state;
	const struct built built = build_at("4", "[16, 16]",
		"{ \"name\": \"a\", \"type\": \"act\", \"kind\": \"relu\" },"
		"{ \"name\": \"b\", \"type\": \"act\", \"kind\": \"relu\" },"
		"{ \"name\": \"a\", \"type\": \"act\", \"kind\": \"relu\" }");
	struct paradl_error error = {0};
	struct paradl_layered layered;
	put(folder, "{ \"format\": \"paradl-plan\", \"version\": 1, \"model\": \"test\", \"gpus\": 8, "
		    "\"batch\": 64, \"parts\": ["
		    "{ \"from\": \"a\", \"to\": \"a\", \"plan\": \"data=8\" }, { \"from\": \"a\", \"to\": "
		    "\"a\", \"plan\": \"data=8\" }] }");
	assert_false(paradl_layered_load(
		folder->arena, built.model, &(struct paradl_source){.path = folder->file}, &layered, &error));
	assert_string_equal(error.pointer, "/parts/1/from");
	if (!strstr(error.message, "gap: no part has the 1 layer from \"b\""))
		fail_msg("%s", error.message);
	paradl_arena_free(built.arena);
}

static void refuses_the_plan_of_another_network(void **state)
{
	const struct folder *const folder = *state;
	struct paradl_error error = {0};
	struct paradl_layered layered;
	put(folder, "{ \"format\": \"paradl-plan\", \"version\": 1, \"model\": \"VGG-16\", \"gpus\": 8, "
		    "\"batch\": 64, \"parts\": [" ALL "] }");
	assert_false(paradl_layered_load(folder->arena, folder->built.model,
		&(struct paradl_source){.path = folder->file}, &layered, &error));
	assert_string_equal(error.pointer, "/model");
	assert_non_null(strstr(error.message, "is a plan for \"VGG-16\", not for test"));
}

static void finds_what_could_be_said_shorter(void **state)
{
	const struct folder *const folder = *state;
	char text[TEXT_SIZE];
	struct paradl_error error = {0};
	struct paradl_findings findings;
	put(folder, file_of(text, "",
			    "{ \"from\": \"a\", \"to\": \"b\", \"plan\": \"data=8\" },"
			    "{ \"from\": \"c\", \"to\": \"d\", \"plan\": \"dp=8\" }"));
	assert_true(paradl_check(
		folder->arena, &(struct paradl_source){.path = folder->file}, &findings, &error));
	assert_string_equal(findings.format, "paradl-plan");
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.warnings[0],
		"line 1: /parts/1: has the plan of the part before it: one part would do");
	put(folder, file_of(text, "\"schedule\": \"1f1b\", ", ALL));
	assert_true(paradl_check(
		folder->arena, &(struct paradl_source){.path = folder->file}, &findings, &error));
	assert_int_equal(findings.count, 1);
	assert_non_null(strstr(findings.warnings[0], "without a pipeline"));
	put(folder, file_of(text, "", ALL));
	assert_true(paradl_check(
		folder->arena, &(struct paradl_source){.path = folder->file}, &findings, &error));
	assert_int_equal(findings.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_parts_by_names_of_layers),
		cmocka_unit_test(reads_stages),
		cmocka_unit_test(a_plan_written_is_that_plan_again),
		cmocka_unit_test(what_does_not_cover_the_network_is_not_written),
		cmocka_unit_test(refuses_what_is_no_plan_and_says_where),
		cmocka_unit_test(refuses_the_plan_of_another_network),
		cmocka_unit_test(names_repeat),
		cmocka_unit_test(finds_what_could_be_said_shorter),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
