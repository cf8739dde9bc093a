/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The request that commands which vary inputs share. */
#ifndef CLI_COMMAND_WHATIF_H
#define CLI_COMMAND_WHATIF_H

#include "cli/question.h"
#include "paradl/study.h"

/*
 * Fills the request from a loaded question and the changes of --set. The plan, or `best`, is left to the caller. The
 * request keeps a pointer to `options`.
 */
bool whatif_request(struct session *session, const struct question *question, struct paradl_options *options,
	struct paradl_whatif_request *request);

#endif
