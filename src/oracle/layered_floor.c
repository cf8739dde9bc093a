/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * These lower bounds add up over layers. Terms that do not are bounded like this:
 *     replicas  time / weights of an exchange is least at the end of a segment of a curve, at a full bucket, or with
 *               all weights: between, it is constant + constant / weights. The floor is the least of these, times a
 *               layer's weights
 *     hidden    gradients behind backward, gathers of updated weights behind the first forward, sharded weights behind
 *               all compute: each exposes (1 - s) exchange + max(0, s exchange - room), s: share that may hide, room:
 *               the work it hides behind, without exchanges on the same links, not less than it is. Those of the three
 *               maxima count that are above 0 where one plan is for all layers, and their sum is at least max(0, sum)
 *     host      max(device, host), or the q-norm of both, is convex and homogeneous: it is at least its tangent at any
 *               point, which is a weighted sum; the point is where one plan for all layers is
 *     memory    what all layers hold at the end of forward, and the transient that some layer needs at least, where
 *               backward frees nothing of that early; the peak is not below
 *     input     that of the layer plan that reads fastest; a step with input only grows with the time of the rest
 */
#include "oracle/bounds.h"

#include <math.h>

#include "oracle/replicas.h"
#include "oracle/training.h"

enum { GRADIENTS, GATHERS, SHARDS };
static const double most_plans =
	64; /* most plans of a step: more plans are more buckets, behind all but the last of which gradients hide */
static const double rounding = 1e-9; /* share, for sums in another order */

/* -- seconds for each weight ---- */

/* Least rates so far of any number of weights up to `most`, of experts or of all others. */
struct rates {
	const struct evaluation *evaluation;
	bool experts;
	double most;
	struct replica_times least;
};

/* Takes a number of weights at which time / weights may be least. */
static void rates_at(struct rates *rates, double weights)
{
	if (!(weights > 0 && weights <= rates->most))
		return;
	const struct device_weights trained = {
		.trained = weights, .trained_experts = rates->experts ? weights : 0};
	const struct replica_times times = replicas_exchange(rates->evaluation, &trained, 1, 0);
	rates->least.gradients_s = fmin(rates->least.gradients_s, times.gradients_s / weights);
	rates->least.weights_s = fmin(rates->least.weights_s, times.weights_s / weights);
	rates->least.each_s = fmin(rates->least.each_s, times.each_s / weights);
}

/* Takes a full bucket and the ends of a curve's segments. */
static void rates_of_exchange(struct rates *rates, const struct replicas *replicas,
	const struct exchange *exchange, double bytes_per_weight)
{
	rates_at(rates, replicas->bucket_bytes / bytes_per_weight);
	for (unsigned i = 0; exchange->curve && i + 1 < exchange->curve->count; ++i)
		rates_at(rates, exchange->curve->segments[i].upto_bytes / bytes_per_weight);
}

static struct replica_times least_rates(const struct evaluation *evaluation, bool experts, double most)
{
	const struct replicas *replicas = experts ? &evaluation->experts : &evaluation->dense;
	struct rates rates = {evaluation, experts, most,
		{.gradients_s = HUGE_VAL, .weights_s = HUGE_VAL, .each_s = HUGE_VAL}};
	if (!(most > 0))
		return (struct replica_times){0};
	for (unsigned r = 0; r < routes_all(evaluation, replicas); ++r) {
		const struct gradient_route *route = &replicas->routes[r];
		const double bytes = route_bytes(evaluation, route, 1);
		for (unsigned i = 0; i < route->stage_count; ++i)
			rates_of_exchange(&rates, replicas, &route->stages[i], bytes);
		rates_of_exchange(&rates, replicas, &replicas->across, bytes / replicas->shard);
	}
	rates_of_exchange(
		&rates, replicas, &replicas->gather, precision_weight_bytes(evaluation->oracle->precision));
	rates_at(&rates, most);
	return rates.least;
}

/* Returns the sums of the layers at positions [first, end). */
static struct stage stage_of(const struct layer_plan *layer_plan, unsigned first, unsigned end)
{
	struct stage stage = {.end = 1};
	layer_plan_add(layer_plan, first, end, stage.term);
	return stage;
}

/*
 * Returns the largest message of sharded weights, which go block by block: that of a device with n blocks is of all
 * its weights / n, so at most the largest block's and those of all that is no block.
 */
static double largest_message(const struct layer_plan *layer_plan, enum stage_term weights)
{
	const struct prepared *net = &layer_plan->net;
	double largest = 0, others = 0;
	for (unsigned u = 0; u < net->model->unit_count; ++u) {
		const double items = net->classes->costs[net->classes->of_unit[u]].term[weights];
		if (net->model->units[u].is_block)
			largest = fmax(largest, items);
		else
			others += items;
	}
	return largest + others;
}

struct plan_floor plan_floor_of(const struct layer_plan *layer_plan)
{
	const struct evaluation *evaluation = &layer_plan->evaluation;
	const struct stage whole = stage_of(layer_plan, 0, layer_plan->net.model->order_count);
	const double experts = whole.term[STAGE_EXPERT_WEIGHTS];
	const double weights[2] = {whole.term[STAGE_WEIGHTS] - experts, experts};
	const enum stage_term terms[2] = {STAGE_WEIGHTS, STAGE_EXPERT_WEIGHTS};
	struct plan_floor floor;
	for (unsigned i = 0; i < 2; ++i) {
		floor.rates[i] = least_rates(evaluation, i > 0, weights[i]);
		if (evaluation->plan.zero == 3)
			floor.rates[i].each_s =
				least_rates(evaluation, i > 0, largest_message(layer_plan, terms[i])).each_s;
	}
	return floor;
}

/* -- sums of layers ---- */

/* Seconds of a pass of some layers in one micro-batch: kernels, all else that the device does, and the host. */
struct passes {
	double kernel_s[2], rest_s[2], host_s[2];
};

static struct passes passes_of(const struct evaluation *evaluation, struct stage stage)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const bool stretches = rules->host == HOST_STRETCHES;
	const double host_s = stage.term[STAGE_HOST_S];
	struct stage_work work;
	if (stretches)
		stage.term[STAGE_HOST_S] = stage.term[STAGE_HOST_AGAIN_S] = 0;
	stage_work_fill(evaluation, &stage, &work);
	struct passes passes = {{work.forward_s, work.backward_s + work.weight_s}, {0, work.again_s}, {0, 0}};
	for (unsigned pass = 0; pass < 2; ++pass) {
		passes.rest_s[pass] += work.exchange_s[pass] + work.halo_s[pass];
		passes.host_s[pass] = stretches ? host_s : work.host_s[pass] - rules->host_micro_batch_s;
	}
	return passes;
}

/* Returns a pass's least seconds, by the tangent at a point; the host stretches kernels only, and none that block. */
static double pass_floor_s(const struct evaluation *evaluation, const struct floor_point *point,
	const struct passes *passes, enum pass pass)
{
	const double host_s = point->host[pass] * passes->host_s[pass], device = point->device[pass];
	if (evaluation->oracle->rules.host != HOST_STRETCHES)
		return device * (passes->kernel_s[pass] + passes->rest_s[pass]) + host_s;
	return (evaluation->blocking ? 1 : device) * passes->kernel_s[pass] + passes->rest_s[pass] + host_s;
}

/* Returns the most seconds that a pass may take, which is the room of what hides behind it. */
static double longest_s(const struct evaluation *evaluation, const struct passes *passes, enum pass pass)
{
	const double exposed = evaluation->oracle->rules.host_exposed;
	return passes->kernel_s[pass] + passes->rest_s[pass] +
	       (exposed > 0 ? exposed : 1) * passes->host_s[pass];
}

/* Exchanges of some layers that hide: seconds and room of each of the three kinds, and the share that may hide. */
struct hiding {
	double exchange_s[FLOOR_HIDES], room_s[FLOOR_HIDES], share[FLOOR_HIDES];
};

static struct hiding hiding_of(const struct evaluation *evaluation, const struct plan_floor *floor,
	const double *term, const struct passes *passes)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const bool is_bucketed = rules->bucket_bytes > 0 || rules->bucket_replica_bytes > 0;
	const struct overlaps overlaps = overlaps_of(evaluation);
	const double times = evaluation->micro_batches;
	const double experts = term[STAGE_EXPERT_WEIGHTS], others = term[STAGE_WEIGHTS] - experts;
	const struct replica_times *const rates = floor->rates;
	double taken_s[2] = {0, 0};
	layers_taken_add(evaluation, term, false, taken_s);
	const double forward_s = longest_s(evaluation, passes, PASS_FORWARD) - taken_s[PASS_FORWARD];
	const double backward_s = longest_s(evaluation, passes, PASS_BACKWARD) - taken_s[PASS_BACKWARD];
	const double sharded = 1 - fmin(1, rules->interference);
	struct hiding hiding = {
		.exchange_s = {others * rates[0].gradients_s + experts * rates[1].gradients_s,
			others * rates[0].weights_s + experts * rates[1].weights_s,
			times * (others * rates[0].each_s + experts * rates[1].each_s)},
		.room_s = {gradient_rounds(evaluation) * hiding_share(is_bucketed ? HUGE_VAL : most_plans) *
				   backward_s,
			forward_s, sharded * overlaps.shards * times * (forward_s + backward_s)},
		.share = {overlaps.gradients, overlaps.gathers, sharded},
	};
	if (rules->own_maxima) { /* all may hide, behind a share of all kernels */
		hiding.room_s[GRADIENTS] = overlaps.gradients * times *
					   (passes->kernel_s[PASS_BACKWARD] + passes->host_s[PASS_BACKWARD]);
		hiding.share[GRADIENTS] = 1;
	}
	return hiding;
}

/* Fills the tangent of a pass. */
static void tangent_fill(const struct evaluation *evaluation, const double *term, const struct passes *passes,
	enum pass pass, struct floor_point *point)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double q = rules->host_sharpness;
	const double device_s = passes->kernel_s[pass] + passes->rest_s[pass];
	const double host_s = passes->host_s[pass] + rules->host_micro_batch_s;
	point->device[pass] = 1;
	if (rules->host == HOST_BLOCKS) {
		point->host[pass] = rules->host_exposed;
	} else if (rules->host == HOST_RUNS_AHEAD && device_s + host_s > 0) {
		const double norm = pow(pow(device_s, q) + pow(host_s, q), 1 / q);
		point->device[pass] = pow(device_s / norm, q - 1);
		point->host[pass] = pow(host_s / norm, q - 1);
	} else if (rules->host == HOST_STRETCHES && /* both passes have one host time */
		   term[STAGE_HOST_S] > (1 + rounding) * (passes->kernel_s[PASS_FORWARD] +
								 passes->kernel_s[PASS_BACKWARD])) {
		point->device[pass] = 0;
		point->host[pass] = passes->kernel_s[pass] /
				    (passes->kernel_s[PASS_FORWARD] + passes->kernel_s[PASS_BACKWARD]);
	}
}

struct floor_point floor_point_at(const struct layer_plan *layer_plan, const struct plan_floor *floor)
{
	const struct evaluation *evaluation = &layer_plan->evaluation;
	struct floor_point point = {{0, 0}, {0, 0}, {false, false, false}};
	const struct stage whole = stage_of(layer_plan, 0, layer_plan->net.model->order_count);
	const struct passes passes = passes_of(evaluation, whole);
	for (unsigned pass = 0; pass < 2; ++pass)
		tangent_fill(evaluation, whole.term, &passes, (enum pass)pass, &point);
	const struct hiding hiding = hiding_of(evaluation, floor, whole.term, &passes);
	unsigned largest = GRADIENTS;
	for (unsigned i = 0; i < FLOOR_HIDES; ++i) {
		point.shows[i] = hiding.share[i] * hiding.exchange_s[i] > hiding.room_s[i];
		largest = hiding.exchange_s[i] > hiding.exchange_s[largest] ? i : largest;
	}
	/* One of them may always count: the largest, where all of them hide. */
	if (!point.shows[GRADIENTS] && !point.shows[GATHERS] && !point.shows[SHARDS])
		point.shows[largest] = true;
	return point;
}

bool layer_floor(const struct layer_plan *layer_plan, const struct plan_floor *floor,
	const struct floor_point *point, unsigned first, unsigned end, struct layer_floor *result)
{
	const struct evaluation *evaluation = &layer_plan->evaluation;
	const struct rules *rules = &evaluation->oracle->rules;
	*result = (struct layer_floor){0};
	if (!layer_plan_runs(layer_plan, first, end, NULL))
		return false;
	const struct stage stage = stage_of(layer_plan, first, end);
	const double *term = stage.term;
	const double weights = term[STAGE_WEIGHTS], experts = term[STAGE_EXPERT_WEIGHTS];
	const struct device_weights held = {.trained = weights, .trained_experts = experts};
	const double item_bytes = (1 + rules->fragmentation) * evaluation->item_bytes;
	const struct passes passes = passes_of(evaluation, stage);
	const struct hiding hiding = hiding_of(evaluation, floor, term, &passes);
	result->cost_s = training_update_s(evaluation, weights, replicas_owned(evaluation, weights, experts),
				 term[STAGE_UPDATE_S]) -
			 training_update_s(evaluation, 0, 0, 0) +
			 replicas_exchange(evaluation, &held, 1, term[STAGE_TENSORS]).host_s;
	for (unsigned pass = 0; pass < 2; ++pass)
		result->cost_s +=
			evaluation->micro_batches * pass_floor_s(evaluation, point, &passes, (enum pass)pass);
	for (unsigned i = 0; i < FLOOR_HIDES; ++i) {
		const double may_hide_s = hiding.share[i] * hiding.exchange_s[i];
		result->cost_s += hiding.exchange_s[i] - may_hide_s;
		if (point->shows[i])
			result->exposed_s += may_hide_s - hiding.room_s[i];
	}
	result->memory_bytes = training_states_bytes(evaluation, term) + item_bytes * term[STAGE_KEPT];
	/* Transients are needed in the backward of these layers, and at the loss if they have that. */
	if (!rules->frees_early)
		result->transient_bytes = fmax(item_bytes * (term[STAGE_WORKING] + term[STAGE_BUFFERS]),
			(1 + rules->fragmentation) * rules->logits_bytes * term[STAGE_LOGITS]);
	return true;
}

double fixed_floor_s(const struct layer_plan *layer_plan, const struct floor_point *point)
{
	return training_update_s(&layer_plan->evaluation, 0, 0, 0) +
	       layer_plan->evaluation.micro_batches *
		       (point->host[PASS_FORWARD] + point->host[PASS_BACKWARD]) *
		       layer_plan->evaluation.oracle->rules.host_micro_batch_s;
}

double plans_input_floor_s(const struct layer_plan *layer_plans, unsigned count, double busy_s)
{
	double least_s = HUGE_VAL;
	for (unsigned w = 0; w < count; ++w) {
		const struct evaluation *evaluation = &layer_plans[w].evaluation;
		least_s = fmin(least_s, oracle_input_least_s(evaluation->oracle, &evaluation->plan, busy_s));
	}
	return fmax(busy_s, least_s);
}
