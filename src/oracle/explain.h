/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms of an explanation as they are collected. */
#ifndef ORACLE_EXPLAIN_H
#define ORACLE_EXPLAIN_H

#include "oracle/oracle.h"

enum { TERMS_MAX = 24 };

struct terms {
	struct paradl_term list[TERMS_MAX];
	size_t count;
};

/* Terms that take no time are left out. */
void term_add(struct terms *terms, enum paradl_phase phase, double seconds, const char *formula,
	const char *numbers, ...) __attribute__((format(printf, 5, 6)));

void oracle_input_explain(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, struct terms *terms);

/* The terms of networks of tokens' exchanges; explain_tokens.c. */
void token_terms(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, struct terms *terms);

#endif
