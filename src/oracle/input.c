/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Feeding a plan takes time that depends on how the plan reads, which input/ is asked. With b samples of the fullest
 * replica, n devices of which n_node work in a node, r replicas and s spatial pieces:
 *
 *     readers         r = data expert: each replica has samples of its own
 *     of a node       b max(n_node r / n, 1 / s): it reads for every replica that it holds; one on several nodes is
 *                     read for each of them, spatial pieces only as far as their share
 *     of a device     b / s
 *
 * A pipeline reads for its first stage. Here the nodes of all stages read alike, which is what canonical orders come
 * to, whose stages are inside or beside nodes with the same number of replicas.
 *
 * Rates depend on the numbers of nodes and readers, and are kept for the last ones. The seconds of a step on each
 * resource are the same for all plans with the same degrees and batch.
 */
#include "oracle/input/input.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "oracle/evaluation.h"

enum { RATES_KEPT = 16 };

struct kept_rates {
	double nodes, readers; /* 0: nothing is kept yet */
	struct input_rates of_store[INPUT_STORES_MAX];
};

struct oracle_input {
	struct input_setting setting;
	enum paradl_store stores[INPUT_STORES_MAX];
	unsigned store_count;
	struct kept_rates kept[RATES_KEPT];
	unsigned kept_next;
	/* Load that was entered last, with what it follows from, its rates and seconds. */
	struct input_load load;
	unsigned degree[PARADL_AXIS_COUNT];
	double local_batch;
	const struct kept_rates *rates;
	struct input_stages stages[INPUT_STORES_MAX];
};

static const double rounding = 1e-8; /* share, as in bounds.c */

static struct input_load load_of(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, double local_batch)
{
	const double devices = paradl_plan_devices(plan), in_node = oracle->machine->devices_per_host;
	const double readers = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	const double pieces = plan->degree[PARADL_SPATIAL];
	return (struct input_load){
		.nodes = ceil(devices / in_node),
		.devices = devices,
		.readers = readers,
		.batch = plan->batch,
		.reader_samples = local_batch,
		.node_samples = local_batch * fmax(fmin(in_node, devices) * readers / devices, 1 / pieces),
		.device_samples = local_batch / pieces,
	};
}

const struct rules *oracle_input_rules(const struct paradl_oracle *oracle)
{
	return &oracle->framework->rules[oracle->model->tokens ? RULES_TOKENS : RULES_IMAGES];
}

bool oracle_input_make(struct paradl_oracle *oracle, struct paradl_error *error)
{
	struct oracle_input *const input = arena_alloc(oracle->arena, 1, sizeof *input);
	if (!input)
		return out_of_memory(error);
	struct paradl_input_options options = *oracle->options.input;
	if (oracle->options.inference && !(options.epochs > 0))
		options.epochs = 1; /* each sample is looked at once */
	input->setting =
		input_setting_make(oracle->model, oracle->machine, oracle_input_rules(oracle), &options);
	if (oracle->rules.ideal)
		input->setting.lacking = "the paper's assumptions leave it out";
	else if (oracle->options.inference &&
		 (model_generates(oracle->model) || !oracle->model->dataset.path))
		input->setting.lacking = "batches of inference are there when they are needed";
	input->store_count = input_stores(&input->setting, input->stores);
	oracle->input = input;
	return true;
}

static const struct kept_rates *rates_keep(struct oracle_input *input, double nodes, double readers)
{
	for (unsigned i = 0; i < RATES_KEPT; ++i) {
		const struct kept_rates *const kept = &input->kept[i];
		if (!(kept->nodes < nodes || kept->nodes > nodes || kept->readers < readers ||
			    kept->readers > readers))
			return kept;
	}
	struct kept_rates *const kept = &input->kept[input->kept_next++ % RATES_KEPT];
	kept->nodes = nodes;
	kept->readers = readers;
	for (unsigned i = 0; i < input->store_count; ++i)
		input_rates_fill(&input->setting, nodes, readers, input->stores[i], &kept->of_store[i]);
	return kept;
}

static bool loads_alike(const struct input_load *a, const struct input_load *b)
{
	const double differences[] = {a->devices - b->devices, a->readers - b->readers, a->batch - b->batch,
		a->reader_samples - b->reader_samples, a->device_samples - b->device_samples};
	double sum = 0;
	for (unsigned i = 0; i < sizeof differences / sizeof differences[0]; ++i)
		sum += fabs(differences[i]);
	return !(sum > 0);
}

/* Returns whether the load that was entered last is of a plan with these degrees and batches. */
static bool load_is_of(const struct oracle_input *input, const struct paradl_plan *plan, double local_batch)
{
	return memcmp(input->degree, plan->degree, sizeof input->degree) == 0 &&
	       !(input->local_batch < local_batch) && !(input->local_batch > local_batch) &&
	       !(input->load.batch < plan->batch) && !(input->load.batch > plan->batch);
}

/* Enters a load, which becomes the last one. */
static void load_enter(const struct paradl_oracle *oracle, const struct paradl_plan *plan, double local_batch)
{
	struct oracle_input *const input = oracle->input;
	if (load_is_of(input, plan, local_batch))
		return;
	const struct input_load load = load_of(oracle, plan, local_batch);
	memcpy(input->degree, plan->degree, sizeof input->degree);
	input->local_batch = local_batch;
	if (loads_alike(&input->load, &load))
		return;
	input->load = load;
	input->rates = rates_keep(input, load.nodes, load.readers);
	for (unsigned i = 0; i < input->store_count; ++i)
		input_stages_fill(
			&input->setting, &input->rates->of_store[i], &load, false, &input->stages[i]);
}

/* Returns the seconds of a step with the store that input_rates_choose() would take, number `chosen`. */
static double step_s(struct oracle_input *input, double busy_s, unsigned *chosen)
{
	const double same = 1 - 1e-9;
	struct input_stalls stalls;
	double least_s = input_stages_step(&input->setting, &input->stages[0], busy_s, &stalls);
	bool possible = input->rates->of_store[0].possible;
	*chosen = 0;
	for (unsigned i = 1; i < input->store_count && (!possible || least_s > busy_s); ++i) {
		const double s = input_stages_step(&input->setting, &input->stages[i], busy_s, &stalls);
		if (!input->rates->of_store[i].possible || (possible && !(s < least_s * same)))
			continue;
		least_s = s;
		possible = true;
		*chosen = i;
	}
	return least_s;
}

void oracle_input_add(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	struct oracle_input *const input = evaluation->oracle->input;
	const double busy_s = estimate->iteration_s;
	if (input->setting.lacking)
		return;
	unsigned chosen;
	load_enter(evaluation->oracle, &evaluation->plan, evaluation->local_batch);
	estimate->iteration_quiet_s = step_s(input, estimate->iteration_quiet_s, &chosen);
	estimate->iteration_s = step_s(input, busy_s, &chosen);
	estimate->phase_s[PARADL_INPUT] = estimate->iteration_s - busy_s;
	estimate->input_s = input_stages_alone_s(&input->setting, &input->stages[chosen]);
	estimate->input_known = true;
}

double oracle_input_s(const struct evaluation *evaluation, double busy_s)
{
	struct oracle_input *const input = evaluation->oracle->input;
	unsigned chosen;
	if (input->setting.lacking)
		return busy_s;
	load_enter(evaluation->oracle, &evaluation->plan, evaluation->local_batch);
	return step_s(input, busy_s, &chosen);
}

double oracle_input_least_s(const struct paradl_oracle *oracle, const struct paradl_plan *plan, double busy_s)
{
	struct oracle_input *const input = oracle->input;
	unsigned chosen;
	if (input->setting.lacking)
		return busy_s;
	const double readers = (double)plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT];
	load_enter(oracle, plan, share(plan->batch, readers, false));
	return (1 - rounding) * step_s(input, busy_s, &chosen);
}

void paradl_input(const struct paradl_oracle *oracle, const struct paradl_estimate *estimate,
	const struct paradl_input_options *options, struct paradl_input *input)
{
	struct input_load load = load_of(oracle, &estimate->plan, estimate->local_batch);
	load.forward_s = estimate->phase_s[PARADL_FORWARD];
	const double busy_s = estimate->iteration_s - estimate->phase_s[PARADL_INPUT];
	const struct input_setting asked = options ? input_setting_make(oracle->model, oracle->machine,
							     oracle_input_rules(oracle), options)
						   : oracle->input->setting;
	struct input_rates rates;
	input_rates_choose(&asked, &load, busy_s, &rates);
	input_describe(&asked, &rates, &load, busy_s, input);
}
