/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file tests the likely error of estimates. It projects each set of rows by the fit to the other sets, and gives
 * the framework profile only the knowledge that these would give about its program:
 *
 *     known_error   mean, over the program's other sets, of the mean error of each when it is left out; a program
 *                   without another set takes that of its family, which is the mean over sets whose program has no
 *                   other set
 *     checked       devices, number formats, most GPUs and longest sequence of the program's rows in other sets
 *
 * A set's own errors have no part in its own band, but its rows have a part in the constants by which the errors of
 * the others were found. The same two members, over all sets, go into the profiles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fitting.h"
#include "oracle/oracle.h"

struct bands {
	struct paradl_arena *arena;
	const struct fit_data *data;
	const struct left_out *left_out;
	size_t *program; /* for each framework, the index of the first one that is read from the same file */
	double *errors; /* mean error of each program (row) in each set (column) when left out; negative: none */
};

static double row_error(const struct bands *bands, size_t row)
{
	return fabs(expm1(bands->left_out->log_time[row] - bands->data->rows[row].log_measured));
}

static double *error_of(const struct bands *bands, size_t program, size_t set)
{
	return &bands->errors[program * bands->data->set_count + set];
}

static bool errors_fill(struct bands *bands, struct paradl_error *error)
{
	const struct fit_data *data = bands->data;
	const size_t cells = data->framework_count * data->set_count;
	size_t *counts = arena_alloc(bands->arena, cells, sizeof *counts);
	bands->errors = arena_alloc(bands->arena, cells, sizeof *bands->errors);
	bands->program = arena_alloc(bands->arena, data->framework_count, sizeof *bands->program);
	if (!counts || !bands->errors || !bands->program)
		return out_of_memory(error);
	for (size_t i = 0; i < data->framework_count; ++i)
		while (strcmp(data->frameworks[bands->program[i]]->path, data->frameworks[i]->path) != 0)
			++bands->program[i];
	for (size_t i = 0; i < data->count; ++i) {
		const struct fit_row *row = &data->rows[i];
		const size_t cell = bands->program[row->framework] * data->set_count + row->set;
		if (!bands->left_out->is_free[row->set])
			continue;
		bands->errors[cell] += row_error(bands, i);
		++counts[cell];
	}
	for (size_t i = 0; i < cells; ++i)
		bands->errors[i] = counts[i] ? bands->errors[i] / (double)counts[i] : -1;
	return true;
}

/* Returns the mean of the program's errors over all sets but `without`; negative when it has none. */
static double program_error(const struct bands *bands, size_t program, size_t without)
{
	double sum = 0;
	size_t count = 0;
	for (size_t set = 0; set < bands->data->set_count; ++set)
		if (set != without && *error_of(bands, program, set) >= 0) {
			sum += *error_of(bands, program, set);
			++count;
		}
	return count ? sum / (double)count : -1;
}

static bool is_family(const struct bands *bands, size_t program, const char *family)
{
	const char *const own = bands->data->frameworks[program]->family;
	return bands->program[program] == program && own && strcmp(own, family) == 0;
}

/*
 * Returns the mean error of the family's programs that had no other set to be fitted to, or of all its programs where
 * each had one; negative when there are none. Ignores the set `without`.
 */
static double family_error(const struct bands *bands, const char *family, size_t without)
{
	double sum[2] = {0, 0};
	size_t count[2] = {0, 0};
	for (size_t program = 0; program < bands->data->framework_count; ++program)
		for (size_t set = 0; is_family(bands, program, family) && set < bands->data->set_count;
			++set) {
			const double own = *error_of(bands, program, set);
			if (set == without || own < 0)
				continue;
			const bool alone = program_error(bands, program, set) < 0;
			sum[alone] += own;
			++count[alone];
		}
	return count[1] ? sum[1] / (double)count[1] : count[0] ? sum[0] / (double)count[0] : -1;
}

static double known_error(const struct bands *bands, size_t program, size_t without)
{
	const char *const family = bands->data->frameworks[program]->family;
	const double own = program_error(bands, program, without);
	const double error = own >= 0 || !family ? own : family_error(bands, family, without);
	return error >= 0 ? error : 0;
}

/* Adds a run to the devices, formats, GPUs and tokens that a profile was compared with. */
static void checked_add(struct framework_checked *checked, const struct projection *projection)
{
	const struct paradl_oracle *oracle = projection->oracle;
	const double gpus = paradl_plan_devices(projection->plan);
	const double tokens = (double)oracle->model->sequence;
	const char *const device = oracle->machine->device.name;
	checked->said = true;
	checked->gpus = fmax(checked->gpus, gpus);
	checked->tokens = fmax(checked->tokens, tokens);
	checked->precisions |= 1u << oracle->precision;
	if (checked->device_count < CHECKED_MAX && !framework_checked_names(checked, device))
		checked->devices[checked->device_count++] = device;
}

static struct framework_checked checked_of(const struct bands *bands, size_t program, size_t without)
{
	struct framework_checked checked = {.said = false};
	for (size_t i = 0; i < bands->data->count; ++i) {
		const struct fit_row *row = &bands->data->rows[i];
		if (row->set != without && bands->program[row->framework] == program)
			checked_add(&checked, &row->projection);
	}
	return checked;
}

/* Returns whether another set ran the program with the same options. */
static bool options_are_checked(const struct bands *bands, size_t framework, size_t without)
{
	for (size_t i = 0; i < bands->data->count; ++i)
		if (bands->data->rows[i].framework == framework && bands->data->rows[i].set != without)
			return true;
	return false;
}

/* Changes the known error, checked runs and choice of a framework to those that are known without the set. */
static void framework_forget(const struct bands *bands, size_t framework, size_t without)
{
	struct paradl_framework *const target = bands->data->frameworks[framework];
	const size_t program = bands->program[framework];
	target->known_error = known_error(bands, program, without);
	target->checked = checked_of(bands, program, without);
	target->choice.unchecked = target->checked.said && !options_are_checked(bands, framework, without);
}

static int by_size(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, by_size);
	return count ? (values[(count - 1) / 2] + values[count / 2]) / 2 : -1;
}

/* Count of rows within their likely error. */
struct tally {
	double *widths;      /* likely errors of the rows counted, as shares */
	size_t rows, inside; /* rows counted; those whose measured time is within their likely error */
};

/* Projects the rows of a set with the constants of the others, and counts those within their likely error. */
static bool set_score(const struct bands *bands, size_t set, struct tally *tally, struct paradl_error *error)
{
	const struct fit_data *data = bands->data;
	for (size_t i = 0; i < data->count; ++i) {
		const struct fit_row *row = &data->rows[i];
		struct paradl_estimate estimate;
		double seconds;
		if (row->set != set)
			continue;
		oracle_framework_changed(row->projection.oracle);
		if (row->projection.twice)
			oracle_framework_changed(row->projection.twice);
		if (!projection_run(&row->projection, &estimate, &seconds, error))
			return false;
		tally->widths[tally->rows++] = estimate.error_share;
		tally->inside += fabs(exp(row->log_measured) / seconds - 1) <= estimate.error_share;
	}
	return true;
}

static bool sets_score(const struct bands *bands, struct fit_problem *problem, struct paradl_fit_set *sets,
	struct tally *all, struct paradl_error *error)
{
	const struct fit_data *data = bands->data;
	for (size_t set = 0; set < data->set_count; ++set) {
		struct tally tally = {.widths = all->widths + all->rows};
		if (!bands->left_out->is_free[set])
			continue;
		problem_set(problem, bands->left_out->unit + set * problem->constants->count);
		for (size_t i = 0; i < data->framework_count; ++i)
			framework_forget(bands, i, set);
		if (!set_score(bands, set, &tally, error))
			return false;
		all->rows += tally.rows;
		all->inside += tally.inside;
		sets[set].inside = (double)tally.inside / (double)tally.rows;
		sets[set].half_width = median(tally.widths, tally.rows);
	}
	return true;
}

/* Returns "frameworks/nemo-2024" for the path of that file; NULL when out of memory. */
static const char *file_of(struct paradl_arena *arena, const char *path)
{
	const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
	const char *const dot = strrchr(name, '.');
	return arena_printf(arena, "frameworks/%.*s", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/*
 * Returns what a profile was compared with as JSON, laid out as in shipped profiles; NULL when out of memory. Sorts
 * the devices.
 */
static const char *checked_text(struct paradl_arena *arena, struct framework_checked *checked)
{
	const char *devices = "", *precisions = "";
	qsort(checked->devices, checked->device_count, sizeof *checked->devices, by_name);
	for (unsigned i = 0; devices && i < checked->device_count; ++i)
		devices =
			arena_printf(arena, "%s%s\"%s\"", devices, *devices ? ", " : "", checked->devices[i]);
	for (unsigned i = 0; precisions && i < PARADL_PRECISION_COUNT; ++i)
		if (checked->precisions & 1u << i)
			precisions = arena_printf(arena, "%s%s\"%s\"", precisions, *precisions ? ", " : "",
				paradl_precision_name((enum paradl_precision)i));
	return devices && precisions
		       ? arena_printf(arena,
				 "{\n    \"gpus\": %.15g, \"tokens\": %.15g, \"devices\": [%s],\n"
				 "    \"precisions\": [%s]\n  }",
				 checked->gpus, fmax(checked->tokens, 1), devices, precisions)
		       : NULL;
}

static bool knowledge_add(struct paradl_fit *fit, struct paradl_fit_knowledge *list, const char *file,
	const char *checked, double known_error)
{
	list[fit->knowledge_count++] = (struct paradl_fit_knowledge){file, checked, known_error};
	return file != NULL;
}

static bool family_is_listed(const struct bands *bands, size_t end, const char *family)
{
	for (size_t i = 0; i < end; ++i)
		if (is_family(bands, i, family))
			return true;
	return false;
}

/* Collects the errors and checked runs of programs, and the errors of their families, over all sets together. */
static bool knowledge_fill(const struct bands *bands, struct paradl_fit *fit, struct paradl_error *error)
{
	enum { NO_SET = -1 };
	const struct fit_data *data = bands->data;
	struct paradl_fit_knowledge *list =
		arena_alloc(bands->arena, 2 * data->framework_count, sizeof *list);
	bool fine = list != NULL;
	fit->knowledge_count = 0;
	for (size_t i = 0; fine && i < data->framework_count; ++i) {
		const double known = program_error(bands, i, (size_t)NO_SET);
		if (bands->program[i] != i || known < 0)
			continue;
		struct framework_checked checked = checked_of(bands, i, (size_t)NO_SET);
		const char *const text = checked_text(bands->arena, &checked);
		fine = text && knowledge_add(fit, list, file_of(bands->arena, data->frameworks[i]->path),
				       text, known);
	}
	for (size_t i = 0; fine && i < data->framework_count; ++i) {
		const char *const family = data->frameworks[i]->family;
		if (!family || family_is_listed(bands, i, family))
			continue;
		const double known = family_error(bands, family, (size_t)NO_SET);
		if (known >= 0)
			fine = knowledge_add(fit, list, file_of(bands->arena, family), NULL, known);
	}
	fit->knowledge = list;
	return fine || out_of_memory(error);
}

bool bands_fill(struct paradl_arena *arena, struct fit_problem *problem, const struct left_out *left_out,
	struct paradl_fit_set *sets, struct paradl_fit *fit, struct paradl_error *error)
{
	struct bands bands = {.arena = arena, .data = problem->data, .left_out = left_out};
	struct tally all = {.widths = arena_alloc(arena, problem->data->count, sizeof *all.widths)};
	if (!all.widths)
		return out_of_memory(error);
	if (!errors_fill(&bands, error) || !knowledge_fill(&bands, fit, error) ||
		!sets_score(&bands, problem, sets, &all, error))
		return false;
	fit->inside = all.rows ? (double)all.inside / (double)all.rows : -1;
	fit->half_width = median(all.widths, all.rows);
	return true;
}
