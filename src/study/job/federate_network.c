/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prices a network alone on one device, and its first layers, with the oracle.
 *
 * Transfers between many clients and one server. At any time the server's rate is shared max-min fairly: each client
 * that transfers has its own rate or, where that is more, the same level as all others that could have more. Events are
 * starts and ends of transfers.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/quantity.h"
#include "study/job/federated.h"

struct paradl_oracle *oracle_for(struct paradl_oracle *oracle, struct paradl_arena *arena,
	const struct paradl_model *model, const char *device, struct paradl_error *error)
{
	const struct paradl_machine *machine = oracle->machine;
	struct paradl_options options = oracle->options;
	if (device) {
		struct paradl_machine *const other = arena_alloc(arena, 1, sizeof *other);
		const char *const path =
			beside_or_shipped(arena, machine->path, "devices", device, machine->directories);
		if (!other || !path)
			return out_of_memory_null(error);
		*other = *machine;
		if (!device_load(arena, path, machine->directories, &other->device, error)) {
			if (error && error->status == PARADL_IO)
				error_hint(error,
					"a group's \"device\" is the name of a file in hw-profiles/devices/");
			return NULL;
		}
		machine = other;
	}
	options.input = &(struct paradl_input_options){.off = true}; /* a client's data is small, and near */
	if (model && model != oracle->model)
		options.layer_times = NULL; /* they belong to the other network */
	return paradl_oracle_create(
		arena, model ? model : oracle->model, machine, oracle->framework, &options, error);
}

unsigned network_cut(const struct paradl_model *model, const char *text, struct paradl_error *error)
{
	const char *end;
	double number;
	const unsigned most = model->unit_count > 1 ? model->unit_count - 1 : 1;
	if (!text)
		return 1;
	if (decimal_read(text, 0, &number, &end) && *end == '\0' && number >= 1 && number <= most)
		return (unsigned)number;
	for (unsigned unit = 0; unit < most; unit++)
		if (strcmp(model->names[model->units[unit].end - 1], text) == 0)
			return unit + 1;
	error_set(error, PARADL_USAGE, "splitfed: \"%s\" is no place where %s can be cut", text, model->name);
	error_hint(error,
		"give the name of a layer outside of branches, as 'paradl list MODEL' has it, or a number "
		"from "
		"1 to %u",
		most);
	return 0;
}

/* Sums over the layers up to a position. */
struct head {
	double weights, kept, busy_s;
};

static struct head head_of(
	const struct paradl_model *model, const struct paradl_layer_table *table, unsigned end)
{
	struct head head = {0, 0, 0};
	for (unsigned i = 0; i < end; i++) {
		const struct layer *const layer = &model->layers[model->order[i]];
		const struct paradl_layer_estimate *const row = &table->rows[model->order[i]];
		head.weights += layer->weight_items + layer->frozen_items;
		head.kept += layer->kept_items;
		head.busy_s += (row->forward_s + row->backward_s + row->weight_update_s) / row->count;
	}
	return head;
}

static void last_product(const struct paradl_model *model, struct network_cost *cost)
{
	for (unsigned i = 0; i < model->order_count; i++) {
		const struct layer *const layer = &model->layers[model->order[i]];
		if (layer->class_ != LAYER_LINEAR && layer->class_ != LAYER_CONVOLUTION &&
			layer->class_ != LAYER_HEAD)
			continue;
		cost->classes = layer->y_items;
		cost->penultimate_items = layer->weight_items;
	}
}

bool network_cost_fill(struct paradl_oracle *oracle, double batch, double slower, unsigned cut,
	struct paradl_arena *arena, struct network_cost *cost, struct paradl_error *error)
{
	struct paradl_plan plan;
	struct paradl_estimate estimate;
	struct paradl_layer_table table;
	const struct paradl_model *const model = oracle->model;
	if (!paradl_plan_parse("serial", &plan, error))
		return false;
	plan.batch = batch;
	if (!paradl_estimate(oracle, &plan, &estimate, error) ||
		!paradl_estimate_layers(oracle, &plan, arena, &table, error))
		return false;
	const struct unit *const unit = &model->units[cut - 1];
	const struct head head = head_of(model, &table, unit->end);
	const struct head all = head_of(model, &table, model->order_count);
	const struct paradl_memory *const memory = &estimate.memory;
	*cost = (struct network_cost){
		.parameters = all.weights,
		.head_parameters = head.weights,
		.step_s = slower * estimate.iteration_s,
		.forward_s = slower * estimate.phase_s[PARADL_FORWARD],
		.head_s = all.busy_s > 0 ? slower * estimate.iteration_s * (head.busy_s / all.busy_s) : 0,
		.cut_bytes = WEIGHT_BYTES * unit->boundary_items,
		.state_bytes = memory->weights_bytes + memory->gradients_bytes + memory->optimizer_bytes,
		.activation_bytes = memory->activations_bytes + memory->logits_bytes,
		.other_bytes = memory->workspace_bytes + memory->communication_bytes + memory->context_bytes +
			       memory->fragmentation_bytes,
	};
	cost->head_activation_bytes = all.kept > 0 ? cost->activation_bytes * (head.kept / all.kept) : 0;
	last_product(model, cost);
	return true;
}

/* Gives transfers that are under way at now_s their own rate, the others 0; *wanting: the clients of the former. */
static void begin_shares(struct transfer *transfers, size_t count, double now_s, double *wanting)
{
	*wanting = 0;
	for (size_t i = 0; i < count; i++) {
		struct transfer *const transfer = &transfers[i];
		const bool busy = transfer->left_bytes > 0 && transfer->start_s <= now_s;
		transfer->now_bytes_per_s = busy ? transfer->bytes_per_s : 0;
		*wanting += busy ? transfer->count : 0;
	}
}

/*
 * Divides the server's rate. The level rises from an equal share of all while the own rate of some is below it: at
 * most as often as there are transfers, because each time at least one more is found to be below.
 */
static void share_server(struct transfer *transfers, size_t count, double now_s, double server_bytes_per_s)
{
	double level = 0, left = server_bytes_per_s, wanting = 0;
	begin_shares(transfers, count, now_s, &wanting);
	for (size_t round = 0; round < count && wanting > 0; round++) {
		level = left / wanting;
		left = server_bytes_per_s;
		wanting = 0;
		for (size_t i = 0; i < count; i++) {
			const struct transfer *const transfer = &transfers[i];
			if (transfer->now_bytes_per_s > level)
				wanting += transfer->count;
			else
				left -= transfer->count * transfer->now_bytes_per_s;
		}
	}
	if (wanting > 0)
		for (size_t i = 0; i < count; i++)
			transfers[i].now_bytes_per_s = fmin(transfers[i].now_bytes_per_s, level);
}

/* Returns when a transfer ends if nothing changes, or when it starts; HUGE_VAL: it is over. */
static double next_of(const struct transfer *transfer, double now_s)
{
	if (transfer->now_bytes_per_s > 0)
		return now_s + transfer->left_bytes / transfer->now_bytes_per_s;
	return transfer->left_bytes > 0 ? transfer->start_s : HUGE_VAL;
}

void transfers_run(struct transfer *transfers, size_t count, double server_bytes_per_s)
{
	double now_s = 0;
	for (size_t i = 0; i < count; i++) {
		transfers[i].left_bytes = transfers[i].count > 0 ? transfers[i].bytes : 0;
		transfers[i].end_s = transfers[i].start_s;
	}
	for (;;) {
		double next_s = HUGE_VAL;
		share_server(transfers, count, now_s, server_bytes_per_s > 0 ? server_bytes_per_s : HUGE_VAL);
		for (size_t i = 0; i < count; i++)
			next_s = fmin(next_s, next_of(&transfers[i], now_s));
		if (!(next_s < HUGE_VAL))
			return;
		for (size_t i = 0; i < count; i++) {
			struct transfer *const transfer = &transfers[i];
			if (!(transfer->now_bytes_per_s > 0))
				continue;
			if (next_of(transfer, now_s) <= next_s) {
				transfer->left_bytes = 0;
				transfer->end_s = next_s;
			} else {
				transfer->left_bytes -= (next_s - now_s) * transfer->now_bytes_per_s;
			}
		}
		now_s = next_s;
	}
}
