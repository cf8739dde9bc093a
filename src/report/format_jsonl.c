/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON Lines output has one object per row and line; a plan that cannot run is a row too. */
#include "report/format_json.h"
#include "report/sweep_columns.h"

#define X(member, type, document, head)                                                                      \
	static void write_##member(struct report_sink *sink, const struct type *report)                      \
	{                                                                                                    \
		json_put_rows(sink, &document_##document, head, report);                                     \
	}
#include "report/written.def"
#undef X

const struct report_format report_jsonl = {
	.name = "jsonl",
	.extension = ".jsonl",
	.summary = "one JSON object per row and line",
#define X(member, ...) .member = write_##member,
#include "report/written.def"
#undef X
	.sweep = &jsonl_sweep,
};
