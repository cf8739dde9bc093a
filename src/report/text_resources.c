/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These functions print what a plan takes: peak memory per GPU by class, power, energy and cost, each with its
 * parts.
 */
#include <string.h>

#include "report/text.h"

/* Returns where and when memory peaks, "on stage 2, at the loss, with 7 micro-batches in flight". */
static const char *memory_moment(struct report_sink *sink, const struct paradl_memory *memory)
{
	static const char *const moments[PARADL_MOMENT_COUNT] = {
		"", "when backward begins", "at the loss", "at the optimizer step"};
	const char *const stage = memory->stage > 0 ? typeset(sink, "on stage %u, ", memory->stage) : "";
	const char *const flight =
		memory->in_flight > 1 && memory->moment != PARADL_MOMENT_STEP
			? typeset(sink, ", with %.3g micro-batches in flight", memory->in_flight)
			: "";
	return typeset(sink, "%s%s%s", stage, moments[memory->moment], flight);
}

void text_memory(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	const struct paradl_memory *const memory = &estimate->memory;
	const double parts[] = {memory->weights_bytes, memory->gradients_bytes, memory->optimizer_bytes,
		memory->activations_bytes, memory->logits_bytes, memory->workspace_bytes,
		memory->communication_bytes, memory->context_bytes, memory->fragmentation_bytes,
		memory->cache_bytes};
	static const char *const names[] = {"weights", "gradients", "optimizer", "activations", "logits",
		"workspace", "communication", "context", "fragmentation", "cache"};
	const char *line = typeset(sink, "%s of %s/GPU (%s)",
		typeset_quantity(sink, estimate->memory_bytes, DIMENSION_BYTES),
		typeset_quantity(sink, estimate->capacity_bytes, DIMENSION_BYTES),
		typeset_percent(sink, estimate->memory_bytes / estimate->capacity_bytes));
	const char *joint = ": ";
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (!(parts[i] > 0))
			continue;
		line = typeset(sink, "%s%s%s %s", line, joint, names[i],
			typeset_quantity(sink, parts[i], DIMENSION_BYTES));
		joint = ", ";
	}
	if (memory->moment != PARADL_MOMENT_PASS)
		line = typeset(sink, "%s; fullest %s", line, memory_moment(sink, memory));
	typeset_labelled(sink, "memory", line);
}

static void add_memory(struct table *table, const char *name, double bytes, double capacity, const char *what)
{
	const char **const cells = table_row(table);
	cells[0] = name;
	cells[1] = typeset_quantity(table->sink, bytes, DIMENSION_BYTES);
	cells[2] = capacity > 0 ? typeset_percent(table->sink, bytes / capacity) : "";
	cells[3] = what;
}

/* Adds the classes that only networks of tokens have, where they have any bytes. */
static void add_moment(struct table *table, const struct paradl_memory *memory, double capacity)
{
	const struct {
		const char *name;
		double bytes;
		const char *what;
	} rows[] = {
		{"logits", memory->logits_bytes, "scores, probabilities and their gradients"},
		{"communication", memory->communication_bytes, "gathered weights, messages on their way"},
		{"context", memory->context_bytes, "runtime, libraries, communicators"},
		{"fragmentation", memory->fragmentation_bytes, "held by the allocator, of no use"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].bytes > 0)
			add_memory(table, rows[i].name, rows[i].bytes, capacity, rows[i].what);
}

void text_memory_table(struct report_sink *sink, const struct paradl_estimate *estimate)
{
	static const struct table_column columns[] = {
		{"peak memory per GPU", TABLE_LEFT, 0, 0},
		{"bytes", TABLE_RIGHT, 0, 0},
		{"share", TABLE_RIGHT, 2, 0},
		{"what", TABLE_LEFT, 4, 16},
	};
	const struct paradl_memory *const memory = &estimate->memory;
	const double capacity = estimate->capacity_bytes;
	struct table table;
	table_start(&table, sink);
	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
		table_column(&table, &columns[i]);
	add_memory(&table, "weights", memory->weights_bytes, capacity, "of its shard");
	if (estimate->inference.prompts_s > 0) {
		add_memory(
			&table, "cache", memory->cache_bytes, capacity, "keys and values of all sequences");
		add_memory(
			&table, "activations", memory->activations_bytes, capacity, "of the largest layer");
	} else {
		add_memory(&table, "gradients", memory->gradients_bytes, capacity,
			"one per weight, and buffers of the exchange");
		add_memory(&table, "optimizer", memory->optimizer_bytes, capacity, "states kept per weight");
		add_memory(&table, "activations", memory->activations_bytes, capacity,
			"kept from forward to backward");
	}
	add_memory(&table, "workspace", memory->workspace_bytes, capacity, "buffers and libraries");
	if (memory->moment != PARADL_MOMENT_PASS)
		add_moment(&table, memory, capacity);
	const bool has_moment = memory->moment != PARADL_MOMENT_PASS;
	add_memory(&table, "total", estimate->memory_bytes, capacity,
		has_moment ? memory_moment(table.sink, memory) : "");
	add_memory(&table, "capacity", capacity, 0, "");
	putc('\n', sink->file);
	table_print(&table);
}

enum { JOULE_PER_WATT_HOUR = 3600 };

/* Returns an energy in joules, with the prefixes that watts have; "-" for a negative value. */
const char *text_joule(struct report_sink *sink, double joule)
{
	const char *const text = typeset_quantity(sink, joule, DIMENSION_POWER);
	const size_t length = strlen(text);
	return joule < 0 || length == 0 ? "-" : typeset(sink, "%.*sJ", (int)(length - 1), text);
}

const char *text_energy(struct report_sink *sink, double joule)
{
	const double watt_hours = joule / JOULE_PER_WATT_HOUR;
	if (watt_hours < 0.9995)
		return text_joule(sink, joule);
	if (watt_hours < 999.5)
		return typeset(sink, "%.3g Wh", watt_hours);
	return watt_hours < 9999.5 ? typeset(sink, "%.3g kWh", watt_hours / 1000)
				   : typeset(sink, "%sWh", typeset_scaled(sink, watt_hours));
}

struct part {
	const char *name;
	double value;
};

static const double least_share = 5e-4; /* least share of the total power that is printed */

/* Returns "hosts 1.1 kW, cooling 820 W", with the parts that have more than least_share of the total. */
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
	const double each = estimate->watt / estimate->samples_per_s;
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
	if (estimate->inference.tokens_per_s > 0)
		text = typeset(sink, "%s a million tokens, %s",
			typeset_money(sink,
				price->total_per_hour / 3600 / estimate->inference.tokens_per_s * 1e6,
				currency),
			text);
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
