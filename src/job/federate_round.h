/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef JOB_FEDERATE_ROUND_H
#define JOB_FEDERATE_ROUND_H

#include "job/federated/federated.h"

/* A round of a scheme; result is zeroed but for what names it. work->participants: of the federation, then of the scheme. */
bool round_fill(struct federated_work *work, const struct federated_scheme *scheme,
	struct paradl_arena *arena, struct paradl_round *result, struct paradl_error *error);

#endif
