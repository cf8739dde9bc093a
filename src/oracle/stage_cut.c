/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each stage of a pipeline has some of the units, in one of these ways.
 *     given     the plan says how many blocks each stage has; of a network without blocks, how many layers (units)
 *     even      programs for transformers count blocks: the same number for each stage; the embedding goes to the
 *               first, final norm, head and loss to the last. When that does not divide but two more blocks would, the
 *               first and the last stage have one block less (embedding and head count as one)
 *     balanced  else, and for networks without blocks or with blocks of two sequences: the largest stage is as small as it can be, by
 *               what whole layers compute of a usual batch on the machine's device. Neither the batch of a plan nor
 *               cables move a boundary, so that more of either cannot make a step slower by moving one
 *
 * This is an exact min-max partition of a chain (chains-on-chains partitioning). A bound is feasible when filling each
 * part up to it, greedily, needs no more than `parts` parts. A bound that is not feasible stays so until the smallest
 * sum that would have let a part take one cost more; raising it from one such sum to the next ends at the least
 * feasible bound, soon where costs are alike. Parts are non-empty. Among the partitions under the least bound, the one
 * whose largest sum of a second cost, memory, is least is found in the same way: both sums only grow as a part does.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "oracle/evaluation.h"
#include "oracle/kernels.h"
#include "oracle/stage.h"

static unsigned blocks_count(const struct paradl_model *model)
{
	unsigned count = 0;
	for (unsigned u = 0; u < model->unit_count; ++u)
		count += model->units[u].is_block;
	return count;
}

/* Turns numbers of blocks, or of units, into ends of stages: other units go with the block before, first ones with the first. */
static void ends_from_blocks(const struct paradl_model *model, bool blocks, unsigned count, unsigned *ends)
{
	unsigned unit = 0;
	while (ends[0] == 0 && unit < model->unit_count && !model->units[unit].is_block)
		++unit;
	for (unsigned stage = 0; stage < count; ++stage) {
		for (unsigned left = ends[stage]; left; ++unit)
			left -= !blocks || model->units[unit].is_block;
		ends[stage] = unit;
	}
	ends[count - 1] = model->unit_count;
}

static bool split_given(const struct evaluation *evaluation, unsigned count, struct paradl_error *error)
{
	const struct paradl_plan *plan = &evaluation->plan;
	const struct prepared *net = evaluation->net;
	const unsigned blocks = blocks_count(net->model), parts = blocks ? blocks : net->model->unit_count;
	const char *const name = blocks ? "blocks" : "layers";
	unsigned total = 0;
	for (unsigned i = 0; i < plan->split_count; ++i)
		total += plan->split[i];
	if (plan->split_count != count || total != parts)
		return error_set(error, PARADL_INFEASIBLE,
			"the split names %u stages with %u %s; the plan has %u stages, the network %u %s",
			plan->split_count, total, name, count, parts, name);
	for (unsigned i = 0; i < count; ++i)
		net->stage_ends[i] = plan->split[i];
	ends_from_blocks(net->model, blocks > 0, count, net->stage_ends);
	return true;
}

static bool split_even(const struct evaluation *evaluation, unsigned count)
{
	const struct prepared *net = evaluation->net;
	const unsigned blocks = blocks_count(net->model), less = blocks % count > 0;
	if (!blocks || (blocks + 2 * less) % count)
		return false;
	for (unsigned i = 0; i < count; ++i)
		net->stage_ends[i] = (blocks + 2 * less) / count;
	net->stage_ends[0] -= less;
	net->stage_ends[count - 1] -= less;
	ends_from_blocks(net->model, true, count, net->stage_ends);
	return true;
}

/* Begins the evaluation of a serial plan, with as many samples as the model says that a device takes. */
static void serial_begin(
	const struct paradl_oracle *oracle, struct prepared *net, struct evaluation *evaluation)
{
	memset(evaluation, 0, offsetof(struct evaluation, own));
	evaluation->oracle = oracle;
	evaluation->net = net;
	evaluation->plan = (struct paradl_plan){.degree = {1, 1, 1, 1, 1, 1, 1, 1}, .spatial = {1, 1, 1}};
	evaluation->micro_batches = 1;
	evaluation->samples = evaluation->local_batch = fmax(oracle->model->batch_per_gpu, 1);
	evaluation->item_bytes = oracle->rules.ideal ? precision_weight_bytes(oracle->precision)
						     : precision_activation_bytes(oracle->precision);
}

void stages_weigh(const struct paradl_oracle *oracle, struct prepared *net)
{
	struct evaluation evaluation;
	double work_s = 0, bytes = 0;
	serial_begin(oracle, net, &evaluation);
	for (unsigned i = 0; i < net->model->layer_count; ++i)
		layer_kernels(&evaluation, i, &net->kernels[i]);
	for (unsigned u = 0; u < net->model->unit_count; ++u) {
		net->stage_work[u] = work_s;
		if (net->stage_memory)
			net->stage_memory[u] = bytes;
		for (unsigned i = net->model->units[u].first; i < net->model->units[u].end; ++i) {
			const struct layer_cost *cost = &net->kernels[net->model->order[i]];
			work_s += cost->forward_s + cost->backward_s;
			bytes += evaluation.item_bytes * (cost->kept_items + 2 * cost->weight_items);
		}
	}
	net->stage_work[net->model->unit_count] = work_s;
	if (net->stage_memory)
		net->stage_memory[net->model->unit_count] = bytes;
}

/* Fills the ends of stages that no plan gives, which are those of the network, whatever the plan: found once. */
static void split_usual(const struct evaluation *evaluation, unsigned count)
{
	const struct prepared *net = evaluation->net;
	const size_t bytes = count * sizeof *net->stage_ends;
	unsigned *const kept = count <= PARTS_KEPT ? net->usual_ends + (size_t)count * (count - 1) / 2 : NULL;
	if (kept && kept[0]) {
		memcpy(net->stage_ends, kept, bytes);
		return;
	}
	if (evaluation->oracle->rules.balanced || net->model->has_source || !split_even(evaluation, count))
		partition(net->stage_work, net->stage_memory, net->model->unit_count, count, net->stage_ends);
	if (kept)
		memcpy(kept, net->stage_ends, bytes);
}

bool stages_cut(const struct evaluation *evaluation, unsigned count, struct paradl_error *error)
{
	const struct prepared *net = evaluation->net;
	if (evaluation->plan.split_count)
		return split_given(evaluation, count, error);
	if (count == 1)
		net->stage_ends[0] = net->model->unit_count;
	else
		split_usual(evaluation, count);
	return true;
}

void stages_tell(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const struct prepared *net = evaluation->net;
	const unsigned count = evaluation->plan.degree[PARADL_PIPELINE] * evaluation->chunks;
	if (count < 2 || count > PARADL_SPLIT_MAX || !blocks_count(net->model) ||
		!stages_cut(evaluation, count, NULL))
		return;
	estimate->split_count = count;
	for (unsigned stage = 0, unit = 0, next; stage < count; ++stage) {
		const unsigned end = net->stage_ends[stage];
		unsigned blocks = 0;
		for (; unit < end; unit = next) {
			next = net->classes->run_end[unit] < end ? net->classes->run_end[unit] : end;
			blocks += net->model->units[unit].is_block ? next - unit : 0;
		}
		estimate->split[stage] = (unsigned short)blocks;
	}
}

/* Bound that no part's sum may be above, and the least sum above the bound that was met. */
struct limit {
	const double *prefix; /* NULL: there is no bound */
	double bound, next;
};

static inline bool fits(const struct limit *limit, unsigned first, unsigned end)
{
	return !limit->prefix || limit->prefix[end] - limit->prefix[first] <= limit->bound;
}

/* Notes a sum that would have let a part take one cost more. */
static inline void meet(struct limit *limit, unsigned first, unsigned end)
{
	if (!fits(limit, first, end) && limit->prefix[end] - limit->prefix[first] < limit->next)
		limit->next = limit->prefix[end] - limit->prefix[first];
}

/* Fills the parts greedily under bounds that no cost is above; returns whether that was enough. */
static bool fill(unsigned count, unsigned parts, struct limit *work, struct limit *memory, unsigned *ends)
{
	unsigned first = 0;
	work->next = work->prefix[count];
	memory->next = memory->prefix ? memory->prefix[count] : 0;
	for (unsigned part = 0; part < parts; ++part) {
		const unsigned last = count - (parts - 1 - part); /* leaves one for each later part */
		unsigned low = first + 1, high = last;
		while (low < high) { /* the most that fits under the bounds, at least one */
			const unsigned middle = low + (high - low + 1) / 2;
			if (fits(work, first, middle) && fits(memory, first, middle))
				low = middle;
			else
				high = middle - 1;
		}
		if (low < last) {
			meet(work, first, low + 1);
			meet(memory, first, low + 1);
		}
		ends[part] = first = low;
	}
	return first == count;
}

/* Raises a bound from the least that any partition could have to one that is enough. */
static void raise(unsigned count, unsigned parts, struct limit *raised, struct limit *work,
	struct limit *memory, unsigned *ends)
{
	raised->bound = raised->prefix[count] / parts;
	for (unsigned i = 0; i < count; ++i)
		raised->bound = fmax(raised->bound, raised->prefix[i + 1] - raised->prefix[i]);
	while (!fill(count, parts, work, memory, ends) && raised->next > raised->bound)
		raised->bound = raised->next;
}

void partition(const double *prefix, const double *memory, unsigned count, unsigned parts, unsigned *ends)
{
	struct limit work = {.prefix = prefix}, none = {.prefix = NULL}, held = {.prefix = memory};
	raise(count, parts, &work, &work, &none, ends);
	if (memory)
		raise(count, parts, &held, &work, &held, ends);
}
