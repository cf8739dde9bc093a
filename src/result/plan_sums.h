/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over a plan of parts, which every format shows. */
#ifndef RESULT_PLAN_SUMS_H
#define RESULT_PLAN_SUMS_H

#include "result/documents.h"
#include "result/field.h"

/* Returns the seconds of all that a part does in one iteration, hidden or not, without redistributions. */
double parts_row_s(const struct paradl_layered_row *row);
/* Returns the seconds in which all tensors are redistributed. */
double parts_moves_s(const struct report_parts *parts);
/* Returns the seconds in which the tensors that one part reads are redistributed. */
double parts_moves_into_s(const struct report_parts *parts, size_t part);
/* Returns the seconds of a part under the k-th of the other plans; negative: it cannot run so. */
double parts_other_s(const struct report_parts *parts, size_t part, size_t k);
bool parts_same_plan(const struct paradl_plan *a, const struct paradl_plan *b);
/* Returns how many different plans the parts have. */
size_t parts_plans(const struct paradl_layered *layered);

#endif
