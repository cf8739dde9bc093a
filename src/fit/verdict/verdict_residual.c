/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges fits that do not follow their points: where half of the points are more than 30 % off the fitted numbers,
 * those numbers describe no machine. Healthy fits are within 20 %, mostly within 10 %.
 */
#include <string.h>

#include "fit/verdict/verdict.h"

static const double most = 0.3;

/* Returns whether the same fit was named before, by another of its numbers. */
static bool is_named(const struct calibration *calibration, size_t index)
{
	const struct paradl_fitted_number *number = &calibration->numbers[index];
	for (size_t i = 0; i < index; ++i) {
		const struct paradl_fitted_number *before = &calibration->numbers[i];
		if (before->file == number->file && before->points == number->points &&
			!(before->residual < number->residual) && !(before->residual > number->residual))
			return true;
	}
	return false;
}

static void say(struct calibration *calibration, const char *what, double residual, const char *where)
{
	const struct verdict_head head = {PARADL_BAD, "residual", where,
		"what else ran meanwhile; clocks; measure again when the machine is idle"};
	verdict_say(calibration, &head,
		"%s: half of the points are more than %.0f %% off what was fitted to them", what,
		100 * residual);
	verdict_refuses(calibration);
}

void judge_residual(struct calibration *calibration)
{
	for (size_t i = 0; i < calibration->result->number_count && !calibration->failed; ++i) {
		const struct paradl_fitted_number *number = &calibration->numbers[i];
		if (number->residual > most && !is_named(calibration, i))
			say(calibration, number->path, number->residual, number->path);
	}
}
