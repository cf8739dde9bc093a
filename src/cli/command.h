/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is one file that ends in one `const struct command command_NAME`, and one line X(NAME), Y(NAME) or
 * Z(NAME) in list.def. Its options are the rows in arguments*.c that name it.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/session.h"

/* A command of the program. */
struct command {
	const char *name, *summary;
	const char *synopsis; /* operands and options that follow the name, in usage */
	const char *details;  /* paragraphs under the synopsis in --help; lines of at most 78 columns */
	const char *operands; /* kind of completion, as in struct option_row; NULL: none */
	size_t most_operands;
	const char *operand, *operand_help; /* a row of -h above the options; NULL: none */
	const char
		*usual; /* names of the options that -h shows, in that order: what a first question needs */
	const char *examples[2]; /* of -h: they work as typed, the second in the folder of the first */
	bool first;              /* one of those that people begin with, which 'paradl -h' shows */
	bool in_team;            /* several processes can share its work (struct team) */
	bool has_page;           /* -o FILE.html writes the answer as a page */
	enum exit_status (*run)(struct session *session);
};

/* The operand of commands that ask about a network. */
#define OPERAND_MODEL                                                                                        \
	.operands = "models", .operand = "MODEL",                                                            \
	.operand_help = "a shipped network ('paradl list models') or a file"

#define X(id) extern const struct command command_##id;
#define Y(id) X(id)
#define Z(id) X(id)
#include "cli/list.def"
#undef X
#undef Y
#undef Z

extern const struct command *const commands[]; /* NULL-terminated, in the order of list.def */

/* Finds a command by name; NULL: there is none. */
const struct command *command_find(const char *name);

/* Fills in the session of a program (program.c); false: out of memory. */
bool program_begin(struct session *session, int argc, char **argv);
enum exit_status program_run(struct session *session);
void program_end(struct session *session);

#endif
