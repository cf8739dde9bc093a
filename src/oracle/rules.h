/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a training program does with a network of one kind: the rules by which pricing, schedule, exchange and memory
 * work. There is one path through them; only the rules differ between networks of images, networks of tokens and the
 * ideal model of ParaDL's Table III.
 */
#ifndef ORACLE_RULES_H
#define ORACLE_RULES_H

#include "machine/framework.h"

/* How the host's time and the device's come together. */
enum host_rule {
	HOST_NONE,
	HOST_STRETCHES,  /* kernels of a stage take as long as the host's calls, where those take longer */
	HOST_RUNS_AHEAD, /* of each pass (device^q + host^q)^(1/q) */
	HOST_BLOCKS      /* launches block: a share of the host's time adds to the device's */
};

struct rules {
	bool ideal; /* peak rates, even shares, rings at nominal rates */

	/* pipeline */
	enum paradl_pipeline_schedule schedule; /* where the plan leaves it open */
	double micro_samples; /* of a micro-batch, by default; 0: as many micro-batches as below */
	double micro_batches; /* by default; 0: as many as stages */
	bool links_queue; /* messages of a link follow one another; else the sender is blocked for a share of each */
	double stage_blocking, stage_start_s;
	bool scatter_gather, balanced;

	/* recomputation */
	enum paradl_recompute recompute; /* where the plan leaves it open, without pipeline */
	bool recompute_stages; /* pipelines recompute whole stages, of all micro-batches but the last */
	double selective_share;

	/* host */
	enum host_rule host;
	double host_call_s;                           /* of a layer, both passes */
	double host_block_s, host_moe_s;              /* of a block, forward; more with experts */
	double host_collective_s, host_micro_batch_s; /* of a call; of a micro-batch and pass */
	double host_sharpness, host_exposed;          /* q; share that adds */
	bool host_unsure; /* what the host takes differs from program to program: estimate.c */

	/* exchanges */
	bool library_starts; /* calls pay the library's start and ramp of the device profile */
	double collective_sync_s;
	double redistribution_s; /* of dealing a tensor out again, besides what the collective takes */
	double gradient_bytes;   /* of one weight's gradient on its way; 0: as it is computed with */
	double gradient_passes, gradient_tensor_s, bucket_bytes;
	bool spatial_leader;
	double overlap_gradients, overlap_gathers, overlap_shards, overlap_tensor, overlap_experts,
		overlap_context;
	double interference; /* of hidden traffic of sharded weights that slows compute down */
	double jitter_s, jitter_growth;
	/* Exchange, update and waiting each take their maximum over devices, and gradients hide behind a share of all backward
	 * work; else their sum is of one device, and gradients hide behind its last backward. */
	bool own_maxima;

	/* update and memory */
	double step_s, step_bytes;
	bool moments;      /* memory is counted at several moments of a step; else at the end of forward */
	bool frees_early;  /* backward frees what it has read, layer by layer; else when it is done */
	bool holds_inputs; /* a stage holds what enters it besides what its layers make */
	double context_bytes, communicator_bytes, fragmentation, logits_bytes, step_memory_bytes,
		gradient_held_bytes, gradient_buffers, workspace_bytes;
	bool stage_outputs;
};

/* The rules of a framework for networks of tokens or of images; ideal: of Table III. */
void rules_resolve(const struct paradl_framework *framework, bool tokens, bool ideal, struct rules *rules);

#endif
