/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that leads to a step: resources, stalls, what binds, staging, epochs, room and risk. */
#include "input/input.h"

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
	input->possible =
		store_possible(setting, rates->store, load->nodes, input->reason, sizeof input->reason);
	input->store = rates->store;
	input->stored_bytes_per_node = rates->stored_bytes_per_node;
	input->capacity_bytes = rates->capacity_bytes;
	input->cached_share = rates->cached_share;
	input->staging_s = staging_s(setting, rates->store, load->nodes, load->readers);
	if (rates->store == PARADL_STORE_COPY)
		input->share_per_reader = 1;
	else if (rates->store == PARADL_STORE_POOLED)
		input->share_per_reader = 1 / load->readers;
	else if (rates->store == PARADL_STORE_SHARD)
		input->share_per_reader = exchange_share(options->shuffle, options->exchanged, load->readers);
	const double points = risk_points(options->shuffle, options->exchanged, setting->dataset->samples,
		setting->dataset->classes, load->readers);
	input->risk = risk_class(points);
	input->risk_points = points > 0 ? points : 0;
}

static void steps_fill(const struct input_setting *setting, const struct input_rates *rates,
	const struct input_load *load, struct paradl_input *input)
{
	struct input_legs legs;
	struct input_stalls stalls;
	input_legs_fill(setting, rates, load, true, &legs);
	const double cold_s = input_legs_step(setting, &legs, input->busy_s, &stalls);
	input_legs_fill(setting, rates, load, false, &legs);
	input->step_s = input_legs_step(setting, &legs, input->busy_s, &stalls);
	input->fetch_s = legs.fetch_s;
	input->straggler_s = legs.straggler_s;
	input->preparation_s = legs.preparation_s;
	input->transfer_s = legs.transfer_s;
	input->exchange_s = legs.exchange_s + legs.wire_s;
	input->stall_fetch_s = stalls.fetch_s;
	input->stall_straggler_s = stalls.straggler_s;
	input->stall_preparation_s = stalls.preparation_s;
	input->stall_exchange_s = stalls.exchange_s;
	const double iterations = setting->dataset->samples / load->batch;
	input->first_epoch_s = iterations * cold_s;
	input->epoch_s = iterations * input->step_s;
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
