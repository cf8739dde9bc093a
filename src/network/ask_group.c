/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The devices of a request's groups, and the algorithms of a request.
 *
 * Variants that a request names: "hierarchical:leaders=4:doubling" names those whose description has both words.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "network/ask.h"

enum { NAMES_MAX = 256, NAME_BYTES = 64 };

unsigned ask_place(const struct network *network)
{
	const struct graph *graph = network->graph;
	if (network->devices_per_node > 1)
		return network->devices_per_node;
	if (graph->domain_count)
		return graph->domain[0];
	return graph->grid_count ? graph->grid[0] : 1;
}

/* Deals ranks out to the same devices in turns: place p is on node p mod nodes. */
static void scatter(unsigned *placement, unsigned count, unsigned per_place)
{
	unsigned filled = 0;
	for (unsigned turn = 0; turn < per_place; ++turn)
		for (unsigned device = turn; device < count; device += per_place)
			placement[filled++] = device;
}

/*
 * Shuffles all devices by the method of Fisher and Yates, with a 64-bit linear congruential generator (Knuth's
 * constants).
 */
static void shuffle(unsigned *placement, unsigned count, unsigned seed)
{
	unsigned long long state = seed * 2862933555777941757ULL + 3037000493ULL;
	for (unsigned i = 0; i < count; ++i)
		placement[i] = i;
	for (unsigned i = count; i > 1; --i) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		const unsigned other = (unsigned)((state >> 32) * i >> 32), kept = placement[i - 1];
		placement[i - 1] = placement[other];
		placement[other] = kept;
	}
}

/*
 * Spreads ranks over domains of the devices' links as group_pack does, and a remainder, too: one rank more on each of
 * the first domains.
 */
static bool spread(const struct paradl_machine *machine, struct paradl_arena *arena, struct group *group,
	struct paradl_error *error)
{
	struct group packed = *group;
	group_pack(&packed, machine);
	const bool alone = group->concurrent == 1 && group->runs[0].stride == 1;
	if (group_wired(&packed).size == group->size) {
		*group = packed;
		return true;
	}
	if (!alone)
		return true;
	const unsigned domain = machine->levels[0].devices, each = group->size / packed.nodes;
	const unsigned more = group->size % packed.nodes;
	unsigned *placement = arena_alloc(arena, group->size, sizeof *placement), rank = 0;
	if (!placement)
		return out_of_memory(error);
	for (unsigned d = 0; d < packed.nodes; ++d)
		for (unsigned i = 0; i < each + (d < more); ++i)
			placement[rank++] = d * domain + i;
	group->placement = placement;
	return true;
}

static bool place(const struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct group *group, struct paradl_error *error)
{
	const struct paradl_machine *const machine = network->network->machine;
	if (request->placement == PARADL_IN_ORDER)
		return !machine || !arena || spread(machine, arena, group, error);
	const unsigned devices = network->network->devices;
	unsigned *placement = arena_alloc(arena, devices, sizeof *placement);
	if (!placement)
		return out_of_memory(error);
	if (request->placement == PARADL_RANDOM)
		shuffle(placement, devices, request->seed);
	else
		scatter(placement, group->devices, ask_place(network->network));
	group->placement = placement;
	return true;
}

/*
 * Returns how many places the groups need: they lie between one another as far as the stride has room, then behind
 * one another.
 */
static double places_needed(double ranks, unsigned concurrent, unsigned stride)
{
	const double blocks = ceil((double)concurrent / stride);
	return ranks * stride * blocks;
}

static bool too_many(const struct paradl_network *network, double ranks, unsigned concurrent, unsigned stride,
	struct paradl_error *error)
{
	const unsigned devices = network->network->devices;
	const double fit = (double)(unsigned)(devices / places_needed(1, concurrent, stride));
	if (concurrent == 1 && stride == 1)
		return error_set(error, PARADL_USAGE, "%.0f ranks are more than %s has devices: %u", ranks,
			network->name, devices);
	error_set(error, PARADL_USAGE,
		"%u group%s of %.0f ranks, one in %u device%s, need%s %.0f devices; %s has %u", concurrent,
		concurrent > 1 ? "s" : "", ranks, stride, stride > 1 ? "s" : "", concurrent > 1 ? "" : "s",
		places_needed(ranks, concurrent, stride), network->name, devices);
	if (fit >= 2)
		error_hint(error, "at most %.0f ranks fit", fit);
	return false;
}

bool ask_group(const struct paradl_network *network, const struct paradl_collective_request *request,
	struct paradl_arena *arena, struct group *group, struct paradl_error *error)
{
	const unsigned devices = network->network->devices;
	const unsigned concurrent = request->concurrent ? request->concurrent : 1;
	const unsigned stride = request->stride ? request->stride : concurrent;
	unsigned ranks = request->ranks;
	if (concurrent > devices || stride > devices || ranks > devices)
		return too_many(network, ranks ? ranks : 2, concurrent, stride, error);
	if (!ranks)
		ranks = (unsigned)(devices / places_needed(1, concurrent, stride));
	if (ranks < 2)
		return request->ranks ? error_set(error, PARADL_USAGE,
						"a collective needs at least 2 ranks, not %u", ranks)
				      : too_many(network, 2, concurrent, stride, error);
	if (places_needed(ranks, concurrent, stride) > devices)
		return too_many(network, ranks, concurrent, stride, error);
	*group = (struct group){.size = ranks,
		.devices = (unsigned)places_needed(ranks, concurrent, stride),
		.concurrent = concurrent,
		.nodes = 1,
		.runs = {{stride, ranks}},
		.run_count = 1};
	return place(network, request, arena, group, error);
}

unsigned paradl_collective_ranks(const struct paradl_network *network,
	const struct paradl_collective_request *request, struct paradl_error *error)
{
	struct group group = {.size = 0};
	struct paradl_collective_request in_order = *request;
	in_order.placement = PARADL_IN_ORDER;
	return ask_group(network, &in_order, NULL, &group, error) ? group.size : 0;
}

struct communicator ask_communicator(const struct paradl_network *network, const struct group *group,
	const struct paradl_collective_request *request)
{
	struct communicator comm = communicator_of(network->network, group);
	comm.density = request->density > 0 ? request->density : 1;
	comm.support_overlap = request->overlap;
	comm.charge_selection = true;
	return comm;
}

bool ask_is_named(const struct collective *collective, const char *name, size_t length)
{
	const size_t prefix = strlen(operation_names[collective->operation]) + 1;
	const char *full = collective->name, *rest = full + prefix;
	return (strlen(full) == length && memcmp(full, name, length) == 0) ||
	       (strlen(full) > prefix && strlen(rest) == length && memcmp(rest, name, length) == 0);
}

static bool algorithm_unknown(
	const char *name, size_t length, enum operation operation, struct paradl_error *error)
{
	char asked[NAME_BYTES], quoted[NAME_BYTES];
	const char *names[NAMES_MAX];
	size_t count = 0;
	const size_t prefix = strlen(operation_names[operation]) + 1;
	for (unsigned i = 0; collectives[i] && count + 1 < NAMES_MAX; ++i)
		if (collectives[i]->operation == operation) {
			names[count++] = collectives[i]->name;
			if (strlen(collectives[i]->name) > prefix)
				names[count++] = collectives[i]->name + prefix;
		}
	const size_t shown = length < sizeof asked ? length : sizeof asked - 1;
	memcpy(asked, name, shown);
	asked[shown] = '\0';
	error_set(error, PARADL_USAGE, "there is no algorithm %s for %s",
		error_quote(quoted, sizeof quoted, asked), operation_names[operation]);
	return name_hint(error, asked, names, count, "\"paradl list collectives\" shows them");
}

const struct device_link *ask_library(const struct paradl_network *network, const struct communicator *comm)
{
	const struct paradl_machine *machine = network->network->machine;
	/* Protocols of a calibrated network have the library's times in them. */
	return machine && machine->device.link.library && comm->nodes == 1 &&
			       !network->network->rules->protocol_count
		       ? &machine->device.link
		       : NULL;
}

/* Returns the algorithms to choose from; NULL: all. */
static const char *list_of(const struct paradl_network *network,
	const struct paradl_collective_request *request, const struct communicator *comm)
{
	const enum operation operation = (enum operation)request->operation;
	const char *list = request->algorithms;
	const struct device_link *link = ask_library(network, comm);
	if (list)
		return strcmp(list, "all") == 0 ? NULL : list;
	if (request->library && operation != POINT_TO_POINT && !(comm->density < 1))
		return library_offers(request->library, operation, comm->nodes == 1);
	/* An exchange with both neighbours is more than a message, so it is chosen only where asked for. */
	return operation == POINT_TO_POINT    ? operation_names[operation]
	       : link && !(comm->density < 1) ? library_algorithms(link->library, operation)
					      : NULL;
}

static bool library_check(const struct paradl_collective_request *request, struct paradl_error *error)
{
	char quoted[32];
	if (!request->library)
		return true;
	if (request->algorithms)
		return error_set(
			error, PARADL_USAGE, "a library and a list of algorithms exclude each other");
	if (strcmp(request->library, "any") == 0)
		return true;
	if (library_exists(request->library))
		return !(request->density > 0 && request->density < 1) ||
		       error_set(error, PARADL_USAGE, "%s has no algorithms for sparse vectors",
			       request->library);
	error_set(error, PARADL_USAGE, "there is no library %s",
		error_quote(quoted, sizeof quoted, request->library));
	error_hint(error, "nccl, rccl, openmpi, mpich, mpi, xla, fpga and any are possible");
	return false;
}

bool ask_algorithms(const struct paradl_network *network, const struct paradl_collective_request *request,
	const struct communicator *comm, struct paradl_arena *arena, bool **wanted,
	struct paradl_error *error)
{
	const enum operation operation = (enum operation)request->operation;
	const char *list = list_of(network, request, comm);
	unsigned count = 0;
	*wanted = NULL;
	if (!library_check(request, error))
		return false;
	if (!list)
		return true;
	while (collectives[count])
		++count;
	*wanted = arena_alloc(arena, count, sizeof **wanted);
	if (!*wanted)
		return out_of_memory(error);
	for (;;) {
		const size_t length = strcspn(list, ",");
		bool found = false;
		for (unsigned i = 0; i < count; ++i)
			if (collectives[i]->operation == operation &&
				ask_is_named(collectives[i], list, strcspn(list, ":,")))
				found = (*wanted)[i] = true;
		if (!found)
			return algorithm_unknown(list, strcspn(list, ":,"), operation, error);
		if (!list[length])
			return true;
		list += length + 1;
	}
}

bool ask_impossible(const struct paradl_network *network, const struct paradl_collective_request *request,
	unsigned ranks, struct paradl_error *error)
{
	const char *operation = paradl_operation_name(request->operation);
	if (!request->algorithms)
		return error_set(error, PARADL_INFEASIBLE,
			"no algorithm of paradl does %s with %u ranks on %s", operation, ranks,
			network->name);
	error_set(error, PARADL_INFEASIBLE, "%s does not apply to %s with %u ranks on %s",
		request->algorithms, operation, ranks, network->name);
	const size_t length = strcspn(request->algorithms, ":,");
	for (unsigned i = 0; collectives[i]; ++i) {
		const struct collective *collective = collectives[i];
		if ((int)collective->operation != (int)request->operation ||
			!ask_is_named(collective, request->algorithms, length))
			continue;
		if (collective->sparse && !(request->density > 0 && request->density < 1))
			error_hint(error, "%s is for sparse vectors: say how sparse, such as --density 1%%",
				collective->name);
		else
			error_hint(error, "%s: %s", collective->name, collective->summary);
	}
	return false;
}

enum { TEXT_BYTES = 96, LISTED_MOST = 8 };

/* Returns whether a description, "leaders=4, doubling", has this word. */
static bool has_word(const char *text, const char *word, size_t length)
{
	for (text += strspn(text, ", "); *text; text += strspn(text, ", ")) {
		const size_t here = strcspn(text, ", ");
		if (here == length && memcmp(text, word, length) == 0)
			return true;
		text += here;
	}
	return false;
}

/* Returns whether a description has all words of an item "NAME:WORD:WORD". */
static bool has_words(const char *text, const char *item)
{
	for (item += strcspn(item, ":,"); *item == ':'; item += strcspn(item, ":,")) {
		++item;
		if (!has_word(text, item, strcspn(item, ":,")))
			return false;
	}
	return true;
}

static void describe(const struct candidate *candidate, const struct communicator *comm, char *text)
{
	const struct collective *const collective = collectives[candidate->algorithm];
	*text = '\0';
	if (collective->describe)
		collective->describe(comm, candidate->variant, text, TEXT_BYTES);
}

static bool item_keeps(const char *item, const struct candidate *candidate, const struct communicator *comm)
{
	char text[TEXT_BYTES];
	if (!ask_is_named(collectives[candidate->algorithm], item, strcspn(item, ":,")))
		return false;
	describe(candidate, comm, text);
	return has_words(text, item);
}

/* Reports that no variant has these words, with a hint that lists some that exist; returns false. */
static bool variant_unknown(const char *item, const struct choice *choice, const struct communicator *comm,
	struct paradl_error *error)
{
	char list[LISTED_MOST * TEXT_BYTES] = "", text[TEXT_BYTES], quoted[TEXT_BYTES];
	unsigned listed = 0;
	for (unsigned i = 0; i < choice->count && listed < LISTED_MOST; ++i) {
		if (!ask_is_named(collectives[choice->candidates[i].algorithm], item, strcspn(item, ":,")))
			continue;
		describe(&choice->candidates[i], comm, text);
		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", listed++ ? "; " : "", text);
	}
	snprintf(text, sizeof text, "%.*s", (int)strcspn(item, ","), item);
	error_set(
		error, PARADL_INFEASIBLE, "no variant here is %s", error_quote(quoted, sizeof quoted, text));
	if (*list)
		error_hint(error, "there are %s%s", list, listed == LISTED_MOST ? "; ..." : "");
	return false;
}

bool ask_variants(const struct paradl_collective_request *request, const struct communicator *comm,
	struct choice *choice, struct paradl_error *error)
{
	const char *const list = request->algorithms;
	unsigned kept = 0;
	if (!list || !strchr(list, ':'))
		return true;
	for (const char *item = list; *item; item += strcspn(item, ","), item += *item == ',') {
		bool found = false;
		for (unsigned i = 0; i < choice->count && !found; ++i)
			found = item_keeps(item, &choice->candidates[i], comm);
		if (!found && choice->count)
			return variant_unknown(item, choice, comm, error);
	}
	for (unsigned i = 0; i < choice->count; ++i) {
		bool keeps = false;
		for (const char *item = list; *item; item += strcspn(item, ","), item += *item == ',')
			keeps = keeps || item_keeps(item, &choice->candidates[i], comm);
		if (keeps)
			choice->candidates[kept++] = choice->candidates[i];
	}
	choice->count = kept;
	return true;
}
