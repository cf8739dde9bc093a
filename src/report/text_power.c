/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an estimate draws, uses up and costs, each with its parts. */
#include "report/text.h"

struct part {
	const char *name;
	double value;
};

static const double least_share = 5e-4; /* of the whole, that is worth a word */

/* "hosts 1.1 kW, cooling 820 W" of parts that are more than next to nothing. */
static const char *watt_list(
	struct report_sink *sink, const struct part *parts, size_t count, double total_watt)
{
	const char *text = "";
	for (size_t i = 0; i < count; i++)
		if (parts[i].value > least_share * total_watt)
			text = typeset(sink, "%s%s%s %s", text, *text ? ", " : "", parts[i].name,
				typeset_quantity(sink, parts[i].value, DIMENSION_POWER));
	return text;
}

static const char *money_list(
	struct report_sink *sink, const struct part *parts, size_t count, const char *currency)
{
	const char *text = "";
	for (size_t i = 0; i < count; i++)
		if (parts[i].value > 0)
			text = typeset(sink, "%s%s%s %s", text, *text ? ", " : "", parts[i].name,
				typeset_money(sink, parts[i].value, currency));
	return text;
}

static void print_power(struct report_sink *sink, const struct paradl_power *power)
{
	double devices_watt = power->idle_watt;
	struct part states[PARADL_ACTIVITY_COUNT + 1];
	for (unsigned i = 0; i < PARADL_ACTIVITY_COUNT; i++) {
		states[i] =
			(struct part){paradl_activity_name((enum paradl_activity)i), power->dynamic_watt[i]};
		devices_watt += power->dynamic_watt[i];
	}
	states[PARADL_ACTIVITY_COUNT] = (struct part){"idle", power->idle_watt};
	const struct part others[] = {{"hosts", power->host_watt}, {"network", power->network_watt},
		{"storage", power->storage_watt}, {"cooling", power->cooling_watt}};
	const char *const rest = watt_list(sink, others, sizeof others / sizeof others[0], power->total_watt);
	typeset_labelled(sink, "power",
		typeset(sink, "%s: GPUs %s (%s)%s%s",
			typeset_quantity(sink, power->total_watt, DIMENSION_POWER),
			typeset_quantity(sink, devices_watt, DIMENSION_POWER),
			watt_list(sink, states, sizeof states / sizeof states[0], power->total_watt),
			*rest ? ", " : "", rest));
}

static void print_energy(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const struct paradl_inference *const inference = &estimate->inference;
	const double each = estimate->watt * estimate->iteration_s / estimate->plan.batch;
	const char *text;
	if (inference->output_tokens > 0)
		text = typeset(sink, "%s an answer, %s a token of it", text_joule(sink, each),
			text_joule(sink, each / inference->output_tokens));
	else
		text = typeset(sink, "%s a sample", text_joule(sink, each));
	if (estimate->energy_joule_per_epoch >= 0)
		text = typeset(
			sink, "%s an epoch, %s", text_energy(sink, estimate->energy_joule_per_epoch), text);
	typeset_labelled(sink, "energy", text);
}

static void print_price(struct report_sink *sink, const struct paradl_estimate *estimate,
	const struct paradl_price *price, const char *currency)
{
	const struct part parts[] = {{"rent", price->rent_per_hour}, {"nodes", price->node_per_hour},
		{"network", price->network_per_hour}, {"maintenance", price->maintenance_per_hour},
		{"staff", price->staff_per_hour}, {"energy", price->energy_per_hour}};
	const char *text = typeset(sink, "%s an hour", typeset_money(sink, price->total_per_hour, currency));
	if (price->owned)
		text = typeset(sink, "%s: %s", text,
			money_list(sink, parts, sizeof parts / sizeof parts[0], currency));
	else
		text = typeset(sink, "%s (rent)", text);
	if (estimate->cost_per_epoch >= 0)
		text = typeset(sink, "%s an epoch, %s",
			typeset_money(sink, estimate->cost_per_epoch, currency), text);
	typeset_labelled(sink, "cost", text);
}

void text_power(struct report_sink *sink, const struct report_estimate *report)
{
	if (report->power.total_watt >= 0) {
		print_power(sink, &report->power);
		print_energy(sink, report->estimate);
	}
	if (report->price.total_per_hour >= 0)
		print_price(sink, report->estimate, &report->price, report->head->machine.currency);
}
