/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/list.h"
#include "report/picture/picture.h"

bool list_pictures(struct session *session, struct report_listing *listing)
{
	static const struct listing_column columns[] = {
		{"name", "name", LISTING_TEXT, 0},
		{"commands", "drawn by", LISTING_TEXT, 0},
		{"summary", "summary", LISTING_TEXT, 0},
	};
	size_t count = 0;
	while (pictures[count])
		count++;
	COLUMNS(listing, columns);
	struct listing_cell *cells = list_rows(session, listing, count);
	for (size_t i = 0; cells && i < count; i++, cells += listing->column_count) {
		cells[0] = text(pictures[i]->name);
		cells[1] = text(pictures[i]->commands);
		cells[2] = text(pictures[i]->summary);
	}
	return cells != NULL;
}
