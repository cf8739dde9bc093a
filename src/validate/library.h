/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models, machines and oracles that rows name: each is loaded once, and so is the reason why it cannot be. */
#ifndef VALIDATE_LIBRARY_H
#define VALIDATE_LIBRARY_H

#include "validate/aliases.h"
#include "validate/measured.h"

struct library_model {
	const char *key, *why;
	double tokens; /* of one sample, where the row says */ /* why: cannot be loaded */
	const struct paradl_model *model;
};

struct library_machine {
	const char *key, *why;
	const struct paradl_machine *machine;
};

struct library_framework {
	const char *name;
	const struct paradl_framework *framework;
};

struct library_oracle {
	const struct paradl_model *model;
	const char *hw, *framework, *precision, *why;
	struct paradl_oracle *oracle;
	bool input; /* is modelled */
	const char *load;
};

struct library {
	struct paradl_arena *arena;
	const char *csv_path;
	const struct paradl_lookup *lookup;
	const struct aliases *aliases; /* of published results */
	const char *times_model;       /* the network that lookup->options.layer_times are of; NULL: none */
	struct library_model *models;
	struct library_machine *machines;
	struct library_oracle *oracles;
	struct library_framework *frameworks;
	size_t model_count, machine_count, oracle_count, framework_count;
};

/* Room for what `rows` rows may name. */
bool library_create(struct library *library, size_t rows, struct paradl_error *error);
/* What a cell names: a path is relative to the CSV, what the caller put in its place is relative to the caller. */
const char *library_find(struct library *library, const char *name, const char *kind, bool is_cell,
	struct paradl_error *error);

/*
 * What a row names; NULL with *why where it cannot be had. NULL without *why: out of memory, and *error says so.
 */
const struct paradl_model *library_model(struct library *library, const struct measurement *measurement,
	const char **why, struct paradl_error *error);
struct paradl_oracle *library_oracle(struct library *library, const struct measurement *measurement,
	const char **why, struct paradl_error *error);

/* An error as one line, advice included; NULL when out of memory. */
const char *error_line(struct paradl_arena *arena, const struct paradl_error *error);

#endif
