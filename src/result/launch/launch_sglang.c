/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the flags of SGLang's server, as version 0.5 names them. --tp-size counts all devices of a stage. With
 * --enable-dp-attention these are cut into --dp-size parts with sequences of their own; else --dp-size counts whole
 * replicas. --ep-size deals experts out, and the rest of --tp-size cuts each expert. With attention by data, the
 * numbers of requests and tokens are those of all parts together.
 */
#include <math.h>

#include "result/launch/launch.h"

#define FLAG(...)   launch_add(launch, &launch->flags, __VA_ARGS__)
#define CANNOT(...) launch_add(launch, &launch->cannot, __VA_ARGS__)

static void tell_axes(struct launch *launch, const struct launch_job *job, const struct engine_job *engine)
{
	static const enum paradl_axis nesting[] = {
		PARADL_DATA, PARADL_PIPELINE, PARADL_EXPERT, PARADL_TENSOR};
	const unsigned dealt = engine->expert * (engine->deals ? engine->tensor : 1);
	FLAG("--tp-size %u", engine->tensor * engine->expert);
	FLAG("--pp-size %u", engine->pipeline);
	FLAG("--dp-size %u", engine->expert > 1 ? engine->expert : engine->data);
	if (engine->expert > 1)
		FLAG("--enable-dp-attention");
	if (engine->has_experts)
		FLAG("--ep-size %u", dealt);
	if (job->nodes > 1) {
		FLAG("--nnodes %u", job->nodes);
		FLAG("--node-rank $NODE_RANK");
		FLAG("--dist-init-addr $MASTER_ADDR:20000");
	}
	if (engine->data > 1 && (engine->expert > 1 || job->nodes > 1))
		engine_replicas(launch, "sglang", job, engine);
	launch_nesting(launch, "sglang", job->plan, nesting, sizeof nesting / sizeof nesting[0]);
}

static void tell_formats(struct launch *launch, const struct engine_job *engine)
{
	if (engine->dtype)
		FLAG("--dtype %s", engine->dtype);
	if (engine->is_fp8 || engine->is_fp4)
		FLAG("--quantization %s", engine->is_fp8 ? "fp8" : "modelopt_fp4");
	FLAG("--kv-cache-dtype %s", engine->is_cache_fp8 ? "fp8_e4m3" : "auto");
}

static void tell_guesses(struct launch *launch, const struct engine_job *engine)
{
	if (!(engine->guessed > 0))
		return;
	FLAG("--speculative-algorithm NGRAM");
	FLAG("--speculative-num-draft-tokens %.15g", engine->guessed);
	if (engine->pipeline > 1 || engine->expert > 1)
		CANNOT("sglang guesses no tokens beside %s; nearest: without --speculative-tokens",
			engine->pipeline > 1 ? "pipelines" : "attention by data");
}

static void tell(struct launch *launch, const struct launch_job *job)
{
	struct engine_job engine;
	if (!engine_job_fill(launch, "sglang", job, &engine))
		return;
	launch_add(launch, &launch->command, "python");
	launch_add(launch, &launch->command, "-m sglang.launch_server");
	FLAG("--model-path \"$MODEL\"");
	tell_axes(launch, job, &engine);
	FLAG("--max-running-requests %.15g", engine.sequences * engine.expert);
	FLAG("--chunked-prefill-size %.15g", engine.chunk * engine.expert);
	FLAG("--max-prefill-tokens %.15g", fmax(engine.chunk, engine.length));
	FLAG("--context-length %.15g", engine.length);
	FLAG("--mem-fraction-static %.3f", floor(1000 * engine.static_share) / 1000);
	tell_formats(launch, &engine);
	if (!engine.knows_prefix)
		FLAG("--disable-radix-cache");
	tell_guesses(launch, &engine);
}

const struct launcher launcher_sglang = {
	.name = "sglang",
	.summary = "flags of SGLang's server",
	.frameworks = "sglang",
	.profile = "sglang",
	.serves = true,
	.across = "Run it on every node, with MASTER_ADDR=the first of them and NODE_RANK=0, 1, ...",
	.tell = tell,
};
