/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges along equal lines of ranks: in pairs, with members some places further on, or of parts. */
#include "network/algorithm/lines.h"

void lines_fold(const struct lines *lines, double share, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	if (fold.folded == 0)
		return;
	lines_step(lines, 1, 0, schedule);
	lines_flows(lines, 0, 1, share, fold.folded, 2, schedule);
	schedule_reduce(schedule, share);
}

void lines_unfold(const struct lines *lines, double share, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	if (fold.folded == 0)
		return;
	lines_step(lines, 1, 0, schedule);
	lines_flows(lines, 1, 0, share, fold.folded, 2, schedule);
}

/* Emits the exchange of a power of two of members as runs: from those whose bit is 0 to their partners, and back. */
static void exchange_runs(
	const struct lines *lines, unsigned distance, double share, struct schedule *schedule)
{
	const unsigned pairs = lines->count / 2 / distance;
	const unsigned outer = distance > pairs ? pairs : distance,
		       inner = distance > pairs ? distance : pairs;
	const unsigned apart = distance > pairs ? 2 * distance : 1,
		       step = distance > pairs ? 1 : 2 * distance;
	for (unsigned i = 0; i < outer; ++i) {
		const unsigned low = i * apart, high = low + distance;
		lines_flows(lines, low, high, share, inner, step, schedule);
		lines_flows(lines, high, low, share, inner, step, schedule);
	}
}

void lines_exchange_flows(
	const struct lines *lines, unsigned distance, double share, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	if (fold.folded == 0 && schedule->reorders) {
		exchange_runs(lines, distance, share, schedule);
		return;
	}
	for (unsigned i = 0; i < fold.kept; ++i)
		lines_flow(lines, fold_rank(&fold, i), fold_rank(&fold, i ^ distance), share, schedule);
}

void lines_exchange(const struct lines *lines, unsigned distance, double share, struct schedule *schedule)
{
	lines_step(lines, 1, 0, schedule);
	lines_exchange_flows(lines, distance, share, schedule);
}

void lines_halve(const struct lines *lines, double share, bool far, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	for (unsigned parts = 2; parts <= fold.kept; parts *= 2) {
		lines_exchange(lines, far ? fold.kept / parts : parts / 2, share / parts, schedule);
		schedule_reduce(schedule, share / parts);
	}
}

void lines_double(const struct lines *lines, double share, bool far, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	for (unsigned parts = fold.kept; parts > 1; parts /= 2)
		lines_exchange(lines, far ? fold.kept / parts : parts / 2, share / parts, schedule);
}

void lines_rabenseifner_allreduce(
	const struct lines *lines, double share, bool far, struct schedule *schedule)
{
	schedule_turn(schedule, false);
	lines_fold(lines, share, schedule);
	lines_halve(lines, share, far, schedule);
	schedule_turn(schedule, true);
	lines_double(lines, share, far, schedule);
	lines_unfold(lines, share, schedule);
}

void lines_doubling_allreduce(const struct lines *lines, double share, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	lines_fold(lines, share, schedule);
	for (unsigned distance = 1; distance < fold.kept; distance *= 2) {
		lines_exchange(lines, distance, share, schedule);
		schedule_reduce(schedule, share);
	}
	lines_unfold(lines, share, schedule);
}

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

void lines_pat(const struct lines *lines, double share, bool up, struct schedule *schedule)
{
	const unsigned p = lines->count, top = p > 1 ? fold_of(p - 1).kept : 0;
	for (unsigned level = 1; level <= top; level *= 2) {
		const unsigned distance = up ? level : top / level;
		const unsigned parts = ((p - 1) / distance + 1) / 2;
		lines_shift(lines, up ? p - distance : distance, share * parts / p, schedule);
		if (up)
			schedule_reduce(schedule, share * parts / p);
	}
}

void lines_pat_allreduce(const struct lines *lines, double share, struct schedule *schedule)
{
	schedule_turn(schedule, false);
	lines_pat(lines, share, true, schedule);
	schedule_turn(schedule, true);
	lines_pat(lines, share, false, schedule);
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
