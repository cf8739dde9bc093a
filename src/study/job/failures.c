/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Failures at random times (exponential, mean M) while work of T is done in pieces of t, each followed by a checkpoint
 * of d. After a failure a restart of R must get through, then the piece begins again. Exactly (Daly 2006, eq. 20):
 *     total = (T / t) M exp(R / M) (exp((t + d) / M) - 1)
 *     failures = total / M; restarts take (T / t) (exp((t + d) / M) - 1) M (exp(R / M) - 1)
 * The best t solves (1 - t / M) exp(t / M) = exp(-d / M), for any T and R. Limits: failures do not come in bursts, and
 * no failure is known before it happens.
 *
 * A checkpoint holds everything that training needs to go on as if nothing had happened, each item once. A write takes
 *     bytes / min(K client rate, rate of the shared file system, devices that write x their link to the host)
 * where K is the nodes of the devices that write. With ZeRO every device has states that no other has and writes them;
 * else the first replica writes.
 */
#include <math.h>

#include "study/job/job.h"

struct toll failures_toll(const struct failures *failures, double work_s, double interval_s, double cost_s)
{
	const double mean = failures->mtbf_s, pieces = work_s / interval_s;
	struct toll toll = {.checkpoints_s = pieces * cost_s};
	if (!(mean > 0)) {
		toll.total_s = work_s + toll.checkpoints_s;
		return toll;
	}
	const double failed = expm1((interval_s + cost_s) / mean); /* time of a piece / mean, no restarts */
	toll.restarts_s = pieces * failed * mean * expm1(failures->restart_s / mean);
	toll.lost_s = pieces * mean * failed - work_s - toll.checkpoints_s;
	toll.lost_s = toll.lost_s > 0 ? toll.lost_s : 0;
	toll.total_s = work_s + toll.checkpoints_s + toll.restarts_s + toll.lost_s;
	toll.failures = toll.total_s / mean;
	return toll;
}

double failures_interval_young(double mtbf_s, double cost_s)
{
	return sqrt(2 * cost_s * mtbf_s);
}

double failures_interval_daly(double mtbf_s, double cost_s)
{
	const double ratio = cost_s / (2 * mtbf_s);
	if (cost_s >= 2 * mtbf_s)
		return mtbf_s;
	return sqrt(2 * cost_s * mtbf_s) * (1 + sqrt(ratio) / 3 + ratio / 9) - cost_s;
}

/*
 * Solves -x - log(1 - x) = d / M for x = t / M by bisection: the left side grows from 0 to infinity as x goes from 0
 * to 1.
 */
double failures_best_interval(double mtbf_s, double cost_s)
{
	enum { STEPS = 60 };
	const double cost = cost_s / mtbf_s;
	double low = 0, high = 1;
	if (!(cost_s > 0))
		return 0;
	for (int i = 0; i < STEPS; i++) {
		const double middle = (low + high) / 2;
		if (-middle - log1p(-middle) < cost)
			low = middle;
		else
			high = middle;
	}
	return high * mtbf_s;
}

/*
 * Returns the value that follows from 419 unplanned interruptions by hardware and software in 54 days on 16,384 H100
 * (Llama 3 paper, 2024, as recalled): 50.7 thousand device hours between two. It is assumed for all machines; other
 * clusters are a factor of two away.
 */
double failures_usual_node_mtbf_s(double devices_per_node)
{
	enum { SECONDS_PER_DAY = 86400 };
	static const double devices = 16384, days = 54, interruptions = 419;
	return devices * days * SECONDS_PER_DAY / interruptions / devices_per_node;
}

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
	const double devices = plan ? paradl_plan_devices(plan) : 1;
	const double writers = !plan || plan->zero > 0 ? devices : devices / plan->degree[PARADL_DATA];
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
