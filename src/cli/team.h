/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_TEAM_H
#define CLI_TEAM_H

#include "cli/session.h"

/* Every process of a team calls this once its inputs are read; false: they are not the same on all hosts. */
bool team_agrees(struct session *session, struct report_head *head);

#endif
