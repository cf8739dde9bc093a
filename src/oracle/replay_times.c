/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file has the mean and percentiles of times that requests of a trace took. */
#include <stddef.h>

#include "oracle/replay_state.h"

/* Returns the k-th of all times, from 0 on, and moves those that are longer behind it: Hoare's FIND, 1961. */
static double time_find(double *times, ptrdiff_t low, ptrdiff_t high, ptrdiff_t k)
{
	while (low < high) {
		const double pivot = times[k];
		ptrdiff_t i = low, j = high;
		while (i <= j) {
			while (times[i] < pivot)
				++i;
			while (pivot < times[j])
				--j;
			if (i > j)
				break;
			const double time = times[i];
			times[i++] = times[j];
			times[j--] = time;
		}
		if (j < k)
			low = i;
		if (k < i)
			high = j;
	}
	return times[k];
}

void times_fill(double *times, size_t count, double *percentile_s)
{
	double sum = 0;
	ptrdiff_t known = 0,
		  low = 0; /* low: from there on are those that are no shorter than the last percentile */
	for (size_t i = 0; i < count; ++i)
		if (times[i] >= 0) {
			sum += times[i];
			times[known++] = times[i];
		}
	percentile_s[PARADL_MEAN] = known > 0 ? sum / (double)known : 0;
	for (unsigned i = PARADL_P50; i < PARADL_PERCENTILE_COUNT; ++i) {
		const ptrdiff_t k = (ptrdiff_t)(engine_share[i] * ((double)known - 1));
		percentile_s[i] = known > 0 ? time_find(times, low, known - 1, k) : 0;
		low = k;
	}
}
