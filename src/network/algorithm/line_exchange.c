/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/line_exchange.h"

#include "network/algorithm/tree.h"

static void shift_flows(const struct lines *lines, unsigned by, double share, struct schedule *schedule)
{
	lines_flows(lines, 0, by, share, lines->count - by, 1, schedule);
	lines_flows(lines, lines->count - by, 0, share, by, 1, schedule);
}

void lines_shift(const struct lines *lines, unsigned by, double share, struct schedule *schedule)
{
	lines_step(lines, 1, 0, schedule);
	shift_flows(lines, by, share, schedule);
}

void lines_pairs(const struct lines *lines, double share, struct schedule *schedule)
{
	lines_step(lines, 1, 0, schedule);
	lines_pairs_flows(lines, share, schedule);
}

void lines_pairs_flows(const struct lines *lines, double share, struct schedule *schedule)
{
	for (unsigned by = 1; by < lines->count; ++by)
		shift_flows(lines, by, share, schedule);
}

/*
 * Emits the level of a binomial tree whose messages go `distance` far, up or down, each with all parts of its subtree.
 */
static void tree_parts(
	const struct lines *lines, unsigned distance, double whole, bool up, struct schedule *schedule)
{
	lines_step(lines, 1, 0, schedule);
	for (unsigned far = distance; far < lines->count; far += 2 * distance) {
		const unsigned below = lines->count - far < distance ? lines->count - far : distance;
		const double share = whole * below / lines->count;
		lines_flow(lines, up ? far : far - distance, up ? far - distance : far, share, schedule);
	}
}

void lines_scatter(const struct lines *lines, double whole, struct schedule *schedule)
{
	for (unsigned distance = tree_span(lines->count) / 2; distance > 0; distance /= 2)
		tree_parts(lines, distance, whole, false, schedule);
}

void lines_gather(const struct lines *lines, double whole, struct schedule *schedule)
{
	for (unsigned distance = 1; distance < lines->count; distance *= 2)
		tree_parts(lines, distance, whole, true, schedule);
}

void lines_gather_all(const struct lines *lines, double whole, struct schedule *schedule)
{
	const unsigned count = lines->count;
	if (is_power_of_two(count)) {
		lines_double(lines, whole, true, schedule);
		return;
	}
	for (unsigned distance = 1; distance < count; distance *= 2) {
		const unsigned parts = count - distance < distance ? count - distance : distance;
		lines_shift(lines, count - distance, whole * parts / count, schedule);
	}
}

void shifts_emit(const struct communicator *comm, double share, double reduce, struct schedule *schedule)
{
	const struct lines all = lines_all(comm);
	if (schedule_rounds(schedule, comm->size, ROUNDS_SHIFT, share, reduce))
		return;
	for (unsigned by = 1; by < comm->size; ++by) {
		lines_shift(&all, by, share, schedule);
		if (reduce > 0)
			schedule_reduce(schedule, reduce);
	}
}
