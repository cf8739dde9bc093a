/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file finds causes one after the other. A candidate brings a phase that is off back to where it was measured, and
 * puts none off that was right; the one with the best score (diagnose_test.c) counts. The next is sought with that
 * change made. Candidates that would have done nearly as well are kept with it: these times cannot tell them apart.
 *
 * Measured layers are compared with projected ones. A row of identical layers counts with the share of one.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "study/diagnose.h"

enum { CAUSES_MOST = 4, INSTEAD_MOST = 3 };
static const double negligible_share = 0.01; /* share of the total: smaller gaps are not looked at */
static const double near_score = 0.1;        /* difference of scores that these times do not tell apart */
static const double explained_share = 0.1;   /* share of a gap that may be left of one that is explained */
static const double partly_share = 0.6;      /* share if partly explained, where no cause explains all */

static const struct cause *const causes[] = {
#define X(id) &cause_##id,
#include "study/cause.def"
#undef X
	NULL};

static const struct paradl_layer_estimate *row_of(
	const struct paradl_model *model, const struct paradl_layer_table *table, const char *name)
{
	for (unsigned i = 0; i < model->order_count; ++i) {
		const struct paradl_layer_info info = paradl_model_layer(model, i);
		if (strcmp(info.name, name) == 0)
			return &table->rows[model->order[i]];
	}
	for (size_t i = 0; table->rows && i < table->count; ++i)
		if (strcmp(table->rows[i].name, name) == 0)
			return &table->rows[i];
	return NULL;
}

static int by_gap(const void *a, const void *b)
{
	const struct paradl_diagnosis_layer *first = a, *second = b;
	const double one = fabs(first->gap_s), other = fabs(second->gap_s);
	return one < other ? 1 : one > other ? -1 : strcmp(first->name, second->name);
}

static void layer_compare(const struct paradl_measured_layer *measured,
	const struct paradl_layer_estimate *row, struct paradl_diagnosis_layer *layer)
{
	const double one[4] = {measured->forward_s, measured->backward_s, measured->weight_update_s,
		measured->communication_s};
	const double other[4] = {row->forward_s, row->backward_s, row->weight_update_s, row->communication_s};
	*layer = (struct paradl_diagnosis_layer){.name = measured->name, .type = row->type};
	for (unsigned i = 0; i < 4; ++i)
		if (one[i] >= 0) {
			layer->measured_s += one[i];
			layer->projected_s += other[i] / row->count;
		}
	layer->gap_s = layer->measured_s - layer->projected_s;
}

/* Fills the rows of measured layers, largest gap first. False: error is set. */
static bool diagnosis_layers(
	const struct diagnosing *diagnosing, struct paradl_diagnosis *diagnosis, struct paradl_error *error)
{
	const struct paradl_measurement *measurement = diagnosing->measurement;
	struct paradl_layer_table table;
	double gaps_s = 0;
	if (!measurement->layer_count)
		return true;
	struct paradl_oracle *oracle = paradl_oracle_create(diagnosing->arena, diagnosing->oracle->model,
		diagnosing->oracle->machine, diagnosing->oracle->framework, &diagnosing->oracle->options,
		error);
	struct paradl_diagnosis_layer *layers =
		arena_alloc(diagnosing->arena, measurement->layer_count, sizeof *layers);
	if (!layers)
		return out_of_memory(error);
	if (!oracle || !paradl_estimate_layers(
			       oracle, &diagnosing->estimate->plan, diagnosing->arena, &table, error))
		return false;
	for (size_t i = 0; i < measurement->layer_count; ++i) {
		const struct paradl_layer_estimate *row =
			row_of(diagnosing->oracle->model, &table, measurement->layers[i].name);
		if (!row) {
			++diagnosis->unmatched;
			continue;
		}
		layer_compare(&measurement->layers[i], row, &layers[diagnosis->layer_count]);
		gaps_s += fabs(layers[diagnosis->layer_count++].gap_s);
	}
	for (size_t i = 0; gaps_s > 0 && i < diagnosis->layer_count; ++i)
		layers[i].share = fabs(layers[i].gap_s) / gaps_s;
	qsort(layers, diagnosis->layer_count, sizeof *layers, by_gap);
	diagnosis->layers = layers;
	return true;
}

static bool is_leaf(const struct paradl_measurement *measurement, unsigned part)
{
	if (part < PARADL_PHASE_COUNT || part == PARADL_PART_TOTAL)
		return true;
	for (size_t i = 0; i < measurement->count; ++i)
		if (measurement->times[i].part < PARADL_PHASE_COUNT &&
			part_phases(part) & 1U << measurement->times[i].part)
			return false;
	return true;
}

static double measured_busy_s(const struct paradl_measurement *measurement, unsigned part)
{
	const struct paradl_measured_time *time = measured_time(measurement,
		part == PART_BUSY_GRADIENTS ? PARADL_GRADIENT_EXCHANGE : PARADL_ACTIVATION_EXCHANGE);
	return time ? time->busy_s : -1;
}

static void prepare(struct diagnosing *diagnosing, double tolerance)
{
	const struct paradl_measurement *measurement = diagnosing->measurement;
	struct counterfactual same;
	counterfactual_begin(diagnosing, &same);
	counterfactual_run(diagnosing, &same, diagnosing->part_s);
	for (unsigned part = 0; part < PARTS; ++part) {
		const struct paradl_measured_time *time = measured_time(measurement, part);
		diagnosing->measured_s[part] = time && is_leaf(measurement, part) ? time->seconds : -1;
		if (part >= PARADL_PART_COUNT)
			diagnosing->measured_s[part] = measured_busy_s(measurement, part);
		diagnosing->tolerance_s[part] = fmax(tolerance * diagnosing->part_s[part],
			negligible_share * diagnosing->part_s[PARADL_PART_TOTAL]);
	}
}

/*
 * Fills the seconds of forward and backward of the same samples with no layer cut; negative where the plan cuts none.
 */
static void whole_layers(struct diagnosing *diagnosing)
{
	struct paradl_error error = {.status = PARADL_OK};
	struct paradl_estimate estimate;
	struct paradl_plan plan = diagnosing->estimate->plan;
	const unsigned cutting[] = {PARADL_TENSOR, PARADL_FILTER, PARADL_CHANNEL, PARADL_SPATIAL};
	double degrees = 1;
	diagnosing->whole_s[0] = diagnosing->whole_s[1] = -1;
	for (unsigned i = 0; i < sizeof cutting / sizeof cutting[0]; ++i) {
		degrees *= plan.degree[cutting[i]];
		plan.degree[cutting[i]] = 1;
	}
	plan.spatial[0] = plan.spatial[1] = plan.spatial[2] = 1;
	plan.sequence = false;
	struct paradl_arena *arena = arena_create_beside(diagnosing->oracle->arena);
	struct paradl_oracle *oracle =
		arena && degrees > 1
			? paradl_oracle_create(arena, diagnosing->oracle->model, diagnosing->oracle->machine,
				  diagnosing->oracle->framework, &diagnosing->oracle->options, &error)
			: NULL;
	if (oracle && paradl_estimate(oracle, &plan, &estimate, &error)) {
		diagnosing->whole_s[0] = estimate.phase_s[PARADL_FORWARD];
		diagnosing->whole_s[1] = estimate.phase_s[PARADL_BACKWARD];
	}
	paradl_arena_free(arena);
}

/* Returns the seconds that may be left of a gap that is explained, wholly or partly. */
static double may_be_left_s(const struct diagnosing *diagnosing, unsigned part, double gap_s, bool partly)
{
	if (partly)
		return partly_share * gap_s;
	return fmax(explained_share * gap_s, fmin(diagnosing->tolerance_s[part], gap_s / 2));
}

/*
 * Returns the parts that were off and are brought back, wholly or partly, as bits 1u << part; 0 if another part is
 * put off. A value at an end of its range does not explain partly.
 */
static unsigned explained(const struct diagnosing *diagnosing, const struct tested *tested,
	const double before_s[PARTS], bool partly)
{
	unsigned parts = 0;
	if (partly && tested->at_end)
		return 0;
	for (unsigned part = 0; part < PARTS; ++part) {
		const bool was = part_is_off(diagnosing, part, before_s);
		if (!was && part_is_off(diagnosing, part, tested->part_s))
			return 0;
		if (was && part < PARADL_PART_COUNT &&
			fabs(part_left_s(diagnosing, part, tested->part_s)) <=
				may_be_left_s(diagnosing, part, fabs(part_left_s(diagnosing, part, before_s)),
					partly))
			parts |= 1U << part;
	}
	return parts;
}

struct finding {
	struct tested *tested; /* results by cause */
	bool *ran;             /* by cause: whether it could be tested, and leaves less */
	unsigned *parts;       /* by cause: parts that it explains, as bits */
	size_t best;
};

static void test_all(const struct diagnosing *diagnosing, const struct counterfactual *model,
	const double before_s[PARTS], const bool *used, const struct finding *finding)
{
	unsigned off = 0;
	for (unsigned part = 0; part < PARADL_PART_COUNT; ++part)
		if (part_is_off(diagnosing, part, before_s))
			off |= part_phases(part);
	for (size_t i = 0; causes[i]; ++i) {
		const bool may = causes[i]->outside ? part_is_off(diagnosing, PARADL_PART_TOTAL, before_s)
						    : (off & causes[i]->phases) != 0;
		finding->ran[i] =
			may && !used[i] && cause_test(diagnosing, causes[i], model, &finding->tested[i]);
	}
}

static bool find(const struct diagnosing *diagnosing, const struct counterfactual *model,
	const double before_s[PARTS], const bool *used, struct finding *finding)
{
	bool found = false;
	test_all(diagnosing, model, before_s, used, finding);
	for (unsigned partly = 0; partly < 2 && !found; ++partly)
		for (size_t i = 0; causes[i]; ++i) {
			finding->parts[i] = finding->ran[i] ? explained(diagnosing, &finding->tested[i],
								      before_s, partly > 0)
							    : 0;
			if (!finding->parts[i])
				continue;
			if (!found || finding->tested[i].score < finding->tested[finding->best].score)
				finding->best = i;
			found = true;
		}
	return found;
}

static bool add(const struct diagnosing *diagnosing, const struct finding *finding, size_t index,
	const double before_s[PARTS], int instead, struct paradl_cause *rows,
	struct paradl_diagnosis *diagnosis)
{
	struct paradl_cause *row = &rows[diagnosis->cause_count];
	const struct tested *tested = &finding->tested[index];
	*row = (struct paradl_cause){.name = tested->cause->name,
		.summary = tested->cause->summary,
		.category = tested->cause->category,
		.kind = tested->cause->origin ? PARADL_BOTTLENECK : PARADL_LIMITATION,
		.origin = tested->cause->origin ? tested->cause->origin : "",
		.check = tested->cause->check,
		.parts = finding->parts[index],
		.left_s = tested->left_s,
		.explained_s = gaps_left_s(diagnosing, before_s) - tested->left_s,
		.instead = instead};
	if (!cause_describe(diagnosing, tested, before_s, row))
		return false;
	++diagnosis->cause_count;
	return true;
}

/* Adds the best cause, and those that could stand in for it, the best first. False: out of memory. */
static bool add_found(const struct diagnosing *diagnosing, struct finding *finding,
	const double before_s[PARTS], struct paradl_cause *rows, struct paradl_diagnosis *diagnosis)
{
	const int first = (int)diagnosis->cause_count;
	const double enough = finding->tested[finding->best].score + near_score;
	const unsigned parts = finding->parts[finding->best];
	if (!add(diagnosing, finding, finding->best, before_s, -1, rows, diagnosis))
		return false;
	finding->parts[finding->best] = 0;
	for (unsigned k = 0; k < INSTEAD_MOST; ++k) {
		size_t next = SIZE_MAX;
		for (size_t i = 0; causes[i]; ++i)
			if ((finding->parts[i] & parts) == parts && finding->tested[i].score <= enough &&
				(next == SIZE_MAX || finding->tested[i].score < finding->tested[next].score))
				next = i;
		if (next == SIZE_MAX)
			break;
		if (!add(diagnosing, finding, next, before_s, first, rows, diagnosis))
			return false;
		finding->parts[next] = 0;
	}
	return true;
}

static bool find_causes(
	struct diagnosing *diagnosing, double part_s[PARTS], struct paradl_diagnosis *diagnosis)
{
	const size_t count = sizeof causes / sizeof causes[0];
	struct counterfactual model;
	struct finding finding = {.tested = arena_alloc(diagnosing->arena, count, sizeof(struct tested)),
		.ran = arena_alloc(diagnosing->arena, count, sizeof(bool)),
		.parts = arena_alloc(diagnosing->arena, count, sizeof(unsigned))};
	struct paradl_cause *rows = arena_alloc(
		diagnosing->arena, (size_t)CAUSES_MOST * (1 + INSTEAD_MOST), sizeof(struct paradl_cause));
	bool *used = arena_alloc(diagnosing->arena, count, sizeof(bool));
	if (!finding.tested || !finding.ran || !finding.parts || !rows || !used)
		return false;
	diagnosis->causes = rows;
	counterfactual_begin(diagnosing, &model);
	for (unsigned i = 0; i < CAUSES_MOST && find(diagnosing, &model, part_s, used, &finding); ++i) {
		const struct tested *best = &finding.tested[finding.best];
		used[finding.best] = true;
		if (!add_found(diagnosing, &finding, part_s, rows, diagnosis))
			return false;
		model = best->model;
		for (unsigned part = 0; part < PARTS; ++part)
			part_s[part] = best->part_s[part];
	}
	return true;
}

static int first_cause(const struct paradl_diagnosis *diagnosis, unsigned part)
{
	for (size_t i = 0; i < diagnosis->cause_count; ++i)
		if (diagnosis->causes[i].instead < 0 && diagnosis->causes[i].parts & 1U << part)
			return (int)i;
	return -1;
}

static bool fill_rows(
	const struct diagnosing *diagnosing, const double part_s[PARTS], struct paradl_diagnosis *diagnosis)
{
	struct paradl_diagnosis_row *rows =
		arena_alloc(diagnosing->arena, PARADL_PART_COUNT, sizeof(struct paradl_diagnosis_row));
	if (!rows)
		return false;
	diagnosis->rows = rows;
	diagnosis->within_error = true;
	for (unsigned part = 0; part < PARADL_PART_COUNT; ++part) {
		const double measured = diagnosing->measured_s[part];
		if (measured < 0)
			continue;
		rows[diagnosis->row_count++] = (struct paradl_diagnosis_row){.part = part,
			.measured_s = measured,
			.projected_s = diagnosing->part_s[part],
			.gap_s = measured - diagnosing->part_s[part],
			.tolerance_s = diagnosing->tolerance_s[part],
			.explained_s = part_s[part],
			.cause = first_cause(diagnosis, part)};
		if (part_is_off(diagnosing, part, diagnosing->part_s))
			diagnosis->within_error = false;
		diagnosis->gap_s += fabs(part_left_s(diagnosing, part, diagnosing->part_s));
		diagnosis->unexplained_s += fabs(part_left_s(diagnosing, part, part_s));
	}
	for (size_t i = 0; diagnosis->gap_s > 0 && i < diagnosis->row_count; ++i)
		rows[i].share =
			fabs(part_left_s(diagnosing, rows[i].part, diagnosing->part_s)) / diagnosis->gap_s;
	return true;
}

bool paradl_diagnose(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	const struct paradl_measurement *measurement, double tolerance, struct paradl_arena *arena,
	struct paradl_diagnosis *diagnosis, struct paradl_error *error)
{
	struct diagnosing diagnosing = {.arena = arena,
		.oracle = oracle,
		.measurement = measurement,
		.estimate = &diagnosis->estimate};
	double part_s[PARTS];
	*diagnosis = (struct paradl_diagnosis){.gap_s = 0};
	if (!paradl_estimate(oracle, plan, &diagnosis->estimate, error))
		return false;
	diagnosis->tolerance = tolerance >= 0 ? tolerance : paradl_tie_share(&diagnosis->estimate);
	prepare(&diagnosing, diagnosis->tolerance);
	whole_layers(&diagnosing);
	for (unsigned part = 0; part < PARTS; ++part)
		part_s[part] = diagnosing.part_s[part];
	if (!find_causes(&diagnosing, part_s, diagnosis) || !fill_rows(&diagnosing, part_s, diagnosis))
		return out_of_memory(error);
	return diagnosis_layers(&diagnosing, diagnosis, error);
}
