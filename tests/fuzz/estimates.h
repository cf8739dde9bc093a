/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder with a small network, a machine and a framework, for targets that replace one of them; and what must hold. */
#ifndef TESTS_FUZZ_ESTIMATES_H
#define TESTS_FUZZ_ESTIMATES_H

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "paradl/oracle.h"

static const char estimates_model[] =
	"{\"format\": \"paradl-model\", \"version\": 1, \"name\": \"small\", \"input\": {\"channels\": 4, "
	"\"shape\": [16, 16]},"
	" \"dataset\": {\"name\": \"d\", \"samples\": 1000}, \"layers\": ["
	"{\"name\": \"a\", \"type\": \"conv\", \"out\": 8, \"kernel\": 3, \"pad\": 1}, {\"type\": \"norm\", "
	"\"kind\": \"batch\"},"
	"{\"type\": \"act\", \"kind\": \"relu\"}, {\"name\": \"b\", \"type\": \"conv\", \"out\": 8, "
	"\"kernel\": 3, \"pad\": 1},"
	"{\"type\": \"pool\", \"kind\": \"max\", \"kernel\": 2, \"stride\": 2}, {\"type\": \"flatten\"},"
	"{\"name\": \"c\", \"type\": \"linear\", \"out\": 10}]}";
static const char estimates_machine[] =
	"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"m\", \"device\": \"device\", \"framework\": "
	"\"framework\","
	" \"levels\": [{\"name\": \"node\", \"devices\": 4, \"latency\": \"1 us\", \"bandwidth\": \"50 "
	"GB/s\"},"
	" {\"name\": \"net\", \"devices\": 64, \"latency\": \"9 us\", \"bandwidth\": \"10 GB/s\"}]}";
static const char estimates_device[] =
	"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"d\", \"memory\": \"16 GB\", "
	"\"memory_rate\": \"800 GB/s\","
	" \"peak\": {\"fp32\": \"15 Tflop/s\"}, \"contraction\": {\"efficiency\": 0.5}, \"power\": "
	"{\"busy\": \"300 W\", \"idle\": \"40 W\"}}";
static const char estimates_framework[] =
	"{\"format\": \"paradl-framework\", \"version\": 1, \"name\": \"f\", \"summary\": \"s\", \"split\": "
	"{\"filter\": [\"conv\", \"linear\"],"
	" \"channel\": [\"conv\", \"linear\"], \"spatial\": [\"conv\", \"pool\", \"norm\", \"act\"]}}";

static char estimates_folder[64]; /* made for the first input, removed with the program */

static inline const char *estimates_path(struct paradl_arena *arena, const char *name)
{
	const char *path = arena_printf(arena, "%s/%s", estimates_folder, name);

	REQUIRE(path != NULL);
	return path;
}

static inline void estimates_end(void)
{
	static const char *const names[] = {"model.json", "machine.json", "devices/device.json",
		"frameworks/framework.json", "devices", "frameworks", "."};
	struct paradl_arena *arena = paradl_arena_create();

	for (size_t i = 0; arena != NULL && i + 1 < sizeof(names) / sizeof(names[0]); ++i)
		remove(estimates_path(arena, names[i]));
	rmdir(estimates_folder);
	paradl_arena_free(arena);
}

static inline void estimates_write(struct paradl_arena *arena, const char *name, const char *text)
{
	input_write(estimates_path(arena, name), (const uint8_t *)text, strlen(text));
}

static inline void estimates_begin(struct paradl_arena *arena)
{
	if (*estimates_folder)
		return;
	snprintf(estimates_folder, sizeof(estimates_folder), "/tmp/paradl-fuzz-XXXXXX");
	REQUIRE(mkdtemp(estimates_folder) != NULL && atexit(estimates_end) == 0);
	REQUIRE(mkdir(estimates_path(arena, "devices"), 0700) == 0);
	REQUIRE(mkdir(estimates_path(arena, "frameworks"), 0700) == 0);
	estimates_write(arena, "model.json", estimates_model);
	estimates_write(arena, "machine.json", estimates_machine);
	estimates_write(arena, "devices/device.json", estimates_device);
	estimates_write(arena, "frameworks/framework.json", estimates_framework);
}

/* A time, a number of bytes: finite and not negative. */
static inline void estimates_require_all(const double *numbers, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		REQUIRE(isfinite(numbers[i]) && numbers[i] >= 0);
}

static inline void estimates_require(const struct paradl_estimate *e)
{
	const double numbers[] = {e->local_batch, e->micro_batches, e->compute_s, e->communication_s,
		e->exposed_communication_s, e->waiting_s, e->iteration_s, e->iteration_quiet_s, e->epoch_s,
		e->memory_bytes, e->capacity_bytes, e->samples_per_s, e->flop_per_s_per_device, e->mfu,
		e->limited_by.share};

	estimates_require_all(numbers, sizeof(numbers) / sizeof(numbers[0]));
	estimates_require_all(e->phase_s, PARADL_PHASE_COUNT);
	REQUIRE(isfinite(e->energy_joule_per_epoch) && isfinite(e->cost_per_epoch));
	REQUIRE(e->exposed_communication_s <= e->communication_s * (1 + 1e-12));
	REQUIRE(e->fits == (e->memory_bytes <= e->capacity_bytes));
}

static inline void estimates_lint(struct paradl_arena *arena, const char *path)
{
	struct paradl_findings findings = {0};
	struct paradl_error error = {0};

	if (!paradl_check(arena, &(struct paradl_source){.path = path}, &findings, &error))
		require_explained(&error);
	for (size_t i = 0; i < findings.count; ++i)
		REQUIRE(findings.warnings[i] != NULL && *findings.warnings[i] != '\0');
}

/* Estimates some of every strategy on what is in the folder now; what fails explains itself. */
static inline void estimates_run(struct paradl_arena *arena, const struct paradl_options *options)
{
	static const char *const plans[] = {"serial", "data=4", "data=64", "spatial=2", "filter=4",
		"channel=2", "pipeline=3", "data=2,filter=4", "data=4,spatial=2x2",
		"data=2,pipeline=2,micro=2", "data=4,zero=3,recompute=full", "tensor=2,sequence=on",
		"data=2,pipeline=2,micro=1,schedule=interleaved:2,zero=1"};
	struct paradl_error error = {0};
	const struct paradl_model *model = paradl_model_load(
		arena, &(struct paradl_source){.path = estimates_path(arena, "model.json")}, &error);
	const struct paradl_machine *machine = paradl_machine_load(
		arena, &(struct paradl_source){.path = estimates_path(arena, "machine.json")}, &error);
	struct paradl_oracle *oracle =
		model && machine ? paradl_oracle_create(arena, model, machine, NULL, options, &error) : NULL;

	if (!oracle)
		require_explained(&error);
	for (size_t i = 0; oracle && i < sizeof(plans) / sizeof(plans[0]); ++i) {
		struct paradl_estimate estimate;
		struct paradl_plan plan;

		REQUIRE(paradl_plan_parse(plans[i], &plan, &error));
		plan.batch = 64;
		if (paradl_estimate(oracle, &plan, &estimate, &error))
			estimates_require(&estimate);
		else
			require_explained(&error);
	}
}

#endif
