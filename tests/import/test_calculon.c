/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models and systems of Calculon, in files made up here. */
#include <math.h>
#include <unistd.h>

#include "test.h"

#include "import/calculon.h"
#include "machine/machine.h"
#include "model/model.h"

#define GPT3                                                                                                 \
	"{\"hidden\": 12288, \"feedforward\": 49152, \"seq_size\": 2048, \"attn_heads\": 96, "               \
	"\"attn_size\": 128, \"num_blocks\": 96}"

#define CURVE "[[1000, 0.9], [100, 0.8], [10, 0.6], [1, 0.3], [0, 0.1]]"
#define SYSTEM(matrix, networks)                                                                             \
	"{\"matrix\": {" matrix "}, \"vector\": {\"float16\": {\"tflops\": 50, \"gflops_efficiency\": [[0, " \
	"0.5]]}}, \"mem1\": {\"GiB\": 40, \"GBps\": 1000, \"MB_efficiency\": [[10, 0.8], [0, 0.4]]}, "       \
	"\"mem2\": {\"GiB\": 100, \"GBps\": 25, \"MB_efficiency\": [[0, 1.0]]}, \"processing_mode\": "       \
	"\"no_overlap\", \"networks\": [" networks "]}"
#define HALF "\"float16\": {\"tflops\": 200, \"gflops_efficiency\": " CURVE "}"
#define NODE "{\"bandwidth\": 100, \"efficiency\": 0.8, \"size\": 4, \"latency\": 2e-6, \"ops\": {}}"
#define FABRIC                                                                                               \
	"{\"bandwidth\": 10, \"efficiency\": 0.9, \"size\": 1024, \"latency\": 5e-6, \"processor_usage\": "  \
	"0.02, \"must_be_filled\": false}"

static void write_file(char path[64], const char *text)
{
	snprintf(path, 64, "/tmp/paradl-calculon-%ld.json", (long)getpid());
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static const struct paradl_machine *machine_of(struct paradl_arena *arena, const char *text)
{
	struct paradl_error error = {0};
	char path[64];
	write_file(path, text);
	const struct paradl_machine *const machine =
		paradl_machine_load(arena, &(struct paradl_source){.path = path}, &error);
	if (!machine) {
		fail_msg("%s %s", error.pointer, error.message);
		abort();
	}
	unlink(path);
	return machine;
}

static bool says(const struct paradl_findings *findings, const char *part)
{
	for (size_t i = 0; i < findings->count; i++)
		if (strstr(findings->warnings[i], part))
			return true;
	return false;
}

/* 96 blocks of 12 h^2 + 13 h, embedding and positions, the last norm. */
static void a_model_is_megatrons_gpt(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_error error = {0};
	char path[64];
	write_file(path, GPT3);
	const struct paradl_model *const model =
		paradl_model_load(arena, &(struct paradl_source){.path = path}, &error);
	const struct paradl_model *const shipped =
		paradl_model_load(arena, &(struct paradl_source){.path = "models/gpt3-175b.json"}, &error);
	if (!model || !shipped)
		fail_msg("%s", error.message);
	const double h = 12288, blocks = 96 * (12 * h * h + 13 * h);
	const struct paradl_model_info info = paradl_model_info(model);
	assert_close(info.parameters, blocks + 51200 * h + 2048 * h + 2 * h, 0);
	assert_close(info.parameters, paradl_model_info(shipped).parameters, 0);
	assert_close(info.forward_flop_per_sample, paradl_model_info(shipped).forward_flop_per_sample, 1e-12);
	assert_close(info.sequence, 2048, 0);
	assert_true(says(info.imported, "51200 words"));
	unlink(path);
	paradl_arena_free(arena);
}

static void a_system_is_a_machine(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine *const machine = machine_of(arena, SYSTEM(HALF, NODE ", " FABRIC));
	const struct level *const levels = machine->levels;
	assert_int_equal(machine->devices, 1024);
	assert_int_equal(machine->devices_per_node, 4);
	assert_close(levels[0].bandwidth_bytes_per_s, 100e9, 1e-12);
	assert_close(levels[0].ring_bytes_per_s, 80e9, 1e-12);
	assert_close(levels[1].bandwidth_bytes_per_s, 40e9, 1e-12); /* 4 processors */
	assert_close(levels[1].ring_bytes_per_s, 36e9, 1e-12);
	assert_close(levels[1].latency_s, 5e-6, 1e-12);
	assert_close(machine->host.memory_bytes, 400.0 * (1 << 30), 1e-12);
	paradl_arena_free(arena);
}

static void its_device_is_within(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct device *const device = &machine_of(arena, SYSTEM(HALF, NODE ", " FABRIC))->device;
	assert_close(device->memory_bytes, 40.0 * (1 << 30), 1e-12);
	assert_close(device->memory_bytes_per_s, 800e9, 1e-12);
	assert_close(device->peak_flop_per_s[PARADL_FP16], 200e12, 1e-12);
	assert_close(device->peak_flop_per_s[PARADL_BF16], 200e12, 1e-12);
	assert_close(device->peak_flop_per_s[PARADL_FP32], 50e12, 1e-12);
	assert_close(device->product.sustained[PARADL_FP16], 0.9, 1e-12);
	assert_null(device->path);
	paradl_arena_free(arena);
}

static void what_is_left_out_is_said(void **state)
{
	(void)state;
	static const char *const parts[] = {
		"vector unit in float16", "/networks/1: processor_usage 0.02", "no_overlap", "half-lengths"};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_findings findings = {0};
	struct paradl_error error = {0};
	char path[64];
	write_file(path, SYSTEM(HALF, NODE ", " FABRIC));
	static const char *const directories[] = {".", NULL};
	const struct paradl_source source = {.path = path, .directories = directories};
	assert_true(paradl_check(arena, &source, &findings, &error));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		assert_true(says(&findings, parts[i]));
	assert_int_equal(findings.count, 4); /* every number says where it is from */
	unlink(path);
	paradl_arena_free(arena);
}

/* A curve that is made with half-lengths gives them back. */
static void half_lengths_follow_the_curve(void **state)
{
	(void)state;
	static const double halves[] = {0, 100, 512, 2000};
	for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
		struct calculon_curve curve = {.count = 6};
		double worst = 1;
		for (unsigned j = 0; j < curve.count; j++) {
			const double side = 512 * pow(2, j);
			curve.work[j] = 2 * pow(side, 3) / 1e9;
			curve.efficiency[j] = 0.9 * pow(side / (side + halves[i]), 3);
		}
		/* The best efficiency stands for cubes without end. */
		curve.work[curve.count] = 1e15;
		curve.efficiency[curve.count++] = 0.9;
		assert_close(calculon_half_length(&curve, &worst), halves[i], 0.02);
		assert_true(worst < 0.12);
	}
}

static void what_is_wrong_has_its_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *pointer, *message;
	} cases[] = {
		{"{\"hidden\": 8, \"seq_size\": 8, \"attn_heads\": 2, \"num_blocks\": 0}", "/num_blocks",
			"whole number from 1"},
		{"{\"hidden\": 8, \"seq_size\": 8, \"attn_heads\": 2, \"num_blocks\": 2, \"hiden\": 1}",
			"/hiden", "did you mean"},
		{SYSTEM("", NODE), "/matrix", "has no rate of float32"},
		{SYSTEM("\"float16\": {}", NODE), "/matrix/float16", "needs tflops"},
		{SYSTEM("\"float16\": {\"tflops\": 1, \"gflops_efficiency\": [[1]]}", NODE),
			"/matrix/float16/gflops_efficiency/0", "[work, efficiency]"},
		{SYSTEM("\"float16\": {\"tflops\": 1, \"gflops_efficiency\": [[1, 2]]}", NODE),
			"/matrix/float16/gflops_efficiency/0/1", "to 1"},
		{SYSTEM(HALF, ""), "/networks", "1 to 8 networks"},
		{SYSTEM(HALF, "{\"bandwidth\": 1}"), "/networks/0", "a network has"},
		{SYSTEM(HALF, "{\"bandwidth\": -1, \"size\": 4}"), "/networks/0/bandwidth", "from"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct paradl_arena *const arena = paradl_arena_create();
		struct paradl_error error = {0};
		struct paradl_findings findings;
		char path[64];
		write_file(path, cases[i].text);
		if (paradl_import(arena, path, NULL, &findings, &error))
			fail_msg("accepted: %s", cases[i].text);
		if (!strstr(error.message, cases[i].message) || strcmp(error.pointer, cases[i].pointer) != 0)
			fail_msg("%s: %s: %s", cases[i].text, error.pointer, error.message);
		unlink(path);
		paradl_arena_free(arena);
	}
}

static void sizes_that_do_not_nest_are_cut(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct paradl_machine *const machine = machine_of(arena,
		SYSTEM(HALF, NODE ", {\"bandwidth\": 5, \"size\": 4}, {\"bandwidth\": 5, \"size\": 10}"));
	assert_int_equal(machine->devices, 8);
	assert_int_equal(machine->level_count, 2);
	assert_true(says(machine->imported, "left out"));
	assert_true(says(machine->imported, "8 are taken"));
	paradl_arena_free(arena);
}

/* Systems without a second memory say so by zeros. */
static void no_second_memory_is_no_fault(void **state)
{
	(void)state;
	struct paradl_arena *const arena = paradl_arena_create();
	char text[] = SYSTEM(HALF, NODE ", " FABRIC);
	static const char some[] = "\"GiB\": 100, \"GBps\": 25";
	char *const place = strstr(text, some);
	assert_non_null(place);
	memcpy(place, "\"GiB\":   0, \"GBps\":  0", sizeof some - 1);
	assert_true(machine_of(arena, text)->host.memory_bytes <= 0);
	paradl_arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_model_is_megatrons_gpt),
		cmocka_unit_test(a_system_is_a_machine),
		cmocka_unit_test(its_device_is_within),
		cmocka_unit_test(what_is_left_out_is_said),
		cmocka_unit_test(half_lengths_follow_the_curve),
		cmocka_unit_test(what_is_wrong_has_its_place),
		cmocka_unit_test(sizes_that_do_not_nest_are_cut),
		cmocka_unit_test(no_second_memory_is_no_fault),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
