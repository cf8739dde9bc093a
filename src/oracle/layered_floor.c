/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds that add up over layers. Of what does not:
 *     replicas  time / weights of an exchange is least at the end of a segment of its curve, at a full bucket, or with
 *               all weights: between, it is constant + constant / weights. The least of these times a layer's weights
 *     hidden    gradients behind backward, gathers behind forward, sharded weights behind all compute are
 *               max(0, exchange - room) each; their sum is at least max(0, sum of exchanges - sum of rooms). Rooms are
 *               not less than they are: device and host time together
 *     host      max(device, host), or the q-norm of both, is convex and homogeneous: it is at least its tangent at any
 *               point, which is a weighted sum; the point is where one plan for all layers is
 *     memory    what all layers hold at the end of forward, and the transient that some layer needs at least; the peak
 *               is not below
 *     input     of the way that reads fastest; a step with input only grows with the time of the rest
 */
#include <math.h>

#include "oracle/layered_rates.h"
#include "oracle/replicas.h"
#include "oracle/stage_work.h"
#include "oracle/training.h"
#include "oracle/training_memory.h"

void floor_point_add(struct floor_points *points, double weights)
{
	if (weights > 0 && weights < points->most && points->count < FLOOR_POINTS_MAX)
		points->items[points->count++] = weights;
}

void floor_curve_add(struct floor_points *points, const struct curve *curve, double bytes_per_weight)
{
	for (unsigned i = 0; curve && i + 1 < curve->count; ++i)
		floor_point_add(points, curve->segments[i].upto_bytes / bytes_per_weight);
}

double floor_rate(double (*time_s)(const struct evaluation *evaluation, double weights),
	const struct evaluation *evaluation, const struct floor_points *points)
{
	double least = points->most > 0 ? time_s(evaluation, points->most) / points->most : 0;
	for (unsigned i = 0; i < points->count; ++i)
		least = fmin(least, time_s(evaluation, points->items[i]) / points->items[i]);
	return least;
}

static double images_gradient_s(const struct evaluation *evaluation, double weights)
{
	return replicas_exchange(evaluation, weights, 0, 1, 0).gradients_s;
}

static void images_points(const struct evaluation *evaluation, struct floor_points *points)
{
	const double bucket = evaluation->oracle->rules.bucket_bytes;
	const struct replicas *replicas = &evaluation->dense;
	for (unsigned r = 0; r < replicas->route_count; ++r) {
		const double bytes = route_bytes(evaluation, &replicas->routes[r], 1);
		floor_point_add(points, bucket / bytes);
		for (unsigned i = 0; i < replicas->routes[r].stage_count; ++i)
			floor_curve_add(points, replicas->routes[r].stages[i].curve, bytes);
	}
}

static bool images_floor(const struct way *way, const struct way_floor *floor,
	const struct floor_point *point, unsigned position, struct layer_floor *result)
{
	const struct evaluation *evaluation = &way->evaluation;
	const struct rules *rules = &evaluation->oracle->rules;
	struct stage cost;
	if (!layer_feasible(evaluation, way->net.model->order[position]))
		return false;
	layer_unit_cost(evaluation, way->net.model->order[position], &cost);
	const double *term = cost.term, weights = term[STAGE_WEIGHTS];
	const double times = evaluation->micro_batches;
	const double backward_s = term[STAGE_BACKWARD_S] + term[STAGE_WEIGHT_S];
	const double device_s = term[STAGE_FORWARD_S] + backward_s;
	const double kernels_s = evaluation->blocking
					 ? device_s
					 : point->device[0] * device_s + point->host[0] * term[STAGE_HOST_S];
	const double room_s = overlaps_of(evaluation).gradients * times * (backward_s + term[STAGE_HOST_S]);
	const double host_s = replicas_exchange(evaluation, weights, 0, 1, term[STAGE_TENSORS]).host_s;
	const double owned = replicas_owned(evaluation, weights, 0);
	result->cost_s += times * (kernels_s + term[STAGE_LAYERWISE_S] + term[STAGE_LAYERWISE_S + 1] +
					  term[STAGE_HALO_S] + term[STAGE_HALO_S + 1]) +
			  training_update_s(evaluation, weights, owned, term[STAGE_UPDATE_S]) -
			  rules->step_s + host_s;
	result->exposed_s += floor->gradient_s * weights - room_s;
	result->memory_bytes +=
		training_states_bytes(evaluation, term) +
		(evaluation->recompute > PARADL_RECOMPUTE_NONE ? 0
							       : evaluation->item_bytes * term[STAGE_KEPT]);
	return true;
}

struct floor_point floor_point_at(const struct way *way)
{
	struct floor_point floor = {{1, 1}, {0, 0}, {true, false, false}};
	const struct evaluation *evaluation = &way->evaluation;
	if (!evaluation->oracle->rules.own_maxima)
		return tokens_point_at(way);
	double term[STAGE_TERMS] = {0};
	for (unsigned u = 0; u < way->net.model->unit_count; ++u)
		way_unit_add(way, u, 0, way->net.model->order_count, term);
	if (stage_stretch(evaluation, term) > 1 + 1e-9) {
		floor.device[0] = floor.device[1] = 0;
		floor.host[0] = floor.host[1] = 1;
	}
	return floor;
}

struct way_floor way_floor_of(const struct way *way)
{
	struct floor_points points = {.most = 0};
	const struct paradl_model *model = way->net.model;
	struct way_floor floor = {0};
	if (!way->evaluation.oracle->rules.own_maxima)
		return tokens_way_floor(way);
	for (unsigned i = 0; i < model->order_count; ++i)
		points.most += way->net.costs[model->order[i]].weight_items;
	images_points(&way->evaluation, &points);
	floor.gradient_s = floor_rate(images_gradient_s, &way->evaluation, &points);
	return floor;
}

static unsigned unit_at(const struct paradl_model *model, unsigned position)
{
	unsigned unit = 0;
	while (model->units[unit].end <= position)
		++unit;
	return unit;
}

bool layer_floor(const struct way *way, const struct way_floor *floor, const struct floor_point *point,
	unsigned first, unsigned end, struct layer_floor *result)
{
	*result = (struct layer_floor){0};
	if (!way->evaluation.oracle->rules.own_maxima) {
		tokens_floor(way, floor, point, unit_at(way->net.model, first), result);
		return true;
	}
	for (unsigned i = first; i < end; ++i)
		if (!images_floor(way, floor, point, i, result))
			return false;
	return true;
}

double fixed_floor_s(const struct way *way, const struct floor_point *point)
{
	return way->evaluation.oracle->rules.own_maxima ? 0 : tokens_fixed_s(way, point);
}

double fixed_floor_bytes(const struct way *way)
{
	const struct rules *rules = &way->evaluation.oracle->rules;
	return rules->workspace_bytes + rules->context_bytes;
}

double ways_input_floor_s(const struct way *ways, unsigned count, double busy_s)
{
	double least_s = HUGE_VAL;
	for (unsigned w = 0; w < count; ++w) {
		const struct evaluation *evaluation = &ways[w].evaluation;
		least_s = fmin(least_s, oracle_input_least_s(evaluation->oracle, &evaluation->plan, busy_s));
	}
	return fmax(busy_s, least_s);
}
