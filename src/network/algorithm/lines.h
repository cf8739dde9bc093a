/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equal lines of ranks: line (i, j) is the ranks  i * inner_stride + j * outer_stride + m * stride  for m < count.
 * Every step is emitted for all lines at once: the rings inside all nodes, or the k rings between nodes.
 */
#ifndef NETWORK_ALGORITHM_LINES_H
#define NETWORK_ALGORITHM_LINES_H

#include "network/algorithm/collective.h"

struct lines {
	unsigned count, stride;                            /* members of one line */
	unsigned inner, inner_stride, outer, outer_stride; /* numbers and strides of lines */
	double times;      /* repetitions of every step: the segments of a pipeline */
	unsigned channels; /* messages side by side that carry one of a ring: lanes of links in a node */
};

static inline bool is_power_of_two(unsigned count)
{
	return count && !(count & (count - 1));
}

/* Returns one line of all ranks. */
static inline struct lines lines_all(const struct communicator *comm)
{
	return (struct lines){comm->size, 1, 1, 0, 1, 0, 1, 1};
}

/* Returns the lines of `size` neighbouring ranks each; with size per_node, each is the members of a node. */
static inline struct lines lines_near(const struct communicator *comm, unsigned size)
{
	return (struct lines){
		size, 1, 1, 0, comm->size / size, size, 1, comm->channels > 1 ? comm->channels : 1};
}

/*
 * Returns the lines across blocks of `size` neighbouring ranks: one through each of `leaders` evenly spaced places of
 * a block.
 */
static inline struct lines lines_across(const struct communicator *comm, unsigned size, unsigned leaders)
{
	return (struct lines){comm->size / size, size, leaders, size / leaders, 1, 0, 1, 1};
}

/*
 * Returns all lines along dimension d of a grid with these extents, innermost first, whose product is the group's
 * size.
 */
static inline struct lines lines_along(const struct communicator *comm, const unsigned *extents, unsigned d)
{
	unsigned stride = 1;
	for (unsigned i = 0; i < d; ++i)
		stride *= extents[i];
	const unsigned block = stride * extents[d];
	return (struct lines){extents[d], stride, stride, 1, block ? comm->size / block : 0, block, 1, 1};
}

/* Begins a step of all lines that is done `repeat` times; `ring` as in schedule_step. */
static inline void lines_step(
	const struct lines *lines, double repeat, unsigned ring, struct schedule *schedule)
{
	schedule_step(schedule, repeat * lines->times, ring);
}

/* Emits a message from one member to another, in all lines. */
static inline void lines_flow(
	const struct lines *lines, unsigned from, unsigned to, double share, struct schedule *schedule)
{
	from *= lines->stride;
	to *= lines->stride;
	if (lines->inner == 1)
		schedule_flows(schedule, from, to, share, lines->outer, lines->outer_stride);
	for (unsigned j = 0; lines->inner > 1 && j < lines->outer; ++j)
		schedule_flows(schedule, from + j * lines->outer_stride, to + j * lines->outer_stride, share,
			lines->inner, lines->inner_stride);
}

/* Emits `count` messages in all lines: from members `from`, from + step .. to members `to`, to + step .. */
void lines_flows(const struct lines *lines, unsigned from, unsigned to, double share, unsigned count,
	unsigned step, struct schedule *schedule);

/* ---- rings: count - 1 steps of share / count; `share` is what each line reduces or gathers ------------------- */

/* Emits the messages of `share` from each member to the next, in the current step. */
void lines_ring_flows(const struct lines *lines, double share, struct schedule *schedule);
void lines_ring_reduce_scatter(const struct lines *lines, double share, struct schedule *schedule);
void lines_ring_allgather(const struct lines *lines, double share, struct schedule *schedule);
/* Emits an allreduce of `share`, which every member of each line has, around the line. */
void lines_ring_allreduce(const struct lines *lines, double share, struct schedule *schedule);

/* ---- channels: rings, trees and chains side by side ------------------------------------------------------ */

/* Ranks of one node: the first one, and how many there are. */
struct node_ranks {
	unsigned first, count;
};

/* Returns the ranks of a node, by its number. */
static inline struct node_ranks node_ranks(const struct communicator *comm, unsigned node)
{
	if (!comm->rest)
		return (struct node_ranks){node * comm->per_node, comm->per_node};
	if (node < comm->full_nodes)
		return (struct node_ranks){node * comm->full, comm->full};
	return (struct node_ranks){
		comm->full_nodes * comm->full + (node - comm->full_nodes) * comm->rest, comm->rest};
}

/* Returns the number of the node that a rank is on. */
static inline unsigned node_of(const struct communicator *comm, unsigned rank)
{
	const unsigned full = comm->full_nodes * comm->full;
	if (!comm->rest)
		return rank / comm->per_node;
	return rank < full ? rank / comm->full : comm->full_nodes + (rank - full) / comm->rest;
}

/* Returns how many ranks the fullest node holds. */
static inline unsigned node_most(const struct communicator *comm)
{
	return comm->rest ? comm->full : comm->per_node;
}

/*
 * Returns the place in every node at which a channel enters it. Channel c of k enters equal nodes at c * per_node / k.
 * Unequal ones have channels on the first k ports of full nodes only, which all nodes have ranks for.
 */
static inline unsigned channel_turn(const struct communicator *comm, unsigned channel)
{
	return comm->rest ? channel * comm->full / comm->ports : channel * comm->per_node / comm->channels;
}

/*
 * Returns how many other ranks each sends to in a step of rings or chains: 1, or more in a node with a cable between any two devices.
 * There NCCL looks for rings in different orders, which together load all cables alike.
 */
unsigned mesh_orders(const struct communicator *comm);

/*
 * Emits the flows of one step of a ring over the whole group, in rank order: `share` from each rank to the next,
 * spread over the group's channels. Channels walk each node from different ranks on (channel_turn), so that they enter
 * and leave nodes by ports that the other channels do not use. Inside one node all channels are alike: the compiler
 * gives a flow the lanes of all.
 */
void ring_flows(const struct communicator *comm, double share, struct schedule *schedule);

/* ---- trees -------------------------------------------------------------------------------------------- */

/*
 * Binomial trees with root 0, for any number of ranks P. They take ceil(log2 P) steps. In the step of distance D = 2^k
 * the members m = D (mod 2 D) send to m - D in a reduction, and receive from it in a broadcast.
 */

/* Returns the least power of two that is at least `ranks`: 2^ceil(log2 P). */
static inline unsigned tree_span(unsigned ranks)
{
	unsigned span = 1;
	while (span < ranks)
		span *= 2;
	return span;
}

/* Emits a reduction at distances 1, 2, 4 .., as MPICH does it. */
void lines_tree_reduce(const struct lines *lines, double share, struct schedule *schedule);
/* Emits a broadcast that begins at the farthest distance, as MPICH does it. */
void lines_tree_broadcast(const struct lines *lines, double share, struct schedule *schedule);
void lines_tree_allreduce(const struct lines *lines, double share, struct schedule *schedule);

/* ---- halving and doubling: line_exchange.c -------------------------------------------------------------- */

/*
 * Exchanges in pairs at distances that are powers of two, for any number of ranks P. P' is the largest power of two
 * that is at most P, and r = P - P'. The even ranks among the first 2 r hand all they have to their odd neighbours
 * before the exchanges and get the result back after them, as MPICH does (Thakur, Rabenseifner and Gropp 2005). Member
 * i of the P' that remain is rank fold_rank(i).
 */
struct fold {
	unsigned kept, folded; /* P' ranks that remain, r that hand over */
	unsigned steps;        /* log2 P' */
};

static inline struct fold fold_of(unsigned ranks)
{
	struct fold fold = {.kept = 1};
	for (; fold.kept <= ranks / 2; fold.kept *= 2)
		++fold.steps;
	fold.folded = ranks - fold.kept;
	return fold;
}

static inline unsigned fold_rank(const struct fold *fold, unsigned member)
{
	return member < fold->folded ? 2 * member + 1 : member + fold->folded;
}

/* Emits the step before the exchanges, in which r ranks hand over `share`; nothing when P is a power of two. */
void lines_fold(const struct lines *lines, double share, struct schedule *schedule);
/* Emits the step after the exchanges, in which those r ranks get `share` back; nothing when P is a power of two. */
void lines_unfold(const struct lines *lines, double share, struct schedule *schedule);

/*
 * Emits the exchange of `share` between each of the P' members and the one whose number differs in the bit `distance`:
 * in the current step.
 */
void lines_exchange_flows(
	const struct lines *lines, unsigned distance, double share, struct schedule *schedule);
/* Emits the same exchange as a step of its own. */
void lines_exchange(const struct lines *lines, unsigned distance, double share, struct schedule *schedule);

/*
 * Emits a reduce-scatter among the P' members by recursive halving: log2 P' steps of share / 2, share / 4 .. share /
 * P'. With `far` the halves go P' / 2 away, the quarters P' / 4 and so on; else 1, 2, ..
 */
void lines_halve(const struct lines *lines, double share, bool far, struct schedule *schedule);
/* Emits the allgather among them by recursive doubling: the same steps backwards. */
void lines_double(const struct lines *lines, double share, bool far, struct schedule *schedule);

/* Emits Rabenseifner's allreduce: the fold, halving, doubling and the step back. */
void lines_rabenseifner_allreduce(
	const struct lines *lines, double share, bool far, struct schedule *schedule);
/* Emits an allreduce by recursive doubling, with all of `share` in every step, the fold and the step back included. */
void lines_doubling_allreduce(const struct lines *lines, double share, struct schedule *schedule);

/* ---- shifts, pairs and parts: line_exchange.c -------------------------------------------------------- */

/* Emits one step in which each member sends `share` to the member `by` places further on, around the line. */
void lines_shift(const struct lines *lines, unsigned by, double share, struct schedule *schedule);

/* Emits the messages of `share` from each member to every other: in the current step. */
void lines_pairs_flows(const struct lines *lines, double share, struct schedule *schedule);
/* Emits the same messages as a step of their own. */
void lines_pairs(const struct lines *lines, double share, struct schedule *schedule);

/*
 * Scatters the parts of `whole` from member 0 down a binomial tree: ceil(log2 count) steps; a message carries all
 * parts of the subtree that it goes to; member 0 sends (count - 1) / count of the whole in total.
 */
void lines_scatter(const struct lines *lines, double whole, struct schedule *schedule);
/* Gathers the parts of `whole` at member 0 by the same messages backwards. */
void lines_gather(const struct lines *lines, double whole, struct schedule *schedule);

/*
 * Emits an allgather of `whole` in ceil(log2 count) steps: by doubling if count is a power of two, else by Bruck's
 * algorithm.
 */
void lines_gather_all(const struct lines *lines, double whole, struct schedule *schedule);

/*
 * Emits parallel aggregated trees (PAT): every rank is the root of one, all trees are alike, and buffers hold all
 * parts. They are like Bruck's algorithm, but the farthest members come first, while parts are few. At distance D a
 * rank passes on the parts that have come from a multiple of 2 D behind it, 0 included, and from less than P - D:
 *     ceil(log2 P) steps, (P - 1) / P of the share in all
 * They are an allgather; with `up` a reduce-scatter, the same backwards.
 */
void lines_pat(const struct lines *lines, double share, bool up, struct schedule *schedule);
void lines_pat_allreduce(const struct lines *lines, double share, struct schedule *schedule);

/*
 * Most ranks P for which P - 1 different steps of P flows are emitted; above, one exchange of all at once stands for
 * them.
 */
enum { SHIFTS_MAX = 4096 };

static inline bool shifts_apply(const struct communicator *comm)
{
	return comm->size > 1 && comm->size <= SHIFTS_MAX;
}

/*
 * Emits P - 1 steps: in step s every rank sends `share` to the rank s further on, which combines the share `reduce`.
 */
void shifts_emit(const struct communicator *comm, double share, double reduce, struct schedule *schedule);

#endif
