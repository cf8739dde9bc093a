/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/picture/picture.h"

#include <string.h>

enum { MODEL_COLUMNS = 36, MACHINE_COLUMNS = 44, DATASET_COLUMNS = 36 };

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
	return picture_subtitle_of(sink, head, NULL, rest, note);
}

const char *picture_subtitle_of(struct report_sink *sink, const struct report_head *head, const char *amount,
	const char *rest, const char *note)
{
	const bool has_dataset = head->model.dataset && !(head->inference && head->model.sequence > 0);
	const char *const dataset =
		amount        ? amount
		: has_dataset ? typeset_cut(sink, typeset(sink, "%s", head->model.dataset), DATASET_COLUMNS)
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

static bool is_axis(const char *item)
{
	const size_t length = strcspn(item, "=,");
	if (strncmp(item, "serial", length) == 0)
		return true;
	for (size_t i = 0; paradl_strategy(i).name; i++)
		if (strlen(paradl_strategy(i).name) == length &&
			strncmp(paradl_strategy(i).name, item, length) == 0)
			return true;
	return false;
}

const char *picture_axes(struct report_sink *sink, const char *plan, const char **options)
{
	size_t length = 0;
	while (is_axis(plan + length)) {
		length += strcspn(plan + length, ",");
		if (plan[length] == '\0')
			break;
		length++;
	}
	*options = plan + length;
	if (length > 0 && plan[length] != '\0')
		length--; /* the comma */
	return typeset(sink, "%.*s", (int)length, plan);
}
