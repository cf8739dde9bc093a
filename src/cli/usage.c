/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Option rows as text: --help, -h and the option part of the manual pages. */
#include <stdint.h>
#include <string.h>

#include "cli/command.h"
#include "report/typeset.h"

enum { HELP_COLUMN = 26, COMMAND_COLUMN = 12, SHORT_WIDTH = 80 };

/* Prints what the program is, and its commands: all, or those that people begin with. Returns how many there are. */
static int print_commands(struct report_sink *sink, const char *heading, bool all)
{
	FILE *const file = sink->file;
	int count = 0;
	fprintf(file,
		"usage: paradl COMMAND [arguments]\n"
		"       paradl -h | --help | --version\n\n"
		"How long training a neural network takes, what memory it needs, what it costs\n"
		"and what limits it, for every way to spread it over GPUs. Start with:\n\n"
		"    paradl advise resnet50 --hw abci\n\n"
		"%s\n",
		heading);
	for (; commands[count]; count++) {
		if (!all && !commands[count]->first)
			continue;
		fprintf(file, "  %-*s", COMMAND_COLUMN, commands[count]->name);
		typeset_wrapped(sink, COMMAND_COLUMN + 2, commands[count]->summary);
	}
	putc('\n', file);
	return count;
}

void usage_program(struct report_sink *sink)
{
	print_commands(sink, "commands", true);
	typeset_wrapped(sink, 0,
		"'paradl COMMAND -h' shows the usual options of a command with examples, 'paradl COMMAND "
		"--help' all options; 'paradl help COMMAND' opens its manual page; 'paradl help plans' and "
		"'paradl help exit-codes' say more.");
}

static void limit_width(struct report_sink *sink)
{
	if (sink->style.width > SHORT_WIDTH)
		sink->style.width = SHORT_WIDTH;
}

void usage_program_short(struct report_sink *sink)
{
	limit_width(sink);
	const int count = print_commands(sink, "commands to begin with", false);
	typeset_wrapped(sink, 0,
		typeset(sink,
			"'paradl COMMAND -h' shows the usual options of a command with examples. 'paradl "
			"--help' lists all %d commands, 'paradl help paradl' opens the manual.",
			count));
}

static void print_label(char *label, size_t size, const struct option_row *row)
{
	char letter[8] = "";
	if (row->letter)
		snprintf(letter, sizeof letter, "-%c, ", row->letter);
	if (row->kind == OPTION_OPTIONAL_TEXT)
		snprintf(label, size, "%s--%s[=%s]", letter, row->name, row->argument);
	else
		snprintf(label, size, "%s--%s%s%s", letter, row->name, row->argument ? " " : "",
			row->argument ? row->argument : "");
}

/*
 * Returns the values of an option as text, such as " (time, memory, ...; default time)", with at most `most` choices;
 * "" where there are none.
 */
static const char *values_text(struct report_sink *sink, const struct option_row *row, size_t most)
{
	const char *text = "", *joint = " (";
	for (size_t i = 0; row->choice && row->choice(i) && i <= most && most > 0; i++) {
		text = typeset(sink, "%s%s%s", text, joint, i < most ? row->choice(i) : "...");
		joint = ", ";
	}
	if (row->initial)
		text = typeset(sink, "%s%sdefault %s", text, *text ? "; " : " (", row->initial);
	return *text ? typeset(sink, "%s)", text) : "";
}

static void print_row(struct report_sink *sink, const struct option_row *row)
{
	FILE *const file = sink->file;
	char label[64];
	print_label(label, sizeof label, row);
	fprintf(file, "  %-*s", HELP_COLUMN, label);
	if (strlen(label) >= HELP_COLUMN)
		fprintf(file, "\n  %*s", HELP_COLUMN, "");
	typeset_wrapped(
		sink, HELP_COLUMN + 2, typeset(sink, "%s%s", row->help, values_text(sink, row, SIZE_MAX)));
}

static bool is_shown(const struct option_row *row, const char *command)
{
	return row->group && option_applies(row, command);
}

static bool begins_group(size_t index, const char *command)
{
	for (size_t i = 0; i < index; i++)
		if (is_shown(option_at(&arguments_table, i), command) &&
			strcmp(option_at(&arguments_table, i)->group,
				option_at(&arguments_table, index)->group) == 0)
			return false;
	return true;
}

/* Prints details, which are written for 80 columns, and joined to be broken again where there are fewer. */
static void print_details(struct report_sink *sink, const char *details)
{
	enum { WIDEST = 78 };
	char *const joined = arena_text(sink->arena, details);
	if (!joined || sink->style.width >= WIDEST) {
		fprintf(sink->file, "\n%s\n", details);
		return;
	}
	for (char *c = joined; *c; c++)
		if (*c == '\n')
			*c = ' ';
	putc('\n', sink->file);
	typeset_wrapped(sink, 0, joined);
}

static void print_synopsis(struct report_sink *sink, const struct command *command)
{
	enum { INDENT = 7 };
	fputs("usage: ", sink->file);
	typeset_wrapped(sink, INDENT, typeset(sink, "paradl %s %s", command->name, command->synopsis));
}

void usage_command(struct report_sink *sink, const struct command *command)
{
	const struct option_row *row, *other;
	FILE *const file = sink->file;
	print_synopsis(sink, command);
	print_details(sink, command->details);
	for (size_t i = 0; (row = option_at(&arguments_table, i)); i++) {
		if (!is_shown(row, command->name) || !begins_group(i, command->name))
			continue;
		fprintf(file, "\n%s\n", row->group);
		for (size_t j = i; (other = option_at(&arguments_table, j)); j++)
			if (is_shown(other, command->name) && strcmp(other->group, row->group) == 0)
				print_row(sink, other);
	}
}

/* Returns what -h says of an option: its help up to the first ';', and as many of its choices as `room` columns take. */
static const char *short_help(struct report_sink *sink, const struct option_row *row, size_t room)
{
	const char *const help = typeset(sink, "%.*s", (int)strcspn(row->help, ";"), row->help), *text;
	size_t count = 0;
	while (row->choice && row->choice(count))
		count++;
	do
		text = typeset(sink, "%s%s", help, values_text(sink, row, count));
	while (typeset_width(text) > room && count-- > 0);
	return text;
}

static void print_short_row(struct report_sink *sink, size_t column, const char *label, const char *text)
{
	fprintf(sink->file, "  %-*s", (int)column, label);
	typeset_wrapped(sink, column + 2, text);
}

/* Finds the row of the option whose name stands at *names, and moves on to the next name; NULL: there is none. */
static const struct option_row *next_usual(const char **names, const char *command)
{
	char name[32];
	const size_t length = strcspn(*names, " ");
	snprintf(name, sizeof name, "%.*s", (int)length, *names);
	*names += length + strspn(*names + length, " ");
	return *name ? option_find(&arguments_table, command, name) : NULL;
}

static void print_usual(struct report_sink *sink, const struct command *command)
{
	enum { GAP = 2 };
	char label[64];
	size_t column = command->operand ? strlen(command->operand) : 0;
	const struct option_row *row;
	for (const char *names = command->usual; (row = next_usual(&names, command->name));) {
		print_label(label, sizeof label, row);
		column = strlen(label) > column ? strlen(label) : column;
	}
	column += GAP;
	const size_t room = sink->style.width > column + 2 ? sink->style.width - column - 2 : 0;
	if (command->operand)
		print_short_row(sink, column, command->operand, command->operand_help);
	for (const char *names = command->usual; (row = next_usual(&names, command->name));) {
		print_label(label, sizeof label, row);
		print_short_row(sink, column, label, short_help(sink, row, room));
	}
}

void usage_command_short(struct report_sink *sink, const struct command *command)
{
	FILE *const file = sink->file;
	const struct option_row *row;
	int count = 0;
	limit_width(sink);
	for (size_t i = 0; (row = option_at(&arguments_table, i)); i++)
		count += is_shown(row, command->name);
	typeset_wrapped(sink, 0, typeset(sink, "paradl %s: %s", command->name, command->summary));
	print_synopsis(sink, command);
	putc('\n', file);
	print_usual(sink, command);
	fprintf(file, "\nexamples\n  %s\n  %s\n\n", command->examples[0], command->examples[1]);
	typeset_wrapped(sink, 0,
		typeset(sink, "--help lists %s; 'paradl help %s' opens the manual.",
			count == 1 ? "the one option" : typeset(sink, "all %d options", count),
			command->name));
}

/* Prints text with a backslash before characters to which scdoc gives a meaning. */
static void print_escaped(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("*_\\<>#`~", *text))
			putc('\\', file);
		putc(*text, file);
	}
}

static void scdoc_values(FILE *file, const struct option_row *row)
{
	const char *joint = " One of ";
	for (size_t i = 0; row->choice && row->choice(i); i++) {
		fprintf(file, "%s*", joint);
		print_escaped(file, row->choice(i));
		putc('*', file);
		joint = ", ";
	}
	if (row->choice)
		putc('.', file);
	if (row->initial) {
		fputs(" Default: ", file);
		print_escaped(file, row->initial);
		putc('.', file);
	}
}

void usage_scdoc(FILE *file, const struct command *command)
{
	const struct option_row *row;
	for (size_t i = 0; (row = option_at(&arguments_table, i)); i++) {
		if (!is_shown(row, command->name))
			continue;
		if (row->letter)
			fprintf(file, "*-%c*, ", row->letter);
		fprintf(file, "*--%s*", row->name);
		if (row->argument)
			fprintf(file, row->kind == OPTION_OPTIONAL_TEXT ? "[=_%s_]" : " _%s_", row->argument);
		fputs("\n\t", file);
		print_escaped(file, row->help);
		putc('.', file);
		scdoc_values(file, row);
		fputs("\n\n", file);
	}
}

static bool print_column(void *context, const struct result_field *field, const struct result_at *at)
{
	FILE *const file = context;
	(void)at;
	if (!field_is_column(field))
		return true;
	fprintf(file, "*%s*", field->name);
	if (field->path)
		fprintf(file, " (in JSON *%s*)", field->path);
	fputs("\n\t", file);
	print_escaped(file, field->doc);
	if (field->unknown) {
		fputs(" Empty: ", file);
		print_escaped(file, field->unknown);
		putc('.', file);
	}
	fputs("\n\n", file);
	return true;
}

void usage_columns(FILE *file, const struct result_record *record)
{
	const struct result_at nowhere = {0};
	record_visit(record, &nowhere, print_column, file);
}
