/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sampler says what an epoch does with the samples: some are trained, of some only the loss is computed, of some the
 * backward pass is left out. It knows no times. To add one, write job/sampler/NAME.c and a line in list.def.
 *
 *     T = n (f_fwd t_f + f_bwd t_b) + steps t_step + overhead
 *
 * in passes, because each pass reads its samples, and waits for them or does not.
 */
#ifndef JOB_SAMPLER_SAMPLER_H
#define JOB_SAMPLER_SAMPLER_H

#include "paradl.h"

/* One pass over samples. Shares `forward`, `backward` and `steps` are of the samples of the pass. */
struct sampler_pass {
	double samples; /* that are read and prepared, as a share of the data set */
	double forward, backward;
	double steps; /* that end in a gradient exchange and an update */
	bool refreshes; /* a forward pass beside training, at the price of a hidden sample (phi), instead of the above */
};

enum { SAMPLER_PASSES = 2 };

struct sampler {
	const char *name, *summary, *source;
	double fraction; /* what its inventors used; 0: it has none */
	bool hides; /* by a cap that changes with the epochs, of which a part stays hidden; needs losses of an epoch before */
	double vectors;      /* of one float64 for each sample, that the workers sum up in each epoch */
	bool orders;         /* all samples are sorted, or drawn by weight, in each epoch */
	double probe_epochs; /* of plain training before */
	/* What an epoch does when it spares the share `share`; returns how many passes. */
	unsigned (*passes)(double share, struct sampler_pass passes[SAMPLER_PASSES]);
};

#define X(id) extern const struct sampler sampler_##id;
#include "job/sampler/list.def"
#undef X

extern const struct sampler *const samplers[];        /* NULL-terminated, order of list.def */
const struct sampler *sampler_find(const char *name); /* NULL: there is none */

#endif
