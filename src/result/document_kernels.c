/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the document of device files against times of kernels; kernels.def has its fields. */
#include "result/documents.h"
#include "result/field.h"
#include "result/ranking.h"

enum { KERNEL_UNITS = 4, ROOF_UNITS = 2 };

static const char *kernel_unit(unsigned unit)
{
	static const char *const units[KERNEL_UNITS] = {"", "s", "B", "B/s"};
	return units[unit];
}

static const char *roof_unit(unsigned unit)
{
	static const char *const units[ROOF_UNITS] = {"flop/s", "B/s"};
	return units[unit];
}

#define RECORDS "result/kernels.def"
#include "result/define.h"

static struct result_rows kernel_rows(const void *document, bool is_table)
{
	(void)is_table;
	return (struct result_rows){.list = record_field(&record_kernels, "errors"), .row = document};
}

const struct result_document document_kernels = {.schema = "paradl-kernels-1",
	.title = "paradl validate --kernels --json: device files against times of kernels",
	.doc = "See paradl-fit(1), KERNELS. Errors are shares of the measured time.",
	.record = &record_kernels,
	.table = &record_kernel_errors,
	.rows = kernel_rows};
