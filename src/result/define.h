/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes records of the rows in the file that RECORDS names. The file is read twice: for the functions that read each
 * field, then for the tables of fields. NAMES is a word that names of those functions have, so that a source can make
 * records of several files. A row looks like this:
 *
 *	SECONDS(iteration_s, r->iteration_s, "Time of an iteration.", .title = "iteration")
 *
 * It has the kind of the field, its name, the expression that gives its value (r: the row; d: the document; head: the
 * document's head; at: all of them, and the place), one line that explains the field, and further members of struct
 * result_field by name. Rows stand between RECORD and END. ROW is the type of r, DOCUMENT that of d, and fields are
 * absent where GUARD is false.
 *
 *	OBJECT(name, record, pointer, doc)          another record, or null
 *	PART(name, record, pointer)                 its members, inserted here
 *	LIST(name, record, pointer, count, doc)     items of an array
 *	EACH(name, record, function, doc)           items that a function gives one by one (see struct
 *	                                            result_field); GUARD may use `name`
 *	MAP(name, record, function, doc)            likewise, each with a key as its text
 *	EACH_TEXT(name, function, doc), VALUES(...) likewise, texts, and texts or numbers
 *	COLUMN(kind, name, doc)                     a column for people whose cells the report makes
 *	OBJECTS(name, doc)                          objects whose members the command chooses, written by its own code
 *	TEXTS(name, text, count, doc)               texts; i is the index in `text`
 *	NUMBERS(name, number, count, doc)           numbers
 */
#include "result/documents.h"
#include "result/field.h"

#define RESULT_PASTE(a, b, c) a##b##_##c
#define RESULT_NAME(a, b, c)  RESULT_PASTE(a, b, c)
#define RESULT_GET            RESULT_NAME(get_, NAMES, __LINE__)
#define RESULT_ITEM           RESULT_NAME(item_, NAMES, __LINE__)
#define RESULT_CHOICE         RESULT_NAME(choice_, NAMES, __LINE__)
#define RESULT_BIND                                                                                          \
	const ROW *const r = at->row;                                                                        \
	const DOCUMENT *const d = at->in->document;                                                          \
	const struct report_head *const head = at->in->head;                                                 \
	(void)head;                                                                                          \
	(void)r;                                                                                             \
	(void)d;

#define COUNT(...)     QUANTITY(FIELD_COUNT, __VA_ARGS__)
#define AMOUNT(...)    QUANTITY(FIELD_AMOUNT, __VA_ARGS__)
#define NUMBER(...)    QUANTITY(FIELD_NUMBER, __VA_ARGS__)
#define SECONDS(...)   QUANTITY(FIELD_SECONDS, __VA_ARGS__)
#define BYTES(...)     QUANTITY(FIELD_BYTES, __VA_ARGS__)
#define FACTOR(...)    QUANTITY(FIELD_FACTOR, __VA_ARGS__)
#define SHARE(...)     QUANTITY(FIELD_SHARE, __VA_ARGS__)
#define PERCENT(...)   QUANTITY(FIELD_PERCENT, __VA_ARGS__)
#define RATE(...)      QUANTITY(FIELD_RATE, __VA_ARGS__)
#define FLOP_RATE(...) QUANTITY(FIELD_FLOP_RATE, __VA_ARGS__)
#define WATT(...)      QUANTITY(FIELD_WATT, __VA_ARGS__)
#define JOULE(...)     QUANTITY(FIELD_JOULE, __VA_ARGS__)
#define MONEY(...)     QUANTITY(FIELD_MONEY, __VA_ARGS__)
#define FLAG(...)      QUANTITY(FIELD_FLAG, __VA_ARGS__)
#define TEXT(...)      WORDS(FIELD_TEXT, __VA_ARGS__)
#define LIMIT(...)     WORDS(FIELD_LIMIT, __VA_ARGS__)

/* The first pass makes the functions. */
#define RECORD(record_name, record_doc) extern const struct result_record record_##record_name;
#define END(record_name)
#define QUANTITY(field_kind, field_name, value, ...)                                                         \
	static struct field_value RESULT_GET(const struct result_at *at) {                                   \
		RESULT_BIND                                                                                  \
		if (!(GUARD))                                                                                \
			return (struct field_value){.absent = true};                                         \
		return (struct field_value){.number = (double)(value)};                                      \
	}
#define WORDS(field_kind, field_name, value, ...)                                                            \
	static struct field_value RESULT_GET(const struct result_at *at) {                                   \
		RESULT_BIND                                                                                  \
		if (!(GUARD))                                                                                \
			return (struct field_value){.absent = true};                                         \
		return (struct field_value){.text = (value)};                                                \
	}
#define CHOICE(field_name, names, names_count, value, ...)                                                   \
	WORDS(FIELD_CHOICE, field_name, value, __VA_ARGS__)                                                  \
	static const char *RESULT_CHOICE(unsigned i)                                                         \
	{                                                                                                    \
		return i < (unsigned)(names_count) ? names(i) : NULL;                                        \
	}
#define OBJECT(field_name, object_record, pointer, ...)                                                      \
	static struct field_value RESULT_GET(const struct result_at *at) {                                   \
		RESULT_BIND                                                                                  \
		if (!(GUARD))                                                                                \
			return (struct field_value){.absent = true};                                         \
		return (struct field_value){.row = (pointer)};                                               \
	}
#define PART(field_name, object_record, pointer) OBJECT(field_name, object_record, pointer, )
#define RESULT_PRESENCE                                                                                      \
	static struct field_value RESULT_GET(const struct result_at *at) {                                   \
		RESULT_BIND                                                                                  \
		return (struct field_value){.absent = !(GUARD)};                                             \
	}
#define LIST(field_name, item_record, array, array_count, ...)                                               \
	RESULT_PRESENCE                                                                                      \
	static bool RESULT_ITEM(const struct result_at *at, size_t i, struct field_value *value)             \
	{                                                                                                    \
		RESULT_BIND                                                                                  \
		if (i >= (size_t)(array_count))                                                              \
			return false;                                                                        \
		value->row = &(array)[i];                                                                    \
		return true;                                                                                 \
	}
#define EACH(field_name, ...)                                                                                \
	static struct field_value RESULT_GET(const struct result_at *at) {                                   \
		RESULT_BIND                                                                                  \
		const char *const name = #field_name;                                                        \
		(void)name;                                                                                  \
		return (struct field_value){.absent = !(GUARD)};                                             \
	}
#define MAP(...)       RESULT_PRESENCE
#define VALUES(...)    RESULT_PRESENCE
#define EACH_TEXT(...) RESULT_PRESENCE
#define OBJECTS(...)   RESULT_PRESENCE
#define BAR(...)
#define COLUMN(...)
#define TEXTS(field_name, one, item_count, ...)                                                              \
	RESULT_PRESENCE                                                                                      \
	static bool RESULT_ITEM(const struct result_at *at, size_t i, struct field_value *value)             \
	{                                                                                                    \
		RESULT_BIND                                                                                  \
		if (i >= (size_t)(item_count))                                                               \
			return false;                                                                        \
		value->text = (one);                                                                         \
		return true;                                                                                 \
	}
#define NUMBERS(field_name, one, item_count, ...)                                                            \
	RESULT_PRESENCE                                                                                      \
	static bool RESULT_ITEM(const struct result_at *at, size_t i, struct field_value *value)             \
	{                                                                                                    \
		RESULT_BIND                                                                                  \
		if (i >= (size_t)(item_count))                                                               \
			return false;                                                                        \
		value->number = (double)(one);                                                               \
		return true;                                                                                 \
	}
#include RECORDS

/* The second pass makes the tables. */
#undef DOCUMENT
#undef GUARD
#undef ROW
#undef RECORD
#undef END
#undef QUANTITY
#undef WORDS
#undef CHOICE
#undef OBJECT
#undef PART
#undef LIST
#undef EACH
#undef MAP
#undef VALUES
#undef EACH_TEXT
#undef OBJECTS
#undef BAR
#undef COLUMN
#undef TEXTS
#undef NUMBERS
#define RECORD(record_name, record_doc)                                                                      \
	static const char doc_##record_name[] = record_doc;                                                  \
	static const struct result_field fields_##record_name[] = {
#define END(record_name)                                                                                     \
	}                                                                                                    \
	;                                                                                                    \
	const struct result_record record_##record_name = {#record_name, doc_##record_name,                  \
		fields_##record_name, sizeof fields_##record_name / sizeof fields_##record_name[0]};
#define QUANTITY(field_kind, field_name, value, ...)                                                         \
	{.name = #field_name, .kind = field_kind, .get = RESULT_GET, .doc = __VA_ARGS__},
#define WORDS(field_kind, field_name, value, ...)                                                            \
	{.name = #field_name, .kind = field_kind, .get = RESULT_GET, .doc = __VA_ARGS__},
#define CHOICE(field_name, names, names_count, value, ...)                                                   \
	{.name = #field_name,                                                                                \
		.kind = FIELD_CHOICE,                                                                        \
		.get = RESULT_GET,                                                                           \
		.choice = RESULT_CHOICE,                                                                     \
		.doc = __VA_ARGS__},
#define OBJECT(field_name, object_record, pointer, ...)                                                      \
	{.name = #field_name,                                                                                \
		.kind = FIELD_OBJECT,                                                                        \
		.get = RESULT_GET,                                                                           \
		.record = &record_##object_record,                                                           \
		.doc = __VA_ARGS__},
#define PART(field_name, object_record, pointer)                                                             \
	{.name = #field_name, .kind = FIELD_PART, .get = RESULT_GET, .record = &record_##object_record},
#define LIST(field_name, item_record, array, array_count, ...)                                               \
	{.name = #field_name,                                                                                \
		.kind = FIELD_LIST,                                                                          \
		.get = RESULT_GET,                                                                           \
		.item = RESULT_ITEM,                                                                         \
		.record = &record_##item_record,                                                             \
		.doc = __VA_ARGS__},
#define EACH(field_name, item_record, function, ...)                                                         \
	{.name = #field_name,                                                                                \
		.kind = FIELD_LIST,                                                                          \
		.get = RESULT_GET,                                                                           \
		.item = function,                                                                            \
		.record = &record_##item_record,                                                             \
		.doc = __VA_ARGS__},
#define MAP(field_name, item_record, function, ...)                                                          \
	{.name = #field_name,                                                                                \
		.kind = FIELD_MAP,                                                                           \
		.get = RESULT_GET,                                                                           \
		.item = function,                                                                            \
		.record = &record_##item_record,                                                             \
		.doc = __VA_ARGS__},
#define VALUES(field_name, function, ...)                                                                    \
	{.name = #field_name, .kind = FIELD_VALUES, .get = RESULT_GET, .item = function, .doc = __VA_ARGS__},
#define TEXTS(field_name, one, item_count, ...)                                                              \
	{.name = #field_name,                                                                                \
		.kind = FIELD_TEXTS,                                                                         \
		.get = RESULT_GET,                                                                           \
		.item = RESULT_ITEM,                                                                         \
		.doc = __VA_ARGS__},
#define NUMBERS(field_name, one, item_count, ...)                                                            \
	{.name = #field_name,                                                                                \
		.kind = FIELD_NUMBERS,                                                                       \
		.get = RESULT_GET,                                                                           \
		.item = RESULT_ITEM,                                                                         \
		.doc = __VA_ARGS__},
#define EACH_TEXT(field_name, function, ...)                                                                 \
	{.name = #field_name, .kind = FIELD_TEXTS, .get = RESULT_GET, .item = function, .doc = __VA_ARGS__},
#define OBJECTS(field_name, ...)                                                                             \
	{.name = #field_name, .kind = FIELD_LIST, .get = RESULT_GET, .doc = __VA_ARGS__},
#define COLUMN(field_kind, field_name, ...)                                                                  \
	{.name = #field_name, .kind = FIELD_##field_kind, .use = FOR_PEOPLE, .doc = __VA_ARGS__},
#define BAR(field_name, ...) {.name = #field_name, .kind = FIELD_BAR, .use = FOR_PEOPLE, .doc = __VA_ARGS__},
#include RECORDS

/* Nothing of this is left for the next file. */
#undef NAMES
#undef RECORDS
#undef DOCUMENT
#undef GUARD
#undef ROW
#undef RESULT_PASTE
#undef RESULT_NAME
#undef RESULT_GET
#undef RESULT_ITEM
#undef RESULT_CHOICE
#undef RESULT_BIND
#undef COUNT
#undef AMOUNT
#undef NUMBER
#undef SECONDS
#undef BYTES
#undef FACTOR
#undef SHARE
#undef PERCENT
#undef RATE
#undef FLOP_RATE
#undef WATT
#undef JOULE
#undef MONEY
#undef FLAG
#undef TEXT
#undef LIMIT
#undef RECORD
#undef END
#undef QUANTITY
#undef WORDS
#undef CHOICE
#undef OBJECT
#undef PART
#undef RESULT_PRESENCE
#undef LIST
#undef EACH
#undef MAP
#undef VALUES
#undef EACH_TEXT
#undef OBJECTS
#undef BAR
#undef COLUMN
#undef TEXTS
#undef NUMBERS
