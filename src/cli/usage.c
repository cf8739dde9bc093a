/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Option rows as text: --help and the option part of the manual pages. */
#include <string.h>

#include "cli/command.h"

enum { HELP_COLUMN = 26 };

void usage_program(FILE *file)
{
	fputs("usage: paradl COMMAND [arguments]\n"
	      "       paradl --help | --version\n\n"
	      "How long training a neural network takes, what memory it needs, what it costs and\n"
	      "what limits it, for every way to spread it over GPUs. Start with:\n\n"
	      "    paradl advise resnet50 --hw abci\n\n"
	      "commands\n",
		file);
	for (size_t i = 0; commands[i]; i++)
		fprintf(file, "  %-12s%s\n", commands[i]->name, commands[i]->summary);
	fputs("\n'paradl COMMAND --help' lists the options of a command, 'paradl help COMMAND' opens its\n"
	      "manual page; 'paradl help plans' and 'paradl help exit-codes' say more.\n",
		file);
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

/* " (time, memory; default time)" */
static void print_values(FILE *file, const struct option_row *row)
{
	const char *joint = " (";
	for (size_t i = 0; row->choice && row->choice(i); i++) {
		fprintf(file, "%s%s", joint, row->choice(i));
		joint = ", ";
	}
	if (row->initial)
		fprintf(file, "%sdefault %s", row->choice ? "; " : " (", row->initial);
	if (row->choice || row->initial)
		putc(')', file);
}

static void print_row(FILE *file, const struct option_row *row)
{
	char label[64];
	print_label(label, sizeof label, row);
	fprintf(file, "  %-*s", HELP_COLUMN, label);
	if (strlen(label) >= HELP_COLUMN)
		fprintf(file, "\n  %*s", HELP_COLUMN, "");
	fputs(row->help, file);
	print_values(file, row);
	putc('\n', file);
}

static bool begins_group(size_t index, const char *command)
{
	for (size_t i = 0; i < index; i++)
		if (option_applies(&arguments_table.rows[i], command) &&
			strcmp(arguments_table.rows[i].group, arguments_table.rows[index].group) == 0)
			return false;
	return true;
}

void usage_command(FILE *file, const struct command *command)
{
	const struct option_row *const rows = arguments_table.rows;
	fprintf(file, "usage: paradl %s %s\n\n%s\n", command->name, command->synopsis, command->details);
	for (size_t i = 0; i < arguments_table.count; i++) {
		if (!option_applies(&rows[i], command->name) || !begins_group(i, command->name))
			continue;
		fprintf(file, "\n%s\n", rows[i].group);
		for (size_t j = i; j < arguments_table.count; j++)
			if (option_applies(&rows[j], command->name) &&
				strcmp(rows[j].group, rows[i].group) == 0)
				print_row(file, &rows[j]);
	}
}

/* scdoc gives a meaning to these. */
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
	for (size_t i = 0; i < arguments_table.count; i++) {
		const struct option_row *const row = &arguments_table.rows[i];
		if (!option_applies(row, command->name))
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
