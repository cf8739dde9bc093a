/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a search as the question that the library is asked. */
#ifndef CLI_SEARCH_REQUEST_H
#define CLI_SEARCH_REQUEST_H

#include "cli/question.h"

/* Everything but the numbers of devices; *samples and *tokens of the whole training, 0: not said. */
bool search_request_read(struct session *session, struct question *question,
	struct paradl_search_request *request, struct report_search *report);

#endif
