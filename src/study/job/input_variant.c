/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/job/job.h"

#include <math.h>

void input_variant_copy(struct input_variant *copy, const struct input_variant *from)
{
	*copy = *from;
	copy->oracle.model = &copy->model;
	copy->oracle.machine = &copy->machine;
}

void input_variant_make(struct input_variant *variant, const struct paradl_oracle *oracle,
	const struct paradl_estimate *estimate, const struct paradl_input_options *options)
{
	variant->oracle = *oracle;
	variant->model = *oracle->model;
	variant->machine = *oracle->machine;
	variant->oracle.model = &variant->model;
	variant->oracle.machine = &variant->machine;
	variant->estimate = *estimate;
	variant->options = *options;
}

struct paradl_input input_variant_ask(const struct input_variant *variant)
{
	struct paradl_input input;
	paradl_input(&variant->oracle, &variant->estimate, &variant->options, &input);
	return input;
}

void input_variant_mode(struct paradl_input_options *options, const struct paradl_input_mode *way)
{
	const bool global = way->shuffle == PARADL_SHUFFLE_GLOBAL;
	options->store = way->store != PARADL_STORE_AUTO ? way->store
			 : global                        ? PARADL_STORE_SHARED
							 : PARADL_STORE_SHARD;
	options->shuffle = way->shuffle;
	options->exchanged = way->exchanged;
	options->hops = way->hops;
}

void input_variant_cores(struct input_variant *variant, double cores)
{
	variant->machine.host.input_cores = cores;
	variant->machine.host.cores = fmax(variant->machine.host.cores, cores);
	variant->options.workers = 0;
}

double input_variant_nodes(const struct input_variant *variant)
{
	const double per_node = fmax(1, variant->machine.devices_per_host);
	return ceil(variant->estimate.devices / per_node);
}

void input_variant_scale(struct input_variant *variant, double times)
{
	variant->estimate.devices = (unsigned)(variant->estimate.devices * times);
	variant->estimate.plan.degree[PARADL_DATA] =
		(unsigned)(variant->estimate.plan.degree[PARADL_DATA] * times);
	variant->estimate.plan.batch *= times;
}

double input_finish_s(const struct paradl_input *input, double epochs)
{
	if (!(input->epoch_s > 0))
		return 0;
	return input->staging_s + input->first_epoch_s + (epochs - 1) * input->epoch_s +
	       epochs * input->validation_s;
}

double input_least(
	input_enough *enough, const struct input_variant *base, double low, double high, bool whole)
{
	enum { STEPS = 60 };
	struct input_variant variant;
	input_variant_copy(&variant, base);
	if (!enough(&variant, high))
		return -1;
	for (unsigned i = 0; i < STEPS && (whole ? high - low >= 1 : high - low > 1e-6 * high); ++i) {
		const double middle = whole ? floor((low + high) / 2) : (low + high) / 2;
		input_variant_copy(&variant, base);
		if (enough(&variant, middle))
			high = middle;
		else
			low = whole ? middle + 1 : middle;
	}
	return high;
}
