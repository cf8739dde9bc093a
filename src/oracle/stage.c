/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units and stages have costs. Recomputation (Chen et al., 2016; Korthikanti et al., 2022) adds to them: full keeps
 * only what enters a block and runs the whole block forward again before its backward, exchanges included; selective
 * repeats attention scores, which a fused kernel does anyway, and the share of the rest that the framework says.
 */
#include "oracle/stage.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "oracle/inference.h"
#include "oracle/schedule.h"

static bool units_alike(const struct paradl_model *model, unsigned a, unsigned b)
{
	const struct unit *x = &model->units[a], *y = &model->units[b];
	const unsigned length = x->end - x->first;
	return x->is_block == y->is_block && y->end - y->first == length &&
	       !(x->passing_items < y->passing_items) && !(x->passing_items > y->passing_items) &&
	       memcmp(&model->order[x->first], &model->order[y->first], length * sizeof *model->order) == 0;
}

static uint64_t unit_hash(const struct paradl_model *model, unsigned unit)
{
	uint64_t value = model->units[unit].is_block;
	for (unsigned i = model->units[unit].first; i < model->units[unit].end; ++i) {
		value = (value ^ model->order[i]) * 0x9e3779b97f4a7c15U; /* 2^64 / golden ratio */
		value ^= value >> 32;
	}
	return value;
}

/* Finds the classes of units. slots: twice as many as units, a power of two; they have class + 1, 0: free. */
static void classes_find(
	const struct paradl_model *model, struct unit_classes *classes, unsigned *slots, unsigned mask)
{
	for (unsigned u = 0; u < model->unit_count; ++u) {
		unsigned slot = (unsigned)unit_hash(model, u) & mask;
		while (slots[slot] && !units_alike(model, classes->sample[slots[slot] - 1], u))
			slot = (slot + 1) & mask;
		if (!slots[slot]) {
			classes->sample[classes->count] = u;
			slots[slot] = ++classes->count;
		}
		classes->of_unit[u] = slots[slot] - 1;
	}
	for (unsigned u = model->unit_count; u-- > 0;) {
		const bool goes_on =
			u + 1 < model->unit_count && classes->of_unit[u] == classes->of_unit[u + 1];
		classes->run_end[u] = goes_on ? classes->run_end[u + 1] : u + 1;
	}
}

struct unit_classes *unit_classes_create(
	struct paradl_arena *arena, const struct paradl_model *model, struct paradl_error *error)
{
	const unsigned units = model->unit_count;
	unsigned slot_count = 2;
	while (slot_count < 2 * units)
		slot_count *= 2;
	struct unit_classes *classes = arena_alloc(arena, 1, sizeof *classes);
	unsigned *slots = arena_alloc(arena, slot_count, sizeof *slots);
	unsigned *numbers = arena_alloc(arena, (size_t)3 * units, sizeof *numbers);
	if (classes && slots && numbers) {
		classes->of_unit = numbers;
		classes->run_end = numbers + units;
		classes->sample = numbers + (size_t)2 * units;
		classes_find(model, classes, slots, slot_count - 1);
		classes->costs = arena_alloc(arena, (size_t)2 * classes->count, sizeof *classes->costs);
		if (classes->costs)
			return classes;
	}
	return out_of_memory_null(error);
}

/* Adds the terms that only token layers have. */
static void token_layer_add(
	const struct rules *rules, const struct layer *layer, const struct layer_cost *cost, double *term)
{
	term[STAGE_CALLS_FORWARD] += cost->exchange_calls[PASS_FORWARD];
	term[STAGE_CALLS_BACKWARD] += cost->exchange_calls[PASS_BACKWARD];
	for (unsigned axis = 0; axis < TOKEN_AXES; ++axis)
		for (unsigned pass = 0; pass < 2; ++pass)
			term[STAGE_EXCHANGE_S + 2 * axis + pass] += cost->exchange_s[axis][pass];
	/* A block is two layers, attention and MLP; this is the forward part of a layer's host time. */
	if (layer->work->is_block)
		term[STAGE_HOST_S] += rules->host_layer_s / (1 + host_backward) +
				      (layer->work->experts ? rules->host_moe_layer_s : 0);
	for (unsigned pass = 0; pass < 2; ++pass)
		term[STAGE_HIDDEN_S + pass] += cost->hidden_s[pass];
	term[STAGE_EXPERT_WEIGHTS] += cost->expert_items;
	term[STAGE_FROZEN_EXPERTS] += cost->frozen_expert_items;
	term[STAGE_LOGITS] += cost->logit_items;
	term[STAGE_BUFFERS] = later_s(term[STAGE_BUFFERS], cost->buffer_items);
}

/* Items that layers hold from forward to backward, as long as nothing is recomputed, and the most beyond these. */
struct kept {
	double items, scores, dropped, working; /* scores: of attention; dropped: by recompute=modules */
};

static inline void kept_add(const struct rules *rules, const struct layer *layer,
	const struct layer_cost *cost, struct kept *kept)
{
	kept->items += layer->work && cost->logit_items > 0 ? 0 : cost->kept_items;
	kept->working =
		later_s(kept->working, cost->transient_items + (rules->frees_early ? kept->items : 0));
}

/* Adds up layers as one unit, but for STAGE_KEPT and what is computed again; returns what they keep. */
static struct kept layers_add(
	const struct evaluation *evaluation, const unsigned *indices, unsigned count, struct stage *unit)
{
	const struct rules *rules = &evaluation->oracle->rules;
	double *const term = unit->term;
	double forward_s = 0, backward_s = 0, weight_s = 0, sent_s[2] = {0, 0}, halo_s[2] = {0, 0};
	double host_s = 0, calls = 0, update_s = 0, tensors = 0, weights = 0;
	/* Where layers block, each has its host time already; token_layer_add counts that of blocks. */
	const bool apart = evaluation->blocking || rules->host != HOST_STRETCHES;
	const double call_s = apart ? 0 : evaluation->serving ? rules->host_layer_s / 2 : rules->host_layer_s;
	struct kept kept = {0, 0, 0, 0};
	unit->plain = true;
	for (unsigned i = 0; i < count; ++i) {
		const struct layer *layer = &evaluation->net->model->layers[indices[i]];
		const struct layer_cost *cost = &evaluation->net->costs[indices[i]];
		forward_s += cost->forward_s;
		backward_s += cost->backward_s - cost->weight_s;
		weight_s += cost->weight_s;
		sent_s[PASS_FORWARD] += cost->activation_s[PASS_FORWARD];
		sent_s[PASS_BACKWARD] += cost->activation_s[PASS_BACKWARD];
		halo_s[PASS_FORWARD] += cost->halo_s[PASS_FORWARD];
		halo_s[PASS_BACKWARD] += cost->halo_s[PASS_BACKWARD];
		calls += cost->calls;
		update_s += cost->update_s;
		tensors += layer->weight_tensors;
		weights += cost->weight_items;
		term[STAGE_FROZEN] += cost->frozen_items;
		host_s += call_s;
		kept_add(rules, layer, cost, &kept);
		if (layer->work) {
			token_layer_add(rules, layer, cost, term);
			kept.scores += cost->score_items;
			kept.dropped += cost->dropped_items;
			unit->plain = false;
		}
	}
	double caches = 0;
	for (unsigned i = 0; evaluation->serving == SERVE_PROMPT && i < count; ++i)
		serving_layer_add(evaluation, indices[i], term, &caches);
	term[STAGE_FORWARD_S] = forward_s;
	term[STAGE_BACKWARD_S] = backward_s;
	term[STAGE_WEIGHT_S] = weight_s;
	for (unsigned pass = 0; pass < 2; ++pass) {
		term[STAGE_LAYERWISE_S + pass] = sent_s[pass];
		term[STAGE_HALO_S + pass] = halo_s[pass];
	}
	term[STAGE_HOST_S] += host_s;
	term[STAGE_SYNCHRONISATIONS] = calls;
	if (evaluation->oracle->times && !evaluation->net->model->tokens)
		term[STAGE_UPDATE_S] += update_s;
	term[STAGE_TENSORS] = tensors;
	term[STAGE_WEIGHTS] = weights;
	if (evaluation->serving)
		return (struct kept){.items = caches};
	term[STAGE_WORKING] = later_s(term[STAGE_WORKING], kept.working);
	return kept;
}

/* Returns the items of the device that are `items` of a sample where a unit begins. */
static double cut_items(const struct evaluation *evaluation, unsigned unit, double items)
{
	const struct paradl_model *model = evaluation->net->model;
	const struct paradl_plan *plan = &evaluation->plan;
	double pieces = plan->degree[PARADL_CONTEXT];
	if (plan->sequence)
		pieces *= plan->degree[PARADL_TENSOR];
	if (evaluation->axes & 1U << PARADL_SPATIAL) {
		const unsigned maker = model->order[unit ? model->units[unit - 1].end - 1 : 0];
		if (evaluation->net->cut[maker] & 1U << PARADL_SPATIAL)
			pieces *= plan->degree[PARADL_SPATIAL];
	}
	return evaluation->samples * items / pieces;
}

double entering_items(const struct evaluation *evaluation, unsigned unit)
{
	const struct paradl_model *model = evaluation->net->model;
	return cut_items(
		evaluation, unit, unit ? model->units[unit - 1].boundary_items : tensor_items(&model->input));
}

/* Returns the items that enter a unit and did not enter the one before: a source is held once for all blocks. */
static double own_items(const struct evaluation *evaluation, unsigned unit)
{
	const struct paradl_model *model = evaluation->net->model;
	return cut_items(evaluation, unit,
		unit ? model->units[unit - 1].boundary_items - model->units[unit].passing_items
		     : tensor_items(&model->input));
}

/* Returns the seconds of a unit's forward exchanges, of all axes. */
static double forward_exchange_s(const double *term)
{
	double s = term[STAGE_LAYERWISE_S + PASS_FORWARD] + term[STAGE_HALO_S + PASS_FORWARD];
	for (unsigned axis = 0; axis < TOKEN_AXES; ++axis)
		s += term[STAGE_EXCHANGE_S + 2 * axis + PASS_FORWARD];
	return s;
}

/*
 * Returns the items that enter a unit less those that leave. Layers count what they make; a stage holds what enters
 * it, and what it sends is the next one's. So a unit counts what enters instead of what leaves.
 */
static double entering_kept(const struct evaluation *evaluation, unsigned unit)
{
	const struct paradl_model *model = evaluation->net->model;
	double items = 0;
	if (!evaluation->oracle->rules.moments)
		return 0;
	if (unit > 0 && model->units[unit - 1].boundary_kept)
		items += own_items(evaluation, unit);
	if (unit + 1 < model->unit_count && model->units[unit].boundary_kept)
		items -= own_items(evaluation, unit + 1);
	return items;
}

/* Returns the seconds of a unit that is recomputed in part: scores, and a share of the rest or cheap modules. */
static double selected_s(const struct evaluation *evaluation, unsigned unit, enum paradl_recompute recompute)
{
	const struct prepared *net = evaluation->net;
	const double selected = evaluation->oracle->rules.selective_share;
	double s = 0;
	for (unsigned i = net->model->units[unit].first; i < net->model->units[unit].end; ++i) {
		const struct layer_cost *cost = &net->costs[net->model->order[i]];
		const double other_s = selected * (cost->forward_s - cost->attention_s[PASS_FORWARD]);
		s += cost->score_s + (recompute == PARADL_RECOMPUTE_MODULES ? cost->again_s : other_s);
	}
	return s;
}

/* Adds what backward of a unit computes again, and leaves out what is not kept therefore. */
static void recompute_add(const struct evaluation *evaluation, unsigned unit, const struct kept *all,
	enum paradl_recompute recompute, double *term)
{
	const double kept = term[STAGE_KEPT], entering = own_items(evaluation, unit);
	if (recompute == PARADL_RECOMPUTE_FULL) {
		term[STAGE_AGAIN_S] = term[STAGE_FORWARD_S];
		term[STAGE_AGAIN_EXCHANGE_S] = forward_exchange_s(term);
		term[STAGE_HOST_AGAIN_S] = term[STAGE_HOST_S];
		term[STAGE_KEPT] = entering;
	} else if (recompute > PARADL_RECOMPUTE_NONE) {
		const double selected = evaluation->oracle->rules.selective_share;
		const double other = selected * later_s(kept - all->scores - entering, 0);
		term[STAGE_AGAIN_S] = selected_s(evaluation, unit, recompute);
		term[STAGE_KEPT] = kept - all->scores;
		term[STAGE_KEPT] -= recompute == PARADL_RECOMPUTE_MODULES ? all->dropped : other;
	}
	term[STAGE_WORKING] += kept > term[STAGE_KEPT] ? kept - term[STAGE_KEPT] : 0;
}

/* Fills what a unit keeps, and what it works on in addition. */
static void kept_fill(const struct evaluation *evaluation, double kept, double *term)
{
	const bool frees_early = evaluation->oracle->rules.frees_early;
	term[STAGE_KEPT] = term[STAGE_UNIT_KEPT] = kept;
	term[STAGE_UNIT_WEIGHTS] = term[STAGE_WEIGHTS] + term[STAGE_FROZEN];
	term[STAGE_FREED] = frees_early ? kept : 0;
	if (frees_early)
		term[STAGE_WORKING] -= kept;
}

static void unit_cost(const struct evaluation *evaluation, unsigned unit, enum paradl_recompute recompute,
	struct stage *cost)
{
	const struct paradl_model *model = evaluation->net->model;
	const unsigned first = model->units[unit].first, end = model->units[unit].end;
	*cost = (struct stage){.first = unit, .end = unit + 1};
	const struct kept kept = layers_add(evaluation, &model->order[first], end - first, cost);
	/* In a network without blocks every unit counts as one. */
	const bool is_block = model->units[unit].is_block || !model->tokens;
	cost->term[STAGE_BLOCKS] = is_block;
	kept_fill(evaluation, later_s(kept.items + entering_kept(evaluation, unit), 0), cost->term);
	if (evaluation->serving)
		cost->term[STAGE_WORKING] += serving_branched_items(evaluation, unit);
	if (is_block && !evaluation->recomputes_stages && model_unit_goes_back(model, unit))
		recompute_add(evaluation, unit, &kept, recompute, cost->term);
	if (evaluation->oracle->rules.frees_early)
		cost->term[STAGE_FREED] = cost->term[STAGE_KEPT];
}

void layer_unit_cost(const struct evaluation *evaluation, unsigned index, struct stage *cost)
{
	*cost = (struct stage){.end = 1};
	const struct kept kept = layers_add(evaluation, &index, 1, cost);
	kept_fill(evaluation, kept.items, cost->term);
}

void unit_costs_fill(const struct evaluation *evaluation)
{
	const struct unit_classes *classes = evaluation->net->classes;
	for (unsigned i = 0; i < classes->count; ++i) {
		unit_cost(evaluation, classes->sample[i], evaluation->recompute, &classes->costs[i]);
		if (evaluation->plan.recompute_blocks)
			unit_cost(evaluation, classes->sample[i], PARADL_RECOMPUTE_NONE,
				&classes->costs[classes->count + i]);
	}
}

/* Adds units; the backward of the first one comes last, and what later ones kept and freed early is free by then. */
void stage_terms_add(const struct stage *cost, unsigned count, double *term)
{
	if (!count)
		return;
	for (unsigned i = 0; i < STAGE_LAYERWISE_S && !cost->plain; ++i)
		term[i] += count * cost->term[i];
	for (unsigned i = STAGE_LAYERWISE_S; i < STAGE_LARGEST; ++i)
		term[i] += count * cost->term[i];
	term[STAGE_WORKING] -= count * cost->term[STAGE_FREED];
	for (unsigned i = STAGE_LARGEST; i < STAGE_TERMS; ++i)
		term[i] = cost->term[i] > term[i] ? cost->term[i] : term[i];
}

/* Returns whether both stages are as many units of one class, and as much enters them. */
static bool stage_repeats(
	const struct evaluation *evaluation, const struct stage *before, unsigned first, unsigned end)
{
	const struct unit_classes *classes = evaluation->net->classes;
	if (!before || before->end - before->first != end - first ||
		classes->of_unit[before->first] != classes->of_unit[first] || classes->run_end[first] < end ||
		classes->run_end[before->first] < before->end)
		return false;
	return !evaluation->oracle->rules.holds_inputs;
}

/* Adds what a stage has on top of its units: the gather of spatial pieces, and what enters it. */
static void stage_ends_add(const struct evaluation *evaluation, struct stage *stage)
{
	const struct paradl_model *model = evaluation->net->model;
	const unsigned gathered = evaluation->net->spatial_end;
	double *term = stage->term;
	if (evaluation->connected && model->units[stage->first].first < gathered &&
		gathered <= model->units[stage->end - 1].end) {
		const double s = gather_s(evaluation) / 2;
		term[STAGE_LAYERWISE_S + PASS_FORWARD] += s;
		if (!evaluation->serving)
			term[STAGE_LAYERWISE_S + PASS_BACKWARD] += s;
		stage->gather_s = s;
	}
	stage_inputs_add(evaluation, stage);
}

void stage_inputs_add(const struct evaluation *evaluation, struct stage *stage)
{
	const struct paradl_model *model = evaluation->net->model;
	double *term = stage->term;
	if (!evaluation->oracle->rules.holds_inputs)
		return;
	const double entering = entering_items(evaluation, stage->first);
	const bool held = stage->first && model->units[stage->first - 1].boundary_kept;
	if (evaluation->recomputes_stages) { /* holds only what enters, but for one micro-batch */
		term[STAGE_WORKING] += term[STAGE_KEPT] - (held ? 0 : entering);
		term[STAGE_KEPT] = entering;
	} else if (held) {
		term[STAGE_KEPT] += entering;
	}
}

/* Fills a stage, of which the first recompute_blocks blocks are recomputed, or all. */
void stage_fill(const struct evaluation *evaluation, unsigned first, unsigned end, const struct stage *before,
	struct stage *stage)
{
	const struct unit_classes *classes = evaluation->net->classes;
	const unsigned most = evaluation->plan.recompute_blocks;
	unsigned left = most ? most : end - first;
	if (stage_repeats(evaluation, before, first, end)) {
		stage->first = first;
		stage->end = end;
		stage->repeats = before->repeats + 1;
		stage->plain = before->plain;
		stage->gather_s = before->gather_s;
		return;
	}
	*stage = (struct stage){.first = first, .end = end, .plain = true};
	for (unsigned unit = first, next; unit < end; unit = next) {
		const unsigned kind = classes->of_unit[unit];
		next = classes->run_end[unit] < end ? classes->run_end[unit] : end;
		const bool is_block = classes->costs[kind].term[STAGE_BLOCKS] > 0;
		const unsigned again = is_block && left < next - unit ? left : next - unit;
		if (is_block)
			left -= again;
		stage->plain = stage->plain && classes->costs[kind].plain;
		stage_terms_add(&classes->costs[kind], again, stage->term);
		if (again < next - unit)
			stage_terms_add(
				&classes->costs[classes->count + kind], next - unit - again, stage->term);
	}
	stage_ends_add(evaluation, stage);
}
