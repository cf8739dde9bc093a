/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machines that differ by a factor, and a network for them. */
#ifndef TESTS_STUDY_PAIR_H
#define TESTS_STUDY_PAIR_H

#include "oracle/setup.h"

/* All rates `factor` times, latencies so much shorter; every number of one origin. */
static inline const struct paradl_machine *pair_machine(
	struct setup *setup, double factor, const char *origin)
{
	setup_write(setup, "devices/device.json",
		arena_printf(setup->arena,
			"{\"format\": \"paradl-device\", \"version\": 1, \"name\": \"d\", \"memory\": \"64 "
			"GB\", "
			"\"memory_rate\": \"%.15g GB/s\", \"peak\": {\"fp32\": \"%.15g Tflop/s\"}, "
			"\"contraction\": {\"efficiency\": 1}, \"power\": {\"busy\": \"400 W\", \"idle\": "
			"\"50 W\"}, "
			"\"from\": {\"memory_rate\": \"%s\", \"contraction\": \"%s\", \"power\": \"%s\"}}",
			1000 * factor, 100 * factor, origin, origin, origin));
	const char *const text = arena_printf(setup->arena,
		"{\"format\": \"paradl-hw\", \"version\": 1, \"name\": \"x%g\", \"device\": \"device\", "
		"\"framework\": \"framework\", \"levels\": [{\"name\": \"node\", \"devices\": 4, "
		"\"latency\": "
		"\"%.15g us\", \"bandwidth\": \"%.15g GB/s\"}, {\"name\": \"all\", \"devices\": 64, "
		"\"latency\": "
		"\"%.15g us\", \"bandwidth\": \"%.15g GB/s\"}], \"price\": {\"per_gpu_hour\": 2, "
		"\"currency\": "
		"\"EUR\"}, \"from\": {\"levels\": \"%s\", \"price\": \"%s\"}}",
		factor, 2 / factor, 100 * factor, 5 / factor, 10 * factor, origin, origin);
	const struct paradl_machine *const machine = paradl_machine_load(setup->arena,
		&(struct paradl_source){.path = setup_write(setup, "machine.json", text)}, &setup->error);
	if (!machine)
		fail_msg("%s: %s", setup->error.pointer, setup->error.message);
	return machine;
}

static inline const struct paradl_model *pair_model(struct setup *setup)
{
	return setup_model(setup,
		"\"input\": {\"channels\": 64, \"shape\": [32, 32]}, \"dataset\": {\"name\": \"d\", "
		"\"samples\": 100000}",
		"{\"type\": \"conv\", \"out\": 128, \"kernel\": 3, \"pad\": 1, \"bias\": false}, "
		"{\"type\": \"act\", \"kind\": \"relu\"}, {\"type\": \"conv\", \"out\": 512, \"kernel\": 3, "
		"\"pad\": 1, \"bias\": false}, {\"type\": \"act\", \"kind\": \"relu\"}");
}

static inline struct paradl_oracle *pair_oracle(struct setup *setup, double factor, const char *origin)
{
	const struct paradl_model *const model = pair_model(setup);
	const struct paradl_machine *const machine = pair_machine(setup, factor, origin);
	return setup_oracle(setup, model, machine, setup_framework(setup, ""), false);
}

#endif
