/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A temporary folder of models, machines, devices and frameworks for one test, and an arena; both end with it. */
#ifndef TESTS_ORACLE_SETUP_H
#define TESTS_ORACLE_SETUP_H

#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "machine/framework.h"
#include "machine/machine.h"
#include "model/model.h"
#include "paradl/oracle.h"

struct setup {
	char folder[40];
	struct paradl_arena *arena;
	struct paradl_error error;
};

static const char *const setup_files[] = {"model.json", "machine.json", "devices/device.json",
	"devices/tied.json", "frameworks/framework.json", "measured.csv"};

static inline int setup_begin(void **state)
{
	struct setup *const setup = calloc(1, sizeof *setup);
	if (!setup)
		return -1;
	*state = setup;
	setup->arena = paradl_arena_create();
	snprintf(setup->folder, sizeof setup->folder, "/tmp/paradl-oracle-XXXXXX");
	if (!setup->arena || !mkdtemp(setup->folder))
		return -1;
	const char *const devices = arena_printf(setup->arena, "%s/devices", setup->folder);
	const char *const frameworks = arena_printf(setup->arena, "%s/frameworks", setup->folder);
	return mkdir(devices, 0700) || mkdir(frameworks, 0700);
}

static inline int setup_end(void **state)
{
	struct setup *const setup = *state;
	for (size_t i = 0; i < sizeof setup_files / sizeof *setup_files; ++i)
		(void)remove(arena_printf(setup->arena, "%s/%s", setup->folder, setup_files[i]));
	(void)rmdir(arena_printf(setup->arena, "%s/devices", setup->folder));
	(void)rmdir(arena_printf(setup->arena, "%s/frameworks", setup->folder));
	(void)rmdir(setup->folder);
	paradl_arena_free(setup->arena);
	free(setup);
	return 0;
}

/* A case with a folder of its own. */
#define setup_test(function) cmocka_unit_test_setup_teardown(function, setup_begin, setup_end)

/* Drops what was read so far: tests with many random inputs stay small. */
static inline void setup_renew(struct setup *setup)
{
	paradl_arena_free(setup->arena);
	setup->arena = paradl_arena_create();
	assert_non_null(setup->arena);
}

static inline const char *setup_write(struct setup *setup, const char *name, const char *text)
{
	const char *const path = arena_printf(setup->arena, "%s/%s", setup->folder, name);
	assert_non_null(path);
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return path;
}

/* `keys` and `layers` as in a model file: "\"input\": {...}", "{...}, {...}". */
static inline const struct paradl_model *setup_model(
	struct setup *setup, const char *keys, const char *layers)
{
	const char *const text = arena_printf(setup->arena,
		"{\"format\": \"paradl-model\", \"version\": 1, \"name\": \"test\", %s, \"layers\": [%s]}",
		keys, layers);
	const struct paradl_model *const model = paradl_model_load(setup->arena,
		&(struct paradl_source){.path = setup_write(setup, "model.json", text)}, &setup->error);
	if (!model)
		fail_msg("%s: %s\n%s", setup->error.pointer, setup->error.message, text);
	return model;
}

/* A device of 100 Tflop/s and 1 TB/s, without tiles: numbers to calculate with by hand. */
#define SETUP_DEVICE                                                                                         \
	"\"memory\": \"16 GB\", \"memory_rate\": \"1 TB/s\", \"peak\": {\"fp32\": \"100 Tflop/s\"}, "        \
	"\"contraction\": {\"efficiency\": 1}"

/* `device` and `levels` as in their files: SETUP_DEVICE, "{...}, {...}". RCCL has no protocols of its own: times are those of the network. */
static inline const struct paradl_machine *setup_machine(
	struct setup *setup, const char *device, const char *levels)
{
	setup_write(setup, "devices/device.json",
		arena_printf(setup->arena,
			"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"d\", %s}", device));
	const char *const text = arena_printf(setup->arena,
		"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"test\", \"device\": \"device\", "
		"\"framework\": \"framework\", \"library\": \"rccl\", \"levels\": [%s]}",
		levels);
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = setup_write(setup, "machine.json", text)}, &setup->error);
	if (!machine)
		fail_msg("%s: %s\n%s", setup->error.pointer, setup->error.message, text);
	return machine;
}

/* A framework that cuts every layer and costs nothing, but for `keys` (", \"waiting\": {...}" or ""). */
#define SETUP_SPLIT_ALL                                                                                      \
	"\"split\": {\"filter\": [\"conv\", \"linear\"], \"channel\": [\"conv\", \"linear\"], \"spatial\": " \
	"[\"conv\", \"pool\", \"norm\", \"act\", \"add\", \"concat\", \"dropout\"]}"
static inline const struct paradl_framework *setup_framework(struct setup *setup, const char *keys)
{
	const char *const text = arena_printf(setup->arena,
		"{\"format\": \"paradl-framework\", \"version\": 1, \"name\": \"framework\", \"summary\": "
		"\"test\"%s}",
		keys);
	const struct paradl_framework *const framework = paradl_framework_load(setup->arena,
		&(struct paradl_source){.path = setup_write(setup, "frameworks/framework.json", text)},
		&setup->error);
	if (!framework)
		fail_msg("%s: %s\n%s", setup->error.pointer, setup->error.message, text);
	return framework;
}

static inline struct paradl_oracle *setup_oracle(struct setup *setup, const struct paradl_model *model,
	const struct paradl_machine *machine, const struct paradl_framework *framework, bool ideal)
{
	const struct paradl_options options = {.ideal = ideal};
	struct paradl_oracle *const oracle =
		paradl_oracle_create(setup->arena, model, machine, framework, &options, &setup->error);
	if (!oracle)
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	return oracle;
}

static inline struct paradl_plan setup_plan(const char *text, double batch)
{
	struct paradl_plan plan;
	struct paradl_error error = {0};
	if (!paradl_plan_parse(text, &plan, &error))
		fail_msg("%s: %s", text, error.message);
	plan.batch = batch;
	return plan;
}

static inline struct paradl_estimate setup_estimate(
	struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	struct paradl_estimate estimate;
	struct paradl_error error = {0};
	if (!paradl_estimate(oracle, plan, &estimate, &error)) {
		char text[128];
		paradl_plan_format(plan, text, sizeof text);
		fail_msg("%s, batch %g: %s (%s)", text, plan->batch, error.message, error.hint);
	}
	return estimate;
}

#endif
