/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_COMMAND_VALIDATE_H
#define CLI_COMMAND_VALIDATE_H

#include "cli/session.h"

/* Reports how well the rows of arguments.measured are projected; runs NULL: they were not measured here. */
enum exit_status validate_compare(struct session *session, const struct report_runs *runs);
/* Measures rows here first, then answers likewise (validate --run). */
enum exit_status validate_measure(struct session *session);

#endif
