/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best few algorithms of a choice are followed message by message (fluid.h). Ranks take steps one after another,
 * all at once, only where they are alike. Where the routes of a step are not alike, ranks that are done early go on:
 * an algorithm may be faster than the sum of its steps, or slower, when messages of several steps meet on a link.
 *
 * Protocols of short messages do not wait for the receiver, as messages that are followed do, so networks that have
 * such protocols are left at the sum of their steps. Simulators know sharing as TCP does it, by round trips, which
 * synchronous rules stand for; a machine's links are shared equally.
 */
#include <float.h>
#include <math.h>

#include "network/ask.h"
#include "network/record/fluid.h"

/*
 * Limits on what is followed. Larger groups, and algorithms that are farther behind, are left at the sum of their
 * steps; others may use up the effort.
 */
enum { FOLLOWED_RANKS = 1024, FOLLOWED_MESSAGES = 1 << 15 };
static const double followed_looks = 3e8, within = 1.6;
static const double like = 1e-6; /* relative difference that rounding makes where all ranks kept in step */

bool candidate_follow(
	const struct asking *asking, const struct candidate *candidate, double bytes, double *time_s)
{
	const struct group *group = &asking->group;
	const struct run_of run = {
		group, &asking->comm, collectives[candidate->algorithm], candidate->variant, bytes};
	const struct sharing sharing = {.by_route = asking->network->network->rules->synchronous};
	struct effort effort = {FOLLOWED_MESSAGES, followed_looks};
	const double copies = group->concurrent ? group->concurrent : (double)group->devices / group->size;
	if (candidate->protocol.name || asking->network->network->rules->protocol_count > 0 ||
		copies * group->size > FOLLOWED_RANKS ||
		asking->request->operation == PARADL_POINT_TO_POINT || asking->request->steps)
		return false;
	struct paradl_arena *arena = paradl_arena_create();
	const bool followed =
		arena && fluid_time(arena, asking->network->network, &run, &sharing, &effort, time_s, NULL);
	paradl_arena_free(arena);
	return followed;
}

/* Returns the choice with the least time among those not looked at; asking->choice_count: none is near the best. */
static size_t next_of(const struct asking *asking, size_t size, double best_s)
{
	size_t next = asking->choice_count;
	for (size_t k = 0; k < asking->choice_count; ++k) {
		const struct timing *timing = &asking->timings[k];
		if (!timing->looked && timing->time_s[size] <= within * best_s &&
			(next == asking->choice_count ||
				timing->time_s[size] < asking->timings[next].time_s[size]))
			next = k;
	}
	return next;
}

void finalists_follow(struct asking *asking, size_t size)
{
	const double bytes = asking->request->bytes[size];
	double best_s = DBL_MAX, time_s = 0;
	for (size_t k = 0; k < asking->choice_count; ++k) {
		asking->timings[k].looked = false;
		best_s = fmin(best_s, asking->timings[k].time_s[size]);
	}
	for (size_t k; (k = next_of(asking, size, best_s)) < asking->choice_count;) {
		struct timing *timing = &asking->timings[k];
		timing->looked = true;
		if (!candidate_follow(asking, timing->best, bytes, &time_s))
			continue;
		time_s = library_s(&asking->library, time_s);
		if (fabs(time_s - timing->time_s[size]) <= like * time_s)
			continue;
		timing->least_s[size] = fmin(timing->least_s[size], time_s);
		timing->most_s[size] = fmax(timing->most_s[size], time_s);
		timing->time_s[size] = time_s;
		asking->followed = true;
	}
}
