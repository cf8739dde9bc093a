/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about input that are asked again with something changed: options, machine, data set, number of devices. */
#ifndef JOB_INPUT_JOB_H
#define JOB_INPUT_JOB_H

#include "machine/machine.h"
#include "model/model.h"
#include "oracle/oracle.h"

/* Less of a step than this is no stall: rounding. */
static const double input_stall_share = 1e-9;

/* An estimate and all that its input depends on, to be changed at will. */
struct input_variant {
	struct paradl_oracle oracle; /* of its own model and machine */
	struct paradl_model model;
	struct paradl_machine machine;
	struct paradl_estimate estimate;
	struct paradl_input_options options;
};

void input_variant_make(struct input_variant *variant, const struct paradl_oracle *oracle,
	const struct paradl_estimate *estimate, const struct paradl_input_options *options);
/* A copy; pointers inside are the copy's own. */
void input_variant_copy(struct input_variant *copy, const struct input_variant *from);
struct paradl_input input_variant_ask(const struct input_variant *variant);
/* That way, with the other options. */
void input_variant_way(struct paradl_input_options *options, const struct paradl_input_way *way);
/* So many cores of each node prepare input, and all of them do. */
void input_variant_cores(struct input_variant *variant, double cores);
/* As many times the devices, each with its batch and its step. */
void input_variant_scale(struct input_variant *variant, double times);
double input_variant_nodes(const struct input_variant *variant);

/* Of all epochs; 0: the number of samples is not known. */
double input_finish_s(const struct paradl_input *input, double epochs);

/*
 * Least x of [low, high] for which `enough` holds, if it holds from there on; whole: of integers. Negative: not even high is.
 */
typedef bool input_enough(struct input_variant *variant, double x);
double input_least(
	input_enough *enough, const struct input_variant *base, double low, double high, bool whole);

/* Parts of a case, each a file. False: out of memory. */
bool input_fixes(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);
bool input_needs(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);
bool input_terms(
	struct paradl_arena *arena, const struct input_variant *base, struct paradl_input_case *answer);

#endif
