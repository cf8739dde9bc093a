/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs that serve are told of a plan, whatever their flags are called; engine.c fills it. */
#ifndef RESULT_LAUNCH_ENGINE_H
#define RESULT_LAUNCH_ENGINE_H

#include "result/launch/launch.h"

struct engine_job {
	unsigned data, expert, tensor, pipeline;
	bool has_experts; /* the network does */
	bool deals; /* experts are whole, dealt out to the expert and the tensor axis; else tensor cuts each */
	double sequences;                  /* of a replica at a time */
	double chunk;                      /* tokens of prompts in a step, at most */
	double length;                     /* tokens of a request, prompt and answer */
	double guessed;                    /* speculative tokens; 0: none */
	bool knows_prefix;                 /* caches are kept for later requests */
	double memory_share, static_share; /* of a device's memory: of all, of weights and caches */
	double cache_share;                /* of what is left beside weights and working memory: of caches */
	bool is_fp8, is_fp4, is_cache_fp8; /* formats of weights that are narrow, and of caches */
	const char *dtype;                 /* of all else, "bfloat16"; NULL: an engine has none such */
};

/*
 * Fills what every engine is told, and says what none can do of the plan. False: there is nothing to start.
 */
bool engine_job_fill(
	struct launch *launch, const char *program, const struct launch_job *job, struct engine_job *engine);

/* Says that replicas which share nothing are as many programs. */
void engine_replicas(struct launch *launch, const char *program, const struct launch_job *job,
	const struct engine_job *engine);

#endif
