/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the time of a whole run from the steps of an estimate, checkpoints and failures; then energy and cost.
 * Formulas: failures.c.
 */
#include <math.h>

#include "paradl/oracle.h"
#include "study/job/job.h"

/* Seconds to notice a failure, get other nodes, start programs and set up groups: an assumption. */
static const double usual_restart_s = 600;

/* Runs longer than this are impossible. */
static const double endless_s = 1e12;

/* The numbers of a run that do not depend on its length. */
struct pace {
	const struct paradl_run_request *request;
	struct failures failures; /* restart_s includes the work lost with an asynchronous checkpoint */
	double again_share;       /* share of restart_s that is this work, done again */
	double wait_s;            /* seconds that devices wait for a checkpoint */
	double least_interval_s, best_interval_s;
	bool saves; /* checkpoints are written; else failures begin the run anew */
};

static bool asks_for_checkpoints(const struct paradl_run_request *request)
{
	return request->checkpoints != PARADL_CHECKPOINTS_NONE;
}

/* Returns the rates of a plan's checkpoint; the request's rate of writing stands for the machine's. */
static struct checkpoint_rates rates_of(const struct paradl_oracle *oracle,
	const struct paradl_run_request *request, const struct paradl_plan *plan)
{
	struct checkpoint_rates rates = checkpoint_rates(oracle->machine, plan);
	if (request->write_bytes_per_s > 0)
		rates.write_bytes_per_s = request->write_bytes_per_s;
	if (!(rates.read_bytes_per_s > 0))
		rates.read_bytes_per_s = rates.write_bytes_per_s;
	return rates;
}

const char *paradl_run_lacking(const struct paradl_oracle *oracle, const struct paradl_run_request *request)
{
	const struct checkpoint_rates rates = rates_of(oracle, request, NULL);
	if (request->without)
		return request->without;
	if (!asks_for_checkpoints(request))
		return NULL;
	if (!(rates.write_bytes_per_s > 0))
		return "no rate at which checkpoints are written";
	return request->asynchronous && !(rates.host_bytes_per_s > 0) ? "no rate from devices to host memory"
								      : NULL;
}

static void fill_checkpoint(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_run_request *request, struct paradl_run *run)
{
	const struct checkpoint_rates rates = rates_of(oracle, request, &estimate->plan);
	const double bytes =
		checkpoint_bytes(oracle->model->weight_items, oracle->precision, oracle->optimizer);
	run->checkpoint_bytes = bytes;
	run->checkpoint_s = run->checkpoint_wait_s = -1;
	run->lacking = paradl_run_lacking(oracle, request);
	if (!asks_for_checkpoints(request) || !(rates.write_bytes_per_s > 0))
		return;
	const double copy_s = rates.host_bytes_per_s > 0 ? bytes / rates.host_bytes_per_s : 0;
	run->checkpoint_s = fmax(bytes / rates.write_bytes_per_s, copy_s);
	if (!request->asynchronous)
		run->checkpoint_wait_s = run->checkpoint_s;
	else if (copy_s > 0)
		run->checkpoint_wait_s = copy_s;
	run->restart_s += fmax(bytes / rates.read_bytes_per_s, copy_s);
}

static void fill_failures(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_run_request *request, struct paradl_run *run)
{
	const struct paradl_machine *const machine = oracle->machine;
	const double per_node = machine->devices_per_host > 0 ? machine->devices_per_host : 1;
	const double mtbf_s = request->node_mtbf_s > 0 ? request->node_mtbf_s : machine->node_mtbf_s;
	const double restart_s = request->restart_s > 0 ? request->restart_s : machine->restart_s;
	run->restart_s = restart_s > 0 ? restart_s : usual_restart_s;
	if (request->node_mtbf_s < 0)
		return;
	run->mtbf_is_usual = !(mtbf_s > 0);
	run->node_mtbf_s = run->mtbf_is_usual ? failures_usual_node_mtbf_s(per_node) : mtbf_s;
	run->mtbf_s = run->node_mtbf_s / share(estimate->devices, per_node, false);
}

/*
 * Returns the pace of a run. An asynchronous checkpoint counts once it is stored, behind_s after devices go on, and
 * the next cannot begin before. A failure until then costs one more interval; that is behind_s of work for each
 * failure, on average.
 */
static struct pace pace_make(const struct paradl_estimate *estimate, const struct paradl_run_request *request,
	const struct paradl_run *run)
{
	const double behind_s = run->checkpoint_s - run->checkpoint_wait_s;
	struct pace pace = {.request = request,
		.failures = {.mtbf_s = run->mtbf_s, .restart_s = run->restart_s + behind_s},
		.wait_s = run->checkpoint_wait_s,
		.saves = asks_for_checkpoints(request)};
	pace.least_interval_s = fmax(estimate->iteration_s, behind_s);
	if (pace.saves && behind_s > 0)
		pace.again_share = behind_s / pace.failures.restart_s;
	if (!pace.saves)
		pace.failures.restart_s = run->restart_s, pace.wait_s = 0;
	else if (run->mtbf_s > 0)
		pace.best_interval_s =
			fmax(failures_best_interval(run->mtbf_s, pace.wait_s), pace.least_interval_s);
	return pace;
}

/* Returns the work between checkpoints; there is at least one checkpoint, the last, because results are to be kept. */
static double interval_of(const struct pace *pace, double work_s)
{
	double interval_s = pace->best_interval_s > 0 ? pace->best_interval_s : work_s;
	if (pace->request->checkpoints == PARADL_CHECKPOINTS_EVERY)
		interval_s = fmax(pace->request->interval_s, pace->least_interval_s);
	return pace->saves && interval_s < work_s ? interval_s : work_s;
}

static struct toll toll_of(const struct pace *pace, double work_s)
{
	return failures_toll(&pace->failures, work_s, interval_of(pace, work_s), pace->wait_s);
}

/* Returns the seconds of work that a run of limit_s has room for, by bisection: the total time grows with the work. */
static double work_within(const struct pace *pace, double limit_s)
{
	enum { STEPS = 60 };
	double low = 0, high = limit_s;
	for (int i = 0; i < STEPS; i++) {
		const double middle = (low + high) / 2;
		if (toll_of(pace, middle).total_s <= limit_s)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void fill_times(const struct pace *pace, double step_s, struct paradl_run *run)
{
	const double limit_s = pace->request->limit_s;
	const bool known = !run->lacking;
	struct toll toll = {0};
	if (pace->request->samples > 0)
		run->work_s = pace->request->samples * step_s;
	else
		run->work_s = known ? work_within(pace, limit_s) : limit_s;
	run->samples = pace->request->samples > 0 ? pace->request->samples : run->work_s / step_s;
	if (known && run->work_s > 0)
		toll = toll_of(pace, run->work_s);
	run->possible = run->work_s > 0 && toll.total_s < endless_s;
	run->time_s = run->work_s;
	run->checkpoints = run->checkpoints_s = run->restarts_s = run->lost_s = run->failures = -1;
	run->interval_s = -1;
	run->best_interval_s = known && pace->best_interval_s > 0 ? pace->best_interval_s : -1;
	if (known && run->possible) {
		run->time_s = toll.total_s;
		run->checkpoints_s = toll.checkpoints_s;
		run->lost_s = toll.lost_s + toll.restarts_s * pace->again_share;
		run->restarts_s = toll.restarts_s * (1 - pace->again_share);
		run->failures = toll.failures;
		run->interval_s = pace->saves ? interval_of(pace, run->work_s) : -1;
		run->checkpoints = pace->saves ? run->work_s / run->interval_s : 0;
	}
	run->in_time = run->possible && (!(limit_s > 0) || run->time_s <= limit_s * (1 + 1e-9));
}

/*
 * Fills in energy and cost. Devices are idle while checkpoints are written and runs begin again; whole nodes are paid.
 */
static void fill_expense(
	const struct paradl_oracle *oracle, const struct paradl_estimate *estimate, struct paradl_run *run)
{
	enum { SECONDS_PER_HOUR = 3600, JOULE_PER_KWH = 3600000 };
	const double idle_s = run->checkpoints_s >= 0 ? run->checkpoints_s + run->restarts_s : 0;
	struct paradl_power power;
	struct paradl_price price;
	paradl_power(oracle, estimate, &power);
	paradl_price(oracle, estimate, &price);
	run->energy_joule = run->cost = -1;
	if (power.total_watt >= 0)
		run->energy_joule = power.total_watt * (run->time_s - idle_s) + standby_watt(&power) * idle_s;
	if (price.total_per_hour >= 0)
		run->cost = run->time_s / SECONDS_PER_HOUR * (price.total_per_hour - price.energy_per_hour) +
			    fmax(run->energy_joule, 0) / JOULE_PER_KWH * price.energy_per_kwh;
}

void paradl_run(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_run_request *request, struct paradl_run *run)
{
	const double samples_per_epoch = oracle->model->dataset.samples;
	*run = (struct paradl_run){0};
	fill_failures(oracle, estimate, request, run);
	fill_checkpoint(oracle, estimate, request, run);
	const struct pace pace = pace_make(estimate, request, run);
	fill_times(&pace, estimate->iteration_s / estimate->plan.batch, run);
	run->iterations = run->samples / estimate->plan.batch;
	run->epochs = samples_per_epoch > 0 ? run->samples / samples_per_epoch : -1;
	fill_expense(oracle, estimate, run);
}
