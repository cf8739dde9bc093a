/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/parts.h"

#include "base/error.h"

bool parts_explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, const struct paradl_plan *others, size_t count,
	struct report_parts *parts)
{
	struct paradl_layered_explanation *const explanation =
		arena_alloc(session->arena, 1, sizeof *explanation);
	double *const other_s = arena_alloc(session->arena, layered->part_count * count + 1, sizeof *other_s);
	if (!explanation || !other_s)
		return error_set(&session->error, PARADL_NO_MEMORY, "out of memory");
	*parts = (struct report_parts){
		.model = question->model,
		.layered = layered,
		.explanation = explanation,
		.others = others,
		.other_s = other_s,
		.other_count = count,
	};
	if (count == 0)
		return paradl_explain_layered(
			question->oracle, layered, NULL, session->arena, explanation, &session->error);
	for (size_t k = 0; k < count; k++) {
		if (!paradl_explain_layered(question->oracle, layered, &others[k], session->arena,
			    explanation, &session->error))
			return false;
		for (size_t i = 0; i < layered->part_count; i++)
			other_s[i * count + k] = explanation->rows[i].instead_s;
	}
	return true;
}
