/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "harness.h"

double median_of(const double *sorted, unsigned count)
{
	return count ? (sorted[(count - 1) / 2] + sorted[count / 2]) / 2 : 0;
}

void sorted_add(double *sorted, unsigned count, double value)
{
	unsigned place = 0, behind = count;
	while (place < behind) {
		const unsigned middle = place + (behind - place) / 2;
		if (sorted[middle] > value)
			behind = middle;
		else
			place = middle + 1;
	}
	memmove(sorted + place + 1, sorted + place, (count - place) * sizeof *sorted);
	sorted[place] = value;
}

double median_half_width(const double *sorted, unsigned count)
{
	if (count < 6)
		return HUGE_VAL;
	const double middle = median_of(sorted, count);
	const double reach = 1.959964 * sqrt(count) / 2;
	const double low = floor(count / 2.0 - reach), high = ceil(count / 2.0 + reach); /* of ranks from 1 */
	const unsigned first = low < 1 ? 0 : (unsigned)low - 1;
	const unsigned last = high >= count ? count - 1 : (unsigned)high;
	return middle > 0 ? (sorted[last] - sorted[first]) / 2 / middle : HUGE_VAL;
}
