/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that fill the tables of `paradl list`. */
#ifndef CLI_COMMAND_LIST_H
#define CLI_COMMAND_LIST_H

#include "cli/command.h"

/*
 * Returns the rows of a listing, all zero, for the caller to fill; NULL: out of memory, and the session's error is
 * set.
 */
void *list_rows(struct session *session, struct report_listing *listing, size_t rows, size_t bytes);
/* Warns why a file cannot be read, by the session's error; the listing has only the name of that file. */
void list_unreadable(struct session *session);
/* Fills a listing with the names and summaries of `entry` from index 0 until a name is NULL; false: out of memory. */
bool list_entries(
	struct session *session, struct report_listing *listing, struct paradl_entry (*entry)(size_t index));

/* Fills the topics about networks, in list_network.c; false: out of memory. */
bool list_operations(struct session *session, struct report_listing *listing);
bool list_collectives(struct session *session, struct report_listing *listing);
bool list_topologies(struct session *session, struct report_listing *listing);

#endif
