/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports how far kernels are from the time that the model gives them for the bytes they move: passes over tensors and
 * weight updates take their bytes over the rate of memory (paradl-formulas(7)). No number changes.
 */
#include "fit/fitter/fitter.h"

#include <string.h>

#include "base/error.h"

enum { KINDS_MAX = 32 };

static unsigned kinds_of(const struct cell_list *list, const char *key, const char **kinds)
{
	unsigned count = 0;
	for (size_t i = 0; i < list->count; ++i) {
		const char *kind = sample_text(list->items[i]->point, key);
		unsigned k = 0;
		while (kind && k < count && strcmp(kinds[k], kind) != 0)
			++k;
		if (kind && k == count && count < KINDS_MAX)
			kinds[count++] = kind;
	}
	return count;
}

/*
 * Fills measured over modelled time of the cells of one kind and returns their number. Takes only cells with all
 * devices at work where there are such, as rates of memory do.
 */
static size_t ratios_of(const struct device *device, const struct cell_list *list, const char *key,
	const char *kind, double *ratios)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; ++i) {
		const struct cell *cell = list->items[i];
		const double bytes = cell->point->bytes;
		if (!cell_says(cell, key, kind) || !(bytes > 0) ||
			cell_is_busy(cell, list) != (list->busiest > 1))
			continue;
		const double modelled_s = bytes * device_s_per_byte(device, bytes);
		ratios[count++] =
			cell->seconds / (modelled_s > device->launch_s ? modelled_s : device->launch_s);
	}
	return count;
}

/*
 * Adds a note on each kind of kernel of a bench: the median, over sizes, of measured over modelled time. `key` is the
 * parameter that tells kinds apart, `what` the word for kernels in the note. Returns false with an error.
 */
static bool moved_note(struct calibration *calibration, const char *bench, const char *key, const char *what,
	struct paradl_error *error)
{
	struct cell_list list;
	struct device device;
	const char *kinds[KINDS_MAX];
	if (!cells_of(calibration, bench, &list, error))
		return false;
	double *ratios = arena_alloc(calibration->arena, list.count + 1, sizeof *ratios);
	if (!ratios)
		return out_of_memory(error);
	device_so_far(calibration, &device);
	const bool known =
		calibration->before || fitted_number_find(calibration, PARADL_FITTED_DEVICE, "memory_rate");
	const unsigned count = known ? kinds_of(&list, key, kinds) : 0;
	for (unsigned i = 0; i < count; ++i) {
		const size_t points = ratios_of(&device, &list, key, kinds[i], ratios);
		if (!points)
			continue;
		struct paradl_verdict *verdict = verdict_add(calibration, error);
		if (!verdict)
			return false;
		*verdict = (struct paradl_verdict){.severity = PARADL_NOTE,
			.judge = bench,
			.text = arena_printf(calibration->arena,
				"%s %s takes %.3g times what its bytes at the rate of memory take (median of "
				"%zu "
				"points)",
				what, kinds[i], robust_median(ratios, points), points),
			.check = "passes of the framework's profile, if real steps differ by as much"};
		if (!verdict->text)
			return out_of_memory(error);
	}
	return true;
}

bool fit_elementwise(struct calibration *calibration, struct paradl_error *error)
{
	return moved_note(calibration, "elementwise", "kind", "a pass of", error);
}

bool fit_update(struct calibration *calibration, struct paradl_error *error)
{
	return moved_note(calibration, "update", "optimizer", "an update by", error);
}
