/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every allreduce must do, and the other operations that are parts of one, whatever it is called: each rank's data reach all ranks; each sends and gets; P - 1 messages
 * must combine an item and P - 1 spread the sum, so no fewer than 2 (P - 1) vectors move in all, and no fewer than P - 1
 * are combined. Reductions in switches are the exception.
 */
#include "network/tally.h"

enum { PARTIES_MAX = 400 };

static struct communicator parties[PARTIES_MAX];
static unsigned party_count;

static void party_add(const struct communicator *comm)
{
	assert_true(party_count < PARTIES_MAX);
	parties[party_count++] = *comm;
}

static void parties_of_nodes(unsigned nodes, unsigned per_node, unsigned racks, unsigned channels)
{
	struct communicator comm = {.size = nodes * per_node,
		.nodes = nodes,
		.per_node = per_node,
		.domains = {per_node, nodes / racks, racks},
		.domain_count = racks > 1 ? 3 : 2,
		.channels = channels,
		.ports = channels,
		.density = 1};
	party_add(&comm);
}

/* full_nodes of `full` ranks each, then nodes of `rest`; as many channels as the smallest node has ports. */
static void parties_of_unequal_nodes(
	unsigned full, unsigned full_nodes, unsigned rest, unsigned rest_nodes, unsigned ports)
{
	struct communicator comm = {.size = full * full_nodes + rest * rest_nodes,
		.nodes = full_nodes + rest_nodes,
		.per_node = 1,
		.full = full,
		.full_nodes = full_nodes,
		.rest = rest,
		.channels = (rest * ports + full - 1) / full,
		.ports = ports,
		.density = 1};
	party_add(&comm);
}

static void parties_of_grid(unsigned x, unsigned y, unsigned z, bool torus)
{
	struct communicator comm = {.size = x * y * z,
		.nodes = x * y * z,
		.per_node = 1,
		.domains = {x * y * z},
		.domain_count = 1,
		.grid = {x, y, z},
		.grid_count = z > 1   ? 3
			      : y > 1 ? 2
				      : 1,
		.grid_is_torus = torus,
		.density = 1};
	party_add(&comm);
}

static int parties_make(void **state)
{
	(void)state;
	for (unsigned ranks = 2; ranks <= 40; ++ranks)
		parties_of_grid(ranks, 1, 1, false);
	parties_of_grid(128, 1, 1, false);
	parties_of_grid(127, 1, 1, true);
	for (unsigned nodes = 1; nodes <= 9; ++nodes)
		for (unsigned per_node = 2; per_node <= 8; ++per_node)
			parties_of_nodes(nodes, per_node, 1, 1 + per_node / 4);
	parties_of_nodes(16, 4, 1, 2);
	parties_of_nodes(16, 4, 4, 2);
	parties_of_nodes(12, 3, 2, 1);
	for (unsigned rest = 1; rest < 8; ++rest)
		for (unsigned full_nodes = 1; full_nodes < 5; ++full_nodes)
			parties_of_unequal_nodes(8, full_nodes, rest, 1, 8);
	parties_of_unequal_nodes(8, 2, 7, 3, 8);
	parties_of_unequal_nodes(4, 3, 3, 2, 2);
	parties_of_unequal_nodes(4, 1, 2, 3, 8);
	for (unsigned k = 2; k <= 16; ++k)
		parties_of_grid(k, 1, 1, true);
	for (unsigned k = 1; k <= 8; ++k)
		for (unsigned l = 2; l <= 8; ++l)
			parties_of_grid(k, l, 1, true);
	parties_of_grid(4, 4, 4, true);
	parties_of_grid(2, 4, 8, true);
	parties_of_grid(5, 3, 2, true);
	for (unsigned ranks = 2; ranks <= 64; ranks *= 2) {
		parties_of_grid(ranks, 1, 1, true);
		parties[party_count - 1].shortcuts = true;
	}
	for (unsigned d = 1; d <= 8; ++d) {
		parties_of_grid(d * (d + 1), 1, 1, false);
		parties[party_count - 1].kautz = d;
	}
	return 0;
}

static bool in_switches(const struct collective *collective)
{
	const char *own = collective->name + strlen(operation_names[collective->operation]) + 1;
	return strcmp(own, "nvls") == 0 || strcmp(own, "nvls-tree") == 0 || strcmp(own, "sharp") == 0;
}

static void complete(const struct tally *tally, const struct collective *collective,
	const struct communicator *comm, unsigned variant)
{
	const double p = comm->size;
	double sent = 0, most_reduced = tally->reduced;
	for (unsigned rank = 0; rank < comm->size; ++rank) {
		sent += tally->sent[rank];
		if (!(tally->sent[rank] > 0) || !(tally->received[rank] > 0))
			fail_msg("%s %u: rank %u of %u is idle", collective->name, variant, rank, comm->size);
		for (unsigned source = 0; source < comm->size; ++source)
			if (!tally->knows[rank][source])
				fail_msg("%s %u: rank %u of %u (%u a node) has nothing from %u",
					collective->name, variant, rank, comm->size, comm->per_node, source);
	}
	if (sent < 2 * (p - 1) * (1 - 1e-12))
		fail_msg("%s %u: %u ranks send %g vectors, less than %g", collective->name, variant,
			comm->size, sent, 2 * (p - 1));
	/* the busiest rank combines at least its fair part */
	if (most_reduced < (p - 1) / p * (1 - 1e-12))
		fail_msg("%s %u: %u ranks combine %g of a vector, less than %g", collective->name, variant,
			comm->size, most_reduced, (p - 1) / p);
}

static void every_allreduce_reaches_all(void **state)
{
	static struct tally tally;
	(void)state;
	for (unsigned c = 0; collectives[c]; ++c) {
		const struct collective *const collective = collectives[c];
		unsigned applied = 0;
		if (collective->operation != ALLREDUCE || collective->sparse || in_switches(collective))
			continue;
		for (unsigned i = 0; i < party_count; ++i)
			for (unsigned v = 0; v < collective->variants(&parties[i]); ++v, ++applied) {
				tally_take(&tally, &parties[i], collective, v);
				complete(&tally, collective, &parties[i], v);
			}
		if (!applied)
			fail_msg("%s applies to none of the parties", collective->name);
	}
}

/* Ranks whose data must have come: of rank 0 at all, of all at rank 0, of all at all. */
static bool must_know(enum operation operation, unsigned rank, unsigned source)
{
	return operation == BROADCAST ? source == 0 : operation == REDUCE ? rank == 0 : true;
}

static void reaches(const struct tally *tally, const struct collective *collective,
	const struct communicator *comm, unsigned variant)
{
	for (unsigned rank = 0; rank < comm->size; ++rank)
		for (unsigned source = 0; source < comm->size; ++source)
			if (must_know(collective->operation, rank, source) && !tally->knows[rank][source])
				fail_msg("%s %u: rank %u of %u (%u a node) has nothing from %u",
					collective->name, variant, rank, comm->size, comm->per_node, source);
}

/*
 * A reduce-scatter and an allgather move at least P - 1 vectors' worth of parts, a broadcast and a reduction P - 1 vectors;
 * all are sent, and the two that reduce combine them.
 */
static void other_operations_reach_all(void **state)
{
	static struct tally tally;
	(void)state;
	for (unsigned c = 0; collectives[c]; ++c) {
		const struct collective *const collective = collectives[c];
		const enum operation operation = collective->operation;
		const bool reduces = operation == REDUCE || operation == REDUCE_SCATTER;
		if (operation == ALLREDUCE || operation == ALL_TO_ALL || operation == POINT_TO_POINT ||
			in_switches(collective))
			continue;
		for (unsigned i = 0; i < party_count; ++i)
			for (unsigned v = 0; v < collective->variants(&parties[i]); ++v) {
				const double p = parties[i].size;
				double sent = 0;
				tally_take(&tally, &parties[i], collective, v);
				reaches(&tally, collective, &parties[i], v);
				for (unsigned rank = 0; rank < parties[i].size; ++rank)
					sent += tally.sent[rank];
				/* A whole allreduce combines, whatever it is for. */
				const bool combines = reduces || strstr(collective->name, "-whole-");
				if (sent < (p - 1) * (1 - 1e-12) || combines != (tally.reduced > 0) ||
					(reduces && tally.reduced < (p - 1) / p * (1 - 1e-12)))
					fail_msg("%s %u: %.0f ranks send %g vectors and combine %g",
						collective->name, v, p, sent, tally.reduced);
			}
	}
}

/*
 * Two trees of P - 1 edges take half the vector up and down each. An inner member of one (up, and down to two) is a leaf of
 * the other (up), so no rank sends or gets more than 2 vectors; with an odd number, one is inner in both.
 */
static void trees_take_turns(void **state)
{
	static struct tally tally;
	(void)state;
	for (unsigned ranks = 2; ranks <= TALLY_MAX; ++ranks) {
		const struct communicator comm = {.size = ranks, .nodes = ranks, .per_node = 1, .density = 1};
		double sent = 0;
		unsigned over = 0;
		tally_take(&tally, &comm, &collective_allreduce_double_tree, 3);
		for (unsigned rank = 0; rank < ranks; ++rank) {
			sent += tally.sent[rank];
			assert_close(tally.received[rank], tally.sent[rank], 1e-12);
			over += tally.sent[rank] > 2 + 1e-9;
			assert_true(tally.sent[rank] <= 3 + 1e-9);
		}
		assert_close(sent, 2 * (ranks - 1.0), 1e-12);
		assert_true(over <= ranks % 2);
	}
}

/* One leader of nodes of one: what is between the nodes is all there is. */
static void leaders_of_one(void **state)
{
	static const struct {
		const struct collective *leaders, *flat;
	} pairs[] = {
		{&collective_allreduce_leaders_ring, &collective_allreduce_ring},
		{&collective_allreduce_leaders_rabenseifner, &collective_allreduce_rabenseifner},
		{&collective_allreduce_leaders_doubling, &collective_allreduce_doubling},
	};
	static struct tally got, want;
	(void)state;
	for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; ++i)
		for (unsigned ranks = 2; ranks <= 40; ++ranks) {
			const struct communicator comm = {
				.size = ranks, .nodes = ranks, .per_node = 1, .channels = 1, .density = 1};
			tally_take(&got, &comm, pairs[i].leaders, 0);
			tally_take(&want, &comm, pairs[i].flat, 0);
			assert_close(got.steps, want.steps, 1e-15);
			assert_close(got.reduced, want.reduced, 1e-15);
			for (unsigned rank = 0; rank < ranks; ++rank) {
				assert_close(got.sent[rank], want.sent[rank], 1e-15);
				assert_close(got.received[rank], want.received[rank], 1e-15);
			}
		}
}

static void family(void **state)
{
	static const struct communicator lonely = {.size = 1, .nodes = 1, .per_node = 1, .density = 1};
	(void)state;
	for (unsigned c = 0; collectives[c]; ++c) {
		const struct collective *const collective = collectives[c];
		const char *const operation = operation_names[collective->operation];
		char text[64], before[64];
		if (strncmp(collective->name, operation, strlen(operation)) != 0)
			fail_msg("%s is no name of the operation %s", collective->name, operation);
		assert_true(collective->summary && *collective->summary);
		assert_true(collective->source && *collective->source);
		assert_int_equal(collective->variants(&lonely), 0);
		for (unsigned other = 0; other < c; ++other)
			assert_string_not_equal(collectives[other]->name, collective->name);
		for (unsigned i = 0; i < party_count; ++i) {
			const unsigned variants = collective->variants(&parties[i]);
			assert_true(variants < 2 || collective->describe);
			before[0] = '\0';
			for (unsigned v = 0; collective->describe && v < variants; ++v) {
				text[0] = '\0';
				collective->describe(&parties[i], v, text, sizeof text);
				assert_true((*text || variants < 2) && strlen(text) < 40);
				assert_true(v == 0 || strcmp(text, before) != 0);
				memcpy(before, text, sizeof before);
			}
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_allreduce_reaches_all),
		cmocka_unit_test(other_operations_reach_all),
		cmocka_unit_test(trees_take_turns),
		cmocka_unit_test(leaders_of_one),
		cmocka_unit_test(family),
	};
	return cmocka_run_group_tests(tests, parties_make, NULL);
}
