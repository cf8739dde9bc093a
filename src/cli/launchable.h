/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_LAUNCHABLE_H
#define CLI_LAUNCHABLE_H

#include "cli/question.h"

/*
 * Removes from a ranking the plans that the program of --flags does not start as they are, nor with their axes
 * nested as it does; they become infeasible plans. Changes nothing where it starts none of them. False: out of
 * memory.
 */
bool launchable_only(
	struct session *session, const struct question *question, struct paradl_ranking *ranking);

#endif
