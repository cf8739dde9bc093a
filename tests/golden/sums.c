/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views of one plan add up to. */
#include "golden/properties.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle/replicas.h"
#include "oracle/training.h"

void numbers_compare(struct finding *finding, const char *what, double is, double should_be, double within)
{
	const double larger = fmax(fabs(is), fabs(should_be));
	const double apart = larger > 0 ? fabs(is - should_be) / larger : 0;
	finding->applies = true;
	if (apart <= within)
		return;
	if (!finding->broken || apart > finding->apart) {
		finding->apart = apart;
		snprintf(finding->text, sizeof finding->text, "%s: %.17g, %.17g", what, is, should_be);
	}
	finding->broken = true;
}

/* Seconds below this share of the step are sums in another order that should be nothing. */
static const double rounding = 1e-12;

static void times_compare(struct finding *finding, const struct paradl_estimate *estimate, const char *what,
	double is, double should_be)
{
	if (fmax(fabs(is), fabs(should_be)) > rounding * estimate->iteration_s)
		numbers_compare(finding, what, is, should_be, 1e-9);
}

enum { STAGES_MOST = 512 };

/* Writes where stages end; returns how many there are, 0: the plan does not run. */
static unsigned stage_ends(
	const struct subject *subject, const struct paradl_plan *plan, unsigned ends[STAGES_MOST])
{
	const struct result *const result = result_of(subject->oracle, plan, NULL);
	const unsigned count = result ? result->step.count : 0;
	for (unsigned i = 0; i < count && i < STAGES_MOST; ++i)
		ends[i] = result->evaluation.net->stage_ends[i];
	return count;
}

bool cut_alike(
	const struct subject *subject, const struct paradl_plan *first, const struct paradl_plan *second)
{
	unsigned ends[2][STAGES_MOST];
	const unsigned count = stage_ends(subject, first, ends[0]);
	return count > 0 && count <= STAGES_MOST && stage_ends(subject, second, ends[1]) == count &&
	       memcmp(ends[0], ends[1], count * sizeof **ends) == 0;
}

/* ---- rows --------------------------------------------------------------------------------------------------------- */

void rows_add_up(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding)
{
	struct paradl_explanation explanation;
	struct paradl_arena *const arena = paradl_arena_create();
	finding->applies = true;
	if (!paradl_explain(subject->oracle, &estimate->plan, arena, &explanation, NULL)) {
		finding->broken = true;
		snprintf(finding->text, sizeof finding->text, "no explanation");
	} else {
		double sums[PARADL_PHASE_COUNT] = {0};
		for (size_t i = 0; i < explanation.count; ++i)
			sums[explanation.terms[i].phase] += explanation.terms[i].seconds;
		for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i)
			times_compare(finding, estimate, paradl_phase_name((enum paradl_phase)i), sums[i],
				estimate->phase_s[i]);
	}
	paradl_arena_free(arena);
}

/* ---- layers ------------------------------------------------------------------------------------------------------- */

/* What the rows of layers say together. */
static struct paradl_layer_estimate layers_sum(const struct paradl_layer_table *table)
{
	struct paradl_layer_estimate sum = {.name = NULL};
	for (size_t i = 0; i < table->count; ++i) {
		const struct paradl_layer_estimate *const row = &table->rows[i];
		sum.forward_s += row->forward_s;
		sum.backward_s += row->backward_s;
		sum.weight_update_s += row->weight_update_s;
		sum.communication_s += row->communication_s;
		sum.weights_bytes += row->weights_bytes;
	}
	return sum;
}

/* Updates of the weights that a device of a stage owns, without what a step takes besides. */
static double stage_update_s(const struct evaluation *evaluation, const double *term)
{
	const double owned = replicas_owned(evaluation, term[STAGE_WEIGHTS], term[STAGE_EXPERT_WEIGHTS]);
	const double measured_s = term[STAGE_UPDATE_S];
	return training_update_s(evaluation, term[STAGE_WEIGHTS], owned, measured_s) -
	       (measured_s > 0 ? 0 : evaluation->oracle->rules.step_s);
}

/* The same from the stages: their kernels, exchanges and weights before host time, recomputation and gathers of pieces. */
static struct paradl_layer_estimate stages_sum(const struct evaluation *evaluation, unsigned count)
{
	const double times = evaluation->micro_batches;
	struct paradl_layer_estimate sum = {.name = NULL};
	for (unsigned i = 0; i < count; ++i) {
		const struct stage *const stage = &evaluation->net->stages[i];
		const double *const term = stage_repeated(stage)->term;
		sum.forward_s += times * term[STAGE_FORWARD_S];
		sum.backward_s += times * (term[STAGE_BACKWARD_S] + term[STAGE_WEIGHT_S]);
		sum.communication_s +=
			times * (term[STAGE_HIDDEN_S] + term[STAGE_HIDDEN_S + 1] - 2 * stage->gather_s);
		for (unsigned k = 0; k < 2 * TOKEN_AXES; ++k)
			sum.communication_s += times * term[STAGE_EXCHANGE_S + k];
		for (unsigned pass = 0; pass < 2; ++pass)
			sum.communication_s +=
				times * (term[STAGE_LAYERWISE_S + pass] + term[STAGE_HALO_S + pass]);
		sum.weight_update_s += stage_update_s(evaluation, term);
		sum.weights_bytes += (term[STAGE_WEIGHTS] + term[STAGE_FROZEN]) *
				     precision_weight_bytes(evaluation->oracle->precision);
	}
	return sum;
}

void layers_add_up(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding)
{
	struct paradl_layer_table table;
	struct paradl_arena *const arena = paradl_arena_create();
	const struct result *const result = result_of(subject->oracle, &estimate->plan, NULL);
	if (result && !subject->options.inference &&
		paradl_estimate_layers(subject->oracle, &estimate->plan, arena, &table, NULL)) {
		const struct paradl_layer_estimate is = layers_sum(&table);
		const struct paradl_layer_estimate should_be =
			stages_sum(&result->evaluation, result->step.count);
		times_compare(finding, estimate, "forward", is.forward_s, should_be.forward_s);
		times_compare(finding, estimate, "backward", is.backward_s, should_be.backward_s);
		times_compare(
			finding, estimate, "communication", is.communication_s, should_be.communication_s);
		times_compare(finding, estimate, "update", is.weight_update_s, should_be.weight_update_s);
		numbers_compare(finding, "weights", is.weights_bytes, should_be.weights_bytes, 1e-9);
	}
	paradl_arena_free(arena);
}

/* ---- stages ------------------------------------------------------------------------------------------------------- */

/* Phases, less what hides behind others, are the step. */
static void phases_add_up(const struct paradl_estimate *estimate, struct finding *finding)
{
	const double *const phase = estimate->phase_s;
	const double compute_s = phase[PARADL_FORWARD] + phase[PARADL_BACKWARD] + phase[PARADL_RECOMPUTE] +
				 phase[PARADL_WEIGHT_UPDATE];
	const double communication_s = phase[PARADL_GRADIENT_EXCHANGE] + phase[PARADL_ACTIVATION_EXCHANGE] +
				       phase[PARADL_HALO_EXCHANGE] + phase[PARADL_STAGE_TRANSFER];
	times_compare(finding, estimate, "compute", compute_s, estimate->compute_s);
	times_compare(finding, estimate, "communication", communication_s, estimate->communication_s);
	times_compare(finding, estimate, "step",
		compute_s + estimate->exposed_communication_s + phase[PARADL_BUBBLE] + phase[PARADL_INPUT],
		estimate->iteration_s);
}

enum { EVENTS_MOST = 4000 };

void stages_add_up(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding)
{
	const double *const phase = estimate->phase_s;
	const unsigned devices = estimate->plan.degree[PARADL_PIPELINE];
	const unsigned chunks = estimate->plan.chunks ? estimate->plan.chunks : 2;
	struct paradl_timeline timeline;
	phases_add_up(estimate, finding);
	if (devices < 2 || 3.0 * devices * chunks * estimate->micro_batches > EVENTS_MOST)
		return;
	struct paradl_arena *const arena = paradl_arena_create();
	if (!paradl_timeline(subject->oracle, &estimate->plan, arena, &timeline, NULL)) {
		finding->broken = true;
		snprintf(finding->text, sizeof finding->text, "no timeline");
		paradl_arena_free(arena);
		return;
	}
	double busiest_s = 0, busy_s = 0;
	for (size_t i = 0; i < timeline.count; ++i) {
		const struct paradl_event *const event = &timeline.events[i];
		if (i > 0 && event->device != event[-1].device)
			busy_s = 0;
		if (event->work >= PARADL_WORK_FORWARD && event->work <= PARADL_WORK_WEIGHTS)
			busy_s += event->end_s - event->start_s;
		busiest_s = fmax(busiest_s, busy_s);
	}
	times_compare(finding, estimate, "step of the timeline", timeline.step_s, estimate->iteration_s);
	if (!subject->options.ideal) /* Table III takes each maximum by itself */
		times_compare(finding, estimate, "schedule less its busiest device",
			timeline.schedule_s - busiest_s, phase[PARADL_STAGE_TRANSFER] + phase[PARADL_BUBBLE]);
	paradl_arena_free(arena);
}

/* ---- parts -------------------------------------------------------------------------------------------------------- */

enum { PARTS_MOST = 64 };

/* Writes a plan down as a plan for each layer: a part for each stage; false: it has stages that parts cannot have. */
static bool parts_fill(const struct evaluation *evaluation, struct paradl_layered_part *parts,
	struct paradl_layered *layered)
{
	const struct prepared *const net = evaluation->net;
	const struct paradl_plan *const plan = &evaluation->plan;
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	if (stages > PARTS_MOST || evaluation->chunks > 1 || evaluation->schedule == PARADL_INTERLEAVED ||
		plan->recompute_blocks)
		return false;
	for (unsigned i = 0; i < stages; ++i) {
		struct paradl_layered_part *const part = &parts[i];
		*part = (struct paradl_layered_part){.first = i ? part[-1].end : 0,
			.end = net->model->units[net->stage_ends[i] - 1].end,
			.stage = i + 1,
			.plan = *plan};
		part->plan.degree[PARADL_PIPELINE] = 1;
		part->plan.micro = 0;
		part->plan.split_count = 0;
		part->plan.schedule = PARADL_SCHEDULE_DEFAULT;
	}
	*layered = (struct paradl_layered){.devices = (unsigned)paradl_plan_devices(plan),
		.stages = stages,
		.batch = plan->batch,
		.micro_batches = evaluation->micro_batches,
		.schedule = plan->schedule,
		.parts = parts,
		.part_count = stages};
	return true;
}

/* Stages are the outermost axis of parts. */
static void stages_put_first(struct paradl_plan *plan)
{
	for (unsigned at = PARADL_AXIS_COUNT - 1; at > 0; --at)
		if (plan->order[at] == PARADL_PIPELINE) {
			plan->order[at] = plan->order[at - 1];
			plan->order[at - 1] = PARADL_PIPELINE;
		}
}

/* Sums of parts are in another order, whose rounding is a share of the step. */
static void estimates_compare(
	struct finding *finding, const struct paradl_estimate *is, const struct paradl_estimate *should_be)
{
	const double step_s = should_be->iteration_s, within = 1e-12;
	const struct paradl_memory *const a = &is->memory, *const b = &should_be->memory;
	for (unsigned i = 0; i < PARADL_PHASE_COUNT; ++i)
		numbers_compare(finding, paradl_phase_name((enum paradl_phase)i), step_s + is->phase_s[i],
			step_s + should_be->phase_s[i], within);
	const double pairs[][2] = {{is->iteration_s, step_s},
		{is->iteration_quiet_s, should_be->iteration_quiet_s}, {is->waiting_s, should_be->waiting_s},
		{step_s + is->exposed_communication_s, step_s + should_be->exposed_communication_s},
		{step_s + is->gradient_hidden_s, step_s + should_be->gradient_hidden_s},
		{is->gradient_host_s, should_be->gradient_host_s},
		{is->gradient_messages, should_be->gradient_messages},
		{is->memory_bytes, should_be->memory_bytes}, {a->weights_bytes, b->weights_bytes},
		{a->gradients_bytes, b->gradients_bytes}, {a->optimizer_bytes, b->optimizer_bytes},
		{a->activations_bytes, b->activations_bytes}, {a->logits_bytes, b->logits_bytes},
		{a->workspace_bytes, b->workspace_bytes}, {a->communication_bytes, b->communication_bytes},
		{a->context_bytes, b->context_bytes}, {a->fragmentation_bytes, b->fragmentation_bytes}};
	static const char *const names[COUNT(pairs)] = {"step", "quiet step", "waiting", "exposed",
		"hidden gradients", "host of gradients", "messages", "memory", "weights", "gradients",
		"states", "activations", "logits", "workspace", "buffers", "context", "fragments"};
	for (unsigned i = 0; i < COUNT(pairs); ++i)
		numbers_compare(finding, names[i], pairs[i][0], pairs[i][1], within);
}

void parts_are_the_plan(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding)
{
	struct paradl_layered_part parts[PARTS_MOST];
	struct paradl_layered layered;
	struct paradl_estimate whole, parted;
	struct paradl_error error = {0};
	struct paradl_plan plan = estimate->plan;
	if (subject->options.inference || subject->options.ideal)
		return;
	stages_put_first(&plan);
	const struct result *const result = result_of(subject->oracle, &plan, NULL);
	if (!result || !parts_fill(&result->evaluation, parts, &layered))
		return;
	whole = result->estimate;
	finding->applies = true;
	if (paradl_estimate_layered(subject->oracle, &layered, &parted, &error)) {
		estimates_compare(finding, &parted, &whole);
		return;
	}
	finding->broken = true;
	snprintf(finding->text, sizeof finding->text, "refused: %.300s", error.message);
}

/* ---- rows of what an option is not about -------------------------------------------------------------------------- */

static void shard_add(struct paradl_plan *plan)
{
	plan->zero = 1;
}

static void recompute_add_all(struct paradl_plan *plan)
{
	plan->recompute = PARADL_RECOMPUTE_FULL;
}

static void overlap_end(struct paradl_plan *plan)
{
	plan->apart |= PARADL_OVERLAP_GRADIENTS;
}

static void offload_states(struct paradl_plan *plan)
{
	plan->offload |= PARADL_OFFLOAD_OPTIMIZER;
}

/* A device's passes are scaled to what they take together with the host: the last bits are of another rounding. */
static const double last_bits = 1e-14;

static const char packing[] = "packing: passes W delta / memory rate + tensors t";

/* Rows of host time, waiting, exchanges of layers, packing and staging, which no option above is about. */
static bool is_kept(const struct paradl_term *term)
{
	static const char *const formulas[] = {"jitter (nodes^growth - 1) sqrt(work syncs)", packing,
		"sum over windowed layers of messages (a + bytes b)",
		"sum over cut layers of allgather + allreduce",
		"gather of the spatial pieces, there and back"};
	bool kept = term->phase == PARADL_FORWARD;
	for (unsigned i = 0; i < COUNT(formulas); ++i)
		kept = kept || strcmp(term->formula, formulas[i]) == 0;
	return kept;
}

/* Returns the seconds of the row that says the same of the same phase; negative: there is none. */
static double row_like(const struct paradl_explanation *explanation, const struct paradl_term *term)
{
	for (size_t i = 0; i < explanation->count; ++i)
		if (explanation->terms[i].phase == term->phase &&
			strcmp(explanation->terms[i].formula, term->formula) == 0)
			return explanation->terms[i].seconds;
	return -1;
}

void options_keep_rows(
	const struct subject *subject, const struct paradl_estimate *estimate, struct finding *finding)
{
	static void (*const options[])(struct paradl_plan *) = {
		shard_add, recompute_add_all, overlap_end, offload_states};
	struct paradl_arena *const arena = paradl_arena_create();
	struct paradl_explanation first, second;
	if (paradl_explain(subject->oracle, &estimate->plan, arena, &first, NULL))
		for (unsigned i = 0; i < COUNT(options); ++i) {
			struct paradl_plan plan = estimate->plan;
			options[i](&plan);
			/*
			 * Sharded weights and gradients pack those of each micro-batch; sharded states compress others, have no leaders,
			 * and another stage may exchange longest, or update longest by its host. Pipelines that recompute have other stages; of less that is
			 * kept less goes to the host; and of networks of tokens host and device come together over a whole
			 * backward pass. Where compressions compete, what an option leaves to hide behind decides which is taken.
			 */
			const bool compete =
				subject->options.compress && strcmp(subject->options.compress, "auto") == 0;
			const bool moved = plan.degree[PARADL_PIPELINE] > 1 ||
					   plan.offload & PARADL_OFFLOAD_ACTIVATIONS || subject->tokens;
			const bool packs_else =
				compete ||
				(options[i] == offload_states &&
					estimate->plan.degree[PARADL_PIPELINE] > 1) ||
				(options[i] == shard_add &&
					(estimate->plan.zero == 3 || subject->options.compress ||
						estimate->plan.degree[PARADL_SPATIAL] > 1 ||
						estimate->plan.degree[PARADL_PIPELINE] > 1));
			if ((options[i] == recompute_add_all && moved) ||
				!paradl_explain(subject->oracle, &plan, arena, &second, NULL))
				continue;
			const double rounds = options[i] == shard_add && estimate->plan.zero == 2
						      ? estimate->micro_batches
						      : 1;
			for (size_t k = 0; k < first.count; ++k) {
				const bool packs = strcmp(first.terms[k].formula, packing) == 0;
				if (is_kept(&first.terms[k]) && !(packs && packs_else))
					numbers_compare(finding, first.terms[k].formula,
						(packs ? rounds : 1) * row_like(&second, &first.terms[k]),
						first.terms[k].seconds, last_bits);
			}
		}
	paradl_arena_free(arena);
}
