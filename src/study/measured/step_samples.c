/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file reads steps that paradl validate --run has measured, paradl-samples(5): launches one after the other,
 * their samples as steps.
 */
#include <string.h>

#include "base/error.h"
#include "fit/calibration.h"
#include "study/measured/measured_phases.h"

static const struct {
	const char *name;
	unsigned part;
} phases[] = {
	{"total", PARADL_PART_TOTAL},
	{"compute", PARADL_PART_COMPUTE},
	{"communication", PARADL_PART_COMMUNICATION},
	{"forward", PARADL_FORWARD},
	{"backward", PARADL_BACKWARD},
	{"update", PARADL_WEIGHT_UPDATE},
	{"gradients", PARADL_GRADIENT_EXCHANGE},
	{"activations", PARADL_ACTIVATION_EXCHANGE},
	{"halos", PARADL_HALO_EXCHANGE},
};

static bool knows(const char *begin, size_t length)
{
	(void)length;
	return strstr(begin, "\"paradl-samples\"") != NULL;
}

/*
 * Returns the part of that name; PARADL_PART_COUNT: none that counts. Ranks of a pipeline wait inside their messages,
 * so that only its total can be compared with a projection.
 */
static unsigned part_of(const struct measured_reading *reading, const char *name)
{
	for (size_t i = 0; i < sizeof phases / sizeof phases[0]; ++i)
		if (strcmp(phases[i].name, name) == 0)
			return phases[i].part != PARADL_PART_TOTAL &&
					       reading->plan->degree[PARADL_PIPELINE] > 1
				       ? PARADL_PART_COUNT
				       : phases[i].part;
	return PARADL_PART_COUNT;
}

static bool point_read(
	struct measured_reading *reading, const struct sample_point *point, double *steps_before)
{
	const char *strategy = sample_text(point, "strategy"), *phase = sample_text(point, "phase");
	if (strcmp(point->bench, "step") != 0 || !strategy || !phase || !point->count ||
		!reading_is_plan(reading, strategy, sample_number(point, "batch", -1)))
		return true;
	struct observation observation = {.layer = -1,
		.part = part_of(reading, phase),
		.rank = reading->file,
		.busy_s = -1,
		.calls = -1};
	if (observation.part == PARADL_PART_COUNT)
		return true;
	for (unsigned i = 0; i < point->count; ++i) {
		observation.step = steps_before[observation.part]++;
		observation.seconds = point->seconds[i];
		if (!observe(reading, &observation))
			return false;
	}
	return true;
}

static bool read(struct measured_reading *reading)
{
	struct sample_set set = {.count = 0};
	double steps_before[PARADL_PART_COUNT] = {0};
	const size_t before = reading->observations->count;
	char plan[PARADL_PLAN_TEXT];
	if (!samples_load(reading->arena, reading->path, &set, reading->error))
		return false;
	for (size_t i = 0; i < set.count; ++i)
		if (!point_read(reading, &set.points[i], steps_before))
			return false;
	reading->measurement->without_input = true;
	if (reading->observations->count > before)
		return true;
	paradl_plan_format(reading->plan, plan, sizeof plan);
	error_at(reading->error, PARADL_SCHEMA, reading->path, 0, 0,
		"has no steps with strategy %.100s and batch %.0f", plan, reading->plan->batch);
	error_hint(reading->error, "paradl validate --run --run-samples FILE measures them");
	return false;
}

const struct measured_reader measured_reader_step_samples = {
	.name = "samples of steps",
	.summary = "paradl-samples(5), as paradl validate --run measures",
	.knows = knows,
	.read = read,
};
