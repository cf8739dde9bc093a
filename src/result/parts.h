/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan of parts: sums that every format shows. */
#ifndef RESULT_PARTS_H
#define RESULT_PARTS_H

#include "result/documents.h"
#include "result/field.h"

/* All that a part does in one iteration, hidden or not. */
double parts_row_s(const struct paradl_layered_row *row);
/* All tensors that are dealt out again; of one part those that it reads. */
double parts_moves_s(const struct report_parts *parts);
double parts_moves_into_s(const struct report_parts *parts, size_t part);
/* Under the k-th of the other plans; negative: it cannot run so. */
double parts_other_s(const struct report_parts *parts, size_t part, size_t k);
bool parts_same_plan(const struct paradl_plan *a, const struct paradl_plan *b);
/* Different plans of the parts. */
size_t parts_plans(const struct paradl_layered *layered);

#endif
