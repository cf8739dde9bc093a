/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sampler says what an epoch does with the samples: some are trained, for some only the loss is computed, for some
 * the backward pass is left out. It knows no times. To add one, write job/sampler/NAME.c and a line in list.def.
 *
 *     T = n (f_fwd t_f + f_bwd t_b) + steps t_step + overhead
 *
 * An epoch consists of passes, because each pass reads its samples, and waits for them or does not.
 */
#ifndef STUDY_SAMPLER_SAMPLER_H
#define STUDY_SAMPLER_SAMPLER_H

#include "paradl.h"

/* One pass over samples. `forward`, `backward` and `steps` are shares of the samples of the pass. */
struct sampler_pass {
	double samples; /* samples that are read and prepared, as a share of the data set */
	double forward, backward;
	double steps; /* steps that end in a gradient exchange and an update */
	bool refreshes; /* instead of these a forward pass beside training, at the price of hidden samples (phi) */
};

enum { SAMPLER_PASSES = 2 };

struct sampler {
	const char *name, *summary, *source;
	double fraction; /* share of samples to spare that its inventors used; 0: it has none */
	/* Samples are hidden: a part of a cap that changes with the epochs. Needs the losses of an epoch before. */
	bool hides;
	double vectors;      /* vectors of a float64 per sample that workers sum up in each epoch */
	bool orders;         /* all samples are sorted, or drawn by weight, in each epoch */
	double probe_epochs; /* epochs of plain training before */
	/* Fills in the passes of an epoch that spares the share `share`; returns their number. */
	unsigned (*passes)(double share, struct sampler_pass passes[SAMPLER_PASSES]);
};

#define X(id) extern const struct sampler sampler_##id;
#include "study/sampler/list.def"
#undef X

extern const struct sampler *const samplers[]; /* NULL-terminated, order of list.def */
/* Returns the sampler of this name; NULL: there is none. */
const struct sampler *sampler_find(const char *name);

#endif
