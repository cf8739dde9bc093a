/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_JOB_FEDERATE_ROUND_H
#define STUDY_JOB_FEDERATE_ROUND_H

#include "paradl/study.h"
#include "study/federated/federated.h"

/*
 * Fills in a round of a scheme; result must be zeroed except for the scheme's name and texts. work->participants is
 * that of the federation, and is set to that of the scheme. True without `possible`: result->reason says why. False:
 * out of memory.
 */
bool round_fill(struct federated_work *work, const struct federated_scheme *scheme,
	struct paradl_arena *arena, struct paradl_round *result, struct paradl_error *error);

#endif
