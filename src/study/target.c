/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds the factor by which an input alone has to be multiplied until a measure has the value that is
 * wanted. f(x) = log(measure(e^x) / wanted) has its zero between 0 and the log of the largest factor that runs, if it
 * has another sign there: false position with the Illinois rule (Dowell and Jarratt, BIT 11, 1971), halving where
 * that is slow. Whole numbers: bisection for the least change, among those with which the plan runs, which may be few.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "study/studies.h"

static const double largest_factor = 1e4, exact = 1e-9;

NAME_FUNCTION(paradl_measure_name, enum paradl_measure, "epoch", "iteration", "cost", "energy", "memory",
	"ttft", "tpot")

double paradl_measure(const struct paradl_estimate *estimate, enum paradl_measure measure)
{
	switch (measure) {
	case PARADL_MEASURE_EPOCH:
		return estimate->epoch_s;
	case PARADL_MEASURE_COST:
		return estimate->cost_per_epoch;
	case PARADL_MEASURE_ENERGY:
		return estimate->energy_joule_per_epoch;
	case PARADL_MEASURE_MEMORY:
		return estimate->memory_bytes;
	case PARADL_MEASURE_TTFT:
		return estimate->inference.prompts_s;
	case PARADL_MEASURE_TPOT:
		return estimate->inference.token_s;
	case PARADL_MEASURE_ITERATION:
	case PARADL_MEASURE_COUNT:
		break;
	}
	return estimate->iteration_s;
}

/* Returns why estimates may lack a measure. */
static const char *lack_of(enum paradl_measure measure)
{
	if (measure == PARADL_MEASURE_TTFT || measure == PARADL_MEASURE_TPOT)
		return "it is of answers to prompts, --inference of a network that generates tokens";
	return measure == PARADL_MEASURE_EPOCH ? "the model names no data set"
					       : "the model names no data set, or the machine's profile has "
						 "no number for it";
}

/* A place of the search: f is log(measure / wanted); count: of an input that is a whole number, that number. */
struct scale_point {
	double x, f, times, count;
	struct paradl_estimate estimate;
};

struct hunt {
	const struct study *study;
	const struct factor_here *here;
	enum paradl_measure measure;
	double wanted;
};

static bool look(const struct hunt *hunt, double x, struct scale_point *place)
{
	struct variation variation;
	struct paradl_error error;
	double value;
	if (!factor_apply(hunt->study, hunt->here, exp(x), &variation, &error) ||
		!study_ask(hunt->study, &variation, &place->estimate, &value, &error))
		return false;
	place->x = x;
	place->times = variation.times;
	place->count = variation.count;
	value = paradl_measure(&place->estimate, hunt->measure);
	place->f = log(value / hunt->wanted);
	return value > 0; /* an answer of one token has no time of each token after it */
}

/* Finds the farthest factor that runs, in one direction; false: none that was tried runs. */
static bool farthest(const struct hunt *hunt, double sign, struct scale_point *place)
{
	enum { HALVINGS = 6 };
	for (int i = 0; i <= HALVINGS; i++)
		if (look(hunt, sign * ldexp(log(largest_factor), -i), place))
			return true;
	return false;
}

static bool is_close(const struct scale_point *a, const struct scale_point *b)
{
	return fabs(a->x - b->x) <= 1e-13 * fmax(1, fabs(b->x));
}

/* Closes in on the zero from `near` (factor 1) and `far`, which are on either side. The answer is `far`. */
static void close_in(const struct hunt *hunt, struct scale_point near, struct scale_point *far)
{
	enum { STEPS = 100, PATIENCE = 3 };
	double near_f = near.f, far_f = far->f, width = fabs(far->x - near.x);
	for (unsigned i = 1; i <= STEPS && fabs(far->f) > exact && !is_close(&near, far); i++) {
		struct scale_point middle;
		const bool halve = i % PATIENCE == 0 && fabs(far->x - near.x) > width / 2;
		const double x =
			halve ? (near.x + far->x) / 2 : (near.x * far_f - far->x * near_f) / (far_f - near_f);
		if (i % PATIENCE == 0)
			width = fabs(far->x - near.x);
		if (!look(hunt, x, &middle))
			return;
		if ((middle.f > 0) == (far->f > 0)) {
			*far = middle;
			far_f = middle.f;
			near_f /= 2;
		} else {
			near = middle;
			near_f = middle.f;
			far_f /= 2;
		}
	}
	if (fabs(near.f) < fabs(far->f))
		*far = near;
}

/* Looks at a whole number of the input, which has `has` now. */
static bool look_at(const struct hunt *hunt, double has, double count, struct scale_point *place)
{
	return look(hunt, log(count / has), place);
}

/*
 * Finds the whole number nearest to the middle of two with which the plan runs; false: it runs with none between them.
 */
static bool middle_of(
	const struct hunt *hunt, double has, double low, double high, struct scale_point *middle)
{
	const double first = floor((low + high) / 2);
	double below = first, above = first + 1;
	while (below > low || above < high) {
		if ((below > low && look_at(hunt, has, below, middle)) ||
			(above < high && look_at(hunt, has, above, middle)))
			return true;
		below--;
		above++;
	}
	return false;
}

/* Finds the least change of a whole number that is enough. The answer is `far`. */
static void close_in_whole(
	const struct hunt *hunt, double has, const struct scale_point *start, struct scale_point *far)
{
	struct scale_point near = *start, middle;
	near.count = has;
	while (middle_of(hunt, has, fmin(near.count, far->count), fmax(near.count, far->count), &middle)) {
		const bool enough = (middle.f > 0) == (far->f > 0);
		*(enough ? far : &near) = middle;
	}
}

/*
 * Finds the farthest whole number that runs, in one direction: of those between, at most so many are tried. False: none
 * that was tried runs.
 */
static bool farthest_whole(const struct hunt *hunt, double sign, double has, struct scale_point *place)
{
	enum { TRIES = 4096 };
	struct variation variation;
	struct paradl_error error;
	if (!factor_apply(hunt->study, hunt->here, exp(sign * log(largest_factor)), &variation, &error))
		return false;
	const double last = variation.count, step = fmax(1, ceil(fabs(last - has) / TRIES));
	double count = last;
	while (sign * (count - has) > 0) {
		if (look_at(hunt, has, count, place))
			return true;
		count -= sign * step;
	}
	return false;
}

static bool is_whole(const struct factor *factor)
{
	return factor->of_plan || factor->whole;
}

/* Returns the whole number that the input is now; 0: it is none. */
static double count_now(const struct hunt *hunt)
{
	struct variation variation;
	struct paradl_error error;
	const bool whole =
		is_whole(hunt->here->factor) && factor_apply(hunt->study, hunt->here, 1, &variation, &error);
	return whole ? variation.count : 0;
}

static void hunt_down(
	const struct hunt *hunt, const struct scale_point *start, struct paradl_whatif_need *need)
{
	const double first = hunt->here->factor->less_is_better ? -1 : 1, has = count_now(hunt);
	struct scale_point best = *start;
	for (unsigned i = 0; i < 2 && !need->reached; i++) {
		const double sign = i ? -first : first;
		struct scale_point far;
		if (!(has > 0 ? farthest_whole(hunt, sign, has, &far) : farthest(hunt, sign, &far)))
			continue;
		need->reached = !((far.f > 0) == (start->f > 0)) || fabs(far.f) <= exact;
		if (need->reached && has > 0)
			close_in_whole(hunt, has, start, &far);
		else if (need->reached)
			close_in(hunt, *start, &far);
		if (need->reached || fabs(far.f) < fabs(best.f) - exact)
			best = far;
	}
	need->times = best.times;
	need->estimate = best.estimate;
	need->stops = paradl_measure(&best.estimate, hunt->measure);
}

static int by_change(const void *a, const void *b)
{
	const struct paradl_whatif_need *const left = a, *const right = b;
	if (left->reached != right->reached)
		return left->reached ? -1 : 1;
	if (left->reached && left->estimate.fits != right->estimate.fits)
		return left->estimate.fits ? -1 : 1;
	const double from[] = {left->reached ? fabs(log(left->times)) : left->stops,
		right->reached ? fabs(log(right->times)) : right->stops};
	if (from[0] < from[1] || from[0] > from[1])
		return from[0] < from[1] ? -1 : 1;
	return strcmp(left->input.name, right->input.name);
}

bool paradl_whatif_target(const struct paradl_whatif_request *request, enum paradl_measure measure,
	double wanted, struct paradl_arena *arena, struct paradl_whatif_target *target,
	struct paradl_error *error)
{
	struct study study;
	const struct factor_here *here;
	size_t count;
	if (!(wanted > 0))
		return error_set(error, PARADL_USAGE, "a target is more than 0");
	if (!study_open(&study, arena, request, error) || !factors_here(&study, &here, &count, error))
		return false;
	struct paradl_whatif_need *const rows = arena_alloc(arena, count, sizeof *rows);
	if (!rows)
		return out_of_memory(error);
	const double has = paradl_measure(&study.estimate, measure);
	if (!(has > 0))
		return error_set(error, PARADL_USAGE, "there is no %s to have a target: %s",
			paradl_measure_name(measure), lack_of(measure));
	*target = (struct paradl_whatif_target){measure, wanted, has, study.estimate, rows, count, 0};
	const struct scale_point start = {.f = log(has / wanted), .times = 1, .estimate = study.estimate};
	for (size_t i = 0; i < count; i++) {
		const struct hunt hunt = {&study, &here[i], measure, wanted};
		rows[i] = (struct paradl_whatif_need){.input = factor_input(arena, &here[i])};
		hunt_down(&hunt, &start, &rows[i]);
		target->reached += rows[i].reached;
	}
	qsort(rows, count, sizeof *rows, by_change);
	return true;
}
