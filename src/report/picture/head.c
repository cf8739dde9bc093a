/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/picture/head.h"

enum { MODEL_COLUMNS = 36, MACHINE_COLUMNS = 28, DATASET_COLUMNS = 36 };

const char *picture_title(struct report_sink *sink, const struct report_head *head, const char *rest)
{
	const char *const model = typeset(sink, "%s", head->model.name);
	const char *const machine = typeset(sink, "%s", head->machine.name);
	return typeset(sink, "%s on %s%s", typeset_cut(sink, model, MODEL_COLUMNS),
		typeset_cut(sink, machine, MACHINE_COLUMNS), rest);
}

const char *picture_subtitle(
	struct report_sink *sink, const struct report_head *head, const char *rest, const char *note)
{
	const char *const dataset =
		head->model.dataset
			? typeset_cut(sink, typeset(sink, "%s", head->model.dataset), DATASET_COLUMNS)
			: "";
	return typeset(sink, "%s%s%s%s%s%s · %s/GPU%s%s", dataset, *dataset ? " · " : "", rest,
		*rest ? " · " : "", head->precision, head->ideal ? " · ideal" : "",
		typeset_quantity(sink, head->machine.memory_bytes, DIMENSION_BYTES), *note ? " · " : "",
		note);
}

const char *picture_plan(struct report_sink *sink, const struct paradl_plan *plan)
{
	char text[PARADL_PLAN_TEXT];
	paradl_plan_format(plan, text, sizeof text);
	return typeset(sink, "%s", text);
}
