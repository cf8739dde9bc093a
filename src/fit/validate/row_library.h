/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the models, machines and oracles that rows name, each once; keeps the reason where one cannot be loaded. */
#ifndef FIT_VALIDATE_ROW_LIBRARY_H
#define FIT_VALIDATE_ROW_LIBRARY_H

#include "fit/validate/aliases.h"
#include "fit/validate/measured_row.h"
#include "paradl/fit.h"

struct library_model {
	const char *key, *why; /* why: reason why it cannot be loaded; NULL: it is loaded */
	double tokens;         /* tokens of one sample, where the row says; negative: as in the file */
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
	bool input;       /* whether input is modelled */
	const char *load; /* key of the load; "": training */
};

struct library {
	struct paradl_arena *arena;
	const char *csv_path;
	const struct paradl_lookup *lookup;
	const struct aliases *aliases; /* spellings of published results */
	const char *times_model;       /* network of lookup->options.layer_times; NULL: no such times */
	struct library_model *models;
	struct library_machine *machines;
	struct library_oracle *oracles;
	struct library_framework *frameworks;
	size_t model_count, machine_count, oracle_count, framework_count;
};

/* Allocates room for all that `rows` rows may name, and reads which network the layer times are of. */
bool library_create(struct library *library, size_t rows, struct paradl_error *error);
/*
 * Finds the file that a name stands for; NULL with *error. A path in a cell (`is_cell`) is relative to the CSV;
 * one that the caller put in the cell's place is relative to the caller.
 */
const char *library_find(struct library *library, const char *name, const char *kind, bool is_cell,
	struct paradl_error *error);

/*
 * Returns the model (library_oracle: the oracle) of a row; NULL with the reason in *why where it cannot be loaded.
 * NULL without *why means out of memory, and *error says so.
 */
const struct paradl_model *library_model(struct library *library, const struct measurement *measurement,
	const char **why, struct paradl_error *error);
struct paradl_oracle *library_oracle(struct library *library, const struct measurement *measurement,
	const char **why, struct paradl_error *error);

/* Returns an error as one line with its hint; NULL when out of memory. */
const char *error_line(struct paradl_arena *arena, const struct paradl_error *error);

#endif
