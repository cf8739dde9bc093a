/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much accuracy training without a global shuffle may lose, in percentage points of top-1:
 *
 *     9.2 max(0, log2(1.36 C M / N)) exp(-8.5 Q)      C classes, N samples, M workers, Q exchanged
 *
 * Derived from five points of Nguyen et al. (IPDPS'22), ResNet-50 on ImageNet-1K, which it meets within a point: 2,048
 * workers lose 10.3 with Q = 0, 4.2 with 0.1 and 0.6 with 0.3; up to 1,024 most experiments lose next to nothing. One
 * network and one data set are no law: this is for warnings, and never a predicted accuracy.
 */
#include <math.h>

#include "input/input.h"

static const double points_per_doubling = 9.2, samples_per_class = 1.36, forgotten = 8.5;
static const double medium_points = 1.5, high_points = 4;

/* Negative: all samples are shuffled, or nothing can be said. */
double risk_points(
	enum paradl_shuffle shuffle, double exchanged, double samples, double classes, double readers)
{
	if (shuffle == PARADL_SHUFFLE_GLOBAL || readers <= 1 || !(samples > 0) || !(classes > 0))
		return -1;
	if (shuffle == PARADL_SHUFFLE_LOCAL)
		exchanged = 0;
	const double doublings = fmax(0, log2(samples_per_class * readers * classes / samples));
	return points_per_doubling * doublings * exp(-forgotten * exchanged);
}

enum paradl_risk risk_class(double points)
{
	if (points > high_points)
		return PARADL_RISK_HIGH;
	if (points >= medium_points)
		return PARADL_RISK_MEDIUM;
	return points >= 0 ? PARADL_RISK_LOW : PARADL_RISK_NONE;
}
