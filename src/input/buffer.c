/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A producer of rate x fills a buffer of n, a consumer of rate y empties it: M/M/1/n, as tf.data has it (Murray et al., VLDB'21).
 *
 *     P[empty] = (1 - x/y) / (1 - (x/y)^(n+1)), 1 / (n + 1) where x = y
 *     latency  = P[empty] / x
 */
#include <math.h>

#include "input/input.h"

double buffer_empty(double x, double y, double n)
{
	const double ratio = x / y;
	if (fabs(ratio - 1) < 1e-9)
		return 1 / (n + 1);
	if (ratio > 1) /* the same, divided by ratio^(n+1), which may be beyond all numbers */
		return (1 - 1 / ratio) / (1 - pow(ratio, -n - 1)) * pow(ratio, -n);
	return (1 - ratio) / (1 - pow(ratio, n + 1));
}

double buffer_stall_s(double producer_s, double consumer_s, double n)
{
	if (!(producer_s > 0))
		return 0;
	if (!(consumer_s > 0))
		return producer_s;
	return producer_s * buffer_empty(1 / producer_s, 1 / consumer_s, n);
}
