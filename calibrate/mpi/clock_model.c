/* SPDX-License-Identifier: BSD-3-Clause */
#include "clock_model.h"

static double middle_s(const struct ping *ping)
{
	return ping->sent_s + (ping->received_s - ping->sent_s) / 2;
}

const struct ping *ping_best(const struct ping *pings, unsigned count)
{
	const struct ping *best = pings;
	for (unsigned i = 1; i < count; i++)
		if (pings[i].received_s - pings[i].sent_s < best->received_s - best->sent_s)
			best = &pings[i];
	return best;
}

struct clock_model clock_model_fit(const struct ping *best, unsigned count)
{
	struct clock_model model = {.origin_s = middle_s(best)};
	/* Relative to the first: clocks since some boot are large, differences small. */
	const double first_s = best->other_s - middle_s(best);
	double x = 0, y = 0, xx = 0, xy = 0;
	for (unsigned i = 0; i < count; i++) {
		x += (middle_s(&best[i]) - model.origin_s) / count;
		y += (best[i].other_s - middle_s(&best[i]) - first_s) / count;
	}
	for (unsigned i = 0; i < count; i++) {
		const double dx = middle_s(&best[i]) - model.origin_s - x;
		xx += dx * dx;
		xy += dx * (best[i].other_s - middle_s(&best[i]) - first_s - y);
	}
	model.drift = xx > 0 ? xy / xx : 0;
	model.offset_s = first_s + y - model.drift * x;
	return model;
}

double clock_model_other_s(const struct clock_model *model, double own_s)
{
	return own_s + model->offset_s + model->drift * (own_s - model->origin_s);
}

double clock_model_own_s(const struct clock_model *model, double other_s)
{
	const double since = (other_s - model->offset_s - model->origin_s) / (1 + model->drift);
	return model->origin_s + since;
}
