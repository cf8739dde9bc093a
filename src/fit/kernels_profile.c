/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scores device files against times of kernels: as they are, fitted to all rows, and fitted without the rows that are
 * then predicted. Every device is fitted alone, unless devices are left out: then all others share one set of
 * constants, as shares of their datasheets.
 */
#include "fit/kernels_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>

#include "base/error.h"
#include "base/file.h"
#include "fit/profile_edit.h"
#include "machine/format.h"
#include "machine/machine.h"

/* The rows of one device, or of all. */
struct scope {
	struct paradl_arena *arena;
	struct kernel_rows rows;
	struct device *files, *fitted; /* devices as in their files; with constants fitted to all rows */
	bool *used;                    /* for each row, whether the next fit uses it */
	struct paradl_error *error;
};

/* Returns the header of a table, its first line that is not a comment; NULL when there is none. */
static const char *header_of(const char *text)
{
	while (text && *text == '#') {
		const char *const end = strchr(text, '\n');
		text = end ? end + 1 : NULL;
	}
	return text;
}

bool kernels_head_read(struct paradl_arena *arena, const char *path, struct file_head *head)
{
	enum { HEAD = 4096, LIMIT = 1 << 30 };
	struct paradl_error ignored = {0};
	return file_head_read(arena, path, HEAD, LIMIT, head, &ignored) &&
	       (!head->is_whole || paradl_file_give(arena, path, head->text, head->length));
}

bool paradl_kernels_known(struct paradl_arena *arena, const char *path)
{
	struct file_head head;
	if (!kernels_head_read(arena, path, &head))
		return false;
	const char *const header = header_of(head.text), *const end = header ? strchr(header, '\n') : NULL;
	const char *const column = header ? strstr(header, "latency_ms") : NULL,
			  *const comma = header ? strchr(header, ',') : NULL;
	return column && comma && end && column < end && comma < end;
}

static bool device_read(
	struct scope *scope, const struct paradl_kernels_request *request, size_t index, const char **path)
{
	const char *const name = scope->rows.devices[index];
	*path = request->device_path
			? request->device_path
			: beside_or_shipped(scope->arena, "x", "devices", name, request->directories);
	if (!*path)
		return out_of_memory(scope->error);
	if (!request->device_path && !plain_name_expect(NULL, name, "devices", scope->error))
		return false;
	if (device_load(scope->arena, *path, request->directories, &scope->files[index], scope->error))
		return true;
	error_hint(scope->error, "rows name their device after a file of hw-profiles/devices/");
	return false;
}

static bool scope_make(struct scope *scope)
{
	const size_t rows = scope->rows.count, devices = scope->rows.device_count;
	scope->used = arena_alloc(scope->arena, rows + 1, sizeof *scope->used);
	scope->fitted = arena_alloc(scope->arena, devices + 1, sizeof *scope->fitted);
	if (!scope->used || !scope->fitted)
		return out_of_memory(scope->error);
	for (size_t i = 0; i < rows; ++i)
		scope->used[i] = true;
	for (size_t i = 0; i < devices; ++i)
		scope->fitted[i] = scope->files[i];
	return true;
}

/* Makes a scope with the rows of one device alone. Returns false with an error. */
static bool scope_of_device(const struct scope *all, size_t device, struct scope *one)
{
	*one = *all;
	one->rows.items = arena_alloc(all->arena, all->rows.count + 1, sizeof *one->rows.items);
	if (!one->rows.items)
		return out_of_memory(all->error);
	one->rows.count = 0;
	one->rows.devices = all->rows.devices + device;
	one->rows.device_count = 1;
	one->files = all->files + device;
	for (size_t i = 0; i < all->rows.count; ++i)
		if (all->rows.items[i].device == device) {
			one->rows.items[one->rows.count] = all->rows.items[i];
			one->rows.items[one->rows.count++].device = 0;
		}
	return scope_make(one);
}

/* Fits the constants to the rows in use, and predicts the times of all others. Returns false with an error. */
static bool left_out_once(struct scope *scope, struct kernel_fit *fit, double *predicted)
{
	struct device *devices = arena_alloc(scope->arena, scope->rows.device_count, sizeof *devices);
	if (!devices)
		return out_of_memory(scope->error);
	for (size_t i = 0; i < scope->rows.device_count; ++i)
		devices[i] = scope->files[i];
	if (!kernels_fit(scope->arena, &scope->rows, scope->used, devices, fit, scope->error))
		return false;
	for (size_t i = 0; i < scope->rows.count; ++i)
		if (!scope->used[i])
			predicted[i] =
				kernel_row_s(&devices[scope->rows.items[i].device], &scope->rows.items[i]);
	return true;
}

/* Returns the value of a constant in a fit; NULL when the fit does not have the constant. */
static const double *value_in(const struct kernel_fit *fit, const struct kernel_constant *constant)
{
	for (size_t i = 0; i < fit->count; ++i)
		if (fit->constants[i] == constant)
			return &fit->values[i];
	return NULL;
}

/* Computes the 95 % intervals of the constants, by the jackknife over the folds that have them. */
static void intervals_fill(const struct kernel_fit *folds, struct kernel_fit *fit)
{
	const double quantile = 2.776; /* quantile of the t distribution with 4 degrees of freedom */
	for (size_t i = 0; i < fit->count; ++i) {
		double sum = 0, squares = 0;
		unsigned count = 0;
		for (unsigned f = 0; f < KERNEL_FOLDS; ++f) {
			const double *value = value_in(&folds[f], fit->constants[i]);
			if (!value)
				continue;
			const double off = *value - fit->values[i];
			sum += off;
			squares += off * off;
			++count;
		}
		const double variance = count ? squares / count - pow(sum / count, 2) : 0;
		fit->half_width[i] = count > 1 ? quantile * sqrt(fmax(0, variance) * (count - 1)) : 0;
	}
}

static bool folds_leave_out(struct scope *scope, struct kernel_fit *fit, double *predicted)
{
	struct kernel_fit folds[KERNEL_FOLDS];
	for (unsigned f = 0; f < KERNEL_FOLDS; ++f) {
		folds[f] = *fit;
		for (size_t i = 0; i < scope->rows.count; ++i)
			scope->used[i] = scope->rows.items[i].fold != f;
		if (!left_out_once(scope, &folds[f], predicted))
			return false;
	}
	intervals_fill(folds, fit);
	return true;
}

/* Marks `wanted` of the `count` rows of a group as used, drawn at random. */
static void rows_draw(gsl_rng *random, size_t *group, size_t count, size_t wanted, bool *used)
{
	for (size_t n = 0; n < wanted && n < count; ++n) {
		const size_t other = n + gsl_rng_uniform_int(random, count - n), chosen = group[other];
		group[other] = group[n];
		used[chosen] = true;
	}
}

/* Marks `shapes` random rows of each kind and number format as used, and no others. Returns false with an error. */
static bool shapes_draw(struct scope *scope, size_t shapes, unsigned long seed)
{
	const struct kernel_rows *rows = &scope->rows;
	size_t *group = arena_alloc(scope->arena, rows->count + 1, sizeof *group);
	gsl_rng *random = group ? gsl_rng_alloc(gsl_rng_mt19937) : NULL;
	if (!random)
		return out_of_memory(scope->error);
	gsl_rng_set(random, seed);
	for (size_t i = 0; i < rows->count; ++i)
		scope->used[i] = false;
	for (int kind = 0; kind < KERNEL_KINDS; ++kind)
		for (int precision = 0; precision < PARADL_PRECISION_COUNT; ++precision) {
			size_t count = 0;
			for (size_t i = 0; i < rows->count; ++i)
				if ((int)rows->items[i].kind == kind &&
					(int)rows->items[i].precision == precision)
					group[count++] = i;
			rows_draw(random, group, count, shapes, scope->used);
		}
	gsl_rng_free(random);
	return true;
}

/* Fits to a few rows and predicts the others, with other rows for each draw. Returns false with an error. */
static bool draws_leave_out(
	struct scope *scope, const struct paradl_kernels_request *request, double *predicted)
{
	for (size_t draw = 0; draw < request->draws; ++draw) {
		struct kernel_fit few = {.count = 0};
		if (!shapes_draw(scope, request->shapes, request->seed + draw) ||
			!left_out_once(scope, &few, predicted + draw * scope->rows.count))
			return false;
	}
	return true;
}

static bool predictions_make(const struct scope *scope, size_t draws, struct kernel_predictions *predictions)
{
	predictions->draws = draws;
	predictions->seconds = arena_alloc(scope->arena, draws * scope->rows.count + 1, sizeof(double));
	return predictions->seconds || out_of_memory(scope->error);
}

/* Fits one device, predicts the rows that were left out, and adds the scores. Returns false with an error. */
static bool device_fit(
	struct scope *scope, const struct paradl_kernels_request *request, struct kernel_scores *scores)
{
	const bool draws = request->left_out == PARADL_LEAVE_SHAPES;
	struct kernel_fit fit = {.count = 0};
	struct kernel_predictions predictions;
	if (!predictions_make(scope, draws ? request->draws : 1, &predictions) ||
		!kernels_fit(scope->arena, &scope->rows, scope->used, scope->fitted, &fit, scope->error))
		return false;
	if (draws ? !draws_leave_out(scope, request, predictions.seconds)
		  : !folds_leave_out(scope, &fit, predictions.seconds))
		return false;
	return kernel_scores_add(scores, &scope->rows, scope->files, scope->fitted, &predictions) &&
	       kernel_numbers_add(scores, &scope->rows, &fit, scope->fitted, scope->files);
}

static bool all_fit(
	struct scope *scope, const struct paradl_kernels_request *request, struct kernel_scores *scores)
{
	const bool leaves = request->fit && request->left_out == PARADL_LEAVE_DEVICES;
	struct kernel_predictions predictions;
	if (!request->fit || leaves)
		return predictions_make(scope, leaves ? 1 : 0, &predictions) &&
		       (!leaves || kernels_leave_devices_out(scope->arena, &scope->rows, scope->files,
					   predictions.seconds, scope->error)) &&
		       kernel_scores_add(scores, &scope->rows, scope->files, NULL, &predictions);
	for (size_t d = 0; d < scope->rows.device_count; ++d) {
		struct scope one;
		if (!scope_of_device(scope, d, &one) || !device_fit(&one, request, scores))
			return false;
	}
	return true;
}

static bool rows_check(const struct scope *scope, const struct paradl_kernels_request *request)
{
	if (!scope->rows.count && request->device)
		return error_set(scope->error, PARADL_USAGE, "no row is of device %s", request->device);
	if (!scope->rows.count)
		return error_set(scope->error, PARADL_SCHEMA,
			"there are no rows of kernels that paradl has a formula for");
	if (request->fit && request->left_out == PARADL_LEAVE_DEVICES && scope->rows.device_count < 2)
		return error_set(
			scope->error, PARADL_USAGE, "to leave each device out takes rows of two or more");
	if ((request->device_path || request->single) && scope->rows.device_count > 1) {
		error_set(scope->error, PARADL_USAGE, "a device file is of one device, rows are of %zu",
			scope->rows.device_count);
		error_hint(scope->error, "say which: --device %.60s", scope->rows.devices[0]);
		return false;
	}
	return true;
}

bool paradl_kernels_fit(struct paradl_arena *arena, const char *const *paths, size_t count,
	const struct paradl_kernels_request *request, struct paradl_kernels *kernels,
	struct paradl_error *error)
{
	struct scope scope = {.arena = arena, .error = error};
	struct kernel_scores scores = {.arena = arena, .error = error};
	*kernels = (struct paradl_kernels){.errors = NULL};
	for (size_t i = 0; i < count; ++i)
		if (!kernel_rows_read(arena, paths[i], request->device, &scope.rows, error))
			return false;
	if (!rows_check(&scope, request))
		return false;
	const char **device_paths = arena_alloc(arena, scope.rows.device_count + 1, sizeof(const char *));
	scope.files = arena_alloc(arena, scope.rows.device_count, sizeof *scope.files);
	if (!device_paths || !scope.files)
		return out_of_memory(error);
	for (size_t d = 0; d < scope.rows.device_count; ++d)
		if (!device_read(&scope, request, d, &device_paths[d]))
			return false;
	if (!scope_make(&scope) || !all_fit(&scope, request, &scores))
		return false;
	kernels->rows = scope.rows.count;
	kernels->passed = scope.rows.passed;
	kernels->passed_count = scope.rows.passed_count;
	kernels->device_paths = device_paths;
	kernels->errors = scores.errors;
	kernels->error_count = scores.error_count;
	kernels->numbers = scores.numbers;
	kernels->number_count = scores.number_count;
	kernels->points = scores.points;
	kernels->point_count = scores.point_count;
	kernels->roofs = scores.roofs;
	kernels->roof_count = scores.roof_count;
	kernels->samples = files_digests(arena, paths, count, error);
	return kernels->samples != NULL;
}

/*
 * Makes a calibration with the fitted numbers, since calibrations can be written to files. Returns false with an
 * error.
 */
static bool calibration_of(struct paradl_arena *arena, const struct paradl_kernels *kernels,
	struct paradl_calibration *calibration, struct paradl_error *error)
{
	struct paradl_fitted_number *numbers = arena_alloc(arena, kernels->number_count + 1, sizeof *numbers);
	if (!numbers)
		return out_of_memory(error);
	for (size_t i = 0; i < kernels->number_count; ++i) {
		const struct paradl_kernel_number *number = &kernels->numbers[i];
		numbers[i] = (struct paradl_fitted_number){.file = PARADL_FITTED_DEVICE,
			.path = number->path,
			.unit = number->unit,
			.value = number->value,
			.low = number->low,
			.high = number->high,
			.residual = -1,
			.from = arena_printf(arena, "fit to times of %zu kernels", number->rows)};
		if (!numbers[i].from)
			return out_of_memory(error);
	}
	*calibration = (struct paradl_calibration){
		.numbers = numbers, .number_count = kernels->number_count, .samples = kernels->samples};
	return true;
}

bool paradl_kernels_write(struct paradl_arena *arena, const struct paradl_kernels *kernels, const char *path,
	struct paradl_error *error)
{
	struct paradl_calibration calibration;
	struct paradl_findings findings = {0};
	struct edit edit;
	for (size_t i = 1; i < kernels->number_count; ++i)
		if (strcmp(kernels->numbers[i].device, kernels->numbers[0].device) != 0)
			return error_set(error, PARADL_USAGE,
				"a device file takes the numbers of one device, rows are of several");
	if (!kernels->number_count)
		return error_set(
			error, PARADL_INFEASIBLE, "nothing was fitted, so there is nothing to write");
	if (!calibration_of(arena, kernels, &calibration, error) ||
		!edit_load(&edit, arena, kernels->device_paths[0], path, error) ||
		!calibration_put_numbers(&edit, &calibration, PARADL_FITTED_DEVICE, error))
		return false;
	const struct json *root = json_parse(arena, edit.text, edit.length, path, error);
	return root && device_check(arena, root, &findings, error) && edit_save(&edit, error);
}
