/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Golden numbers: a large sample of questions that a seed decides, and every number of their answers. Blocks of some
 * hundred questions of one kind are hashed, so that a change of the engine shows which kind of answer it moved.
 */
#ifndef TESTS_GOLDEN_GOLDEN_H
#define TESTS_GOLDEN_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

#include "paradl/oracle.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- draw.c: random numbers, the same on every platform --------------------------------------------------------- */

/*
 * splitmix64 (Steele, Lea, Flood 2014). Operands and arguments are evaluated in an order that compilers choose: no
 * expression draws twice.
 */
struct draw {
	uint64_t state;
};

struct draw draw_begin(const char *kind, unsigned block, unsigned subject, unsigned question);
unsigned draw_between(struct draw *draw, unsigned low, unsigned high);
bool draw_chance(struct draw *draw, unsigned percent);
double draw_real(struct draw *draw, double low, double high);
/* Returns 1, 2, 4, ..., at most `most`. */
unsigned draw_power(struct draw *draw, unsigned most);

#define DRAW_FROM(draw, array)             ((array)[draw_between((draw), 0, (unsigned)COUNT(array) - 1)])
#define DRAW_FROM_LIST(draw, array, count) ((array)[draw_between((draw), 0, (count)-1)])

/* ---- text.c: answers as text, a line for each quantity ----------------------------------------------------------- */

struct text {
	char *bytes;
	size_t length, room;
	char id[48], prefix[64]; /* of lines: "images-3/17 "; of names: "layer[2]." */
	unsigned questions, answered;
};

void text_append(struct text *text, const char *bytes, size_t length);
/* Begins the next question of a block. */
void text_question(struct text *text, const char *block, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void text_prefix(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_prefix_end(struct text *text);
void text_number(struct text *text, const char *name, double value);
void text_word(struct text *text, const char *name, const char *value);
void text_refusal(struct text *text, const char *name, const struct paradl_error *error);

/* Writes a member of a structure under its own name. */
#define NUMBER(text, of, field) text_number((text), #field, (double)(of)->field)

/* ---- inputs.c: models and machines, loaded once for each thread ---------------------------------------------------- */

enum { MODELS_MOST = 40, MACHINES_MOST = 40, FRAMEWORKS_MOST = 40 };

struct inputs {
	struct paradl_arena *arena;
	const struct paradl_model *models[MODELS_MOST];
	const struct paradl_machine *machines[MACHINES_MOST];
	const struct paradl_framework *frameworks[FRAMEWORKS_MOST];
};

extern const char *const image_models[],
	*const token_models[], *const small_models[], *const machine_names[],
							      *const routed_machines[],
								      *const framework_names[];
extern const unsigned image_model_count, token_model_count, small_model_count, machine_count, routed_count,
	framework_count;

const struct paradl_model *inputs_model(struct inputs *inputs, const char *name);
const struct paradl_machine *inputs_machine(struct inputs *inputs, const char *name);
const struct paradl_framework *inputs_framework(struct inputs *inputs, const char *name);

/* ---- subject.c: an oracle for many questions ------------------------------------------------------------------------ */

/* What a block asks about. */
struct asking {
	struct inputs *inputs;
	struct text *text;
	unsigned threads; /* of searches */
	const char *kind;
	unsigned block; /* from 1 */
	char name[32];  /* "images-3" */
};

enum networks { NETWORK_IMAGES, NETWORK_TOKENS, NETWORK_ANY, NETWORK_SMALL };

struct subject {
	const char *model_name, *machine_name, *framework_name; /* framework_name "": the machine's */
	const struct paradl_model *model;
	struct paradl_model_info info;
	unsigned devices; /* of the machine */
	unsigned dimensions;
	bool tokens;
	struct paradl_options options;
	struct paradl_input_options input; /* what options.input points to, if anything */
	char options_text[192];
	struct paradl_arena *arena;
	struct paradl_oracle *oracle; /* NULL: refused, `error` says why */
	struct paradl_error error;
};

enum subject_flags {
	SUBJECT_OPTIONS = 1,
	SUBJECT_IDEAL = 2,
	SUBJECT_INFERENCE = 4,
	SUBJECT_INPUT = 8,
	SUBJECT_SMALL_MACHINE = 16
};
/* Makes the oracle of questions; to be ended by freeing its arena. */
void subject_begin(struct subject *subject, const struct asking *asking, struct draw *draw, unsigned index,
	enum networks network, unsigned flags);
/* Begins a question about the subject, with what is drawn besides. */
void subject_question(const struct subject *subject, const struct asking *asking, const char *rest);
void input_options_draw(struct draw *draw, struct paradl_input_options *input, char *words, size_t size);

/* ---- plans.c --------------------------------------------------------------------------------------------------------- */

/* Draws degrees that a network mostly has, in any order; with options the rest of a plan, too. */
void plan_draw(struct draw *draw, const struct subject *subject, bool options, struct paradl_plan *plan);
/* Draws degrees that multiply to so many devices, and what a part of a network may have of options. */
void part_plan_draw(
	struct draw *draw, const struct subject *subject, unsigned devices, struct paradl_plan *plan);
/* Draws what a plan of given degrees may have besides. */
void plan_options_draw(struct draw *draw, const struct subject *subject, struct paradl_plan *plan);
/* Returns a product of degrees, those along which weights are replicated. */
unsigned plan_replicas_of(const struct paradl_plan *plan);

/* ---- tell*.c: all numbers of an answer -------------------------------------------------------------------------------- */

void tell_plan(struct text *text, const struct paradl_plan *plan);
void tell_estimate(struct text *text, const struct paradl_estimate *estimate);
void tell_power(
	struct text *text, const struct paradl_oracle *oracle, const struct paradl_estimate *estimate);
void tell_input(struct text *text, const struct paradl_input *input);
/* What is asked about a plan besides its estimate: layers, terms, timeline, power, price, input, remedy. */
void tell_more(struct text *text, const struct subject *subject, const struct paradl_estimate *estimate);
void tell_explanation(struct text *text, const struct paradl_explanation *explanation);

/* ---- ask_*.c: the questions of a block -------------------------------------------------------------------------------- */

void ask_images(const struct asking *asking, unsigned questions);
void ask_images_options(const struct asking *asking, unsigned questions);
void ask_tokens(const struct asking *asking, unsigned questions);
void ask_tokens_options(const struct asking *asking, unsigned questions);
void ask_ideal(const struct asking *asking, unsigned questions);
void ask_inference_images(const struct asking *asking, unsigned questions);
void ask_inference_tokens(const struct asking *asking, unsigned questions);
void ask_layered_images(const struct asking *asking, unsigned questions);
void ask_layered_tokens(const struct asking *asking, unsigned questions);
void ask_collectives(const struct asking *asking, unsigned questions);
void ask_io(const struct asking *asking, unsigned questions);
void ask_hide(const struct asking *asking, unsigned questions);
void ask_federate(const struct asking *asking, unsigned questions);
void ask_runs(const struct asking *asking, unsigned questions);
void ask_uncertainty(const struct asking *asking, unsigned questions);
void ask_advise(const struct asking *asking, unsigned questions);
void ask_search(const struct asking *asking, unsigned questions);
void ask_search_all(const struct asking *asking, unsigned questions);
void ask_search_layers(const struct asking *asking, unsigned questions);

/* ---- blocks.c ----------------------------------------------------------------------------------------------------------- */

struct kind {
	const char *name;
	unsigned blocks, questions; /* of each block */
	void (*ask)(const struct asking *asking, unsigned questions);
};

struct block {
	const struct kind *kind;
	unsigned number; /* from 1 */
	char name[32];
	struct text text; /* of its answers; freed once hashed unless it is kept */
	uint64_t hash;
	bool wanted;
};

enum { BLOCKS_MOST = 80 };
struct blocks {
	struct block items[BLOCKS_MOST];
	unsigned count, threads;
	bool keeps; /* texts, not only their hashes */
};

void blocks_list(struct blocks *blocks);
/* Marks a block, or all of a kind; false: there is none of this name. */
bool blocks_want(struct blocks *blocks, const char *name);
/* Marks the first block of each kind. */
void blocks_want_first(struct blocks *blocks);
void blocks_run(struct blocks *blocks);
/* Returns a hash of values of libm, whose last bits differ between versions and processors. */
uint64_t fingerprint(void);
uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length);
#define HASH_BEGIN 0xcbf29ce484222325U

/* ---- compare.c ----------------------------------------------------------------------------------------------------------- */

/* Compares with a print of another version; returns how many quantities differ by more than `within`, negative: unreadable. */
long compare_file(struct blocks *blocks, const char *path, double within);

/* Ends the program. */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
