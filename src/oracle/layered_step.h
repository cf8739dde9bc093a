/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ORACLE_LAYERED_STEP_H
#define ORACLE_LAYERED_STEP_H

#include "oracle/layered.h"

/* A step of training whose layers have plans of their own. */
bool layered_step(
	const struct layered_run *run, struct paradl_estimate *estimate, struct paradl_error *error);

#endif
