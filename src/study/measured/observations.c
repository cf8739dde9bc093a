/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file turns observations into times. Times that a rank takes in one step for the same thing are added up; then
 * it takes medians over steps, and over ranks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/quantity.h"
#include "study/measured/measured_phases.h"

static const double longest_s = 1e9;

bool observe(struct measured_reading *reading, const struct observation *observation)
{
	struct observations *list = reading->observations;
	struct observation *const added = LIST_ADD(reading->arena, list->items, list->count);
	if (!added)
		return out_of_memory(reading->error);
	*added = *observation;
	return true;
}

int observe_layer(struct measured_reading *reading, const char *name)
{
	struct observations *list = reading->observations;
	for (size_t i = 0; i < list->name_count; ++i)
		if (strcmp(list->names[i], name) == 0)
			return (int)i;
	const char *copy = arena_text(reading->arena, name);
	const char **const added = copy ? LIST_ADD(reading->arena, list->names, list->name_count) : NULL;
	if (!added)
		return -1;
	*added = copy;
	return (int)list->name_count - 1;
}

unsigned part_named(const char *name)
{
	unsigned part = 0;
	while (part < PARADL_PART_COUNT && strcmp(paradl_part_name(part), name) != 0)
		++part;
	return part;
}

double iterations_per_epoch(const struct measured_reading *reading)
{
	const double batch = reading->plan->batch;
	return batch > 0 ? reading->oracle->model->dataset.samples / batch : 0;
}

bool seconds_read(
	const struct measured_reading *reading, const char *text, const char *column, int line, double *value)
{
	const char *end;
	char quoted[48];
	if (decimal_read(text, 0, value, &end) && !*end && *value <= longest_s)
		return true;
	return error_at(reading->error, PARADL_SCHEMA, reading->path, line, 1,
		"%s must be a number from 0 to %.0e, is %s", column, longest_s,
		error_quote(quoted, sizeof quoted, text));
}

bool reading_is_plan(const struct measured_reading *reading, const char *strategy, double batch)
{
	struct paradl_plan plan;
	struct paradl_error error;
	char mine[PARADL_PLAN_TEXT], other[PARADL_PLAN_TEXT];
	if (!paradl_plan_parse(strategy, &plan, &error))
		return false;
	paradl_plan_format(reading->plan, mine, sizeof mine);
	paradl_plan_format(&plan, other, sizeof other);
	return strcmp(mine, other) == 0 && (batch < 0 || fabs(batch - reading->plan->batch) < 0.5);
}

/* ---- medians ---- */

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct observation *one = a, *other = b;
	if (one->layer != other->layer)
		return one->layer < other->layer ? -1 : 1;
	if (one->part != other->part)
		return one->part < other->part ? -1 : 1;
	const int ranks = compare_numbers(one->rank, other->rank);
	return ranks ? ranks : compare_numbers(one->step, other->step);
}

static int by_size(const void *a, const void *b)
{
	return compare_numbers(*(const double *)a, *(const double *)b);
}

/* Returns the median of values, and sorts them. */
static double median(double *values, size_t count)
{
	qsort(values, count, sizeof *values, by_size);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Returns the median of the values that are known, those that are not negative; -1: none is. Reorders the values. */
static double median_known(double *values, size_t count)
{
	size_t known = 0;
	for (size_t i = 0; i < count; ++i)
		if (values[i] >= 0)
			values[known++] = values[i];
	return known ? median(values, known) : -1;
}

static bool same_series(const struct observation *one, const struct observation *other)
{
	return one->layer == other->layer && one->part == other->part;
}

/* Adds up the observations of one step of one rank, part and layer. They must be sorted by by_place. */
static void add_up(struct observations *list)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->count; ++i) {
		struct observation *last = kept ? &list->items[kept - 1] : NULL;
		const struct observation *item = &list->items[i];
		if (!last || by_place(last, item) != 0) {
			list->items[kept++] = *item;
			continue;
		}
		last->seconds += item->seconds;
		last->busy_s = last->busy_s >= 0 && item->busy_s >= 0 ? last->busy_s + item->busy_s : -1;
		last->calls = last->calls >= 0 && item->calls >= 0 ? last->calls + item->calls : -1;
	}
	list->count = kept;
}

struct scratch {
	double *of_steps, *of_ranks, *quickest, *slowest, *busy, *calls;
};

static bool scratch_make(struct paradl_arena *arena, size_t count, struct scratch *scratch)
{
	double *all = arena_alloc(arena, 6 * (count + 1), sizeof *all);
	double **const parts[] = {&scratch->of_steps, &scratch->of_ranks, &scratch->quickest,
		&scratch->slowest, &scratch->busy, &scratch->calls};
	for (size_t i = 0; all && i < sizeof parts / sizeof parts[0]; ++i)
		*parts[i] = all + i * (count + 1);
	return all != NULL;
}

/* Fills the numbers of one rank, whose steps begin at `items`, and returns how many steps there are. */
static size_t rank_of(const struct observation *items, size_t count, size_t rank, struct scratch *scratch)
{
	double busy = 0, calls = 0;
	size_t steps = 0;
	for (; steps < count && !compare_numbers(items[steps].rank, items[0].rank); ++steps) {
		scratch->of_steps[steps] = items[steps].seconds;
		busy = busy >= 0 && items[steps].busy_s >= 0 ? busy + items[steps].busy_s : -1;
		calls = calls >= 0 && items[steps].calls >= 0 ? calls + items[steps].calls : -1;
	}
	scratch->of_ranks[rank] = median(scratch->of_steps, steps);
	scratch->quickest[rank] = scratch->of_steps[0];
	scratch->slowest[rank] = scratch->of_steps[steps - 1];
	scratch->busy[rank] = busy < 0 ? -1 : busy / (double)steps;
	scratch->calls[rank] = calls < 0 ? -1 : calls / (double)steps;
	return steps;
}

/* Returns the time of one part or layer: `count` observations, ranks one after the other. */
static struct paradl_measured_time time_of(const struct observation *items, size_t count,
	struct scratch *scratch, struct paradl_measurement *measurement)
{
	size_t ranks = 0, most_steps = 1;
	for (size_t i = 0, steps; i < count; i += steps, ++ranks) {
		steps = rank_of(&items[i], count - i, ranks, scratch);
		most_steps = steps > most_steps ? steps : most_steps;
	}
	if (ranks > measurement->ranks)
		measurement->ranks = (unsigned)ranks;
	if (most_steps > measurement->steps)
		measurement->steps = (unsigned)most_steps;
	const bool several = most_steps > 1;
	const double seconds = median(scratch->of_ranks, ranks); /* sorts them */
	return (struct paradl_measured_time){.part = items[0].part,
		.seconds = seconds,
		.least_s = scratch->of_ranks[0],
		.most_s = scratch->of_ranks[ranks - 1],
		.quickest_s = several ? median(scratch->quickest, ranks) : -1,
		.slowest_s = several ? median(scratch->slowest, ranks) : -1,
		.busy_s = median_known(scratch->busy, ranks),
		.calls = median_known(scratch->calls, ranks)};
}

static void layer_add(struct paradl_measured_layer *layer, unsigned part, double seconds)
{
	double *field = part == PARADL_FORWARD         ? &layer->forward_s
			: part == PARADL_BACKWARD      ? &layer->backward_s
			: part == PARADL_WEIGHT_UPDATE ? &layer->weight_update_s
						       : &layer->communication_s;
	*field = *field < 0 ? seconds : *field + seconds;
}

/*
 * Checks that phases take no longer than the total. Medians over ranks and steps need not add up, so 1.1 times the
 * total still passes.
 */
static bool holds_together(struct measured_reading *reading)
{
	static const double slack = 1.1;
	const struct paradl_measurement *measurement = reading->measurement;
	double sum_s = 0, total_s = -1;
	for (size_t i = 0; i < measurement->count; ++i) {
		if (measurement->times[i].part < PARADL_PHASE_COUNT)
			sum_s += measurement->times[i].seconds;
		else if (measurement->times[i].part == PARADL_PART_TOTAL)
			total_s = measurement->times[i].seconds;
	}
	if (total_s < 0 || (total_s > 0 && sum_s <= slack * total_s))
		return true;
	error_at(reading->error, PARADL_SCHEMA, reading->path, 0, 0,
		"its phases take %.3g s, more than the total of %.3g s", sum_s, total_s);
	error_hint(reading->error,
		"seconds are those that nothing hides; what compute hides goes into busy_seconds");
	return false;
}

bool observations_sum_up(struct measured_reading *reading)
{
	struct observations *list = reading->observations;
	struct paradl_measurement *measurement = reading->measurement;
	struct scratch scratch;
	struct paradl_measured_time *times =
		arena_alloc(reading->arena, PARADL_PART_COUNT, sizeof(struct paradl_measured_time));
	struct paradl_measured_layer *layers =
		arena_alloc(reading->arena, list->name_count + 1, sizeof(struct paradl_measured_layer));
	if (!times || !layers || !scratch_make(reading->arena, list->count, &scratch))
		return out_of_memory(reading->error);
	for (size_t i = 0; i < list->name_count; ++i)
		layers[i] = (struct paradl_measured_layer){list->names[i], -1, -1, -1, -1};
	if (list->count)
		qsort(list->items, list->count, sizeof *list->items, by_place);
	add_up(list);
	for (size_t i = 0, end; i < list->count; i = end) {
		for (end = i; end < list->count && same_series(&list->items[i], &list->items[end]);)
			++end;
		const struct paradl_measured_time time =
			time_of(&list->items[i], end - i, &scratch, measurement);
		if (list->items[i].layer >= 0)
			layer_add(&layers[list->items[i].layer], time.part, time.seconds);
		else
			times[measurement->count++] = time;
	}
	measurement->times = times;
	measurement->layers = layers;
	measurement->layer_count = list->name_count;
	measurement->waiting_share = reading->span_s > 0 ? reading->idle_s / reading->span_s : -1;
	if (measurement->count > 0)
		return holds_together(reading);
	error_at(reading->error, PARADL_SCHEMA, reading->path, 0, 0, "has no time of a phase%s",
		list->name_count > 0 ? ", only of layers" : "");
	error_hint(reading->error, "a row without a layer is one: forward, backward, ..., total");
	return false;
}
