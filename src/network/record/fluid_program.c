/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/record/fluid.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"

/* Least round trip of a route: routes without latency then have a finite weight. */
static const double least_trip_s = 1e-9;

/*
 * Returns the list with room for one more; a list in an arena grows by copying. Sets fluid->full when it cannot
 * grow.
 */
static void *room_for(struct fluid *fluid, void *list, unsigned count, unsigned *room, size_t size)
{
	if (count < *room)
		return list;
	const unsigned larger = *room ? 2 * *room : 256;
	void *copy = larger <= 64 * FLUID_MESSAGES_MAX ? list_moved(fluid->arena, list, count, larger, size)
						       : NULL;
	fluid->full = fluid->full || !copy;
	if (!copy)
		return list;
	*room = larger;
	return copy;
}

static void crossing_add(struct fluid *fluid, unsigned link, double weight)
{
	fluid->crossings = room_for(fluid, fluid->crossings, fluid->crossing_count, &fluid->crossing_room,
		sizeof *fluid->crossings);
	if (!fluid->full)
		fluid->crossings[fluid->crossing_count++] = (struct crossing){link, weight};
}

static const struct protocol *protocol_of(const struct machine_network *rules, double bytes)
{
	const struct protocol *found = NULL;
	for (unsigned i = 0; i < rules->protocol_count && rules->protocols[i].from_bytes <= bytes; ++i)
		found = &rules->protocols[i];
	return found;
}

/* Finds the route of the message, its start-up and its greatest rate. */
static void route(struct fluid *fluid, struct sent *sent)
{
	const struct machine_network *rules = fluid->network->rules;
	const struct graph *graph = fluid->network->graph;
	struct path *path = &fluid->path;
	const struct protocol *protocol = protocol_of(rules, sent->bytes);
	double nominal = 0, trip_s = 0;
	graph_route(graph, sent->from, sent->to, path);
	sent->start_s = rules->message_s + (protocol ? protocol->latency_factor : 1) * path->latency_s;
	trip_s = path->latency_s + rules->message_s;
	sent->first = fluid->crossing_count;
	for (unsigned i = 0; i < path->count; ++i) {
		const unsigned link = path->links[i];
		const double share = path->split ? path->shares[i] : 1;
		const struct cable *cable = &graph->cables[link / graph->ways];
		const double rate = graph->classes[cable->class_].bytes_per_s * cable->width;
		crossing_add(fluid, link, share);
		if (rules->return_share > 0)
			crossing_add(fluid, link ^ (graph->ways == 2), rules->return_share * share);
		if (rate > 0) {
			nominal = fmax(nominal, share / rate);
			trip_s += fluid->sharing->weight_bytes / rate;
		}
	}
	sent->count = fluid->crossing_count - sent->first;
	sent->weight = fluid->sharing->by_route ? 1 / fmax(trip_s, least_trip_s) : 1;
	double slowest = path->flow_s_per_byte / fluid->lanes;
	if (protocol && protocol->flow_factor > 0)
		slowest = fmax(slowest, nominal / protocol->flow_factor);
	sent->most_bytes_per_s = slowest > 0 ? 1 / slowest : 0;
}

/*
 * Takes the start-ups from the messages of a ring whose pieces follow one another: they do not wait for them, and a
 * trip pays them once.
 */
static void ring_start(struct fluid *fluid, const struct step_messages *step)
{
	struct stage *stage = &fluid->stages[fluid->stage_count - 1];
	struct sent *sent = &fluid->sent[fluid->sent_count - step->count];
	for (unsigned copy = 0; copy < step->copies; ++copy)
		fluid->trips[copy] = (struct trip){0};
	for (size_t i = 0; i < step->count; ++i) {
		trip_add(&fluid->trips[i % step->copies], sent[i].start_s);
		sent[i].start_s = 0;
	}
	if (step->ring > 1)
		stage->wait_s += trips_s(fluid->trips, step->copies, step->ring) / (step->ring - 1);
}

static bool step_keep(void *context, const struct step_messages *step)
{
	struct fluid *fluid = context;
	if (fluid->sent_count + step->count > fluid->effort->messages)
		fluid->full = true;
	for (size_t i = 0; i < step->count && !fluid->full; ++i) {
		fluid->sent = room_for(
			fluid, fluid->sent, fluid->sent_count, &fluid->sent_room, sizeof *fluid->sent);
		if (fluid->full)
			break;
		struct sent *sent = &fluid->sent[fluid->sent_count++];
		*sent = (struct sent){.from = step->messages[i].from,
			.to = step->messages[i].to,
			.step = fluid->stage_count,
			.bytes = step->messages[i].bytes};
		route(fluid, sent);
	}
	fluid->stages =
		room_for(fluid, fluid->stages, fluid->stage_count, &fluid->stage_room, sizeof *fluid->stages);
	if (!fluid->full)
		fluid->stages[fluid->stage_count++] = (struct stage){
			.repeat = step->repeat, .wait_s = step->wait_s, .reduce_s = step->reduce_s};
	if (!fluid->full && step->ring && !fluid->network->rules->synchronous)
		ring_start(fluid, step);
	return !fluid->full;
}

/*
 * Counts the devices that have messages, from the lowest on, and names them so in the messages: a group may be a small
 * part of its machine. False when out of memory.
 */
static bool devices_number(struct fluid *fluid)
{
	const unsigned devices = fluid->network->devices;
	unsigned *places = arena_alloc(fluid->arena, devices, sizeof *places);
	if (!places)
		return false;
	for (unsigned i = 0; i < fluid->sent_count; ++i)
		places[fluid->sent[i].from] = places[fluid->sent[i].to] = 1;
	for (unsigned d = 0; d < devices; ++d)
		if (places[d])
			places[d] = fluid->device_count++;
	for (unsigned i = 0; i < fluid->sent_count; ++i) {
		fluid->sent[i].from = places[fluid->sent[i].from];
		fluid->sent[i].to = places[fluid->sent[i].to];
	}
	return true;
}

/*
 * Makes a part for each device and each step in which it has messages, which are in the order of steps. False when
 * out of memory.
 */
static bool parts_fill(struct fluid *fluid)
{
	const unsigned devices = fluid->device_count;
	unsigned *ends = arena_alloc(fluid->arena, devices + 1, sizeof *ends), parts = 0;
	fluid->own = arena_alloc(fluid->arena, 2 * (size_t)fluid->sent_count + 1, sizeof *fluid->own);
	fluid->parts = arena_alloc(fluid->arena, 2 * (size_t)fluid->sent_count + 1, sizeof *fluid->parts);
	fluid->devices = arena_alloc(fluid->arena, devices, sizeof *fluid->devices);
	fluid->computing = arena_alloc(fluid->arena, devices / 64 + 1, sizeof *fluid->computing);
	fluid->active = arena_alloc(fluid->arena, fluid->sent_count + 1, sizeof *fluid->active);
	if (!ends || !fluid->own || !fluid->parts || !fluid->devices || !fluid->computing || !fluid->active)
		return false;
	for (unsigned i = 0; i < fluid->sent_count; ++i) {
		++ends[fluid->sent[i].from + 1];
		++ends[fluid->sent[i].to + 1];
	}
	for (unsigned d = 0; d < devices; ++d)
		ends[d + 1] += ends[d];
	for (unsigned i = 0; i < fluid->sent_count; ++i) {
		fluid->own[ends[fluid->sent[i].from]++] = i;
		fluid->own[ends[fluid->sent[i].to]++] = i;
	}
	for (unsigned d = 0, at = 0; d < devices; ++d) {
		fluid->devices[d] = (struct device_at){.first = parts, .ready_s = HUGE_VAL};
		for (; at < ends[d]; ++at) {
			const struct sent *sent = &fluid->sent[fluid->own[at]];
			if (parts == fluid->devices[d].first || fluid->parts[parts - 1].step != sent->step)
				fluid->parts[parts++] = (struct part){.step = sent->step, .first = at};
			struct part *part = &fluid->parts[parts - 1];
			struct stage *stage = &fluid->stages[sent->step];
			++part->count;
			part->received_bytes += sent->to == d ? sent->bytes : 0;
			stage->most_bytes = fmax(stage->most_bytes, part->received_bytes);
		}
		fluid->devices[d].count = parts - fluid->devices[d].first;
	}
	return true;
}

bool fluid_program(struct fluid *fluid, const struct run_of *run, struct paradl_error *error)
{
	fluid->lanes = run->comm->nodes == 1 && run->comm->channels > 1 ? run->comm->channels : 1;
	fluid->trips = arena_alloc(fluid->arena, fluid->network->devices, sizeof *fluid->trips);
	if (!fluid->trips)
		return out_of_memory(error);
	if (!steps_emit(fluid->arena, fluid->network, run, fluid->effort->messages, step_keep, fluid, error))
		return fluid->full
			       ? error_set(error, PARADL_USAGE, "%s sends too many messages to be simulated",
					 run->collective->name)
			       : false;
	return (devices_number(fluid) && parts_fill(fluid)) || out_of_memory(error);
}
