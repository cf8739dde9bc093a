/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands that vary inputs share. */
#ifndef CLI_WHATIF_H
#define CLI_WHATIF_H

#include "cli/question.h"

/* Of a question that is loaded, with what --set says; the plan, or `best`, is left to the caller. `options` stays with it. */
bool whatif_request(struct session *session, const struct question *question, struct paradl_options *options,
	struct paradl_whatif_request *request);

#endif
