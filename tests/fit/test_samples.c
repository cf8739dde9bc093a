/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of samples: what is read of them, and what is refused at which line. */
#include "test.h"

#include "fit/calibration.h"

#define HEADER(id)                                                                                           \
	"{\"launch\":\"" id                                                                                  \
	"\",\"format\":\"paradl-samples\",\"version\":1,\"program\":\"mpi\",\"number\":0,"                   \
	"\"seed\":7,\"effort\":\"quick\",\"date\":\"2026-11-22T04:20:00Z\",\"host\":\"n1\","                 \
	"\"environment\":{\"library\":\"Open MPI 4.1.4\"}}\n"
#define POINT_START                                                                                          \
	"{\"launch\":\"mpi.0\",\"point\":\"allreduce/2/64\",\"bench\":\"allreduce\",\"parameters\":"
#define POINT                                                                                                \
	POINT_START                                                                                          \
	"{\"library\":\"open mpi 4.1.4\",\"nodes\":1,\"devices\":2,\"bytes\":64},"                           \
	"\"flop\":0,\"bytes\":0,\"calls\":16,\"stopped\":\"interval\",\"flags\":[\"throttled\"],"            \
	"\"seconds\":[1.5e-6,1e-6,2e-6],\"mark\":3}\n"

static bool read(
	struct paradl_arena *arena, const char *text, struct sample_set *set, struct paradl_error *error)
{
	*set = (struct sample_set){0};
	*error = (struct paradl_error){0};
	return reader_samples.read(arena, text, strlen(text), "a.jsonl", set, error);
}

static void reads_points(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	struct paradl_error error;
	assert_true(read(arena, HEADER("mpi.0") POINT, &set, &error));
	assert_int_equal(set.launch_count, 1);
	assert_int_equal(set.count, 1);
	assert_int_equal(set.torn, 0);
	const struct sample_point *point = &set.points[0];
	assert_ptr_equal(point->launch, set.launches[0]);
	assert_string_equal(point->launch->program, "mpi");
	assert_string_equal(point->launch->host, "n1");
	assert_string_equal(point->launch->date, "2026-11-22T04:20:00Z");
	assert_string_equal(point->launch->environment[0].text, "Open MPI 4.1.4");
	assert_int_equal(point->line, 2);
	assert_string_equal(point->name, "allreduce/2/64");
	assert_string_equal(sample_text(point, "library"), "open mpi 4.1.4");
	assert_close(sample_number(point, "bytes", 0), 64, 0);
	assert_close(sample_number(point, "groups", 1), 1, 0);
	assert_null(sample_text(point, "bytes"));
	assert_close(sample_number(point, "library", -1), -1, 0);
	assert_int_equal(point->count, 3);
	assert_close(point->seconds[1], 1e-6, 0);
	assert_string_equal(point->flags[0], "throttled");
	assert_null(point->flags[1]);
	paradl_arena_free(arena);
}

static void failed_points_have_a_reason(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	struct paradl_error error;
	assert_true(
		read(arena, HEADER("mpi.0") POINT_START "{},\"failed\":\"out of memory\"}\n", &set, &error));
	assert_int_equal(set.points[0].count, 0);
	assert_string_equal(set.points[0].failed, "out of memory");
	assert_false(
		read(arena, HEADER("mpi.0") POINT_START "{},\"failed\":\"out of memory\",\"seconds\":[1]}\n",
			&set, &error));
	paradl_arena_free(arena);
}

/* A killed program leaves a line without its end, which may or may not be JSON. */
static void last_line_may_be_torn(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	struct paradl_error error;
	char text[] = HEADER("mpi.0") POINT POINT;
	const size_t whole = strlen(HEADER("mpi.0") POINT);
	for (size_t length = whole + 1; length + 1 < sizeof text - 1; ++length) {
		const char kept = text[length];
		text[length] = '\0';
		assert_true(read(arena, text, &set, &error));
		assert_int_equal(set.count, 1);
		assert_int_equal(set.torn, 1);
		text[length] = kept;
	}
	assert_false(read(arena, HEADER("mpi.0") POINT_START "\n" POINT, &set, &error));
	assert_int_equal(error.line, 2);
	paradl_arena_free(arena);
}

/* Continued: the header is there again. */
static void launches_are_continued(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	struct paradl_error error;
	assert_true(read(arena, HEADER("mpi.0") POINT HEADER("mpi.1") HEADER("mpi.0"), &set, &error));
	assert_int_equal(set.launch_count, 2);
	assert_false(read(arena,
		HEADER("mpi.0") "{\"launch\":\"mpi.0\",\"format\":\"paradl-samples\",\"version\":1,"
				"\"program\":\"mpi\",\"host\":\"n2\"}\n",
		&set, &error));
	assert_int_equal(error.line, 2);
	assert_non_null(strstr(error.message, "\"n2\""));
	/* The same name in another file is another launch. */
	assert_true(read(arena, HEADER("mpi.0"), &set, &error));
	assert_true(reader_samples.read(arena, HEADER("mpi.0"), strlen(HEADER("mpi.0")), "b", &set, &error));
	assert_int_equal(set.launch_count, 2);
	paradl_arena_free(arena);
}

static void refuses_with_line_and_place(void **unused)
{
	(void)unused;
	static const struct {
		const char *line, *pointer, *message;
	} cases[] = {
		{POINT_START "{},\"seconds\":[1e-6,0]}\n", "/seconds/1", "is 0"},
		{POINT_START "{},\"seconds\":[-1]}\n", "/seconds/0", "is -1"},
		{POINT_START "{},\"seconds\":[1e300]}\n", "/seconds/0", "1e+300"},
		{POINT_START "{},\"seconds\":[1e999]}\n", "/seconds/0", "too large"},
		{POINT_START "{},\"seconds\":[NaN]}\n", "", ""},
		{POINT_START "{},\"seconds\":[\"1\"]}\n", "/seconds/0", "number"},
		{POINT_START "{},\"seconds\":[]}\n", "/seconds", "failed"},
		{POINT_START "{},\"seconds\":3}\n", "/seconds", "array"},
		{POINT_START "{}}\n", "", "\"seconds\""},
		{POINT_START "[],\"seconds\":[1]}\n", "/parameters", "object"},
		{POINT_START "{\"nodes\":true},\"seconds\":[1]}\n", "/parameters/nodes", "number or a text"},
		{POINT_START "{\"nodes\":1,\"nodes\":2},\"seconds\":[1]}\n", "/parameters/nodes", "twice"},
		{POINT_START "{},\"flop\":-1,\"seconds\":[1]}\n", "/flop", "is -1"},
		{POINT_START "{},\"flags\":[1],\"seconds\":[1]}\n", "/flags/0", "text"},
		{"{\"launch\":\"mpi.0\",\"point\":\"x\",\"bench\":\"alreduce\",\"parameters\":{},\"seconds\":"
		 "[1]}\n",
			"/bench", "alreduce"},
		{"{\"launch\":\"mpi.9\",\"point\":\"x\",\"bench\":\"gemm\",\"parameters\":{},\"seconds\":[1]}"
		 "\n",
			"/launch", "no line before"},
		{"{\"launch\":\"mpi.0\"}\n", "", "neither"},
		{"{\"launch\":\"x\",\"format\":\"paradl\",\"version\":1}\n", "/format", "paradl-samples"},
		{"{\"launch\":\"x\",\"format\":\"paradl-samples\",\"version\":2}\n", "/version", "is 2"},
		{"{\"launch\":\"x\",\"format\":\"paradl-samples\",\"version\":1}\n", "", "\"program\""},
		{"[]\n", "", "object"},
		{"\n", "", ""},
	};
	struct paradl_arena *arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		char text[2000];
		struct sample_set set;
		struct paradl_error error;
		snprintf(text, sizeof text, "%s%s%s", HEADER("mpi.0"), POINT, cases[i].line);
		assert_false(read(arena, text, &set, &error));
		if (error.line != 3 || strcmp(error.path, "a.jsonl") != 0 ||
			strcmp(error.pointer, cases[i].pointer) != 0 ||
			!strstr(error.message, cases[i].message))
			fail_msg("case %zu: %s:%d: %s: %s", i, error.path, error.line, error.pointer,
				error.message);
	}
	paradl_arena_free(arena);
}

/* Whatever a program measures is read. */
static void knows_all_benches(void **unused)
{
	(void)unused;
	static const char *const ids[] = {
#define X(id) #id,
#include "../../calibrate/cpu/list.def"
#include "../../calibrate/cuda/list.def"
#include "../../calibrate/mpi/list.def"
#include "../../calibrate/step/list.def"
#include "../../calibrate/storage/list.def"
#undef X
	};
	struct paradl_arena *arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i) {
		char bench[40], text[600];
		struct sample_set set;
		struct paradl_error error;
		snprintf(bench, sizeof bench, "%s", ids[i]);
		for (char *letter = bench; *letter; ++letter)
			*letter = *letter == '_' ? '-' : *letter;
		snprintf(text, sizeof text,
			"%s{\"launch\":\"a\",\"point\":\"x\",\"bench\":\"%s\",\"parameters\":{},\"seconds\":["
			"1]}\n",
			HEADER("a"), bench);
		if (!read(arena, text, &set, &error))
			fail_msg("%s: %s", bench, error.message);
		assert_string_equal(set.points[0].bench, bench);
	}
	paradl_arena_free(arena);
}

static void suggests_benches(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set;
	struct paradl_error error;
	assert_false(read(arena,
		HEADER("a") "{\"launch\":\"a\",\"point\":\"x\",\"bench\":\"alreduce\",\"parameters\":{}}\n",
		&set, &error));
	assert_string_equal(error.hint, "did you mean \"allreduce\"?");
	paradl_arena_free(arena);
}

static void knows_its_files(void **unused)
{
	(void)unused;
	const char header[] = HEADER("mpi.0");
	assert_true(reader_samples.knows(header, strlen(header)));
	assert_true(reader_samples.knows(header, 5)); /* killed in its first line */
	assert_false(reader_samples.knows("{\"format\":1}", 12));
	assert_false(reader_samples.knows("# nThread 1", 11));
}

static void files_that_are_none(void **unused)
{
	(void)unused;
	struct paradl_arena *arena = paradl_arena_create();
	struct sample_set set = {0};
	struct paradl_error error = {0};
	assert_false(samples_load(arena, "no/such/file", &set, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_true(paradl_file_give(arena, "empty.jsonl", "", 0));
	assert_false(samples_load(arena, "empty.jsonl", &set, &error));
	assert_int_equal(error.status, PARADL_SYNTAX);
	assert_false(samples_load(arena, "models/resnet50.json", &set, &error));
	assert_int_equal(error.status, PARADL_SYNTAX);
	assert_non_null(strstr(error.hint, "samples"));
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_points),
		cmocka_unit_test(failed_points_have_a_reason),
		cmocka_unit_test(last_line_may_be_torn),
		cmocka_unit_test(launches_are_continued),
		cmocka_unit_test(refuses_with_line_and_place),
		cmocka_unit_test(knows_all_benches),
		cmocka_unit_test(suggests_benches),
		cmocka_unit_test(knows_its_files),
		cmocka_unit_test(files_that_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
