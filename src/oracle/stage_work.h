/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work of one stage in one micro-batch. */
#ifndef ORACLE_STAGE_WORK_H
#define ORACLE_STAGE_WORK_H

#include "oracle/stage.h"

struct stage_work {
	double forward_s, backward_s, again_s, weight_s; /* kernels */
	double exchange_s[2], hidden_s;                  /* layer-wise, exposed by pass; hidden of both */
	double halo_s[2];
	double forward_total_s, backward_total_s; /* with the host; backward with again and weight */
	double host_s, device_s;                  /* both passes */
	double host_pass_s[2];
};

/* Shares of traffic hidden behind compute: the framework's, but nothing of what the plan keeps apart. */
struct overlaps {
	double gradients, gathers, shards, tensor, experts;
};
struct overlaps overlaps_of(const struct evaluation *evaluation);

/* Returns how much longer kernels take than by themselves because the host calls them one by one: 1 where it does not. */
double stage_stretch(const struct evaluation *evaluation, const double *term);
void stage_work_fill(const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work);

#endif
