/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact min-max partition of a chain (chains-on-chains partitioning). A bound is feasible when filling each part up to
 * it, greedily, needs no more than `parts` parts. A bound that is not feasible stays so until the smallest sum that
 * would have let a part take one cost more; raising it from one such sum to the next ends at the least feasible bound,
 * soon where costs are alike. Parts are non-empty.
 */
#include <math.h>

#include "oracle/oracle.h"

/* Greedy under a bound that no cost is above: was it enough? *next: the least sum above the bound met. */
static bool fill(
	const double *prefix, unsigned count, unsigned parts, double bound, unsigned *ends, double *next)
{
	unsigned first = 0;
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
		if (low < last && prefix[low + 1] - prefix[first] < *next)
			*next = prefix[low + 1] - prefix[first];
		ends[part] = first = low;
	}
	return first == count;
}

void partition(const double *prefix, unsigned count, unsigned parts, unsigned *ends)
{
	double low = prefix[count] / parts, next;
	for (unsigned i = 0; i < count; ++i)
		low = fmax(low, prefix[i + 1] - prefix[i]); /* no partition is below either */
	while (!fill(prefix, count, parts, low, ends, &next) && next > low)
		low = next;
}
