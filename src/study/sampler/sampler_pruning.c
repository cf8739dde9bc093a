/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Static pruning: samples that a short training run finds easy are left out for good. They are not read either.
 */
#include "study/job/hide.h"

static unsigned passes_of(double share, struct sampler_pass passes[SAMPLER_PASSES])
{
	passes[0] = (struct sampler_pass){.samples = 1 - share, .forward = 1, .backward = 1, .steps = 1};
	return 1;
}

/* One probe run; methods that average scores over several pay for each. */
const struct sampler sampler_pruning = {
	.name = "pruning",
	.summary = "leave samples out for good, by the scores of a probe run",
	.source = "Paul et al., NeurIPS 2021",
	.fraction = 0.3,
	.probe_epochs = 20,
	.passes = passes_of,
};
