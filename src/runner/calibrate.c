/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A calibration as a whole: what it may take, and all of its launches. */
#include <math.h>
#include <time.h>

#include "runner/calibrate.h"

enum { NANOSECONDS = 1000000000 };

/* In less time a sample of some calls does not end. */
static const double cap_least_s = 0.02;

double campaign_now_s(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / NANOSECONDS;
}

double part_most_s(const struct part *part, double cap_s)
{
	/* Share of a point's time that stays for samples beyond those that cannot be left out (calibrate/repeat.c). */
	const double sampled_share = 0.25;
	double seconds = part->start_s;
	for (size_t i = 0; i < part->least_count; i++)
		seconds += fmax(cap_s, part->least_s[i] > 0 ? part->least_s[i] + sampled_share * cap_s : 0);
	return seconds;
}

static double most_s(const struct campaign *campaign, double cap_s)
{
	double seconds = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		seconds += campaign->parts[i].is_out ? 0 : part_most_s(&campaign->parts[i], cap_s);
	return seconds * campaign->launches;
}

double campaign_expected_s(const struct campaign *campaign)
{
	double seconds = 0;
	for (size_t i = 0; i < campaign->part_count; i++) {
		const struct part *const part = &campaign->parts[i];
		const double expected_s = part->is_out ? 0 : part_expected_s(part);
		if (expected_s < 0)
			return -1;
		seconds += expected_s;
	}
	return campaign->plan_s + seconds * campaign->launches;
}

double campaign_most_s(const struct campaign *campaign)
{
	return most_s(campaign, campaign->cap_s);
}

double campaign_points(const struct campaign *campaign)
{
	double points = 0;
	for (size_t i = 0; i < campaign->part_count; i++)
		points += campaign->parts[i].is_out ? 0 : campaign->parts[i].report.points;
	return points * campaign->launches;
}

void campaign_keep_budget(struct campaign *campaign)
{
	enum { HALVINGS = 50 };
	double low = cap_least_s, high = campaign->cap_s;
	if (!(campaign->budget_s > 0) || most_s(campaign, high) <= campaign->budget_s)
		return;
	for (unsigned i = 0; i < HALVINGS; i++) {
		const double middle = (low + high) / 2;
		if (most_s(campaign, middle) > campaign->budget_s)
			high = middle;
		else
			low = middle;
	}
	campaign->cap_s = high;
}

void campaign_measure(struct campaign *campaign)
{
	campaign->begin_s = campaign_now_s();
	for (unsigned launch = 0; launch < campaign->launches; launch++)
		for (size_t i = 0; i < campaign->part_count; i++) {
			struct part *const part = &campaign->parts[(i + launch) % campaign->part_count];
			if (!part->is_out && !campaign->stopped)
				launch_run(campaign, part, launch);
		}
	progress_clear(campaign);
}
