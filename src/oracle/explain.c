/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terms an estimate is the sum of: each formula (see paradl-formulas(7)) with this plan's numbers put in. */
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "base/quantity.h"
#include "oracle/inference.h"
#include "oracle/replicas.h"
#include "oracle/result.h"

void term_add(struct terms *terms, enum paradl_phase phase, double seconds, const char *formula,
	const char *numbers, ...)
{
	va_list arguments;
	if (!(seconds > 0) || terms->count == TERMS_MAX)
		return;
	struct paradl_term *term = &terms->list[terms->count++];
	term->phase = phase;
	term->seconds = seconds;
	snprintf(term->formula, sizeof term->formula, "%s", formula);
	va_start(arguments, numbers);
	vsnprintf(term->numbers, sizeof term->numbers, numbers, arguments);
	va_end(arguments);
}

static void compute_terms(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, struct terms *terms)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct paradl_model *model = evaluation->net->model;
	const double *phase = estimate->phase_s;
	const double times = evaluation->micro_batches;
	const bool pipeline = evaluation->plan.degree[PARADL_PIPELINE] > 1;
	const char *formula = oracle->rules.ideal    ? "sum over layers of flop / (peak degrees)"
			      : evaluation->blocking ? "sum over layers of max(device, host call) + copies"
						     : "max(sum over layers of device, layers host calls)";
	const char *of = pipeline ? " of the slowest stage" : "";
	term_add(terms, PARADL_FORWARD, phase[PARADL_FORWARD], formula,
		"%u layers, %.4g samples, %.4g times%s", model->order_count, evaluation->samples, times, of);
	term_add(terms, PARADL_BACKWARD, phase[PARADL_BACKWARD], formula,
		"%u layers, %.4g samples, %.4g times%s", model->order_count, evaluation->samples, times, of);
	term_add(terms, PARADL_RECOMPUTE, phase[PARADL_RECOMPUTE],
		evaluation->recomputes_stages ? "(S - 1) forward" : "forward of what is not kept",
		"S = %.4g micro-batches", times);
	term_add(terms, PARADL_WEIGHT_UPDATE, phase[PARADL_WEIGHT_UPDATE],
		"weights bytes per weight / memory rate", "%.4g bytes a weight (%s) at %.4g GB/s",
		oracle->optimizer->bytes_per_weight, oracle->optimizer->name,
		1e-9 / evaluation->net->update_s_per_byte);
}

static void route_term(const struct evaluation *evaluation, const struct stage *stage, struct terms *terms)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	const struct group group = group_of(oracle->machine, &evaluation->plan, evaluation->replicas);
	const double weights = stage->term[STAGE_WEIGHTS], tensors = stage->term[STAGE_TENSORS];
	const struct routing routing = gradient_routing(evaluation, &evaluation->dense, weights, tensors);
	const struct gradient_route *route = routing.route;
	const double exchange = routing.seconds, bytes = routing.bytes;
	if (!route || evaluation->plan.zero == 3)
		return;
	if (oracle->rules.ideal) {
		term_add(terms, PARADL_GRADIENT_EXCHANGE, exchange, "2 (p - 1) (alpha + W / p delta beta)",
			"p = %u, W delta = %.4g MB, alpha = %.3g us, 1/beta = %.4g GB/s", group.size,
			bytes / 1e6, oracle->machine->levels[group.level].latency_s * 1e6,
			oracle->machine->levels[group.level].bandwidth_bytes_per_s / 1e9);
		return;
	}
	const bool leader = route->stage_count > 1;
	const double messages = routing.messages, message = bytes / messages;
	const struct curve *curve = route->stages[route->stage_count - 1].curve;
	const struct collective *collective = curve_algorithm(curve, message);
	const char *by = curve->measured ? "measured curve" : collective ? collective->name : "";
	term_add(terms, PARADL_GRADIENT_EXCHANGE, exchange,
		leader ? "inside + among leaders + 2 (pack + tensors)"
		       : "messages (a + bytes b) + pack + tensors per-tensor cost",
		"%u devices on %u nodes, %.4g x %.4g MB in %.0f tensors, %s%s %.4g ms a message", group.size,
		group.nodes, messages, message / 1e6, tensors, by, leader ? " of leaders" : "",
		curve_s(curve, message) * 1e3);
}

static void gradient_terms(const struct evaluation *evaluation, const struct paradl_estimate *estimate,
	const struct stage *stage, struct terms *terms)
{
	const struct rules *rules = &evaluation->oracle->rules;
	const unsigned zero = evaluation->plan.zero;
	if (!evaluation->replicas)
		return;
	const struct replica_times times = device_exchange(evaluation, 0, stage->term);
	route_term(evaluation, stage, terms);
	if (zero)
		term_add(terms, PARADL_GRADIENT_EXCHANGE,
			estimate->phase_s[PARADL_GRADIENT_EXCHANGE] - times.gradients_s -
				estimate->gradient_waiting_s,
			"all-gathers of updated weights, what zero=3 scatters",
			"zero=%u, %u replicas share them", zero, evaluation->dense.shard);
	term_add(terms, PARADL_GRADIENT_EXCHANGE, estimate->gradient_waiting_s,
		"jitter (nodes^growth - 1) sqrt(work syncs)",
		"%.4g ms, %u nodes, growth %.2g, %.4g s of work, 1 synchronisation", rules->jitter_s * 1e3,
		evaluation->gradient_nodes, rules->jitter_growth,
		estimate->phase_s[PARADL_FORWARD] + estimate->phase_s[PARADL_BACKWARD]);
}

static void exchange_terms(const struct evaluation *evaluation, const struct paradl_estimate *estimate,
	const struct stage *stage, struct terms *terms)
{
	const struct paradl_framework *framework = evaluation->oracle->framework;
	const struct rules *rules = &evaluation->oracle->rules;
	const double times = evaluation->micro_batches, *term = stage->term, *phase = estimate->phase_s;
	const double calls = estimate->waiting_s - estimate->gradient_waiting_s;
	const double syncs = term[STAGE_SYNCHRONISATIONS] * times;
	const double gather = 2 * times * stage->gather_s;
	const double sent = times * (term[STAGE_LAYERWISE_S] + term[STAGE_LAYERWISE_S + 1]);
	const double halo = times * (term[STAGE_HALO_S] + term[STAGE_HALO_S + 1]);
	const bool in_halo = phase[PARADL_HALO_EXCHANGE] > 0;
	unsigned nodes = 1;
	for (unsigned axis = PARADL_FILTER; axis < PARADL_AXIS_COUNT; ++axis)
		nodes = evaluation->nodes[axis] > nodes ? evaluation->nodes[axis] : nodes;
	term_add(terms, PARADL_ACTIVATION_EXCHANGE, sent - gather,
		"sum over cut layers of allgather + allreduce",
		"%.4g calls, %u nodes, %u rings, %.3g ms a call", syncs, nodes, framework->activation_rings,
		framework->collective_s * 1e3);
	term_add(terms, PARADL_ACTIVATION_EXCHANGE, gather, "gather of the spatial pieces, there and back",
		"before the first layer that needs them whole, after %s",
		evaluation->net->model->names[evaluation->net->gather_position]);
	const double others = phase[PARADL_ACTIVATION_EXCHANGE] - sent - (in_halo ? 0 : calls);
	if (others > 1e-9 * phase[PARADL_ACTIVATION_EXCHANGE])
		term_add(terms, PARADL_ACTIVATION_EXCHANGE, others,
			"recomputed exchanges, and transfers to host memory and back", "%.4g times", times);
	term_add(terms, PARADL_HALO_EXCHANGE, halo, "sum over windowed layers of messages (a + bytes b)",
		"%.4g layers and passes, %s", syncs,
		framework->staged ? "through host memory" : "between devices");
	term_add(terms, in_halo ? PARADL_HALO_EXCHANGE : PARADL_ACTIVATION_EXCHANGE, calls,
		"jitter (nodes^growth - 1) sqrt(work syncs)",
		"%.4g ms, %u nodes, growth %.2g, %.4g s of work, %.4g synchronisations",
		rules->jitter_s * 1e3, nodes, rules->jitter_growth,
		phase[PARADL_FORWARD] + phase[PARADL_BACKWARD], syncs);
}

static void pipeline_terms(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, struct terms *terms)
{
	const double *phase = estimate->phase_s;
	const unsigned stages = evaluation->plan.degree[PARADL_PIPELINE];
	term_add(terms, PARADL_STAGE_TRANSFER, phase[PARADL_STAGE_TRANSFER],
		evaluation->oracle->rules.ideal ? "2 (p + S - 2) max(alpha + |y| delta beta)"
						: "every link once each way, and the slowest when it limits",
		"p = %u stages, S = %.4g micro-batches of %.4g samples", stages, evaluation->micro_batches,
		evaluation->samples);
	term_add(terms, PARADL_BUBBLE, phase[PARADL_BUBBLE], "sum of stages + (S - 1) slowest - S slowest",
		"p = %u stages, S = %.4g micro-batches", stages, evaluation->micro_batches);
	term_add(terms, PARADL_GRADIENT_EXCHANGE, phase[PARADL_GRADIENT_EXCHANGE],
		"the largest of the stages' exchanges", "data=%u, spatial=%u",
		evaluation->plan.degree[PARADL_DATA], evaluation->plan.degree[PARADL_SPATIAL]);
	term_add(terms, PARADL_ACTIVATION_EXCHANGE, phase[PARADL_ACTIVATION_EXCHANGE], "of the slowest stage",
		"S = %.4g", evaluation->micro_batches);
	term_add(terms, PARADL_HALO_EXCHANGE, phase[PARADL_HALO_EXCHANGE], "of the slowest stage", "S = %.4g",
		evaluation->micro_batches);
}

/* The terms of a step each of which is the largest of any device. */
static void maxima_terms(
	const struct evaluation *evaluation, const struct paradl_estimate *estimate, struct terms *terms)
{
	const struct stage *stage = &evaluation->net->stages[0];
	compute_terms(evaluation, estimate, terms);
	if (evaluation->plan.degree[PARADL_PIPELINE] > 1) {
		pipeline_terms(evaluation, estimate, terms);
		return;
	}
	gradient_terms(evaluation, estimate, stage, terms);
	exchange_terms(evaluation, estimate, stage, terms);
}

bool paradl_explain(struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_arena *arena,
	struct paradl_explanation *explanation, struct paradl_error *error)
{
	struct terms *terms = arena_alloc(arena, 1, sizeof *terms);
	const struct result *result = result_of(oracle, plan, error);
	if (!terms)
		return error_set(error, PARADL_NO_MEMORY, "out of memory");
	if (!result)
		return false;
	const struct evaluation *evaluation = &result->evaluation;
	const struct paradl_estimate *estimate = &result->estimate;
	if (evaluation->serving)
		inference_explain(evaluation, estimate, terms);
	else if (!oracle->rules.own_maxima)
		token_terms(evaluation, estimate, terms);
	else
		maxima_terms(evaluation, estimate, terms);
	if (!evaluation->serving)
		oracle_input_explain(evaluation, estimate, terms);
	*explanation = (struct paradl_explanation){terms->list, terms->count};
	return true;
}
