/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search divides its space into tasks: plans of the same degrees and micro-batch. */
#ifndef SEARCH_TASKS_H
#define SEARCH_TASKS_H

#include "base/arena.h"
#include "oracle/bounds.h"
#include "paradl/oracle.h"

enum { FAMILIES = 1 << PARADL_AXIS_COUNT }; /* number of sets of axes */

/* Space of plans to visit. */
struct space {
	unsigned devices;
	const bool *families;           /* which sets of axes are wanted, FAMILIES entries */
	unsigned dimensions;            /* dimensions of the network that spatial pieces may cut */
	double most[PARADL_AXIS_COUNT]; /* largest degree of each axis; 0: no limit */
};

/*
 * Visits every plan of a space in the canonical order of axes: each ordered factorization of the devices over the
 * axes, and of the spatial degree over the dimensions. `visit` returns false to stop; then so does the enumeration.
 */
bool enumerate(const struct space *space, bool (*visit)(const struct paradl_plan *plan, void *context),
	void *context);

/* Reads which families are wanted: "data,data+spatial"; NULL: all of them. */
bool families_parse(const char *text, bool families[FAMILIES], struct paradl_error *error);

/*
 * Settings of engines are tried in powers of two: src/search/settings.c. These return the one after `before` (0: the
 * first), and 0 after the last.
 */
enum { CHUNK_LEAST = 512, CHUNK_MOST = 1 << 14, SEQS_MOST = 1 << 10 };
unsigned chunk_after(const struct paradl_oracle *oracle, unsigned before); /* without the program's own */
unsigned seqs_after(const struct paradl_oracle *oracle, unsigned before);

/* Returns the settings (set of 1u << enum paradl_vary) that questions with a promise or a rate leave open. */
unsigned settings_open(const struct paradl_oracle *oracle, const struct paradl_promise *promise);

/*
 * A search chooses, for given degrees, batch and micro-batch, among all combinations of an order of the axes, a
 * recomputation, a way to run the pipeline and a way to share among replicas.
 */

/* Way to run the pipeline. */
struct stage_choice {
	enum paradl_pipeline_schedule schedule;
	unsigned chunks, apart, offload;
};

/* Way in which replicas share weights, gradients and optimizer states. */
struct share_choice {
	unsigned zero, shard, apart, offload;
	unsigned memory; /* first way with the same memory: what runs beside compute takes none */
	unsigned
		groups; /* first way with the same groups: zero levels above 0 exchange among the same devices */
};

/* Upper limits of the lists: shards are divisors of at most 2^17 devices, chunks of the number of blocks. */
enum { RECOMPUTE_CHOICES = 5, STAGE_CHOICES = 4096, SHARE_CHOICES = 4096 };

struct choices {
	unsigned used[PARADL_AXIS_COUNT], used_count; /* axes of the plan; the first order */
	unsigned orders;                              /* permutations of these axes that are tried */
	enum paradl_recompute recomputes[RECOMPUTE_CHOICES];
	unsigned recompute_count;
	struct stage_choice stages[STAGE_CHOICES];
	unsigned stage_count;
	struct share_choice shares[SHARE_CHOICES];
	unsigned share_count;
	double plans; /* number of plans: the product of orders and all counts */
};

/* Options that a search varies, and those that all its plans have. */
struct variation {
	unsigned vary;            /* varied choices: set of 1u << enum paradl_vary */
	struct paradl_plan fixed; /* values of the options that are given */
	unsigned given;           /* given options: set of 1u << enum plan_option */
	bool options;             /* whether training has options to choose */
	bool common;       /* whether only schedules that many programs have are tried: no zero bubble */
	unsigned halvings; /* number of times that a batch nobody gave is halved */
};

/* Parses what a search varies: "order,micro", "none", "+offload" (the usual ones and that); NULL: the usual ones. */
bool vary_parse(const char *text, unsigned *vary, struct paradl_error *error);

/* Fills the choices for a plan whose degrees, batch, micro, sequence, experts and context are set. */
void choices_fill(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, struct choices *choices);
struct open_choices choices_open(const struct choices *choices);
/* Writes the index-th order of the axes into the plan; 0: canonical, but with experts pipeline outside of data. */
void choices_order(const struct choices *choices, unsigned index, struct paradl_plan *plan);

struct task {
	struct paradl_plan plan; /* what the plans of the task have in common; axes in canonical order */
	unsigned cell; /* number of its degrees and devices: tasks with the same ones follow one another */
	struct bounds bounds;
	double value_bound; /* lower bound on the value for the goal */
	double plans;
	bool runs;           /* whether a plan of the task can run */
	bool screened;       /* nothing is left for the screen to find */
	enum paradl_cut cut; /* why none counts, whatever else is found; PARADL_CUT_COUNT: one may */
	unsigned
		doubled; /* doublings of the batch, in inference, and 1 + the index of the task with half of it; 0: none */
	size_t half;
	bool breaks; /* it breaks the promise of each token, and so does a larger batch */
};

struct tasks {
	struct task *items;
	size_t count;
	unsigned cells;
};

/* Collects every task, in the order in which plans count when they are equal. */
bool tasks_list(struct paradl_oracle *oracle, const struct paradl_search_request *request,
	const struct variation *variation, const bool *families, struct paradl_arena *arena,
	struct tasks *tasks, struct paradl_error *error);

#endif
