/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/lanes.h"

#include <math.h>

const struct lane_look lane_looks[LANE_LOOKS] = {
	[PARADL_WORK_INPUT] = {"input", PARADL_INPUT, "%", '%'},
	[PARADL_WORK_FORWARD] = {"forward", PARADL_FORWARD, "█", 'F'},
	[PARADL_WORK_BACKWARD] = {"backward", PARADL_BACKWARD, "▓", 'B'},
	[PARADL_WORK_WEIGHTS] = {"weight gradient", PARADL_RECOMPUTE, "▒", 'W'},
	[PARADL_WORK_EXCHANGE] = {"exchange", PARADL_GRADIENT_EXCHANGE, "=", '='},
	[PARADL_WORK_UPDATE] = {"weight update", PARADL_WEIGHT_UPDATE, "+", '+'},
	[LANE_IDLE] = {"idle", PARADL_BUBBLE, "·", '.'},
};

size_t lane_shares(const struct paradl_timeline *timeline, size_t first, unsigned device, double begin_s,
	double end_s, double shares[LANE_LOOKS])
{
	double idle = 1;
	size_t i = first;
	for (unsigned look = 0; look < LANE_LOOKS; look++)
		shares[look] = 0;
	while (i < timeline->count && timeline->events[i].device < device)
		i++;
	for (; i < timeline->count && timeline->events[i].device == device; i++) {
		const struct paradl_event *const event = &timeline->events[i];
		const double inside_s = fmax(fmin(event->end_s, end_s) - fmax(event->start_s, begin_s), 0);
		shares[event->work] += inside_s / (end_s - begin_s);
		idle -= inside_s / (end_s - begin_s);
		if (event->end_s > end_s)
			break;
	}
	shares[LANE_IDLE] = fmax(idle, 0);
	return i;
}

/* Keeps the share of a look that was not shown as a debt, which a later column shows; old debts fade. */
size_t lane_columns(const struct paradl_timeline *timeline, size_t first, unsigned device,
	unsigned char *looks, size_t columns)
{
	static const double fading = 0.5;
	const double column_s = timeline->end_s / (double)columns;
	double debts[LANE_LOOKS] = {0}, shares[LANE_LOOKS];
	size_t next = first;
	for (size_t column = 0; column < columns; column++) {
		const double begin_s = (double)column * column_s;
		next = lane_shares(timeline, next, device, begin_s, begin_s + column_s, shares);
		looks[column] = LANE_IDLE;
		for (unsigned look = 0; look < LANE_LOOKS; look++) {
			debts[look] = shares[look] > 0 ? debts[look] + shares[look] : debts[look] * fading;
			if (shares[look] > 0 && debts[look] > debts[looks[column]])
				looks[column] = (unsigned char)look;
		}
		debts[looks[column]] -= 1;
	}
	return next;
}

double lane_idle_share(const struct paradl_timeline *timeline)
{
	double busy_s = 0;
	for (size_t i = 0; i < timeline->count; i++)
		busy_s += timeline->events[i].end_s - timeline->events[i].start_s;
	return fmax(1 - busy_s / timeline->devices / timeline->step_s, 0);
}
