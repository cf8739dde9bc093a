/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training with fewer samples: what the epochs of a sampler (sampler/sampler.h) take, from the times of one step. Pure
 * functions on numbers; hide.c asks the oracle for them. Formulas: paradl-formulas(7), "Sample hiding".
 */
#ifndef JOB_HIDE_H
#define JOB_HIDE_H

#include "base/arena.h"
#include "job/sampler/sampler.h"

/*
 * Measured on one core of an AMD EPYC that had other work, too: qsort() of indices by a float64 (gcc -O2) took 10 to 18 ns for
 * each of N log2 N, N from 0.2 to 5 million; a loop of CPython 3 over a list of indices that looks up two lists and appends to a
 * third 0.7 to 1.1 us a turn.
 */
static const double hide_order_s = 1e-8, hide_candidate_s = 1e-6;

/* Everything that the times of epochs depend on. */
struct hide_setting {
	double samples, epochs, warm_up;
	double iterations; /* of a plain epoch; need not be whole */
	double forward_s, backward_s,
		update_s; /* of one step; update_s: what steps take however few samples */
	double hidden_s;  /* of as many hidden samples as a step has */
	double (*fed_s)(void *feed, double busy_s); /* a step that takes busy_s, when it waits for input */
	void *feed;
	double fraction; /* of the sampler that is asked for; negative: each its own */
	struct paradl_steps caps, retention;
	const double *hidden; /* shares by epoch that were measured, instead of caps and retention; or NULL */
	size_t hidden_count;  /* later epochs are like the last */
	double exchange_s[4]; /* to sum up so many vectors */
	double order_s, candidate_s; /* of all samples that a worker chooses among, of one candidate */
	double selectors; /* workers that choose among their own samples alone; 0: each among all */
	double scale;     /* of the passes: a measured plain epoch over the projected one; else 1 */
};

/* What a sampler's epochs take. epochs: NULL, or as many as there are. */
void hide_epochs(const struct hide_setting *setting, const struct sampler *sampler,
	struct paradl_hide_training *training, struct paradl_hide_epoch *epochs);
double hide_plain_s(const struct hide_setting *setting); /* of one epoch with all samples */
double hide_fraction(const struct hide_setting *setting, const struct sampler *sampler);

/* The value in an epoch, from 0. */
double steps_at(const struct paradl_steps *steps, double epoch);

/* Bytes that workers exchange in an epoch, and how often they exchange one number besides: hide_exchange.c */
struct hide_exchange {
	double bytes, counts;
};
struct hide_exchange hide_exchange(bool distributed, double samples, unsigned vectors);
/* Seconds of that for up to 3 vectors, among the plan's workers. */
bool hide_exchange_times(struct paradl_oracle *oracle, const struct paradl_plan *plan, bool distributed,
	double samples, double exchange_s[4], struct paradl_error *error);

#endif
