/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked about a plan besides its estimate. */
#include "golden/golden.h"

#include <stdio.h>

enum { EVENTS_MOST = 1200 };

static void tell_activities(struct text *text, const struct paradl_power *power)
{
	char name[64];
	for (unsigned i = 0; i < PARADL_ACTIVITY_COUNT; ++i) {
		const char *const activity = paradl_activity_name((enum paradl_activity)i);
		snprintf(name, sizeof name, "share.%s", activity);
		text_number(text, name, power->share[i]);
		snprintf(name, sizeof name, "device_watt.%s", activity);
		text_number(text, name, power->device_watt[i]);
		snprintf(name, sizeof name, "dynamic_watt.%s", activity);
		text_number(text, name, power->dynamic_watt[i]);
	}
}

void tell_power(struct text *text, const struct paradl_oracle *oracle, const struct paradl_estimate *estimate)
{
	struct paradl_power power;
	struct paradl_price price;
	paradl_power(oracle, estimate, &power);
	paradl_price(oracle, estimate, &price);
	text_prefix(text, "power.");
	tell_activities(text, &power);
	NUMBER(text, &power, nodes);
	NUMBER(text, &power, idle_watt);
	NUMBER(text, &power, host_watt);
	NUMBER(text, &power, network_watt);
	NUMBER(text, &power, storage_watt);
	NUMBER(text, &power, cooling_watt);
	NUMBER(text, &power, total_watt);
	NUMBER(text, &power, pue);
	text_prefix(text, "price.");
	NUMBER(text, &price, owned);
	NUMBER(text, &price, nodes);
	NUMBER(text, &price, rent_per_hour);
	NUMBER(text, &price, node_per_hour);
	NUMBER(text, &price, network_per_hour);
	NUMBER(text, &price, maintenance_per_hour);
	NUMBER(text, &price, staff_per_hour);
	NUMBER(text, &price, energy_per_hour);
	NUMBER(text, &price, total_per_hour);
	NUMBER(text, &price, energy_per_kwh);
	text_prefix_end(text);
}

static void tell_input_times(struct text *text, const struct paradl_input *input)
{
	char name[64];
	for (unsigned i = 0; i < PARADL_RESOURCE_COUNT; ++i) {
		snprintf(name, sizeof name, "resource_s.%s", paradl_resource_name((enum paradl_resource)i));
		text_number(text, name, input->resource_s[i]);
	}
	NUMBER(text, input, fetch_s);
	NUMBER(text, input, straggler_s);
	NUMBER(text, input, preparation_s);
	NUMBER(text, input, transfer_s);
	NUMBER(text, input, exchange_s);
	NUMBER(text, input, busy_s);
	NUMBER(text, input, step_s);
	NUMBER(text, input, stall_fetch_s);
	NUMBER(text, input, stall_straggler_s);
	NUMBER(text, input, stall_preparation_s);
	NUMBER(text, input, stall_exchange_s);
	NUMBER(text, input, first_epoch_s);
	NUMBER(text, input, epoch_s);
	NUMBER(text, input, utilisation);
	NUMBER(text, input, bytes_per_s);
	NUMBER(text, input, samples_per_s);
}

void tell_input(struct text *text, const struct paradl_input *input)
{
	NUMBER(text, input, known);
	text_word(text, "lacking", input->lacking);
	if (!input->known)
		return;
	NUMBER(text, input, possible);
	text_word(text, "reason", input->possible ? NULL : input->reason);
	NUMBER(text, input, store);
	NUMBER(text, input, readers);
	NUMBER(text, input, nodes);
	NUMBER(text, input, share_per_reader);
	NUMBER(text, input, stored_bytes_per_node);
	NUMBER(text, input, capacity_bytes);
	NUMBER(text, input, cached_share);
	NUMBER(text, input, staging_s);
	tell_input_times(text, input);
	NUMBER(text, input, binding);
	NUMBER(text, input, next);
	NUMBER(text, input, risk);
	NUMBER(text, input, risk_points);
}

static void tell_layers(struct text *text, const struct subject *subject, const struct paradl_plan *plan)
{
	struct paradl_layer_table table = {0};
	struct paradl_error error = {0};
	if (!paradl_estimate_layers(subject->oracle, plan, subject->arena, &table, &error)) {
		text_refusal(text, "layers", &error);
		return;
	}
	for (size_t i = 0; i < table.count; ++i) {
		const struct paradl_layer_estimate *const row = &table.rows[i];
		text_prefix(text, "layer[%zu].", i);
		text_word(text, "name", row->name);
		NUMBER(text, row, count);
		text_word(text, "split", row->split);
		NUMBER(text, row, forward_s);
		NUMBER(text, row, backward_s);
		NUMBER(text, row, weight_update_s);
		NUMBER(text, row, communication_s);
		NUMBER(text, row, weights_bytes);
		NUMBER(text, row, activations_bytes);
	}
	text_prefix_end(text);
}

void tell_explanation(struct text *text, const struct paradl_explanation *explanation)
{
	for (size_t i = 0; i < explanation->count; ++i) {
		const struct paradl_term *const term = &explanation->terms[i];
		text_prefix(text, "term[%zu].", i);
		NUMBER(text, term, phase);
		NUMBER(text, term, seconds);
		text_word(text, "formula", term->formula);
		text_word(text, "numbers", term->numbers);
	}
	text_prefix_end(text);
}

static void tell_terms(struct text *text, const struct subject *subject, const struct paradl_plan *plan)
{
	struct paradl_explanation explanation = {0};
	struct paradl_error error = {0};
	if (paradl_explain(subject->oracle, plan, subject->arena, &explanation, &error))
		tell_explanation(text, &explanation);
	else
		text_refusal(text, "terms", &error);
}

static void tell_events(struct text *text, const struct paradl_timeline *timeline)
{
	for (size_t i = 0; i < timeline->count; ++i) {
		const struct paradl_event *const event = &timeline->events[i];
		text_prefix(text, "event[%zu].", i);
		NUMBER(text, event, start_s);
		NUMBER(text, event, end_s);
		text_prefix(text, "event[%zu].%s.%u.%u.", i, paradl_work_name(event->work), event->device,
			event->stage);
		NUMBER(text, event, micro_batch);
	}
	text_prefix_end(text);
}

static void tell_timeline(
	struct text *text, const struct subject *subject, const struct paradl_estimate *estimate)
{
	struct paradl_timeline timeline = {0};
	struct paradl_error error = {0};
	const double events = 3.0 * estimate->plan.degree[PARADL_PIPELINE] * estimate->micro_batches *
			      (estimate->plan.chunks ? estimate->plan.chunks : 1);
	if (events > EVENTS_MOST)
		return;
	if (!paradl_timeline(subject->oracle, &estimate->plan, subject->arena, &timeline, &error)) {
		text_refusal(text, "timeline", &error);
		return;
	}
	text_prefix(text, "timeline.");
	NUMBER(text, &timeline, devices);
	NUMBER(text, &timeline, chunks);
	NUMBER(text, &timeline, micro_batches);
	NUMBER(text, &timeline, count);
	NUMBER(text, &timeline, schedule_s);
	NUMBER(text, &timeline, step_s);
	NUMBER(text, &timeline, end_s);
	tell_events(text, &timeline);
}

static void tell_remedy(
	struct text *text, const struct subject *subject, const struct paradl_estimate *estimate)
{
	struct paradl_remedy remedy;
	char lacking[128] = "";
	text_number(text, "offered",
		paradl_plan_offered(subject->oracle, &estimate->plan, lacking, sizeof lacking));
	text_word(text, "lacking", lacking);
	const bool found = paradl_remedy(subject->oracle, estimate, &remedy);
	text_number(text, "remedy", found);
	if (!found)
		return;
	text_prefix(text, "remedy.");
	text_word(text, "change", remedy.change);
	NUMBER(text, &remedy, memory_bytes);
	NUMBER(text, &remedy, iteration_s);
	NUMBER(text, &remedy, slower);
	text_prefix_end(text);
}

void tell_more(struct text *text, const struct subject *subject, const struct paradl_estimate *estimate)
{
	struct paradl_input input = {0};
	tell_layers(text, subject, &estimate->plan);
	tell_terms(text, subject, &estimate->plan);
	tell_timeline(text, subject, estimate);
	tell_power(text, subject->oracle, estimate);
	tell_remedy(text, subject, estimate);
	paradl_input(subject->oracle, estimate, NULL, &input);
	text_prefix(text, "input.");
	tell_input(text, &input);
	text_prefix_end(text);
}
