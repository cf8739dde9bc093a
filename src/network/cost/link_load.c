/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Links: the load that flows put on them in a step, and what they carried in a whole schedule. This file also looks
 * up steps that are told more than once.
 *
 * Both halves of a ring, and the stages of a pipelined tree for every number of chunks, are the same steps again. A
 * step's flows are kept while they are told. When the step ends, a step with the same flows is looked up instead of
 * routed. Their bytes may differ by a common factor, as long as each flow has the same protocol. This serves times
 * only: watts and joules need the links.
 */
#include <limits.h>

#include "base/arena.h"
#include "network/cost/compiler.h"

struct compiler *compiler_create(struct paradl_arena *arena, const struct network *network)
{
	const struct graph *graph = network->graph;
	const size_t links = (size_t)graph->cable_count * graph->ways;
	struct compiler *compiler = arena_alloc(arena, 1, sizeof *compiler);
	if (!compiler || !path_create(arena, graph, &compiler->path))
		return NULL;
	compiler->arena = arena;
	compiler->network = network;
	compiler->graph = graph;
	compiler->loads = arena_alloc(arena, links + 1, sizeof *compiler->loads);
	compiler->place = arena_alloc(arena, links + 1, sizeof(unsigned));
	compiler->carried = arena_alloc(arena, links + 1, sizeof(double));
	compiler->ever = arena_alloc(arena, links + 1, sizeof(unsigned));
	compiler->devices = arena_alloc(arena, graph->devices, sizeof(unsigned));
	compiler->base = arena_alloc(arena, graph->devices, sizeof(unsigned));
	compiler->trips = arena_alloc(arena, graph->devices, sizeof *compiler->trips);
	if (!compiler->loads || !compiler->place || !compiler->carried || !compiler->ever ||
		!compiler->devices || !compiler->base || !compiler->trips)
		return NULL;
	return compiler;
}

/*
 * Makes room for twice as many runs of a step, or for the first ones. False: there are TOLD_MAX already, or no
 * memory, and all of them are routed now.
 */
static bool emitted_grow(struct compiler *compiler)
{
	const unsigned room = compiler->emitted_room ? 2 * compiler->emitted_room : TOLD_FIRST;
	if (!compiler->memos)
		return false;
	struct emitted *emitted = room <= TOLD_MAX ? list_moved(compiler->arena, compiler->emitted,
							     compiler->emitted_count, room, sizeof *emitted)
						   : NULL;
	if (!emitted) {
		memo_give_up(compiler);
		return false;
	}
	compiler->emitted = emitted;
	compiler->emitted_room = room;
	return true;
}

bool compiler_times_only(struct paradl_arena *arena, struct compiler *compiler)
{
	compiler->times_only = compiler->graph->uniform;
	compiler->memos = arena_alloc(arena, MEMOS_MAX, sizeof *compiler->memos);
	return compiler->memos && emitted_grow(compiler);
}

static const struct protocol *protocol_of(const struct machine_network *rules, double bytes)
{
	const struct protocol *found = NULL;
	for (unsigned i = 0; i < rules->protocol_count && rules->protocols[i].from_bytes <= bytes; ++i)
		found = &rules->protocols[i];
	return found;
}

struct load *load_add(struct compiler *compiler, unsigned link, const struct load *load)
{
	compiler->place[link] = compiler->load_count;
	compiler->loads[compiler->load_count] = *load;
	compiler->loads[compiler->load_count].link = link;
	return &compiler->loads[compiler->load_count++];
}

/*
 * Puts a share of the vector on the links of the current path; returns the time that it takes on its slowest link
 * alone, in seconds per byte of the vector.
 */
static inline double path_load(struct compiler *compiler, double share, double start_s)
{
	const struct path *path = &compiler->path;
	double slowest = 0;
	for (unsigned i = 0; i < path->count; ++i) {
		const double part = path->split ? share * path->shares[i] : share;
		const double alone = part * link_load(compiler, path->links[i], part, start_s);
		slowest = alone > slowest ? alone : slowest;
	}
	return slowest;
}

/* Adds acknowledgements, a share of the flow in the other direction. */
static void returns_load(struct compiler *compiler, double share, double start_s)
{
	const struct path *path = &compiler->path;
	const unsigned back = compiler->graph->ways == 2;
	for (unsigned i = 0; i < path->count; ++i)
		link_load(compiler, path->links[i] ^ back, share * path_share(path, i), start_s);
}

static double nominal_s_per_byte(const struct compiler *compiler, unsigned link)
{
	const struct graph *graph = compiler->graph;
	const struct cable *cable = &graph->cables[link / graph->ways];
	const double rate = graph->classes[cable->class_].bytes_per_s * cable->width;
	return rate > 0 ? 1 / rate : 0;
}

/*
 * Returns the seconds per byte that a protocol leaves one flow: its rate is a share of its slowest link's nominal
 * one.
 */
static double protocol_s_per_byte(const struct compiler *compiler, const struct protocol *protocol)
{
	const struct path *path = &compiler->path;
	double nominal = 0;
	for (unsigned i = 0; i < path->count; ++i) {
		const double share = path_share(path, i);
		const double listed = nominal_s_per_byte(compiler, path->links[i]) * share;
		nominal = listed > nominal ? listed : nominal;
	}
	return protocol && protocol->flow_factor > 0 ? nominal / protocol->flow_factor : nominal;
}

void flow_add(struct compiler *compiler, unsigned from, unsigned to, double share, struct trip *trip)
{
	const struct machine_network *rules = compiler->network->rules;
	struct path *path = &compiler->path;
	struct step *step = &compiler->step;
	graph_route(compiler->graph, from, to, path);
	const struct protocol *protocol =
		rules->protocol_count ? protocol_of(rules, share * compiler->bytes) : NULL;
	const double start_s = rules->message_s + (protocol ? protocol->latency_factor : 1) * path->latency_s;
	const double shown_s = trip ? 0 : start_s; /* a ring pays it once per trip */
	double slowest = path_load(compiler, share, shown_s);
	if (rules->return_share > 0)
		returns_load(compiler, rules->return_share * share, shown_s);
	double cap = share * path->flow_s_per_byte / compiler->lanes;
	if (compiler->message || (protocol && protocol->flow_factor > 0)) {
		const double limit = share * protocol_s_per_byte(compiler, protocol);
		cap = compiler->message || limit > cap ? limit : cap;
	}
	if (compiler->graph->ways == 1) /* acknowledgements share the cable */
		slowest *= 1 + rules->return_share;
	slowest = slowest > cap ? slowest : cap;
	if (trip)
		trip_add(trip, start_s);
	flow_include(step, shown_s, cap, slowest);
}

void flows_begin(struct compiler *compiler)
{
	compiler->load_count = 0;
}

void link_carry(struct compiler *compiler, unsigned link, double share)
{
	if (!(compiler->carried[link] > 0))
		compiler->ever[compiler->ever_count++] = link;
	compiler->carried[link] += share;
}

struct times flows_times(struct compiler *compiler, double carried)
{
	trunks_load(compiler);
	struct times times = compiler->step.flows;
	struct peaks peaks = peaks_none;
	for (unsigned i = 0; i < compiler->load_count; ++i) {
		const struct load *load = &compiler->loads[i];
		load_include(load, &peaks, &times);
		if (carried > 0)
			link_carry(compiler, load->link, load->share * carried);
	}
	return times;
}

void links_sum(struct compiler *compiler, struct compiled *compiled)
{
	const struct graph *graph = compiler->graph;
	compiled->hottest = UINT_MAX;
	for (unsigned i = 0; i < compiler->ever_count; ++i) {
		const unsigned link = compiler->ever[i];
		const struct cable *cable = &graph->cables[link / graph->ways];
		const struct link_class *kind = &graph->classes[cable->class_];
		const double carried = compiler->carried[link];
		const double s_per_byte = carried * graph_hop(graph, link)->s_per_byte;
		/* full duplex: each direction has half of the cable's idle power */
		const double powered = kind->bundled ? 1 : cable->width;
		compiled->used_watt += kind->idle_watt * powered / graph->ways;
		if (kind->peak_watt > kind->idle_watt)
			compiled->joule_per_byte += carried * (kind->peak_watt - kind->idle_watt) * powered /
						    graph->ways * nominal_s_per_byte(compiler, link);
		compiled->vector_copies += carried;
		if (s_per_byte > compiled->hottest_s_per_byte) {
			compiled->hottest_s_per_byte = s_per_byte;
			compiled->hottest = link;
		}
		compiler->carried[link] = 0;
	}
	compiler->ever_count = 0;
}

bool compile_links(struct compiler *compiler, const struct group *group, const struct communicator *comm,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled)
{
	compiler->links_only = true;
	const bool applies = compile_whole(compiler, group, comm, collective, variant, bytes, compiled);
	compiler->links_only = false;
	return applies;
}

/*
 * Marks every memo as free. Nothing else needs to be cleared, as a search looks at nothing else of a free one: a
 * memo has some 400 bytes.
 */
static void forget(struct compiler *compiler)
{
	for (unsigned i = 0; compiler->memo_count > 0 && i < MEMOS_MAX; ++i)
		compiler->memos[i].flows = 0;
	compiler->memo_count = 0;
}

void memo_begin(struct compiler *compiler, bool same_group)
{
	const double lanes = compiler->lanes;
	compiler->emitted_count = 0;
	compiler->memo_stale = compiler->memo_stale || !same_group;
	if (!compiler->memos ||
		(!compiler->memo_stale && lanes <= compiler->memo_lanes && lanes >= compiler->memo_lanes))
		return;
	compiler->memo_stale = false;
	compiler->memo_lanes = lanes;
	forget(compiler);
}

static struct emitted run_back(const struct emitted *run)
{
	struct emitted back = *run;
	back.from = run->to;
	back.to = run->from;
	back.from_stride = run->to_stride;
	back.to_stride = run->from_stride;
	return back;
}

static uint64_t run_mixed(uint64_t hash, const struct emitted *run)
{
	hash = mixed(hash, (uint64_t)run->from << 32 | run->to);
	if (run->count > 1)
		hash = mixed(mixed(hash, run->count), (uint64_t)run->from_stride << 32 | run->to_stride);
	return hash;
}

/*
 * Returns whether the second half of the flows is the first half reversed, on a network where reversed flows load
 * the reverse links alike.
 */
static bool halves_mirror(const struct compiler *compiler)
{
	const unsigned half = compiler->emitted_count / 2;
	if (!compiler->graph->mirrored || compiler->graph->ways != 2 || compiler->emitted_count % 2 ||
		compiler->step.ring)
		return false;
	for (unsigned i = 0; i < half; ++i) {
		const struct emitted *there = &compiler->emitted[i], *back = &compiler->emitted[half + i];
		if (there->from != back->to || there->to != back->from || there->count != back->count ||
			there->from_stride != back->to_stride || there->to_stride != back->from_stride ||
			there->share < back->share || there->share > back->share)
			return false;
	}
	return true;
}

void loads_mirror(struct compiler *compiler)
{
	trunks_load(compiler);
	const unsigned count = compiler->load_count;
	for (unsigned i = 0; compiler->both_ways && i < count; ++i) {
		struct load *load = &compiler->loads[i];
		const unsigned place = compiler->place[load->link ^ 1];
		if (place >= compiler->load_count || compiler->loads[place].link != (load->link ^ 1)) {
			load_add(compiler, load->link ^ 1, load);
			continue;
		}
		struct load *back = &compiler->loads[place];
		if (place < i)
			continue; /* both links are done */
		load->share = back->share = load->share + back->share;
		load->most_s = back->most_s = load->most_s > back->most_s ? load->most_s : back->most_s;
		load->least_s = back->least_s = load->least_s < back->least_s ? load->least_s : back->least_s;
	}
}

bool memo_emit(struct compiler *compiler, const struct emitted *run)
{
	const struct machine_network *rules = compiler->network->rules;
	if (!compiler->memos ||
		(compiler->emitted_count == compiler->emitted_room && !emitted_grow(compiler)))
		return false;
	if (compiler->emitted_count == 0)
		compiler->emitted_hash = compiler->emitted_back =
			mixed(0, 2 * (uint64_t)compiler->step.ring + compiler->message);
	compiler->emitted[compiler->emitted_count++] = *run;
	const struct emitted back = run_back(run);
	uint64_t like = ratio_bits(run->share, compiler->emitted[0].share);
	if (rules->protocol_count)
		like = mixed(like, (uintptr_t)protocol_of(rules, run->share * compiler->bytes));
	compiler->emitted_hash = mixed(run_mixed(compiler->emitted_hash, run), like);
	compiler->emitted_back = mixed(run_mixed(compiler->emitted_back, &back), like);
	return true;
}

void memo_give_up(struct compiler *compiler)
{
	for (unsigned i = 0; i < compiler->emitted_count; ++i)
		run_route(compiler, &compiler->emitted[i]);
	compiler->emitted_count = 0;
}

/*
 * Returns the memo of a step, or a free one. A table that is half full is emptied first: schedules of one group
 * rarely have that many kinds of steps.
 */
static struct memo *place_of(struct compiler *compiler, uint64_t hash, unsigned flows)
{
	if (compiler->memo_count > MEMOS_MAX / 2)
		forget(compiler);
	unsigned at = (unsigned)(hash >> 32) & (MEMOS_MAX - 1);
	while (compiler->memos[at].flows &&
		(compiler->memos[at].hash != hash || compiler->memos[at].flows != flows))
		at = (at + 1) & (MEMOS_MAX - 1);
	return &compiler->memos[at];
}

void memo_know(struct compiler *compiler)
{
	struct step *step = &compiler->step;
	const unsigned flows = compiler->emitted_count;
	const double unit = compiler->emitted[0].share;
	const bool turned = compiler->graph->mirrored && compiler->emitted_back < compiler->emitted_hash;
	const uint64_t hash = turned ? compiler->emitted_back : compiler->emitted_hash;
	struct memo *memo = place_of(compiler, hash, flows);
	if (!memo->flows) {
		struct times times;
		compiler->both_ways = halves_mirror(compiler);
		compiler->emitted_count -= compiler->both_ways ? flows / 2 : 0;
		if (!levels_times(compiler, &times) && !tiles_times(compiler, &times) &&
			!turns_times(compiler, &times)) {
			memo_give_up(compiler);
			loads_mirror(compiler);
			times = flows_times(compiler, 0);
		}
		compiler->both_ways = false;
		step_know(compiler, times);
		*memo = (struct memo){hash, flows, unit, step->trip_s, step->times};
		++compiler->memo_count;
	}
	compiler->emitted_count = 0;
	step->trip_s = memo->trip_s;
	step->times = memo->times;
	if (unit < memo->unit || unit > memo->unit) {
		hull_scale(&step->times.upper, unit / memo->unit);
		hull_scale(&step->times.lower, unit / memo->unit);
	}
}
