/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These functions print the parts of a plan: what each takes, which tensors are redistributed between them, and what
 * they would take with other plans.
 */
#include "report/text.h"
#include "result/ranking.h"

static const char *layer_name(struct report_sink *sink, const struct report_parts *parts, unsigned layer)
{
	return typeset(sink, "%s", paradl_model_layer(parts->model, layer).name);
}

/* Returns the layers of a part: "conv1 to pool5", "fc6" or "stage 2: conv4 to fc6". */
static const char *range(struct report_sink *sink, const struct report_parts *parts, size_t part)
{
	const struct paradl_layered_part *const at = &parts->layered->parts[part];
	const char *const stage = parts->layered->stages > 1 ? typeset(sink, "stage %u: ", at->stage) : "";
	const char *const first = layer_name(sink, parts, at->first);
	if (at->end - at->first == 1)
		return typeset(sink, "%s%s", stage, first);
	return typeset(sink, "%s%s to %s", stage, first, layer_name(sink, parts, at->end - 1));
}

void text_parts(struct report_sink *sink, const struct report_parts *parts)
{
	struct columns columns;
	columns_start(&columns, sink, NULL, &record_part,
		"range,layers,plan,compute,exchange,gradient_s,together,uniform_s,memory");
	columns_list(&columns, &record_parts, "parts", parts);
	for (size_t i = 0; i < columns.table.row_count; i++)
		table_cells(&columns.table, i)[0] = range(sink, parts, i);
	putc('\n', sink->file);
	columns_print(&columns);
}

void text_moves(struct report_sink *sink, const struct report_parts *parts)
{
	struct columns columns;
	if (parts->explanation->move_count == 0)
		return;
	columns_start(&columns, sink, NULL, &record_redistribution,
		"ends,gpus,forward_s,forward_bytes,backward_s,backward_bytes");
	columns_list(&columns, &record_parts, "redistributions", parts);
	for (size_t i = 0; i < columns.table.row_count; i++)
		table_cells(&columns.table, i)[0] =
			typeset(sink, "%s to %s", layer_name(sink, parts, parts->explanation->moves[i].from),
				layer_name(sink, parts, parts->explanation->moves[i].to));
	putc('\n', sink->file);
	columns_print(&columns);
}

/* Returns the times of a part with other plans, "; 20.1 ms as data=64; not as filter=64, which cannot run". */
static const char *otherwise(struct report_sink *sink, const struct report_parts *parts, size_t part)
{
	const char *text = "";
	for (size_t k = 0; k < parts->explanation->other_count; k++) {
		const char *const plan = text_plan(sink, &parts->others[k]);
		const double other_s = parts_other_s(parts, part, k);
		if (parts_same_plan(&parts->others[k], &parts->layered->parts[part].plan))
			continue;
		text = other_s < 0 ? typeset(sink, "%s; not as %s, which cannot run", text, plan)
				   : typeset(sink, "%s; %s as %s", text,
					     typeset_quantity(sink, other_s, DIMENSION_TIME), plan);
	}
	return text;
}

void text_why(struct report_sink *sink, const struct report_parts *parts)
{
	enum { INDENT = 5 };
	fprintf(sink->file, "\n %s\n", typeset_ink(sink, INK_BOLD, "why layers differ"));
	for (size_t i = 0; i < parts->layered->part_count; i++) {
		const double own_s = parts_row_s(&parts->explanation->rows[i]);
		fputs("   ", sink->file);
		typeset_wrapped(sink, INDENT,
			typeset(sink, "%s: %s as %s%s", range(sink, parts, i),
				typeset_quantity(sink, own_s, DIMENSION_TIME),
				text_plan(sink, &parts->layered->parts[i].plan), otherwise(sink, parts, i)));
	}
}
