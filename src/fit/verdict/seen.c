/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the measuring programs themselves saw: clocks that were held down, more ranks than processors. */
#include <string.h>

#include "fit/verdict/verdict.h"

static bool has_flag(const struct sample_point *point, const char *flag)
{
	for (const char *const *at = point->flags; at && *at; ++at)
		if (strcmp(*at, flag) == 0)
			return true;
	return false;
}

static void judge_flag(struct calibration *calibration, const char *flag, const char *what, const char *check)
{
	const struct sample_set *set = calibration->cells->set;
	const struct sample_point *first = NULL;
	size_t count = 0;
	for (size_t i = 0; i < set->count; ++i)
		if (has_flag(&set->points[i], flag) && count++ == 0)
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

void judge_seen(struct calibration *calibration)
{
	judge_flag(calibration, "throttled", "while clocks were held down",
		"power limits, temperature and reasons of throttling: nvidia-smi -q -d "
		"PERFORMANCE,TEMPERATURE");
	judge_oversubscribed(calibration);
}
