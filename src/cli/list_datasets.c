/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/list.h"

static struct listing_cell known(double value)
{
	return number(value > 0 ? value : -1);
}

bool list_datasets(struct session *session, struct report_listing *listing)
{
	static const struct listing_column columns[] = {
		{"name", "name", LISTING_TEXT, 0},
		{"dataset", "data set", LISTING_TEXT, 1},
		{"samples", "samples", LISTING_COUNT, 0},
		{"sample_bytes", "sample", LISTING_BYTES, 0},
		{"tokens", "tokens", LISTING_COUNT, 0},
		{"token_bytes", "token", LISTING_BYTES, 6},
		{"bytes", "in all", LISTING_BYTES, 0},
		{"files", "files", LISTING_COUNT, 7},
		{"layout", "layout", LISTING_TEXT, 4},
		{"encoding", "encoding", LISTING_TEXT, 3},
		{"decoded_bytes", "decoded", LISTING_BYTES, 5},
		{"classes", "classes", LISTING_COUNT, 2},
		{"path", "file", LISTING_TEXT, 8},
	};
	const struct shipped_files list = shipped_list(session, SHIPPED_DATASETS);
	COLUMNS(listing, columns);
	struct listing_cell *cells = list_rows(session, listing, list.count);
	for (size_t i = 0; cells && i < list.count; i++, cells += listing->column_count) {
		struct paradl_dataset_info info;
		cells[0] = text(list.files[i].name);
		if (!paradl_dataset_load(session->arena, list.files[i].path, &info, &session->error)) {
			list_unreadable(session, cells, listing->column_count);
			continue;
		}
		cells[1] = text(info.name);
		cells[2] = known(info.samples);
		cells[3] = known(info.sample_bytes);
		cells[4] = known(info.tokens);
		cells[5] = known(info.token_bytes);
		cells[6] = known(info.bytes);
		cells[7] = known(info.files);
		cells[8] = text(info.layout);
		cells[9] = text(info.encoding);
		cells[10] = known(info.decoded_bytes);
		cells[11] = known(info.classes);
		cells[12] = text(info.path);
	}
	return cells != NULL;
}
