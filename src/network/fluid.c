/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/fluid.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* Of routes without latency, so that their weight is finite. */
static const double least_trip_s = 1e-9;

/* One message of a step, which a step that is repeated sends again. */
struct sent {
	unsigned from, to, step;
	double bytes, start_s;
	double most_bytes_per_s; /* 0: no limit of its own */
	double weight;           /* its rate is the share of a link times this */
	unsigned first, count;   /* its crossings */
	double left_bytes, due_s, bytes_per_s;
	bool flows; /* past its start-up */
};

struct crossing {
	unsigned link;
	double weight; /* bytes on the link for each byte of the message */
};

struct stage {
	double repeat, wait_s, reduce_s, most_bytes; /* most: that any device receives */
};

/* A device's part in a step. */
struct part {
	unsigned step, first, count; /* of its messages, in `own` */
	double received_bytes;
};

struct device_at {
	unsigned first, count; /* of its parts */
	unsigned part, open;   /* the one it is at; messages of it that are not done */
	double turn;           /* of the part's repetitions */
	double ready_s;        /* computes until then; HUGE_VAL: does not */
};

struct fluid {
	struct paradl_arena *arena;
	const struct network *network;
	const struct sharing *sharing;
	unsigned most;
	struct path path;
	struct sent *sent;
	unsigned sent_count, sent_room;
	struct crossing *crossings;
	unsigned crossing_count, crossing_room;
	struct stage *stages;
	unsigned stage_count, stage_room;
	struct part *parts;
	unsigned *own;
	struct device_at *devices;
	unsigned *active, active_count;
	double *left, *weights; /* of each link: rate not given away; weights of flows that wait for theirs */
	double *whole;          /* the weights before any got its rate */
	unsigned *links, link_count;
	double now_s;
	bool full;
};

/* ---- the program of each device -------------------------------------------------------------------------- */

/* Room for one more; a list in an arena grows by copying. */
static void *room_for(struct fluid *fluid, void *list, unsigned count, unsigned *room, size_t size)
{
	if (count < *room)
		return list;
	const unsigned larger = *room ? 2 * *room : 256;
	void *copy = larger <= 64 * FLUID_MESSAGES_MAX ? arena_alloc(fluid->arena, larger, size) : NULL;
	fluid->full = fluid->full || !copy;
	if (!copy)
		return list;
	if (count)
		memcpy(copy, list, count * size);
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

/* The route of the message, its start-up and the fastest it may be. */
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
	double slowest = path->flow_s_per_byte;
	if (protocol && protocol->flow_factor > 0)
		slowest = fmax(slowest, nominal / protocol->flow_factor);
	sent->most_bytes_per_s = slowest > 0 ? 1 / slowest : 0;
}

static bool step_keep(void *context, const struct step_messages *step)
{
	struct fluid *fluid = context;
	if (fluid->sent_count + step->count > fluid->most)
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
	return !fluid->full;
}

/* A part for each device and step that it has messages in: messages are in the order of steps. */
static bool parts_fill(struct fluid *fluid)
{
	const unsigned devices = fluid->network->devices;
	unsigned *ends = arena_alloc(fluid->arena, devices + 1, sizeof *ends), parts = 0;
	fluid->own = arena_alloc(fluid->arena, 2 * (size_t)fluid->sent_count + 1, sizeof *fluid->own);
	fluid->parts = arena_alloc(fluid->arena, 2 * (size_t)fluid->sent_count + 1, sizeof *fluid->parts);
	fluid->devices = arena_alloc(fluid->arena, devices, sizeof *fluid->devices);
	fluid->active = arena_alloc(fluid->arena, fluid->sent_count + 1, sizeof *fluid->active);
	if (!ends || !fluid->own || !fluid->parts || !fluid->devices || !fluid->active)
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

static bool is_at(const struct fluid *fluid, unsigned device, unsigned step, double turn)
{
	const struct device_at *at = &fluid->devices[device];
	return at->part < at->count && at->open > 0 && fluid->parts[at->first + at->part].step == step &&
	       !(at->turn < turn || at->turn > turn);
}

/* The device comes to its next part, and starts the messages whose other end is there already. */
static void arrive(struct fluid *fluid, unsigned device)
{
	struct device_at *at = &fluid->devices[device];
	if (at->part == at->count)
		return;
	const struct part *part = &fluid->parts[at->first + at->part];
	at->open = part->count;
	for (unsigned i = part->first; i < part->first + part->count; ++i) {
		struct sent *sent = &fluid->sent[fluid->own[i]];
		if (!is_at(fluid, sent->from == device ? sent->to : sent->from, part->step, at->turn))
			continue;
		sent->due_s = fluid->now_s + sent->start_s;
		sent->left_bytes = sent->bytes;
		sent->flows = false;
		fluid->active[fluid->active_count++] = fluid->own[i];
	}
}

/* One of its messages is done; after the last it computes, then goes on. */
static void message_done(struct fluid *fluid, unsigned device)
{
	struct device_at *at = &fluid->devices[device];
	if (--at->open > 0)
		return;
	const struct part *part = &fluid->parts[at->first + at->part];
	const struct stage *stage = &fluid->stages[part->step];
	at->ready_s = fluid->now_s + stage->wait_s;
	if (stage->most_bytes > 0)
		at->ready_s += stage->reduce_s * part->received_bytes / stage->most_bytes;
	at->turn += 1;
	if (!(at->turn < stage->repeat)) {
		at->turn = 0;
		++at->part;
	}
}

/* ---- rates ---------------------------------------------------------------------------------------------------- */

/* Takes the flow's rate from its links. */
static void give(struct fluid *fluid, struct sent *sent, double bytes_per_s)
{
	sent->bytes_per_s = bytes_per_s;
	for (unsigned i = sent->first; i < sent->first + sent->count; ++i) {
		const struct crossing *crossing = &fluid->crossings[i];
		fluid->left[crossing->link] -= bytes_per_s * crossing->weight;
		fluid->weights[crossing->link] -= crossing->weight * sent->weight;
	}
}

static void rates_begin(struct fluid *fluid)
{
	const struct graph *graph = fluid->network->graph;
	for (unsigned i = 0; i < fluid->link_count; ++i)
		fluid->weights[fluid->links[i]] = 0;
	fluid->link_count = 0;
	for (unsigned a = 0; a < fluid->active_count; ++a) {
		struct sent *sent = &fluid->sent[fluid->active[a]];
		sent->bytes_per_s = 0;
		for (unsigned i = sent->first; sent->flows && i < sent->first + sent->count; ++i) {
			const struct crossing *crossing = &fluid->crossings[i];
			const double s_per_byte = graph->links[crossing->link].s_per_byte;
			if (!(fluid->weights[crossing->link] > 0)) {
				fluid->links[fluid->link_count++] = crossing->link;
				fluid->left[crossing->link] = s_per_byte > 0 ? 1 / s_per_byte : HUGE_VAL;
			}
			fluid->weights[crossing->link] += crossing->weight * sent->weight;
		}
	}
	for (unsigned i = 0; i < fluid->link_count; ++i)
		fluid->whole[fluid->links[i]] = fluid->weights[fluid->links[i]];
}

/* The fair share of the fullest link; weights of what rounding leaves do not count. */
static double least_share(const struct fluid *fluid)
{
	double least = HUGE_VAL;
	for (unsigned i = 0; i < fluid->link_count; ++i) {
		const unsigned link = fluid->links[i];
		if (fluid->weights[link] > 1e-9 * fluid->whole[link])
			least = fmin(least, fluid->left[link] / fluid->weights[link]);
	}
	return least;
}

static bool on_full_link(const struct fluid *fluid, const struct sent *sent, double share)
{
	for (unsigned i = sent->first; i < sent->first + sent->count; ++i) {
		const unsigned link = fluid->crossings[i].link;
		if (fluid->left[link] <= share * fluid->weights[link] * (1 + 1e-9))
			return true;
	}
	return false;
}

/* Max-min fair: the flows of the fullest link get its share, then the rest share what is left. */
static void rates_fill(struct fluid *fluid)
{
	rates_begin(fluid);
	for (bool again = true; again;) {
		const double share = least_share(fluid);
		double limit = share;
		again = false;
		for (unsigned a = 0; a < fluid->active_count; ++a) {
			const struct sent *sent = &fluid->sent[fluid->active[a]];
			if (sent->flows && !(sent->bytes_per_s > 0) && sent->most_bytes_per_s > 0)
				limit = fmin(limit, sent->most_bytes_per_s / sent->weight);
		}
		for (unsigned a = 0; a < fluid->active_count; ++a) {
			struct sent *sent = &fluid->sent[fluid->active[a]];
			if (!sent->flows || sent->bytes_per_s > 0)
				continue;
			const bool own = sent->most_bytes_per_s > 0 &&
					 sent->most_bytes_per_s / sent->weight <= limit * (1 + 1e-12);
			if (!own && (limit < share || !on_full_link(fluid, sent, share)))
				continue;
			give(fluid, sent, own ? sent->most_bytes_per_s : fmin(share * sent->weight, 1e30));
			again = true;
		}
	}
}

static double next_event(const struct fluid *fluid)
{
	double next_s = HUGE_VAL;
	for (unsigned a = 0; a < fluid->active_count; ++a) {
		const struct sent *sent = &fluid->sent[fluid->active[a]];
		next_s = fmin(next_s,
			sent->flows ? fluid->now_s + sent->left_bytes / sent->bytes_per_s : sent->due_s);
	}
	for (unsigned d = 0; d < fluid->network->devices; ++d)
		next_s = fmin(next_s, fluid->devices[d].ready_s);
	return next_s;
}

/* Moves on to `next_s`: what is due then starts to flow or is done, and who is ready goes on. */
static void advance(struct fluid *fluid, double next_s)
{
	const double passed_s = next_s - fluid->now_s, soon_s = next_s * (1 + 1e-12);
	unsigned kept = 0, count = fluid->active_count;
	fluid->now_s = next_s;
	for (unsigned a = 0; a < count; ++a) {
		struct sent *sent = &fluid->sent[fluid->active[a]];
		if (sent->flows)
			sent->left_bytes -= sent->bytes_per_s * passed_s;
		if (sent->flows && sent->left_bytes <= sent->bytes * 1e-9) {
			message_done(fluid, sent->from);
			message_done(fluid, sent->to);
			continue;
		}
		if (!sent->flows && sent->due_s <= soon_s)
			sent->flows = true;
		fluid->active[kept++] = fluid->active[a];
	}
	fluid->active_count = kept;
	for (unsigned d = 0; d < fluid->network->devices; ++d)
		if (fluid->devices[d].ready_s <= soon_s) {
			fluid->devices[d].ready_s = HUGE_VAL;
			arrive(fluid, d);
		}
}

bool fluid_time(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	const struct sharing *sharing, unsigned most, double *seconds, struct paradl_error *error)
{
	const size_t links = (size_t)network->graph->cable_count * network->graph->ways + 1;
	struct fluid *fluid = arena_alloc(arena, 1, sizeof *fluid);
	if (!fluid || !path_create(arena, network->graph, &fluid->path))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	fluid->arena = arena;
	fluid->network = network;
	fluid->sharing = sharing;
	fluid->most = most < FLUID_MESSAGES_MAX ? most : FLUID_MESSAGES_MAX;
	fluid->left = arena_alloc(arena, links, sizeof *fluid->left);
	fluid->weights = arena_alloc(arena, links, sizeof *fluid->weights);
	fluid->whole = arena_alloc(arena, links, sizeof *fluid->whole);
	fluid->links = arena_alloc(arena, links, sizeof *fluid->links);
	if (!fluid->left || !fluid->weights || !fluid->whole || !fluid->links)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!steps_tell(arena, network, run, step_keep, fluid, error))
		return fluid->full
			       ? error_set(error, PARADL_USAGE, "%s sends too many messages to be simulated",
					 run->collective->name)
			       : false;
	if (!parts_fill(fluid))
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	for (unsigned d = 0; d < network->devices; ++d)
		arrive(fluid, d);
	for (double next_s = fluid->now_s; next_s < HUGE_VAL; next_s = next_event(fluid)) {
		advance(fluid, next_s);
		rates_fill(fluid);
	}
	*seconds = fluid->now_s;
	return true;
}
