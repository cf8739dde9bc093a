/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * layered_floor.c for units of networks of tokens. Of what hides there are three: gradients behind the last
 * backward, gathers of updated weights behind the first forward, sharded weights behind all compute. Each shows
 *     (1 - s) exchange + max(0, s exchange - room)     s: share that may hide; room: the work it hides behind
 * and of the three maxima, none of which is below 0, those count that are above it where one plan is for all layers.
 */
#include <math.h>

#include "oracle/layered_rates.h"
#include "oracle/replicas.h"
#include "oracle/training.h"
#include "oracle/training_memory.h"

static const double usual_buckets = 10; /* as in step_exchange.c; more plans are more buckets */
static const double most_plans = 64;

/* Device and host time of a pass of one unit in one micro-batch. */
struct passes {
	double device_s[2], host_s[2];
};

static struct passes passes_of(const struct evaluation *evaluation, const double *term)
{
	struct stage stage = {.end = 1}, none = {.end = 1};
	struct stage_work work, empty;
	for (unsigned i = 0; i < STAGE_TERMS; ++i)
		stage.term[i] = term[i];
	stage_work_fill(evaluation, &stage, &work);
	stage_work_fill(evaluation, &none, &empty);
	return (struct passes){{work.forward_s + work.exchange_s[PASS_FORWARD] + work.halo_s[PASS_FORWARD],
				       work.backward_s + work.weight_s + work.again_s +
					       work.exchange_s[PASS_BACKWARD] + work.halo_s[PASS_BACKWARD]},
		{work.host_pass_s[PASS_FORWARD] - empty.host_pass_s[PASS_FORWARD],
			work.host_pass_s[PASS_BACKWARD] - empty.host_pass_s[PASS_BACKWARD]}};
}

/* Of a micro-batch, whatever is in it. */
static double each_host_s(const struct evaluation *evaluation, enum pass pass)
{
	const struct stage none = {.end = 1};
	struct stage_work empty;
	stage_work_fill(evaluation, &none, &empty);
	return empty.host_pass_s[pass];
}

/* The longest that a pass may be, so that what hides behind it has that room. */
static double longest_s(const struct evaluation *evaluation, const struct passes *passes, enum pass pass)
{
	const double exposed = evaluation->oracle->rules.host_exposed;
	return passes->device_s[pass] + (exposed > 0 ? exposed : 1) * passes->host_s[pass];
}

static double least_buckets(const struct evaluation *evaluation)
{
	return evaluation->oracle->rules.bucket_bytes > 0 ? (double)INFINITY
							  : fmax(usual_buckets, most_plans);
}

/* What hides of one unit or of all: exchange and room of each of the three, and how much of it may hide. */
struct hiding {
	double exchange_s[FLOOR_HIDES], room_s[FLOOR_HIDES], share[FLOOR_HIDES];
};

static struct hiding hiding_of(
	const struct way *way, const struct way_floor *floor, const double *term, const struct passes *passes)
{
	const struct evaluation *evaluation = &way->evaluation;
	const struct overlaps overlaps = overlaps_of(evaluation);
	const double times = evaluation->micro_batches;
	const double experts = term[STAGE_EXPERT_WEIGHTS], dense = term[STAGE_WEIGHTS] - experts;
	const double forward_s = longest_s(evaluation, passes, PASS_FORWARD);
	const double backward_s = longest_s(evaluation, passes, PASS_BACKWARD);
	const double interference = fmin(1, evaluation->oracle->rules.interference);
	const double sharded = 1 - interference;
	return (struct hiding){
		.exchange_s = {dense * floor->gradient_s + experts * floor->expert_gradient_s,
			dense * floor->gather_s + experts * floor->expert_gather_s,
			times * (dense * floor->each_s + experts * floor->expert_each_s)},
		.room_s = {(1 - 1 / least_buckets(evaluation)) * backward_s, forward_s,
			sharded * overlaps.shards * times * (forward_s + backward_s)},
		.share = {overlaps.gradients, overlaps.gathers, sharded},
	};
}

static void whole_terms(const struct way *way, double *term)
{
	const struct unit_classes *classes = way->net.classes;
	for (unsigned u = 0; u < way->net.model->unit_count; ++u)
		stage_terms_add(&classes->costs[classes->of_unit[u]], 1, term);
}

struct floor_point tokens_point_at(const struct way *way)
{
	const struct evaluation *evaluation = &way->evaluation;
	const struct rules *rules = &evaluation->oracle->rules;
	const double q = rules->host_sharpness;
	struct floor_point point = {{1, 1}, {0, 0}, {false, false, false}};
	double term[STAGE_TERMS] = {0};
	whole_terms(way, term);
	const struct passes passes = passes_of(evaluation, term);
	for (unsigned pass = 0; pass < 2; ++pass) {
		const double device = passes.device_s[pass];
		const double host = passes.host_s[pass] + each_host_s(evaluation, (enum pass)pass);
		const double norm = pow(pow(device, q) + pow(host, q), 1 / q);
		if (rules->host_exposed > 0) {
			point.host[pass] = rules->host_exposed;
		} else if (norm > 0) {
			point.device[pass] = pow(device / norm, q - 1);
			point.host[pass] = pow(host / norm, q - 1);
		}
	}
	const struct way_floor floor = tokens_way_floor(way);
	const struct hiding hiding = hiding_of(way, &floor, term, &passes);
	for (unsigned i = 0; i < FLOOR_HIDES; ++i)
		point.shows[i] = hiding.share[i] * hiding.exchange_s[i] > hiding.room_s[i];
	/* One of them may always count: the largest, where all of them hide. */
	unsigned largest = 0;
	for (unsigned i = 1; i < FLOOR_HIDES; ++i)
		largest = hiding.exchange_s[i] > hiding.exchange_s[largest] ? i : largest;
	if (!point.shows[0] && !point.shows[1] && !point.shows[2])
		point.shows[largest] = true;
	return point;
}

/* -- seconds for each weight ---- */

static double dense_gradients_s(const struct evaluation *evaluation, double weights)
{
	return replicas_exchange(evaluation, weights, 0, 1, 0).gradients_s;
}
static double dense_gathers_s(const struct evaluation *evaluation, double weights)
{
	return replicas_exchange(evaluation, weights, 0, 1, 0).weights_s;
}
static double dense_each_s(const struct evaluation *evaluation, double weights)
{
	return replicas_exchange(evaluation, weights, 0, 1, 0).each_s;
}
static double expert_gradients_s(const struct evaluation *evaluation, double weights)
{
	return replicas_exchange(evaluation, weights, weights, 1, 0).gradients_s;
}
static double expert_gathers_s(const struct evaluation *evaluation, double weights)
{
	return replicas_exchange(evaluation, weights, weights, 1, 0).weights_s;
}
static double expert_each_s(const struct evaluation *evaluation, double weights)
{
	return replicas_exchange(evaluation, weights, weights, 1, 0).each_s;
}

static struct floor_points points_of(
	const struct evaluation *evaluation, const struct replicas *replicas, double most)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const double weight = precision_weight_bytes(evaluation->oracle->precision);
	const double gradient = gradient_bytes(evaluation);
	struct floor_points points = {.most = most};
	const double bytes[] = {weight, gradient, gradient / replicas->shard};
	const struct curve *curves[] = {replicas->route_count ? replicas->routes[0].stages[0].curve : NULL,
		replicas->gather.curve, replicas->across.curve};
	for (unsigned i = 0; i < 3; ++i) {
		floor_point_add(&points, rules->bucket_bytes / bytes[i]);
		for (unsigned k = 0; k < 3; ++k)
			floor_curve_add(&points, curves[k], bytes[i]);
	}
	return points;
}

/*
 * Sharded weights go unit by unit: the message of a device with n blocks is of all its weights / n, so at most the
 * largest unit's and those of all that is no block.
 */
static double largest_message(const struct way *way, enum stage_term weights)
{
	const struct unit_classes *classes = way->net.classes;
	double largest = 0, others = 0;
	for (unsigned u = 0; u < way->net.model->unit_count; ++u) {
		const double *term = classes->costs[classes->of_unit[u]].term;
		if (term[STAGE_BLOCKS] > 0)
			largest = fmax(largest, term[weights]);
		else
			others += term[weights];
	}
	return largest + others;
}

struct way_floor tokens_way_floor(const struct way *way)
{
	const struct evaluation *evaluation = &way->evaluation;
	double term[STAGE_TERMS] = {0};
	whole_terms(way, term);
	const double experts = term[STAGE_EXPERT_WEIGHTS], dense = term[STAGE_WEIGHTS] - experts;
	const struct floor_points points = points_of(evaluation, &evaluation->dense, dense);
	const struct floor_points routed = points_of(evaluation, &evaluation->experts, experts);
	const struct floor_points units =
		points_of(evaluation, &evaluation->dense, largest_message(way, STAGE_WEIGHTS));
	const struct floor_points routed_units =
		points_of(evaluation, &evaluation->experts, largest_message(way, STAGE_EXPERT_WEIGHTS));
	return (struct way_floor){.gradient_s = floor_rate(dense_gradients_s, evaluation, &points),
		.gather_s = floor_rate(dense_gathers_s, evaluation, &points),
		.each_s = floor_rate(dense_each_s, evaluation, &units),
		.expert_gradient_s = floor_rate(expert_gradients_s, evaluation, &routed),
		.expert_gather_s = floor_rate(expert_gathers_s, evaluation, &routed),
		.expert_each_s = floor_rate(expert_each_s, evaluation, &routed_units)};
}

static double memory_bytes(const struct evaluation *evaluation, const double *term)
{
	const struct rules *rules = &evaluation->oracle->rules;
	return training_states_bytes(evaluation, term) +
	       (1 + rules->fragmentation) * evaluation->item_bytes * term[STAGE_KEPT];
}

void tokens_floor(const struct way *way, const struct way_floor *floor, const struct floor_point *point,
	unsigned unit, struct layer_floor *result)
{
	const struct evaluation *evaluation = &way->evaluation;
	const struct unit_classes *classes = way->net.classes;
	const double *term = classes->costs[classes->of_unit[unit]].term;
	const struct passes passes = passes_of(evaluation, term);
	const struct hiding hiding = hiding_of(way, floor, term, &passes);
	for (unsigned pass = 0; pass < 2; ++pass)
		result->cost_s +=
			evaluation->micro_batches * (point->device[pass] * passes.device_s[pass] +
							    point->host[pass] * passes.host_s[pass]);
	for (unsigned i = 0; i < FLOOR_HIDES; ++i) {
		const double may_hide_s = hiding.share[i] * hiding.exchange_s[i];
		result->cost_s += hiding.exchange_s[i] - may_hide_s;
		if (point->shows[i])
			result->exposed_s += may_hide_s - hiding.room_s[i];
	}
	const double owned = replicas_owned(evaluation, term[STAGE_WEIGHTS], term[STAGE_EXPERT_WEIGHTS]);
	result->cost_s += training_update_s(evaluation, term[STAGE_WEIGHTS], owned, 0) -
			  training_update_s(evaluation, 0, 0, 0);
	result->memory_bytes = memory_bytes(evaluation, term);
	/* In the backward of this unit; at the loss, if it has that. */
	const struct rules *rules = &evaluation->oracle->rules;
	const double working = evaluation->item_bytes * (term[STAGE_WORKING] + term[STAGE_BUFFERS]);
	const double loss = rules->logits_bytes * term[STAGE_LOGITS];
	result->transient_bytes = (1 + rules->fragmentation) * fmax(working, loss);
}

double tokens_fixed_s(const struct way *way, const struct floor_point *point)
{
	double s = training_update_s(&way->evaluation, 0, 0, 0);
	for (unsigned pass = 0; pass < 2; ++pass)
		s += way->evaluation.micro_batches * point->host[pass] *
		     each_host_s(&way->evaluation, (enum pass)pass);
	return s;
}
