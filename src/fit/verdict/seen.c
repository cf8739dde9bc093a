/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the measuring programs themselves saw: clocks that were held down, more ranks than processors. */
#include <string.h>

#include "fit/verdict/verdict.h"

static void judge_flag(struct calibration *calibration, const char *flag, const char *what, const char *check)
{
	const struct sample_set *set = calibration->cells->set;
	const struct sample_point *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < set->count; ++i)
		if (sample_flagged(&set->points[i], flag) && count++ == 0)
			first = &set->points[i];
	if (!first)
		return;
	const char *where = arena_printf(calibration->arena, "%s:%d", first->launch->file, first->line);
	const struct verdict_head head = {PARADL_SUSPECT, flag, where, check};
	verdict_say(calibration, &head, "%zu of %zu points were measured %s", count, set->count, what);
}

static void judge_oversubscribed(struct calibration *calibration)
{
	const struct sample_set *set = calibration->cells->set;
	for (size_t i = 0; i < set->launch_count; ++i) {
		const struct sample_launch *launch = set->launches[i];
		for (unsigned k = 0; k < launch->environment_count; ++k) {
			const struct sample_parameter *value = &launch->environment[k];
			if (strcmp(value->name, "oversubscribed") != 0 || !value->text ||
				!strcmp(value->text, "0"))
				continue;
			const struct verdict_head head = {PARADL_SUSPECT, "oversubscribed", launch->file,
				"as many ranks as cores; such times hold waiting for a processor, not for "
				"the network"};
			verdict_say(calibration, &head, "launch %s ran more ranks than there are processors",
				launch->id);
			return;
		}
	}
	judge_flag(
		calibration, "oversubscribed", "with more ranks than processors", "as many ranks as cores");
}

/*
 * Judges by the share of points during which other processes took the processor: their times are those of the least disturbed
 * samples, which is as good as the others where a few are, and nothing is undisturbed where most are.
 */
static void judge_contended(struct calibration *calibration)
{
	static const double few = 0.2;
	const struct sample_set *set = calibration->cells->set;
	const struct sample_point *first = NULL;
	size_t count = 0, measured = 0;
	for (size_t i = 0; i < set->count; ++i) {
		measured += set->points[i].count > 0;
		if (sample_flagged(&set->points[i], "contended") && count++ == 0)
			first = &set->points[i];
	}
	if (!first)
		return;
	const bool most = (double)count > few * (double)measured;
	const struct verdict_head head = {most ? PARADL_BAD : PARADL_SUSPECT, "contended",
		point_place(calibration, first),
		"what else ran: top, other users, other jobs; measure again when the machine is idle"};
	verdict_say(calibration, &head,
		"%zu of %zu points were measured while other processes took the processor", count, measured);
	if (most)
		verdict_refuses(calibration);
}

void judge_seen(struct calibration *calibration)
{
	judge_flag(calibration, "throttled", "while clocks were held down",
		"power limits, temperature and reasons of throttling: nvidia-smi -q -d "
		"PERFORMANCE,TEMPERATURE");
	judge_flag(calibration, "stolen", "while the host gave the processor to other machines",
		"a machine of its own, or another hour");
	judge_contended(calibration);
	judge_oversubscribed(calibration);
}
