/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Oracles for several threads. The question and its choices of algorithms are shared, for nothing writes to them;
 * networks as plans run them are prepared anew, for they hold scratch.
 */
#include "base/error.h"
#include "oracle/oracle.h"

struct paradl_oracle *oracle_clone(
	const struct paradl_oracle *oracle, struct paradl_arena *arena, struct paradl_error *error)
{
	struct paradl_oracle *clone = arena_alloc(arena, 1, sizeof *clone);
	struct table *table = oracle->table ? table_clone(oracle->table, arena) : NULL;
	if (!clone || (oracle->table && !table)) {
		error_set(error, PARADL_NO_MEMORY, "out of memory");
		return NULL;
	}
	*clone = *oracle;
	clone->arena = arena;
	clone->options.threads = 1; /* other threads have clones of their own */
	clone->table = table;
	clone->prepared_count = 0;
	clone->result = NULL;
	clone->latest = NULL;
	if (!oracle_input_make(clone, error))
		return NULL;
	return clone;
}
