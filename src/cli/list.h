/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the topics of `paradl list` fill their tables with. */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "cli/command.h"

#define COLUMNS(listing, table)                                                                              \
	((listing)->columns = (table), (listing)->column_count = sizeof(table) / sizeof(table)[0])

/* Room for the rows of a listing whose columns are set; NULL: out of memory, and the session says so. */
struct listing_cell *list_rows(struct session *session, struct report_listing *listing, size_t rows);
/* A file that cannot be read is named without its facts, and why is said aside. */
void list_unreadable(struct session *session, struct listing_cell *cells, size_t columns);
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

/* list_datasets.c */
bool list_datasets(struct session *session, struct report_listing *listing);

/* list_pictures.c */
bool list_pictures(struct session *session, struct report_listing *listing);

/* list_network.c */
bool list_operations(struct session *session, struct report_listing *listing);
bool list_collectives(struct session *session, struct report_listing *listing);
bool list_topologies(struct session *session, struct report_listing *listing);

#endif
