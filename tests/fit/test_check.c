/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include <dirent.h>
#include <unistd.h>

#include "paradl/files.h"

static bool check_text(const char *text, struct paradl_arena *arena, struct paradl_findings *findings,
	struct paradl_error *error)
{
	char path[] = "/tmp/paradl-check-XXXXXX";
	const int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
	close(descriptor);
	static const char *const directories[] = {".", NULL};
	const struct paradl_source source = {.path = path, .directories = directories};
	const bool fine = paradl_check(arena, &source, findings, error);
	unlink(path);
	return fine;
}

static void tells_the_format(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"paradl-model", "{\"format\": \"paradl-model\", \"version\": 1, \"name\": \"m\", \"input\": "
				 "{\"channels\": 1, \"shape\": [4]},"
				 " \"layers\": [{\"type\": \"act\", \"kind\": \"relu\"}]}"},
		{"paradl-hw", "{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"h\", \"device\": "
			      "\"a30-pcie-24gb\", \"framework\": \"nccl\", \"levels\":"
			      " [{\"name\": \"l\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"1 "
			      "GB/s\"}]}"},
		{"paradl-device", "{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"d\", "
				  "\"memory\": \"1 GB\", \"memory_rate\":"
				  " \"1 GB/s\", \"peak\": {\"fp32\": \"1 Tflop/s\"}, \"contraction\": "
				  "{\"efficiency\": 1}}"},
		{"paradl-framework", "{\"format\": \"paradl-framework\", \"version\": 1, \"name\": \"f\", "
				     "\"summary\": \"s\", \"known_error\": 0.1}"},
		{"paradl-profile", "{\"format\": \"paradl-profile\", \"version\": 1, \"model\": \"m\", "
				   "\"samples\": [{\"batch\": 1, \"layers\":"
				   " {\"a\": {\"fw\": \"1 s\", \"bw\": \"1 s\"}}}]}"},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_findings findings = {0};
		struct paradl_error error = {0};
		if (!check_text(cases[i][1], arena, &findings, &error))
			fail_msg("%s: %s", cases[i][0], error.message);
		assert_string_equal(findings.format, cases[i][0]);
		assert_true(findings.count >
			    0); /* each leaves something to be desired: an origin, a data set, a device */
		for (size_t k = 0; k < findings.count; ++k)
			assert_true(*findings.warnings[k] != '\0');
	}
	paradl_arena_free(arena);
}

/* The topologies of a machine are built, and must have the devices of its levels. */
static void builds_the_network(void **state)
{
	(void)state;
	static const struct {
		const char *node, *cluster, *port, *message, *hint, *pointer;
	} cases[] = {
		{"switch:4", "fat-tree:4x8", "1 GB/s", "", "", ""},
		{"switch:4", "fat-tree:4x8", "2 GB/s", "", "", ""},
		{"switch:4", "fat-tree:4x8", "3 GB/s", "", "", ""},
		{"switch:4", "fat-tree:4x8", "0.9 GB/s", "", "", ""},
		{"swich:4", "fat-tree:4x8", "1 GB/s", "there is no topology \"swich\"",
			"did you mean \"switch\"?", "/network/node"},
		{"switch:8", "fat-tree:4x8", "1 GB/s",
			"node switch:8 has 8 devices, but levels say 4 in a node", "", "/network/node"},
		{"switch:4", "fat-tree:4x4", "1 GB/s",
			"16 nodes of 2 ports need more than the 16 ports of the network", "",
			"/network/cluster"},
	};
	static const char contradiction[] = "/levels/1: a node has 2 GB/s, but its 2 ports";
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_findings findings = {0};
		struct paradl_error error = {0};
		char text[1024];
		snprintf(text, sizeof text,
			"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"h\", \"device\": "
			"\"a30-pcie-24gb\", "
			"\"framework\": \"nccl\", \"levels\": [{\"name\": \"l\", \"devices\": 4, "
			"\"latency\": "
			"\"1 us\", "
			"\"bandwidth\": \"1 GB/s\"}, {\"name\": \"m\", \"devices\": 64, \"latency\": \"1 "
			"us\", "
			"\"bandwidth\": \"1 GB/s\", \"ports\": 2}],\n"
			"\"network\": {\"node\": \"%s\", \"cluster\": \"%s\", \"links\": {\"device\": "
			"{\"bandwidth\": "
			"\"1 GB/s\"}, \"port\": {\"bandwidth\": \"%s\"}}}}",
			cases[i].node, cases[i].cluster, cases[i].port);
		assert_int_equal(check_text(text, arena, &findings, &error), !*cases[i].message);
		assert_string_equal(error.message, cases[i].message);
		assert_string_equal(error.hint, cases[i].hint);
		if (*cases[i].message) {
			assert_int_equal(error.status, PARADL_SCHEMA);
			assert_string_equal(error.pointer, cases[i].pointer);
			assert_int_equal(error.line, 2);
		}
		/* ports of 1 and 2 GB/s carry the 2 GB/s of the level, one or both; 3 are more, 0.9 less */
		bool is_found = false;
		for (size_t k = 0; k < findings.count; ++k)
			is_found |= strstr(findings.warnings[k], contradiction) != NULL;
		assert_int_equal(is_found, i == 2 || i == 3);
	}
	paradl_arena_free(arena);
}

/* A machine is nothing without its device; it can do without a program that questions name. */
static void looks_up_what_a_machine_names(void **state)
{
	(void)state;
	static const char format[] =
		"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"h\", \"device\": \"%s\", "
		"\"framework\": %s, \"levels\": [{\"name\": \"l\", \"devices\": 4, \"latency\": \"1 us\", "
		"\"bandwidth\": \"1 GB/s\"}]}";
	static const struct {
		const char *device, *programs;
		unsigned missing;
	} cases[] = {
		{"a30-pcie-24gb", "\"nccl\"", 0},
		{"a30-pcie-24gb",
			"{\"tokens\": \"megatron-core+overlap-data\", \"serving\": \"vllm\", \"other\": "
			"\"nccl\"}",
			0},
		{"a30-pcie-24gb", "\"f\"", 1},
		{"a30-pcie-24gb", "{\"tokens\": \"f\", \"serving\": \"vllm+g\", \"other\": \"f\"}", 2},
		{"d", "\"nccl\"", 0},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
		struct paradl_findings findings = {0};
		struct paradl_error error = {0};
		char text[512];
		unsigned missing = 0;
		snprintf(text, sizeof text, format, cases[i].device, cases[i].programs);
		assert_int_equal(check_text(text, arena, &findings, &error), *cases[i].device != 'd');
		assert_int_equal(error.status, *cases[i].device == 'd' ? PARADL_IO : PARADL_OK);
		for (size_t k = 0; k < findings.count; ++k)
			missing += strstr(findings.warnings[k], ": /framework: ") != NULL;
		assert_int_equal(missing, cases[i].missing);
	}
	paradl_arena_free(arena);
}

static void refuses_what_it_does_not_know(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		{"[]", "", "must be an object with a \"format\""},
		{"\"paradl-hw\"", "", "must be an object with a \"format\""},
		{"{}", "", "needs \"format\", which says what the file is"},
		{"{\"format\": 1}", "/format", "needs \"format\", which says what the file is"},
		{"{\"format\": \"paradl-modle\"}", "/format",
			"unknown format \"paradl-modle\"; did you mean \"paradl-model\"?"},
		{"{\"format\": \"onnx\"}", "/format", "unknown format \"onnx\""},
		{"{\"format\": \"Paradl-Framework\"}", "/format",
			"unknown format \"Paradl-Framework\"; did you mean \"paradl-framework\"?"},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_findings findings = {0};
		struct paradl_error error = {0};
		assert_false(check_text(cases[i][0], arena, &findings, &error));
		assert_int_equal(error.status, PARADL_SCHEMA);
		assert_string_equal(error.pointer, cases[i][1]);
		assert_string_equal(error.message, cases[i][2]);
		assert_string_equal(error.hint,
			"the formats are paradl-model, paradl-dataset, paradl-hw, paradl-device, "
			"paradl-framework, paradl-profile, paradl-plan, paradl-clients and paradl-samples");
	}
	paradl_arena_free(arena);
}

static void passes_errors_on(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_findings findings = {0};
	struct paradl_error error = {0};
	assert_false(check_text("{\"format\": ", arena, &findings, &error));
	assert_int_equal(error.status, PARADL_SYNTAX);
	assert_false(check_text("{\"format\": \"paradl-hw\", \"version\": 1}", arena, &findings, &error));
	assert_int_equal(error.status, PARADL_SCHEMA);
	assert_string_equal(error.message, "needs a \"device\"");
	assert_false(
		paradl_check(arena, &(struct paradl_source){.path = "/nowhere/x.json"}, &findings, &error));
	assert_int_equal(error.status, PARADL_IO);
	assert_false(paradl_check(arena, &(struct paradl_source){.path = "/tmp"}, &findings, &error));
	assert_int_equal(error.status, PARADL_IO);
	paradl_arena_free(arena);
}

#define LAUNCH(id)                                                                                           \
	"{\"launch\":\"" id                                                                                  \
	"\",\"format\":\"paradl-samples\",\"version\":1,\"program\":\"cpu\",\"host\":\"h\"}\n"
#define POINT(id, name)                                                                                      \
	"{\"launch\":\"" id "\",\"point\":\"" name "\",\"bench\":\"gemm\",\"parameters\":{\"m\":1},"
#define TIMED    "\"seconds\":[1e-6]}\n"
#define LAUNCHES LAUNCH("cpu.0") LAUNCH("cpu.1") LAUNCH("cpu.2") LAUNCH("cpu.3")

/* What a file of samples leaves to be desired. */
static void looks_into_samples(void **state)
{
	(void)state;
	static const struct {
		const char *text, *finding; /* finding NULL: there is none */
	} cases[] = {
		{LAUNCHES POINT("cpu.0", "gemm/1") TIMED POINT("cpu.1", "gemm/1") TIMED, NULL},
		{LAUNCH("cpu.0") POINT("cpu.0", "gemm/1") TIMED,
			"cpu: 1 launch: fitted numbers will have ranges, no intervals"},
		{LAUNCHES POINT("cpu.0", "gemm/1") TIMED POINT("cpu.0", "gemm/2")
				TIMED POINT("cpu.0", "gemm/1") TIMED,
			"line 7: launch cpu.0 has gemm/1 on line 5 already"},
		{LAUNCHES POINT("cpu.0", "gemm/1")
				TIMED POINT("cpu.0", "gemm/2") "\"failed\":\"out of memory\"}\n",
			"line 6: gemm/2 failed: out of memory (1 of 2 points did)"},
		{LAUNCHES POINT("cpu.0", "gemm/1") TIMED "{\"launch\":\"cpu.0\",\"poi",
			"the last line has no end: a program was killed; it is passed over"},
	};
	struct paradl_arena *const arena = paradl_arena_create();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		struct paradl_findings findings = {0};
		struct paradl_error error = {0};
		if (!check_text(cases[i].text, arena, &findings, &error))
			fail_msg("%zu: %s", i, error.message);
		assert_string_equal(findings.format, "paradl-samples");
		assert_int_equal(findings.count, cases[i].finding ? 1 : 0);
		if (cases[i].finding)
			assert_string_equal(findings.warnings[0], cases[i].finding);
	}
	paradl_arena_free(arena);
}

static void refuses_wrong_samples(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_findings findings = {0};
	struct paradl_error error = {0};
	assert_false(check_text(
		LAUNCHES POINT("cpu.0", "gemm/1") "\"seconds\":[1e-6,-1]}\n", arena, &findings, &error));
	assert_int_equal(error.line, 5);
	assert_false(check_text(LAUNCHES POINT("cpu.7", "gemm/1") TIMED, arena, &findings, &error));
	assert_int_equal(error.line, 5);
	/* Torn in the middle: not what a killed program leaves. */
	assert_false(check_text("{\"launch\":\"cpu.0\",\"form\n" LAUNCHES, arena, &findings, &error));
	assert_int_equal(error.line, 1);
	paradl_arena_free(arena);
}

static size_t check_folder(const char *folder, const char *format)
{
	DIR *const directory = opendir(folder);
	size_t count = 0;
	assert_non_null(directory);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		char path[512];
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_findings findings = {0};
		struct paradl_error error = {0};
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (strstr(entry->d_name, ".json") &&
			!paradl_check(arena, &(struct paradl_source){.path = path}, &findings, &error))
			fail_msg("%s: %s: %s", path, error.pointer, error.message);
		if (findings.format) {
			assert_string_equal(findings.format, format);
			++count;
		}
		paradl_arena_free(arena);
	}
	closedir(directory);
	return count;
}

static void accepts_what_is_shipped(void **state)
{
	(void)state;
	assert_true(check_folder("models", "paradl-model") >= 5);
	assert_true(check_folder("hw-profiles", "paradl-hw") >= 1);
	assert_true(check_folder("hw-profiles/devices", "paradl-device") >= 1);
	assert_true(check_folder("hw-profiles/frameworks", "paradl-framework") >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_the_format),
		cmocka_unit_test(looks_into_samples),
		cmocka_unit_test(refuses_wrong_samples),
		cmocka_unit_test(builds_the_network),
		cmocka_unit_test(looks_up_what_a_machine_names),
		cmocka_unit_test(refuses_what_it_does_not_know),
		cmocka_unit_test(passes_errors_on),
		cmocka_unit_test(accepts_what_is_shipped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
