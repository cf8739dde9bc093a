/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of sweeps; sweep.def has its fields, but for those of points, which are columns of rankings. */
#include "result/ranking.h"

static bool dimension_values(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_sweep_key *const key = at->row;
	if (index >= key->count)
		return false;
	if (key->numbers)
		value->number = key->numbers[index];
	else
		value->text = key->texts[index];
	return true;
}

#define RECORDS "result/sweep.def"
#include "result/define.h"

const struct result_document document_sweep = {.schema = "paradl-sweep-1",
	.title = "paradl sweep --json: a row for each point of a grid",
	.doc = "See paradl-sweep(1). Numbers are in SI units and never rounded; null is what is not known or "
	       "not modelled. model, hw and assumptions are those of the first point.",
	.record = &record_sweep,
	.table = &record_result};
