/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_TEAM_H
#define CLI_TEAM_H

#include "cli/session.h"

/* Compares the inputs of a team; each process calls this once its own are read. False: they differ between hosts. */
bool team_agrees(struct session *session, struct report_head *head);

#endif
