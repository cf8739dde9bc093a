/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/compile.h"

#include <limits.h>
#include <string.h>

enum { FORKS_MAX = 4, FLOWS_MAX = 1 << 21 };

/* What one link carries in the current step; `stamp` says which step that is. */
struct load {
	double share;           /* of the vector */
	double most_s, least_s; /* start-ups of the flows on it */
	unsigned stamp;
};

struct times {
	struct hull upper, lower;
};

struct step {
	double repeat;
	unsigned ring;
	struct times flows; /* of single flows: no flow is faster than alone */
	double start_sum_s, start_most_s, flow_count;
	double reduce_share, memory_share, wait_s;
	bool open;
};

struct compiler {
	struct schedule schedule; /* first: the listener's functions get its address */
	const struct network *network;
	const struct graph *graph;
	struct path path;
	struct load *loads;
	double *nominal_s_per_byte; /* of each link */
	double *carried;            /* of each link, of all steps so far: shares of the vector */
	unsigned *touched, touched_count;
	unsigned *ever, ever_count; /* links that any step touched */
	unsigned stamp;
	/* of the schedule being compiled */
	unsigned *offset, *base; /* device = base[sibling] + offset[rank], then placed */
	const struct group *group;
	unsigned siblings;
	double bytes;
	bool message; /* point-to-point: fills its links; a library's collective keeps to one flow's rate */
	struct step step;
	struct times stack[2 * FORKS_MAX + 1];
	unsigned depth;
	double steps;
};

struct compiler *compiler_create(struct paradl_arena *arena, const struct network *network)
{
	const struct graph *graph = network->graph;
	const size_t links = (size_t)graph->cable_count * graph->ways;
	struct compiler *compiler = arena_alloc(arena, 1, sizeof *compiler);
	if (!compiler || !path_create(arena, graph, &compiler->path))
		return NULL;
	compiler->network = network;
	compiler->graph = graph;
	compiler->loads = arena_alloc(arena, links + 1, sizeof *compiler->loads);
	compiler->nominal_s_per_byte = arena_alloc(arena, links + 1, sizeof(double));
	compiler->carried = arena_alloc(arena, links + 1, sizeof(double));
	compiler->touched = arena_alloc(arena, links + 1, sizeof(unsigned));
	compiler->ever = arena_alloc(arena, links + 1, sizeof(unsigned));
	compiler->offset = arena_alloc(arena, graph->devices, sizeof(unsigned));
	compiler->base = arena_alloc(arena, graph->devices, sizeof(unsigned));
	if (!compiler->loads || !compiler->nominal_s_per_byte || !compiler->carried || !compiler->touched ||
		!compiler->ever || !compiler->offset || !compiler->base)
		return NULL;
	for (size_t l = 0; l < links; ++l) {
		const struct cable *cable = &graph->cables[l / graph->ways];
		const double rate = graph->classes[cable->class_].bytes_per_s * cable->width;
		compiler->nominal_s_per_byte[l] = rate > 0 ? 1 / rate : 0;
	}
	return compiler;
}

/* ---- flows ------------------------------------------------------------------------------------------------ */

static const struct protocol *protocol_of(const struct machine_network *rules, double bytes)
{
	const struct protocol *found = NULL;
	for (unsigned i = 0; i < rules->protocol_count && rules->protocols[i].from_bytes <= bytes; ++i)
		found = &rules->protocols[i];
	return found;
}

static void link_load(struct compiler *compiler, unsigned link, double share, double start_s)
{
	struct load *load = &compiler->loads[link];
	if (load->stamp != compiler->stamp) {
		*load = (struct load){share, start_s, start_s, compiler->stamp};
		compiler->touched[compiler->touched_count++] = link;
		return;
	}
	load->share += share;
	load->most_s = start_s > load->most_s ? start_s : load->most_s;
	load->least_s = start_s < load->least_s ? start_s : load->least_s;
}

/* Time per byte of a flow that has its route for itself. */
static double alone_s_per_byte(const struct compiler *compiler, const struct protocol *protocol, double *cap)
{
	const struct path *path = &compiler->path;
	double slowest = 0, nominal = 0;
	*cap = compiler->message ? 0 : path->flow_s_per_byte;
	for (unsigned i = 0; i < path->count; ++i) {
		const double share = path->split ? path->shares[i] : 1;
		const double here = compiler->graph->links[path->links[i]].s_per_byte * share;
		const double listed = compiler->nominal_s_per_byte[path->links[i]] * share;
		slowest = here > slowest ? here : slowest;
		nominal = listed > nominal ? listed : nominal;
	}
	if (compiler->message)
		*cap = nominal;
	if (protocol && protocol->flow_factor > 0 && nominal / protocol->flow_factor > *cap)
		*cap = nominal / protocol->flow_factor;
	if (compiler->graph->ways == 1) /* what comes back shares the cable */
		slowest *= 1 + compiler->network->rules->return_share;
	return slowest > *cap ? slowest : *cap;
}

static void flow_add(struct compiler *compiler, unsigned from, unsigned to, double share)
{
	const struct machine_network *rules = compiler->network->rules;
	const struct graph *graph = compiler->graph;
	struct path *path = &compiler->path;
	struct step *step = &compiler->step;
	double cap = 0;
	graph_route(graph, from, to, path);
	const struct protocol *protocol =
		rules->protocol_count ? protocol_of(rules, share * compiler->bytes) : NULL;
	const double start_s = rules->message_s + (protocol ? protocol->latency_factor : 1) * path->latency_s;
	const bool pipelined = step->ring && !rules->synchronous;
	const double shown_s = pipelined ? 0 : start_s;
	for (unsigned i = 0; i < path->count; ++i)
		link_load(compiler, path->links[i], path->split ? share * path->shares[i] : share, shown_s);
	if (rules->return_share > 0)
		for (unsigned i = 0; i < path->count; ++i)
			link_load(compiler, path->links[i] ^ (graph->ways == 2),
				rules->return_share * (path->split ? share * path->shares[i] : share),
				shown_s);
	const double alone = alone_s_per_byte(compiler, protocol, &cap);
	hull_include(&step->flows.upper, (struct line){shown_s, share * cap});
	hull_include(&step->flows.lower, (struct line){shown_s, share * alone});
	step->start_sum_s += start_s;
	step->start_most_s = start_s > step->start_most_s ? start_s : step->start_most_s;
	step->flow_count += 1;
}

static unsigned device_of(const struct compiler *compiler, unsigned sibling, unsigned rank)
{
	const unsigned place = compiler->base[sibling] + compiler->offset[rank];
	return compiler->group->placement ? compiler->group->placement[place] : place;
}

static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct compiler *compiler = (struct compiler *)schedule;
	if (from == to || !(share > 0))
		return;
	for (unsigned s = 0; s < compiler->siblings; ++s)
		flow_add(compiler, device_of(compiler, s, from), device_of(compiler, s, to), share);
}

/*
 * Too many pairs to route: the links of a kind share what flows from evenly chosen ranks to all others put on them,
 * scaled to all ranks. A lower bound of the largest load, exact where links of a kind are loaded alike.
 */
static void pairs_bound(struct compiler *compiler, double share)
{
	const unsigned size = compiler->group->size;
	const unsigned sources = FLOWS_MAX / 2 / size > 1 ? FLOWS_MAX / 2 / size : 1;
	const double scale = (double)size * compiler->siblings / sources;
	const struct graph *graph = compiler->graph;
	double crossings[LINK_KINDS] = {0}, links[LINK_KINDS] = {0};
	for (unsigned i = 0; i < sources; ++i) {
		const unsigned from = (unsigned)((double)i * size / sources);
		for (unsigned to = 0; to < size; ++to)
			if (to != from)
				flow_add(compiler, device_of(compiler, i % compiler->siblings, from),
					device_of(compiler, i % compiler->siblings, to), share);
	}
	for (unsigned i = 0; i < graph->cable_count; ++i)
		links[graph->cables[i].kind] += graph->cables[i].one_way ? 1 : graph->ways;
	for (unsigned i = 0; i < compiler->touched_count; ++i)
		crossings[graph->cables[compiler->touched[i] / graph->ways].kind] +=
			compiler->loads[compiler->touched[i]].share;
	for (unsigned i = 0; i < compiler->touched_count; ++i) {
		const unsigned kind = graph->cables[compiler->touched[i] / graph->ways].kind;
		const double in_use = links[kind] * compiler->group->devices / graph->devices;
		compiler->loads[compiler->touched[i]].share = crossings[kind] * scale / in_use;
	}
}

static void on_all_pairs(struct schedule *schedule, double share)
{
	struct compiler *compiler = (struct compiler *)schedule;
	const unsigned size = compiler->group->size;
	if ((double)size * size * compiler->siblings > FLOWS_MAX) {
		pairs_bound(compiler, share);
		return;
	}
	for (unsigned from = 0; from < size; ++from)
		for (unsigned to = 0; to < size; ++to)
			on_flow(schedule, from, to, share);
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

static struct times *current(struct compiler *compiler)
{
	return &compiler->stack[compiler->depth];
}

/* What the busiest device does besides, and a pipelined ring's start-ups: p - 1 hops, the longest not among them. */
static struct line besides(const struct compiler *compiler)
{
	const struct step *step = &compiler->step;
	const struct machine_network *rules = compiler->network->rules;
	struct line line = {step->wait_s, step->reduce_share * rules->reduce_s_per_byte +
						  step->memory_share * compiler->network->memory_s_per_byte};
	if (step->ring > 1 && !rules->synchronous && step->flow_count > 0) {
		const double rings = step->flow_count / step->ring;
		const double trip_s = step->start_sum_s / (rings > 1 ? rings : 1) - step->start_most_s;
		line.a_s += trip_s / (step->ring - 1);
	}
	return line;
}

static void step_close(struct compiler *compiler)
{
	struct step *step = &compiler->step;
	struct times times = step->flows;
	if (!step->open)
		return;
	for (unsigned i = 0; i < compiler->touched_count; ++i) {
		const unsigned link = compiler->touched[i];
		const struct load *load = &compiler->loads[link];
		const double s_per_byte = load->share * compiler->graph->links[link].s_per_byte;
		hull_include(&times.upper, (struct line){load->most_s, s_per_byte});
		hull_include(&times.lower, (struct line){load->least_s, s_per_byte});
		if (!(compiler->carried[link] > 0))
			compiler->ever[compiler->ever_count++] = link;
		compiler->carried[link] += load->share * step->repeat;
	}
	const struct hull beside = {.count = 1, .lines = {besides(compiler)}};
	hull_add(&times.upper, &beside, 1);
	hull_add(&times.lower, &beside, 1);
	hull_add(&current(compiler)->upper, &times.upper, step->repeat);
	hull_add(&current(compiler)->lower, &times.lower, step->repeat);
	compiler->steps += step->repeat;
	step->open = false;
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	compiler->step = (struct step){.repeat = repeat, .ring = ring, .open = repeat > 0};
	compiler->touched_count = 0;
	++compiler->stamp;
}

static void on_phase(struct schedule *schedule, const char *name)
{
	(void)schedule;
	(void)name;
}

static void on_reduce(struct schedule *schedule, double share)
{
	((struct compiler *)schedule)->step.reduce_share = share;
}

static void on_memory(struct schedule *schedule, double share)
{
	((struct compiler *)schedule)->step.memory_share = share;
}

static void on_wait(struct schedule *schedule, double seconds)
{
	((struct compiler *)schedule)->step.wait_s = seconds;
}

/* A fork takes two places of the stack: what is before it stays, each branch starts from nothing. */
static void on_fork(struct schedule *schedule)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	compiler->stack[++compiler->depth] = (struct times){0};
}

static void on_branch(struct schedule *schedule)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	compiler->stack[++compiler->depth] = (struct times){0};
}

static void on_join(struct schedule *schedule)
{
	struct compiler *compiler = (struct compiler *)schedule;
	step_close(compiler);
	struct times *first = &compiler->stack[compiler->depth - 1], *second = current(compiler);
	hull_max(&first->upper, &second->upper);
	hull_max(&first->lower, &second->lower);
	compiler->depth -= 2;
	hull_add(&current(compiler)->upper, &first->upper, 1);
	hull_add(&current(compiler)->lower, &first->lower, 1);
}

static const struct schedule_listener listener = {
	.phase = on_phase,
	.step = on_step,
	.flow = on_flow,
	.all_pairs = on_all_pairs,
	.reduce = on_reduce,
	.memory = on_memory,
	.wait = on_wait,
	.fork = on_fork,
	.branch = on_branch,
	.join = on_join,
};

/* ---- a schedule ------------------------------------------------------------------------------------------------ */

/* Sums over the links that were used, and forgets them. */
static void links_sum(struct compiler *compiler, struct compiled *compiled)
{
	const struct graph *graph = compiler->graph;
	compiled->hottest = UINT_MAX;
	for (unsigned i = 0; i < compiler->ever_count; ++i) {
		const unsigned link = compiler->ever[i];
		const struct cable *cable = &graph->cables[link / graph->ways];
		const struct link_class *class_ = &graph->classes[cable->class_];
		const double carried = compiler->carried[link];
		const double s_per_byte = carried * graph->links[link].s_per_byte;
		/* full duplex: each direction is half of the cable's idle power */
		compiled->used_watt += class_->idle_watt * cable->width / graph->ways;
		if (class_->peak_watt > class_->idle_watt)
			compiled->joule_per_byte += carried * (class_->peak_watt - class_->idle_watt) *
						    cable->width / graph->ways *
						    compiler->nominal_s_per_byte[link];
		compiled->vector_copies += carried;
		if (s_per_byte > compiled->hottest_s_per_byte) {
			compiled->hottest_s_per_byte = s_per_byte;
			compiled->hottest = link;
		}
		compiler->carried[link] = 0;
	}
	compiler->ever_count = 0;
}

static void members_place(struct compiler *compiler, const struct group *group)
{
	compiler->group = group;
	for (unsigned rank = 0; rank < group->size; ++rank)
		compiler->offset[rank] = group_offset(group, rank);
	compiler->siblings = group_copies(group, compiler->base);
}

bool compile(struct compiler *compiler, const struct group *group, const struct party *party,
	const struct collective *collective, unsigned variant, double bytes, struct compiled *compiled)
{
	*compiled = (struct compiled){.hottest = UINT_MAX};
	if (group->size < 2)
		return true;
	if (variant >= collective->variants(party))
		return false;
	members_place(compiler, group);
	compiler->schedule.listener = &listener;
	compiler->bytes = bytes;
	compiler->message = collective->operation == POINT_TO_POINT;
	compiler->step.open = false;
	compiler->touched_count = 0;
	compiler->depth = 0;
	compiler->steps = 0;
	compiler->stack[0] = (struct times){0};
	collective->tell(party, variant, &compiler->schedule);
	step_close(compiler);
	compiled->upper = compiler->stack[0].upper;
	compiled->lower = compiler->stack[0].lower;
	compiled->steps = compiler->steps;
	links_sum(compiler, compiled);
	return true;
}
