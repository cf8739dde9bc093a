/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the fullest device of a plan, by class. */
#include "report/text.h"

/* "on stage 2 of 8 at the loss, with 7 micro-batches in flight" */
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

/* Classes of networks of tokens. */
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
		{"memory of the fullest GPU", TABLE_LEFT, 0, 0},
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
