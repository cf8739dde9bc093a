/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws the peak memory of each plan's fullest device by class, against the capacity of a device. */
#include <math.h>

#include "base/error.h"
#include "report/palette.h"
#include "report/picture/marks.h"
#include "report/picture/picture.h"

static const double cut_ratio = 1.6; /* length at which bars are cut, in capacities */
static const double gib = 1073741824;

struct stack {
	struct report_sink *sink;
	const struct report_advice *advice;
	struct bar *rows;
	struct bars bars;
	double capacity, longest; /* capacity of a device, and longest bar, in GiB */
};

static void add(
	struct stack *stack, const char *prefix, const char *plan, const struct paradl_estimate *estimate)
{
	struct report_sink *const sink = stack->sink;
	double *const parts = arena_alloc(sink->arena, MEMORY_CLASSES, sizeof *parts);
	sink->out_of_memory |= !parts;
	if (!parts || stack->bars.row_count == BAR_ROWS_MAX)
		return;
	for (size_t i = 0; i < MEMORY_CLASSES; i++)
		parts[i] = memory_class_bytes(&estimate->memory, i) / gib;
	const double over = estimate->memory_bytes - estimate->usable_bytes;
	const char *const bytes = typeset_quantity(sink, estimate->memory_bytes, DIMENSION_BYTES);
	stack->rows[stack->bars.row_count++] = (struct bar){
		.note = over > 0 ? typeset(sink, "%s%s, %s too much",
					   estimate->memory_bytes > cut_ratio * estimate->capacity_bytes
						   ? "»  "
						   : "",
					   bytes, typeset_quantity(sink, over, DIMENSION_BYTES))
				 : typeset(sink, "%s  %s", bytes,
					   typeset_percent(
						   sink, estimate->memory_bytes / estimate->capacity_bytes)),
		.parts = parts,
		.feasible = true};
	bar_name(sink, &stack->rows[stack->bars.row_count - 1], prefix, plan);
	stack->capacity = estimate->capacity_bytes / gib;
	if (estimate->memory_bytes / gib > stack->longest)
		stack->longest = estimate->memory_bytes / gib;
}

static void add_ranking(struct stack *stack, const struct paradl_ranking *ranking)
{
	const struct report_advice *const advice = stack->advice;
	for (size_t i = 0; i < ranking->count && (advice->top == 0 || i < advice->top); i++)
		add(stack, "", picture_plan(stack->sink, &ranking->results[i].plan), &ranking->results[i]);
	for (size_t i = 0; advice->unfit && i < ranking->infeasible_count; i++)
		if (advice->unfit[i].devices > 0)
			add(stack, "", typeset(stack->sink, "%s", ranking->infeasible[i].strategy),
				&advice->unfit[i]);
}

static void add_best(struct stack *stack)
{
	for (size_t i = 0; i < stack->advice->count; i++)
		if (stack->advice->rankings[i].count > 0) {
			const struct paradl_estimate *const best = &stack->advice->rankings[i].results[0];
			add(stack, typeset(stack->sink, "%u: ", best->devices),
				picture_plan(stack->sink, &best->plan), best);
		}
}

static bool paint(struct canvas *canvas, const void *what, struct paradl_error *error)
{
	struct report_sink *const sink = &canvas->sink;
	struct key_row parts[MEMORY_CLASSES];
	struct stack stack = {.sink = sink,
		.advice = what,
		.rows = arena_alloc(sink->arena, BAR_ROWS_MAX, sizeof *stack.rows),
		.bars = {.part_count = MEMORY_CLASSES, .columns = "", .axis = "GiB"}};
	struct bars *const bars = &stack.bars;
	if (!stack.rows)
		return out_of_memory(error);
	for (size_t i = 0; i < MEMORY_CLASSES; i++) {
		parts[i] = (struct key_row){memory_looks[i].label, memory_looks[i].rgb, NULL};
		bars->columns = arena_printf(
			sink->arena, "%s\t%s", bars->columns ? bars->columns : "", memory_looks[i].label);
	}
	bars->parts = parts;
	if (stack.advice->is_sweep)
		add_best(&stack);
	else
		add_ranking(&stack, &stack.advice->rankings[0]);
	if (bars->row_count == 0)
		return error_set(error, PARADL_INFEASIBLE, "there is no memory to draw: no plan can run");
	bars->rows = stack.rows;
	bars->limit = stack.capacity;
	bars->what =
		typeset(sink, "%s per GPU", typeset_quantity(sink, stack.capacity * gib, DIMENSION_BYTES));
	bars->most = fmin(fmax(stack.longest, 1.15 * stack.capacity), cut_ratio * stack.capacity);
	const struct paradl_ranking *const first = stack.advice->rankings;
	bars->title = picture_title(sink, stack.advice->head,
		stack.advice->is_sweep || first->devices == 0
			? ": peak memory per GPU"
			: typeset(sink, ", %s GPU%s: memory of the fullest",
				  typeset_whole(sink, first->devices), first->devices > 1 ? "s" : ""));
	bars->subtitle = picture_subtitle(sink, stack.advice->head,
		first->batch > 0 && !stack.advice->is_sweep
			? typeset(sink, "global batch %s", typeset_whole(sink, first->batch))
			: "",
		"at the moment when it holds most");
	bars_draw(canvas, bars);
	return true;
}

const struct picture picture_memory = {
	.name = "memory",
	.summary = "peak memory per GPU of each plan, against what there is",
	.commands = "advise search estimate",
	.paint = paint,
};
