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

/* ln P[Binomial(n, p) = k] */
static double binomial_log(double n, double p, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log1p(-p);
}

/* A sample goes to one of the readers at random in each epoch: samples P[Binomial(epochs, 1 / readers) >= times]. */
double cache_met_often(double samples, double readers, double epochs, double times)
{
	if (times <= 0)
		return samples;
	if (times > epochs)
		return 0;
	if (readers <= 1)
		return samples;
	double share = 0;
	for (double k = ceil(times); k <= epochs; k++)
		share += exp(binomial_log(epochs, 1 / readers, k));
	return samples * fmin(1, share);
}
