/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device computes slower than its profile says: its clock, or kernels of a worse library. */
#include "study/diagnose.h"

static double rate(const struct diagnosing *diagnosing)
{
	const struct paradl_oracle *oracle = diagnosing->oracle;
	const struct device *device = &oracle->machine->device;
	const double sustained = oracle->model->tokens ? device->product.sustained[oracle->precision]
						       : device->contraction_share[oracle->precision];
	return device->peak_flop_per_s[oracle->precision] * (sustained > 0 ? sustained : device->efficiency);
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
	for (unsigned i = 0; i < PARADL_PRECISION_COUNT; ++i)
		model->machine.device.peak_flop_per_s[i] *= factor;
	model->changed = true;
	return true;
}

const struct cause cause_slow_compute = {
	.name = "slow-compute",
	.summary = "a device that computes at another rate than in its profile",
	.category = "compute",
	.kind = PARADL_BOTTLENECK,
	.origin = "system",
	.quantity = "the rate of products",
	.dimension = DIMENSION_FLOP_PER_S,
	.check = "clocks and power cap (nvidia-smi -q -d CLOCK,PERFORMANCE), other jobs on the device, "
		 "cudnn.benchmark, channels_last, sizes that fill no tiles; paradl calibrate gpu measures "
		 "the rate",
	.phases = PHASES_PASSES | 1 << PARADL_BUBBLE,
	.assumed = rate,
	.range = range,
	.change = change,
};
