/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fits how fast fused attention runs, forward and backward, as shares of the rate of products. The model is
 * device_attention_s itself, as plans call it, so that what else the device's file says of attention stays. Where the
 * portable kernel (flash-attention 2) was measured beside the vendor's, its rate beside that of the vendor's is fitted to
 * it; where it alone was measured, it tells the shares by what the device's file has for that.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "fit/estimators.h"
#include "fit/fitter/fitter.h"
#include "machine/device.h"

enum { PATH_LENGTH = 80 };

static const char forward[] = "forward", backward[] = "backward";

/* Which kernels tell of a number. */
enum kernel { ANY, VENDOR, PORTABLE };

/* One number: its cells, and where it stands. */
struct pass {
	struct device device;
	struct paradl_arena *arena;
	double *share; /* in `device` */
	struct cell_list list;
	struct formats_seen formats;
	const unsigned *slots;
	double residual;
};

static bool cell_is_portable(const struct cell *cell)
{
	return cell_says(cell, "kernel", "portable");
}

static struct attention_call call_of(const struct pass *pass, size_t i)
{
	const struct cell *cell = pass->list.items[i];
	const struct device *device = &pass->device;
	const enum paradl_precision precision = pass->formats.precision[pass->slots[i]];
	const double sequences = cell_number(cell, "sequences", 1), keys = cell_number(cell, "seq", 1);
	const double heads = cell_number(cell, "heads", 1), pair = 2;
	const bool is_portable = cell_is_portable(cell) && device->attention.portable > 0;
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
		const bool is_backward = cell_says(pass->list.items[i], "kind", backward);
		seconds[i] = (is_backward ? device_attention_backward_s : device_attention_s)(
			&pass->device, &call);
	}
}

/*
 * Finds where the search begins: of shares that are apart by a factor, the one whose times are nearest. Where a share is
 * far too large, memory alone takes the time of the model, and no small change of it tells anything.
 */
static double start_of(struct pass *pass, const double *seconds, double *modelled)
{
	static const double largest = 2, step = 0.8;
	enum { TRIES = 40 };
	double best = 0.5, least = HUGE_VAL;
	for (int i = 0; i < TRIES; ++i) {
		const double share = largest * pow(step, i);
		double off = 0;
		model(pass, &share, modelled);
		for (size_t k = 0; k < pass->list.count; ++k)
			off += fabs(log(modelled[k] / seconds[k]));
		if (off < least) {
			least = off;
			best = share;
		}
	}
	return best;
}

static bool fit_once(
	void *context, const double *seconds, bool first, double *values, struct paradl_error *error)
{
	struct pass *pass = context;
	struct relative_fit problem = {
		.model = model, .context = pass, .seconds = seconds, .rows = pass->list.count, .count = 1};
	double *const modelled = arena_alloc(pass->arena, pass->list.count + 1, sizeof *modelled);
	if (!modelled)
		return out_of_memory(error);
	values[0] = start_of(pass, seconds, modelled);
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

/* Keeps the cells of a pass (NULL: of both) and of kernels in formats whose products have a rate. */
static bool cells_choose(const struct calibration *calibration, struct pass *pass, const char *kind,
	enum kernel kernel, struct paradl_error *error)
{
	size_t kept = 0;
	if (!cells_of(calibration, "attention", &pass->list, error))
		return false;
	for (size_t i = 0; i < pass->list.count; ++i) {
		const struct cell *const cell = pass->list.items[i];
		if ((!kind || cell_says(cell, "kind", kind)) &&
			(kernel == ANY || (kernel == PORTABLE) == cell_is_portable(cell)))
			pass->list.items[kept++] = cell;
	}
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

static bool pass_fit(struct calibration *calibration, struct pass *pass, const char *kind, enum kernel kernel,
	const char *path, struct paradl_error *error)
{
	struct launch_times times;
	struct fitted_value value;
	if (!cells_choose(calibration, pass, kind, kernel, error))
		return false;
	if (!pass->list.count)
		return true;
	if (!launch_times_make(calibration->arena, pass->list.items, pass->list.count, &times, error) ||
		!launch_times_fit(calibration->arena, &times, fit_once, pass, 1, &value, error))
		return false;
	const struct fit_source source = {&times, pass->residual};
	return number_put(calibration, PARADL_FITTED_DEVICE, path, "", &value, &source, error);
}

static bool share_fit(
	struct calibration *calibration, const char *kind, enum kernel kernel, struct paradl_error *error)
{
	char path[PATH_LENGTH];
	struct pass pass = {.arena = calibration->arena};
	device_so_far(calibration, &pass.device);
	pass.share = kind == forward ? &pass.device.attention.forward : &pass.device.attention.backward;
	snprintf(path, sizeof path, "attention/%s", kind);
	return pass_fit(calibration, &pass, kind, kernel, path, error);
}

/* Fits the rate of the portable kernel beside the vendor's, whose shares are known by now. */
static bool portable_fit(struct calibration *calibration, struct paradl_error *error)
{
	struct pass pass = {.arena = calibration->arena};
	device_so_far(calibration, &pass.device);
	take_found(calibration, "attention", forward, &pass.device.attention.forward);
	take_found(calibration, "attention", backward, &pass.device.attention.backward);
	pass.share = &pass.device.attention.portable;
	*pass.share = 1; /* any: without one there is no portable kernel */
	return pass_fit(calibration, &pass, NULL, PORTABLE, "attention/portable", error);
}

/* Notes that a device without attention takes none, as one pass of it was not measured. */
static bool note_half(struct calibration *calibration, const char *measured, struct paradl_error *error)
{
	struct paradl_verdict *const verdict = verdict_add(calibration, error);
	if (!verdict)
		return false;
	*verdict = (struct paradl_verdict){.severity = PARADL_NOTE,
		.judge = "attention",
		.text = arena_printf(calibration->arena,
			"only %s passes of attention were measured: a device that knows none takes both or "
			"neither",
			measured),
		.check = "why the other pass is absent: samples of its points say so"};
	return verdict->text || out_of_memory(error);
}

bool fit_attention(struct calibration *calibration, struct paradl_error *error)
{
	size_t all[2] = {0}, vendor[2] = {0}; /* forward, backward */
	struct cell_list list;
	if (!cells_of(calibration, "attention", &list, error))
		return false;
	for (size_t i = 0; i < list.count; ++i) {
		const bool is_backward = cell_says(list.items[i], "kind", backward);
		++all[is_backward];
		vendor[is_backward] += !cell_is_portable(list.items[i]);
	}
	const bool is_half = (all[0] > 0) != (all[1] > 0);
	if (is_half && !(calibration->before && calibration->before->device.attention.forward > 0))
		return note_half(calibration, all[0] ? forward : backward, error);
	return share_fit(calibration, forward, vendor[0] ? VENDOR : ANY, error) &&
	       share_fit(calibration, backward, vendor[1] ? VENDOR : ANY, error) &&
	       (!vendor[0] || !vendor[1] || portable_fit(calibration, error));
}
