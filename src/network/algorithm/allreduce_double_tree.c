/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two binary trees over the nodes (or over the ranks, where a node holds one or there is one node), each with half of
 * the vector: inner members of one are leaves of the other. In a node, a chain leads to the head, which is another
 * device for each channel. The vector goes up and down in C chunks, each of which passes 2 h stages, where
 * h = ceil(log2 n) + g - 1:
 *     T = sum over the stages of t(stage, one chunk) + (C - 1) t(all stages at once, one chunk)
 * As in any pipeline this is the time of the first chunk, and then what the busiest link takes for each further one.
 * On a network without contention t(all stages at once) is alpha + 2 bytes / C beta, so that T is near 2 h alpha + 2
 * bytes beta.
 *
 * The first tree is in order: the parent of member m is the member whose number has m's lowest bit cleared and the
 * next bit set, or only cleared where that is past the end; odd members are leaves. The other tree is the mirror image
 * for an even n, and the first tree shifted by one for an odd n.
 *
 * NCCL's NVLSTree has the same trees over nodes whose switches reduce and copy (in_network.c), in the place of chains:
 * each of the g devices of a node heads the trees of its own g-th of the vector. The switch works on one chunk
 * while others are on their way, so that of g ports and a switch the slower one decides:
 *     T = start + T(first chunk) + (C - 1) max(t(levels of nodes, one chunk), (g + 1) / g bytes / C beta / efficiency)
 */
#include <stdio.h>

#include "network/algorithm/lines.h"

enum { VARIANTS = 6 };
static const unsigned chunks[VARIANTS] = {1, 4, 16, 64, 256, 1024};

struct trees {
	unsigned members, chain, channels; /* of a tree: nodes or ranks; devices in a node's chain; rings */
	unsigned heads;                    /* channels that one device heads */
	double share; /* one tree's half of a chunk in one channel, as a share of the vector */
	const struct communicator
		*uneven; /* the group, where nodes hold unequal numbers: `chain` is the longest */
};

static struct trees trees_of(const struct communicator *comm, unsigned chunk_count)
{
	const bool nodes = comm->nodes > 1;
	const unsigned channels = comm->channels > 1 ? comm->channels : 1;
	const unsigned chain = nodes ? node_most(comm) : 1,
		       shortest = nodes && comm->rest ? comm->rest : chain;
	return (struct trees){nodes ? comm->nodes : comm->size, chain, channels,
		(channels + shortest - 1) / shortest, 0.5 / chunk_count / channels, comm->rest ? comm : NULL};
}

/* Returns the node of a tree's member. */
static unsigned node_at(const struct trees *trees, unsigned tree, unsigned member)
{
	const unsigned n = trees->members;
	if (tree == 0)
		return member;
	return n % 2 ? (member + 1) % n : n - 1 - member;
}

/* Returns the rank at a position of a channel's chain, where nodes are alike. */
static inline unsigned rank_of(
	const struct trees *trees, unsigned tree, unsigned member, unsigned channel, unsigned position)
{
	const unsigned head = channel * trees->chain / trees->channels;
	return node_at(trees, tree, member) * trees->chain + (head + position) % trees->chain;
}

/* Returns the same on any nodes. */
static unsigned any_rank(
	const struct trees *trees, unsigned tree, unsigned member, unsigned channel, unsigned position)
{
	if (!trees->uneven)
		return rank_of(trees, tree, member, channel, position);
	const struct node_ranks node = node_ranks(trees->uneven, node_at(trees, tree, member));
	return node.first + (channel_turn(trees->uneven, channel) + position) % node.count;
}

/* Returns how many ranks the chain of a member has: all of its node. */
static unsigned chain_of(const struct trees *trees, unsigned member)
{
	return trees->uneven ? node_ranks(trees->uneven, member).count : trees->chain;
}

/* Returns whether the order of messages does not matter and they come as runs: those of nodes that are alike. */
static bool has_runs(const struct trees *trees, const struct schedule *schedule)
{
	return schedule->reorders && !trees->uneven;
}

static void flow(unsigned child, unsigned parent, bool down, double share, struct schedule *schedule)
{
	schedule_flow(schedule, down ? parent : child, down ? child : parent, share);
}

/*
 * Emits a level as runs: members first, first + 4 bit .. of one tree and channel, whose parents are all `bit` before
 * or all `bit` after them. The mirror image counts down from the last member; in the shifted tree, member n - 1 is at
 * place 0.
 */
static void level_runs(const struct trees *trees, unsigned bit, unsigned first, unsigned tree,
	unsigned channel, bool down, struct schedule *schedule)
{
	const unsigned n = trees->members, apart = 4 * bit;
	const bool mirrored = tree == 1 && n % 2 == 0;
	for (unsigned child = first; child < n;) {
		const unsigned next = first == bit ? child + bit : child - bit;
		const unsigned parent = next < n ? next : child - bit;
		const unsigned highest = child > parent ? child : parent, reach = n - (tree == 1 && n % 2);
		const unsigned fit = next < n && highest < reach ? (reach - 1 - highest) / apart + 1 : 1;
		const unsigned last = (fit - 1) * apart;
		const unsigned from = rank_of(trees, tree, child + (mirrored ? last : 0), channel, 0);
		const unsigned to = rank_of(trees, tree, parent + (mirrored ? last : 0), channel, 0);
		schedule_flows(schedule, down ? to : from, down ? from : to, trees->share, fit,
			apart * trees->chain);
		child += fit * apart;
	}
}

/*
 * Emits the messages between the members whose lowest bit is `bit` and their parents, in both trees and all channels.
 */
static void level_flows(const struct trees *trees, unsigned bit, bool down, struct schedule *schedule)
{
	for (unsigned tree = 0; tree < 2 && !has_runs(trees, schedule); ++tree)
		for (unsigned child = bit; child < trees->members; child += 2 * bit) {
			const unsigned cleared = child ^ bit, next = cleared | bit << 1;
			const unsigned parent = next < trees->members ? next : cleared;
			for (unsigned c = 0; c < trees->channels; ++c)
				flow(any_rank(trees, tree, child, c, 0), any_rank(trees, tree, parent, c, 0),
					down, trees->share, schedule);
		}
	for (unsigned c = 0; c < trees->channels && has_runs(trees, schedule); ++c)
		for (unsigned k = 0; k < 4; ++k)
			level_runs(trees, bit, k % 2 ? 3 * bit : bit, k / 2, c, down, schedule);
}

static void all_level_flows(const struct trees *trees, bool down, struct schedule *schedule)
{
	for (unsigned bit = 1; bit < trees->members; bit *= 2)
		level_flows(trees, bit, down, schedule);
}

/*
 * Emits the messages between position `at` of every node's chains and the one nearer to the head, for both trees'
 * halves.
 */
static void chain_flows(const struct trees *trees, unsigned at, bool down, struct schedule *schedule)
{
	for (unsigned c = 0; c < trees->channels && has_runs(trees, schedule); ++c) {
		const unsigned child = rank_of(trees, 0, 0, c, at), parent = rank_of(trees, 0, 0, c, at - 1);
		schedule_flows(schedule, down ? parent : child, down ? child : parent, 2 * trees->share,
			trees->members, trees->chain);
	}
	for (unsigned node = 0; node < trees->members && !has_runs(trees, schedule); ++node)
		for (unsigned c = 0; c < trees->channels && at < chain_of(trees, node); ++c)
			flow(any_rank(trees, 0, node, c, at), any_rank(trees, 0, node, c, at - 1), down,
				2 * trees->share, schedule);
}

/* Emits the levels between nodes, each as a step. */
static void levels_emit(const struct trees *trees, bool down, struct schedule *schedule)
{
	const unsigned span = tree_span(trees->members);
	for (unsigned bit = 1; bit < span; bit *= 2) {
		schedule_step(schedule, 1, 0);
		level_flows(trees, down ? span / 2 / bit : bit, down, schedule);
		/* bit and 3 bit are both children of 2 bit, if there are more than 3 bit members */
		schedule_reduce(schedule,
			down ? 0 : (3 * bit < trees->members ? 2 : 1) * trees->heads * trees->share);
	}
}

static void first_chunk(const struct trees *trees, bool down, struct schedule *schedule)
{
	for (unsigned at = trees->chain; !down && at-- > 1;) {
		schedule_step(schedule, 1, 0);
		chain_flows(trees, at, down, schedule);
		schedule_reduce(schedule, 2 * trees->heads * trees->share);
	}
	levels_emit(trees, down, schedule);
	for (unsigned at = 1; down && at < trees->chain; ++at) {
		schedule_step(schedule, 1, 0);
		chain_flows(trees, at, down, schedule);
	}
}

static void other_chunks(const struct trees *trees, double repeat, struct schedule *schedule)
{
	schedule_step(schedule, repeat, 0);
	for (unsigned down = 0; down < 2; ++down) {
		for (unsigned at = 1; at < trees->chain; ++at)
			chain_flows(trees, at, down, schedule);
		all_level_flows(trees, down, schedule);
	}
	/* a device combines for the channels that it heads, and in the chains of all channels */
	schedule_reduce(
		schedule, 2 * trees->share * (trees->heads + (trees->chain > 1 ? trees->channels : 0)));
}

/* Leaves out two ranks of one node: both trees would take their only cable as if it were theirs alone. */
static unsigned allreduce_double_tree_variants(const struct communicator *comm)
{
	return comm->size > (comm->nodes > 1 ? 1 : 2) ? VARIANTS : 0;
}

static void allreduce_double_tree_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const struct trees trees = trees_of(comm, chunks[variant]);
	schedule_phase(schedule, "first chunk up");
	first_chunk(&trees, false, schedule);
	schedule_phase(schedule, "first chunk down");
	first_chunk(&trees, true, schedule);
	if (chunks[variant] < 2)
		return;
	schedule_phase(schedule, "other chunks up and down");
	other_chunks(&trees, chunks[variant] - 1, schedule);
}

static void allreduce_double_tree_describe(
	const struct communicator *comm, unsigned variant, char *text, size_t size)
{
	(void)comm;
	snprintf(text, size, "chunks=%u", chunks[variant]);
}

const struct collective collective_allreduce_double_tree = {
	.name = "allreduce-double-tree",
	.summary = "two binary trees with half the vector each, in chunks up and down",
	.source = "Sanders, Speck and Traeff, Parallel Computing 35 (2009); NCCL",
	.operation = ALLREDUCE,
	.variants = allreduce_double_tree_variants,
	.emit = allreduce_double_tree_emit,
	.describe = allreduce_double_tree_describe,
};

/* ---- NVLSTree ------------------------------------------------------------------------------------------- */

static unsigned allreduce_nvls_tree_variants(const struct communicator *comm)
{
	return comm->nvls.efficiency > 0 && comm->nodes > 1 && comm->per_node > 1 && !comm->rest ? VARIANTS
												 : 0;
}

/* Emits what crosses the ports of every node's switch: `share` of the vector, each way. */
static void switch_flows(const struct communicator *comm, double share, struct schedule *schedule)
{
	for (unsigned rank = 0; rank < comm->size; ++rank) {
		const unsigned local = rank % comm->per_node, first = rank - local;
		schedule_flow(
			schedule, rank, first + (local + 1) % comm->per_node, share / comm->nvls.efficiency);
	}
}

static void allreduce_nvls_tree_emit(
	const struct communicator *comm, unsigned variant, struct schedule *schedule)
{
	const unsigned g = comm->per_node;
	const double chunk = 1.0 / chunks[variant];
	const struct trees trees = {comm->nodes, g, g, 1, 0.5 * chunk / g, NULL};
	schedule_phase(schedule, "reduce in the switches");
	schedule_step(schedule, 1, 0);
	switch_flows(comm, chunk, schedule);
	schedule_wait(schedule, comm->nvls.start_s);
	schedule_phase(schedule, "first chunk up");
	levels_emit(&trees, false, schedule);
	schedule_phase(schedule, "first chunk down");
	levels_emit(&trees, true, schedule);
	schedule_phase(schedule, "copy in the switches");
	schedule_step(schedule, 1, 0);
	switch_flows(comm, chunk, schedule);
	if (chunks[variant] < 2)
		return;
	schedule_phase(schedule, "other chunks up and down");
	/* The switches work beside the ranks, whose messages therefore do not follow one another: a fork. */
	schedule_fork(schedule);
	schedule_step(schedule, chunks[variant] - 1.0, 0);
	switch_flows(comm, (g + 1.0) / g * chunk, schedule);
	for (unsigned down = 0; down < 2; ++down)
		all_level_flows(&trees, down, schedule);
	schedule_reduce(schedule, 2 * trees.share);
	schedule_branch(schedule);
	schedule_join(schedule);
}

const struct collective collective_allreduce_nvls_tree = {
	.name = "allreduce-nvls-tree",
	.summary = "reduction in the switches of nodes, two binary trees between them",
	.source = "NCCL 2.18, NVLSTree",
	.operation = ALLREDUCE,
	.variants = allreduce_nvls_tree_variants,
	.emit = allreduce_nvls_tree_emit,
	.describe = allreduce_double_tree_describe,
};
