/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file declares sweeps. A point is a place in each dimension and a strategy. Points that differ only in numbers
 * of devices, batches and plans ask one oracle; all other dimensions make a *world*: a model, a machine and a
 * framework as changes say.
 */
#ifndef STUDY_SWEEP_H
#define STUDY_SWEEP_H

#include "base/changes.h"
#include "base/pool.h"
#include "base/quantity.h"
#include "oracle/oracle.h"
#include "paradl/study.h"

/*
 * This file reads values as text: a list with commas, whose items are texts as they are or ranges of numbers. The
 * ends of a range have the same sign of multiplication and unit:
 *     4..1024            doubling           x0.5..x4           25 GB/s..100 GB/s
 *     4..64+4            stepping           x0.8..x1.2+0.1
 *     1k..1M*10          by a factor
 */

enum { VALUES_MAX = 1000000 };

struct values {
	const char **items;
	size_t count;
};

/* Reads a list of values; `what` says whose values they are, for messages. False: error is set. */
bool values_read(struct paradl_arena *arena, const char *what, const char *text, struct values *values,
	struct paradl_error *error);

/* The form that all values have, and their numbers. */
enum value_form { VALUE_TEXT, VALUE_NUMBER, VALUE_FACTOR, VALUE_QUANTITY };
struct value_numbers {
	enum value_form form;
	enum dimension dimension; /* dimension of quantities */
	double *items;            /* numbers in SI units; NULL: values are texts */
};
/* Returns the number that a value is; -1: it is none. */
double value_number(const char *text);
/* Finds the form of values and fills their numbers. False only when out of memory. */
bool values_numbers(struct paradl_arena *arena, const struct values *values, struct value_numbers *numbers);

enum {
	SWEEP_MOST_DIMENSIONS = PARADL_SWEEP_DIMENSIONS,
	SWEEP_WORKERS = POOL_MOST,
	SWEEP_CHANGES = CHANGES_MAX
};

enum sweep_kind {
	/* Kinds that belong to a point: */
	SWEEP_GPUS,
	SWEEP_BATCH,
	SWEEP_PER_GPU,
	SWEEP_MICRO,
	SWEEP_PLAN, /* word of plans, such as tensor or zero */
	/* Kinds that belong to a world: */
	SWEEP_INPUT_TOKENS,
	SWEEP_OUTPUT_TOKENS,
	SWEEP_RATE,
	SWEEP_PRECISION,
	SWEEP_OPTIMIZER,
	SWEEP_ALGORITHM,
	SWEEP_COMPRESS,
	SWEEP_MODEL,
	SWEEP_DATASET,
	SWEEP_HW,
	SWEEP_FRAMEWORK,
	SWEEP_CHANGE
};

struct sweep_dimension {
	const char *key, *column;
	enum sweep_kind kind;
	struct values values;
	struct value_numbers numbers;
	const char *const *paths;   /* paths of files, by value */
	const char *const *changes; /* changes, "hw.levels.1.bandwidth=x2", by value */
	enum change_scope scope;    /* scope of these changes */
};

struct sweep_strategy {
	const char *typed; /* text as typed; NULL: the best of all */
	const char *text;  /* the same text, with 1 for '*' */
	bool is_plan, has_star;
	enum paradl_axis star;
	struct paradl_plan plan; /* plan, where no dimension is a word of plans */
};

/* Parts of a world; each has a key of its own, made of the dimensions that it depends on. */
enum sweep_part { PART_MODEL, PART_MACHINE, PART_FRAMEWORK, PART_ORACLE, SWEEP_PARTS };

/* A part of a world that was loaded, or could not be. */
struct sweep_item {
	enum sweep_part part;
	unsigned long long key;
	size_t places[SWEEP_MOST_DIMENSIONS];
	struct paradl_arena *arena;
	const void *thing; /* model, machine, framework or oracle; NULL: error says why */
	struct paradl_error error;
	unsigned long long used; /* when it was needed last, by sweep->clock */
	unsigned holders;        /* number of worlds that have it */
	bool listed;             /* whether it is among those that are to be loaded */
	/* Fields of an oracle: */
	struct sweep_item *parts[PART_ORACLE];
	struct paradl_model_info model;
	struct paradl_machine_info machine;
	struct paradl_oracle **clones; /* clones, by worker; NULL: not made yet */
	struct paradl_arena **arenas;  /* arenas of the clones */
};

struct paradl_sweep {
	struct paradl_arena *arena;
	const struct paradl_sweep_request *request;
	struct sweep_dimension dimensions[SWEEP_MOST_DIMENSIONS];
	size_t dimension_count;
	struct sweep_strategy *strategies;
	size_t strategy_count;
	unsigned long long count;
	double most_devices; /* largest number of devices of any point */
	bool has_words;      /* whether some dimension is a word of plans */
	const char **files;
	size_t file_count;
	struct sweep_item **items;
	size_t item_count, item_room;
	unsigned long long clock;
	unsigned workers;
	struct pool *pool; /* threads, while the sweep runs */
};

/* Reads the dimensions and checks their values; this and the next three are in dimensions.c. False: error is set. */
bool sweep_dimensions_read(struct paradl_sweep *sweep, struct paradl_error *error);
bool sweep_is_of_part(const struct sweep_dimension *dimension, enum sweep_part part);
/* Returns the value of a kind at these places; -1: no dimension is of that kind. */
double sweep_number(const struct paradl_sweep *sweep, const size_t *places, enum sweep_kind kind);
const struct sweep_dimension *sweep_dimension_of(const struct paradl_sweep *sweep, enum sweep_kind kind);

/* Reads the strategies; in strategies.c. False: error is set. */
bool sweep_strategies_read(struct paradl_sweep *sweep, struct paradl_error *error);

/* Fills the places of a point, its strategy last. */
void sweep_places(
	const struct paradl_sweep *sweep, unsigned long long index, size_t places[SWEEP_MOST_DIMENSIONS + 1]);
/* Returns the key of all that a part depends on: equal for points that share the part. */
unsigned long long sweep_part_key(
	const struct paradl_sweep *sweep, const size_t *places, enum sweep_part part);

/* Returns whether a framework is named, so that it is not the machine's; the next four are in worlds.c, too. */
bool sweep_has_framework(const struct paradl_sweep *sweep);
/* Finds the world of points at these places, whose parts may still have to be loaded. NULL: out of memory. */
struct sweep_item *sweep_world_find(struct paradl_sweep *sweep, const size_t *places);
/*
 * Reads the worlds that are not loaded yet, and their parts, in the threads of the pool; false when out of memory or
 * a file is not what it was.
 */
bool sweep_worlds_load(struct paradl_sweep *sweep, struct sweep_item *const *worlds, size_t count,
	struct paradl_error *error);
/*
 * Frees the items that were not needed for longest, until no more than `most` models, machines, ... are left; 0: all.
 */
void sweep_worlds_trim(struct paradl_sweep *sweep, size_t most);
/* Reads one part by itself. NULL: error is set. */
const void *sweep_part_load(const struct paradl_sweep *sweep, enum sweep_part part, const size_t *places,
	struct paradl_arena *arena, struct paradl_error *error);

/* The answer to a point; point.c. */
struct sweep_answer {
	struct paradl_sweep_row row;
	struct paradl_estimate estimate;
	char strategy[PARADL_PLAN_TEXT], prefill[PARADL_PLAN_TEXT], reason[512];
};
/*
 * Fills the answer to a point, with an estimate or a reason. False: something is wrong that is not of this point
 * alone.
 */
bool sweep_point(const struct paradl_sweep *sweep, const struct sweep_item *world,
	struct paradl_oracle *oracle, const size_t *places, struct sweep_answer *answer,
	struct paradl_error *error);

#endif
