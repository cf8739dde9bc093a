/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program may use the collectives of the machine's library, or those that the framework lists, and each message
 * takes the fastest; without a list it uses rings. --algo forces one for the gradient exchange, or allows all.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/quantity.h"
#include "network/machine_network.h"
#include "oracle/evaluation.h"

static void list_add(struct choice_list *list, const struct collective *collective)
{
	unsigned count = 0;
	while (list->items[count])
		++count;
	if (count < CHOICE_MAX)
		list->items[count] = collective;
}

static void list_begin(struct choice_list *list, enum operation operation, unsigned channels)
{
	*list = (struct choice_list){.choice = {.operation = operation, .channels = channels}};
	list->choice.algorithms = list->items;
}

static bool algorithm_unknown(const char *name, bool only_allreduce, struct paradl_error *error)
{
	const char *names[256];
	size_t count = 0;
	for (unsigned i = 0; collectives[i] && count < 256; ++i)
		if (!only_allreduce || collectives[i]->operation == ALLREDUCE)
			names[count++] = collectives[i]->name;
	char full[96];
	snprintf(full, sizeof full, "%s-%s", operation_names[ALLREDUCE], name);
	const char *near = suggest(name, names, count);
	if (!near)
		near = suggest(full, names, count);
	char quoted[64];
	error_set(error, PARADL_USAGE, "there is no %s %s%s%s%s", only_allreduce ? "allreduce" : "collective",
		error_quote(quoted, sizeof quoted, name), near ? "; did you mean \"" : "", near ? near : "",
		near ? "\"?" : "");
	return error_hint(error, "\"paradl list collectives\" shows them");
}

/* Returns the library of the machine's links where a program that has these algorithms may use it; else NULL. */
static const char *library_of(const struct paradl_oracle *oracle, const struct choice_list *list)
{
	const char *library = oracle->machine->device.link.library;
	for (unsigned i = 0; library && oracle->rules.library_starts && list->items[i]; ++i)
		if (library_runs(library, list->items[i]))
			return library;
	return NULL;
}

enum { LISTS = 7 };

/* Adds a dense collective to the lists of its operation. */
static void lists_add(struct choice_list *const lists[LISTS], const struct collective *collective)
{
	for (unsigned k = 0; k < LISTS && !collective->sparse; ++k)
		if (lists[k]->choice.operation == collective->operation)
			list_add(lists[k], collective);
}

/* Adds what the framework names, in full, whatever the operation; false with an error for an unknown name. */
static bool named_list(const struct paradl_framework *framework, struct choice_list *const lists[LISTS],
	struct paradl_error *error)
{
	for (unsigned i = 0; i < framework->algorithm_count; ++i) {
		unsigned named = 0;
		while (collectives[named] && strcmp(collectives[named]->name, framework->algorithms[i]) != 0)
			++named;
		if (!collectives[named]) {
			algorithm_unknown(framework->algorithms[i], false, error);
			if (error) {
				error->status = PARADL_SCHEMA;
				snprintf(error->path, sizeof error->path, "%s", framework->path);
			}
			return false;
		}
		lists_add(lists, collectives[named]);
	}
	return true;
}

const char *choices_library(const struct paradl_oracle *oracle)
{
	return oracle->framework->any_algorithm ? machine_library(oracle->machine) : NULL;
}

/* Adds what the machine's library has; false with an error where there is no such library. */
static bool library_list(const struct paradl_oracle *oracle, struct choice_list *const lists[LISTS],
	struct paradl_error *error)
{
	const struct paradl_machine *machine = oracle->machine;
	const char *const library = choices_library(oracle);
	if (!library_exists(library)) {
		char quoted[64];
		error_set(error, PARADL_SCHEMA, "there is no library %s",
			error_quote(quoted, sizeof quoted, library));
		if (error)
			snprintf(error->path, sizeof error->path, "%s", machine->path ? machine->path : "");
		return error_hint(error, "libraries: nccl, rccl, xla, mpi, fpga");
	}
	for (unsigned i = 0; collectives[i]; ++i)
		if (library_has(library, collectives[i]))
			lists_add(lists, collectives[i]);
	return true;
}

/* Lets an allreduce by a ring be two allgathers by rings, which it is where combining is hidden. */
static void halves_find(const struct paradl_oracle *oracle, struct exchange_choices *choices)
{
	const struct machine_network *network = oracle->machine->network;
	if (choices->reduce.items[0] == &collective_allreduce_ring && !choices->reduce.items[1] &&
		choices->gather.items[0] == &collective_allgather_ring && !choices->gather.items[1] &&
		!(network && network->reduce_s_per_byte > 0))
		choices->reduce.choice.half = &choices->gather.choice;
}

static bool libraries_list(
	const struct paradl_oracle *oracle, struct exchange_choices *choices, struct paradl_error *error)
{
	static const struct collective *const usual[] = {[ALLREDUCE] = &collective_allreduce_ring,
		[ALLGATHER] = &collective_allgather_ring,
		[REDUCE_SCATTER] = &collective_reduce_scatter_ring,
		[ALL_TO_ALL] = &collective_all_to_all_direct};
	const struct paradl_framework *framework = oracle->framework;
	struct choice_list *const lists[LISTS] = {&choices->gradient, &choices->reduce, &choices->gather,
		&choices->scatter, &choices->all_to_all, &choices->weights, &choices->shards};
	if (!(framework->any_algorithm ? library_list(oracle, lists, error)
				       : named_list(framework, lists, error)))
		return false;
	for (unsigned k = 0; k < LISTS; ++k) {
		if (!lists[k]->items[0])
			list_add(lists[k], usual[lists[k]->choice.operation]);
		lists[k]->choice.measured = framework->measured_curves;
		lists[k]->choice.library = library_of(oracle, lists[k]);
		lists[k]->choice.protocols = oracle->rules.library_starts;
	}
	halves_find(oracle, choices);
	return true;
}

static bool algorithm_force(const char *name, struct choice_list *list, struct paradl_error *error)
{
	const bool protocols = list->choice.protocols;
	if (!name)
		return true;
	list_begin(list, ALLREDUCE, list->choice.channels);
	if (strcmp(name, "auto") == 0) {
		for (unsigned i = 0; collectives[i]; ++i)
			if (collectives[i]->operation == ALLREDUCE && !collectives[i]->sparse)
				list_add(list, collectives[i]);
		return true;
	}
	const struct collective *collective = collective_find(ALLREDUCE, name);
	if (!collective)
		return algorithm_unknown(name, true, error);
	if (collective->sparse) {
		error_set(error, PARADL_USAGE, "%s is for sparse gradients, and --algo is about dense ones",
			collective->name);
		return error_hint(error, "--compress topk:1%% takes the fastest of the sparse algorithms");
	}
	list_add(list, collective);
	list->choice.protocols = protocols;
	return true;
}

static bool density_parse(struct exchange_choices *choices, const char *text, struct paradl_error *error)
{
	const char *end = "";
	double density = 0;
	const bool is_number = decimal_read(text, 0, &density, &end);
	const bool is_percent = is_number && strcmp(end, "%") == 0;
	if (is_percent)
		density /= 100;
	if (!is_number || (*end && !is_percent) || !(density > 0) || !(density <= 1))
		return error_set(error, PARADL_USAGE,
			"topk needs the share of gradients that is sent, above 0 up to 1, as in topk:0.01 or "
			"topk:1%%");
	choices->sparse.choice.density = density;
	char digits[16];
	snprintf(choices->density_text, sizeof choices->density_text, "topk:%s",
		decimal_general(digits, sizeof digits, density, 4));
	return true;
}

static bool compression_parse(
	const struct paradl_oracle *oracle, struct exchange_choices *choices, struct paradl_error *error)
{
	const char *text = oracle->options.compress ? oracle->options.compress : "none";
	const bool any = strcmp(text, "auto") == 0;
	choices->compress[COMPRESS_NONE] = any || strcmp(text, "none") == 0;
	choices->compress[COMPRESS_FP16] = any || strcmp(text, "fp16") == 0;
	choices->compress[COMPRESS_TOPK] = any || strncmp(text, "topk:", 5) == 0;
	if (choices->compress[COMPRESS_TOPK] && !density_parse(choices, any ? "0.01" : text + 5, error))
		return false;
	if (!choices->compress[COMPRESS_NONE] && !choices->compress[COMPRESS_FP16] &&
		!choices->compress[COMPRESS_TOPK])
		return error_set(error, PARADL_USAGE,
			"gradients cannot be compressed by \"%.20s\": none, fp16, topk:SHARE or auto", text);
	choices->sparse.choice.value_bytes = precision_activation_bytes(oracle->precision);
	for (unsigned i = 0; collectives[i]; ++i)
		if (collectives[i]->operation == ALLREDUCE && collectives[i]->sparse)
			list_add(&choices->sparse, collectives[i]);
	return true;
}

bool choices_make(struct paradl_oracle *oracle, struct paradl_error *error)
{
	struct exchange_choices *choices = arena_alloc(oracle->arena, 1, sizeof *choices);
	if (!choices)
		return out_of_memory(error);
	list_begin(&choices->gradient, ALLREDUCE, oracle->rules.gradient_rings);
	list_begin(&choices->sparse, ALLREDUCE, oracle->rules.gradient_rings);
	list_begin(&choices->weights, ALLGATHER, oracle->rules.gradient_rings);
	list_begin(&choices->shards, REDUCE_SCATTER, oracle->rules.gradient_rings);
	list_begin(&choices->reduce, ALLREDUCE, oracle->rules.activation_rings);
	list_begin(&choices->gather, ALLGATHER, oracle->rules.activation_rings);
	list_begin(&choices->scatter, REDUCE_SCATTER, oracle->rules.activation_rings);
	list_begin(&choices->all_to_all, ALL_TO_ALL, oracle->rules.activation_rings);
	list_begin(&choices->message, POINT_TO_POINT, 1);
	list_add(&choices->message, &collective_point_to_point);
	curve_of_segments(oracle->rules.segments, oracle->rules.segment_count, &choices->staged);
	oracle->choices = choices;
	return libraries_list(oracle, choices, error) &&
	       algorithm_force(oracle->options.algorithm, &choices->gradient, error) &&
	       compression_parse(oracle, choices, error);
}

/* Builds a larger network for larger plans; doubling bounds what is left in the arena. */
bool network_prepare(struct paradl_oracle *oracle, double devices, struct paradl_error *error)
{
	if (oracle->options.ideal || devices < 2 || devices <= oracle->routed)
		return true;
	const double twice = 2.0 * oracle->routed, most = oracle->machine->devices;
	const double ahead = twice < NETWORK_DEVICES_MAX ? twice : NETWORK_DEVICES_MAX;
	const double wanted = oracle->machine->network ? 0 : devices > ahead ? devices : ahead;
	struct network *network =
		network_for(oracle->arena, oracle->machine, (unsigned)(wanted < most ? wanted : most), error);
	if (!network)
		return size_hint(oracle->machine->changes, error);
	struct table *table = table_create(oracle->arena, network);
	if (!table)
		return out_of_memory(error);
	oracle->table = table;
	oracle->routed = network->devices;
	return true;
}

/* Network of plans of `devices` devices on a machine that slices. */
struct slice {
	unsigned devices;
	struct table *table;
	struct slice *next;
};

bool network_take(
	struct paradl_oracle *oracle, double devices, struct table **table, struct paradl_error *error)
{
	if (oracle->options.ideal || devices < 2 || !network_is_sliced(oracle->machine, (unsigned)devices)) {
		const bool ready = network_prepare(oracle, devices, error);
		*table = oracle->table;
		return ready;
	}
	struct slice *slice = oracle->slices;
	while (slice && slice->devices != (unsigned)devices)
		slice = slice->next;
	if (!slice) {
		struct network *network =
			network_for(oracle->arena, oracle->machine, (unsigned)devices, error);
		slice = network ? arena_alloc(oracle->arena, 1, sizeof *slice) : NULL;
		if (!slice || !(slice->table = table_create(oracle->arena, network)))
			return network && out_of_memory(error);
		slice->devices = (unsigned)devices;
		slice->next = oracle->slices;
		oracle->slices = slice;
	}
	*table = slice->table;
	return true;
}

bool slices_clone(struct paradl_oracle *clone, const struct slice *slices)
{
	clone->slices = NULL;
	for (; slices; slices = slices->next) {
		struct slice *copy = arena_alloc(clone->arena, 1, sizeof *copy);
		if (!copy)
			return false;
		*copy = (struct slice){
			slices->devices, table_clone(slices->table, clone->arena), clone->slices};
		if (!copy->table)
			return false;
		clone->slices = copy;
	}
	return true;
}
