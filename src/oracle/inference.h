/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference consists of passes over prompts, and of passes for one token of each sequence. */
#ifndef ORACLE_INFERENCE_H
#define ORACLE_INFERENCE_H

#include "oracle/evaluation.h"
#include "oracle/replay.h"
#include "oracle/serving.h"
#include "oracle/stage.h"
#include "oracle/training.h"

/* Turns rules of training into those of inference: forward only, nothing hidden, nothing kept for a backward pass. */
void inference_rules(struct rules *rules);

/* Returns the most tokens of prompts in one step: the plan's, or the program's. */
double serving_chunk(const struct evaluation *evaluation);

/* Returns whether the estimate at hand leaves this part out. */
bool serving_omits(const struct evaluation *evaluation, enum omitted part);

/* Returns into how many passes over prompts a replica's samples go. */
double serving_prompt_passes(const struct evaluation *evaluation, double local);

/* Takes what requests have in common from a trace, which says what each of them is; false with an error. */
bool trace_take(struct paradl_oracle *oracle, struct paradl_error *error);
/* Returns the tokens of the longest request, prompt and answer. */
double inference_longest(const struct paradl_oracle *oracle);
/* Checks the options of inference, and sets the lengths of prompt and answer; false with an error. */
bool inference_check(struct paradl_oracle *oracle, struct paradl_error *error);
/* Sets the kind of passes, and how many samples each has; the first pass is over prompts. */
bool inference_begin(struct evaluation *evaluation, struct paradl_error *error);
bool inference_run(
	struct evaluation *evaluation, struct paradl_estimate *estimate, struct paradl_error *error);
/* Adds what batches of stored samples wait for input: a data set's, once through a network that generates nothing. */
void inference_feed(const struct evaluation *evaluation, struct paradl_estimate *estimate);

/* Some devices read prompts for others that answer ("disaggregated" serving). */

struct prefill {
	struct paradl_plan plan;
	unsigned devices;
	double replicas;    /* replicas, each of which reads prompts of its own */
	double chunk;       /* tokens that one replica reads in a step, at most */
	double room;        /* prompts that one replica reads at once */
	double reads_s[2];  /* seconds for each prompt: of one, and of as many as there is room for */
	double lone_s;      /* seconds of one, while those with whom experts are shared read none */
	double cache_bytes; /* bytes of a prompt, on the device that has most */
	double part_s[REPLAY_PARTS];         /* of a trace: seconds of reading parts of a chunk */
	double weights_bytes, working_bytes; /* bytes of weights, and of all but these and caches */
};

/*
 * Fills the seconds of a step in which an engine reads so many prompts, or a part of one, and nothing else, on the
 * devices of the plan that was estimated last; false with an error.
 */
bool serving_reading_s(struct paradl_oracle *oracle, double prompts, bool alike, double *seconds,
	struct paradl_error *error);

/* Fills what readers with a plan take, by the oracle's `reader`; false with an error when they cannot read prompts. */
bool prefill_price(const struct paradl_oracle *oracle, const char *text, struct prefill *prefill,
	struct paradl_error *error);
/* Evaluates the plan of options.prefill, if there is one; false with an error when it cannot read prompts. */
bool prefill_make(struct paradl_oracle *oracle, struct paradl_error *error);
/* Returns whether the machine has enough devices for these and those of a plan; sets an error if not. */
bool prefill_has_devices(const struct paradl_oracle *oracle, double devices, struct paradl_error *error);
/* Lets these devices read prompts for an engine, of which a plan has `engines` on `devices` devices. */
void prefill_enter(const struct paradl_oracle *oracle, double engines, double devices, struct engine *engine);

/* Passes of inference go through the stages of a plan, and the steps of an engine are made of such passes. */

/* Passes of one kind: their stages on the common schedule, forward only, and what bounds their kernels. */
struct passes {
	struct step step;
	double bound_s[BOUNDS], cast_s,
		flop; /* seconds and flop of one pass of the whole network, on one device of each stage */
	double times; /* passes of this kind that a request has */
};

/* Kinds of passes of a batch: over prompts, once, and for each token but the first. */
enum { PROMPTS, TOKENS, KINDS };
struct request {
	struct passes passes[KINDS];
	struct engine_answer answer; /* answer to requests of text */
	double readers, transfer_s;  /* others that read prompts, for each replica */
	double fit;                  /* requests that a replica has memory for, however many it lets in */
	double total_s, idle_s;      /* idle_s: part of total_s in which no pass runs for anybody */
};

/* Returns the replicas that requests are spread over. */
double serving_replicas(const struct paradl_plan *plan);
/* Returns how many of these share experts, and so take their steps together, as one engine. */
double serving_joined(const struct paradl_plan *plan);
/* Returns into how many passes a replica's samples go, of at most `most` each; as many as keep the stages busy. */
double serving_passes(const struct paradl_plan *plan, double local, double most);
/* Fills the costs of the evaluation's layers, for the pass that its fields describe. */
void serving_costs_fill(const struct evaluation *evaluation);
/* Runs `count` passes with these costs; cut: chooses the stages, too. Returns false with an error. */
bool serving_passes_run(struct evaluation *evaluation, double count, bool cut, struct passes *passes,
	struct paradl_error *error);
/*
 * Serves `local` clients of a replica, of which `seats` have memory at a time. Call it after a pass that cut the
 * stages; the costs of that pass give way to others.
 */
bool serving_answers_run(struct evaluation *evaluation, double local, double seats, struct request *request,
	struct paradl_error *error);

/* Returns the items of keys and values of one token that a device keeps, with `tensor` pieces along tensor. */
double serving_cache_items(const struct attention *attention, double tensor);
/* Returns the part of these items that attention reads: without an index. */
double serving_key_items(const struct attention *attention, double tensor);
/* Returns the tokens of a sequence whose keys and values are kept. */
double serving_cache_tokens(const struct attention *attention, double tokens);
/* Returns the bytes of a layer's weights on a device, as they are stored. */
double serving_layer_bytes(
	const struct evaluation *evaluation, unsigned index, const struct layer_cost *cost);
/* Adds what a stage's device holds of one layer: stored weights, a micro-batch's cache, what lives during its pass. */
void serving_layer_add(const struct evaluation *evaluation, unsigned index, double *term, double *kept);
/* Returns the items of a micro-batch that entered a unit of an image network and wait for its branches to join. */
double serving_branched_items(const struct evaluation *evaluation, unsigned unit);
/*
 * Returns the samples that a replica can have until the first pipeline_rank is full, with costs of a pass over
 * prompts.
 */
double serving_largest(const struct evaluation *evaluation, unsigned pipeline_rank_count);
/* Fills the memory of the fullest of them, with `local` samples. */
void serving_memory(const struct evaluation *evaluation, unsigned pipeline_rank_count, double local,
	struct paradl_estimate *estimate);
/* Returns the bytes of one key's or value's item. */
double serving_item_bytes(const struct paradl_oracle *oracle);
/* Returns the format of attention to caches, which may be narrower than queries; training has none. */
enum attention_format serving_cache_format(const struct evaluation *evaluation);
/* Returns the bytes of keys and values in the whole network, by token of a sequence: windows keep no more than themselves. */
double serving_cache_bytes(const struct evaluation *evaluation);

#endif
