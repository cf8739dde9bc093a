/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads published training results, one in each row, with dimensions of the network, devices, degrees and options
 * in columns of their own. It is the second format of paradl-measured(5); its columns "gpu" and "layers" tell it
 * apart.
 */
#ifndef FIT_VALIDATE_PUBLISHED_H
#define FIT_VALIDATE_PUBLISHED_H

#include "base/csv.h"
#include "fit/validate/measurements.h"
#include "machine/machine.h"
#include "model/model.h"

/* A word of a cell that says how the program ran. */
struct published_word {
	const char *column, *text;
	const char *options; /* options of the program's profile: "flash+no-overlap-data" */
	const char *problem; /* why the word is not modelled as it stands; NULL: it is */
};

enum { WORDS_MAX = 16 };

struct published {
	const char *id, *set, *kind, *model, *gpu, *precision, *recompute, *attention, *overlap, *dispatcher,
		*framework, *graphs, *primary, *flop_kind, *memory_kind, *complete, *source, *notes;
	const char *
		program; /* "FRAMEWORK; GPU; OVERLAP; NOTES", for the aliases of frameworks and dispatchers */
	const char *setup;  /* "FRAMEWORK; OVERLAP; NOTES", for aliases of options */
	const char *origin; /* "SOURCE; NOTES", for aliases of clusters */
	struct published_word words[WORDS_MAX];
	size_t word_count;
	bool options_read; /* whether the options of the words are in the name of the profile already */
	/* Numbers of the columns; 0: empty. */
	double layers, hidden, heads, kv_heads, head_dim, ffn, gated, experts, top_k, moe_ffn, shared_ffn,
		tokens, vocabulary;
	double gpus, gpus_per_node, net_gbps;
	double tensor, pipeline, chunks, context, expert, data, zero, micro, batch;
	bool sequence, is_image;
	bool recomputes_blocks; /* where nothing says what is recomputed: whether it may be whole blocks */
	double iteration_s, tflops, mfu_percent, tokens_per_s, tokens_per_s_gpu, samples_per_s, memory_gib;
};

/* Reports whether the file has this format. */
bool published_is(const struct csv *csv);
/* Reports whether networks of a kind, the column "kind", are modelled. */
bool published_kind_is_known(const char *kind);
/*
 * Reads all rows where lookup->all_rows, else those that are complete enough to be scored, and stores the number
 * of the others in *left_out; false with an error.
 */
bool published_read(struct paradl_arena *arena, const struct csv *csv, const struct paradl_lookup *lookup,
	const struct aliases *aliases, struct measurements *measurements, size_t *left_out,
	struct paradl_error *error);

/* Makes the plan of a row; false with the reason in *failure where its columns give no plan. */
bool published_plan(struct published *row, const struct aliases *aliases, struct paradl_plan *plan,
	struct paradl_error *failure);

/* Adds a word to the row, understood or not; leaves it out where the row has WORDS_MAX. */
void published_word_add(struct published *row, const struct published_word *word);
/* Finds the words of a row; false when out of memory. */
bool published_words(struct paradl_arena *arena, const struct aliases *aliases, struct published *row);
/*
 * Returns the likely error of a projection, a share, widened for options and words that had to be guessed;
 * negative: not known.
 */
double published_error(const struct measurement *measurement, double error_share);
/* Sets the row's text of words that were not understood, NULL where there are none; false when out of memory. */
bool published_unread(struct paradl_arena *arena, struct measurement *measurement);
/* Collects the words of all rows that were not understood, each with its number of rows, for the validation. */
bool published_words_list(struct paradl_arena *arena, const struct measurement *list, size_t count,
	struct paradl_validation *validation, struct paradl_error *error);

/* Returns a text that is the same for the same machine; NULL when out of memory. */
const char *published_hw_key(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases);
/* Returns a text that is the same for the same network; NULL when out of memory. */
const char *published_model_key(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases);

/*
 * Returns the measured time of one iteration in seconds (published_memory: the measured memory in bytes); negative
 * where the row has none. Where the model is NULL, times that are rates of its work are not known either.
 */
double published_seconds(
	const struct published *row, const struct paradl_model *model, const struct device *device);
double published_memory(const struct published *row);
/* Reports whether the row measured its blocks alone, without embedding, head and optimizer. */
bool published_is_blocks(const struct published *row, const struct aliases *aliases);
/* Returns the seconds that the blocks, embedding and head of an estimate take. */
double published_block_s(const struct paradl_estimate *estimate);
/* Returns the part of the projected memory that the row's tool measures, in bytes. */
double published_projected_bytes(
	const struct published *row, const struct aliases *aliases, const struct paradl_estimate *estimate);

/* Builds the networks and machines that published rows describe in their columns. */

const struct paradl_model *library_published_model(
	struct library *library, const struct published *row, struct paradl_error *failure);
const struct paradl_machine *library_published_machine(
	struct library *library, const struct published *row, struct paradl_error *failure);

/* Adds the options that a row's words choose, and that its program has, to the name of the framework profile. */
bool published_options(struct library *library, struct measurement *measurement, struct paradl_error *error);
/*
 * Chooses the options of the plan that the row does not print, and lists them in row.incomplete; false when out of
 * memory.
 */
bool published_fill(struct library *library, struct paradl_oracle *oracle, struct measurement *measurement,
	struct paradl_error *error);

/*
 * Converts a table of training rates of one device to one of published results, with the same lines; leaves all
 * other tables as they are. Returns false when out of memory.
 */
bool rates_convert(struct paradl_arena *arena, struct csv *csv, struct paradl_error *error);

#endif
