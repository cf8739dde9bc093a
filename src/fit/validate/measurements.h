/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads measured rows, loads the models, machines and oracles that they name, and projects them. */
#ifndef FIT_VALIDATE_MEASUREMENTS_H
#define FIT_VALIDATE_MEASUREMENTS_H

#include "base/arena.h"
#include "base/csv.h"
#include "paradl/fit.h"

/*
 * Reads hw-profiles/aliases.csv, which says what the spellings of devices, frameworks, networks and number formats
 * in published results stand for.
 */

struct alias {
	const char *kind, *pattern; /* kind of spelling; pattern in any case, in which "*" is any text */
	const char *name;           /* name that the spelling stands for */
	double value;               /* number that goes with it; 0: none */
};

struct aliases {
	const struct alias *items;
	size_t count;
};

/*
 * Reads the first hw-profiles/aliases.csv in `directories`; false with an error where there is none or it is
 * malformed.
 */
bool aliases_load(struct paradl_arena *arena, const char *const *directories, struct aliases *aliases,
	struct paradl_error *error);
/* Finds the first line of a kind whose pattern fits the text; NULL: none does. */
const struct alias *alias_find(const struct aliases *aliases, const char *kind, const char *text);
/* Returns the number of the first line of a kind whose pattern fits the text; `initial` where none does. */
double alias_value(const struct aliases *aliases, const char *kind, const char *text, double initial);
/* Reports whether the whole text fits the pattern. */
bool alias_fits(const char *pattern, const char *text);

/* The load that a row of serving was measured under; numbers that are 0 take the defaults of --inference. */
struct measured_load {
	bool serves; /* true: serving; false: training */
	double prompt_tokens, output_tokens, requests, spread, cached_prefix;
	const char *prefill; /* plan of separate devices that read prompts; NULL: none */
};

/* One row of a paradl-measured(5) file, with its plan and the numbers that follow from plan and model. */
struct measurement {
	struct paradl_measured_row row;
	const char *precision;       /* number format; "": the model's */
	double tokens;               /* tokens of one sample; negative: not given */
	struct paradl_plan plan;     /* plan with its batch, where it could be read */
	const char *plan_text;       /* canonical spelling of the plan; NULL: could not be read */
	double samples;              /* samples in one unit, iteration or epoch; 0: not known */
	struct published *published; /* columns of a row of published results; else NULL */
	/* Keys of the model and the machine, and all else that rows must share to be ranked against each other. */
	const char *model_key, *hw_key, *conditions;
	struct measured_load load;
	const char *load_key; /* key of the load; "": training */
};

struct measurements {
	struct measurement *rows;
	size_t count;
};

/*
 * Reads all rows; false with an error. An empty set becomes "all"; lookup->hw and lookup->framework replace those
 * of the rows.
 */
bool measurements_read(struct paradl_arena *arena, const struct csv *csv, const struct paradl_lookup *lookup,
	struct measurements *measurements, struct paradl_error *error);

static inline bool is_per_epoch(const struct measurement *measurement)
{
	return measurement->row.unit[0] == 'e';
}

/* Loads the models, machines and oracles that rows name, each once; keeps the reason where one cannot be loaded. */

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

/* Projects one measured row: makes its oracle once, and runs it again when constants have changed. */

struct projection {
	struct paradl_oracle *oracle;
	struct paradl_oracle *twice; /* oracle of twice the blocks; NULL unless blocks alone were measured */
	const struct paradl_plan *plan;
};

/*
 * Looks up the model and the machine of a row, makes its oracle, and fills in measured times that rest on the
 * network. Returns true also where the row cannot be projected, with the reason in row.skipped.
 */
bool projection_make(struct library *library, struct measurement *measurement, struct projection *projection,
	struct paradl_error *error);
/* Returns the seconds of one iteration; for serving, of each token. */
double projection_seconds(const struct paradl_estimate *estimate);
/*
 * Estimates the plan and stores those seconds, or the seconds of the blocks alone where blocks alone were
 * measured; false with *failure where the plan cannot be estimated.
 */
bool projection_run(const struct projection *projection, struct paradl_estimate *estimate, double *seconds,
	struct paradl_error *failure);

#endif
