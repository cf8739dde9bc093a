/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file projects measured rows, and scores the projections.
 *
 * Scores projections. The accuracy of a component is max(0, 1 - |projected - measured| / measured); where 0 s were
 * measured, it is 1 if 0 s are projected and 0 else. Means are over the rows in which the component was measured.
 *
 * A skipped row counts as wrong: its measured components have accuracy 0, and an error of 100 % in mape and
 * memory_mape. bias is over the projected rows, since nothing says in which direction a skipped one is wrong.
 * projected_mape is over the projected rows, too; complete_mape and incomplete_mape split these into rows whose plan
 * the source prints in full, and rows some of whose options were searched.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/validate/measurements.h"
#include "fit/validate/published.h"
#include "fit/validate/score.h"
#include "model/model.h"
#include "oracle/oracle.h"

struct mean {
	double sum;
	size_t count;
};

static void add(struct mean *mean, double value)
{
	mean->sum += value;
	++mean->count;
}

static double value(const struct mean *mean, double empty)
{
	return mean->count ? mean->sum / (double)mean->count : empty;
}

static double relative_error(double measured, double projected)
{
	if (measured > 0)
		return fabs(projected - measured) / measured;
	return projected > 0 ? 1 : 0;
}

/* Returns the accuracy of a component, 0 to 1; negative: not measured. */
static double accuracy(const struct paradl_measured_row *row, double measured, double projected)
{
	if (measured < 0)
		return -1;
	const double error = row->skipped ? 1 : relative_error(measured, projected);
	return error < 1 ? 1 - error : 0;
}

void accuracy_fill(struct paradl_measured_row *row)
{
	row->accuracy.compute = accuracy(row, row->measured.compute_s, row->projected.compute_s);
	row->accuracy.communication =
		accuracy(row, row->measured.communication_s, row->projected.communication_s);
	row->accuracy.total = accuracy(row, row->measured.total_s, row->projected.total_s);
}

bool is_selected(const struct measurement *measurement, const struct selection *selection)
{
	return (!selection->family || strcmp(selection->family, measurement->row.family) == 0) &&
	       (!selection->set || strcmp(selection->set, measurement->row.set) == 0);
}

/*
 * Stores the relative error of the time to the first token, 1 where the row is skipped, as for totals; false: not
 * measured.
 */
static bool first_error(const struct paradl_measured_row *row, double *error)
{
	if (!(row->measured.first_s > 0))
		return false;
	*error = row->skipped ? 1 : relative_error(row->measured.first_s, row->projected.first_s);
	return true;
}

bool row_is_inside(const struct paradl_measured_row *row)
{
	return fabs(row->measured.total_s - row->projected.total_s) <=
	       row->error_share * row->projected.total_s;
}

struct sums {
	struct mean compute, communication, total, mape, bias, memory, projected, complete, incomplete,
		inside, first, first_inside;
};

static void add_row(struct sums *sums, const struct paradl_measured_row *row)
{
	if (row->accuracy.compute >= 0)
		add(&sums->compute, row->accuracy.compute);
	if (row->accuracy.communication >= 0)
		add(&sums->communication, row->accuracy.communication);
	if (row->measured.memory_bytes > 0)
		add(&sums->memory, row->skipped ? 1
						: relative_error(row->measured.memory_bytes,
							  row->projected.memory_bytes));
	double first;
	if (first_error(row, &first))
		add(&sums->first, first);
	if (row->measured.first_s > 0 && !row->skipped && row->first_error_share >= 0)
		add(&sums->first_inside, fabs(row->measured.first_s - row->projected.first_s) <=
						 row->first_error_share * row->projected.first_s);
	if (!(row->measured.total_s > 0))
		return;
	add(&sums->total, row->accuracy.total);
	const double error = row->skipped ? 1 : relative_error(row->measured.total_s, row->projected.total_s);
	add(&sums->mape, error);
	if (row->skipped)
		return;
	add(&sums->bias, row->projected.total_s / row->measured.total_s - 1);
	add(&sums->projected, error);
	if (row->error_share >= 0)
		add(&sums->inside, row_is_inside(row));
	add(row->incomplete ? &sums->incomplete : &sums->complete, error);
}

void score_means(const struct measurement *list, size_t count, const struct selection *selection,
	struct paradl_score *score)
{
	struct sums sums = {.compute = {0, 0}};
	for (size_t i = 0; i < count; ++i) {
		if (!is_selected(&list[i], selection))
			continue;
		++score->rows;
		score->skipped += list[i].row.skipped ? 1 : 0;
		score->incomplete += list[i].row.incomplete && !list[i].row.skipped ? 1 : 0;
		score->unfit += list[i].row.unfit ? 1 : 0;
		add_row(&sums, &list[i].row);
	}
	score->mean = (struct paradl_accuracy){
		value(&sums.compute, -1), value(&sums.communication, -1), value(&sums.total, -1)};
	score->mape = 100 * value(&sums.mape, 0);
	score->bias = 100 * value(&sums.bias, 0);
	score->projected_mape = sums.projected.count ? 100 * value(&sums.projected, 0) : -1;
	score->complete_mape = sums.complete.count ? 100 * value(&sums.complete, 0) : -1;
	score->inside = value(&sums.inside, -1);
	score->first_mape = sums.first.count ? 100 * value(&sums.first, 0) : -1;
	score->first_inside = value(&sums.first_inside, -1);
	score->incomplete_mape = sums.incomplete.count ? 100 * value(&sums.incomplete, 0) : -1;
	score->memory_mape = sums.memory.count ? 100 * value(&sums.memory, 0) : -1;
}

static int by_size(const void *a, const void *b)
{
	const double first = *(const double *)a, second = *(const double *)b;
	return (first > second) - (first < second);
}

static double middle(const double *sorted, size_t count)
{
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

bool score_spread(struct paradl_arena *arena, const struct measurement *list, size_t count,
	const struct selection *selection, struct paradl_score *score, struct paradl_error *error)
{
	double *const errors = arena_alloc(arena, 2 * count + 1, sizeof *errors);
	size_t found = 0, first_count = 0;
	if (!errors)
		return out_of_memory(error);
	double *const firsts = errors + count;
	score->first_median = -1;
	for (size_t i = 0; i < count; ++i) {
		const struct paradl_measured_row *row = &list[i].row;
		if (!is_selected(&list[i], selection) || row->skipped)
			continue;
		if (row->measured.total_s > 0)
			errors[found++] = 100 * relative_error(row->measured.total_s, row->projected.total_s);
		if (row->measured.first_s > 0)
			firsts[first_count++] =
				100 * relative_error(row->measured.first_s, row->projected.first_s);
	}
	qsort(firsts, first_count, sizeof *firsts, by_size);
	qsort(errors, found, sizeof *errors, by_size);
	if (first_count)
		score->first_median = middle(firsts, first_count);
	if (!found)
		return true;
	score->median = middle(errors, found);
	score->worst = errors[found - 1];
	return true;
}

/*
 * Makes the second oracle of a projection, of a network with twice as many blocks: the time of the blocks alone is
 * the difference between the two networks.
 */
static bool twice_make(struct library *library, struct measurement *measurement,
	struct projection *projection, struct paradl_error *error)
{
	struct published *twice = arena_alloc(library->arena, 1, sizeof *twice);
	struct measurement other = *measurement;
	if (!twice)
		return out_of_memory(error);
	*twice = *measurement->published;
	twice->layers *= 2;
	other.published = twice;
	other.model_key = published_model_key(library->arena, twice, library->aliases);
	if (!other.model_key)
		return out_of_memory(error);
	projection->twice = library_oracle(library, &other, &measurement->row.skipped, error);
	return projection->twice || measurement->row.skipped;
}

bool projection_make(struct library *library, struct measurement *measurement, struct projection *projection,
	struct paradl_error *error)
{
	struct paradl_measured_row *row = &measurement->row;
	const struct published *published = measurement->published;
	*projection = (struct projection){.plan = &measurement->plan};
	const struct paradl_model *model = library_model(library, measurement, &row->skipped, error);
	if (!model)
		return row->skipped != NULL;
	measurement->samples = is_per_epoch(measurement) ? paradl_model_info(model).samples : row->batch;
	if (published && !published_options(library, measurement, error))
		return false;
	projection->oracle = library_oracle(library, measurement, &row->skipped, error);
	if (!projection->oracle)
		return row->skipped != NULL;
	row->framework = paradl_framework_info(paradl_oracle_framework(projection->oracle)).name;
	if (published && !published_fill(library, projection->oracle, measurement, error))
		return false;
	if (published) /* rates in Tflop/s or MFU need the work of the network */
		row->measured.total_s =
			published_seconds(published, model, &projection->oracle->machine->device);
	if (!(measurement->samples > 0))
		row->skipped = "the model names no data set, so how long an epoch is is not known";
	else if (published && published_is_blocks(published, library->aliases))
		return twice_make(library, measurement, projection, error);
	return true;
}

double projection_seconds(const struct paradl_estimate *estimate)
{
	return estimate->inference.output_tokens > 0 ? estimate->inference.token_s : estimate->iteration_s;
}

bool projection_run(const struct projection *projection, struct paradl_estimate *estimate, double *seconds,
	struct paradl_error *failure)
{
	struct paradl_estimate larger;
	if (!paradl_estimate(projection->oracle, projection->plan, estimate, failure))
		return false;
	*seconds = projection_seconds(estimate);
	if (!projection->twice)
		return true;
	if (!paradl_estimate(projection->twice, projection->plan, &larger, failure))
		return false;
	*seconds = published_block_s(&larger) - published_block_s(estimate);
	return true;
}
