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
	bool in_team;  /* several processes can share its work (struct team) */
	bool has_page; /* -o FILE.html writes the answer as a page */
	enum exit_status (*run)(struct session *session);
};

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
