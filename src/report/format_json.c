/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/format_json.h"
#include "report/sweep_columns.h"

#define X(member, type, document, head)                                                                      \
	static void write_##member(struct report_sink *sink, const struct type *report)                      \
	{                                                                                                    \
		json_put_document(sink, &document_##document, head, report);                                 \
	}
#include "report/written.def"
#undef X

const struct report_format report_json = {
	.name = "json",
	.extension = ".json",
	.summary = "one JSON document, SI units, every digit",
	.names_inputs = true,
#define X(member, ...) .member = write_##member,
#include "report/written.def"
#undef X
	.sweep = &json_sweep,
};
