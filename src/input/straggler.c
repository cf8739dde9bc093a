/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synchronous training waits for the slowest of n readers:
 *
 *     E[slowest] / mean = 1 + variation sqrt(2 ln n)
 *
 * The mean of the maximum of n normal times is never more, and comes near it for large n. Times with a heavier tail are worse.
 */
#include <math.h>

#include "input/input.h"

double straggler_factor(double variation, double n)
{
	return n > 1 && variation > 0 ? 1 + variation * sqrt(2 * log(n)) : 1;
}
