/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains what devices with the same weights exchange, and how long the update of the weights takes. */
#include "oracle/explain_rows.h"

#include <math.h>
#include <stdio.h>

#include "oracle/replicas.h"
#include "oracle/update.h"

static const char *gradient_formula(const struct evaluation *evaluation, const struct gradient_route *route)
{
	if (evaluation->plan.zero)
		return evaluation->plan.zero == 3        ? "allreduce among the copies of what is sharded"
		       : gradient_rounds(evaluation) > 1 ? "reduce-scatter of gradients in each micro-batch"
							 : "reduce-scatter of gradients";
	return route && route->stage_count > 1 ? "allreduces inside and among leaders"
					       : "allreduce of gradients";
}

static void gradient_row(struct rows *rows, double seconds)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct replicas *replicas = &evaluation->dense;
	const bool sharded = evaluation->plan.zero == 3;
	const double weights = rows->step->dense_weights;
	const struct routing routing = gradient_routing(evaluation, replicas, weights, 1);
	const struct gradient_route *route = routing.route;
	const struct curve *curve = sharded ? replicas->across.curve
				    : route ? route->stages[route->stage_count - 1].curve
					    : NULL;
	const double message = routing.bytes / routing.messages / (sharded ? replicas->shard : 1);
	const struct collective *collective = curve ? curve_algorithm(curve, message) : NULL;
	const char *by = curve && curve->measured ? "measured curve" : "one message";
	row_add(rows, PARADL_GRADIENT_EXCHANGE, seconds, gradient_formula(evaluation, route),
		"%.4g M weights, %u devices on %u nodes, %.4g x %.4g MB, %s %.4g ms, up to %.0f %% behind "
		"backward",
		weights / 1e6, replicas->size, evaluation->dense.nodes, routing.messages, message / 1e6,
		collective ? collective->name : by, curve ? curve_s(curve, message) * 1e3 : 0,
		overlaps_of(evaluation).gradients * 100);
}

/* Adds the ring of Table III. */
static void ring_row(struct rows *rows, double seconds)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct paradl_machine *machine = evaluation->oracle->machine;
	const struct group group = group_of(machine, &evaluation->plan, evaluation->replicas);
	const struct level *level = &machine->levels[group.level];
	row_add(rows, PARADL_GRADIENT_EXCHANGE, seconds, "2 (p - 1) (alpha + W / p delta beta)",
		"p = %u, W delta = %.4g MB, alpha = %.3g us, 1/beta = %.4g GB/s", group.size,
		rows->step->dense_weights * gradient_bytes(evaluation) / 1e6, level->latency_s * 1e6,
		level->bandwidth_bytes_per_s / 1e9);
}

void replica_rows(struct rows *rows)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct overlaps overlaps = overlaps_of(evaluation);
	const struct step *step = rows->step;
	const struct rules *rules = &evaluation->oracle->rules;
	const bool sharded = evaluation->plan.zero == 3; /* zero 3 packs in each micro-batch */
	const double once_s = sharded ? 0 : step->packing_s;
	const double each_s = sharded ? step->micro_batches * step->packing_s : 0;
	(rules->ideal ? ring_row : gradient_row)(
		rows, rows->estimate->phase_s[PARADL_GRADIENT_EXCHANGE] - step->exchange.gathered_s -
			      step->exchange.sharded_s - step->tied_s - step->late_gradients_s - once_s);
	row_add(rows, PARADL_GRADIENT_EXCHANGE, once_s + each_s,
		"packing: passes W delta / memory rate + tensors t",
		"%.3g passes and casts, W delta = %.4g MB, t = %.3g us", rules->gradient_passes,
		step->dense_weights * gradient_bytes(evaluation) / 1e6, gradient_tensor_s(evaluation) * 1e6);
	row_add(rows, PARADL_GRADIENT_EXCHANGE, step->exchange.gathered_s, "all-gather of updated weights",
		"zero=%u, %u replicas share them, up to %.0f %% hide behind forward", evaluation->plan.zero,
		evaluation->dense.shard, overlaps.gathers * 100);
	row_add(rows, PARADL_GRADIENT_EXCHANGE, step->exchange.sharded_s - each_s,
		keeps_gathered(evaluation) ? "all-gather + reduce-scatter of each block"
					   : "micro-batches (2 all-gathers + reduce-scatter) of each block",
		"zero=3, %u replicas share them, up to %.0f %% of the schedule hide it",
		evaluation->dense.shard, overlaps.shards * 100);
	row_add(rows, PARADL_GRADIENT_EXCHANGE, step->tied_s,
		"a message of gradients: embedding and head have the same weights",
		"between the first and the last stage");
	waiting_row(rows, PARADL_GRADIENT_EXCHANGE, step->late_gradients_s, evaluation->dense.nodes, 1);
}

/* Returns the device of the pipeline whose update the step has. */
static const struct pipeline_rank *update_rank(const struct rows *rows)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct pipeline_rank *const ranks = evaluation->net->pipeline_ranks, *nearest = ranks;
	double least_s = HUGE_VAL;
	for (unsigned i = 0; i < rows->step->pipeline_ranks; ++i) {
		const struct update update = device_update(evaluation, ranks[i].device, ranks[i].sums);
		const double apart_s = fabs(update_sum_s(&update) - rows->step->update_s);
		if (ranks[i].exchanges && apart_s < least_s) {
			least_s = apart_s;
			nearest = &ranks[i];
		}
	}
	return nearest;
}

void update_rows(struct rows *rows)
{
	const struct evaluation *evaluation = rows->evaluation;
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct rules *rules = &oracle->rules;
	const struct pipeline_rank *const rank = update_rank(rows);
	const double weights = rank->sums[STAGE_WEIGHTS],
		     owned = device_owned(evaluation, rank->device, rank->sums),
		     rate = 1 / evaluation->net->update_s_per_byte,
		     bytes = oracle->optimizer->bytes_per_weight;
	const struct update update = device_update(evaluation, rank->device, rank->sums);
	char besides[48] = "";
	if (update.host_s > 0) {
		row_add(rows, PARADL_WEIGHT_UPDATE, update.device_s,
			"passes over gradients / memory rate + host",
			"%.4g M weights x %.4g bytes at %.4g GB/s, %.3g ms of host", weights / 1e6,
			rules->step_bytes, rate / 1e9, rules->step_s * 1e3);
		row_add(rows, PARADL_WEIGHT_UPDATE, update.host_s,
			"owned weights bytes per weight / rate of host memory for each device",
			"%.4g M weights x %.4g bytes (%s) at %.4g GB/s", owned / 1e6, bytes,
			oracle->optimizer->name, host_update_rate(evaluation) / 1e9);
		row_add(rows, PARADL_WEIGHT_UPDATE, update.link_s,
			"owned gradients and weights over the link to the host",
			"%.4g M weights x %.4g bytes at %.4g GB/s", owned / 1e6,
			offloaded_weight_bytes(evaluation),
			oracle->machine->device.link.host_bytes_per_s / 1e9);
		return;
	}
	if (rules->step_bytes > 0)
		snprintf(besides, sizeof besides, " + %.4g M x %.4g bytes", weights / 1e6, rules->step_bytes);
	row_add(rows, PARADL_WEIGHT_UPDATE, update.device_s,
		rules->step_s > 0 ? "weights bytes per weight / memory rate + host"
				  : "weights bytes per weight / memory rate",
		"%.4g M weights owned x %.4g bytes (%s)%s at %.4g GB/s, %.3g ms of host", owned / 1e6, bytes,
		oracle->optimizer->name, besides, rate / 1e9, rules->step_s * 1e3);
}
