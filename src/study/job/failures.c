/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Failures at random times (exponential, mean M) while work of T is done in pieces of t, each followed by a checkpoint
 * of d. After a failure a restart of R must get through, then the piece begins again. Exactly (Daly 2006, eq. 20):
 *     total = (T / t) M exp(R / M) (exp((t + d) / M) - 1)
 *     failures = total / M; restarts take (T / t) (exp((t + d) / M) - 1) M (exp(R / M) - 1)
 * The best t solves (1 - t / M) exp(t / M) = exp(-d / M), for any T and R. Limits: failures do not come in bursts, and
 * no failure is known before it happens.
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
