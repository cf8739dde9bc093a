/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An operation of a group is answered by size and by algorithm. With protocols every size is compiled; otherwise one
 * compilation serves all sizes, and crossovers are those of the envelope. Inside a node whose library is known,
 * times include what it adds (machine/link.c), which does not change their order. A time is the sum of the steps
 * (compile.h), of the best few algorithms that of their messages where it differs (ask_finalists.c), and a measured
 * one where there are measurements.
 *     bus bandwidth = bytes / time * factor        factors as in nccl-tests' PERFORMANCE.md
 *     energy = (idle watts of links in use) T + (joules a byte) bytes, and the same with all gear; waiting = watts T
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/ask.h"
#include "network/cost/measured_curves.h"

enum { VARIANT_BYTES = 48 };

/* ---- choices --------------------------------------------------------------------------------------------------- */

static bool choices_name(struct asking *asking)
{
	const size_t sizes = asking->request->count;
	unsigned all = 0;
	while (collectives[all])
		++all;
	asking->place = arena_alloc(asking->arena, all, sizeof *asking->place);
	asking->choices = arena_alloc(asking->arena, all, sizeof *asking->choices);
	asking->timings = arena_alloc(asking->arena, all, sizeof *asking->timings);
	if (!asking->place || !asking->choices || !asking->timings)
		return false;
	for (unsigned i = 0; i < all; ++i)
		asking->place[i] = UINT_MAX;
	for (unsigned i = 0; i < asking->choice.count; ++i) {
		const unsigned algorithm = asking->choice.candidates[i].algorithm;
		const struct collective *collective = collectives[algorithm];
		if (asking->place[algorithm] != UINT_MAX)
			continue;
		struct paradl_collective_choice *row = &asking->choices[asking->choice_count];
		struct timing *timing = &asking->timings[asking->choice_count];
		asking->place[algorithm] = (unsigned)asking->choice_count++;
		timing->time_s = arena_alloc(asking->arena, sizes, sizeof *timing->time_s);
		timing->least_s = arena_alloc(asking->arena, sizes, sizeof *timing->least_s);
		timing->most_s = arena_alloc(asking->arena, sizes, sizeof *timing->most_s);
		timing->variants = arena_alloc(asking->arena, sizes, sizeof *timing->variants);
		if (!timing->time_s || !timing->least_s || !timing->most_s || !timing->variants)
			return false;
		*row = (struct paradl_collective_choice){.algorithm = collective->name,
			.summary = collective->summary,
			.source = collective->source,
			.sparse = collective->sparse,
			.time_s = timing->time_s,
			.least_s = timing->least_s,
			.most_s = timing->most_s,
			.variants = timing->variants,
			.hottest = ""};
	}
	return true;
}

static const char *variant_text(struct asking *asking, const struct candidate *candidate)
{
	char text[VARIANT_BYTES] = "";
	const struct collective *collective = collectives[candidate->algorithm];
	const char *protocol = candidate->protocol.name;
	if (collective->describe)
		collective->describe(&asking->comm, candidate->variant, text, sizeof text);
	if (protocol)
		return *text ? arena_printf(asking->arena, "%s, %s", text, protocol) : protocol;
	return *text ? arena_text(asking->arena, text) : "";
}

static void complete(const struct asking *asking, struct candidate *candidate, double bytes)
{
	candidate_complete(candidate, asking->network->compiler, &asking->group, &asking->comm, bytes);
}

/* Fills in how an algorithm's best variant at the largest size uses the network. False when out of memory. */
static bool choice_detail(struct asking *asking, struct candidate *candidate, double bytes)
{
	const struct compiled *compiled = &candidate->compiled;
	struct paradl_collective_choice *row = &asking->choices[asking->place[candidate->algorithm]];
	row->steps = compiled->steps;
	row->traffic = -1;
	if (asking->request->brief)
		return true;
	complete(asking, candidate, bytes);
	row->links_watt = compiled->used_watt;
	row->joule_per_byte = compiled->joule_per_byte;
	row->traffic = compiled->vector_copies;
	row->hottest = ask_link(asking->network, asking->arena, compiled->hottest);
	row->hottest_s_per_byte = compiled->hottest_s_per_byte;
	return row->hottest != NULL;
}

/* Finds the best variant of each algorithm at one size. False when out of memory. */
static bool choices_time(struct asking *asking, size_t size)
{
	const double bytes = asking->request->bytes[size];
	const bool last = size + 1 == asking->request->count;
	for (size_t k = 0; k < asking->choice_count; ++k) {
		asking->timings[k].time_s[size] = DBL_MAX;
		asking->timings[k].best = NULL;
	}
	for (unsigned i = 0; i < asking->choice.count; ++i) {
		struct candidate *candidate = &asking->choice.candidates[i];
		struct timing *timing = &asking->timings[asking->place[candidate->algorithm]];
		const double time_s = library_s(&asking->library, hull_s(&candidate->compiled.upper, bytes));
		const double least_s = library_s(&asking->library, hull_s(&candidate->compiled.lower, bytes));
		if (!(time_s < timing->time_s[size]))
			continue;
		timing->time_s[size] = timing->most_s[size] = time_s;
		timing->least_s[size] = fmin(least_s, time_s);
		timing->variants[size] = variant_text(asking, candidate);
		timing->best = candidate;
	}
	for (size_t k = 0; k < asking->choice_count; ++k)
		if (!asking->timings[k].best || !asking->choices[k].variants[size] ||
			(last && !choice_detail(asking, asking->timings[k].best, bytes)))
			return false;
	return true;
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

static bool network_draws(const struct graph *graph)
{
	for (unsigned i = 0; i < graph->class_count; ++i)
		if (graph->classes[i].idle_watt > 0 || graph->classes[i].peak_watt > 0)
			return true;
	return false;
}

static void row_energy(
	const struct asking *asking, const struct compiled *compiled, struct paradl_collective_row *row)
{
	const struct paradl_network_info info = paradl_network_info(asking->network);
	const double devices = (double)asking->group.size * asking->group.concurrent;
	row->gear_watt = row->gear_joule = row->waiting_watt = row->waiting_joule = -1;
	row->links_watt = row->links_joule = -1;
	const double moving_joule = compiled->joule_per_byte * row->bytes;
	if (compiled->used_watt > 0 || moving_joule > 0) {
		row->links_joule = compiled->used_watt * row->time_s + moving_joule;
		row->links_watt = row->time_s > 0 ? row->links_joule / row->time_s : 0;
	}
	if (asking->network->gear_watt > 0) {
		row->gear_joule = asking->network->gear_watt * row->time_s + moving_joule;
		row->gear_watt = row->time_s > 0 ? row->gear_joule / row->time_s : asking->network->gear_watt;
	}
	if (info.waiting_watt >= 0) {
		row->waiting_watt = devices * info.waiting_watt;
		row->waiting_joule = row->waiting_watt * row->time_s;
	}
}

/*
 * Returns whether curves may hold: they are of one group, in order, of whole nodes, by the algorithm of a library,
 * which is the one that is asked for, or any where none is.
 */
static bool may_be_measured(const struct asking *asking)
{
	const struct paradl_collective_request *request = asking->request;
	const struct network *network = asking->network->network;
	return network->machine && network->machine->curve_count && asking->group.concurrent == 1 &&
	       asking->group.runs[0].stride == 1 && request->placement == PARADL_IN_ORDER &&
	       !request->algorithms && !(asking->comm.density < 1);
}

static void row_measured(const struct asking *asking, struct paradl_collective_row *row)
{
	struct measured_time time;
	if (!may_be_measured(asking) ||
		!measured_s(asking->network->machine, (enum operation)asking->request->operation,
			asking->comm.nodes, asking->group.size, row->bytes, asking->request->library, &time))
		return;
	row->origin = time.origin == MEASURED       ? PARADL_MEASURED
		      : time.origin == INTERPOLATED ? PARADL_INTERPOLATED
						    : PARADL_EXTRAPOLATED;
	row->error_share = time.band;
	row->time_s = row->least_s = row->most_s = time.seconds;
}

/* Returns the first of the fastest choices at a size, except `but`; asking->choice_count: there is none. */
static size_t fastest(const struct asking *asking, size_t size, size_t but)
{
	size_t best = asking->choice_count;
	for (size_t k = 0; k < asking->choice_count; ++k) {
		const double *time_s = asking->choices[k].time_s;
		if (k != but && (best == asking->choice_count ||
					time_s[size] < asking->choices[best].time_s[size] * (1 - 1e-12)))
			best = k;
	}
	return best;
}

static void row_fill(struct asking *asking, size_t size)
{
	struct paradl_collective_row *row = &asking->rows[size];
	const double bytes = asking->request->bytes[size];
	const size_t best = fastest(asking, size, asking->choice_count);
	const size_t second = fastest(asking, size, best);
	struct candidate *candidate = asking->timings[best].best;
	*row = (struct paradl_collective_row){
		.bytes = bytes, .choice = best, .next = best, .origin = PARADL_MODELLED, .error_share = -1};
	row->model_s = row->time_s = asking->choices[best].time_s[size];
	row->least_s = asking->choices[best].least_s[size];
	row->most_s = asking->choices[best].most_s[size];
	if (second < asking->choice_count) {
		row->next = second;
		row->margin = row->time_s > 0 ? asking->choices[second].time_s[size] / row->time_s - 1 : 0;
	}
	row_measured(asking, row);
	if (row->time_s > 0)
		row->bytes_per_s = bytes / row->time_s;
	row->bus_bytes_per_s =
		row->bytes_per_s * bus_factor((enum operation)asking->request->operation, asking->group.size);
	if (network_draws(asking->network->network->graph))
		complete(asking, candidate, bytes);
	row_energy(asking, &candidate->compiled, row);
}

/* ---- the table ------------------------------------------------------------------------------------------------- */

/* Sorts the choices, the fastest at the largest size first; rows and crossovers follow. False when out of memory. */
static bool choices_sort(struct asking *asking, struct paradl_collective_table *table)
{
	const size_t count = asking->choice_count, last = asking->request->count - 1;
	size_t *order = arena_alloc(asking->arena, count, sizeof *order);
	size_t *rank = arena_alloc(asking->arena, count, sizeof *rank);
	struct paradl_collective_choice *sorted = arena_alloc(asking->arena, count, sizeof *sorted);
	if (!order || !rank || !sorted)
		return false;
	for (size_t i = 0; i < count; ++i) {
		size_t at = i;
		for (; at > 0 &&
			asking->choices[order[at - 1]].time_s[last] > asking->choices[i].time_s[last];
			--at)
			order[at] = order[at - 1];
		order[at] = i;
	}
	for (size_t i = 0; i < count; ++i) {
		rank[order[i]] = i;
		sorted[i] = asking->choices[order[i]];
	}
	for (size_t i = 0; i < asking->request->count; ++i) {
		asking->rows[i].choice = rank[asking->rows[i].choice];
		asking->rows[i].next = rank[asking->rows[i].next];
	}
	for (size_t i = 0; i < asking->crossovers.count; ++i) {
		struct paradl_crossover *crossover = &asking->crossovers.items[i];
		crossover->from = rank[crossover->from];
		crossover->to = rank[crossover->to];
	}
	table->choices = sorted;
	table->choice_count = count;
	table->crossovers = asking->crossovers.items;
	table->crossover_count = asking->crossovers.count;
	return true;
}

/* Returns the machine if its own library, with protocols of its own, was asked for among nodes; else NULL. */
static const struct paradl_machine *library_of(const struct asking *asking)
{
	const struct paradl_machine *machine = asking->network->network->machine;
	const char *const asked = asking->request->library;
	return asked && machine && asking->comm.nodes > 1 && strcmp(asked, machine_library(machine)) == 0
		       ? machine
		       : NULL;
}

static bool asking_start(struct asking *asking, struct paradl_error *error)
{
	bool *wanted = NULL;
	const struct paradl_collective_request *request = asking->request;
	const enum operation operation = (enum operation)request->operation;
	if (!request->count || !(request->bytes[0] > 0)) {
		error_set(error, PARADL_USAGE, "a collective needs at least 1 byte");
		return false;
	}
	if (!ask_group(asking->network, request, asking->arena, &asking->group, error) ||
		!(asking->network = ask_slice(asking->network, &asking->group, asking->arena, error)))
		return false;
	asking->comm = ask_communicator(asking->network, &asking->group, request);
	if (!ask_algorithms(asking->network, request, &asking->comm, asking->arena, &wanted, error))
		return false;
	asking->runs = library_of(asking);
	if (!choice_create(asking->arena, &asking->comm, operation, wanted, asking->runs, &asking->choice))
		return out_of_memory(error);
	if (!ask_variants(request, &asking->comm, &asking->choice, error))
		return false;
	if (!asking->choice.count) {
		ask_impossible(asking->network, request, asking->group.size, error);
		return false;
	}
	if (request->library && wanted && operation != POINT_TO_POINT && !ask_outside_create(asking, wanted))
		return out_of_memory(error);
	asking->by_size = asking->network->network->rules->protocol_count > 0;
	asking->rows = arena_alloc(asking->arena, request->count, sizeof *asking->rows);
	return (asking->rows && choices_name(asking)) || out_of_memory(error);
}

struct asking *asking_create(struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct paradl_error *error)
{
	struct asking *asking = arena_alloc(arena, 1, sizeof *asking);
	if (!asking) {
		out_of_memory(error);
		return NULL;
	}
	*asking = (struct asking){.network = network, .request = request, .arena = arena};
	return asking_start(asking, error) ? asking : NULL;
}

/* Returns whether times include what the library of the node's links adds; others would add something else. */
static bool library_adds(const struct asking *asking)
{
	const struct device_link *link = ask_library(asking->network, &asking->comm);
	const char *asked = asking->request->library;
	return asking->runs ||
	       (link && (!asked || strcmp(asked, "any") == 0 || strcmp(asked, link->library) == 0));
}

/* Compiles all candidates for a size, and finds what the library adds, as oracle/token_exchange.c does. */
static void sizes_compile(struct asking *asking, double bytes)
{
	double latency_s = DBL_MAX;
	choice_compile(&asking->choice, asking->network->compiler, &asking->group, &asking->comm, bytes);
	for (unsigned i = 0; i < asking->choice.count; ++i)
		latency_s = fmin(latency_s, hull_s(&asking->choice.candidates[i].compiled.upper, 0));
	if (!library_adds(asking))
		return;
	struct group group = asking->group;
	group.nodes = asking->comm.nodes;
	asking->library = group_library(
		asking->network->machine, &group, (enum operation)asking->request->operation, latency_s);
}

bool asking_size(struct asking *asking, size_t size, struct paradl_error *error)
{
	if (size == 0 || asking->by_size)
		sizes_compile(asking, asking->request->bytes[size]);
	if (!choices_time(asking, size))
		return out_of_memory(error);
	finalists_follow(asking, size);
	row_fill(asking, size);
	return true;
}

bool paradl_collective(struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct paradl_collective_table *table, struct paradl_error *error)
{
	struct asking *asking = asking_create(network, request, arena, error);
	if (!asking || !ask_gear(asking->network, arena, error))
		return false;
	for (size_t i = 0; i < request->count; ++i)
		if (!asking_size(asking, i, error))
			return false;
	*table = (struct paradl_collective_table){.operation = request->operation,
		.ranks = asking->group.size,
		.nodes = asking->comm.nodes,
		.concurrent = asking->group.concurrent,
		.stride = asking->group.runs[0].stride,
		.bus_factor = bus_factor((enum operation)request->operation, asking->group.size),
		.library = library_adds(asking) ? machine_library(network->machine) : NULL,
		.rows = asking->rows,
		.row_count = request->count};
	ask_outside_find(asking, table);
	ask_own_find(network, asking, table);
	return (crossovers_find(asking) && choices_sort(asking, table)) || out_of_memory(error);
}
