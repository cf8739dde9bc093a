/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The band is the interval that holds nine of ten measured times. Its half width is the square root of a sum of
 * squares, as of errors that do not depend on each other:
 *
 *     program     twice the mean error of its rows in sets that were left out of the fit (known_error), and not less
 *                 than 6 %; 25 % where nothing is known; for networks with experts, where that is known apart. Nine of
 *                 ten errors of a normal distribution are within 2.06 times their mean
 *     step        15 % of the communication that is not hidden, 20 % of the bubble, and 15 % where the host takes half
 *                 as long as the device or more, in proportion where it takes less
 *     unchecked   for each way in which the plan lies outside of the runs that the profile was compared with, `shares`
 *
 * The shares are of the errors of 1,784 rows of 32 sets, each projected with constants that were fitted without its
 * set, or never fitted to it; `paradl fit --leave-each-out` prints how many of them are inside. That of volumes is what
 * the second network of them is off by: a step of U-Net on A100 takes 0.42 of what is said (0.636 s in the configuration
 * of MLPerf Storage, tests/data/dlio/unet3d_a100.yaml). The first, CosmoFlow, was fitted.
 */
#include "oracle/evaluation.h"

#include <math.h>

#include "machine/format.h"

static const double shares[PARADL_UNCHECKED_COUNT] = {[PARADL_UNCHECKED_DEVICE] = 0.15,
	[PARADL_UNCHECKED_KERNELS] = 0.15,
	[PARADL_UNCHECKED_DEVICES] = 0.05,
	[PARADL_UNCHECKED_SEQUENCE] = 0.05,
	[PARADL_UNCHECKED_PRECISION] = 0.07,
	[PARADL_UNCHECKED_OPTIONS] = 0.05,
	[PARADL_UNCHECKED_DISPATCHER] = 0.05,
	[PARADL_UNCHECKED_RECURRENT] = 0.15,
	[PARADL_UNCHECKED_VOLUMES] = 0.6,
	[PARADL_UNCHECKED_EXPERTS] = 0.3,
	[PARADL_UNCHECKED_SERVING] = 0.15};
static const double least_share = 0.06, unknown_share = 0.25;
static const double of_mean = 2; /* multiple of the mean error that nine of ten errors stay within */
static const double host_share = 0.15, exposed_share = 0.15, bubble_share = 0.2;
static const double host_bound =
	0.5; /* share of the device's time from which on the host is said to be the limit */

const char *paradl_unchecked_text(enum paradl_unchecked unchecked)
{
	static const char *const texts[PARADL_UNCHECKED_COUNT] = {
		[PARADL_UNCHECKED_FRAMEWORK] = "this program was never compared with measured runs",
		[PARADL_UNCHECKED_DEVICE] = "no measured run of this program on this device",
		[PARADL_UNCHECKED_KERNELS] = "the kernels of this device were not measured",
		[PARADL_UNCHECKED_DEVICES] = "more devices than in any measured run of this program",
		[PARADL_UNCHECKED_SEQUENCE] = "longer sequences than in any measured run of this program",
		[PARADL_UNCHECKED_PRECISION] = "no measured run of this program in this number format",
		[PARADL_UNCHECKED_OPTIONS] = "options of the framework that no measured run had",
		[PARADL_UNCHECKED_EXPERTS] =
			"what exchanging tokens among experts takes differs from program to program",
		[PARADL_UNCHECKED_HOST] =
			"the host is the limit, and what it takes differs from program to program",
		[PARADL_UNCHECKED_DISPATCHER] =
			"DeepEP was not measured on this device, and is as fast as its links here",
		[PARADL_UNCHECKED_RECURRENT] =
			"kernels of recurrent layers were never compared with measured ones",
		[PARADL_UNCHECKED_VOLUMES] =
			"convolutions in three dimensions were compared with measured ones of one network",
		[PARADL_UNCHECKED_SERVING] =
			"serving was never compared with measured runs (by vllm, trtllm and sglang it was)",
	};
	return texts[unchecked];
}

double paradl_tie_share(const struct paradl_estimate *estimate)
{
	return estimate->error_share > 0 ? estimate->error_share / 2 : 0;
}

const char *band_compute_origin(const struct paradl_oracle *oracle)
{
	const struct json *const from = oracle->machine->device.from;
	const char *const product = oracle->model->tokens ? origin_of(from, "product/sustained") : NULL;
	if (product)
		return product;
	return origin_of(
		from, oracle->precision == PARADL_FP32 ? "contraction/efficiency" : "contraction/sustained");
}

static bool has_experts(const struct paradl_model *model)
{
	for (unsigned i = 0; i < model->layer_count; ++i)
		if (model->layers[i].work && model->layers[i].work->experts > 1)
			return true;
	return false;
}

static bool has_recurrences(const struct paradl_model *model)
{
	for (unsigned i = 0; i < model->layer_count; ++i)
		if (model->layers[i].class_ == LAYER_RECURRENT)
			return true;
	return false;
}

static bool convolves_volumes(const struct paradl_model *model)
{
	for (unsigned i = 0; i < model->layer_count; ++i)
		if (model->layers[i].class_ == LAYER_CONVOLUTION && model->layers[i].x.dimensions == 3)
			return true;
	return false;
}

/* Takes the program's error for such work; false: the network has experts, whose error is not known apart. */
static bool errors_known(struct paradl_oracle *oracle)
{
	const struct paradl_framework *framework = oracle->framework;
	oracle->has_experts = has_experts(oracle->model);
	const bool compared = oracle->options.inference == framework->serves;
	const bool apart = oracle->has_experts && compared && framework->known_error_experts > 0;
	if (compared)
		oracle->known_error = apart ? framework->known_error_experts : framework->known_error;
	return apart || !oracle->has_experts;
}

void band_prepare(struct paradl_oracle *oracle)
{
	const struct framework_checked *checked = &oracle->framework->checked;
	const enum origin_kind kernels = origin_kind(band_compute_origin(oracle));
	const bool serving = oracle->options.inference && !oracle->framework->serves;
	const bool unlike =
		serving || !checked->said ||
		(checked->device_count && !framework_checked_names(checked, oracle->machine->device.name));
	unsigned set = errors_known(oracle) ? 0 : 1u << PARADL_UNCHECKED_EXPERTS;
	if (unlike && kernels != ORIGIN_MEASURED && kernels != ORIGIN_PAPER)
		set |= 1u << PARADL_UNCHECKED_KERNELS;
	if (has_recurrences(oracle->model))
		set |= 1u << PARADL_UNCHECKED_RECURRENT;
	if (oracle->precision != PARADL_FP32 && convolves_volumes(oracle->model))
		set |= 1u << PARADL_UNCHECKED_VOLUMES;
	if (serving)
		set |= 1u << PARADL_UNCHECKED_SERVING;
	else if (!checked->said)
		set |= 1u << PARADL_UNCHECKED_FRAMEWORK;
	else if (unlike)
		set |= 1u << PARADL_UNCHECKED_DEVICE;
	if (!serving && checked->tokens > 0 && oracle->model->sequence > checked->tokens)
		set |= 1u << PARADL_UNCHECKED_SEQUENCE;
	if (!serving && checked->precisions && !(checked->precisions & 1u << oracle->precision))
		set |= 1u << PARADL_UNCHECKED_PRECISION;
	if (!serving && oracle->framework->choice.unchecked)
		set |= 1u << PARADL_UNCHECKED_OPTIONS;
	oracle->unchecked = set;
}

static double program_share(const struct paradl_oracle *oracle)
{
	const double known = of_mean * oracle->known_error;
	if (!(known > 0))
		return unknown_share;
	return known > least_share ? known : least_share;
}

/* Returns whether tokens go to experts by kernels whose rate the device file does not say. */
static bool dispatcher_is_guessed(const struct paradl_oracle *oracle, const struct paradl_plan *plan)
{
	const bool travels = plan->degree[PARADL_EXPERT] * plan->degree[PARADL_TENSOR] > 1;
	const enum paradl_dispatcher dispatcher =
		plan->dispatcher == PARADL_DISPATCHER_DEFAULT ? oracle->rules.dispatcher : plan->dispatcher;
	return travels && dispatcher == PARADL_DISPATCHER_DEEPEP && oracle->has_experts &&
	       !(oracle->device.link.dispatch_bytes_per_s > 0);
}

static double square(double x)
{
	return x * x;
}

/* Returns the error share of the first token's time, which only programs that serve were compared for; else -1. */
static double first_share(const struct paradl_oracle *oracle, unsigned set)
{
	const double known = of_mean * oracle->framework->known_error_first;
	double squares = square(known);
	if (!oracle->options.inference || !(known > 0) || !(oracle->output_tokens > 1))
		return -1;
	for (unsigned i = 0; i < PARADL_UNCHECKED_COUNT; ++i)
		if (set & 1u << i)
			squares += square(shares[i]);
	return sqrt(squares);
}

void band_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate)
{
	const struct framework_checked *checked = &oracle->framework->checked;
	const double step_s = estimate->iteration_s;
	unsigned set = oracle->unchecked;
	if (oracle->rules.ideal || !(step_s > 0)) {
		estimate->error_share = estimate->inference.first_error_share = -1;
		estimate->unchecked = 0;
		return;
	}
	if (estimate->host_share > host_bound)
		set |= 1u << PARADL_UNCHECKED_HOST;
	if (oracle->options.inference == oracle->framework->serves && checked->gpus > 0 &&
		estimate->devices > checked->gpus)
		set |= 1u << PARADL_UNCHECKED_DEVICES;
	if (dispatcher_is_guessed(oracle, &estimate->plan))
		set |= 1u << PARADL_UNCHECKED_DISPATCHER;
	double squares = square(program_share(oracle)) +
			 square(host_share * fmin(1, estimate->host_share / host_bound)) +
			 square(exposed_share * estimate->exposed_communication_s / step_s) +
			 square(bubble_share * estimate->phase_s[PARADL_BUBBLE] / step_s);
	for (unsigned i = 0; i < PARADL_UNCHECKED_COUNT; ++i)
		if (set & 1u << i)
			squares += square(shares[i]);
	estimate->unchecked = set;
	estimate->error_share = sqrt(squares);
	estimate->inference.first_error_share = first_share(oracle, set);
}

double band_of_program(const struct paradl_estimate *estimate, double error_share)
{
	double squares = error_share > 0 ? square(error_share) : 0;
	if (estimate->unchecked & 1u << PARADL_UNCHECKED_KERNELS)
		squares -= square(shares[PARADL_UNCHECKED_KERNELS]);
	return squares > 0 ? sqrt(squares) : 0;
}
