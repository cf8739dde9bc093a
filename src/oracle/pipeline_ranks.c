/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The devices of a pipeline have the sums of their stages: of weights, of times, and of what is kept for backward,
 * which is there once for each micro-batch that the schedule holds. Among neighbours with the same stages only the
 * first is looked at, as long as the next one holds no more micro-batches (its memory is no fuller), and has no less
 * time for its exchange (no more of that is exposed).
 */
#include "oracle/stage.h"

#include "oracle/replicas.h"
#include "oracle/schedule.h"

static unsigned chunk_stage(const struct evaluation *evaluation, unsigned device, unsigned chunk)
{
	return schedule_stage(evaluation->schedule, evaluation->plan.degree[PARADL_PIPELINE], device, chunk);
}

double tied_items(const struct evaluation *evaluation)
{
	const struct paradl_model *model = evaluation->net->model;
	for (unsigned i = 0; i < model->layer_count; ++i) {
		const struct token_work *work = model->layers[i].work;
		double items = 0;
		if (!work || !work->tied)
			continue;
		for (unsigned k = 0; k < work->kernel_count; ++k)
			items += work->kernels[k].vocabulary
					 ? work->kernels[k].rows * work->kernels[k].columns
					 : 0;
		return items / evaluation->plan.degree[PARADL_TENSOR];
	}
	return 0;
}

/* Returns whether a device has, chunk by chunk, the terms of the one before; holds_more: more micro-batches. */
static bool device_repeats(const struct evaluation *evaluation, unsigned device, bool *holds_more)
{
	const struct prepared *net = evaluation->net;
	bool repeats = device > 0;
	*holds_more = false;
	for (unsigned chunk = 0; repeats && chunk < evaluation->chunks; ++chunk) {
		const unsigned before = chunk_stage(evaluation, device - 1, chunk);
		const unsigned stage = chunk_stage(evaluation, device, chunk);
		repeats = net->stages[stage > before ? stage : before].repeats;
		*holds_more = *holds_more || net->held[stage] > net->held[before];
	}
	return repeats;
}

/* Fills what a device has and holds and, if it is timed, how long its passes take and fill the links. */
static void pipeline_rank_fill(
	const struct evaluation *evaluation, unsigned device, bool timed, struct pipeline_rank *pipeline_rank)
{
	const struct prepared *net = evaluation->net;
	*pipeline_rank = (struct pipeline_rank){.device = device};
	for (unsigned chunk = 0; chunk < evaluation->chunks; ++chunk) {
		const unsigned i = chunk_stage(evaluation, device, chunk);
		const double *term = stage_repeated(&net->stages[i])->term;
		for (unsigned k = STAGE_WEIGHTS; k < STAGE_LARGEST; ++k)
			pipeline_rank->sums[k] += term[k];
		for (unsigned k = STAGE_LARGEST; k < STAGE_TERMS; ++k)
			pipeline_rank->sums[k] =
				term[k] > pipeline_rank->sums[k] ? term[k] : pipeline_rank->sums[k];
		pipeline_rank->kept += net->held[i] * term[STAGE_KEPT];
		pipeline_rank->held += net->held[i] / (double)evaluation->chunks;
		if (term[STAGE_LOGITS] > 0)
			pipeline_rank->logits_held = net->held[i];
		if (!timed)
			continue;
		pipeline_rank->first_s += stage_pass_s(&net->stage_times[i], PASS_FORWARD);
		pipeline_rank->last_s += stage_pass_s(&net->stage_times[i], PASS_BACKWARD);
		links_taken_add(evaluation, device, &net->stages[i], pipeline_rank->taken_s);
	}
	if (pipeline_rank->logits_held > 0 && device > 0 && !evaluation->shares)
		pipeline_rank->tied = tied_items(evaluation);
}

unsigned pipeline_ranks_fill(const struct evaluation *evaluation, const struct schedule_device *scheduled)
{
	const struct prepared *net = evaluation->net;
	const unsigned devices = evaluation->plan.degree[PARADL_PIPELINE];
	unsigned count = 0;
	for (unsigned d = 0; d < devices; ++d) {
		bool holds_more;
		const bool repeats = device_repeats(evaluation, d, &holds_more);
		const bool exchanges =
			scheduled && (!repeats || scheduled[d].early_s < scheduled[d - 1].early_s);
		const bool fills = !repeats || holds_more;
		if (!exchanges && !fills)
			continue;
		pipeline_rank_fill(evaluation, d, scheduled, &net->pipeline_ranks[count]);
		net->pipeline_ranks[count].like = count;
		net->pipeline_ranks[count].exchanges = exchanges;
		net->pipeline_ranks[count].fills = fills;
		if (fills) {
			net->pipeline_ranks[count].message_bytes = device_message_bytes(evaluation, d);
			net->pipeline_ranks[count].context_bytes = device_context_bytes(evaluation, d);
		}
		++count;
	}
	return count;
}

void training_held_least(const struct evaluation *evaluation, const struct pipeline_schedule *schedule)
{
	unsigned *held = evaluation->net->held;
	if (training_is_flow_shop(evaluation))
		schedule_flow_shop_held(schedule->stages * schedule->chunks, evaluation->micro_batches, held);
	else
		schedule_held_least(schedule, held);
}

void training_hold_least(const struct evaluation *evaluation, struct step *step)
{
	const struct prepared *net = evaluation->net;
	const struct pipeline_schedule schedule = training_pipeline(evaluation, step);
	training_held_least(evaluation, &schedule);
	for (unsigned d = 0; evaluation->schedule == PARADL_ZERO_BUBBLE_V && d < step->devices; ++d) {
		const double first = stage_repeated(&net->stages[d])->term[STAGE_KEPT],
			     second = stage_repeated(&net->stages[step->count - 1 - d])->term[STAGE_KEPT];
		if (second < first)
			net->held[d] = (unsigned)(net->held[d] * second / first);
	}
	step->pipeline_ranks = pipeline_ranks_fill(evaluation, NULL);
}
