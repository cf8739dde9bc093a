/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A checkpoint holds everything that training needs to go on as if nothing had happened, each item once. A write takes
 *     bytes / min(K client rate, rate of the shared file system, devices that write x their link to the host)
 * where K is the nodes of the devices that write. With ZeRO every device has states that no other has and writes them;
 * else the first replica writes.
 */
#include "study/job/job.h"

double checkpoint_bytes(double parameters, enum paradl_precision precision, const struct optimizer *optimizer)
{
	static const double state_bytes = 4;
	return parameters * (precision_weight_bytes(precision) + precision_master_bytes(precision) +
				    state_bytes * optimizer->states);
}

/* Returns the shared tier with the highest write rate, or NULL; a node's own disks are lost with the node. */
static const struct storage_tier *shared_tier(const struct paradl_machine *machine)
{
	const struct storage_tier *best = NULL;
	for (unsigned i = 0; i < machine->storage_count; i++) {
		const struct storage_tier *const tier = &machine->storage[i];
		if (tier->scope == STORAGE_SYSTEM &&
			(!best || tier->write_bytes_per_s > best->write_bytes_per_s))
			best = tier;
	}
	return best;
}

static double least_known(double one, double other)
{
	if (!(one > 0) || !(other > 0))
		return one > 0 ? one : other;
	return one < other ? one : other;
}

struct checkpoint_rates checkpoint_rates(const struct paradl_machine *machine, const struct paradl_plan *plan)
{
	const double devices = paradl_plan_devices(plan);
	const double writers = plan->zero > 0 ? devices : devices / plan->degree[PARADL_DATA];
	const double per_node = machine->devices_per_host > 0 ? machine->devices_per_host : 1;
	const double nodes = share(devices, per_node, false), writing = share(writers, per_node, false);
	const struct storage_tier *const tier = shared_tier(machine);
	struct checkpoint_rates rates = {.host_bytes_per_s = writers * machine->device.link.host_bytes_per_s};
	if (!tier)
		return rates;
	if (tier->write_bytes_per_s > 0)
		rates.write_bytes_per_s =
			least_known(tier->write_bytes_per_s, writing * tier->client_bytes_per_s);
	if (tier->read_bytes_per_s > 0)
		rates.read_bytes_per_s =
			least_known(tier->read_bytes_per_s, nodes * tier->client_bytes_per_s);
	return rates;
}
