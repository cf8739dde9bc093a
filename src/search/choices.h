/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a search may choose for given degrees, batch and micro-batch: every combination of an order of the axes, a
 * recomputation, a way to run the pipeline and a way to share among replicas.
 */
#ifndef SEARCH_CHOICES_H
#define SEARCH_CHOICES_H

#include "oracle/bounds.h"

/* How the pipeline runs. */
struct stage_choice {
	enum paradl_pipeline_schedule schedule;
	unsigned chunks, apart, offload;
};

/* How replicas share. */
struct share_choice {
	unsigned zero, shard, apart, offload;
};

/* More than there can be: shards are divisors of at most 2^17 devices, chunks of the number of blocks. */
enum { RECOMPUTE_CHOICES = 4, STAGE_CHOICES = 4096, SHARE_CHOICES = 4096 };

struct choices {
	unsigned used[PARADL_AXIS_COUNT], used_count; /* axes of the plan, in canonical order */
	unsigned orders;                              /* permutations of them that are tried */
	enum paradl_recompute recomputes[RECOMPUTE_CHOICES];
	unsigned recompute_count;
	struct stage_choice stages[STAGE_CHOICES];
	unsigned stage_count;
	struct share_choice shares[SHARE_CHOICES];
	unsigned share_count;
	double plans; /* the product of all of these */
};

/* What a search varies, and what all its plans have. */
struct variation {
	unsigned vary;            /* set of 1u << enum paradl_vary */
	struct paradl_plan fixed; /* options that are given */
	unsigned given;           /* set of 1u << enum plan_option */
	bool options;             /* training has options to choose */
	bool common;              /* only schedules that many programs have: no zero bubble */
	unsigned halvings;        /* of a batch that nobody asked for */
};

/* "order,micro", "none", "+offload"; NULL: the usual ones. */
bool vary_parse(const char *text, unsigned *vary, struct paradl_error *error);

/* For a plan whose degrees, batch, micro, sequence, experts and context are set. */
void choices_fill(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, struct choices *choices);
struct freedom choices_freedom(const struct choices *choices);
/* The index-th order, 0: the canonical one. */
void choices_order(const struct choices *choices, unsigned index, struct paradl_plan *plan);

#endif
