/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference consists of passes over prompts, and of passes for one token of each sequence. */
#ifndef ORACLE_INFERENCE_H
#define ORACLE_INFERENCE_H

#include "oracle/oracle.h"

/* Turns rules of training into those of inference: forward only, nothing hidden, nothing kept for a backward pass. */
void inference_rules(struct rules *rules);

/* Returns into how many passes over prompts a replica's samples go. */
double serving_prompt_passes(const struct evaluation *evaluation, double local);

/* Checks the options of inference, and sets the lengths of prompt and answer; false with an error. */
bool inference_check(struct paradl_oracle *oracle, struct paradl_error *error);
/* Sets the kind of passes, and how many samples each has; the first pass is over prompts. */
bool inference_begin(struct evaluation *evaluation, struct paradl_error *error);
bool inference_run(
	struct evaluation *evaluation, struct paradl_estimate *estimate, struct paradl_error *error);
/* Adds what batches of stored samples wait for input: a data set's, once through a network that generates nothing. */
void inference_feed(const struct evaluation *evaluation, struct paradl_estimate *estimate);

#endif
