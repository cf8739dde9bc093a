/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/record/fluid.h"

#include <math.h>

#include "base/error.h"

/* Returns the lesser of two numbers, neither of which is NaN: fmin is a call, in loops that take most of the time. */
static double lesser(double a, double b)
{
	return a < b ? a : b;
}

/* Returns whether the device has computed, and goes on now. */
static bool is_due(const struct fluid *fluid, const struct device_at *at)
{
	return at->ready_s <= fluid->now_s * (1 + 1e-12);
}

/* Returns the first device from `from` on that computes; the number of devices where none does. */
static unsigned next_computing(const struct fluid *fluid, unsigned from)
{
	const unsigned devices = fluid->device_count;
	for (unsigned first = from; first < devices; first = (first / 64 + 1) * 64) {
		const uint64_t bits = fluid->computing[first / 64] >> first % 64;
		if (bits)
			return first + (unsigned)__builtin_ctzll(bits);
	}
	return devices;
}

static bool is_at(const struct fluid *fluid, unsigned device, unsigned step, double turn)
{
	const struct device_at *at = &fluid->devices[device];
	return at->part < at->count && at->open > 0 && fluid->parts[at->first + at->part].step == step &&
	       !(at->turn < turn || at->turn > turn);
}

/* Opens the device's next part, and starts the messages whose other end is there already. */
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

/* Counts one of the device's messages as done; after the last one the device computes, then goes on. */
static void message_done(struct fluid *fluid, unsigned device)
{
	struct device_at *at = &fluid->devices[device];
	if (--at->open > 0)
		return;
	const struct part *part = &fluid->parts[at->first + at->part];
	const struct stage *stage = &fluid->stages[part->step];
	fluid->computing[device / 64] |= UINT64_C(1) << device % 64;
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

/* Gives the flow its rate, and takes that from its links. */
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
			const double s_per_byte = graph_hop(graph, crossing->link)->s_per_byte;
			if (!(fluid->weights[crossing->link] > 0)) {
				fluid->links[fluid->link_count++] = crossing->link;
				fluid->left[crossing->link] = s_per_byte > 0 ? 1 / s_per_byte : HUGE_VAL;
			}
			fluid->weights[crossing->link] += crossing->weight * sent->weight;
		}
		fluid->effort->looks -= sent->flows ? sent->count : 1;
	}
	fluid->effort->looks -= fluid->link_count;
	for (unsigned i = 0; i < fluid->link_count; ++i)
		fluid->whole[fluid->links[i]] = fluid->weights[fluid->links[i]];
}

/* Returns the fair share on the fullest link; weights that only rounding has left do not count. */
static double least_share(const struct fluid *fluid)
{
	double least = HUGE_VAL;
	for (unsigned i = 0; i < fluid->link_count; ++i) {
		const unsigned link = fluid->links[i];
		if (fluid->weights[link] > 1e-9 * fluid->whole[link])
			least = lesser(least, fluid->left[link] / fluid->weights[link]);
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

static bool has_limit(const struct sent *sent)
{
	return sent->most_bytes_per_s > 0;
}

/* Returns the lowest share at which a flow that waits for its rate has all that it may have. */
static double least_limit(const struct fluid *fluid)
{
	double least = HUGE_VAL;
	for (unsigned a = 0; a < fluid->active_count; ++a) {
		const struct sent *sent = &fluid->sent[fluid->active[a]];
		if (sent->flows && !(sent->bytes_per_s > 0) && has_limit(sent))
			least = lesser(least, sent->most_bytes_per_s / sent->weight);
	}
	return least;
}

/*
 * Gives their rate to the flows that the next limit binds, which is their own or that of the fullest link. False:
 * none is left.
 */
static bool rates_settle(struct fluid *fluid)
{
	const double share = least_share(fluid), limit = least_limit(fluid);
	bool any = false;
	fluid->effort->looks -= fluid->link_count + 2 * fluid->active_count;
	for (unsigned a = 0; a < fluid->active_count; ++a) {
		struct sent *sent = &fluid->sent[fluid->active[a]];
		if (!sent->flows || sent->bytes_per_s > 0)
			continue;
		const bool own = limit <= share && has_limit(sent) &&
				 sent->most_bytes_per_s / sent->weight <= limit * (1 + 1e-12);
		if (!own && (limit < share || !on_full_link(fluid, sent, share)))
			continue;
		give(fluid, sent, own ? sent->most_bytes_per_s : lesser(share * sent->weight, 1e30));
		any = true;
	}
	return any;
}

/* Computes max-min fair rates: the flows of the fullest link get its share, then the rest share what is left. */
static void rates_fill(struct fluid *fluid)
{
	rates_begin(fluid);
	while (rates_settle(fluid)) {
	}
}

static double next_event(const struct fluid *fluid)
{
	double next_s = HUGE_VAL;
	const unsigned devices = fluid->device_count;
	for (unsigned a = 0; a < fluid->active_count; ++a) {
		const struct sent *sent = &fluid->sent[fluid->active[a]];
		next_s = lesser(next_s,
			sent->flows ? fluid->now_s + sent->left_bytes / sent->bytes_per_s : sent->due_s);
	}
	for (unsigned d = next_computing(fluid, 0); d < devices; d = next_computing(fluid, d + 1))
		next_s = lesser(next_s, fluid->devices[d].ready_s);
	return next_s;
}

/*
 * Finds the devices that go on now. False: they come to several steps or turns, or one has none left, or others go
 * on later, or others wait for these. If no device goes on now, the moment is empty.
 */
static bool in_time(const struct fluid *fluid, struct moment *moment)
{
	const unsigned devices = fluid->device_count;
	unsigned later = 0;
	*moment = (struct moment){.at_s = fluid->now_s};
	for (unsigned d = next_computing(fluid, 0); d < devices; d = next_computing(fluid, d + 1)) {
		const struct device_at *at = &fluid->devices[d];
		if (!is_due(fluid, at)) {
			++later;
			continue;
		}
		if (at->part == at->count)
			return false;
		const unsigned step = fluid->parts[at->first + at->part].step;
		if (moment->devices > 0 &&
			(step != moment->step || at->turn < moment->turn || at->turn > moment->turn))
			return false;
		moment->step = step;
		moment->turn = at->turn;
		++moment->devices;
	}
	if (moment->devices == 0)
		return true;
	for (unsigned d = 0; d < devices; ++d)
		if (is_at(fluid, d, moment->step, moment->turn))
			return false;
	return later == 0;
}

/*
 * Skips turns of a step whose devices were in time before its last turn and are again: all turns but the last are as
 * long as that one.
 */
static void leap(struct fluid *fluid)
{
	const unsigned devices = fluid->device_count;
	struct moment now;
	const bool together = in_time(fluid, &now);
	if (together && now.devices == 0)
		return;
	const struct moment before = fluid->moment;
	const bool again = together && now.devices == before.devices && now.step == before.step &&
			   now.turn > before.turn;
	const double passed_s = now.at_s - before.at_s;
	const double turns = again ? ceil(fluid->stages[now.step].repeat) - now.turn - 1 : 0;
	fluid->moment = together ? now : (struct moment){0};
	if (turns < 1)
		return;
	fluid->now_s += turns * passed_s;
	for (unsigned d = next_computing(fluid, 0); d < devices; d = next_computing(fluid, d + 1)) {
		fluid->devices[d].turn += turns;
		fluid->devices[d].ready_s = fluid->now_s;
	}
	fluid->moment.devices = 0;
}

/* Moves on to `next_s`: messages that are due start to flow or are done, and devices that are ready go on. */
static void advance(struct fluid *fluid, double next_s)
{
	const double passed_s = next_s - fluid->now_s, soon_s = next_s * (1 + 1e-12);
	const unsigned devices = fluid->device_count;
	unsigned kept = 0, count = fluid->active_count;
	fluid->now_s = next_s;
	for (unsigned a = 0; a < count; ++a) {
		struct sent *sent = &fluid->sent[fluid->active[a]];
		if (sent->flows)
			sent->left_bytes -= sent->bytes_per_s * passed_s;
		/* the rest of a small message may take less time than can be told apart this late */
		const double untold = sent->flows ? sent->bytes_per_s * (soon_s - next_s) : 0;
		if (sent->flows && sent->left_bytes <= fmax(sent->bytes * 1e-9, untold)) {
			message_done(fluid, sent->from);
			message_done(fluid, sent->to);
			continue;
		}
		if (!sent->flows && sent->due_s <= soon_s)
			sent->flows = true;
		fluid->active[kept++] = fluid->active[a];
	}
	fluid->active_count = kept;
	if (kept == 0)
		leap(fluid);
	for (unsigned d = next_computing(fluid, 0); d < devices; d = next_computing(fluid, d + 1))
		if (is_due(fluid, &fluid->devices[d])) {
			fluid->computing[d / 64] &= ~(UINT64_C(1) << d % 64);
			fluid->devices[d].ready_s = HUGE_VAL;
			arrive(fluid, d);
		}
}

bool fluid_time(struct paradl_arena *arena, const struct network *network, const struct run_of *run,
	const struct sharing *sharing, struct effort *effort, double *seconds, struct paradl_error *error)
{
	const size_t links = (size_t)network->graph->cable_count * network->graph->ways + 1;
	struct fluid *fluid = arena_alloc(arena, 1, sizeof *fluid);
	if (!fluid || !path_create(arena, network->graph, &fluid->path))
		return out_of_memory(error);
	fluid->arena = arena;
	fluid->network = network;
	fluid->sharing = sharing;
	fluid->effort = effort;
	if (!fluid_program(fluid, run, error))
		return false;
	fluid->left = arena_alloc(arena, links, sizeof *fluid->left);
	fluid->weights = arena_alloc(arena, links, sizeof *fluid->weights);
	fluid->whole = arena_alloc(arena, links, sizeof *fluid->whole);
	fluid->links = arena_alloc(arena, links, sizeof *fluid->links);
	if (!fluid->left || !fluid->weights || !fluid->whole || !fluid->links)
		return out_of_memory(error);
	for (unsigned d = 0; d < fluid->device_count; ++d)
		arrive(fluid, d);
	while (fluid->next_s < HUGE_VAL) {
		advance(fluid, fluid->next_s);
		rates_fill(fluid);
		fluid->next_s = next_event(fluid);
		if (effort->looks < 0)
			return error_set(error, PARADL_USAGE, "%s takes too long to be simulated",
				run->collective->name);
	}
	*seconds = fluid->now_s;
	return true;
}
