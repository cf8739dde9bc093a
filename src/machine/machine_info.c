/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine tells programs of itself, and the number format that it runs a network in. */
#include "machine/machine.h"

struct paradl_machine_info paradl_machine_info(const struct paradl_machine *machine)
{
	struct paradl_machine_info info = {
		.name = machine->name,
		.path = machine->path,
		.device = machine->device.name,
		.device_path = machine->device.path,
		.framework = machine->framework,
		.devices = machine->devices,
		.devices_per_node = machine->devices_per_node,
		.devices_per_host = machine->devices_per_host,
		.level_count = machine->level_count,
		.memory_bytes = machine->device.memory_bytes,
		.host_memory_bytes = machine->host.memory_bytes,
		.node_mtbf_s = machine->node_mtbf_s,
		.restart_s = machine->restart_s,
		.price_per_device_hour = machine->price_per_node_hour / machine->devices_per_host,
		.owned = machine->price.owned,
		.has_both_prices = machine->price.has_both,
		.currency = machine->currency,
		.assumed = machine->assumed,
		.assumed_count = machine->assumed_count,
		.device_assumed = machine->device_assumed,
		.device_assumed_count = machine->device_assumed_count,
		.imported = machine->imported,
		.device_tied_to = machine->device.tied_to.device,
	};
	for (unsigned i = 0; i < PARADL_PRECISION_COUNT; ++i)
		info.has_precision[i] = machine->device.peak_flop_per_s[i] > 0;
	return info;
}

enum paradl_precision paradl_usual_precision(
	const struct paradl_model_info *model, const struct paradl_machine_info *machine, bool inference)
{
	const enum paradl_precision asked = model->inference_precision;
	return inference && asked < PARADL_PRECISION_COUNT && machine->has_precision[asked]
		       ? asked
		       : model->precision;
}
