/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "cli/validate_run.h"

/* Most micro-batches of a pipeline, which has the largest number up to this that divides the batch. */
enum { MICRO_BATCHES = 4 };

static const char *const axes[] = {"data", "spatial", "filter", "channel", "pipeline"};
enum { AXES = sizeof axes / sizeof axes[0] };

static bool axes_read(struct session *session, bool wanted[AXES])
{
	const char *text = session->arguments.strategies;
	for (size_t i = 0; i < AXES; i++)
		wanted[i] = text == NULL;
	while (text) {
		const size_t length = strcspn(text, ",");
		const char *const name = arena_copy(session->arena, text, length);
		size_t i = 0;
		if (!name)
			return out_of_memory(&session->error);
		while (i < AXES && strcmp(axes[i], name) != 0)
			i++;
		if (i == AXES) {
			char quoted[64];
			session_usage(session, "--strategies: %s is not run here",
				error_quote(quoted, sizeof quoted, name));
			error_hint(&session->error, "one axis at a time is: data, spatial, filter, channel, "
						    "pipeline");
			return false;
		}
		wanted[i] = true;
		text = text[length] == ',' ? text + length + 1 : NULL;
	}
	return true;
}

static double micro_samples(double batch)
{
	double count = MICRO_BATCHES;
	while (count > 1 && batch / count > (double)(long long)(batch / count))
		count--;
	return batch / count;
}

static bool plan_add(struct session *session, struct run_campaign *campaign, const char *axis, unsigned ranks)
{
	struct paradl_arena *const arena = session->arena;
	if (campaign->plan_count == RUN_PLANS_MAX)
		return session_usage(session, "more than %d plans", RUN_PLANS_MAX);
	struct run_plan *const plan = &campaign->plans[campaign->plan_count++];
	*plan = (struct run_plan){.ranks = ranks};
	plan->strategy = strcmp(axis, "pipeline") == 0 ? arena_printf(arena, "pipeline=%u,micro=%.0f", ranks,
								 micro_samples(campaign->batch))
						       : arena_printf(arena, "%s=%u", axis, ranks);
	for (unsigned i = 0; i < RUN_PHASES; i++) {
		plan->seconds[i] = arena_alloc(arena, campaign->launches, sizeof(double));
		if (!plan->seconds[i])
			return out_of_memory(&session->error);
	}
	return plan->strategy || out_of_memory(&session->error);
}

bool run_plans_list(struct session *session, struct run_campaign *campaign)
{
	const struct option_counts *const counts = &session->arguments.run_ranks;
	bool wanted[AXES];
	if (!axes_read(session, wanted))
		return false;
	for (size_t i = 0; i < counts->count; i++) {
		const unsigned ranks = (unsigned)counts->values[i];
		if (ranks == 1 && !plan_add(session, campaign, "data", 1))
			return false;
		for (size_t axis = 0; ranks > 1 && axis < AXES; axis++)
			if (wanted[axis] && !plan_add(session, campaign, axes[axis], ranks))
				return false;
	}
	return true;
}
