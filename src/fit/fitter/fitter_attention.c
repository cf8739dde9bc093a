/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits how fast fused attention runs, forward and backward, as shares of the rate of products. The model is
 * device_attention_s itself, as plans call it, so that what else the device's file says of attention stays.
 */
#include <stdio.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/fitter/fitter.h"
#include "machine/device.h"

enum { PATH_LENGTH = 80 };

/* One pass: its cells, and the share that is sought. */
struct pass {
	struct device device;
	double *share; /* in `device` */
	double (*seconds)(const struct device *device, const struct attention_call *call);
	struct cell_list list;
	struct formats_seen formats;
	const unsigned *slots;
	double residual;
};

static struct attention_call call_of(const struct pass *pass, size_t i)
{
	const struct cell *cell = pass->list.items[i];
	const struct device *device = &pass->device;
	const enum paradl_precision precision = pass->formats.precision[pass->slots[i]];
	const double sequences = cell_number(cell, "sequences", 1), keys = cell_number(cell, "seq", 1);
	const double heads = cell_number(cell, "heads", 1), pair = 2;
	const bool is_portable = cell_says(cell, "kernel", "portable") && device->attention.portable > 0;
	return (struct attention_call){.sequences = sequences,
		.queries = sequences * keys,
		.keys = keys,
		.heads = heads,
		.kv_heads = cell_number(cell, "kv_heads", heads),
		.widths = pair * cell_number(cell, "head", 1),
		.item_bytes = precision_stored_bytes(precision),
		.rate_flop_per_s = device->peak_flop_per_s[precision] * device->product.sustained[precision] *
				   (is_portable ? device->attention.portable : 1),
		.causal = cell_number(cell, "causal", 0) > 0};
}

static void model(void *context, const double *values, double *seconds)
{
	struct pass *pass = context;
	*pass->share = values[0];
	for (size_t i = 0; i < pass->list.count; ++i) {
		const struct attention_call call = call_of(pass, i);
		seconds[i] = pass->seconds(&pass->device, &call);
	}
}

static bool fit_once(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	struct pass *pass = context;
	struct relative_fit problem = {
		.model = model, .context = pass, .seconds = seconds, .rows = pass->list.count, .count = 1};
	values[0] = 0.5; /* a share, between a poor kernel's and that of products */
	if (!relative_fit(&problem, values, error))
		return false;
	if (first)
		pass->residual = problem.residual;
	return true;
}

/* Puts a number that was fitted before in the place of the profile's. */
static void take_found(
	const struct calibration *calibration, const char *block, const char *format, double *number)
{
	char path[PATH_LENGTH];
	snprintf(path, sizeof path, "%s/%s", block, format);
	const struct paradl_fitted_number *found =
		fitted_number_find(calibration, PARADL_FITTED_DEVICE, path);
	if (found)
		*number = found->value;
}

/* Keeps the cells of a pass in formats whose products have a rate. */
static bool cells_choose(const struct calibration *calibration, struct pass *pass, const char *kind,
	struct paradl_error *error)
{
	size_t kept = 0;
	if (!cells_of(calibration, "attention", &pass->list, error))
		return false;
	for (size_t i = 0; i < pass->list.count; ++i)
		if (cell_says(pass->list.items[i], "kind", kind))
			pass->list.items[kept++] = pass->list.items[i];
	pass->list.count = kept;
	unsigned *const slots = formats_of(calibration, &pass->list, &pass->formats);
	if (!slots)
		return out_of_memory(error);
	for (unsigned i = 0; i < pass->formats.count; ++i) {
		const enum paradl_precision precision = pass->formats.precision[i];
		struct device *const device = &pass->device;
		take_found(calibration, "peak", pass->formats.name[i], &device->peak_flop_per_s[precision]);
		take_found(calibration, "product/sustained", pass->formats.name[i],
			&device->product.sustained[precision]);
	}
	kept = 0;
	for (size_t i = 0; i < pass->list.count; ++i) {
		const enum paradl_precision precision = pass->formats.precision[slots[i]];
		if (!(pass->device.peak_flop_per_s[precision] * pass->device.product.sustained[precision] >
			    0))
			continue;
		slots[kept] = slots[i];
		pass->list.items[kept++] = pass->list.items[i];
	}
	pass->list.count = kept;
	pass->slots = slots;
	return true;
}

static bool pass_fit(struct calibration *calibration, struct pass *pass, const char *kind, const char *path,
	struct paradl_error *error)
{
	struct launch_times times;
	struct fitted_value value;
	if (!cells_choose(calibration, pass, kind, error))
		return false;
	if (!pass->list.count)
		return true;
	if (!launch_times_make(calibration->arena, pass->list.items, pass->list.count, &times, error) ||
		!launch_times_fit(calibration->arena, &times, fit_once, pass, 1, &value, error))
		return false;
	const struct fit_source source = {&times, pass->residual};
	return number_put(calibration, PARADL_FITTED_DEVICE, path, "", &value, &source, error);
}

bool fit_attention(struct calibration *calibration, struct paradl_error *error)
{
	struct pass forward = {.seconds = device_attention_s},
		    backward = {.seconds = device_attention_backward_s};
	device_so_far(calibration, &forward.device);
	device_so_far(calibration, &backward.device);
	forward.share = &forward.device.attention.forward;
	backward.share = &backward.device.attention.backward;
	return pass_fit(calibration, &forward, "forward", "attention/forward", error) &&
	       pass_fit(calibration, &backward, "backward", "attention/backward", error);
}
