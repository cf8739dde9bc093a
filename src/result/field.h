/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as tables. A *record* is a list of fields, one for each quantity of a result: its name, its kind, how it is read from the
 * structs of the answer, and one line that explains it. JSON, JSONL, CSV, columns of text, schemas and manual pages all follow from
 * these rows; NAME.def has those of a document, define.h says how a row is written.
 */
#ifndef RESULT_FIELD_H
#define RESULT_FIELD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "paradl.h"

enum field_kind {
	FIELD_TEXT,
	FIELD_CHOICE, /* text, one of a few words */
	FIELD_LIMIT,  /* text; for people with its share of the time */
	FIELD_FLAG,
	FIELD_COUNT,
	FIELD_AMOUNT, /* for people 300 G */
	FIELD_NUMBER, /* of any other unit */
	FIELD_PERCENT,
	FIELD_SECONDS,
	FIELD_BYTES,
	FIELD_FACTOR,
	FIELD_SHARE,
	FIELD_RATE, /* bytes per second */
	FIELD_FLOP_RATE,
	FIELD_WATT,
	FIELD_JOULE,
	FIELD_MONEY,
	FIELD_BAR,     /* a drawing, for people only */
	FIELD_PART,    /* members of another record, put in here */
	FIELD_OBJECT,  /* another record */
	FIELD_LIST,    /* any number of another record */
	FIELD_MAP,     /* the same, each under a key */
	FIELD_TEXTS,   /* any number of texts */
	FIELD_NUMBERS, /* any number of numbers */
	FIELD_VALUES   /* texts or numbers */
};

enum field_use { FOR_ALL, FOR_JSON, FOR_TABLES, FOR_PEOPLE };

/* What is read; row: of objects, parts and items of a list. Unknown: text or row NULL, a number negative (NaN where it may be). */
struct field_value {
	const char *text;
	double number;
	const void *row;
	bool absent; /* the member is not there at all; in tables, the cell is empty */
};

enum { SCRATCH_BYTES = 1024 };

struct report_head;

/* One writing of a document. */
struct result_context {
	const void *document;
	const struct report_head *head; /* of the document */
	struct paradl_arena *arena;
	bool out_of_memory; /* what was written is not to be trusted */
	char *scratch;      /* SCRATCH_BYTES for a text that is used before the next is read */
};

/* Where a field is read: a row of the document, the row that holds it, and its place among the items there. */
struct result_at {
	struct result_context *in;
	const void *row;
	const struct result_at *parent;
	size_t index;
};

struct result_record;

struct result_field {
	const char *name; /* of a column; without `path`, of a member */
	enum field_kind kind;
	struct field_value (*get)(const struct result_at *at);
	/* Of lists: reads one item; false: there are no more. */
	bool (*item)(const struct result_at *at, size_t index, struct field_value *value);
	const struct result_record *record;     /* of parts, objects, lists, maps */
	const char *(*choice)(unsigned choice); /* of a choice: its words, NULL after the last */
	const char *doc;
	/* What follows is named where a row has it. */
	const char *path;    /* of the member in JSON: "memory.weights_bytes" */
	const char *unknown; /* when there is no value: "the model names no data set" */
	const char *title;   /* of a column for people */
	enum field_use use;
	bool optional; /* the member may be absent */
	bool negative; /* the number may be */
	/* Of a column for people. */
	int drop;         /* the highest goes first when the table is too wide; 0 stays */
	size_t least;     /* text may be cut to this width before the column goes; 0: never cut */
	bool if_any;      /* the column is there only where a row has something in it */
	bool dash;        /* 0, and a text that is not there, are "-" */
	bool sign;        /* "+" in front of what is not negative */
	bool exact;       /* bytes: 64 KiB where that is exact */
	int digits;       /* of shares, factors and numbers: after the point; 0: as is usual */
	const char *unit; /* of a number: the field that has its unit */
};

struct result_record {
	const char *name, *doc;
	const struct result_field *fields;
	size_t count;
};

enum { COLUMNS_MAX = 96 };

/* A list as a table: a field of kind FIELD_LIST, and the row that has it. */
struct result_rows {
	const struct result_field *list;
	const void *row;
	const struct result_field *columns[COLUMNS_MAX]; /* of a table; none: all that the record has */
	size_t column_count;
};

/* A document: what one command answers. */
struct result_document {
	const char *schema, *title, *doc; /* "paradl-io-1", "paradl io --json: ways to feed plans" */
	const struct result_record *record;
	const struct result_record *table; /* the usual rows, as a manual page describes them */
	/* What of the document is a table, for CSV (is_table), or one object per line. */
	struct result_rows (*rows)(const void *document, bool is_table);
};

#define X(id) extern const struct result_document document_##id;
#include "result/documents.def"
#undef X
extern const struct result_document *const result_documents[]; /* NULL-terminated */
/* Returns the document of a name: "io" of paradl-io-1, or NULL. */
const struct result_document *result_document_find(const char *name);

#define FIELD_ABSENT (-HUGE_VAL)  /* a number that is not there */
extern const char field_absent[]; /* a text that is not there */

/* Returns the field of a record with this name, or NULL. */
const struct result_field *record_field(const struct result_record *record, const char *name);
bool field_is_text(const struct result_field *field);
bool field_is_column(const struct result_field *field); /* of tables that programs read */
bool field_is_number(const struct result_field *field); /* flags too */
/* Reads a field; `absent` is set for FIELD_ABSENT and field_absent. */
struct field_value field_read(const struct result_field *field, const struct result_at *at);
/* Returns true where there is no value to write: null in JSON, an empty cell in a table. */
bool field_unknown(const struct result_field *field, const struct field_value *value);

/* Returns the value, or -1, which is unknown, where it is not positive. */
double field_positive(double value);
/* Returns memory for a row that an item is made of, or NULL once memory has run out. */
void *field_store(const struct result_at *at, size_t size);
/* Returns a plan as text, which the next call overwrites. */
const char *field_plan(const struct result_at *at, const struct paradl_plan *plan);

/* Calls `visit` for each field of a record that has a column, members of parts included; false ends it. */
typedef bool (*field_visit)(void *context, const struct result_field *field, const struct result_at *at);
bool record_visit(
	const struct result_record *record, const struct result_at *at, field_visit visit, void *context);

#endif
