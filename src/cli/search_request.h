/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a search as the request that the library answers. */
#ifndef CLI_SEARCH_REQUEST_H
#define CLI_SEARCH_REQUEST_H

#include "cli/question.h"

/*
 * Reads everything but the numbers of devices; report->samples and report->tokens are the whole training, 0: not
 * said.
 */
bool search_request_read(struct session *session, struct question *question,
	struct paradl_search_request *request, struct report_search *report);

#endif
