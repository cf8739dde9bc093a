/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file times steps of many messages on networks whose devices share leaves. A route is the sender's stem, a trunk between leaves,
 * and the receiver's stem (graph.h). Messages over the same trunk have the same start-up, are as fast alone, and load
 * the same links in the middle of their routes:
 *     load of a link of trunks = sum over trunks on it of (sum of their messages' shares * the trunk's share on it)
 * So each message is added to its stems and to the sum of its trunk, and each trunk is routed twice, when it is first
 * used and when its sum goes to its links. Messages within a leaf or a node
 * are routed each by itself.
 */
#include "base/arena.h"
#include "network/cost/compiler.h"

enum { MEMBERS_LEAST = 1 << 9 };

void trunks_begin(struct compiler *compiler)
{
	struct trunks *trunks = &compiler->trunks;
	const struct graph *graph = compiler->graph;
	const struct machine_network *rules = compiler->network->rules;
	trunks->used = graph->stem && compiler->memos && !rules->protocol_count &&
		       !(rules->return_share > 0) && !compiler->message &&
		       (double)compiler->size * compiler->siblings >= MEMBERS_LEAST;
	if (!trunks->used || trunks->own)
		return;
	struct paradl_arena *arena = compiler->arena;
	trunks->table = arena_alloc(arena, TRUNKS_MAX, sizeof *trunks->table);
	trunks->open = arena_alloc(arena, TRUNKS_MAX, sizeof *trunks->open);
	trunks->own = trunks->table && trunks->open ? arena_alloc(arena, graph->devices, sizeof *trunks->own)
						    : NULL;
	trunks->used = trunks->own != NULL;
}

/* Adds the sum of a trunk to the links of its route that are not those of stems. */
static void trunk_load(struct compiler *compiler, struct trunk *trunk)
{
	const unsigned ends = compiler->trunks.own[trunk->from].stem.links;
	const struct path *path = &compiler->path;
	graph_route(compiler->graph, trunk->from, trunk->to, &compiler->path);
	for (unsigned i = ends; i + ends < path->count; ++i)
		link_load(compiler, path->links[i], trunk->share * path_share(path, i), trunk->start_s);
	trunk->share = 0;
}

void trunks_load(struct compiler *compiler)
{
	struct trunks *trunks = &compiler->trunks;
	for (unsigned i = 0; i < trunks->open_count; ++i)
		if (trunks->table[trunks->open[i]].share > 0)
			trunk_load(compiler, &trunks->table[trunks->open[i]]);
	trunks->open_count = 0;
}

/* Finds the route of a message, and keeps the stems of its ends. */
static void ends_route(struct compiler *compiler, unsigned from, unsigned to)
{
	struct own *out = &compiler->trunks.own[from], *in = &compiler->trunks.own[to];
	const struct path *path = &compiler->path;
	graph_route(compiler->graph, from, to, &compiler->path);
	for (unsigned i = 0; i < out->stem.links; ++i) {
		out->out[i] = path->links[i];
		in->in[i] = path->links[path->count - 1 - i];
	}
	out->sends = in->receives = true;
}

static struct own *own_of(struct compiler *compiler, unsigned device)
{
	struct own *own = &compiler->trunks.own[device];
	if (!own->known)
		compiler->graph->stem(compiler->graph, device, &own->stem);
	own->known = true;
	return own;
}

/* Begins a trunk with no message yet, in place of the one that is there. */
static void trunk_begin(struct compiler *compiler, struct trunk *trunk, unsigned from, unsigned to)
{
	struct trunks *trunks = &compiler->trunks;
	const struct path *path = &compiler->path;
	if (trunk->share > 0)
		trunk_load(compiler, trunk);
	else
		trunks->open[trunks->open_count++] = (unsigned)(trunk - trunks->table);
	ends_route(compiler, from, to);
	*trunk = (struct trunk){.from = from,
		.to = to,
		.ends = {trunks->own[from].stem.leaf, trunks->own[to].stem.leaf},
		.start_s = compiler->network->rules->message_s + path->latency_s,
		.flow_s_per_byte = path->flow_s_per_byte};
	for (unsigned i = 0; i < path->count; ++i) {
		const double s_per_byte =
			path_share(path, i) * graph_hop(compiler->graph, path->links[i])->s_per_byte;
		if (s_per_byte > trunk->alone_s_per_byte)
			trunk->alone_s_per_byte = s_per_byte;
	}
}

static struct trunk *trunk_of(struct compiler *compiler, unsigned from, unsigned to)
{
	const struct own *out = &compiler->trunks.own[from], *in = &compiler->trunks.own[to];
	const unsigned ends[] = {out->stem.leaf, in->stem.leaf};
	const uint64_t hash = mixed(ends[0], ends[1]);
	struct trunk *trunk = &compiler->trunks.table[hash >> 32 & (TRUNKS_MAX - 1)];
	if (!(trunk->share > 0) || memcmp(trunk->ends, ends, sizeof ends) != 0)
		trunk_begin(compiler, trunk, from, to);
	else if (!out->sends || !in->receives)
		ends_route(compiler, from, to);
	return trunk;
}

void flow_join(struct compiler *compiler, unsigned from, unsigned to, double share)
{
	const struct own *out = NULL, *in = NULL;
	if (compiler->trunks.used) {
		out = own_of(compiler, from);
		in = own_of(compiler, to);
	}
	if (!out || out->stem.leaf == in->stem.leaf || out->stem.node == in->stem.node ||
		out->stem.links > STEM_LINKS) {
		flow_add(compiler, from, to, share, NULL);
		return;
	}
	struct trunk *trunk = trunk_of(compiler, from, to);
	trunk->share += share;
	for (unsigned i = 0; i < out->stem.links; ++i) {
		link_load(compiler, out->out[i], share, trunk->start_s);
		link_load(compiler, in->in[i], share, trunk->start_s);
	}
	const double cap = share * trunk->flow_s_per_byte / compiler->lanes;
	const double alone = share * trunk->alone_s_per_byte;
	flow_include(&compiler->step, trunk->start_s, cap, alone > cap ? alone : cap);
}
