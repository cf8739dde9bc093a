/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the topics of `paradl list` fill their tables with. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "cli/command.h"

#define COLUMNS(listing, table)                                                                              \
	((listing)->columns = (table), (listing)->column_count = sizeof(table) / sizeof(table)[0])

/* Room for the rows of a listing whose columns are set; NULL: out of memory, and the session says so. */
struct listing_cell *list_rows(struct session *session, struct report_listing *listing, size_t rows);
/* Names and summaries. */
bool list_entries(
	struct session *session, struct report_listing *listing, struct paradl_entry (*entry)(size_t index));

static inline struct listing_cell text(const char *value)
{
	return (struct listing_cell){value, -1};
}

static inline struct listing_cell number(double value)
{
	return (struct listing_cell){NULL, value};
}

/* list_network.c */
bool list_operations(struct session *session, struct report_listing *listing);
bool list_collectives(struct session *session, struct report_listing *listing);
bool list_topologies(struct session *session, struct report_listing *listing);

#endif
