/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training with fewer samples: the time of a sampler's epochs (samplers.c), computed from the times of one
 * step. These are pure functions on numbers; hide.c gets the numbers from the oracle. Formulas: paradl-formulas(7),
 * "Sample hiding".
 */
#ifndef STUDY_JOB_HIDE_H
#define STUDY_JOB_HIDE_H

#include "base/arena.h"
#include "paradl.h"
#include "paradl/study.h"

/*
 * A sampler says what an epoch does with the samples: some are trained, for some only the loss is computed, for some
 * the backward pass is left out. It knows no times. To add one, write job/sampler/NAME.c and a line in list.def.
 *
 *     T = n (f_fwd t_f + f_bwd t_b) + steps t_step + overhead
 *
 * An epoch consists of passes, because each pass reads its samples, and waits for them or does not.
 */

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

extern const struct sampler *const samplers[]; /* NULL-terminated; samplers.c */
/* Returns the sampler of this name; NULL: there is none. */
const struct sampler *sampler_find(const char *name);

/*
 * Times of choosing samples, measured on one core of an AMD EPYC that had other work, too: qsort() of indices by a
 * float64 (gcc -O2) took 10 to 18 ns for each of N log2 N, N from 0.2 to 5 million; a loop of CPython 3 over a list of
 * indices that looks up two lists and appends to a third took 0.7 to 1.1 us a turn.
 */
static const double hide_order_s = 1e-8, hide_candidate_s = 1e-6;

/* Everything that the times of epochs depend on. */
struct hide_setting {
	double samples, epochs, warm_up;
	double iterations; /* steps of a plain epoch; need not be whole */
	double forward_s, backward_s,
		update_s; /* parts of one step; update_s: the part that does not depend on samples */
	double hidden_s;  /* time of as many hidden samples as a step has */
	/* Returns the time of a step that takes busy_s without input, with its waits for input. */
	double (*fed_s)(void *feed, double busy_s);
	void *feed;
	double fraction; /* fraction of the requested sampler; negative: that of each sampler */
	struct paradl_steps caps, retention;
	const double *hidden;        /* measured shares by epoch, instead of caps and retention; or NULL */
	size_t hidden_count;         /* entries of hidden; later epochs are like the last */
	double exchange_s[4];        /* time to sum up 0 .. 3 vectors */
	double order_s, candidate_s; /* times to order a worker's choice of samples, for one candidate */
	double selectors; /* workers that choose among their own samples alone; 0: each among all */
	double scale;     /* factor on the passes: measured over projected plain epoch; else 1 */
};

/* Fills in the times of a sampler's training and, unless `epochs` is NULL, a row for each epoch. */
void hide_epochs(const struct hide_setting *setting, const struct sampler *sampler,
	struct paradl_hide_training *training, struct paradl_hide_epoch *epochs);
/* Returns the seconds of one epoch with all samples. */
double hide_plain_s(const struct hide_setting *setting);
/* Returns the fraction that a sampler spares: the setting's or its own; 0: it has none. */
double hide_fraction(const struct hide_setting *setting, const struct sampler *sampler);

/* Returns the value in an epoch, counted from 0. */
double steps_at(const struct paradl_steps *steps, double epoch);

/*
 * The exchange of an epoch: bytes of one allreduce, and number of additional allreduces of one number
 * (hide_epochs.c).
 */
struct hide_exchange {
	double bytes, counts;
};
/* Returns the exchange of a sampler with this number of vectors. */
struct hide_exchange hide_exchange(bool distributed, double samples, unsigned vectors);
/* Computes the seconds of that exchange for 0 .. 3 vectors among the plan's workers; false: error. */
bool hide_exchange_times(struct paradl_oracle *oracle, const struct paradl_plan *plan, bool distributed,
	double samples, double exchange_s[4], struct paradl_error *error);

#endif
