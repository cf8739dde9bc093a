/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published training results, one row each: dimensions of the network, devices, degrees and options in columns of their
 * own; the second format of paradl-measured(5), told by its columns "gpu" and "layers".
 */
#ifndef VALIDATE_PUBLISHED_H
#define VALIDATE_PUBLISHED_H

#include "machine/machine.h"
#include "model/model.h"
#include "validate/aliases.h"
#include "validate/measured.h"

/* A word of a cell that says how the program ran. */
struct published_word {
	const char *column, *text;
	const char *options; /* of the program's profile: "flash+no-overlap-data" */
	const char *problem; /* NULL: it is understood */
};

enum { WORDS_MAX = 16 };

struct published {
	const char *id, *set, *kind, *model, *gpu, *precision, *recompute, *attention, *overlap, *dispatcher,
		*framework, *graphs, *primary, *flop_kind, *memory_kind, *complete, *source, *notes;
	const char *
		program; /* "FRAMEWORK; GPU; OVERLAP; NOTES": what aliases of frameworks and dispatchers fit */
	const char *setup;  /* "FRAMEWORK; OVERLAP; NOTES", what aliases of options fit */
	const char *origin; /* "SOURCE; NOTES": of clusters */
	struct published_word words[WORDS_MAX];
	size_t word_count;
	bool options_read; /* the words are in the name of the profile */
	/* 0: empty */
	double layers, hidden, heads, kv_heads, head_dim, ffn, gated, experts, top_k, moe_ffn, shared_ffn,
		tokens, vocabulary;
	double gpus, gpus_per_node, net_gbps;
	double tensor, pipeline, chunks, context, expert, data, zero, micro, batch;
	bool sequence, is_image;
	double iteration_s, tflops, mfu_percent, tokens_per_s, tokens_per_s_gpu, samples_per_s, memory_gib;
};

bool published_is(const struct csv *csv);
bool published_kind_is_known(const char *kind);
/* All rows, or those that are complete enough to be scored; *left_out: the others. */
bool published_read(struct paradl_arena *arena, const struct csv *csv, const struct paradl_lookup *lookup,
	const struct aliases *aliases, struct measurements *measurements, size_t *left_out,
	struct paradl_error *error);

/* The plan of a row; false with the reason in *failure where the columns are no plan. */
bool published_plan(struct published *row, const struct aliases *aliases, struct paradl_plan *plan,
	struct paradl_error *failure);

/* Adds a word of a column that was not understood, or is not modelled. */
void published_word_add(struct published *row, const struct published_word *word);
/* Fills in the words of a row; false when out of memory. */
bool published_words(struct paradl_arena *arena, const struct aliases *aliases, struct published *row);
/* The likely error of a projection, wider by options and words that had to be guessed. */
double published_error(const struct measurement *measurement, double error_share);
/* Says in the row which of its words were not understood. */
bool published_unread(struct paradl_arena *arena, struct measurement *measurement);
bool published_words_list(struct paradl_arena *arena, const struct measurement *list, size_t count,
	struct paradl_validation *validation, struct paradl_error *error);

/* The same for the same machine. */
const char *published_hw_key(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases);
/* The same for the same network. */
const char *published_model_key(
	struct paradl_arena *arena, const struct published *row, const struct aliases *aliases);

/*
 * What the row measured, in seconds of one iteration and in bytes; negative where it did not. model NULL: not known, and
 * so are times that are rates of its work.
 */
double published_seconds(
	const struct published *row, const struct paradl_model *model, const struct device *device);
double published_memory(const struct published *row);
/* Did the row measure its blocks alone, without embedding, head and optimizer? */
bool published_is_blocks(const struct published *row, const struct aliases *aliases);
/* Of an estimate, what its blocks (and embedding and head) take. */
double published_block_s(const struct paradl_estimate *estimate);
/* The part of the memory that the row measured. */
double published_projected_bytes(
	const struct published *row, const struct aliases *aliases, const struct paradl_estimate *estimate);

#endif
