/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "oracle/update.h"

#include "oracle/replicas.h"
#include "oracle/stage.h"

double host_update_rate(const struct evaluation *evaluation)
{
	const struct paradl_machine *machine = evaluation->oracle->machine;
	const double devices = paradl_plan_devices(&evaluation->plan), of_host = machine->devices_per_host;
	const double rate = machine->host.memory_bytes_per_s;
	return rate > 0 ? rate / (devices < of_host ? devices : of_host)
			: machine->device.link.host_bytes_per_s;
}

double offloaded_weight_bytes(const struct evaluation *evaluation)
{
	return gradient_bytes(evaluation) + precision_weight_bytes(evaluation->oracle->precision);
}

struct update update_of(
	const struct evaluation *evaluation, double weights, double owned, double measured_s, bool offloaded)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct rules *rules = &oracle->rules;
	const double link_rate = oracle->machine->device.link.host_bytes_per_s,
		     bytes = oracle->optimizer->bytes_per_weight * owned;
	struct update update = {0};
	const bool there = offloaded && link_rate > 0;
	if (there) {
		update.host_s = bytes / host_update_rate(evaluation);
		update.link_s = offloaded_weight_bytes(evaluation) * owned / link_rate;
	}
	const double left = there ? 0 : bytes;
	if (!(measured_s > 0))
		update.device_s = (left + rules->step_bytes * weights) * evaluation->net->update_s_per_byte +
				  rules->step_s;
	else if (!there)
		update.device_s = weights > 0 ? measured_s * owned / weights : measured_s;
	return update;
}

double update_sum_s(const struct update *update)
{
	return update->device_s + (update->host_s + update->link_s);
}

struct update device_update(const struct evaluation *evaluation, unsigned device, const double *sums)
{
	return update_of(evaluation, sums[STAGE_WEIGHTS], device_owned(evaluation, device, sums),
		sums[STAGE_UPDATE_S], evaluation->plan.offload & PARADL_OFFLOAD_OPTIMIZER);
}

double training_update_s(const struct evaluation *evaluation, double weights, double owned, double measured_s)
{
	const struct update update = update_of(
		evaluation, weights, owned, measured_s, evaluation->plan.offload & PARADL_OFFLOAD_OPTIMIZER);
	return update_sum_s(&update);
}

double weights_update_s(const struct evaluation *evaluation, double weights, double owned, double measured_s)
{
	const double step_s = measured_s > 0 ? 0 : evaluation->oracle->rules.step_s;
	return training_update_s(evaluation, weights, owned, measured_s) - step_s;
}
