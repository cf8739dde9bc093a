/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/algorithm/fold.h"

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
