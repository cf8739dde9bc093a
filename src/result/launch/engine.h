/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings of programs that serve, whatever their flags are called; engine.c fills them from a plan. */
#ifndef RESULT_LAUNCH_ENGINE_H
#define RESULT_LAUNCH_ENGINE_H

#include "result/launch/launch.h"

/* Settings that every engine gets. */
struct engine_job {
	unsigned data, expert, tensor, pipeline; /* degrees of the plan */
	bool has_experts;                        /* whether the network has experts */
	bool deals; /* whether whole experts are dealt to the expert and tensor axes; else tensor cuts each */
	double sequences;                  /* sequences of a replica at a time */
	double chunk;                      /* most tokens of prompts in a step */
	double length;                     /* tokens of a request, prompt and answer */
	double guessed;                    /* speculative tokens in a step; 0: none */
	bool knows_prefix;                 /* whether caches are kept for later requests */
	double memory_share, static_share; /* shares of a device's memory: all, weights and caches */
	double cache_share;                /* share of caches in the memory that the rest leaves */
	bool is_fp8, is_fp4, is_cache_fp8; /* whether weights, and caches, have these narrow formats */
	const char *dtype;                 /* format of all else: "bfloat16"; NULL: engines lack it */
};

/*
 * Fills the settings of every engine, and reports options of the plan that none has. Returns false: nothing can
 * start.
 */
bool engine_job_fill(
	struct launch *launch, const char *program, const struct launch_job *job, struct engine_job *engine);

/* Reports that replicas which share nothing must be started as one program each. */
void engine_replicas(struct launch *launch, const char *program, const struct launch_job *job,
	const struct engine_job *engine);

#endif
