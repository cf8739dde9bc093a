/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Importance sampling with replacement: a forward pass over all samples finds how important each is. Samples, as many
 * as the data set has, are then drawn by importance and trained.
 */
#include "study/job/hide.h"

static unsigned passes_of(double share, struct sampler_pass passes[SAMPLER_PASSES])
{
	(void)share;
	passes[0] = (struct sampler_pass){.samples = 1, .forward = 1};
	passes[1] = (struct sampler_pass){.samples = 1, .forward = 1, .backward = 1, .steps = 1};
	return 2;
}

const struct sampler sampler_importance = {
	.name = "importance",
	.summary = "draw as many samples as there are, by importance",
	.source = "Katharopoulos and Fleuret, ICML 2018, in the form that KAKURENBO is compared with",
	.vectors = 1,
	.orders = true,
	.passes = passes_of,
};
