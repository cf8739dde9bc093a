/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes all that leads to a step: resources, stalls, the bottleneck, staging, epochs, room and risk.
 *
 * The risk is how much accuracy training without a global shuffle may lose, in percentage points of top-1:
 *
 *     9.2 max(0, log2(1.36 C M / N)) exp(-8.5 Q)      C classes, N samples, M workers, Q exchanged
 *
 * The formula is derived from five points of Nguyen et al. (IPDPS'22), ResNet-50 on ImageNet-1K, and meets them within
 * a point: 2,048 workers lose 10.3 with Q = 0, 4.2 with 0.1 and 0.6 with 0.3; up to 1,024 workers most experiments
 * lose next to nothing. One network and one data set are no law: the risk is for warnings, and never a predicted
 * accuracy. A model that goes to H other workers in an epoch meets the samples of 1 + H of them, as if there were that
 * many fewer workers with larger parts; this is derived, and not measured.
 */
#include <math.h>

#include "oracle/input/input.h"

static const double points_per_doubling = 9.2, samples_per_class = 1.36, forgotten = 8.5;
static const double medium_points = 1.5, high_points = 4;

double risk_points(const struct paradl_input_options *options, double samples, double classes, double readers)
{
	const enum paradl_shuffle shuffle = options->shuffle;
	const bool exchanges = shuffle == PARADL_SHUFFLE_PARTIAL || shuffle == PARADL_SHUFFLE_PAIRWISE;
	const double met = shuffle == PARADL_SHUFFLE_MODELS ? 1 + options->hops : 1;
	if (shuffle == PARADL_SHUFFLE_GLOBAL || readers <= 1 || !(samples > 0) || !(classes > 0))
		return -1;
	const double doublings = fmax(0, log2(samples_per_class * readers * classes / (met * samples)));
	return points_per_doubling * doublings * exp(exchanges ? -forgotten * options->exchanged : 0);
}

enum paradl_risk risk_class(double points)
{
	if (points > high_points)
		return PARADL_RISK_HIGH;
	if (points >= medium_points)
		return PARADL_RISK_MEDIUM;
	return points >= 0 ? PARADL_RISK_LOW : PARADL_RISK_NONE;
}

static void binding_fill(struct paradl_input *input)
{
	input->binding = PARADL_RESOURCE_DEVICES;
	for (unsigned r = 0; r < PARADL_RESOURCE_COUNT; r++)
		if (input->resource_s[r] > input->resource_s[input->binding])
			input->binding = r;
	input->next =
		input->binding == PARADL_RESOURCE_DEVICES ? PARADL_RESOURCE_SHARED : PARADL_RESOURCE_DEVICES;
	for (unsigned r = 0; r < PARADL_RESOURCE_COUNT; r++)
		if (r != input->binding && input->resource_s[r] > input->resource_s[input->next])
			input->next = r;
}

static void store_fill(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, struct paradl_input *input)
{
	const struct paradl_input_options *const options = &setting->options;
	input->possible = store_possible(
		setting, rates->store, load->nodes, load->readers, input->reason, sizeof input->reason);
	input->store = rates->store;
	input->stored_bytes_per_node = rates->stored_bytes_per_node;
	input->capacity_bytes = rates->capacity_bytes;
	input->cached_share = rates->cached_share;
	input->staging_s = staging_s(setting, rates->store, load->nodes);
	if (rates->store == PARADL_STORE_COPY)
		input->share_per_reader = 1;
	else if (rates->store == PARADL_STORE_POOLED)
		input->share_per_reader = 1 / load->readers;
	else if (rates->store == PARADL_STORE_SHARD)
		input->share_per_reader = exchange_share(options->shuffle, options->exchanged, load->readers);
	const double points =
		risk_points(options, setting->dataset->samples, setting->dataset->classes, load->readers);
	input->risk = risk_class(points);
	input->risk_points = points > 0 ? points : 0;
}

/*
 * Returns the seconds of forward passes over the samples to validate, which are read and prepared as those of training
 * are; nothing is exchanged. 0: there are none, or the forward pass is not known.
 */
static double validation_s(const struct input_setting *setting, const struct input_stages *training,
	const struct input_load *load)
{
	struct input_stages stages = *training;
	struct input_stalls stalls;
	stages.exchange_s = stages.behind_s = 0;
	const double iterations = setting->dataset->validation_samples / load->batch;
	if (!(iterations > 0) || !(load->forward_s > 0))
		return 0;
	return iterations * input_stages_step(setting, &stages, load->forward_s, &stalls);
}

static void steps_fill(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, struct paradl_input *input)
{
	struct input_stages stages;
	struct input_stalls stalls;
	input_stages_fill(setting, rates, load, true, &stages);
	const double cold_s = input_stages_step(setting, &stages, input->busy_s, &stalls);
	input_stages_fill(setting, rates, load, false, &stages);
	input->step_s = input_stages_step(setting, &stages, input->busy_s, &stalls);
	input->fetch_s = stages.fetch_s;
	input->straggler_s = stages.straggler_s;
	input->preparation_s = stages.preparation_s;
	input->transfer_s = stages.transfer_s;
	input->exchange_s = stages.exchange_s + stages.behind_s;
	input->stall_fetch_s = stalls.fetch_s;
	input->stall_straggler_s = stalls.straggler_s;
	input->stall_preparation_s = stalls.preparation_s;
	input->stall_exchange_s = stalls.exchange_s;
	const double iterations = setting->dataset->samples / load->batch;
	if (!(iterations > 0))
		return;
	input->epoch_start_s = loader_epoch_s(setting, load->readers, &input->epoch_late_s);
	const double start_s = input->epoch_start_s + input->epoch_late_s;
	input->first_epoch_s = start_s + iterations * cold_s;
	input->epoch_s = start_s + iterations * input->step_s;
	input->validation_s = validation_s(setting, &stages, load);
}

void input_describe(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, double busy_s, struct paradl_input *input)
{
	*input = (struct paradl_input){.known = !setting->lacking,
		.lacking = setting->lacking ? setting->lacking : setting->free,
		.readers = load->readers,
		.nodes = load->nodes,
		.busy_s = busy_s,
		.step_s = busy_s,
		.utilisation = 1,
		.binding = PARADL_RESOURCE_DEVICES};
	if (!input->known)
		return;
	store_fill(setting, rates, load, input);
	steps_fill(setting, rates, load, input);
	for (unsigned r = 0; r < PARADL_RESOURCE_COUNT; r++)
		input->resource_s[r] = input_resource_s(setting, rates, load, r);
	input->resource_s[PARADL_RESOURCE_DEVICES] = busy_s;
	binding_fill(input);
	input->utilisation = input->step_s > 0 ? busy_s / input->step_s : 1;
	if (busy_s > 0) {
		input->samples_per_s = load->batch / busy_s;
		input->bytes_per_s = input->samples_per_s * setting->sample_bytes;
	}
}
