/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about input that are asked again with something changed: options, machine, data set, number of devices. */
#ifndef STUDY_JOB_INPUT_JOB_H
#define STUDY_JOB_INPUT_JOB_H

#include "machine/machine.h"
#include "model/model.h"
#include "oracle/oracle.h"
#include "paradl/study.h"

/* Share of a step up to which waiting is no stall but rounding. */
static const double input_stall_share = 1e-9;

/* An estimate and all that its input depends on, to be changed at will. */
struct input_variant {
	struct paradl_oracle oracle; /* its model and machine are those below */
	struct paradl_model model;
	struct paradl_machine machine;
	struct paradl_estimate estimate;
	struct paradl_input_options options;
};

void input_variant_make(struct input_variant *variant, const struct paradl_oracle *oracle,
	const struct paradl_estimate *estimate, const struct paradl_input_options *options);
/* Copies a variant; pointers inside point into the copy. */
void input_variant_copy(struct input_variant *copy, const struct input_variant *from);
/* Returns the input of the variant. */
struct paradl_input input_variant_ask(const struct input_variant *variant);
/* Sets store, shuffle and exchange to those of a way; the other options stay. */
void input_variant_mode(struct paradl_input_options *options, const struct paradl_input_mode *way);
/* Gives each node `cores` cores that prepare input, and lets all of them work. */
void input_variant_cores(struct input_variant *variant, double cores);
/* Multiplies devices, replicas and batch by `times`; the batch of a device and the step stay. */
void input_variant_scale(struct input_variant *variant, double times);
/* Returns the number of nodes that the variant's devices fill. */
double input_variant_nodes(const struct input_variant *variant);

/* Returns the seconds of staging and all epochs; 0: the number of samples is not known. */
double input_finish_s(const struct paradl_input *input, double epochs);

/* Reports whether the amount x is enough. */
typedef bool input_enough(struct input_variant *variant, double x);
/*
 * Returns the least x of [low, high] for which `enough` holds, if it holds from there on; whole: among integers.
 * Negative: not even high is enough.
 */
double input_least(
	input_enough *enough, const struct input_variant *base, double low, double high, bool whole);

/* Fills in the fixes of a case (input_fixes.c). False: out of memory. */
bool input_fixes(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);
/* Fills in the needs of a case (input_needs.c). False: out of memory. */
bool input_needs(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);
/* Fills in the explanation of a case (input_terms.c). False: out of memory. */
bool input_terms(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);

#endif
