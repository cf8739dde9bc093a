/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the topics of `paradl list` fill their tables with. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "cli/command.h"

/* Room for the rows of a listing, all zero; NULL: out of memory, and the session says so. */
void *list_rows(struct session *session, struct report_listing *listing, size_t rows, size_t bytes);
/* Says aside why a file cannot be read, of which the listing has the name alone. */
void list_unreadable(struct session *session);
/* Names and summaries. */
bool list_entries(
	struct session *session, struct report_listing *listing, struct paradl_entry (*entry)(size_t index));

/* list_network.c */
bool list_operations(struct session *session, struct report_listing *listing);
bool list_collectives(struct session *session, struct report_listing *listing);
bool list_topologies(struct session *session, struct report_listing *listing);

#endif
