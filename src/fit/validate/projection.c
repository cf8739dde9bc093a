/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fit/validate/measurements.h"

#include "base/error.h"
#include "fit/validate/published.h"
#include "model/model.h"
#include "oracle/oracle.h"

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
