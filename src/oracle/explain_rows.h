/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of an explanation, as its files add them. */
#ifndef ORACLE_EXPLAIN_ROWS_H
#define ORACLE_EXPLAIN_ROWS_H

#include "oracle/training.h"

/* Rows as they are collected. */
struct rows {
	const struct evaluation *evaluation;
	const struct paradl_estimate *estimate;
	const struct step *step;
	struct paradl_arena *arena;
	struct paradl_term *list;
	size_t count;
	bool failed; /* out of memory */
};

/* Adds a row, unless it takes no time. */
void __attribute__((format(printf, 5, 6))) row_add(struct rows *rows, enum paradl_phase phase, double seconds,
	const char *formula, const char *numbers, ...);
/* Adds waiting for the slowest of `nodes` nodes, at `calls` synchronisations. */
void waiting_row(struct rows *rows, enum paradl_phase phase, double seconds, unsigned nodes, double calls);
/* Adds what devices with the same weights exchange, or their update: explain_replicas.c. */
void replica_rows(struct rows *rows);
void update_rows(struct rows *rows);

#endif
