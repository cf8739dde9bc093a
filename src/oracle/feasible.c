/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Degrees have limits (last column of ParaDL's Table III), each with its reason and what would make the plan run. */
#include "base/error.h"
#include "oracle/evaluation.h"
#include "plan/plan_text.h"

static bool limit_holds(
	const struct evaluation *evaluation, enum paradl_axis axis, struct paradl_error *error)
{
	const struct axis_limit *limit = &evaluation->net->limits[axis];
	const struct strategy *strategy = strategies[axis];
	const unsigned degree = evaluation->plan.degree[axis];
	if (degree < 2 || (limit->layer && degree <= limit->limit))
		return true;
	if (!limit->layer) {
		error_set(error, PARADL_INFEASIBLE, "%s cuts no layer of this network along %s",
			evaluation->oracle->framework->name, strategy->name);
		return error_hint(error, "%s",
			axis == PARADL_EXPERT  ? "another strategy: this one is for mixtures of experts"
			: axis < PARADL_FILTER ? "another strategy: this one is for networks of tokens"
					       : "another framework profile, or another strategy");
	}
	error_set(error, PARADL_INFEASIBLE, "needs %u %s in every layer it cuts; %s allows %u", degree,
		strategy->scarce, limit->layer->name, limit->limit);
	if (limit->limit < 2)
		return error_hint(error, "another strategy: this network has nothing to cut there");
	return error_hint(error, "at most %s=%u; the other devices along data", strategy->name, limit->limit);
}

static bool spatial_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	for (unsigned i = 0; i < DIMENSIONS_MAX; ++i) {
		const struct axis_limit *limit = &evaluation->net->spatial[i];
		if (plan->spatial[i] < 2 || (limit->layer && plan->spatial[i] <= limit->limit))
			continue;
		if (!limit->layer || i >= limit->layer->x.dimensions) {
			error_set(error, PARADL_INFEASIBLE,
				"the network has no dimension %u that spatial can cut", i + 1);
			return error_hint(error, "another strategy");
		}
		error_set(error, PARADL_INFEASIBLE,
			"needs %u rows along dimension %u in every layer it cuts; %s (%u in, %u out) allows "
			"%u",
			plan->spatial[i], i + 1, limit->layer->name, limit->layer->x.extent[i],
			limit->layer->y.extent[i], limit->limit);
		const bool line =
			plan->spatial[i] == plan->degree[PARADL_SPATIAL] && limit->layer->x.dimensions > 1;
		return error_hint(error, "at most %u piece%s along this dimension%s", limit->limit,
			limit->limit > 1 ? "s" : "",
			line ? ", or pieces along two, such as spatial=2x2" : "");
	}
	return true;
}

static bool batch_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const unsigned experts = plan->degree[PARADL_EXPERT];
	const double replicas = (double)plan->degree[PARADL_DATA] * experts;
	/* Replicas that share experts are one engine: a request of one of them is answered while others have none. */
	const bool joined = evaluation->generates && !evaluation->oracle->replay;
	if ((joined ? plan->degree[PARADL_DATA] : replicas) > plan->batch) {
		error_set(error, PARADL_INFEASIBLE,
			"needs a sample per replica: %.0f replicas share a batch of %.0f", replicas,
			plan->batch);
		if (experts > 1 && !joined)
			return error_hint(
				error, "--batch %.0f, or fewer devices along data and expert", replicas);
		return error_hint(
			error, "--batch %u, or at most data=%.0f", plan->degree[PARADL_DATA], plan->batch);
	}
	if (evaluation->micro_batches > evaluation->local_batch) {
		error_set(error, PARADL_INFEASIBLE, "needs %.0f micro-batches; a replica has %.0f samples",
			evaluation->micro_batches, evaluation->local_batch);
		return error_hint(error, "--batch %.0f or more", evaluation->micro_batches * replicas);
	}
	return true;
}

/* Checks Megatron's interleaved order, in groups of as many micro-batches as there are devices in the pipeline. */
static bool rounds_hold(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const double stages = plan->degree[PARADL_PIPELINE], micro_batches = evaluation->micro_batches;
	if (evaluation->schedule != PARADL_INTERLEAVED || evaluation->oracle->rules.ideal)
		return true;
	const double rounds = share(micro_batches, stages, false);
	if (!(rounds * stages > micro_batches))
		return true;
	error_set(error, PARADL_INFEASIBLE,
		"an interleaved schedule needs a multiple of %.0f micro-batches; a replica has %.0f", stages,
		micro_batches);
	return error_hint(error, "--batch %.0f, or schedule=1f1b",
		rounds * stages * evaluation->samples * plan->degree[PARADL_DATA] *
			plan->degree[PARADL_EXPERT]);
}

static bool stages_hold(const struct evaluation *evaluation, struct paradl_error *error)
{
	const unsigned most = evaluation->net->model->unit_count;
	const unsigned units = most > PARADL_STAGES_MAX ? PARADL_STAGES_MAX : most;
	const unsigned chunks = plan_chunks(&evaluation->plan);
	const double stages = (double)evaluation->plan.degree[PARADL_PIPELINE] * chunks;
	if (stages <= units)
		return true;
	error_set(error, PARADL_INFEASIBLE,
		"needs %.0f stages; the network can be cut into %u (branches stay together)", stages, units);
	if (chunks == 1)
		return error_hint(error, "at most pipeline=%u", units);
	return error_hint(error, "at most pipeline=%u with %u stages on each device", units / chunks, chunks);
}

/*
 * Checks that experts are dealt out whole, as many to each device: over the expert axis, and over the tensor axis
 * unless that cuts each of them.
 */
static bool experts_hold(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct axis_limit *limit = &evaluation->net->limits[PARADL_EXPERT];
	const unsigned joined = plan->expert_tensor ? 1 : plan->degree[PARADL_TENSOR];
	const double devices = (double)plan->degree[PARADL_EXPERT] * joined;
	if (!limit->layer && plan->dispatcher != PARADL_DISPATCHER_DEFAULT)
		return error_set(error, PARADL_INFEASIBLE,
			"dispatcher=%s carries tokens to experts, and %s has none",
			plan_dispatchers[plan->dispatcher], evaluation->net->model->name);
	if (!limit->layer || devices < 2)
		return true;
	const unsigned experts = evaluation->net->common[PARADL_EXPERT];
	if (devices <= experts && experts % (unsigned)devices == 0)
		return true;
	error_set(error, PARADL_INFEASIBLE,
		"needs as many experts on each device: %s has %u for %.0f devices", limit->layer->name,
		limit->limit, devices);
	unsigned most = plan->degree[PARADL_EXPERT];
	while (most > 1 && experts % most)
		--most;
	if (joined > 1)
		return error_hint(error, "experts=tensor and expert=%u", most);
	return error_hint(error, "expert=%u", most);
}

/* Checks programs that give each device of the tensor axis whole heads of attention, as many as the others. */
static bool heads_hold(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_model *model = evaluation->net->model;
	const unsigned pieces = evaluation->plan.degree[PARADL_TENSOR];
	if (pieces < 2 || !evaluation->oracle->rules.even_heads)
		return true;
	for (unsigned i = 0; i < model->layer_count; ++i) {
		const struct token_work *work = model->layers[i].work;
		if (!work || work->attention.heads % pieces == 0)
			continue;
		error_set(error, PARADL_INFEASIBLE, "%s cuts heads into equal parts, and %s has %u",
			evaluation->oracle->framework->name, model->layers[i].name, work->attention.heads);
		return error_hint(error, "a tensor degree that divides them");
	}
	return true;
}

/* Checks Ulysses, which gives each device some of the heads that tensor leaves, with their keys and values. */
static bool ulysses_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct paradl_model *model = evaluation->net->model;
	const double pieces = (double)plan->degree[PARADL_CONTEXT] * plan->degree[PARADL_TENSOR];
	if (plan->degree[PARADL_CONTEXT] < 2 || plan->context != PARADL_CONTEXT_ULYSSES)
		return true;
	for (unsigned i = 0; i < model->layer_count; ++i) {
		const struct token_work *work = model->layers[i].work;
		if (!work || !work->attention.heads || work->attention.kv_heads >= pieces)
			continue;
		error_set(error, PARADL_INFEASIBLE,
			"needs %.0f heads of keys and values, for the devices along context and tensor; %s "
			"has "
			"%u",
			pieces, model->layers[i].name, work->attention.kv_heads);
		return error_hint(error, "context=%u:ring or context=%u:gather", plan->degree[PARADL_CONTEXT],
			plan->degree[PARADL_CONTEXT]);
	}
	return true;
}

/* Checks that the rate is known at which offloaded bytes travel to host memory. */
static bool offload_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct device *device = &evaluation->oracle->machine->device;
	if (!evaluation->plan.offload || device->link.host_bytes_per_s > 0)
		return true;
	error_set(error, PARADL_INFEASIBLE,
		"offloads to host memory, and how fast %s reaches that is not known", device->name);
	return error_hint(error, "\"host_rate\" in the profile of the device, or no offload");
}

/* Checks the ideal model: ParaDL's Table III has no axes of tokens, and one schedule. */
static bool ideal_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	if (!evaluation->oracle->rules.ideal)
		return true;
	const unsigned tokens = 1U << PARADL_EXPERT | 1U << PARADL_CONTEXT | 1U << PARADL_TENSOR;
	const bool asks = evaluation->schedule != PARADL_GPIPE || plan->zero || plan->shard ||
			  plan->recompute != PARADL_RECOMPUTE_DEFAULT || plan->sequence || plan->offload ||
			  plan->split_count || plan->gather[0];
	if (!(evaluation->axes & tokens) && !asks)
		return true;
	error_set(error, PARADL_INFEASIBLE,
		"the ideal model knows data, spatial, filter, channel and pipeline (gpipe) parallelism only");
	return error_hint(error, "leave --ideal out, or these axes and options");
}

/* Checks that nothing is asked of an engine where none answers requests of text. */
static bool engine_holds(const struct evaluation *evaluation, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	if (evaluation->generates || !(plan->chunk || plan->seqs))
		return true;
	error_set(error, PARADL_USAGE, "%s is a setting of engines that answer requests of text",
		plan->chunk ? "chunk" : "seqs");
	return error_hint(error, "--inference, and a network that generates text; or without it");
}

bool options_feasible(const struct evaluation *evaluation, struct paradl_error *error)
{
	return stages_hold(evaluation, error) && offload_holds(evaluation, error) &&
	       rounds_hold(evaluation, error);
}

static bool axes_hold(const struct evaluation *evaluation, unsigned last, struct paradl_error *error)
{
	for (unsigned axis = PARADL_EXPERT; axis <= last; ++axis)
		if (!limit_holds(evaluation, axis, error))
			return false;
	return ideal_holds(evaluation, error) && experts_hold(evaluation, error) &&
	       heads_hold(evaluation, error) && ulysses_holds(evaluation, error);
}

bool plan_feasible(const struct evaluation *evaluation, bool whole, struct paradl_error *error)
{
	return engine_holds(evaluation, error) && stages_hold(evaluation, error) &&
	       offload_holds(evaluation, error) &&
	       axes_hold(evaluation, whole ? PARADL_CHANNEL : PARADL_TENSOR, error) &&
	       (!whole || spatial_holds(evaluation, error)) && batch_holds(evaluation, error) &&
	       rounds_hold(evaluation, error);
}

bool layer_feasible(const struct evaluation *evaluation, unsigned index)
{
	const struct layer *layer = &evaluation->net->model->layers[index];
	const unsigned cut = evaluation->net->cut[index] & evaluation->axes;
	for (unsigned axis = PARADL_FILTER; axis <= PARADL_CHANNEL; ++axis)
		if (cut & 1u << axis && limits_axis(layer, axis) &&
			evaluation->plan.degree[axis] > strategies[axis]->limit(layer, 0))
			return false;
	const bool cuts_extents = cut & 1u << PARADL_SPATIAL && layer->x.dimensions;
	for (unsigned i = 0; cuts_extents && i < DIMENSIONS_MAX; ++i)
		if (evaluation->plan.spatial[i] > strategy_spatial.limit(layer, i))
			return false;
	return true;
}
