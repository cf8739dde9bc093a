/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file answers one point: with its plan, or the best plan of its family, in its world. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/quantity.h"
#include "search/options.h"
#include "study/sweep.h"

struct point {
	const struct paradl_sweep *sweep;
	const size_t *places;
	struct paradl_oracle *oracle;
	const struct sweep_strategy *strategy;
	double gpus; /* number of GPUs; negative: as many as the plan takes */
	struct sweep_answer *answer;
};

static bool refuse(struct sweep_answer *answer, const char *reason)
{
	snprintf(answer->reason, sizeof answer->reason, "%s", reason);
	answer->row.reason = answer->reason;
	return true;
}

/* Puts an error about this point into its row; false: any other error, which ends the sweep. */
static bool refuse_error(
	struct sweep_answer *answer, const struct paradl_error *why, struct paradl_error *error)
{
	if (why->status == PARADL_USAGE || why->status == PARADL_INFEASIBLE)
		return refuse(answer, why->message);
	if (error)
		*error = *why;
	return false;
}

/* Appends the words of plans that vary to `text`. False: the text is too long for a plan. */
static bool add_words(const struct point *point, char *text, size_t size, bool with_micro)
{
	size_t used = strlen(text);
	for (size_t i = 0; i < point->sweep->dimension_count; ++i) {
		const struct sweep_dimension *const dimension = &point->sweep->dimensions[i];
		if (dimension->kind != SWEEP_PLAN && (dimension->kind != SWEEP_MICRO || !with_micro))
			continue;
		const int length = snprintf(text + used, size - used, "%s%s=%s", used ? "," : "",
			dimension->key, dimension->values.items[point->places[i]]);
		if (length < 0 || (size_t)length >= size - used)
			return false;
		used += (size_t)length;
	}
	return true;
}

static void name_plan(struct sweep_answer *answer, const struct paradl_plan *plan)
{
	paradl_plan_format(plan, answer->strategy, sizeof answer->strategy);
}

/*
 * Returns the samples that are asked for, given for all GPUs or for each. Where none are given, a model that
 * generates text answers one for each replica. 0: nothing is asked for.
 */
static double batch_asked(const struct point *point, double devices, double replicas)
{
	const struct paradl_sweep_request *const request = point->sweep->request;
	const double varied = sweep_number(point->sweep, point->places, SWEEP_BATCH);
	const double each = sweep_number(point->sweep, point->places, SWEEP_PER_GPU);
	if (request->batch_tokens > 0)
		return paradl_token_samples(
			request->batch_tokens, paradl_model_info(point->oracle->model).sequence);
	if (varied > 0 || request->batch > 0)
		return varied > 0 ? varied : request->batch;
	if (each > 0 || request->per_device > 0)
		return (each > 0 ? each : request->per_device) * devices;
	const bool answers =
		point->oracle->options.inference && paradl_model_info(point->oracle->model).generates;
	return answers ? replicas : 0;
}

/*
 * Sets the open degree to the GPUs that the others leave, so that all are in use. False: answer->reason says why not.
 */
static bool take_gpus(const struct point *point, struct paradl_plan *plan)
{
	const struct sweep_strategy *const strategy = point->strategy;
	struct sweep_answer *const answer = point->answer;
	const double others = paradl_plan_devices(plan);
	const double degree = point->gpus / others;
	if (point->gpus < 0)
		return true;
	if (!strategy->has_star && (others < point->gpus || others > point->gpus)) {
		name_plan(answer, plan);
		snprintf(answer->reason, sizeof answer->reason, "takes %.0f GPU%s, not %.0f", others,
			others > 1 ? "s" : "", point->gpus);
	} else if (strategy->has_star && (degree < 1 || (double)(unsigned)degree < degree)) {
		snprintf(answer->strategy, sizeof answer->strategy, "%s", strategy->typed);
		snprintf(answer->reason, sizeof answer->reason,
			"%.0f GPU%s: no multiple of the %.0f that the other degrees take", point->gpus,
			point->gpus > 1 ? "s" : "", others);
	} else {
		if (strategy->has_star)
			plan->degree[strategy->star] = (unsigned)degree;
		if (strategy->has_star && strategy->star == PARADL_SPATIAL)
			plan->spatial[0] = (unsigned)degree;
		return true;
	}
	answer->row.reason = answer->reason;
	return false;
}

static bool say_fit(struct sweep_answer *answer)
{
	const struct paradl_estimate *const estimate = &answer->estimate;
	answer->row.estimate = estimate;
	if (estimate->fits)
		return true;
	lack_explain(estimate, answer->reason, sizeof answer->reason);
	answer->row.reason = answer->reason;
	return true;
}

static bool ask_plan(const struct point *point, struct paradl_error *error)
{
	struct sweep_answer *const answer = point->answer;
	struct paradl_plan plan = point->strategy->plan;
	struct paradl_error why = {0};
	if (!oracle_readers_named(point->oracle, &why)) {
		snprintf(answer->strategy, sizeof answer->strategy, "%s", point->strategy->typed);
		return refuse_error(answer, &why, error);
	}
	if (point->sweep->has_words) {
		char text[PARADL_PLAN_TEXT];
		snprintf(text, sizeof text, "%s", point->strategy->text);
		if (!add_words(point, text, sizeof text, true))
			return refuse(answer, "the plan is too long");
		snprintf(answer->strategy, sizeof answer->strategy, "%s", text);
		if (!paradl_plan_parse(text, &plan, &why))
			return refuse_error(answer, &why, error);
	}
	if (!take_gpus(point, &plan))
		return true;
	name_plan(answer, &plan);
	answer->row.devices = paradl_plan_devices(&plan);
	const double replicas = (double)plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	plan.batch = batch_of(
		point->oracle, batch_asked(point, answer->row.devices, replicas), 0, answer->row.devices, 0);
	answer->row.batch = plan.batch;
	if (!paradl_estimate(point->oracle, &plan, &answer->estimate, &why))
		return refuse_error(answer, &why, error);
	return say_fit(answer);
}

static bool take_best(const struct paradl_ranking *ranking, double usual, struct sweep_answer *answer)
{
	answer->row.batch = ranking->batch;
	answer->row.is_shared = ranking->batch > 0 && ranking->batch < usual;
	if (ranking->count > 0) {
		struct paradl_inference *const inference = &answer->estimate.inference;
		answer->estimate = ranking->results[0];
		if (inference->prefill) { /* its text goes with the ranking */
			snprintf(answer->prefill, sizeof answer->prefill, "%s", inference->prefill);
			inference->prefill = answer->prefill;
		}
		name_plan(answer, &answer->estimate.plan);
		return say_fit(answer);
	}
	if (ranking->infeasible_count == 0)
		return refuse(answer, "no plan of that kind");
	snprintf(answer->strategy, sizeof answer->strategy, "%s", ranking->infeasible[0].strategy);
	return refuse(answer, ranking->infeasible[0].reason);
}

/*
 * Fills the answer with the best plan of the families. If none runs, the reason is that of the first family, which
 * came closest.
 */
static bool ask_family(const struct point *point, struct paradl_error *error)
{
	struct sweep_answer *const answer = point->answer;
	const struct paradl_sweep_request *const wanted = point->sweep->request;
	const unsigned most = point->oracle->machine->devices;
	char options[PARADL_PLAN_TEXT] = "";
	struct paradl_error why = {0};
	struct paradl_ranking ranking;
	snprintf(answer->strategy, sizeof answer->strategy, "%s",
		point->strategy->text ? point->strategy->text : "");
	snprintf(options, sizeof options, "%s", wanted->with ? wanted->with : "");
	if (!add_words(point, options, sizeof options, false))
		return refuse(answer, "the options are too long");
	if (point->gpus > most) {
		error_set(&why, PARADL_USAGE, "%s has %u devices", point->oracle->machine->name, most);
		return refuse(answer, why.message);
	}
	const double asked = batch_asked(point, point->gpus, point->gpus);
	const double usual = batch_of(point->oracle, asked, 0, point->gpus, 0);
	answer->row.batch = usual;
	const double micro = sweep_number(point->sweep, point->places, SWEEP_MICRO);
	const struct paradl_request request = {.devices = (unsigned)point->gpus,
		.batch = asked,
		.micro = micro > 0 ? micro : 0,
		.goal = wanted->goal,
		.strategies = point->strategy->text,
		.options = *options ? options : NULL};
	struct paradl_arena *const arena = paradl_arena_create();
	if (!arena)
		return out_of_memory(error);
	const bool fine = paradl_advise(point->oracle, &request, PARADL_RANKED_FIRST, arena, &ranking, &why)
				  ? take_best(&ranking, usual, answer)
				  : refuse_error(answer, &why, error);
	paradl_arena_free(arena);
	return fine;
}

bool sweep_point(const struct paradl_sweep *sweep, const struct sweep_item *world,
	struct paradl_oracle *oracle, const size_t *places, struct sweep_answer *answer,
	struct paradl_error *error)
{
	const struct sweep_strategy *const strategy = &sweep->strategies[places[sweep->dimension_count]];
	const struct point point = {.sweep = sweep,
		.places = places,
		.oracle = oracle,
		.strategy = strategy,
		.gpus = sweep_number(sweep, places, SWEEP_GPUS),
		.answer = answer};
	answer->row.places = places;
	answer->row.model = &world->model;
	answer->row.machine = &world->machine;
	answer->row.strategy = answer->strategy;
	answer->row.devices = point.gpus > 0 ? point.gpus : 0;
	answer->row.batch = 0;
	answer->row.is_shared = false;
	answer->row.estimate = NULL;
	answer->row.reason = NULL;
	if (!oracle) {
		const double varied = sweep_number(sweep, places, SWEEP_BATCH);
		answer->row.batch = varied > 0 ? varied : sweep->request->batch;
		snprintf(answer->strategy, sizeof answer->strategy, "%s",
			strategy->typed ? strategy->typed : "");
		return refuse(answer, world->error.message);
	}
	if (sweep->request->batch_tokens > 0 && !(paradl_model_info(oracle->model).sequence > 0))
		return refuse(answer, "a sample has no tokens, in which the batch is given");
	return strategy->is_plan ? ask_plan(&point, error) : ask_family(&point, error);
}
