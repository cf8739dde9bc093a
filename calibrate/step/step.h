/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bench knows of its program. */
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "bench.h"
#include "step/exchange.h"

struct setting {
	struct peers peers;
	const struct case_line *cases;
	size_t case_count;
};

struct setting *step_setting(void); /* main.c */

extern const struct bench bench_step;

#endif
