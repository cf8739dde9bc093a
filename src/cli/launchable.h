/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_LAUNCHABLE_H
#define CLI_LAUNCHABLE_H

#include "cli/question.h"

/*
 * Leaves plans in a ranking that the program of --flags starts as they are, with their axes nested as it does; unless it starts none
 * of them.
 */
bool launchable_only(
	struct session *session, const struct question *question, struct paradl_ranking *ranking);

#endif
