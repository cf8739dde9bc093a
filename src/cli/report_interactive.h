/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_REPORT_INTERACTIVE_H
#define CLI_REPORT_INTERACTIVE_H

#include "cli/session.h"

/* Writes the page that answers by itself, whatever is changed on it: the engine, and all files that the answers rest on. */
enum exit_status report_interactive(struct session *session);

#endif
