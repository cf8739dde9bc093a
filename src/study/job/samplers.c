/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers train with fewer samples than all, or draw them anew; to add one, write it here and list it at the end. */
#include "study/job/hide.h"

/*
 * Fills an epoch of KAKURENBO (Nguyen et al., NeurIPS 2023): samples with the lowest losses are hidden for an epoch,
 * except those that were predicted wrongly or with little confidence. At its end a forward pass over the hidden
 * samples renews their losses.
 */
static unsigned kakurenbo_passes(double share, struct sampler_pass passes[SAMPLER_PASSES])
{
	passes[0] = (struct sampler_pass){.samples = 1 - share, .forward = 1, .backward = 1, .steps = 1};
	passes[1] = (struct sampler_pass){.samples = share, .refreshes = true};
	return 2;
}

/* Three vectors: loss, correctness and confidence of each sample, summed up as float64. */
static const struct sampler kakurenbo = {
	.name = "kakurenbo",
	.summary = "hide samples that are learnt, for an epoch at a time",
	.source = "Nguyen et al., NeurIPS 2023",
	.fraction = 0.3,
	.hides = true,
	.vectors = 3,
	.orders = true,
	.passes = kakurenbo_passes,
};

/*
 * Fills an epoch of selective backprop (Jiang et al., 2019): the forward pass of every sample decides whether the
 * sample has a backward pass. Batches are filled up with samples that have one, so that there are fewer batches.
 */
static unsigned selective_passes(double share, struct sampler_pass passes[SAMPLER_PASSES])
{
	passes[0] =
		(struct sampler_pass){.samples = 1, .forward = 1, .backward = 1 - share, .steps = 1 - share};
	return 1;
}

/* Half of the backward passes: 49.7 % in the published log of DeiT-Tiny (beta = 1). */
static const struct sampler selective = {
	.name = "selective",
	.summary = "backward passes for samples with large losses only",
	.source = "Jiang et al., 2019",
	.fraction = 0.5,
	.passes = selective_passes,
};

/*
 * Fills an epoch of importance sampling with replacement: a forward pass over all samples finds how important each is.
 * Samples, as many as the data set has, are then drawn by importance and trained.
 */
static unsigned importance_passes(double share, struct sampler_pass passes[SAMPLER_PASSES])
{
	(void)share;
	passes[0] = (struct sampler_pass){.samples = 1, .forward = 1};
	passes[1] = (struct sampler_pass){.samples = 1, .forward = 1, .backward = 1, .steps = 1};
	return 2;
}

static const struct sampler importance = {
	.name = "importance",
	.summary = "draw as many samples as there are, by importance",
	.source = "Katharopoulos and Fleuret, ICML 2018, in the form that KAKURENBO is compared with",
	.vectors = 1,
	.orders = true,
	.passes = importance_passes,
};

/*
 * Fills an epoch of static pruning: samples that a short training run finds easy are left out for good. They are not
 * read either.
 */
static unsigned pruning_passes(double share, struct sampler_pass passes[SAMPLER_PASSES])
{
	passes[0] = (struct sampler_pass){.samples = 1 - share, .forward = 1, .backward = 1, .steps = 1};
	return 1;
}

/* One probe run; methods that average scores over several pay for each. */
static const struct sampler pruning = {
	.name = "pruning",
	.summary = "leave samples out for good, by the scores of a probe run",
	.source = "Paul et al., NeurIPS 2021",
	.fraction = 0.3,
	.probe_epochs = 20,
	.passes = pruning_passes,
};

/* In the order of comparison. */
const struct sampler *const samplers[] = {&kakurenbo, &selective, &importance, &pruning, NULL};
