/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds how far off an estimate may be because the numbers of its machine are. It moves each group of
 * numbers alone, up and down by the share that its origin leaves open, estimates the same plan again, and adds up the
 * effects as independent errors are:
 *     low, high    value -+ sqrt( sum over groups of (value - value with the group moved)^2 )
 * The program's own error (estimate.error_share, less the part for the device) is one more group. Rates are
 * multiplied by 1 + s and 1 - s.
 *
 *     measured     5 %    between launches of a benchmark on one machine, and machines of one kind
 *     paper       10 %    another machine of that kind, with other software
 *     derived     10 %    from such numbers
 *     datasheet   20 %    sustained rates lie below nominal ones: 13 to 30 % for products, 10 to 18 % for memory
 *     assumed     50 %    nobody has looked
 *
 * The shares are round numbers, not statistics. A number without an origin counts as assumed. Numbers of one group
 * move together, groups independently. A plan that others overtake when numbers move stays.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/names.h"
#include "oracle/oracle.h"
#include "study/studies.h"

enum { MOVED_FIRST = PARADL_SOURCE_COMPUTE, MOVED_END = PARADL_SOURCE_POWER, SIDES = 2 };

struct paradl_study {
	struct paradl_arena *arena;
	struct paradl_oracle *oracle;
	double share[PARADL_SOURCE_COUNT];
	const char *kind[PARADL_SOURCE_COUNT];
	/* Oracles with a group slower and faster; NULL: not made yet. */
	struct paradl_oracle *moved[PARADL_SOURCE_COUNT][SIDES];
};

NAME_FUNCTION(paradl_uncertainty_source_name, enum paradl_uncertainty_source, "framework", "compute",
	"memory", "node links", "network", "storage", "host", "power", "price")

double origin_share(enum origin_kind kind)
{
	static const double shares[ORIGIN_KINDS] = {[ORIGIN_MEASURED] = 0.05,
		[ORIGIN_PAPER] = 0.1,
		[ORIGIN_DERIVED] = 0.1,
		[ORIGIN_DATASHEET] = 0.2,
		[ORIGIN_ASSUMED] = 0.5};
	return shares[kind];
}

/*
 * Returns the origin of the number that decides how fast a level is: its ring where it says one, else its bandwidth.
 */
static const char *level_origin(const struct paradl_machine *machine, unsigned level)
{
	char path[32];
	snprintf(path, sizeof path, "levels/%u/ring", level);
	const struct json *const ring = machine->from ? json_member(machine->from, path) : NULL;
	if (ring && ring->kind == JSON_STRING)
		return ring->string;
	snprintf(path, sizeof path, "levels/%u/bandwidth", level);
	return origin_of(machine->from, path);
}

/*
 * Returns the origin that leaves most open, of the levels above the node: they are moved together, and plans differ
 * in which of them they use.
 */
static const char *network_origin(const struct paradl_machine *machine)
{
	const char *origin = level_origin(machine, 1);
	for (unsigned level = 2; level < machine->level_count; ++level) {
		const char *const other = level_origin(machine, level);
		if (origin_share(origin_kind(other)) > origin_share(origin_kind(origin)))
			origin = other;
	}
	return origin;
}

double uncertainty_share(
	const struct paradl_oracle *oracle, enum paradl_uncertainty_source source, const char **kind)
{
	const struct paradl_machine *const machine = oracle->machine;
	const char *origin = NULL;
	bool exists = true;
	switch (source) {
	case PARADL_SOURCE_COMPUTE:
		origin = band_compute_origin(oracle);
		break;
	case PARADL_SOURCE_MEMORY:
		origin = origin_of(machine->device.from, "memory_rate");
		break;
	case PARADL_SOURCE_NODE_LINKS:
		origin = level_origin(machine, 0);
		exists = machine->devices_per_node > 1;
		break;
	case PARADL_SOURCE_NETWORK:
		exists = machine->level_count > 1;
		origin = exists ? network_origin(machine) : NULL;
		break;
	case PARADL_SOURCE_STORAGE:
		origin = origin_of(machine->from, "storage/shared/read");
		exists = machine->storage_count > 0;
		break;
	case PARADL_SOURCE_HOST:
		origin = origin_of(machine->from, "host");
		exists = machine->host.cores > 0 || machine->host.memory_bytes_per_s > 0;
		break;
	case PARADL_SOURCE_POWER:
		origin = origin_of(machine->device.from, "power/busy");
		exists = machine->device.busy_watt > 0;
		break;
	case PARADL_SOURCE_PRICE:
		exists = machine->price_per_node_hour > 0;
		origin = exists ? origin_of(machine->from, machine->price.path) : NULL;
		break;
	case PARADL_SOURCE_FRAMEWORK:
	case PARADL_SOURCE_COUNT:
		exists = false;
		break;
	}
	*kind = exists ? origin_kind_name(origin_kind(origin)) : NULL;
	return exists ? origin_share(origin_kind(origin)) : 0;
}

struct paradl_study *paradl_study_create(
	struct paradl_arena *arena, struct paradl_oracle *oracle, struct paradl_error *error)
{
	struct paradl_study *const study = arena_alloc(arena, 1, sizeof *study);
	if (!study)
		return out_of_memory_null(error);
	*study = (struct paradl_study){.arena = arena, .oracle = oracle};
	for (unsigned i = 0; i < PARADL_SOURCE_COUNT; ++i)
		study->share[i] = oracle->rules.ideal && i >= PARADL_SOURCE_STORAGE && i < PARADL_SOURCE_POWER
					  ? 0
					  : uncertainty_share(oracle, (enum paradl_uncertainty_source)i,
						    &study->kind[i]);
	return study;
}

static struct paradl_oracle *oracle_moved(
	struct paradl_study *study, unsigned source, unsigned side, struct paradl_error *error)
{
	struct paradl_oracle *moved = study->moved[source][side];
	double factors[PARADL_SOURCE_COUNT];
	if (moved)
		return moved;
	for (unsigned i = 0; i < PARADL_SOURCE_COUNT; ++i)
		factors[i] = 1;
	factors[source] = side ? 1 + study->share[source] : 1 - study->share[source];
	const struct paradl_machine *const machine =
		machine_moved(study->arena, study->oracle->machine, factors);
	if (!machine)
		return out_of_memory_null(error);
	moved = paradl_oracle_create(study->arena, study->oracle->model, machine, study->oracle->framework,
		&study->oracle->options, error);
	study->moved[source][side] = moved;
	return moved;
}

struct amounts {
	double of[PARADL_AMOUNT_COUNT]; /* amounts; negative: not known */
};

static double known_times(double per_second, double seconds)
{
	return per_second < 0 ? -1 : per_second * seconds;
}

/* Returns the amounts of an iteration, or of what is answered. */
static struct amounts amounts_of(const struct paradl_estimate *estimate)
{
	enum { SECONDS_PER_HOUR = 3600 };
	const struct paradl_inference *const served = &estimate->inference;
	const bool serves = served->prompts_s > 0, is_text = served->output_tokens > 0;
	const double each_s = !serves ? estimate->iteration_s
				      : 1 / (is_text ? served->tokens_per_s : estimate->samples_per_s);
	return (struct amounts){{
		[PARADL_AMOUNT_TIME] = estimate->iteration_s,
		[PARADL_AMOUNT_COST] = estimate->cost_per_hour < 0
					       ? -1
					       : estimate->cost_per_hour / SECONDS_PER_HOUR * each_s,
		[PARADL_AMOUNT_ENERGY] = known_times(estimate->watt, each_s),
		[PARADL_AMOUNT_FIRST] = is_text ? served->prompts_s : -1,
		[PARADL_AMOUNT_TOKEN] = is_text ? served->token_s : -1,
		[PARADL_AMOUNT_WORK] = serves ? each_s * estimate->devices : -1,
	}};
}

void amounts_exactly(const struct paradl_estimate *estimate, struct paradl_range amounts[PARADL_AMOUNT_COUNT])
{
	const struct amounts now = amounts_of(estimate);
	for (unsigned i = 0; i < PARADL_AMOUNT_COUNT; ++i)
		amounts[i] = (struct paradl_range){now.of[i], now.of[i], now.of[i]};
}

static struct paradl_range around(double value, double a, double b)
{
	return (struct paradl_range){value, fmin(value, fmin(a, b)), fmax(value, fmax(a, b))};
}

struct paradl_range range_join(double value, const struct paradl_range *parts, size_t count)
{
	double below = 0, above = 0;
	if (value < 0)
		return (struct paradl_range){-1, -1, -1};
	for (size_t i = 0; i < count; ++i) {
		below += (value - parts[i].low) * (value - parts[i].low);
		above += (parts[i].high - value) * (parts[i].high - value);
	}
	return (struct paradl_range){value, fmax(value - sqrt(below), 0), value + sqrt(above)};
}

bool ranges_overlap(const struct paradl_range *a, const struct paradl_range *b)
{
	return a->low <= b->high && b->low <= a->high;
}

/* Ranges of each amount, by groups. */
struct effects {
	struct paradl_range of[PARADL_AMOUNT_COUNT][PARADL_SOURCE_COUNT];
};

static void effect_share(struct paradl_range *range, double value, double share)
{
	*range = value < 0 ? (struct paradl_range){-1, -1, -1}
			   : around(value, value * (1 - share), value * (1 + share));
}

/*
 * Returns the share by which the model with this program may be off in an amount. Requests that come at a rate are
 * answered at that rate, so that work and cost are not off.
 */
static double share_of_program(const struct paradl_estimate *estimate, unsigned amount)
{
	const struct paradl_inference *const served = &estimate->inference;
	if (served->most_per_s > 0 && (amount == PARADL_AMOUNT_WORK || amount == PARADL_AMOUNT_COST))
		return 0;
	return band_of_program(estimate, amount == PARADL_AMOUNT_FIRST && served->first_error_share > 0
						 ? served->first_error_share
						 : estimate->error_share);
}

/* Fills the effects that no rate of the machine changes: those of the program, of power and of prices. */
static void effects_begin(const struct paradl_study *study, const struct paradl_estimate *estimate,
	const struct amounts *now, struct effects *effects)
{
	const double *const values = now->of;
	struct paradl_price price;
	for (unsigned k = 0; k < PARADL_AMOUNT_COUNT; ++k)
		for (unsigned i = 0; i < PARADL_SOURCE_COUNT; ++i)
			effect_share(&effects->of[k][i], values[k],
				i == PARADL_SOURCE_FRAMEWORK ? share_of_program(estimate, k) : 0);
	paradl_price(study->oracle, estimate, &price);
	const double power = study->share[PARADL_SOURCE_POWER];
	struct paradl_range *const cost = effects->of[PARADL_AMOUNT_COST];
	effect_share(
		&effects->of[PARADL_AMOUNT_ENERGY][PARADL_SOURCE_POWER], values[PARADL_AMOUNT_ENERGY], power);
	if (price.total_per_hour > 0)
		effect_share(&cost[PARADL_SOURCE_POWER], values[PARADL_AMOUNT_COST],
			power * price.energy_per_hour / price.total_per_hour);
	effect_share(
		&cost[PARADL_SOURCE_PRICE], values[PARADL_AMOUNT_COST], study->share[PARADL_SOURCE_PRICE]);
}

/*
 * Estimates the plan again with a group's numbers worse and better. Where it cannot run any more, amounts stay as
 * they are; *runs: whether it always does.
 */
static bool effect_of(struct paradl_study *study, const struct paradl_estimate *estimate, unsigned source,
	struct effects *effects, bool *runs, struct paradl_error *error)
{
	const struct amounts now = amounts_of(estimate);
	struct amounts at[SIDES];
	*runs = true;
	for (unsigned side = 0; side < SIDES; ++side) {
		struct paradl_estimate other;
		struct paradl_oracle *const oracle = oracle_moved(study, source, side, error);
		if (!oracle)
			return false;
		const bool does_run = paradl_estimate(oracle, &estimate->plan, &other, NULL);
		at[side] = does_run ? amounts_of(&other) : now;
		*runs = *runs && does_run;
	}
	for (unsigned k = 0; k < PARADL_AMOUNT_COUNT; ++k)
		effects->of[k][source] = around(now.of[k], at[0].of[k], at[1].of[k]);
	return true;
}

bool paradl_uncertainty(struct paradl_study *study, const struct paradl_estimate *estimate,
	struct paradl_uncertainty *uncertainty, struct paradl_error *error)
{
	const struct amounts now = amounts_of(estimate);
	struct effects effects;
	uncertainty->fails = 0;
	effects_begin(study, estimate, &now, &effects);
	for (unsigned i = MOVED_FIRST; i < MOVED_END; ++i) {
		bool runs = true;
		if (study->share[i] > 0 && !effect_of(study, estimate, i, &effects, &runs, error))
			return false;
		uncertainty->fails |= runs ? 0 : 1U << i;
	}
	for (unsigned i = 0; i < PARADL_SOURCE_COUNT; ++i) {
		uncertainty->share[i] = i == PARADL_SOURCE_FRAMEWORK
						? band_of_program(estimate, estimate->error_share)
						: study->share[i];
		uncertainty->origin[i] = study->kind[i];
		uncertainty->effect[i] =
			effects.of[i < MOVED_END ? PARADL_AMOUNT_TIME : PARADL_AMOUNT_COST][i];
	}
	for (unsigned k = 0; k < PARADL_AMOUNT_COUNT; ++k)
		uncertainty->amounts[k] = range_join(now.of[k], effects.of[k], PARADL_SOURCE_COUNT);
	return true;
}
