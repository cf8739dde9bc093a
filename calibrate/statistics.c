/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double median_of(double *values, unsigned count)
{
	if (!count)
		return 0;
	qsort(values, count, sizeof *values, ascending);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

double median_half_width(const double *sorted, unsigned count)
{
	if (count < 6)
		return HUGE_VAL;
	const double middle = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
	const double reach = 1.959964 * sqrt(count) / 2;
	const double low = floor(count / 2.0 - reach), high = ceil(count / 2.0 + reach); /* of ranks from 1 */
	const unsigned first = low < 1 ? 0 : (unsigned)low - 1;
	const unsigned last = high >= count ? count - 1 : (unsigned)high;
	return middle > 0 ? (sorted[last] - sorted[first]) / 2 / middle : HUGE_VAL;
}
