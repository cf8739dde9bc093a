/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "network/collective/fold.h"

void lines_fold(const struct lines *lines, double share, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	if (fold.folded == 0)
		return;
	lines_step(lines, 1, 0, schedule);
	for (unsigned i = 0; i < fold.folded; ++i)
		lines_flow(lines, 2 * i, 2 * i + 1, share, schedule);
	schedule_reduce(schedule, share);
}

void lines_unfold(const struct lines *lines, double share, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	if (fold.folded == 0)
		return;
	lines_step(lines, 1, 0, schedule);
	for (unsigned i = 0; i < fold.folded; ++i)
		lines_flow(lines, 2 * i + 1, 2 * i, share, schedule);
}

void lines_exchange(const struct lines *lines, unsigned distance, double share, struct schedule *schedule)
{
	const struct fold fold = fold_of(lines->count);
	lines_step(lines, 1, 0, schedule);
	for (unsigned i = 0; i < fold.kept; ++i)
		lines_flow(lines, fold_rank(&fold, i), fold_rank(&fold, i ^ distance), share, schedule);
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
