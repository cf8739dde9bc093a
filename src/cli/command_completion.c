/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions for shells are made from the option rows; the shell asks paradl for names of models etc. when needed. */
#include <string.h>

#include "base/error.h"
#include "cli/command.h"

/* Returns the commands that a shell runs to get the words of a kind; NULL: it has none, only files. */
static const char *words_of(const char *kind)
{
	static const struct {
		const char *kind, *words;
	} sources[] = {
		{"models", "paradl list models --names"},
		{"datasets", "paradl list datasets --names"},
		{"hw", "paradl list hw --names"},
		{"frameworks", "paradl list frameworks --names"},
		{"devices", "paradl list devices --names"},
		{"strategies", "paradl list strategies --names"},
		{"columns", "paradl list columns --names"},
		{"pictures", "paradl list pictures --names"},
		{"collectives", "paradl list collectives --names"},
		{"topologies", "paradl list topologies --names"},
		{"operations", "paradl list operations --names"},
		{"exports", "echo astra-sim simgrid simgrid-trace; paradl list operations --names"},
		{"topics", "paradl list --names; paradl list models --names"},
		{"help", "echo plans changes exit-codes; __paradl_commands"},
		{"shells", "echo bash zsh fish"},
		{"goals", "echo time memory cost energy throughput ttft tpot per-gpu"},
		{"vary", "echo order micro schedule recompute zero shard sequence experts context overlap "
			 "offload batch none"},
	};
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
		if (strcmp(sources[i].kind, kind) == 0)
			return sources[i].words;
	return NULL;
}

static bool takes_files(const char *kind)
{
	static const char *const kinds[] = {
		"file", "models", "datasets", "hw", "frameworks", "devices", "topics"};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strcmp(kinds[i], kind) == 0)
			return true;
	return false;
}

static void print_choices(FILE *file, const struct option_row *row)
{
	for (size_t i = 0; row->choice(i); i++)
		fprintf(file, "%s%s", i > 0 ? " " : "", row->choice(i));
}

/* Prints bash commands that fill COMPREPLY, each with its ';'. */
static void bash_offer(FILE *file, const char *kind)
{
	const char *const words = words_of(kind);
	if (words)
		fprintf(file, " COMPREPLY=($(compgen -W \"$(%s)\" -- \"$cur\"));", words);
	if (takes_files(kind))
		fputs(" COMPREPLY+=($(compgen -f -- \"$cur\"));", file);
}

static void bash_value(FILE *file, const struct option_row *row)
{
	if (row->choice) {
		fputs(" COMPREPLY=($(compgen -W \"", file);
		print_choices(file, row);
		fputs("\" -- \"$cur\"));", file);
	} else if (row->completes) {
		bash_offer(file, row->completes);
	}
}

/*
 * Prints a case of bash for each option that takes a value, which is completed after it; where the value is optional,
 * only when it is attached with '='.
 */
static void bash_values(FILE *file)
{
	const struct option_row *row;
	for (size_t i = 0; (row = option_at(&arguments_table, i)); i++) {
		const bool may_stand_alone = row->kind == OPTION_OPTIONAL_TEXT;
		if (row->kind == OPTION_FLAG)
			continue;
		fprintf(file, "\t--%s", row->name);
		if (row->letter)
			fprintf(file, " | -%c", row->letter);
		fputs(may_stand_alone ? ") if [ \"$attached\" ]; then" : ")", file);
		bash_value(file, row);
		fputs(may_stand_alone ? " return; fi ;;\n" : " return ;;\n", file);
	}
}

static void bash_names(FILE *file, const struct option_row *row)
{
	if (row->letter)
		fprintf(file, " -%c", row->letter);
	fprintf(file, " --%s", row->name);
}

static void bash_commands(FILE *file)
{
	const struct option_row *row;
	for (size_t i = 0; commands[i]; i++) {
		fprintf(file, "\t%s)\n\t\toptions=\"", commands[i]->name);
		for (size_t j = 0; (row = option_at(&arguments_table, j)); j++)
			if (row->group && option_applies(row, commands[i]->name))
				bash_names(file, row);
		fputs("\"\n\t\t[[ $cur != -* ]] &&", file);
		if (commands[i]->operands) {
			fputs(" {", file);
			bash_offer(file, commands[i]->operands);
			fputs(" return; }\n\t\t;;\n", file);
		} else {
			fputs(" return\n\t\t;;\n", file);
		}
	}
}

static void print_bash(FILE *file)
{
	fputs("# bash completion of paradl: source it, or put it where bash-completion looks\n"
	      "__paradl_commands()\n{\n\techo \"",
		file);
	for (size_t i = 0; commands[i]; i++)
		fprintf(file, "%s%s", i > 0 ? " " : "", commands[i]->name);
	fputs("\"\n}\n\n_paradl()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} attached= options=\n"
	      "\tlocal IFS=$' \\t\\n'\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [ \"$cur\" = = ]; then\n\t\tcur= attached=1\n"
	      "\telif [ \"$prev\" = = ]; then\n\t\tprev=${COMP_WORDS[COMP_CWORD-2]} attached=1\n\tfi\n"
	      "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$(__paradl_commands) -h --help --version\" -- \"$cur\"))\n"
	      "\t\treturn\n\tfi\n"
	      "\tcase $prev in\n",
		file);
	bash_values(file);
	fputs("\tesac\n\tcase ${COMP_WORDS[1]} in\n", file);
	bash_commands(file);
	fputs("\tesac\n"
	      "\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	      "}\n\ncomplete -o filenames -F _paradl paradl\n",
		file);
}

/* Prints `text` for use inside '...' of zsh, with a backslash before each of `special`: they end parts of a spec. */
static void print_zsh_text(FILE *file, const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'') {
			fputs("'\\''", file);
			continue;
		}
		if (strchr(special, *text))
			putc('\\', file);
		putc(*text, file);
	}
}

static void zsh_action(FILE *file, const char *kind)
{
	const char *const words = words_of(kind);
	const bool files = takes_files(kind);
	if (words && files)
		fprintf(file, "{ compadd -- $(%s); _files }", words);
	else if (words)
		fprintf(file, "{ compadd -- $(%s) }", words);
	else if (files)
		fputs("_files", file);
}

static void zsh_row(FILE *file, const struct option_row *row)
{
	if (row->letter)
		fprintf(file, " \\\n\t\t\t'(-%c --%s)'{-%c,--%s%s}'[", row->letter, row->name, row->letter,
			row->name, row->kind == OPTION_FLAG ? "" : "=");
	else
		fprintf(file, " \\\n\t\t\t'--%s%s[", row->name,
			row->kind == OPTION_FLAG            ? ""
			: row->kind == OPTION_OPTIONAL_TEXT ? "=-"
							    : "=");
	print_zsh_text(file, row->help, "[]\\");
	putc(']', file);
	if (row->kind == OPTION_OPTIONAL_TEXT)
		putc(':', file);
	if (row->argument)
		fprintf(file, ":%s:", row->argument);
	if (row->choice) {
		putc('(', file);
		print_choices(file, row);
		putc(')', file);
	} else if (row->completes) {
		zsh_action(file, row->completes);
	}
	putc('\'', file);
}

static void print_zsh(FILE *file)
{
	const struct option_row *row;
	fputs("#compdef paradl\n# zsh completion of paradl: put it in a folder of $fpath as _paradl\n"
	      "__paradl_commands()\n{\n\tprint -l",
		file);
	for (size_t i = 0; commands[i]; i++)
		fprintf(file, " %s", commands[i]->name);
	fputs("\n}\n\n_paradl()\n{\n\tlocal -a commands\n\tcommands=(\n", file);
	for (size_t i = 0; commands[i]; i++) {
		fprintf(file, "\t\t'%s:", commands[i]->name);
		print_zsh_text(file, commands[i]->summary, ":\\");
		fputs("'\n", file);
	}
	fputs("\t)\n\tif (( CURRENT == 2 )); then\n"
	      "\t\t_describe command commands\n\t\tcompadd -- -h --help --version\n\t\treturn\n\tfi\n"
	      "\tshift words\n\t(( CURRENT-- ))\n\tcase $words[1] in\n",
		file);
	for (size_t i = 0; commands[i]; i++) {
		fprintf(file, "\t%s)\n\t\t_arguments", commands[i]->name);
		for (size_t j = 0; (row = option_at(&arguments_table, j)); j++)
			if (row->group && option_applies(row, commands[i]->name))
				zsh_row(file, row);
		if (commands[i]->operands) {
			fputs(" \\\n\t\t\t'*:argument:", file);
			zsh_action(file, commands[i]->operands);
			putc('\'', file);
		}
		fputs("\n\t\t;;\n", file);
	}
	fputs("\tesac\n}\n\n_paradl \"$@\"\n", file);
}

static void fish_text(FILE *file, const char *text)
{
	putc('\'', file);
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			putc('\\', file);
		putc(*text, file);
	}
	putc('\'', file);
}

static void fish_row(FILE *file, const struct option_row *row)
{
	const char *const words = row->completes ? words_of(row->completes) : NULL;
	fprintf(file, "complete -c paradl -n '__fish_seen_subcommand_from %s' -l %s", row->commands,
		row->name);
	if (row->letter)
		fprintf(file, " -s %c", row->letter);
	if (row->kind != OPTION_FLAG && row->kind != OPTION_OPTIONAL_TEXT)
		fputs(row->completes && takes_files(row->completes) ? " -rF" : " -x", file);
	if (row->choice) {
		fputs(" -a '", file);
		print_choices(file, row);
		putc('\'', file);
	} else if (words) {
		fprintf(file, " -a '(%s)'", words);
	}
	fputs(" -d ", file);
	fish_text(file, row->help);
	putc('\n', file);
}

static void print_fish(FILE *file)
{
	const struct option_row *row;
	fputs("# fish completion of paradl: put it in a folder of $fish_complete_path as paradl.fish\n"
	      "function __paradl_commands\n\tprintf '%s\\n'",
		file);
	for (size_t i = 0; commands[i]; i++)
		fprintf(file, " %s", commands[i]->name);
	fputs("\nend\n\ncomplete -c paradl -n __fish_use_subcommand -s h -l help -d 'what paradl can do'\n"
	      "complete -c paradl -n __fish_use_subcommand -l version -d 'its version'\n",
		file);
	for (size_t i = 0; commands[i]; i++) {
		const struct command *const command = commands[i];
		fprintf(file, "complete -c paradl -n __fish_use_subcommand -f -a %s -d ", command->name);
		fish_text(file, command->summary);
		putc('\n', file);
		if (!command->operands || !words_of(command->operands))
			continue;
		fprintf(file, "complete -c paradl -n '__fish_seen_subcommand_from %s'%s -a '(%s)'\n",
			command->name, takes_files(command->operands) ? "" : " -f",
			words_of(command->operands));
	}
	for (size_t i = 0; (row = option_at(&arguments_table, i)); i++)
		if (row->group)
			fish_row(file, row);
}

static enum exit_status run(struct session *session)
{
	static const struct {
		const char *name;
		void (*print)(FILE *file);
	} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
	const char *const name = session->operands.count > 0 ? session->operands.items[0] : "";
	for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
		struct document document;
		if (strcmp(shells[i].name, name) != 0)
			continue;
		if (!document_begin(session, &document))
			return session_fail(session);
		shells[i].print(document.sink.file);
		return document_end(session, &document, EXIT_ANSWER);
	}
	session_missing(session, "completion needs a shell: bash, zsh or fish");
	return session_fail(session);
}

const struct command command_completion = {
	.name = "completion",
	.summary = "print the script that completes paradl's options in a shell",
	.synopsis = "bash|zsh|fish",
	.details = "For bash:\n"
		   "paradl completion bash > ~/.local/share/bash-completion/completions/paradl",
	.operands = "shells",
	.usual = "help",
	.examples = {"paradl completion bash > paradl.bash", "paradl completion zsh > _paradl"},
	.most_operands = 1,
	.run = run,
};
