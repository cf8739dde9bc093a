/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pipeline parallelism (the paper's layer parallelism) puts whole layers on different devices. It cuts no tensor;
 * stages, their schedule and the tensors between them belong to the oracle (oracle/stage.c, oracle/schedule.h).
 */
#include <limits.h>

#include "plan/strategy.h"

static unsigned pipeline_limit(const struct layer *layer, unsigned dimension)
{
	(void)layer;
	(void)dimension;
	return UINT_MAX; /* the number of units limits it, not a layer */
}

const struct strategy strategy_pipeline = {
	.name = "pipeline",
	.summary = "layers are divided into stages; micro-batches stream through them (GPipe)",
	.axis = PARADL_PIPELINE,
	.limit = pipeline_limit,
	.scarce = "layers",
};
