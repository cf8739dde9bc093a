/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is one file that ends in one `const struct command command_NAME` and one line X(NAME) in
 * list.def. Its options are the rows of options.c that name it.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/session.h"

struct command {
	const char *name, *summary;
	const char *synopsis; /* what follows the name */
	const char *details;  /* paragraphs under the synopsis in --help; lines of at most 78 columns */
	const char *operands; /* what completes them, as in struct option_row; NULL: nothing */
	size_t most_operands;
	bool in_team;  /* whether several processes can share the work (struct team) */
	bool has_page; /* -o FILE.html has the answer as a page */
	enum exit_status (*run)(struct session *session);
};

#define X(id) extern const struct command command_##id;
#define Y(id) X(id)
#define Z(id) X(id)
#include "cli/list.def"
#undef X
#undef Y
#undef Z

extern const struct command *const commands[]; /* NULL-terminated, order of list.def */
const struct command *command_find(const char *name);

/* program.c */
bool program_begin(struct session *session, int argc, char **argv); /* false: out of memory */
enum exit_status program_run(struct session *session);
void program_end(struct session *session);

#endif
