/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings are collected in the order found; beyond a limit they are only counted. */
#ifndef MODEL_WARNINGS_H
#define MODEL_WARNINGS_H

#include "base/arena.h"
#include "base/json.h"

enum { WARNINGS_MAX = 100 };

struct warnings {
	struct paradl_arena *arena;
	const char *texts[WARNINGS_MAX + 1];
	unsigned count, dropped;
	bool out_of_memory;
};

void warn(struct warnings *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a finding about a node: "/layers/3/kernel: ...". */
void warn_at(struct warnings *warnings, const struct json *node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool warnings_finish(struct warnings *warnings, const char *format, struct paradl_findings *findings,
	struct paradl_error *error);

#endif
