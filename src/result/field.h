/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes results as tables. A *record* is a list of fields, one for each quantity of a result. A field has a name,
 * a kind, a function that reads it from the structs of the answer, and one line that explains it. JSON, JSONL, CSV,
 * columns of text, schemas and manual pages all follow from these rows. NAME.def has the rows of a document, and
 * define.h says how a row is written.
 */
#ifndef RESULT_FIELD_H
#define RESULT_FIELD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "paradl/oracle.h"

enum field_kind {
	FIELD_TEXT,
	FIELD_CHOICE, /* text, one of a few words */
	FIELD_LIMIT,  /* text, which people see with its share of the time */
	FIELD_FLAG,
	FIELD_COUNT,
	FIELD_AMOUNT, /* count, which people see as 300 G */
	FIELD_NUMBER, /* number of any other unit */
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
	FIELD_PART,    /* members of another record, inserted here */
	FIELD_OBJECT,  /* another record */
	FIELD_LIST,    /* any number of another record */
	FIELD_MAP,     /* any number of another record, each under a key */
	FIELD_TEXTS,   /* any number of texts */
	FIELD_NUMBERS, /* any number of numbers */
	FIELD_VALUES   /* any number of texts or numbers */
};

/* The outputs that have a field; FOR_TABLES: tables that programs read. */
enum field_use { FOR_ALL, FOR_JSON, FOR_TABLES, FOR_PEOPLE };

/*
 * The value of a field: a text, a number, or the row of an object, a part or an item of a list. It is unknown where
 * the text or the row is NULL or the number negative (NaN, where numbers may be negative).
 */
struct field_value {
	const char *text;
	double number;
	const void *row;
	bool absent; /* whether the member is not there at all; in tables, the cell is empty */
};

enum { SCRATCH_BYTES = 1024 };

struct report_head;

/* The state while a document is written once. */
struct result_context {
	const void *document;
	const struct report_head *head; /* head of the document */
	struct paradl_arena *arena;
	bool out_of_memory; /* whether memory ran out, so that the output is not to be trusted */
	char *scratch;      /* SCRATCH_BYTES for a text that is used before the next is read */
};

/*
 * The place at which a field is read: a row of the document, the row that holds it, and its index among the items
 * there.
 */
struct result_at {
	struct result_context *in;
	const void *row;
	const struct result_at *parent;
	size_t index;
};

struct result_record;

/* A field of a record. */
struct result_field {
	const char *name; /* name of the column and, without `path`, of the member */
	enum field_kind kind;
	struct field_value (*get)(const struct result_at *at);
	/* Reads one item of a list, a map, texts, numbers or values; false: there are no more. */
	bool (*item)(const struct result_at *at, size_t index, struct field_value *value);
	const struct result_record *record;     /* record of a part, an object, or items of a list or map */
	const char *(*choice)(unsigned choice); /* words of a choice, NULL after the last */
	const char *doc;
	/* The members below are optional; rows set them by name. */
	const char *path;    /* path of the member in JSON: "memory.weights_bytes" */
	const char *unknown; /* reason why there may be no value: "the model names no data set" */
	const char *title;   /* title of the column for people */
	enum field_use use;
	bool optional; /* whether the member may be absent */
	bool negative; /* whether the number may be negative */
	/* The members below are for columns that people read. */
	int drop; /* order in which columns are dropped from a table that is too wide, highest first; 0: never */
	size_t least;     /* width to which text may be cut before the column is dropped; 0: never cut */
	bool if_any;      /* whether the column is left out where all its cells are empty */
	bool dash;        /* whether 0, or a text that is not there, is "-" */
	bool sign;        /* whether numbers that are not negative have a "+" */
	bool exact;       /* whether bytes are in binary units, 64 KiB, where that is exact */
	int digits;       /* digits after the point of shares, factors and numbers; 0: the usual ones */
	const char *unit; /* name of the field that has the unit of a number */
};

/* A list of fields. */
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
	const struct result_field *columns[COLUMNS_MAX]; /* columns of a table; none: all of the record */
	size_t column_count;
};

/* A document, which is the answer of one command. */
struct result_document {
	const char *schema, *title, *doc; /* "paradl-io-1", "paradl io --json: ways to feed plans" */
	const struct result_record *record;
	const struct result_record *table; /* record of the usual rows, as a manual page describes them */
	/* Returns the list of the document that is written as a table (is_table: CSV), or as one object per line. */
	struct result_rows (*rows)(const void *document, bool is_table);
};

#define X(id) extern const struct result_document document_##id;
#include "result/documents.def"
#undef X
extern const struct result_document *const result_documents[]; /* NULL-terminated */
/* Returns the document of a name: "io" of paradl-io-1, or NULL. */
const struct result_document *result_document_find(const char *name);

#define FIELD_ABSENT (-HUGE_VAL)  /* stands for a number that is not there */
extern const char field_absent[]; /* stands for a text that is not there */

/* Returns the field of a record with this name, or NULL. */
const struct result_field *record_field(const struct result_record *record, const char *name);
bool field_is_text(const struct result_field *field);
/* Returns whether the field is a column of tables that programs read. */
bool field_is_column(const struct result_field *field);
/* Returns whether the field is a number or a flag. */
bool field_is_number(const struct result_field *field);
/* Reads a field; sets `absent` for FIELD_ABSENT and field_absent. */
struct field_value field_read(const struct result_field *field, const struct result_at *at);
/* Returns true where there is no value to write: null in JSON, an empty cell in a table. */
bool field_unknown(const struct result_field *field, const struct field_value *value);

/* Returns the value, or -1, which is unknown, where it is not positive. */
double field_positive(double value);
/* Returns memory for the row of an item; NULL when out of memory, which the context then says. */
void *field_store(const struct result_at *at, size_t size);
/* Returns a plan as text, which the next call overwrites. */
const char *field_plan(const struct result_at *at, const struct paradl_plan *plan);

/* Handles one field; returning false ends the visit. */
typedef bool (*field_visit)(void *context, const struct result_field *field, const struct result_at *at);
/* Visits each field of a record, members of parts included. Returns false once `visit` has. */
bool record_visit(
	const struct result_record *record, const struct result_at *at, field_visit visit, void *context);

/* The document of paradl list, as a table: all models, machines and the like, or the layers of a model. */

/* Files in listings. Only the name is known of one that cannot be read. */
struct listed_model {
	const char *name, *path;
	struct paradl_model_info info;
};
struct listed_dataset {
	const char *name;
	struct paradl_dataset_info info;
};
struct listed_machine {
	const char *name, *path;
	struct paradl_machine_info info;
};
struct listed_device {
	const char *name;
	struct paradl_device_info info;
};
struct listed_framework {
	const char *name, *path;
	struct paradl_framework_info info;
};

struct listed_picture {
	const char *name, *commands, *summary;
};
struct listed_topology {
	const char *name, *shape, *keys, *summary, *source;
};

/* A listing of rows of one kind. */
struct report_listing {
	const char *what;                      /* key of the rows: "models" */
	const struct paradl_model_info *model; /* model whose layers are listed, else NULL */
	const void *rows;                      /* array of the type that the record of the key reads */
	size_t row_bytes, row_count;
};

/* Returns the record of a row. */
const struct result_record *listing_record(const struct report_listing *listing);
/* Returns the value of a field in row `row`; absent where there is no such row. */
struct field_value listing_value(
	const struct report_listing *listing, const struct result_field *field, size_t row);

#endif
