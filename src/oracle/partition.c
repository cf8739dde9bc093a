/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact min-max partition of a chain (chains-on-chains partitioning). A bound is feasible when filling each part up to
 * it, greedily, needs no more than `parts` parts. A bound that is not feasible stays so until the smallest sum that
 * would have let a part take one cost more; raising it from one such sum to the next ends at the least feasible bound.
 * Bisection first brings it near. Parts are non-empty.
 */
#include <math.h>

#include "oracle/oracle.h"

static const double near_share = 1.0 / 64; /* where bisection stops */

/* Greedy under a bound: was it enough? *largest: the largest part made; *next: the least sum above the bound met. */
static bool fill(const double *prefix, unsigned count, unsigned parts, double bound, unsigned *ends,
	double *largest, double *next)
{
	unsigned first = 0;
	*largest = 0;
	*next = prefix[count];
	for (unsigned part = 0; part < parts; ++part) {
		const unsigned last = count - (parts - 1 - part); /* leave one for each part after this one */
		unsigned low = first + 1, high = last;
		while (low < high) { /* the most that fits under the bound, at least one */
			const unsigned middle = low + (high - low + 1) / 2;
			if (prefix[middle] - prefix[first] <= bound)
				low = middle;
			else
				high = middle - 1;
		}
		const double cost = prefix[low] - prefix[first];
		*largest = cost > *largest ? cost : *largest;
		if (low < last && prefix[low + 1] - prefix[first] < *next)
			*next = prefix[low + 1] - prefix[first];
		ends[part] = first = low;
	}
	return first == count && *largest <= bound;
}

void partition(const double *prefix, unsigned count, unsigned parts, unsigned *ends)
{
	double low = prefix[count] / parts, high = prefix[count], largest, next;
	for (unsigned i = 0; i < count; ++i)
		low = fmax(low, prefix[i + 1] - prefix[i]); /* no partition is below either */
	while (high > low * (1 + near_share)) {
		const double middle = low + (high - low) / 2;
		if (fill(prefix, count, parts, middle, ends, &largest, &next))
			high = largest;
		else
			low = next;
	}
	while (!fill(prefix, count, parts, low, ends, &largest, &next) && next > low)
		low = next;
}
