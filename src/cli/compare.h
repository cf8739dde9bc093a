/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "cli/session.h"

/* Answers compare as a page for a browser, whatever the command is. */
enum exit_status compare_page(struct session *session);

#endif
