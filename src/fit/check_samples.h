/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FIT_CHECK_SAMPLES_H
#define FIT_CHECK_SAMPLES_H

#include "fit/calibration.h"

bool samples_check(struct paradl_arena *arena, const char *text, size_t length, const char *path,
	struct paradl_findings *findings, struct paradl_error *error);

#endif
