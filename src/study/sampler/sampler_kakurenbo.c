/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * KAKURENBO (Nguyen et al., NeurIPS 2023): samples with the lowest losses are hidden for an epoch, except those that
 * were predicted wrongly or with little confidence. At its end a forward pass over the hidden samples renews their
 * losses.
 */
#include "study/job/hide.h"

static unsigned passes_of(double share, struct sampler_pass passes[SAMPLER_PASSES])
{
	passes[0] = (struct sampler_pass){.samples = 1 - share, .forward = 1, .backward = 1, .steps = 1};
	passes[1] = (struct sampler_pass){.samples = share, .refreshes = true};
	return 2;
}

/* Three vectors: loss, correctness and confidence of each sample, summed up as float64. */
const struct sampler sampler_kakurenbo = {
	.name = "kakurenbo",
	.summary = "hide samples that are learnt, for an epoch at a time",
	.source = "Nguyen et al., NeurIPS 2023",
	.fraction = 0.3,
	.hides = true,
	.vectors = 3,
	.orders = true,
	.passes = passes_of,
};
