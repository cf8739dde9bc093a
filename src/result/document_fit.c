/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of constants fitted to measured training times; fit.def has its fields. */
#include <string.h>

#include "result/documents.h"
#include "result/field.h"

enum { FIT_UNITS = 4 };

static const char *fit_unit(unsigned unit)
{
	static const char *const units[FIT_UNITS] = {"", "s", "B", "B/s"};
	return units[unit];
}

static const char *bound_name(unsigned is_upper)
{
	return is_upper ? "upper" : "lower";
}

static const char *fit_remark(const struct paradl_fit_constant *constant)
{
	if (constant->rows == 0)
		return "no rows";
	if (constant->bound)
		return constant->bound < 0 ? "at its lower bound" : "at its upper bound";
	return constant->identified ? NULL : "not identified";
}

static bool fit_sets(const struct result_at *at, size_t index, struct field_value *value)
{
	const struct paradl_fit *const fit = ((const struct report_fit *)at->row)->fit;
	if (index >= fit->set_count)
		return false;
	*value = (struct field_value){.text = fit->sets[index].name, .row = &fit->sets[index]};
	return true;
}

#define RECORDS "result/fit.def"
#include "result/define.h"

static struct result_rows fit_rows(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_fit, "constants"), .row = document};
}

const struct result_document document_fit = {.schema = "paradl-fit-1",
	.title = "paradl fit --json: constants fitted to measured training times",
	.doc = "See paradl-fit(1). Values are in SI units.",
	.record = &record_fit,
	.table = &record_fit_constant,
	.rows = fit_rows};
