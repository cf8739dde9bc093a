/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describes kernels as points: measured and modelled time, flop, and the least bytes that each moves; and the roofs
 * of their devices. Flop count only the necessary work: a causal mask hides half the scores, a window all keys beyond
 * its length. Bytes count each operand once; those of attention are queries, keys, values and output.
 */
#include "base/arena.h"
#include "base/error.h"
#include "fit/kernels_score.h"

/* Returns the mean number of keys that a query of a causal prompt sees. */
static double causal_keys(const struct attention_call *call)
{
	if (call->window > 0 && call->window < call->keys)
		return call->window - call->window * call->window / (2 * call->keys);
	return call->keys / 2;
}

static void work_fill(const struct kernel_row *row, struct paradl_kernel_point *point)
{
	const struct attention_call *const prompt = &row->prompt;
	const struct token_attention_call *const token = &row->token;
	if (row->kind == KERNEL_GEMM || row->kind == KERNEL_WEIGHTS) {
		point->flop = 2 * row->m * row->n * row->k;
		point->bytes = row->bytes;
	} else if (row->kind == KERNEL_GROUPED) {
		kernel_experts_work(row, &point->flop, &point->bytes);
	} else if (row->kind == KERNEL_PROMPT) {
		point->flop = 2 * prompt->queries * causal_keys(prompt) * prompt->heads * prompt->widths;
		point->bytes = prompt->queries * (prompt->heads + prompt->kv_heads) * prompt->widths *
			       prompt->item_bytes;
	} else if (row->kind == KERNEL_COLLECTIVE) {
		point->bytes = row->node.bytes;
	} else if (row->kind == KERNEL_DISPATCH) {
		point->bytes = row->dispatched;
	} else {
		point->flop = 2 * token->sequences * token->keys * token->heads * token->widths;
		point->bytes = token->bytes;
	}
}

/* Returns the sizes of a kernel as text for people; NULL when out of memory. */
static const char *shape_of(struct paradl_arena *arena, const struct kernel_row *row)
{
	const struct grouped_call *const experts = &row->grouped;
	const struct attention_call *const prompt = &row->prompt;
	const struct token_attention_call *const token = &row->token;
	if (row->kind == KERNEL_GEMM || row->kind == KERNEL_WEIGHTS)
		return arena_printf(arena, "%.0f x %.0f x %.0f", row->m, row->n, row->k);
	if (row->kind == KERNEL_GROUPED)
		return arena_printf(arena, "%.0f experts, %.0f tokens each, %.0f x %.0f x %.0f",
			experts->experts, experts->tokens, experts->hidden, experts->columns, experts->inner);
	if (row->kind == KERNEL_PROMPT)
		return arena_printf(arena, "%.0f x %.0f tokens, heads %.0f/%.0f of %.0f, window %.0f",
			prompt->sequences, prompt->keys, prompt->heads, prompt->kv_heads, prompt->widths / 2,
			prompt->window);
	if (row->kind == KERNEL_COLLECTIVE)
		return arena_printf(
			arena, "%s of %.0f, %.0f B", row->operation, row->node.members, row->node.bytes);
	if (row->kind == KERNEL_DISPATCH)
		return arena_printf(arena, "%s, %.0f B of copies", row->operation, row->dispatched);
	return arena_printf(arena, "%.0f x %.0f keys, heads %.0f/%.0f of %.0f", token->sequences, token->keys,
		token->heads, token->kv_heads, token->widths / 2);
}

static bool roof_add(struct kernel_scores *scores, struct paradl_kernel_roof roof)
{
	for (size_t i = 0; i < scores->roof_count; ++i)
		if (scores->roofs[i].device == roof.device && scores->roofs[i].what == roof.what)
			return true;
	struct paradl_kernel_roof *added = LIST_ADD(scores->arena, scores->roofs, scores->roof_count);
	if (!added)
		return out_of_memory(scores->error);
	*added = roof;
	return true;
}

bool kernel_points_add(struct kernel_scores *scores, const struct kernel_rows *rows,
	const struct device *files, const struct device *fitted, const struct kernel_predictions *predictions)
{
	static const char memory[] = "memory";
	for (size_t i = 0; i < rows->count; ++i) {
		const struct kernel_row *row = &rows->items[i];
		const struct device *device = &(fitted ? fitted : files)[row->device];
		const char *name = rows->devices[row->device], *precision = kernel_row_precision(row);
		struct paradl_kernel_point *point =
			LIST_ADD(scores->arena, scores->points, scores->point_count);
		if (!point || !(point->shape = shape_of(scores->arena, row)))
			return out_of_memory(scores->error);
		point->device = name;
		point->kind = kernel_kind_name(row->kind);
		point->precision = precision;
		point->measured_s = row->seconds;
		for (size_t draw = 0; draw < predictions->draws && !(point->modelled_s > 0); ++draw)
			point->modelled_s = predictions->seconds[draw * rows->count + i];
		if (!(point->modelled_s > 0))
			point->modelled_s = kernel_row_s(device, row);
		work_fill(row, point);
		if (!roof_add(scores, (struct paradl_kernel_roof){name, precision, "flop/s",
					      device->peak_flop_per_s[row->precision]}) ||
			!roof_add(scores,
				(struct paradl_kernel_roof){name, memory, "B/s", device->memory_bytes_per_s}))
			return false;
	}
	return true;
}
