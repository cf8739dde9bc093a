/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table of option rows describes every option of a program, once: the parser, --help, the shell
 * completions and the manual pages all read it.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include "base/arena.h"
#include "base/quantity.h"

enum option_kind {
	OPTION_FLAG,          /* bool */
	OPTION_TEXT,          /* const char * */
	OPTION_TEXTS,         /* struct option_texts: may be given several times */
	OPTION_OPTIONAL_TEXT, /* const char *: --name=VALUE, or --name VALUE by its ending; "" when alone */
	OPTION_COUNT,         /* double, whole: 256, 32k, 64Ki, 4B, 1e6 */
	OPTION_COUNTS,        /* struct option_counts: 64 or 8,16,24 or 4..1024 (doubling) or 4..64+4 */
	OPTION_CHOICE,        /* int: index into the choices */
	OPTION_RATIO,         /* double: 15% or 0.15 */
	OPTION_QUANTITY,      /* double in SI units: 25MB, 1h */
	OPTION_MONEY          /* struct option_money: 250k, 3M USD, 500 kUSD, 3e6 */
};

enum { OPTION_COUNTS_MAX = 256 };

struct option_counts { /* ascending, no value twice */
	double values[OPTION_COUNTS_MAX];
	size_t count;
};

struct option_money {
	double amount;
	char currency[4]; /* "USD"; "": none was typed */
};

enum { OPTION_TEXTS_MAX = 64 };

struct option_texts { /* each as typed, in the order of the command line */
	const char *items[OPTION_TEXTS_MAX];
	size_t count;
};

struct option_row {
	const char *name;
	const char *formerly;      /* an older spelling: understood, never offered; NULL: none */
	const char *formerly_unit; /* unit of older values, plain numbers: "d"; NULL: they are as now */
	char letter;               /* one-letter spelling; '\0': none */
	enum option_kind kind;
	size_t offset;        /* place of the value in the program's struct of values */
	size_t offset_letter; /* of a flag: place that its letter sets instead; 0: the same */
	size_t offset_tokens; /* of a count: place of "4M tokens"; 0: it cannot be in tokens */
	const char *argument; /* "N", "FILE"; NULL for a flag */
	const char *initial;  /* the default as it would be typed; NULL: none */
	double min, max;      /* range of numbers; both 0: any */
	enum dimension dimension;
	const char *(*choice)(size_t index); /* names of choices; NULL after the last */
	const char *completes; /* values that a shell may offer: "file", or a family that the program lists */
	const char *const *
		endings; /* of an optional text: endings by which the next argument is its value; NULL-terminated */
	const char *group;    /* heading in --help; NULL: not for people, so not listed */
	const char *commands; /* commands that have it: "advise estimate" */
	const char *help;
};

struct option_table {
	const struct option_row *rows;
	size_t count;
	const struct option_table *const *others; /* tables whose rows follow, up to NULL; may be NULL */
};

/* Returns the index-th row of a table and its others; NULL past the last. */
const struct option_row *option_at(const struct option_table *table, size_t index);

struct option_words {
	const char *const *items;
	size_t count;
};

/* A value that was typed, and the earlier one of the same option that it takes the place of; NULL: there is none, or the same. */
struct option_given {
	const struct option_row *row;
	const char *value, *before;
};

struct option_operands {
	const char **items;
	size_t count;
	const struct option_row **after;    /* of each: the option typed last before it, NULL: none */
	const struct option_row **outdated; /* rows whose older spelling was typed, each once */
	size_t outdated_count;
	struct option_given *given; /* of options that have one value */
	size_t given_count;
};

bool option_applies(const struct option_row *row, const char *command);
/*
 * Returns the row whose name, or else whose older spelling, is `name` (row->name tells which); NULL: there is none.
 */
const struct option_row *option_find(const struct option_table *table, const char *command, const char *name);

/*
 * Returns the option of a command that means what `name` means elsewhere: in another command, or in other programs. NULL:
 * there is none.
 */
const char *option_synonym(const struct option_table *table, const char *command, const char *name);

/* Stores one value as if it had been typed; false with an error. */
bool option_store(const struct option_row *row, const char *text, void *values, struct paradl_error *error);

/*
 * Stores the defaults, then the options of `typed` (without the names of program and command), into *values. Options
 * may stand anywhere; after "--" every argument is an operand, and so is a lone "-".
 */
bool option_parse(const struct option_table *table, const char *command, const struct option_words *typed,
	struct paradl_arena *arena, void *values, struct option_operands *operands,
	struct paradl_error *error);

/*
 * Parses a whole number of things: digits, fraction or exponent, then k M G T (thousands; B is G) or Ki Mi Gi Ti.
 * False: it is not one, or more than 9e15.
 */
bool option_count_parse(const char *text, size_t length, double *value);

#endif
