/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses command lines by a table of the options of a program; option_value.c reads their values. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/option.h"

enum { NAME_BYTES = 32 };

/* Returns whether a list of words has this one, all of it. */
static bool has_word(const char *words, const char *wanted)
{
	const size_t length = strlen(wanted);
	for (const char *word = words; *word;) {
		const size_t word_length = strcspn(word, " ");
		if (word_length == length && strncmp(word, wanted, length) == 0)
			return true;
		word += word_length + strspn(word + word_length, " ");
	}
	return false;
}

bool option_applies(const struct option_row *row, const char *command)
{
	return has_word(row->commands, command);
}

const struct option_row *option_at(const struct option_table *table, size_t index)
{
	const struct option_table *const *other = table->others;
	while (index >= table->count) {
		index -= table->count;
		if (!other || !*other)
			return NULL;
		table = *other++;
	}
	return &table->rows[index];
}

const struct option_row *option_find(const struct option_table *table, const char *command, const char *name)
{
	const struct option_row *row, *older = NULL;
	for (size_t i = 0; (row = option_at(table, i)); i++) {
		const bool is_older = row->formerly && strcmp(row->formerly, name) == 0;
		if ((!is_older && strcmp(row->name, name) != 0) || !option_applies(row, command))
			continue;
		if (!is_older)
			return row;
		older = row;
	}
	return older;
}

const char *option_synonym(const struct option_table *table, const char *command, const char *name)
{
	/* Words for one thing. Of those that a command has, the first is meant. */
	static const char *const words[] = {
		"gpus ranks devices num-gpus ngpus world-size nproc",
		"bytes size message-size",
		"hw machine hardware cluster system",
		"strategy plan parallelism",
		"strategies plans",
		"batch batch-size global-batch global-batch-size",
		"micro micro-batch micro-batch-size",
		"per-gpu per-device batch-per-gpu",
		"seq sequence sequence-length seq-length seq-len context-length max-model-len",
		"input-tokens prompt-tokens prompt-length input-len isl",
		"output-tokens answer-tokens output-length output-len osl",
		"rate qps request-rate requests-per-second",
		"precision dtype",
		"framework program engine backend",
		"set change override",
		"vary perturb",
		"top limit",
		"plot draw chart figure",
		"output out file",
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const struct option_row *row;
		if (!has_word(words[i], name))
			continue;
		for (size_t j = 0; (row = option_at(table, j)); j++)
			if (row->group && option_applies(row, command) && has_word(words[i], row->name))
				return row->name;
	}
	return NULL;
}

static const struct option_row *find_letter(
	const struct option_table *table, const char *command, char letter)
{
	const struct option_row *row;
	for (size_t i = 0; (row = option_at(table, i)); i++)
		if (row->letter == letter && option_applies(row, command))
			return row;
	return NULL;
}

struct parser {
	const struct option_table *table;
	const char *command;
	const struct option_words *typed;
	size_t next;
	struct paradl_arena *arena;
	void *values;
	struct option_operands *operands;
	struct paradl_error *error;
	const struct option_row *last;
};

/* Returns the commands that have an option, of all rows with its name; "": none has it. */
static const char *commands_with(const struct parser *parser, const char *name)
{
	const struct option_row *row;
	const char *commands = "";
	for (size_t i = 0; commands && (row = option_at(parser->table, i)); i++)
		if (strcmp(row->name, name) == 0)
			commands = arena_printf(
				parser->arena, "%s%s%s", commands, *commands ? " " : "", row->commands);
	return commands ? commands : "";
}

static bool unknown_option(const struct parser *parser, const char *name)
{
	size_t count = 0, all = 0;
	const struct option_row *row;
	while (option_at(parser->table, all))
		all++;
	const char **const names = arena_alloc(parser->arena, all, sizeof *names);
	if (!names)
		return out_of_memory(parser->error);
	for (size_t i = 0; (row = option_at(parser->table, i)); i++)
		if (option_applies(row, parser->command))
			names[count++] = row->name;
	const char *const same = option_synonym(parser->table, parser->command, name);
	const char *const near = same ? same : suggest(name, names, count);
	if (near)
		return error_set(parser->error, PARADL_USAGE,
			"unknown option '--%s' for %s; did you mean '--%s'?", name, parser->command, near);
	error_set(parser->error, PARADL_USAGE, "unknown option '--%s' for %s", name, parser->command);
	const char *const having = commands_with(parser, name);
	if (!*having)
		return error_hint(parser->error, "'paradl %s --help' lists the options", parser->command);
	return error_hint(parser->error, "'paradl %s --help' lists the options; these have --%s: %s",
		parser->command, name, having);
}

/*
 * Returns the value of an option that has none attached: the next argument, unless that is an option itself. NULL: an
 * error.
 */
static const char *next_value(struct parser *parser, const struct option_row *row)
{
	const char *const value =
		parser->next < parser->typed->count ? parser->typed->items[parser->next] : NULL;
	if (value && !(value[0] == '-' && value[1] == '-')) {
		parser->next++;
		return value;
	}
	error_set(parser->error, PARADL_USAGE, "--%s needs a value: --%s %s", row->name, row->name,
		row->argument);
	return NULL;
}

/*
 * Returns the next argument if its ending makes it an optional value, else "": --plot rank.png has one, --plot --json
 * has none.
 */
static const char *optional_value(struct parser *parser, const struct option_row *row)
{
	const char *const value =
		parser->next < parser->typed->count ? parser->typed->items[parser->next] : "";
	for (const char *const *ending = row->endings; ending && *ending; ++ending) {
		const size_t length = strlen(value), tail = strlen(*ending);
		if (length > tail && strcmp(value + length - tail, *ending) == 0) {
			parser->next++;
			return value;
		}
	}
	return "";
}

static void note_outdated(struct option_operands *operands, const struct option_row *row)
{
	for (size_t i = 0; i < operands->outdated_count; i++)
		if (operands->outdated[i] == row)
			return;
	operands->outdated[operands->outdated_count++] = row;
}

/* Notes the value of an option, and which earlier one it takes the place of. */
static void note_value(struct option_operands *operands, const struct option_row *row, const char *value)
{
	if (row->kind == OPTION_FLAG || row->kind == OPTION_TEXTS)
		return;
	const char *before = NULL;
	for (size_t i = 0; i < operands->given_count; ++i)
		if (operands->given[i].row == row)
			before = operands->given[i].value;
	const bool is_other = before && strcmp(before, value) != 0;
	operands->given[operands->given_count++] =
		(struct option_given){row, value, is_other ? before : NULL};
}

/*
 * Stores the value that is attached to an option or follows it; `unit` is the unit of values of its older spelling,
 * or NULL.
 */
static bool store_next(
	struct parser *parser, const struct option_row *row, const char *attached, const char *unit)
{
	if (!attached && row->kind == OPTION_OPTIONAL_TEXT)
		attached = optional_value(parser, row);
	else if (!attached)
		attached = row->kind == OPTION_FLAG ? "" : next_value(parser, row);
	if (attached && unit && !(attached = arena_printf(parser->arena, "%s %s", attached, unit)))
		return out_of_memory(parser->error);
	if (!attached || !option_store(row, attached, parser->values, parser->error))
		return false;
	note_value(parser->operands, row, attached);
	parser->last = row;
	return true;
}

static bool parse_long(struct parser *parser, const char *text)
{
	char name[NAME_BYTES];
	const size_t length = strcspn(text, "=");
	snprintf(name, sizeof name, "%.*s", (int)(length < NAME_BYTES ? length : NAME_BYTES - 1), text);
	const struct option_row *const row =
		length < NAME_BYTES ? option_find(parser->table, parser->command, name) : NULL;
	if (!row)
		return unknown_option(parser, name);
	if (row->kind == OPTION_FLAG && text[length])
		return error_set(parser->error, PARADL_USAGE, "--%s takes no value", name);
	if (row->kind == OPTION_OPTIONAL_TEXT && text[length] && !text[length + 1])
		return error_set(parser->error, PARADL_USAGE, "--%s= has nothing after the '='", name);
	const bool is_outdated = strcmp(row->name, name) != 0;
	if (is_outdated)
		note_outdated(parser->operands, row);
	return store_next(parser, row, text[length] ? text + length + 1 : NULL,
		is_outdated ? row->formerly_unit : NULL);
}

/* Parses options of one letter each: "-qv", "-o FILE", "-oFILE". */
static bool parse_letters(struct parser *parser, const char *letters)
{
	for (; *letters; letters++) {
		const struct option_row *const row = find_letter(parser->table, parser->command, *letters);
		if (!row) {
			error_set(parser->error, PARADL_USAGE, "unknown option '-%c' for %s",
				*letters >= ' ' && *letters <= '~' ? *letters : '?', parser->command);
			error_hint(parser->error, "'paradl %s --help' lists the options", parser->command);
			return false;
		}
		if (row->kind != OPTION_FLAG)
			return store_next(parser, row, letters[1] ? letters + 1 : NULL, NULL);
		*(bool *)((char *)parser->values +
			  (row->offset_letter > 0 ? row->offset_letter : row->offset)) = true;
	}
	return true;
}

static bool store_defaults(const struct parser *parser)
{
	const struct option_row *row;
	for (size_t i = 0; (row = option_at(parser->table, i)); i++)
		if (row->initial && option_applies(row, parser->command) &&
			!option_store(row, row->initial, parser->values, parser->error))
			return false;
	return true;
}

bool option_parse(const struct option_table *table, const char *command, const struct option_words *typed,
	struct paradl_arena *arena, void *values, struct option_operands *operands,
	struct paradl_error *error)
{
	struct parser parser = {table, command, typed, 0, arena, values, operands, error, NULL};
	bool options_end = false;
	*operands = (struct option_operands){
		.items = arena_alloc(arena, typed->count + 1, sizeof *operands->items),
		.after = arena_alloc(arena, typed->count + 1, sizeof(struct option_row *)),
		.outdated = arena_alloc(arena, typed->count + 1, sizeof(struct option_row *)),
		.given = arena_alloc(arena, typed->count + 1, sizeof *operands->given),
	};
	if (!operands->items || !operands->after || !operands->outdated || !operands->given)
		return out_of_memory(error);
	if (!store_defaults(&parser))
		return false;
	while (parser.next < typed->count) {
		const char *const argument = typed->items[parser.next++];
		if (options_end || argument[0] != '-' || !argument[1]) {
			operands->after[operands->count] = parser.last;
			operands->items[operands->count++] = argument;
		} else if (strcmp(argument, "--") == 0) {
			options_end = true;
		} else if (!(argument[1] == '-' ? parse_long(&parser, argument + 2)
						: parse_letters(&parser, argument + 1))) {
			return false;
		}
	}
	return true;
}
