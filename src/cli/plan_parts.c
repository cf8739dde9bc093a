/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/plan_parts.h"

#include "base/error.h"

bool parts_explain(struct session *session, const struct question *question,
	const struct paradl_layered *layered, const struct paradl_plan *others, size_t count,
	struct report_parts *parts)
{
	struct paradl_layered_explanation *const explanation =
		arena_alloc(session->arena, 1, sizeof *explanation);
	if (!explanation)
		return out_of_memory(&session->error);
	*parts = (struct report_parts){
		.model = question->model, .layered = layered, .explanation = explanation, .others = others};
	return paradl_explain_layered(
		question->oracle, layered, others, count, session->arena, explanation, &session->error);
}
