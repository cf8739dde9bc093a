/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stages of a pipeline as sums over their units. Units that are alike (the blocks of a transformer) are one class,
 * costed once; a stage is so many units of each class.
 */
#ifndef ORACLE_STAGE_H
#define ORACLE_STAGE_H

#include "oracle/oracle.h"

/* What adds up over units: seconds of one micro-batch, items of one micro-batch, weights, counts. */
enum stage_term {
	/* Only layers of tokens have the terms before STAGE_LAYERWISE_S. */
	STAGE_CALLS_FORWARD,
	STAGE_CALLS_BACKWARD,
	STAGE_HIDDEN_S, /* exchanges hidden already, by pass: context's behind attention */
	STAGE_EXCHANGE_S = STAGE_HIDDEN_S + 2, /* by token axis, forward then backward */
	STAGE_LAYERWISE_S =
		STAGE_EXCHANGE_S + 2 * TOKEN_AXES, /* collectives of filter and channel, both passes */
	STAGE_HALO_S = STAGE_LAYERWISE_S + 2,
	STAGE_FORWARD_S = STAGE_HALO_S + 2,
	STAGE_BACKWARD_S, /* without the next */
	STAGE_WEIGHT_S,   /* gradients of weights */
	STAGE_AGAIN_S,    /* recomputed in backward, kernels */
	STAGE_AGAIN_EXCHANGE_S,
	STAGE_HOST_S, /* of the host: forward, where it runs ahead pass by pass, else both passes */
	STAGE_HOST_AGAIN_S,
	STAGE_SYNCHRONISATIONS, /* blocking communications of both passes */
	STAGE_WEIGHTS,          /* trained, of experts too */
	STAGE_EXPERT_WEIGHTS,
	STAGE_FROZEN,
	STAGE_UPDATE_S,                /* as measured layer by layer; else 0 */
	STAGE_STORED = STAGE_UPDATE_S, /* of inference, which updates nothing: bytes of stored weights */
	STAGE_TENSORS,                 /* trained weights are in so many */
	STAGE_KEPT, /* items from forward to backward, without what is recomputed and the logits; of inference
			 from one token to the next: keys and values */
	STAGE_LOGITS, /* items of scores at the loss */
	STAGE_BLOCKS,
	STAGE_FREED,   /* of what is kept, what is free again while the backward of earlier units runs */
	STAGE_LARGEST, /* from here on not sums but the most of any unit */
	STAGE_WORKING =
		STAGE_LARGEST, /* items besides what is kept, while a backward runs: recomputed ones, gradients */
	STAGE_BUFFERS,         /* items of its collectives */
	STAGE_UNIT_WEIGHTS,
	STAGE_UNIT_KEPT, /* items, before recomputation leaves any out */
	STAGE_TERMS
};

struct stage {
	unsigned first, end; /* units */
	bool repeats;        /* the terms are those of the stage before */
	bool plain;          /* a unit without layers of tokens: it has no terms before STAGE_LAYERWISE_S */
	double gather_s;     /* of one pass: spatial pieces, before a layer that needs them whole */
	double send_s[2];    /* of what one micro-batch sends to the next stage, and of the gradient back */
	double term[STAGE_TERMS];
};

/* Units of a stage that have a plan of their own, and their sums. */
struct plan_share {
	const struct evaluation *evaluation;
	unsigned stage;
	double sums[STAGE_TERMS];
	double copied; /* weights of a head that are another stage's embedding: held and updated in both */
};

/* Units that are alike. */
struct unit_classes {
	unsigned count;
	unsigned *of_unit;   /* class of each unit */
	unsigned *run_end;   /* of each unit: the first unit after it that is of another class */
	unsigned *sample;    /* a unit of each class */
	struct stage *costs; /* scratch: of one unit of each class, and again without recomputation */
};

struct unit_classes *unit_classes_create(
	struct paradl_arena *arena, const struct paradl_model *model, struct paradl_error *error);

/* Host time of backward / forward of a layer: it starts twice the products and as many passes. */
extern const double host_backward;

/* Costs of one unit of each class under the plan's options. */
void unit_costs_fill(const struct evaluation *evaluation);
/* The stage of units [first, end), which comes after `before` (NULL: none). */
void stage_fill(const struct evaluation *evaluation, unsigned first, unsigned end, const struct stage *before,
	struct stage *stage);
/* So many units of one cost more: sums of what adds up, the most of the rest. */
void stage_terms_add(const struct stage *cost, unsigned count, double *term);
/* Adds what a stage holds of what enters it; after its units. */
void stage_inputs_add(const struct evaluation *evaluation, struct stage *stage);
/* One layer of the network as a unit of its own, whatever its kind. */
void layer_unit_cost(const struct evaluation *evaluation, unsigned index, struct stage *cost);
/* Items of one micro-batch that enter a unit, as this device holds them: the network's input, or what the unit before makes. */
double entering_items(const struct evaluation *evaluation, unsigned unit);
/*
 * Which units each of `count` stages has (net->stage_ends): as the plan gives it, by even numbers of blocks, or by the
 * smallest largest stage. False with an error if the given split does not fit.
 */
bool stages_cut(const struct evaluation *evaluation, unsigned count, struct paradl_error *error);
/* Fills by what stages are cut, once for each network; its costs of kernels are lost. */
void stages_weigh(const struct paradl_oracle *oracle, struct prepared *net);

/* Work of one stage in one micro-batch. */
struct stage_work {
	double forward_s, backward_s, again_s, weight_s; /* kernels */
	double exchange_s[2], hidden_s;                  /* layer-wise, exposed by pass; hidden of both */
	double halo_s[2];
	double device_s;              /* all of this, both passes */
	double host_s[2], total_s[2]; /* of a pass: of the host, and of both together */
};

/* Shares of traffic hidden behind compute: the framework's, but nothing of what the plan keeps apart. */
struct overlaps {
	double gradients, gathers, shards;
	double axis[TOKEN_AXES]; /* axis - PARADL_EXPERT */
};
struct overlaps overlaps_of(const struct evaluation *evaluation);

/*
 * Fills the times of a stage's kernels. A host that calls them one by one stretches each pass by itself: its last kernel runs no
 * sooner than the host has called all of the pass.
 */
void stage_kernels_fill(const struct evaluation *evaluation, const double *term, struct stage_work *work);
void stage_work_fill(const struct evaluation *evaluation, const struct stage *stage, struct stage_work *work);
/* Fills how much longer each pass takes with the host than by itself; 0 where the device has nothing to do. */
void stage_work_ratios(const struct stage_work *work, double ratio[2]);

#endif
