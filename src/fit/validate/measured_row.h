/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FIT_VALIDATE_MEASURED_ROW_H
#define FIT_VALIDATE_MEASURED_ROW_H

#include "base/arena.h"
#include "base/csv.h"
#include "paradl/fit.h"

/* The load that a row of serving was measured under; numbers that are 0 take the defaults of --inference. */
struct measured_load {
	bool serves; /* true: serving; false: training */
	double prompt_tokens, output_tokens, requests, spread, cached_prefix;
	const char *prefill; /* plan of separate devices that read prompts; NULL: none */
};

/* One row of a paradl-measured(5) file, with its plan and the numbers that follow from plan and model. */
struct measurement {
	struct paradl_measured_row row;
	const char *precision;       /* number format; "": the model's */
	double tokens;               /* tokens of one sample; negative: not given */
	struct paradl_plan plan;     /* plan with its batch, where it could be read */
	const char *plan_text;       /* canonical spelling of the plan; NULL: could not be read */
	double samples;              /* samples in one unit, iteration or epoch; 0: not known */
	struct published *published; /* columns of a row of published results; else NULL */
	/* Keys of the model and the machine, and all else that rows must share to be ranked against each other. */
	const char *model_key, *hw_key, *conditions;
	struct measured_load load;
	const char *load_key; /* key of the load; "": training */
};

struct measurements {
	struct measurement *rows;
	size_t count;
};

/*
 * Reads all rows; false with an error. An empty set becomes "all"; lookup->hw and lookup->framework replace those
 * of the rows.
 */
bool measurements_read(struct paradl_arena *arena, const struct csv *csv, const struct paradl_lookup *lookup,
	struct measurements *measurements, struct paradl_error *error);

static inline bool is_per_epoch(const struct measurement *measurement)
{
	return measurement->row.unit[0] == 'e';
}

#endif
