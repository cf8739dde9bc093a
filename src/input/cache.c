/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Share of reads that a cache has, which holds a share x of what is read in every epoch:
 *
 *     pinned   h = x                               what came first stays
 *     LRU      h = x + (1 - x) ln(1 - x)           every epoch in a new random order
 *     page     h = x + 0.6 (1 - x) ln(1 - x)       Linux' page cache, between the two; 1 instead of 0.6 where files are
 *                                                  read from the start
 *
 * LRU: an item that was read at place u of an epoch and is read at v of the next is still there if fewer than x of all are
 * read between, each once; the mean over uniform u and v is the formula. 0.6 lies between the two fits to Mohan et al. (VLDB'21):
 * 0.71 (35 % cached, 85 % read) and 0.49 (65 % cached, 53 % read); derived.
 */
#include <math.h>

#include "input/input.h"

static const double page_share = 0.6;

double cache_hits(enum paradl_cache policy, double x, bool sequential)
{
	if (!(x > 0) || policy == PARADL_CACHE_NONE)
		return 0;
	if (x >= 1)
		return 1;
	if (policy == PARADL_CACHE_PINNED)
		return x;
	const double share = policy == PARADL_CACHE_PAGE && !sequential ? page_share : 1;
	return fmax(0, x + share * (1 - x) * log1p(-x));
}

/*
 * A node of K reads 1 / K of the samples in an epoch, others in each: after e epochs its cache has met f(e) = 1 - (1 - 1/K)^e of
 * them, and has min(h, f(e)) of what it reads next. The mean over e = 1 .. E - 1: f(e) until it passes h, then h. Of one epoch: nothing.
 */
double cache_hits_filling(double hits, double nodes, double epochs)
{
	const double count = fmax(1, epochs - 1), missed = 1 - 1 / nodes;
	if (!(epochs > 1))
		return 0;
	if (!(nodes > 1) || !(hits > 0))
		return hits;
	const double full = hits < 1 ? ceil(log1p(-hits) / log(missed)) - 1 : count;
	const double filling = fmin(fmax(0, full), count);
	const double met = filling - missed * nodes * (1 - pow(missed, filling));
	return (met + (count - filling) * hits) / count;
}

/*
 * A sample goes to one of the readers at random in each epoch: samples P[Binomial(epochs, p) >= times], p = 1 / readers. Terms in
 * logarithms, each from the one before: P[k] = P[k - 1] (epochs - k + 1) / k p / (1 - p).
 */
double cache_met_often(double samples, double readers, double epochs, double times)
{
	if (times <= 0)
		return samples;
	if (times > epochs)
		return 0;
	if (readers <= 1)
		return samples;
	const double odds = log(1 / readers) - log1p(-1 / readers);
	const unsigned trials = (unsigned)fmin(epochs, 1e6);
	double term = trials * log1p(-1 / readers), share = 0;
	for (unsigned k = 1; k <= trials; k++) {
		term += log((double)(trials - k + 1) / k) + odds;
		if (k >= times)
			share += exp(term);
	}
	return samples * fmin(1, share);
}
