/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives other than allreduce on one switch against their closed forms, and what every member sends and receives. */
#include "network/switch.h"
#include "network/tally.h"

enum { RANKS = 70, MEMBERS_MAX = 256 };

static unsigned variants(const struct paper *paper, const struct collective *collective)
{
	return collective->variants(&paper->comm);
}

static void gathers_and_scatters(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks, above = log2_above(ranks), part = (p - 1) / p;
		const bool power = above <= log2_below(ranks);
		switch_open(&paper, ranks);
		switch_expect(&paper, &collective_allgather_ring, 0, p - 1, part, 0);
		switch_expect(&paper, &collective_allgather_bruck, 0, above, part, 0);
		switch_expect(&paper, &collective_allgather_pat, 0, above, part, 0);
		switch_expect(&paper, &collective_reduce_scatter_ring, 0, p - 1, part, part);
		switch_expect(&paper, &collective_reduce_scatter_pairwise, 0, p - 1, part, part);
		switch_expect(&paper, &collective_reduce_scatter_pat, 0, above, part, part);
		assert_int_equal(variants(&paper, &collective_allgather_neighbour), ranks % 2 == 0);
		if (ranks % 2 == 0)
			switch_expect(&paper, &collective_allgather_neighbour, 0, p / 2, part, 0);
		assert_int_equal(variants(&paper, &collective_allgather_doubling), ranks > 3 ? 2 : 1);
		for (unsigned order = 0; power && order < (ranks > 3 ? 2 : 1); ++order)
			switch_expect(&paper, &collective_allgather_doubling, order, above, part, 0);
		for (unsigned order = 0;
			power && order < variants(&paper, &collective_reduce_scatter_halving); ++order)
			switch_expect(&paper, &collective_reduce_scatter_halving, order, above, part, part);
		paper_close(&paper);
	}
}

/*
 * Halving of other numbers, by sets: the first P - P' of P' places own two parts. In each step a place sends the parts
 * of all places that agree with its partner in the bits decided so far.
 */
static double busiest_halving(unsigned ranks, bool far)
{
	const unsigned kept = 1U << log2_below(ranks), levels = log2_below(ranks);
	double volume = 0;
	for (unsigned level = 0, decided = 0; level < levels; ++level) {
		const unsigned bit = far ? kept >> (level + 1) : 1U << level;
		double most = 0;
		decided |= bit;
		for (unsigned place = 0; place < kept; ++place) {
			double parts = 0;
			for (unsigned owner = 0; owner < kept; ++owner)
				if (((owner ^ place ^ bit) & decided) == 0)
					parts += owner < ranks - kept ? 2 : 1;
			most = fmax(most, parts / ranks);
		}
		volume += most;
	}
	return volume;
}

/* Back up with near partners: in the step of a bit, places from it to its double send all that agree in lower bits. */
static double busiest_gather(unsigned ranks)
{
	const unsigned kept = 1U << log2_below(ranks);
	double volume = 0;
	for (unsigned bit = kept / 2; bit > 0; bit /= 2) {
		double most = 0;
		for (unsigned place = bit; place < 2 * bit; ++place) {
			double parts = 0;
			for (unsigned owner = place; owner < kept; owner += 2 * bit)
				parts += owner < ranks - kept ? 2 : 1;
			most = fmax(most, parts / ranks);
		}
		volume += most;
	}
	return volume;
}

static void halving_of_any_number(void **state)
{
	(void)state;
	for (unsigned ranks = 3; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double levels = log2_below(ranks), p = ranks;
		if (log2_above(ranks) <= log2_below(ranks))
			continue;
		switch_open(&paper, ranks);
		const double near = busiest_halving(ranks, false), far = busiest_halving(ranks, true);
		switch_expect(
			&paper, &collective_reduce_scatter_halving, 0, levels + 2, 1 + far + 1 / p, 1 + far);
		switch_expect(&paper, &collective_allgather_doubling, 0, levels + 2, 1 / p + far + 1, 0);
		if (ranks > 3)
			switch_expect(&paper, &collective_reduce_scatter_halving, 1, levels + 2,
				1 + near + 1 / p, 1 + near);
		switch_expect(&paper, &collective_reduce_rabenseifner, 0, 2 * levels + 1,
			1 + near + busiest_gather(ranks), 1 + near);
		paper_close(&paper);
	}
}

/* Both mirrors: a reduction combines all it receives, but for what is only collected. */
static void rooted(struct paper *paper, const struct collective *down, const struct collective *up,
	unsigned variant, double steps, double volume, double reduced)
{
	switch_expect(paper, down, variant, steps, volume, 0);
	switch_expect(paper, up, variant, steps, volume, reduced);
}

static void broadcasts_and_reductions(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks, above = log2_above(ranks), part = (p - 1) / p;
		switch_open(&paper, ranks);
		rooted(&paper, &collective_broadcast_binomial, &collective_reduce_binomial, 0, above, above,
			above);
		rooted(&paper, &collective_broadcast_scatter_ring, &collective_reduce_ring_gather, 0,
			above + p - 1, 2 * part, part);
		if (above <= log2_below(ranks)) {
			rooted(&paper, &collective_broadcast_scatter_doubling,
				&collective_reduce_rabenseifner, 0, 2 * above, 2 * part, part);
		} else {
			assert_int_equal(variants(&paper, &collective_broadcast_scatter_doubling), 0);
		}
		for (unsigned variant = 0; variant < 6; ++variant) {
			const double chunks = pow(4, variant), chain = p - 2 + chunks;
			rooted(&paper, &collective_broadcast_chain, &collective_reduce_chain, variant, chain,
				chain / chunks, chain / chunks);
			/* a last level of subtrees of two has left children only */
			const double depth = log2_below(ranks), narrow = ranks >> ((unsigned)depth - 1) == 2;
			const double tree = 2 * depth - narrow + (ranks > 2 ? 2 : 1) * (chunks - 1);
			rooted(&paper, &collective_broadcast_tree, &collective_reduce_tree, variant,
				depth + chunks - 1, tree / chunks, tree / chunks);
			if (log2_below(ranks + 1) > depth && ranks > 2)
				assert_close(tree, 2 * (log2(p + 1) + chunks - 2), 1e-12);
		}
		paper_close(&paper);
	}
}

static double ones(unsigned number)
{
	return number ? number % 2 + ones(number / 2) : 0;
}

static void exchanges(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks < RANKS; ++ranks) {
		struct paper paper;
		const double p = ranks, part = (p - 1) / p;
		const bool power = log2_above(ranks) <= log2_below(ranks);
		double bits = 0;
		for (unsigned way = 1; way < ranks; ++way)
			bits += ones(way);
		switch_open(&paper, ranks);
		switch_expect(&paper, &collective_all_to_all_shift, 0, p - 1, part, 0);
		switch_expect(&paper, &collective_all_to_all_direct, 0, 1, part, 0);
		switch_expect(&paper, &collective_all_to_all_bruck, 0, log2_above(ranks), bits / p, 0);
		assert_int_equal(variants(&paper, &collective_all_to_all_xor), power);
		if (power)
			switch_expect(&paper, &collective_all_to_all_xor, 0, p - 1, part, 0);
		switch_expect(&paper, &collective_point_to_point, 0, 1, 1, 0);
		switch_expect(&paper, &collective_point_to_point_halo, 0, 1, ranks > 2 ? 2 : 1, 0);
		paper_close(&paper);
	}
}

/* On a switch a node is like any other place: the forms with alpha and beta alike inside nodes and between them. */
static void hierarchies(void **state)
{
	(void)state;
	for (unsigned nodes = 2; nodes < 9; ++nodes)
		for (unsigned each = 2; each < 9; ++each) {
			struct paper paper;
			const double n = nodes, g = each, p = n * g, up = log2_above(nodes),
				     in = log2_above(each);
			const double inside = (g - 1) / g, between = (n - 1) / n, ring = (n - 1) / p;
			switch_open(&paper, nodes * each);
			paper.comm.nodes = nodes;
			paper.comm.per_node = each;
			switch_expect(&paper, &collective_allgather_hierarchical, 0, n - 1 + g - 1,
				ring + inside, 0);
			switch_expect(&paper, &collective_reduce_scatter_hierarchical, 0, n - 1 + g - 1,
				inside + ring, inside + ring);
			rooted(&paper, &collective_broadcast_hierarchical, &collective_reduce_hierarchical, 0,
				up + in, up + in, up + in);
			rooted(&paper, &collective_broadcast_hierarchical, &collective_reduce_hierarchical, 1,
				up + n - 1 + in, 2 * between + in, between + in);
			rooted(&paper, &collective_broadcast_hierarchical, &collective_reduce_hierarchical, 2,
				in + up + g - 1, 2 * inside + up / g, inside + up / g);
			switch_expect(&paper, &collective_all_to_all_hierarchical, 0, 2, inside + between, 0);
			switch_expect(&paper, &collective_all_to_all_hierarchical, 1, g - 1 + n - 1,
				inside + between, 0);
			paper_close(&paper);
		}
}

/* k of 8 members lead 4 nodes: members send to their leader, who takes 8 / k - 1 parts in, and hears of all. */
static void several_leaders(void **state)
{
	(void)state;
	static const unsigned leaders[] = {8, 4, 2, 1};
	struct paper paper;
	switch_open(&paper, 32);
	paper.comm.nodes = 4;
	paper.comm.per_node = 8;
	assert_int_equal(variants(&paper, &collective_allgather_hierarchical), 8);
	for (unsigned i = 0; i < 4; ++i) {
		const double k = leaders[i], team = 8 / k, tree = log2(team);
		const double volume = (team - 1) / 32 + 3 / (4 * k) + (k - 1) / k + tree;
		const double gather = team > 1 ? 1 : 0;
		switch_expect(&paper, &collective_allgather_hierarchical, 2 * i, gather + 3 + k - 1 + tree,
			volume, 0);
		switch_expect(&paper, &collective_allgather_hierarchical, 2 * i + 1,
			gather + 2 + k - 1 + tree, volume, 0);
	}
	paper_close(&paper);
}

static void planes(void **state)
{
	(void)state;
	for (unsigned n = 2; n < 8; ++n)
		for (unsigned p = 2; p < 8; ++p) {
			struct paper paper;
			switch_open(&paper, n * p);
			assert_int_equal(variants(&paper, &collective_all_to_all_two_way), 0);
			paper.comm.grid_count = 2;
			paper.comm.grid[0] = n;
			paper.comm.grid[1] = p;
			const double volume = (n - 1.0) / n + (p - 1.0) / p;
			switch_expect(&paper, &collective_all_to_all_rows, 0, 2, volume, 0);
			switch_expect(&paper, &collective_all_to_all_two_way, 0, 2, volume, 0);
			paper.comm.grid_is_torus = true;
			assert_int_equal(variants(&paper, &collective_all_to_all_rows), 0);
			paper_close(&paper);
		}
}

/*
 * On the fully connected plane itself, in units of m = bytes / P per link: 2 alpha + max(n, p) m by both ways, (n + p) m by
 * rows, then columns.
 */
static void planes_of_links(void **state)
{
	static const unsigned sides[][2] = {{16, 16}, {8, 8}, {17, 16}, {4, 7}};
	(void)state;
	for (unsigned i = 0; i < sizeof sides / sizeof *sides; ++i) {
		struct paper paper;
		char topology[32];
		const struct machine_network rules = paper_rules(PAPER_BYTES_PER_S, PAPER_LATENCY_S);
		const double n = sides[i][0], p = sides[i][1], unit = 1e6 / PAPER_BYTES_PER_S;
		snprintf(topology, sizeof topology, "hyperx:%ux%u", sides[i][0], sides[i][1]);
		paper_open(&paper, topology, &rules, 0);
		const double bytes = 1e6 * paper.group.size;
		assert_close(paper_s(&paper, &collective_all_to_all_two_way, 0, bytes),
			2 * PAPER_LATENCY_S + fmax(n, p) * unit, 1e-12);
		assert_close(paper_s(&paper, &collective_all_to_all_rows, 0, bytes),
			2 * PAPER_LATENCY_S + (n + p) * unit, 1e-12);
		paper_close(&paper);
	}
}

/* ---- what members send and receive ------------------------------------------------------------------------- */

struct ledger {
	struct schedule schedule;
	unsigned size;
	double repeat, sent[MEMBERS_MAX], received[MEMBERS_MAX];
};

static void on_name(struct schedule *schedule, const char *name)
{
	(void)schedule;
	assert_non_null(name);
}

static void on_step(struct schedule *schedule, double repeat, unsigned ring)
{
	((struct ledger *)schedule)->repeat = repeat;
	assert_true(repeat >= 1 && ring <= ((struct ledger *)schedule)->size);
}

static void on_flow(struct schedule *schedule, unsigned from, unsigned to, double share)
{
	struct ledger *ledger = (struct ledger *)schedule;
	assert_true(from < ledger->size && to < ledger->size && from != to);
	assert_true(share > 0 && share <= 1 + 1e-12);
	ledger->sent[from] += ledger->repeat * share;
	ledger->received[to] += ledger->repeat * share;
}

static void on_all_pairs(struct schedule *schedule, double share)
{
	for (unsigned from = 0; from < ((struct ledger *)schedule)->size; ++from)
		for (unsigned to = 0; to < ((struct ledger *)schedule)->size; ++to)
			if (from != to)
				on_flow(schedule, from, to, share);
}

static void on_share(struct schedule *schedule, double share)
{
	(void)schedule;
	assert_true(share > 0 && isfinite(share));
}

static void on_seconds(struct schedule *schedule, double seconds)
{
	(void)schedule;
	assert_true(seconds >= 0);
}

/* Branches one after the other. */
static void on_branch(struct schedule *schedule)
{
	((struct ledger *)schedule)->repeat = 0;
}

static const struct schedule_listener listener = {.phase = on_name,
	.step = on_step,
	.flow = on_flow,
	.all_pairs = on_all_pairs,
	.reduce = on_share,
	.memory = on_share,
	.wait = on_seconds,
	.fork = on_branch,
	.branch = on_branch,
	.join = on_branch};

static struct ledger emit(
	const struct collective *collective, const struct communicator *comm, unsigned variant)
{
	struct ledger ledger = {.schedule = {.listener = &listener}, .size = comm->size};
	collective->emit(comm, variant, &ledger.schedule);
	return ledger;
}

/* The least that each member must receive and send of the vector, by operation. */
static void conserved(const struct collective *collective, const struct communicator *comm, unsigned variant)
{
	const struct ledger ledger = emit(collective, comm, variant);
	const double part = (comm->size - 1.0) / comm->size, close = 1 - 1e-12;
	for (unsigned rank = 0; rank < comm->size; ++rank) {
		const double in = ledger.received[rank], out = ledger.sent[rank];
		bool enough = true;
		if (collective->operation == ALLGATHER)
			enough = in >= close * part;
		else if (collective->operation == REDUCE_SCATTER)
			enough = out >= close * part;
		else if (collective->operation == ALL_TO_ALL)
			enough = in >= close * part && out >= close * part;
		else if (collective->operation == BROADCAST)
			enough = in >= close * (rank > 0);
		else if (collective->operation == REDUCE)
			enough = out >= close * (rank > 0);
		if (!enough)
			fail_msg("%s, variant %u, rank %u of %u: %g in, %g out", collective->name, variant,
				rank, comm->size, in, out);
	}
}

static void nothing_is_missing(void **state)
{
	(void)state;
	for (unsigned i = 0; collectives[i]; ++i)
		for (unsigned size = 2; size <= 96; ++size)
			for (unsigned each = 1; each <= 8; ++each) {
				const struct communicator comm = {.size = size,
					.nodes = size / each,
					.per_node = each,
					.channels = 1 + each % 3,
					.ports = 1,
					.grid = {each, size / each},
					.grid_count = 2};
				if (size % each || collectives[i]->operation == ALLREDUCE)
					continue;
				for (unsigned v = collectives[i]->variants(&comm); v-- > 0;)
					conserved(collectives[i], &comm, v);
			}
}

/* These move no byte more than they must; doubling does so of powers of two. */
static void nothing_is_sent_twice(void **state)
{
	static const struct collective *const tight[] = {&collective_allgather_ring,
		&collective_allgather_doubling, &collective_allgather_bruck, &collective_allgather_neighbour,
		&collective_allgather_pat, &collective_reduce_scatter_ring,
		&collective_reduce_scatter_pairwise, &collective_reduce_scatter_pat,
		&collective_all_to_all_shift, &collective_all_to_all_xor, &collective_all_to_all_direct};
	(void)state;
	for (unsigned i = 0; i < sizeof tight / sizeof *tight; ++i)
		for (unsigned size = 2; size <= 96; ++size) {
			const struct communicator comm = {.size = size, .nodes = size, .per_node = 1};
			if (tight[i] == &collective_allgather_doubling && (size & (size - 1)))
				continue;
			for (unsigned v = tight[i]->variants(&comm); v-- > 0;) {
				const struct ledger ledger = emit(tight[i], &comm, v);
				for (unsigned rank = 0; rank < size; ++rank) {
					assert_close(ledger.received[rank], (size - 1.0) / size, 1e-12);
					assert_close(ledger.sent[rank], (size - 1.0) / size, 1e-12);
				}
			}
		}
}

/* Trees and chains: every member but the root hears of the whole once; pipelines of any number of channels too. */
static void broadcasts_arrive_once(void **state)
{
	static const struct collective *const once[] = {
		&collective_broadcast_binomial, &collective_broadcast_chain, &collective_broadcast_tree};
	(void)state;
	for (unsigned i = 0; i < 3; ++i)
		for (unsigned channels = 1; channels <= 8; channels *= 2) {
			const struct communicator comm = {
				.size = 64, .nodes = 8, .per_node = 8, .channels = channels};
			for (unsigned v = once[i]->variants(&comm); v-- > 0;) {
				const struct ledger ledger = emit(once[i], &comm, v);
				for (unsigned rank = 0; rank < 64; ++rank)
					assert_close(ledger.received[rank], rank > 0, 1e-12);
			}
		}
}

/*
 * Data of which ranks must have reached which: of all all; of rank 0 all; of all rank 0.
 */
static void data_arrive(void **state)
{
	static struct tally tally;
	(void)state;
	for (unsigned c = 0; collectives[c]; ++c)
		for (unsigned i = 0; i < 48 * 5; ++i) {
			const unsigned size = 2 + i / 5, each = 1 + i % 5;
			const enum operation operation = collectives[c]->operation;
			const struct communicator comm = {.size = size,
				.nodes = size / each,
				.per_node = each,
				.channels = each,
				.grid = {each, size / each},
				.grid_count = 2};
			if (size % each || operation == ALLREDUCE || operation == POINT_TO_POINT)
				continue;
			for (unsigned v = 0; v < collectives[c]->variants(&comm); ++v) {
				tally_take(&tally, &comm, collectives[c], v);
				for (unsigned to = 0; to < (operation == REDUCE ? 1 : size); ++to)
					for (unsigned from = 0; from < (operation == BROADCAST ? 1 : size);
						++from)
						if (!tally.knows[to][from])
							fail_msg("%s %u: rank %u of %u has nothing from %u",
								collectives[c]->name, v, to, size, from);
			}
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(gathers_and_scatters),
		cmocka_unit_test(halving_of_any_number),
		cmocka_unit_test(broadcasts_and_reductions),
		cmocka_unit_test(exchanges),
		cmocka_unit_test(hierarchies),
		cmocka_unit_test(several_leaders),
		cmocka_unit_test(planes),
		cmocka_unit_test(planes_of_links),
		cmocka_unit_test(nothing_is_missing),
		cmocka_unit_test(nothing_is_sent_twice),
		cmocka_unit_test(broadcasts_arrive_once),
		cmocka_unit_test(data_arrive),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
