/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "base/json.h"
#include "cli/session.h"

/* Folder in the paths of the files that a question holds. */
extern const char query_folder[];

/* Reads the options that were typed after the command's name, and warns of older spellings and repeated options. */
bool query_parse(struct session *session);
/* Returns whether the command takes as many operands as there are; else the error is set. */
bool query_takes_operands(struct session *session);
/* Runs the command that a question names; the answer looks as with --json, or as the question asks. */
enum exit_status ask_run(struct session *session, const struct json *question);

#endif
