/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/options.h"
#include "search/tasks.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "plan/plan_text.h"

NAME_FUNCTION(paradl_vary_name, enum paradl_vary, "order", "micro", "schedule", "recompute", "zero", "shard",
	"sequence", "experts", "context", "overlap", "offload", "batch", "chunk", "seqs")

static bool vary_find(const char *word, unsigned *vary, struct paradl_error *error)
{
	const char *names[PARADL_VARY_COUNT];
	for (unsigned i = 0; i < PARADL_VARY_COUNT; ++i)
		names[i] = paradl_vary_name((enum paradl_vary)i);
	const size_t found = name_index(word, names, PARADL_VARY_COUNT);
	if (found < PARADL_VARY_COUNT) {
		*vary |= 1u << found;
		return true;
	}
	const struct suggestion near = suggestion_of(word, names, PARADL_VARY_COUNT);
	error_set(error, PARADL_USAGE, "a search cannot vary \"%s\"%s", word, near.clause);
	return !*near.clause &&
	       error_hint(error,
		       "order, micro, schedule, recompute, zero, shard, sequence, experts, context, overlap, "
		       "offload, batch, chunk, seqs; or none; or +offload: the usual ones and that");
}

bool vary_parse(const char *text, unsigned *vary, struct paradl_error *error)
{
	const unsigned asked = 1u << PARADL_VARY_OFFLOAD | 1u << PARADL_VARY_CHUNK | 1u << PARADL_VARY_SEQS;
	const unsigned usual = ((1u << PARADL_VARY_COUNT) - 1) & ~asked;
	*vary = usual;
	if (!text)
		return true;
	*vary = *text == '+' ? usual : 0;
	if (strcmp(text, "none") == 0)
		return true;
	for (const char *rest = text + (*text == '+'); rest;
		rest = strchr(rest, ',') ? strchr(rest, ',') + 1 : NULL) {
		char word[32];
		const size_t length = strcspn(rest, ",");
		snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1),
			rest);
		if (!vary_find(word, vary, error))
			return false;
	}
	return true;
}

/*
 * Returns what can wait in host memory (set of enum paradl_offload), where the rate of that memory is known; else 0.
 */
static unsigned offloads_of(const struct paradl_oracle *oracle)
{
	return oracle->machine->device.link.host_bytes_per_s > 0 ? oracle->framework->offers.offload : 0;
}

static bool varies(const struct variation *variation, enum paradl_vary vary, enum plan_option option)
{
	return variation->options && variation->vary & 1u << vary && !(variation->given & 1u << option);
}

static const struct framework_offers *offers_of(const struct paradl_oracle *oracle)
{
	return &oracle->framework->offers;
}

/*
 * Returns the bit of a program's default. For networks of images the default is always tried, since the axes along
 * which their programs divide are not asked about; for networks of tokens it is 0.
 */
static unsigned default_of(const struct paradl_oracle *oracle, unsigned value)
{
	return oracle->model->tokens ? 0 : 1u << value;
}

static unsigned blocks_count(const struct paradl_model *model)
{
	unsigned count = 0;
	for (unsigned u = 0; u < model->unit_count; ++u)
		count += model->units[u].is_block;
	return count;
}

/*
 * Returns whether stages can have `chunks` parts each: with as many blocks in each part, or one less at both ends, or
 * with two parts in any case.
 */
static bool chunks_suit(const struct paradl_model *model, unsigned blocks, unsigned stages, unsigned chunks)
{
	const unsigned parts = stages * chunks;
	if (!parts || parts > model->unit_count || parts > PARADL_STAGES_MAX)
		return false;
	return chunks == 2 || (blocks && (blocks % parts == 0 || (blocks + 2) % parts == 0));
}

static void stage_add(const struct stage_choice *choice, struct choices *choices)
{
	if (choices->stage_count < STAGE_CHOICES)
		choices->stages[choices->stage_count++] = *choice;
}

static const unsigned common_schedules = 1u << PARADL_GPIPE | 1u << PARADL_1F1B | 1u << PARADL_INTERLEAVED;

static void schedules_add(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, struct stage_choice choice, struct choices *choices)
{
	static const enum paradl_pipeline_schedule others[] = {
		PARADL_GPIPE, PARADL_1F1B, PARADL_ZERO_BUBBLE, PARADL_ZERO_BUBBLE_2P, PARADL_ZERO_BUBBLE_V};
	const unsigned stages = plan->degree[PARADL_PIPELINE];
	const unsigned all = offers_of(oracle)->schedules | default_of(oracle, oracle->rules.schedule);
	const unsigned offered = variation->common ? all & common_schedules : all;
	const bool free = stages > 1 && variation->options && !(variation->given & 1u << PLAN_SCHEDULE);
	if (!free || offered & 1u << oracle->rules.schedule) /* the program's default */
		stage_add(&choice, choices);
	if (!free || plan->split_count || !(variation->vary & 1u << PARADL_VARY_SCHEDULE))
		return;
	const unsigned blocks = blocks_count(oracle->model);
	choice.schedule = PARADL_INTERLEAVED;
	for (choice.chunks = 2; choice.chunks * stages <= oracle->model->unit_count; ++choice.chunks)
		if (offered & 1u << PARADL_INTERLEAVED &&
			chunks_suit(oracle->model, blocks, stages, choice.chunks))
			stage_add(&choice, choices);
	choice.chunks = 0;
	for (unsigned i = 0; i < sizeof others / sizeof *others; ++i) {
		choice.schedule = others[i];
		if (others[i] != oracle->rules.schedule && offered & 1u << others[i] &&
			(others[i] != PARADL_ZERO_BUBBLE_V || 2 * stages <= oracle->model->unit_count))
			stage_add(&choice, choices);
	}
}

/*
 * Adds the ways to run the pipeline: every set of the overlaps in `all`, with and without each bit of offload that
 * may vary.
 */
static void stages_fill(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, struct choices *choices)
{
	const struct rules *rules = &oracle->rules;
	const struct paradl_plan *fixed = &variation->fixed;
	const unsigned kinds = PARADL_OFFLOAD_WEIGHTS | PARADL_OFFLOAD_ACTIVATIONS;
	unsigned all = 0, offloads = 0;
	if (varies(variation, PARADL_VARY_OVERLAP, PLAN_OVERLAP)) {
		if (plan->degree[PARADL_TENSOR] > 1 && rules->overlap_tensor > 0)
			all |= PARADL_OVERLAP_TENSOR;
		if (plan->degree[PARADL_EXPERT] > 1 && rules->overlap_experts > 0)
			all |= PARADL_OVERLAP_EXPERTS;
	}
	if (varies(variation, PARADL_VARY_OFFLOAD, PLAN_OFFLOAD))
		offloads = kinds & offloads_of(oracle);
	for (unsigned apart = 0; apart <= all; ++apart)
		for (unsigned offload = 0; offload <= offloads && !(apart & ~all); ++offload) {
			const struct stage_choice choice = {.schedule = fixed->schedule,
				.chunks = fixed->chunks,
				.apart = apart |
					 (fixed->apart & (PARADL_OVERLAP_TENSOR | PARADL_OVERLAP_EXPERTS)),
				.offload = offload | (fixed->offload & kinds)};
			if (!(offload & ~offloads))
				schedules_add(oracle, variation, plan, choice, choices);
		}
}

static void share_add(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, struct share_choice choice, struct choices *choices)
{
	const struct rules *rules = &oracle->rules;
	const bool overlaps =
		rules->overlap_gradients > 0 || rules->overlap_gathers > 0 || rules->overlap_shards > 0;
	const bool splits =
		overlaps && plan_replicas(plan) > 1 && varies(variation, PARADL_VARY_OVERLAP, PLAN_OVERLAP);
	const bool moves = varies(variation, PARADL_VARY_OFFLOAD, PLAN_OFFLOAD) &&
			   offloads_of(oracle) & PARADL_OFFLOAD_OPTIMIZER;
	const unsigned apart = variation->fixed.apart & PARADL_OVERLAP_GRADIENTS,
		       offload = variation->fixed.offload & PARADL_OFFLOAD_OPTIMIZER;
	for (unsigned i = 0; i < (splits ? 2u : 1u); ++i)
		for (unsigned k = 0; k < (moves ? 2u : 1u) && choices->share_count < SHARE_CHOICES; ++k) {
			choice.apart = i ? PARADL_OVERLAP_GRADIENTS : apart;
			choice.offload = k ? PARADL_OFFLOAD_OPTIMIZER : offload;
			choices->shares[choices->share_count++] = choice;
		}
}

/*
 * Returns a number after this one and no later than the next divisor of `all`: beyond the root, divisors are `all`
 * over smaller ones.
 */
static unsigned divisor_after(unsigned all, unsigned number)
{
	if (number < all / number)
		return number + 1;
	unsigned part = all / (number + 1);
	while (all % part)
		--part;
	return all / part;
}

/* Adds one zero level, and sharding among some replicas, which needs zero and an axis to spare (replicas.c). */
static void level_add(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, unsigned zero, struct choices *choices)
{
	const unsigned data = plan->degree[PARADL_DATA];
	struct share_choice choice = {.zero = zero, .shard = zero ? variation->fixed.shard : 0};
	share_add(oracle, variation, plan, choice, choices);
	if (!zero || !offers_of(oracle)->shard || !varies(variation, PARADL_VARY_SHARD, PLAN_SHARD) ||
		choices->used_count == PARADL_AXIS_COUNT)
		return;
	for (choice.shard = 2; choice.shard < data; choice.shard = divisor_after(data, choice.shard))
		if (data % choice.shard == 0)
			share_add(oracle, variation, plan, choice, choices);
}

/* Fills which ways to share have the same memory, and which the same groups. */
static void shares_compare(struct choices *choices)
{
	for (unsigned i = 0; i < choices->share_count; ++i) {
		struct share_choice *own = &choices->shares[i];
		own->memory = own->groups = i;
		for (unsigned k = i; k-- > 0;) {
			const struct share_choice *other = &choices->shares[k];
			if (other->shard != own->shard || !other->zero != !own->zero)
				continue;
			own->groups = other->groups;
			if (other->zero == own->zero && other->offload == own->offload)
				own->memory = other->memory;
			if (other->zero != own->zero)
				break;
		}
	}
}

/*
 * Adds the ways to share: the zero levels that the program has, lower ones first; without other replicas, only
 * zero=0.
 */
static void shares_fill(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, struct choices *choices)
{
	const struct framework_offers *offers = offers_of(oracle);
	const bool free = variation->options && !(variation->given & 1u << PLAN_ZERO);
	const unsigned with = plan->degree[PARADL_PIPELINE] > 1 ? offers->zero_with_pipeline : ~0u;
	const unsigned offered = (offers->zero & with) | default_of(oracle, 0);
	const unsigned shards = (unsigned)(variation->fixed.shard > 0);
	if (!(plan_replicas(plan) > 1)) {
		share_add(oracle, variation, plan, (struct share_choice){.zero = 0}, choices);
		return;
	}
	if (!free) {
		level_add(oracle, variation, plan, variation->fixed.zero, choices);
		return;
	}
	for (unsigned zero = shards; zero <= 3; ++zero)
		if (offered & 1u << zero &&
			(!choices->share_count || variation->vary & 1u << PARADL_VARY_ZERO))
			level_add(oracle, variation, plan, zero, choices);
}

static void recomputes_fill(
	const struct paradl_oracle *oracle, const struct variation *variation, struct choices *choices)
{
	const enum paradl_recompute usual = oracle->rules.recompute;
	const unsigned offered = recomputes_offered(oracle);
	static const enum paradl_recompute levels[] = {PARADL_RECOMPUTE_NONE, PARADL_RECOMPUTE_SELECTIVE,
		PARADL_RECOMPUTE_MODULES, PARADL_RECOMPUTE_FULL}; /* from least memory saved to most */
	choices->recomputes[choices->recompute_count++] = variation->fixed.recompute;
	if (!varies(variation, PARADL_VARY_RECOMPUTE, PLAN_RECOMPUTE))
		return;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; ++i)
		if (levels[i] != usual && offered & 1u << levels[i])
			choices->recomputes[choices->recompute_count++] = levels[i];
}

void choices_fill(const struct paradl_oracle *oracle, const struct variation *variation,
	const struct paradl_plan *plan, struct choices *choices)
{
	choices->used_count = choices->recompute_count = choices->stage_count = choices->share_count = 0;
	choices->orders = 1;
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis) {
		if (plan->degree[axis] < 2)
			continue;
		choices->used[choices->used_count++] = axis;
		if (variation->vary & 1u << PARADL_VARY_ORDER)
			choices->orders *= choices->used_count;
	}
	/* Experts are dealt out to replicas of a stage, so that programs have pipeline outside of data. */
	if (plan->degree[PARADL_DATA] > 1 && plan->degree[PARADL_PIPELINE] > 1 &&
		plan->degree[PARADL_EXPERT] > 1) {
		choices->used[0] = PARADL_PIPELINE;
		choices->used[1] = PARADL_DATA;
	}
	recomputes_fill(oracle, variation, choices);
	stages_fill(oracle, variation, plan, choices);
	shares_fill(oracle, variation, plan, choices);
	shares_compare(choices);
	choices->plans = (double)choices->orders * choices->recompute_count * choices->stage_count *
			 choices->share_count;
}

struct open_choices choices_open(const struct choices *choices)
{
	struct open_choices open_choices = {.keeps_less = choices->recompute_count > 1};
	for (unsigned i = 0; i < choices->share_count; ++i) {
		if (choices->shares[i].zero > open_choices.zero)
			open_choices.zero = choices->shares[i].zero;
		open_choices.offload |= choices->shares[i].offload;
	}
	for (unsigned i = 0; i < choices->stage_count; ++i) {
		open_choices.offload |= choices->stages[i].offload;
		open_choices.keeps_less = open_choices.keeps_less || choices->stages[i].chunks > 1 ||
					  choices->stages[i].schedule == PARADL_ZERO_BUBBLE_V;
	}
	return open_choices;
}

/*
 * Writes an order of the axes: the digits of the index in the factorial number system say which of the axes left
 * comes next.
 */
void choices_order(const struct choices *choices, unsigned index, struct paradl_plan *plan)
{
	unsigned left[PARADL_AXIS_COUNT], place = 0, weight = 1;
	for (unsigned i = 0; i < choices->used_count; ++i) {
		left[i] = choices->used[i];
		weight *= i + 1;
	}
	for (unsigned count = choices->used_count; count > 0; --count) {
		weight /= count;
		const unsigned pick = index / weight;
		index %= weight;
		plan->order[place++] = (unsigned char)left[pick];
		for (unsigned i = pick; i + 1 < count; ++i)
			left[i] = left[i + 1];
	}
	for (unsigned axis = 0; axis < PARADL_AXIS_COUNT; ++axis)
		if (plan->degree[axis] < 2)
			plan->order[place++] = (unsigned char)axis;
}
