/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file chooses options for given degrees, few enough that every plan of a machine can be asked about:
 *     micro        1, 2, 4, ... samples, while plans get better and fit
 *     schedule     1f1b, interleaved with two stages on each device
 *     zero         0 and 1, which divides the work of updates; 2 and 3 where memory lacks
 *     recompute    as little as fits: nothing, attention scores, whole blocks; to recompute more never saves time
 *     sequence     on wherever the tensor axis is in use: the same bytes are sent, and less is held
 *     experts      whole, and cut by the tensor axis
 * Options that are fixed are not varied, and others only as far as the training program has them.
 */
#include "search/options.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "machine/framework.h"
#include "plan/plan_text.h"
#include "search/tasks.h"

bool option_space_begin(struct option_space *space, struct paradl_oracle *oracle,
	const struct paradl_request *request, struct paradl_error *error)
{
	*space = (struct option_space){.oracle = oracle,
		.goal = request->goal,
		.chooses = oracle->model->tokens && !oracle->rules.ideal};
	if (request->options && !plan_options_parse(request->options, &space->fixed, &space->given, error))
		return false;
	if (space->fixed.gather[0] && !gather_known(oracle->model, space->fixed.gather, error))
		return false;
	if (request->micro > 0 && !(space->given & 1u << PLAN_MICRO) && oracle->model->tokens) {
		space->fixed.micro = request->micro;
		space->given |= 1u << PLAN_MICRO;
	}
	return true;
}

static bool is_fixed(const struct option_space *space, enum plan_option option)
{
	return space->given & 1u << option;
}

static void fixed_apply(const struct option_space *space, struct paradl_plan *plan)
{
	const struct paradl_plan *fixed = &space->fixed;
	if (is_fixed(space, PLAN_MICRO))
		plan->micro = fixed->micro;
	if (is_fixed(space, PLAN_SCHEDULE)) {
		plan->schedule = fixed->schedule;
		plan->chunks = fixed->chunks;
	}
	if (is_fixed(space, PLAN_SPLIT)) {
		plan->split_count = fixed->split_count;
		for (unsigned i = 0; i < fixed->split_count; ++i)
			plan->split[i] = fixed->split[i];
	}
	if (is_fixed(space, PLAN_ZERO))
		plan->zero = fixed->zero;
	if (is_fixed(space, PLAN_SHARD))
		plan->shard = fixed->shard;
	if (is_fixed(space, PLAN_RECOMPUTE)) {
		plan->recompute = fixed->recompute;
		plan->recompute_blocks = fixed->recompute_blocks;
	}
	if (is_fixed(space, PLAN_SEQUENCE))
		plan->sequence = fixed->sequence && plan->degree[PARADL_TENSOR] > 1;
	if (is_fixed(space, PLAN_EXPERTS))
		plan->expert_tensor = fixed->expert_tensor && plan->degree[PARADL_TENSOR] > 1;
	if (is_fixed(space, PLAN_OFFLOAD))
		plan->offload = fixed->offload;
	if (is_fixed(space, PLAN_OVERLAP))
		plan->apart = fixed->apart;
	plan_keep(plan, fixed);
}

/* Trial of options: the best plan so far. */
struct trial {
	struct option_space *space;
	struct paradl_estimate *best;
	bool runs; /* whether `best` is filled */
	double value;
	struct paradl_error *error; /* error of the first plan that does not run, while none does */
	bool failed;
};

static const struct framework_offers *offers_of(const struct trial *trial)
{
	return &trial->space->oracle->framework->offers;
}

/* Estimates a plan and keeps it if it is the best so far; returns whether it fits. */
static bool plan_try(struct trial *trial, const struct paradl_plan *plan)
{
	struct paradl_estimate estimate;
	const bool first = !trial->runs && !trial->failed;
	struct paradl_oracle *const oracle = trial->space->oracle;
	struct paradl_error *const error = first ? trial->error : NULL;
	++trial->space->evaluated;
	if (!(trial->space->needs_only ? estimate_needs(oracle, plan, &estimate, error)
				       : paradl_estimate(oracle, plan, &estimate, error))) {
		trial->failed = true;
		if (!trial->runs && estimate.inference.most_per_s > trial->best->inference.most_per_s)
			trial->best->inference.most_per_s = estimate.inference.most_per_s;
		return false;
	}
	const double value = paradl_goal_value(&estimate, trial->space->goal);
	const bool better = !trial->runs || (estimate.fits && !trial->best->fits) ||
			    (estimate.fits == trial->best->fits &&
				    (estimate.fits ? value < trial->value
						   : estimate.memory_bytes < trial->best->memory_bytes));
	if (better) {
		*trial->best = estimate;
		trial->value = value;
	}
	trial->runs = true;
	return estimate.fits;
}

unsigned recomputes_offered(const struct paradl_oracle *oracle)
{
	const struct paradl_model *model = oracle->model;
	unsigned offered = oracle->framework->offers.recomputes;
	if (!model->tokens && !(oracle->rules.selective_share > 0)) /* networks of images have no scores */
		offered &= ~(1u << PARADL_RECOMPUTE_SELECTIVE);
	if (!model->has_modules)
		offered &= ~(1u << PARADL_RECOMPUTE_MODULES);
	return offered;
}

/* Tries the recomputations, least first, until one fits; returns whether the plan that recomputes least fits. */
static bool recompute_vary(struct trial *trial, struct paradl_plan plan)
{
	static const enum paradl_recompute levels[] = {PARADL_RECOMPUTE_DEFAULT, PARADL_RECOMPUTE_NONE,
		PARADL_RECOMPUTE_SELECTIVE, PARADL_RECOMPUTE_MODULES, PARADL_RECOMPUTE_FULL};
	const unsigned offered = recomputes_offered(trial->space->oracle);
	const bool usually = trial->space->oracle->rules.recompute > PARADL_RECOMPUTE_NONE;
	bool least_fits = false;
	if (is_fixed(trial->space, PLAN_RECOMPUTE))
		return plan_try(trial, &plan);
	for (unsigned i = 0; i < sizeof levels / sizeof *levels; ++i) {
		if (levels[i] == PARADL_RECOMPUTE_NONE && !usually)
			continue; /* was tried as the default */
		if (i > 0 && !(offered & 1u << levels[i]))
			continue;
		plan.recompute = levels[i];
		const bool fits = plan_try(trial, &plan);
		const bool least = levels[i] == (usually ? PARADL_RECOMPUTE_NONE : PARADL_RECOMPUTE_DEFAULT);
		least_fits = least_fits || (least && fits);
		if (fits && (least || levels[i] > PARADL_RECOMPUTE_NONE) &&
			trial->space->goal != PARADL_MEMORY)
			break;
	}
	return least_fits;
}

static unsigned zero_levels(const struct framework_offers *offers, const struct paradl_plan *plan)
{
	const unsigned all = (1u << 4) - 1;
	return all & offers->zero & (plan->degree[PARADL_PIPELINE] > 1 ? offers->zero_with_pipeline : all);
}

static void zero_vary(struct trial *trial, struct paradl_plan plan)
{
	const bool alone = !(plan_replicas(&plan) > 1);
	if (is_fixed(trial->space, PLAN_ZERO) || alone) {
		recompute_vary(trial, plan);
		return;
	}
	const unsigned least = plan.shard ? 1 : 0;
	const unsigned offered = zero_levels(offers_of(trial), &plan) >> least << least;
	const unsigned levels = offered ? offered : 1u << least;
	for (plan.zero = least; plan.zero <= 3; ++plan.zero) {
		if (!(levels & 1u << plan.zero))
			continue;
		const bool fits = recompute_vary(trial, plan);
		/* zero=1 divides the work of updates; 2 and 3 only save memory. */
		if (fits && plan.zero >= 1 && trial->space->goal != PARADL_MEMORY)
			return;
	}
}

static void experts_vary(struct trial *trial, struct paradl_plan plan)
{
	const bool joins =
		plan.degree[PARADL_TENSOR] > 1 && oracle_axes(trial->space->oracle) & 1u << PARADL_EXPERT;
	zero_vary(trial, plan);
	if (!joins || is_fixed(trial->space, PLAN_EXPERTS) || !offers_of(trial)->expert_tensor)
		return;
	plan.expert_tensor = true;
	zero_vary(trial, plan);
}

static void schedule_vary(struct trial *trial, struct paradl_plan plan)
{
	const unsigned schedules = offers_of(trial)->schedules, usual = trial->space->oracle->rules.schedule;
	const bool varies = plan.degree[PARADL_PIPELINE] > 1 && !is_fixed(trial->space, PLAN_SCHEDULE);
	if (varies && !(schedules & 1u << usual) && schedules & 1u << PARADL_GPIPE)
		plan.schedule = PARADL_GPIPE;
	experts_vary(trial, plan);
	if (!varies || plan.split_count || !(schedules & 1u << PARADL_INTERLEAVED))
		return;
	plan.schedule = PARADL_INTERLEAVED;
	plan.chunks = 2;
	experts_vary(trial, plan);
}

enum { MICRO_MOST = 1 << 20 };

static void micro_vary(struct trial *trial, struct paradl_plan plan)
{
	const double replicas = (double)plan.degree[PARADL_DATA] * plan.degree[PARADL_EXPERT];
	const double local = share(plan.batch, replicas, false);
	if (is_fixed(trial->space, PLAN_MICRO)) {
		schedule_vary(trial, plan);
		return;
	}
	for (unsigned micro = 1; micro <= local && fmod(local, micro) <= 0 && micro <= MICRO_MOST;
		micro *= 2) {
		plan.micro = micro;
		struct paradl_estimate best = {.fits = false};
		struct trial here = {.space = trial->space,
			.best = &best,
			.error = trial->error,
			.failed = trial->runs}; /* only the first error is kept */
		schedule_vary(&here, plan);
		const bool better =
			here.runs && (!trial->runs || (best.fits && !trial->best->fits) ||
					     (best.fits == trial->best->fits && here.value < trial->value));
		if (!better)
			return;
		*trial->best = best;
		trial->value = here.value;
		trial->runs = true;
		if (!best.fits) /* nor does a larger micro-batch */
			return;
	}
}

/* Tries the plan and, where the tensor axis can join, experts cut by it: inference has no more to choose. */
static void serving_vary(struct trial *trial, struct paradl_plan plan)
{
	const bool joins =
		plan.degree[PARADL_TENSOR] > 1 && oracle_axes(trial->space->oracle) & 1u << PARADL_EXPERT;
	plan_try(trial, &plan);
	if (!joins || is_fixed(trial->space, PLAN_EXPERTS))
		return;
	plan.expert_tensor = true;
	plan_try(trial, &plan);
}

/*
 * Returns whether the program divides along all these axes, in training of networks of tokens and in serving; else
 * sets the error.
 */
static bool axes_offered(
	const struct option_space *space, const struct paradl_plan *degrees, struct paradl_error *error)
{
	const struct paradl_framework *framework = space->oracle->framework;
	char lacking[64];
	const bool trains = space->chooses && !space->oracle->options.inference;
	if (!(trains || framework->serves) || !(plan_axes(degrees) & ~framework->offers.axes))
		return true;
	framework_offers_plan(framework, degrees, lacking, sizeof lacking);
	error_set(error, PARADL_INFEASIBLE, "%s has no %s", framework->name, lacking);
	error_hint(error, "another program: --framework");
	return false;
}

bool options_choose(struct option_space *space, const struct paradl_plan *degrees,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	struct trial trial = {.space = space, .best = estimate, .error = error};
	struct paradl_plan plan = *degrees;
	const bool serves = space->oracle->options.inference;
	estimate->inference.most_per_s = 0;
	plan.sequence = space->chooses && !serves && space->oracle->framework->offers.sequence &&
			plan.degree[PARADL_TENSOR] > 1;
	if (!axes_offered(space, degrees, error))
		return false;
	fixed_apply(space, &plan);
	if (serves)
		serving_vary(&trial, plan);
	else if (space->chooses)
		micro_vary(&trial, plan);
	else
		plan_try(&trial, &plan);
	return trial.runs;
}

double batch_of(const struct paradl_oracle *oracle, double batch, double per_device, double devices,
	unsigned halvings)
{
	const bool shares = oracle_axes(oracle) & 1U << PARADL_SPATIAL && !oracle->options.inference;
	if (batch > 0 || per_device > 0)
		return halvings ? 0 : batch > 0 ? batch : per_device * devices;
	batch = paradl_oracle_batch(oracle, devices);
	for (; halvings > 0; --halvings)
		batch = shares && batch >= 2 ? floor(batch / 2) : 0;
	return batch;
}

bool families_parse(const char *text, bool families[FAMILIES], struct paradl_error *error)
{
	char copy[256] = "";
	for (unsigned i = 0; i < FAMILIES; ++i)
		families[i] = !text;
	if (text && strlen(text) >= sizeof copy)
		return error_set(error, PARADL_USAGE, "a list of strategies has fewer than %zu characters",
			sizeof copy);
	if (text)
		memcpy(copy, text, strlen(text) + 1);
	for (char *name = text ? copy : NULL, *next; name; name = next) {
		unsigned axes;
		next = strchr(name, ',');
		if (next)
			*next++ = '\0';
		if (!axes_parse(name, &axes))
			return error_set(error, PARADL_USAGE,
				"\"%s\" is not a strategy; write axes joined by +, such as data or "
				"data+spatial",
				name);
		families[axes] = true;
	}
	return true;
}
