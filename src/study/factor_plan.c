/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file varies inputs of plans. They are whole numbers: the nearest is taken, and `times` becomes the factor that
 * results.
 */
#include <math.h>

#include "study/studies.h"

static double replicas_of(const struct paradl_plan *plan)
{
	return (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
}

static double nearest(double value)
{
	return fmax(1, round(value));
}

/* Multiplies the samples of each replica; of a best plan, those of each device. */
bool factor_batch(const struct study *study, double times, struct variation *variation)
{
	struct paradl_plan *const plan = &variation->plan;
	if (!study->request->plan) {
		const double devices = variation->best.devices, old = variation->best.batch;
		variation->best.batch = nearest(old / devices * times) * devices;
		variation->times = variation->best.batch / old;
		return old > 0;
	}
	const double replicas = replicas_of(plan), old = plan->batch;
	plan->batch = nearest(old / replicas * times) * replicas;
	variation->times = plan->batch / old;
	return true;
}

/*
 * Multiplies the replicas of a plan; of a best plan its devices, in whole nodes once there is one. The batch grows
 * with them, unless it is fixed.
 */
bool factor_gpus(const struct study *study, double times, struct variation *variation)
{
	struct paradl_plan *const plan = &variation->plan;
	const bool fixed = study->request->fixed_batch;
	const double per_node = study->inputs.machine->devices_per_node;
	if (!study->request->plan) {
		const double old = variation->best.devices, unit = old >= per_node ? per_node : 1;
		variation->best.devices =
			(unsigned)fmin(nearest(old / unit * times) * unit, study->inputs.machine->devices);
		variation->times = variation->best.devices / old;
		variation->best.batch *= fixed ? 1 : variation->times;
		return true;
	}
	const double old = plan->degree[PARADL_DATA], most = study->inputs.machine->devices;
	const double replica = paradl_plan_devices(plan) / old;
	plan->degree[PARADL_DATA] = (unsigned)fmax(1, fmin(nearest(old * times), floor(most / replica)));
	variation->times = plan->degree[PARADL_DATA] / old;
	plan->batch *= fixed ? 1 : variation->times;
	return true;
}

bool factor_micro(const struct study *study, double times, struct variation *variation)
{
	struct paradl_plan *const plan = &variation->plan;
	const double old = plan->micro, most = plan->batch / replicas_of(plan);
	if (!study->request->plan || !(old > 0))
		return false;
	plan->micro = fmin(nearest(old * times), most);
	variation->times = plan->micro / old;
	return true;
}
