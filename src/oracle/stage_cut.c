/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each stage of a pipeline has some of the units, in one of these ways.
 *     given     the plan says how many blocks each stage has; of a network without blocks, how many layers (units)
 *     even      programs for transformers count blocks: the same number for each stage; the embedding goes to the
 *               first, final norm, head and loss to the last. When that does not divide but two more blocks would, the
 *               first and the last stage have one block less (embedding and head count as one). Engines deal what is left to
 *               the stages before the last (as vLLM does, recalled)
 *     balanced  else, and for networks without blocks or with blocks of two sequences: the largest stage is as small as it can be, by
 *               what whole layers compute of a usual batch on the machine's device. Tensors between the layers of networks of
 *               images differ much in size, so there messages count, too (as in Narayanan et al., "PipeDream", 2019, section
 *               3.1): of balanced cuts that leave out the boundaries with the largest tensors, ever more of them, the one
 *               that is nearest the best of them for 2 p micro-batches, sum + (2 p - 1) max(stage, message), be its links
 *               inside a node or between nodes (by compute alone with the rules of the ParaDL paper). The batch of a plan
 *               moves no boundary
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

/* Deals blocks out to the stages of an engine, whatever is asked of it; the last but one and those before have one more. */
static void split_dealt(const struct prepared *net, unsigned blocks, unsigned count)
{
	for (unsigned i = 0; i < count; ++i)
		net->stage_ends[i] = blocks / count + (i + 1 < count && i + 1 + blocks % count >= count);
	ends_from_blocks(net->model, true, count, net->stage_ends);
}

static bool split_even(const struct evaluation *evaluation, unsigned count)
{
	const struct prepared *net = evaluation->net;
	const unsigned blocks = blocks_count(net->model), less = blocks % count > 0;
	if (blocks >= count && evaluation->oracle->options.inference) {
		split_dealt(net, blocks, count);
		return true;
	}
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

/*
 * Messages by which a network of images is cut, of the same usual batch, there and back; and scratch: the chain of units that
 * are joined where no stage may begin.
 */
struct stage_messages {
	double rate[2]; /* of links inside a node, and between nodes */
	double *bytes;  /* by unit: what enters it */
	double *work, *memory;
	unsigned *firsts, *ends;
};

bool stage_messages_reserve(struct prepared *net, struct paradl_arena *arena)
{
	const unsigned units = net->model->unit_count;
	struct stage_messages *messages = net->messages = arena_alloc(arena, 1, sizeof *messages);
	double *numbers = arena_alloc(arena, 4 * ((size_t)units + 1), sizeof *numbers);
	unsigned *places = arena_alloc(arena, 2 * (size_t)units, sizeof *places);
	if (!messages || !numbers || !places)
		return false;
	net->stage_memory = numbers;
	*messages = (struct stage_messages){.bytes = numbers + units + 1,
		.work = numbers + 2 * ((size_t)units + 1),
		.memory = numbers + 3 * ((size_t)units + 1),
		.firsts = places,
		.ends = places + units};
	return true;
}

/* Fills the rates of a message inside a node, and between nodes when all devices of a node send. */
static void stage_rates(const struct paradl_machine *machine, double rate[2])
{
	const struct level *inside = machine->levels, *between = inside + (machine->level_count > 1);
	rate[0] = inside->bandwidth_bytes_per_s;
	rate[1] = between->bandwidth_bytes_per_s * between->ports / (between > inside ? inside->devices : 1);
}

void stages_weigh(const struct paradl_oracle *oracle, struct prepared *net)
{
	struct evaluation evaluation;
	double work_s = 0, bytes = 0;
	serial_begin(oracle, net, &evaluation);
	if (net->messages)
		stage_rates(oracle->machine, net->messages->rate);
	for (unsigned i = 0; i < net->model->layer_count; ++i)
		layer_kernels(&evaluation, i, &net->kernels[i]);
	for (unsigned u = 0; u < net->model->unit_count; ++u) {
		net->stage_work[u] = work_s;
		if (net->stage_memory)
			net->stage_memory[u] = bytes;
		if (net->messages)
			net->messages->bytes[u] = 2 * entering_items(&evaluation, u) * evaluation.item_bytes;
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

/*
 * Cuts into parts of balanced work where all messages are below a bound; lowers the bound to the largest one. Fills the times of two
 * micro-batches for each stage, by each rate. Returns whether there are so many boundaries.
 */
static bool cut_below(const struct prepared *net, unsigned count, double *bound, double s[2])
{
	const struct stage_messages *chain = net->messages;
	const unsigned units = net->model->unit_count;
	unsigned parts = 0;
	for (unsigned u = 0; u < units; ++u) {
		if (u && !(chain->bytes[u] < *bound))
			continue;
		chain->work[parts] = net->stage_work[u];
		chain->memory[parts] = net->stage_memory[u];
		chain->firsts[parts++] = u;
	}
	if (parts < count)
		return false;
	chain->work[parts] = net->stage_work[units];
	chain->memory[parts] = net->stage_memory[units];
	partition(chain->work, chain->memory, parts, count, chain->ends);
	double slowest_s = 0, sum = 0;
	*bound = 0;
	for (unsigned stage = 0, first = 0; stage < count; ++stage) {
		const unsigned end = chain->ends[stage] < parts ? chain->firsts[chain->ends[stage]] : units;
		const double message = end < units ? chain->bytes[end] : 0;
		slowest_s = fmax(slowest_s, net->stage_work[end] - net->stage_work[first]);
		*bound = fmax(*bound, message);
		sum += message;
		chain->ends[stage] = first = end;
	}
	for (unsigned i = 0; i < 2; ++i)
		s[i] = net->stage_work[units] + sum / chain->rate[i] +
		       (2 * count - 1) * fmax(slowest_s, *bound / chain->rate[i]);
	return true;
}

/* Cuts a network of images as said above: the least ratio to the best time, of the rate where it is larger. */
static void cut_sending(const struct prepared *net, unsigned count)
{
	double s[2], best_s[2] = {HUGE_VAL, HUGE_VAL}, least = HUGE_VAL;
	for (double bound = HUGE_VAL; cut_below(net, count, &bound, s);)
		for (unsigned i = 0; i < 2; ++i)
			best_s[i] = fmin(best_s[i], s[i]);
	for (double bound = HUGE_VAL; cut_below(net, count, &bound, s);) {
		const double ratio = fmax(s[0] / best_s[0], s[1] / best_s[1]);
		if (ratio < least) {
			least = ratio;
			memcpy(net->stage_ends, net->messages->ends, count * sizeof *net->stage_ends);
		}
	}
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
	if (net->messages && !evaluation->oracle->rules.ideal)
		cut_sending(net, count);
	else if (evaluation->oracle->rules.balanced || net->model->has_source ||
		 !split_even(evaluation, count))
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

/* Fills how many blocks, or units where there are none, each of the stages that were cut has. */
static void stages_count(const struct prepared *net, unsigned count, unsigned short *split)
{
	const bool counts_blocks = blocks_count(net->model) > 0;
	for (unsigned stage = 0, unit = 0, next; stage < count; ++stage) {
		const unsigned end = net->stage_ends[stage];
		unsigned blocks = 0;
		for (; unit < end; unit = next) {
			next = net->classes->run_end[unit] < end ? net->classes->run_end[unit] : end;
			blocks += !counts_blocks || net->model->units[unit].is_block ? next - unit : 0;
		}
		split[stage] = (unsigned short)blocks;
	}
}

static unsigned stages_of(const struct evaluation *evaluation)
{
	return evaluation->plan.degree[PARADL_PIPELINE] * evaluation->chunks;
}

void stages_tell(const struct evaluation *evaluation, struct paradl_estimate *estimate)
{
	const unsigned count = stages_of(evaluation);
	if (count < 2 || count > PARADL_SPLIT_MAX || !stages_cut(evaluation, count, NULL))
		return;
	estimate->split_count = count;
	stages_count(evaluation->net, count, estimate->split);
}

bool stages_balance(const struct evaluation *evaluation, struct paradl_plan *plan)
{
	const struct prepared *net = evaluation->net;
	const unsigned count = stages_of(evaluation);
	if (plan->split_count || count < 2 || count > PARADL_SPLIT_MAX || !blocks_count(net->model))
		return false;
	partition(net->stage_work, net->stage_memory, net->model->unit_count, count, net->stage_ends);
	stages_count(net, count, plan->split);
	plan->split_count = count;
	return true;
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
	if (limit->prefix && !fits(limit, first, end) &&
		limit->prefix[end] - limit->prefix[first] < limit->next)
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
