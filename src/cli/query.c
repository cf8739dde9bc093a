/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions as JSON. A question is a command with its options as members, in the same words; it becomes the command
 * line that asks the same, so that both have one meaning and one answer. A question may hold files, as objects.
 */
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/names.h"
#include "base/quantity.h"
#include "cli/output.h"

enum { NAME_BYTES = 64, WIDTH = 100 };

const char query_folder[] = "question";

const struct command *const ask_commands[] = {
#define X(id) &command_##id,
#define Y(id)
#ifdef PARADL_WITHOUT_FIT
#define Z(id)
#else
#define Z(id) X(id)
#endif
#include "cli/list.def"
#undef X
#undef Y
#undef Z
	NULL,
};

/* A question on its way to a command line. */
struct asking {
	struct paradl_arena *arena;
	struct paradl_error *error;
	const struct command *command;
	const struct report_format *format; /* format of the answer; NULL: a picture */
	struct text_list words;
};

static bool add_word(struct asking *asking, const char *word)
{
	return text_list_add(asking->arena, &asking->words, word) || out_of_memory(asking->error);
}

/* ---- files in a question ---- */

static void write_tree(struct json_writer *writer, const char *key, const struct json *value)
{
	switch (value->kind) {
	case JSON_NULL:
		json_write_null(writer, key);
		return;
	case JSON_BOOL:
		json_write_bool(writer, key, value->boolean);
		return;
	case JSON_NUMBER:
		json_write_number(writer, key, value->number);
		return;
	case JSON_STRING:
		json_write_text(writer, key, value->string);
		return;
	case JSON_ARRAY:
		json_begin_array(writer, key);
		break;
	case JSON_OBJECT:
		json_begin_object(writer, key);
		break;
	}
	for (const struct json *child = value->child; child; child = child->next)
		write_tree(writer, child->key, child);
	if (value->kind == JSON_ARRAY)
		json_end_array(writer);
	else
		json_end_object(writer);
}

/* Gives the arena an object as the file of a path: {"text": "..."} is a text, anything else the JSON itself. */
static bool give_file(struct asking *asking, const char *path, const struct json *object)
{
	const struct json *const text = object->count == 1 ? json_member(object, "text") : NULL;
	char *written = NULL;
	size_t length = 0;
	if (text && text->kind == JSON_STRING)
		return paradl_file_give(asking->arena, path, text->string, strlen(text->string)) ||
		       out_of_memory(asking->error);
	FILE *const file = open_memstream(&written, &length);
	if (!file)
		return out_of_memory(asking->error);
	struct json_writer writer = {.file = file};
	write_tree(&writer, NULL, object);
	const bool given = fclose(file) == 0 && paradl_file_give(asking->arena, path, written, length);
	free(written);
	return given || out_of_memory(asking->error);
}

/*
 * Gives the arena the objects of "files" under the paths that other files of the question name: "devices/mine.json".
 */
static bool give_files(struct asking *asking, const struct json *files)
{
	if (files->kind != JSON_OBJECT)
		return json_error(files, asking->error, "must be an object of files by their paths");
	for (const struct json *file = files->child; file; file = file->next) {
		const char *const path = arena_printf(asking->arena, "%s/%s", query_folder, file->key);
		if (file->kind != JSON_OBJECT)
			return json_error(file, asking->error, "must be an object: the file itself");
		if (!path || !give_file(asking, path, file))
			return path ? false : out_of_memory(asking->error);
	}
	return true;
}

/* ---- words ---- */

/* Returns the text; where it is NULL, sets the error that memory ran out. */
static const char *checked(struct asking *asking, const char *text)
{
	if (!text)
		out_of_memory(asking->error);
	return text;
}

/* Returns a value as it would be typed, or NULL with an error. */
static const char *typed_value(struct asking *asking, const char *name, const struct json *value)
{
	char digits[DECIMAL_LENGTH];
	const char *path;
	switch (value->kind) {
	case JSON_NUMBER:
		snprintf(digits, sizeof digits, "%.15g", value->number);
		return checked(asking, arena_text(asking->arena, digits));
	case JSON_STRING:
		if (strcmp(value->string, "-") != 0)
			return value->string;
		json_error(value, asking->error, "cannot be '-': a question has no standard input");
		return NULL;
	case JSON_OBJECT:
		path = value->parent->kind == JSON_ARRAY
			       ? arena_printf(
					 asking->arena, "%s/%s-%u.json", query_folder, name, value->index)
			       : arena_printf(asking->arena, "%s/%s.json", query_folder, name);
		return checked(asking, path) && give_file(asking, path, value) ? path : NULL;
	case JSON_NULL:
	case JSON_BOOL:
	case JSON_ARRAY:
		break;
	}
	json_error(value, asking->error, "must be a text, a number or an object: a file");
	return NULL;
}

static bool add_operands(struct asking *asking, const char *name, const struct json *value)
{
	const struct json *one = value->kind == JSON_ARRAY ? value->child : value;
	for (; one; one = value->kind == JSON_ARRAY ? one->next : NULL) {
		const char *const word = typed_value(asking, name, one);
		if (!word || !add_word(asking, word))
			return false;
		if (word[0] == '-')
			return json_error(one, asking->error, "begins with '-'");
	}
	return true;
}

/* Adds a list of values: as one word with commas, or one by one for options that may be there several times. */
static bool add_list(struct asking *asking, const struct option_row *row, const struct json *list)
{
	const char *joined = NULL;
	for (const struct json *one = list->child; one; one = one->next) {
		const char *const word = typed_value(asking, row->name, one);
		if (!word)
			return false;
		if (row->kind == OPTION_TEXTS) {
			if (!add_word(asking, arena_printf(asking->arena, "--%s", row->name)) ||
				!add_word(asking, word))
				return false;
			continue;
		}
		joined = joined ? arena_printf(asking->arena, "%s,%s", joined, word) : word;
		if (!joined)
			return out_of_memory(asking->error);
	}
	return !joined ||
	       (add_word(asking, arena_printf(asking->arena, "--%s", row->name)) && add_word(asking, joined));
}

static bool add_option(struct asking *asking, const struct option_row *row, const struct json *value)
{
	if (value->kind == JSON_BOOL || row->kind == OPTION_FLAG) {
		if (value->kind != JSON_BOOL || row->kind != OPTION_FLAG)
			return json_error(value, asking->error,
				row->kind == OPTION_FLAG ? "must be true or false"
							 : "must be a value, not true or false");
		return !value->boolean || add_word(asking, arena_printf(asking->arena, "--%s", row->name));
	}
	if (value->kind == JSON_ARRAY)
		return add_list(asking, row, value);
	if (value->kind == JSON_OBJECT && row->argument && strchr(row->argument, '='))
		return json_error(value, asking->error,
			"must be a text \"%s\", or a list of them, not an object", row->argument);
	const char *const word = typed_value(asking, row->name, value);
	if (!word)
		return false;
	return add_word(asking, arena_printf(asking->arena, "--%s", row->name)) && add_word(asking, word);
}

/* Reports whether an option has no meaning in a question: it writes files, measures, or says how an answer looks. */
static bool is_meaningless(const char *name)
{
	static const char *const names[] = {"output", "plot", "picture", "write-plan", "write-layer-times",
		"samples-file", "into", "resume", "run", "json", "jsonl", "csv", "width", "color", "ascii",
		"quiet", "verbose", "help", "names", "lost-after"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool unknown_member(struct asking *asking, const struct json *member, const char *name)
{
	const char *names[OPTION_TEXTS_MAX * 4];
	const struct option_row *row;
	size_t count = 0;
	for (size_t i = 0; (row = option_at(&arguments_table, i)); i++)
		if (option_applies(row, asking->command->name) && !is_meaningless(row->name) &&
			count < sizeof names / sizeof names[0])
			names[count++] = row->name;
	const struct option_row *const own = option_find(&arguments_table, asking->command->name, name);
	if (own) {
		json_error(member, asking->error,
			"'%s' has no meaning in a question, whose answer is what is returned", member->key);
		error_hint(asking->error, "\"as\" chooses its form: json, jsonl, csv, text or svg");
		return false;
	}
	const char *const same = option_synonym(&arguments_table, asking->command->name, name);
	const char *const near = same && !is_meaningless(same) ? same : suggest(name, names, count);
	if (near)
		return json_error(member, asking->error, "%s has no '%s'; did you mean '%s'?",
			asking->command->name, member->key, near);
	return json_error(member, asking->error, "%s has no '%s'", asking->command->name, member->key);
}

static bool add_member(struct asking *asking, const struct json *member)
{
	char name[NAME_BYTES];
	snprintf(name, sizeof name, "%s", member->key);
	for (char *c = name; *c; c++)
		if (*c == '_')
			*c = '-';
	const struct option_row *const row = option_find(&arguments_table, asking->command->name, name);
	const bool names_picture = !asking->format && row && strcmp(row->name, "picture") == 0;
	if (!row || (is_meaningless(row->name) && !names_picture))
		return unknown_member(asking, member, name);
	return add_option(asking, row, member);
}

/* ---- questions ---- */

/* Returns the name of the member that holds a command's operands; "" where it has none. */
static const char *operand_key(const struct command *command)
{
	static const char *const keys[][2] = {
		{"models", "model"}, {"operations", "operation"}, {"topics", "topic"}, {"file", "file"}};
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (command->operands && strcmp(command->operands, keys[i][0]) == 0)
			return keys[i][1];
	return "";
}

static const struct command *find_command(struct asking *asking, const struct json *question)
{
	const struct json *const ask = question->kind == JSON_OBJECT ? json_member(question, "ask") : NULL;
	const char *names[sizeof ask_commands / sizeof ask_commands[0]];
	size_t count = 0;
	if (!ask || ask->kind != JSON_STRING) {
		json_error(question, asking->error,
			"is no question: it needs \"ask\", the command, such as \"advise\"");
		return NULL;
	}
	for (; ask_commands[count]; count++) {
		names[count] = ask_commands[count]->name;
		if (strcmp(names[count], ask->string) == 0)
			return ask_commands[count];
	}
	const char *const near = suggest(ask->string, names, count);
	json_error(ask, asking->error, "'%s' cannot be asked%s%s%s", ask->string,
		near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	return NULL;
}

/* Reads "as", the form of the answer: JSON where it is missing, "svg" for a picture. */
static bool read_form(struct asking *asking, const struct json *as)
{
	asking->format = &report_json;
	if (!as)
		return true;
	const char *const name = as->kind == JSON_STRING ? as->string : "";
	asking->format = report_find(name);
	if (asking->format)
		return true;
	if (strcmp(name, "svg") != 0)
		return json_error(as, asking->error, "must be json, jsonl, csv, text or svg");
	return option_find(&arguments_table, asking->command->name, "plot") ||
	       json_error(as, asking->error, "%s draws no picture", asking->command->name);
}

/* Adds the option of the form. Text and pictures need none: the command answers so where no option says otherwise. */
static bool add_form(struct asking *asking)
{
	return !asking->format || asking->format == &report_text ||
	       add_word(asking, arena_printf(asking->arena, "--%s", asking->format->name));
}

static bool read_question(struct asking *asking, const struct json *question)
{
	asking->command = find_command(asking, question);
	if (!asking->command || !add_word(asking, asking->command->name) ||
		!read_form(asking, json_member(question, "as")))
		return false;
	const char *const operand = operand_key(asking->command);
	const struct json *const operands = json_member(question, operand), *const files = json_member(
										    question, "files");
	if ((files && !give_files(asking, files)) || (operands && !add_operands(asking, operand, operands)))
		return false;
	for (const struct json *member = question->child; member; member = member->next)
		if (member != operands && member != files && strcmp(member->key, "ask") != 0 &&
			strcmp(member->key, "as") != 0 && !add_member(asking, member))
			return false;
	return add_form(asking);
}

/* Warns of options in an older spelling, and of those that were typed twice: the last value holds, as elsewhere. */
static void warn_typed(struct session *session)
{
	const struct option_operands *const operands = &session->operands;
	for (size_t i = 0; i < operands->given_count; i++)
		if (operands->given[i].before)
			session_warn(session, "--%s '%s' takes the place of '%s'",
				operands->given[i].row->name, operands->given[i].value,
				operands->given[i].before);
	for (size_t i = 0; i < operands->outdated_count; i++)
		session_warn(session, "--%s is now --%s; the old spelling goes with the next release",
			operands->outdated[i]->formerly, operands->outdated[i]->name);
}

bool query_parse(struct session *session)
{
	const struct option_words typed = {session->typed + 1, session->argument_count - 1};
	const bool parsed = option_parse(&arguments_table, session->command->name, &typed, session->arena,
		&session->arguments, &session->operands, &session->error);
	warn_typed(session);
	return parsed && arguments_complete(session->arena, &session->arguments, &session->error);
}

bool query_takes_operands(struct session *session)
{
	const struct option_operands *const operands = &session->operands;
	const size_t most = session->command->most_operands;
	if (operands->count <= most)
		return true;
	const struct option_row *const before = operands->after[most];
	session_usage(session, "%s takes no '%s'", session->command->name, operands->items[most]);
	if (before && before->kind == OPTION_TEXTS)
		error_hint(&session->error, "--%s takes one %s and is written again for the next",
			before->name, before->argument);
	return false;
}

enum exit_status ask_run(struct session *session, const struct json *question)
{
	struct asking asking = {.arena = session->arena, .error = &session->error};
	if (!read_question(&asking, question))
		return session_fail(session);
	session->command = asking.command;
	session->typed = asking.words.items;
	session->argument_count = asking.words.count;
	const struct arguments asked =
		session->arguments; /* where the answer goes is no part of the question */
	session->arguments = arguments_initial();
	if (!query_parse(session) || !query_takes_operands(session))
		return session_fail(session);
	session->arguments.json |= asked.json; /* failures are then documents */
	session->arguments.output = asked.output;
	session->arguments.quiet = asked.quiet;
	session->arguments.verbose = asked.verbose;
	session->format = asking.format ? asking.format : &report_text;
	session->picture = asking.format ? NULL : "";
	session->style = (struct report_style){.width = WIDTH};
	if (!draw_check(session))
		return session_fail(session);
	return asking.command->run(session);
}
