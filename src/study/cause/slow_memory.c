/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes over memory are slower, or there are more of them, than profiles say. */
#include "study/diagnose.h"

static double rate(const struct diagnosing *diagnosing)
{
	return diagnosing->oracle->machine->device.memory_bytes_per_s;
}

static void range(const struct diagnosing *diagnosing, double assumed, double *low, double *high)
{
	(void)diagnosing;
	*low = assumed / 50;
	*high = assumed * 2;
}

static bool change(const struct diagnosing *diagnosing, double value, struct counterfactual *model)
{
	const double factor = value / rate(diagnosing);
	struct device *device = &model->machine.device;
	device->memory_bytes_per_s *= factor;
	for (unsigned i = 0; i < device->memory_level_count; ++i)
		device->memory_levels[i].bytes_per_s *= factor;
	model->changed = true;
	return true;
}

const struct cause cause_slow_memory = {
	.name = "slow-memory",
	.summary = "passes over the device's memory at another rate than in its profile",
	.category = "compute",
	.kind = PARADL_BOTTLENECK,
	.origin = "framework",
	.quantity = "the rate of the device's memory",
	.dimension = DIMENSION_BYTES_PER_S,
	.check = "whether activations, norms and copies are fused (nsys: many elementwise kernels), memory "
		 "clocks, "
		 "ECC; paradl calibrate gpu measures the rate",
	.phases = PHASES_COMPUTE | 1 << PARADL_BUBBLE,
	.assumed = rate,
	.range = range,
	.change = change,
};
