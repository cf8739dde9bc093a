/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_QUERY_H
#define CLI_QUERY_H

#include "base/json.h"
#include "cli/session.h"

/* Answers a question, as the command that it names does with --json. */
enum exit_status ask_run(struct session *session, const struct json *question);

#endif
