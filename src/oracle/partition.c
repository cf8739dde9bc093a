/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact min-max partition of a chain (chains-on-chains partitioning). A bound is feasible when greedy filling needs no
 * more than `parts` parts. Each round takes the largest part greedy actually made under a feasible bound, and asks
 * whether anything smaller is feasible; bisection between the known infeasible and the known feasible value narrows
 * the bound until the next smaller sum of consecutive costs is infeasible. Parts are non-empty.
 */
#include <math.h>

#include "oracle/oracle.h"

/* Greedy under a bound: the largest part made, or infinity when it takes too many; ends[] as it went. */
static double fill(const double *prefix, unsigned count, unsigned parts, double bound, unsigned *ends)
{
	double largest = 0;
	unsigned first = 0;
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
		largest = cost > largest ? cost : largest;
		ends[part] = first = low;
	}
	return first == count && largest <= bound ? largest : (double)INFINITY;
}

void partition(const double *prefix, unsigned count, unsigned parts, unsigned *ends)
{
	double infeasible = 0, feasible = prefix[count];
	for (unsigned i = 0; i < count; ++i)
		infeasible = fmax(infeasible, prefix[i + 1] - prefix[i]);
	infeasible =
		fmax(infeasible, prefix[count] / parts); /* both are lower bounds; try the larger itself */
	const double exact = fill(prefix, count, parts, infeasible, ends);
	if (isfinite(exact))
		return;
	feasible = fill(prefix, count, parts, feasible, ends);
	while (nextafter(infeasible, (double)INFINITY) < feasible) {
		const double middle = infeasible + (feasible - infeasible) / 2;
		const double made = fill(prefix, count, parts, middle, ends);
		if (isfinite(made))
			feasible = made;
		else
			infeasible = middle;
	}
	fill(prefix, count, parts, feasible, ends);
}
