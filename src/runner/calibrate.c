/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration as a whole: what it may take, and all of its launches. */
#include <math.h>

#include "runner/calibrate.h"

double part_planned_s(const struct campaign *campaign, const struct part *part)
{
	/* Share of a point's time that stays for samples beyond those that cannot be left out (calibrate/repeat.c). */
	const double sampled_share = 0.25;
	const double cap_s = campaign->cap_s;
	double seconds = part->start_s;
	for (size_t i = 0; i < part->least_count; i++)
		seconds += fmax(part->cap_share * cap_s,
			part->least_s[i] > 0 ? part->least_s[i] + sampled_share * cap_s : 0);
	return seconds;
}

/* Returns the seconds planned for a launch of each program. */
static double launch_planned_s(const struct campaign *campaign)
{
	double seconds = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		seconds += campaign->parts[i].is_out ? 0 : part_planned_s(campaign, &campaign->parts[i]);
	return seconds;
}

double campaign_planned_s(const struct campaign *campaign)
{
	const double planned_s = campaign->plan_s + campaign->launches * launch_planned_s(campaign);
	return campaign->limit_s > 0 ? fmin(campaign->limit_s, planned_s) : planned_s;
}

double campaign_left_s(const struct campaign *campaign)
{
	if (campaign->existed && !(campaign->limit_s > 0))
		return HUGE_VAL;
	const double all_s = campaign->existed ? campaign->limit_s : campaign->time_s;
	return all_s - (measure_now_s() - campaign->begin_s);
}

double part_launch_s(const struct campaign *campaign, const struct part *part, unsigned launch)
{
	/* What is kept for the last points of a launch, which may be long ones. */
	static const double kept_share = 0.05;
	const double left_s = (1 - kept_share) * campaign_left_s(campaign);
	if (campaign->is_full || !isfinite(left_s))
		return 0;
	const size_t turn =
		((size_t)(part - campaign->parts) + campaign->part_count - launch % campaign->part_count) %
		campaign->part_count;
	double planned_s = (campaign->launches - launch - 1) * launch_planned_s(campaign);
	for (size_t i = turn; i < campaign->part_count; i++) {
		const struct part *const other = &campaign->parts[(i + launch) % campaign->part_count];
		planned_s += other->is_out ? 0 : part_planned_s(campaign, other);
	}
	return fmax(0.001, left_s * part_planned_s(campaign, part) / planned_s);
}

double campaign_points(const struct campaign *campaign)
{
	double points = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		points += campaign->parts[i].is_out ? 0 : campaign->parts[i].report.points;
	return points * campaign->launches;
}

/* Returns how many points have been measured so far. */
static double measured_so_far(const struct campaign *campaign)
{
	double measured = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		measured += campaign->parts[i].report.measured;
	return measured;
}

/* Launches each program once; false: nothing was measured. */
static bool launch_all(struct campaign *campaign, unsigned launch)
{
	const double before = measured_so_far(campaign);
	for (size_t i = 0; i < campaign->part_count; i++) {
		struct part *const part = &campaign->parts[(i + launch) % campaign->part_count];
		const bool fits =
			!campaign->is_full ||
			(!part->is_made_up && campaign_left_s(campaign) > part->start_s + campaign->cap_s);
		if (!part->is_out && !campaign->stopped && !campaign->is_over && fits)
			launch_run(campaign, part, launch);
	}
	return measured_so_far(campaign) > before;
}

void campaign_measure(struct campaign *campaign)
{
	unsigned launch = 0;
	campaign->time_s = campaign_planned_s(campaign);
	for (; launch < campaign->launches; launch++)
		launch_all(campaign, launch);
	campaign->is_full = true;
	while (!campaign->existed && launch_all(campaign, launch))
		launch++;
	progress_clear(campaign);
}
