/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef VALIDATE_MEASURED_H
#define VALIDATE_MEASURED_H

#include "base/arena.h"
#include "base/csv.h"

/* What a row of serving says of its requests; 0: as --inference has it. */
struct measured_load {
	bool serves; /* else the row is of training */
	double prompt_tokens, output_tokens, requests, spread, cached_prefix;
	const char *prefill; /* plan of the devices that read prompts; NULL: none */
};

/* One row of a paradl-measured(5) file, and what the plan and the model add to it. */
struct measurement {
	struct paradl_measured_row row;
	const char *precision;       /* "" = the model's */
	double tokens;               /* of one sample; negative: none */
	struct paradl_plan plan;     /* with the batch; of a plan that could be read */
	const char *plan_text;       /* in its canonical spelling; NULL: could not be read */
	double samples;              /* in one unit; 0 = not known */
	struct published *published; /* where it is a row of published results; else NULL */
	/* What tells models and machines apart, and whatever else rows must share to be ranked against each other. */
	const char *model_key, *hw_key, *conditions;
	struct measured_load load;
	const char *load_key; /* what tells loads apart; "": training */
};

struct measurements {
	struct measurement *rows;
	size_t count;
};

/* An empty set is "all"; lookup->hw and lookup->framework replace the rows' own. */
bool measurements_read(struct paradl_arena *arena, const struct csv *csv, const struct paradl_lookup *lookup,
	struct measurements *measurements, struct paradl_error *error);

static inline bool is_per_epoch(const struct measurement *measurement)
{
	return measurement->row.unit[0] == 'e';
}

#endif
