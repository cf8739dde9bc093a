/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long a calibration is going to take: each program measures some of its points, and says of each one how many of a launch it stands
 * for (calibrate/points.c).
 */
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "runner/calibrate.h"

double part_expected_s(const struct part *part)
{
	const bool all = part->is_tried && !(part->tried < part->report.points);
	return all ? part->try_start_s + part->tried_s : -1;
}

/* Closes the point that is tried, if there is one: all until the next begins is part of it. */
static void tried_end(struct part *part)
{
	if (!(part->trying > 0))
		return;
	const double seconds = campaign_now_s() - part->try_begin_s;
	part->tried += part->trying;
	part->tried_s += part->trying * seconds;
	part->try_start_s -= seconds;
	part->trying = 0;
}

static void tell_tried(struct campaign *campaign, struct part *part, const char *line)
{
	struct measure_said said;
	(void)campaign;
	measure_parse(line, &said);
	if (said.word != MEASURE_POINT_START)
		return;
	tried_end(part);
	part->trying = said.points;
	part->try_begin_s = campaign_now_s();
}

/* Makes a program measure some of its points. One that cannot is not left out: its time is not known then. */
static bool part_try(struct campaign *campaign, struct part *part, const char *file)
{
	const struct part before = *part;
	struct paradl_arena *const arena = campaign->runner->arena;
	const char *const more[] = {"--try", "--out", file, "--launch", "0", "--cap",
		arena_printf(arena, "%.6g", campaign->cap_s), "--only", benches_wanted(campaign, part)};
	const double begin_s = campaign_now_s();
	const bool fine = part_ask(campaign, part, more, part->is_limited ? 9 : 7, tell_tried);
	tried_end(part);
	/* Some points may have failed; they take their time, too. */
	part->is_tried = fine;
	part->is_out = before.is_out;
	part->lacks_option = before.lacks_option;
	part->report = before.report;
	part->start_s = before.start_s;
	part->try_start_s += campaign_now_s() - begin_s;
	return fine;
}

bool parts_try(struct campaign *campaign)
{
	bool fine = true;
	const char *const file =
		arena_printf(campaign->runner->arena, "%s.%ld.try", campaign->file, (long)getpid());
	if (!file)
		return out_of_memory(campaign->runner->error);
	for (size_t i = 0; fine && i < campaign->part_count; i++) {
		struct part *const part = &campaign->parts[i];
		if (!part->is_out && strcmp(part->name, "storage") != 0)
			fine = part_try(campaign, part, file);
	}
	unlink(file);
	return fine;
}
