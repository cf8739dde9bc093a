/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One plan, start to end: cut every distinct layer (evaluation_begin), sum the layers of a stage (or of the whole
 * network), exchange gradients, wait, and finish with what follows from the iteration: epoch, rates, energy, cost.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "oracle/inference.h"
#include "oracle/training.h"

void estimate_derive(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct paradl_machine *machine = evaluation->oracle->machine;
	const struct paradl_model *model = evaluation->oracle->model;
	const double batch = estimate->plan.batch;
	const double flop = batch * (model->forward_flop + model->backward_flop);
	if (estimate->iteration_s > 0) {
		estimate->samples_per_s = batch / estimate->iteration_s;
		estimate->flop_per_s_per_device = flop / estimate->iteration_s / estimate->devices;
		estimate->mfu = estimate->flop_per_s_per_device /
				machine->device.peak_flop_per_s[evaluation->oracle->precision];
	}
	estimate->epoch_s = model->dataset.samples / batch * estimate->iteration_s;
	expense_fill(evaluation->oracle, estimate);
}

/* gcd_* are over the layers that the axis cuts. */
bool plan_uneven(const struct evaluation *evaluation)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct prepared *net = evaluation->net;
	bool uneven = evaluation->local_batch * plan->degree[PARADL_DATA] * plan->degree[PARADL_EXPERT] >
			      plan->batch ||
		      (plan->micro > 0 && plan->micro * evaluation->micro_batches > evaluation->local_batch);
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i)
		uneven = uneven || net->common_extents[i] % plan->spatial[i];
	for (unsigned axis = PARADL_EXPERT; axis <= PARADL_CHANNEL; ++axis)
		uneven = uneven || net->common[axis] % plan->degree[axis];
	return uneven && !evaluation->oracle->rules.ideal;
}

double memory_sum(const struct paradl_memory *memory)
{
	return memory->weights_bytes + memory->gradients_bytes + memory->optimizer_bytes +
	       memory->activations_bytes + memory->logits_bytes + memory->workspace_bytes +
	       memory->communication_bytes + memory->context_bytes + memory->fragmentation_bytes +
	       memory->cache_bytes;
}

/* -- the band ---------------------------------------------------------------------------------------------------- */

/*
 * How far an estimate may be off: the error of its framework profile on measured runs, and what leaving them out of a
 * fit cost, for each way in which the plan lies outside of them; independent, so squares add up.
 *
 *     framework   never compared                        10 %    sets left out of the fit: 2 to 13 %, mean 8
 *     device      another one                           15 %    its sustained rates are assumed then
 *     devices     more than in any run                   5 %
 *     sequence    longer than in any run                 5 %
 *     precision   another one                           10 %
 *     options     of the framework, another choice      10 %    as another number format
 *     host        takes more than half as long as the devices: at least 50 %, since what it takes is not known
 *                 of a program before it is measured (left out of the fit: 28 to 76 %)
 */
static const double shares[PARADL_UNCHECKED_COUNT] = {[PARADL_UNCHECKED_FRAMEWORK] = 0.1,
	[PARADL_UNCHECKED_DEVICE] = 0.15,
	[PARADL_UNCHECKED_DEVICES] = 0.05,
	[PARADL_UNCHECKED_SEQUENCE] = 0.05,
	[PARADL_UNCHECKED_PRECISION] = 0.1,
	[PARADL_UNCHECKED_OPTIONS] = 0.1,
	[PARADL_UNCHECKED_HOST] = 0};
static const double host_bound_share = 0.5;

const char *paradl_unchecked_text(enum paradl_unchecked unchecked)
{
	static const char *const texts[PARADL_UNCHECKED_COUNT] = {
		[PARADL_UNCHECKED_FRAMEWORK] = "the framework profile was never compared with measured runs",
		[PARADL_UNCHECKED_DEVICE] = "no measured run on this device",
		[PARADL_UNCHECKED_DEVICES] = "more devices than in any measured run",
		[PARADL_UNCHECKED_SEQUENCE] = "longer sequences than in any measured run",
		[PARADL_UNCHECKED_PRECISION] = "no measured run in this number format",
		[PARADL_UNCHECKED_OPTIONS] = "options of the framework that no measured run had",
		[PARADL_UNCHECKED_HOST] =
			"the host is the limit, and what it takes differs from program to program",
	};
	return texts[unchecked];
}

static bool is_checked(const struct framework_checked *checked, const char *device)
{
	for (unsigned i = 0; i < checked->device_count; ++i)
		if (strcmp(checked->devices[i], device) == 0)
			return true;
	return checked->device_count == 0;
}

void band_prepare(struct paradl_oracle *oracle)
{
	const struct framework_checked *checked = &oracle->framework->checked;
	unsigned set = 0;
	if (!(oracle->framework->known_error > 0))
		set |= 1u << PARADL_UNCHECKED_FRAMEWORK;
	if (!is_checked(checked, oracle->machine->device.name))
		set |= 1u << PARADL_UNCHECKED_DEVICE;
	if (checked->tokens > 0 && oracle->model->sequence > checked->tokens)
		set |= 1u << PARADL_UNCHECKED_SEQUENCE;
	if (checked->precisions && !(checked->precisions & 1u << oracle->precision))
		set |= 1u << PARADL_UNCHECKED_PRECISION;
	if (oracle->framework->choice.unchecked)
		set |= 1u << PARADL_UNCHECKED_OPTIONS;
	oracle->unchecked = set;
}

static void band_fill(const struct paradl_oracle *oracle, struct paradl_estimate *estimate)
{
	const struct paradl_framework *framework = oracle->framework;
	if (oracle->rules.ideal ||
		oracle->options.inference) { /* inference was never compared with measured runs */
		estimate->error_share = -1;
		estimate->unchecked = 0;
		return;
	}
	unsigned set = oracle->unchecked | estimate->unchecked;
	if (framework->checked.gpus > 0 && estimate->devices > framework->checked.gpus)
		set |= 1u << PARADL_UNCHECKED_DEVICES;
	double squares = framework->known_error * framework->known_error;
	for (unsigned i = 0; i < PARADL_UNCHECKED_COUNT; ++i)
		if (set & 1u << i)
			squares += shares[i] * shares[i];
	const double error_share = sqrt(squares);
	estimate->unchecked = set;
	estimate->error_share = set & 1u << PARADL_UNCHECKED_HOST && error_share < host_bound_share
					? host_bound_share
					: error_share;
}

/* -- the whole ---------------------------------------------------------------------------------------------------- */

void estimate_finish(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct paradl_oracle *oracle = evaluation->oracle;
	estimate->memory_bytes = memory_sum(&estimate->memory);
	estimate->capacity_bytes = oracle->machine->device.memory_bytes;
	estimate->fits = estimate->memory_bytes <= estimate->capacity_bytes;
	if (!evaluation->serving) {
		oracle_input_add(evaluation, estimate);
		estimate_derive(evaluation, estimate);
		limits_fill(evaluation, estimate);
	}
	band_fill(oracle, estimate);
}

void estimate_begin(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	*estimate = (struct paradl_estimate){.plan = evaluation->plan,
		.devices = (unsigned)paradl_plan_devices(&evaluation->plan),
		.local_batch = evaluation->local_batch,
		.micro_batches = evaluation->micro_batches,
		.uneven = plan_uneven(evaluation)};
}

static const struct result *evaluate(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error)
{
	struct result *result = oracle->result;
	if (!result)
		oracle->result = result = arena_alloc(oracle->arena, 1, sizeof *result);
	if (!result)
		return out_of_memory_null(error);
	struct evaluation *evaluation = &result->evaluation;
	struct paradl_estimate *estimate = &result->estimate;
	if (!evaluation_begin(evaluation, oracle, plan, 0, error))
		return NULL;
	estimate_begin(evaluation, estimate);
	if (!(evaluation->serving ? inference_run(evaluation, estimate, error)
				  : training_run(evaluation, &result->step, estimate, error)))
		return NULL;
	estimate_finish(evaluation, estimate);
	oracle->latest = result;
	return result;
}

bool plans_alike(const struct paradl_plan *a, const struct paradl_plan *b)
{
	char text[2][PARADL_PLAN_TEXT];
	paradl_plan_format(a, text[0], sizeof text[0]);
	paradl_plan_format(b, text[1], sizeof text[1]);
	return strcmp(text[0], text[1]) == 0 && !(a->batch < b->batch || a->batch > b->batch);
}

const struct result *result_of(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error)
{
	const struct result *latest = oracle->latest;
	return latest && plans_alike(&latest->estimate.plan, plan) ? latest : evaluate(oracle, plan, error);
}

bool paradl_estimate(struct paradl_oracle *oracle, const struct paradl_plan *plan,
	struct paradl_estimate *estimate, struct paradl_error *error)
{
	const struct result *result = evaluate(oracle, plan, error);
	*estimate = result ? result->estimate : (struct paradl_estimate){0};
	return result != NULL;
}

/* Says whether the training program has what a plan asks for; estimates do not care. */
bool paradl_plan_offered(
	const struct paradl_oracle *oracle, const struct paradl_plan *plan, char *text, size_t size)
{
	struct paradl_plan asked = *plan;
	if (oracle->rules.ideal || oracle->options.inference)
		return true;
	if (asked.schedule == PARADL_SCHEDULE_DEFAULT)
		asked.schedule = oracle->rules.schedule;
	return framework_offers_plan(oracle->framework, &asked, text, size);
}

NAME_FUNCTION(paradl_moment_name, enum paradl_moment, "pass", "backward", "loss", "step")

NAME_FUNCTION(paradl_phase_name, enum paradl_phase, "forward", "backward", "recompute", "weight_update",
	"gradient_exchange", "activation_exchange", "halo_exchange", "stage_transfer", "bubble", "input")
