/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of training is evaluated in parts, for searches: plans that differ only in what a later part reads share the
 * earlier ones. These are the parts and the options that they read:
 *     unit_costs_fill     recompute                                   (stage.h)
 *     training_stages     schedule, chunks, split, what overlaps with layers, offload of weights and activations
 *     training_schedule   the same
 *     training_share      zero, shard, what overlaps with gradients, offload of optimizer states
 * Each part leaves its results in the scratch of evaluation->net, where the next ones read them.
 */
#ifndef ORACLE_TRAINING_H
#define ORACLE_TRAINING_H

#include "oracle/replicas.h"
#include "oracle/schedule.h"
#include "oracle/stage.h"

enum { MICRO_BATCHES_MAX = 1000000 }; /* most that schedules follow; more repeat the slowest stage */

/* Exposure of replicas' exchanges: what compute does not hide, what it hides, how much longer it takes for that. */
struct exposure {
	double exposed_s, hidden_s, interference_s;
	double gathered_s, sharded_s; /* parts of both: updated weights; sharded ones, and their gradients */
	double host_s;                /* part of exposed_s: the host's, for each tensor of gradients */
	double taken;                 /* share of the schedule that hides sharded weights */
};

/* Training step as it is put together. */
struct step {
	unsigned devices, count;  /* devices of the pipeline; virtual stages */
	unsigned pipeline_ranks;  /* number of net->pipeline_ranks, for the schedule */
	unsigned busiest_device;  /* device that works longest */
	unsigned exchange_device; /* device whose replicas' exchange is exposed most */
	double micro_batches;
	struct schedule_result schedule;
	struct stage_work busiest;             /* sums over the stages of the device that works longest */
	struct stage_work largest;             /* maxima of each part over stages; with rules.own_maxima */
	double link_s;                         /* seconds of the longest message */
	double late_gradients_s, late_calls_s; /* seconds of waiting for the slowest node */
	struct exposure exchange;
	double update_s;
	double dense_weights; /* weights of that exchange, without experts */
	double packing_s;     /* its seconds before and after messages */
	double tied_s, blocked_s;
	double phase[PARADL_PHASE_COUNT]; /* seconds of the schedule, without the exchanges of replicas */
};

/* Cuts stages and times their passes; false with an error if a given split does not fit. */
bool training_stages(const struct evaluation *evaluation, struct step *step, struct paradl_error *error);
/* Fills and times stages that are cut already (net->stage_ends); false when out of memory. */
bool training_stages_fill(const struct evaluation *evaluation, struct step *step, struct paradl_error *error);
/* Fills the times of stages that are filled already (net->stages); false when out of memory. */
bool training_stages_time(const struct evaluation *evaluation, struct step *step, struct paradl_error *error);
/* Returns seconds for `bytes` from one stage to the next. */
double training_send_s(const struct evaluation *evaluation, double bytes);
/* Returns seconds for one micro-batch from the stage that ends before this unit to the next, or back. */
double training_message_s(const struct evaluation *evaluation, unsigned end);
/* Returns whether micro-batches go through stages and links in series, forward and then back; schedule_flow_shop. */
bool training_is_flow_shop(const struct evaluation *evaluation);
/* Returns these stages as a schedule. */
struct pipeline_schedule training_pipeline(const struct evaluation *evaluation, const struct step *step);
/* Fills in net->held how many micro-batches stages hold at least; only zero bubble looks at their times. */
void training_held_least(const struct evaluation *evaluation, const struct pipeline_schedule *schedule);
/* Fills what devices hold at least, before the pipeline has run. */
void training_hold_least(const struct evaluation *evaluation, struct step *step);
/* Runs the pipeline over the stages. */
void training_schedule(const struct evaluation *evaluation, struct step *step);
/* Adds to a scheduled step what replicas exchange, and the update; fills phases and times. */
void training_share(const struct evaluation *evaluation, struct step *step, struct paradl_estimate *estimate);
/* Adds the same where the shares of all devices are known from a plan that differs in what overlaps only. */
void training_share_known(
	const struct evaluation *evaluation, struct step *step, struct paradl_estimate *estimate);
/*
 * Returns the seconds of the iteration that training_share would fill, where the shares of all devices are known
 * (pipeline_rank.like); for searches, whose ways to share come again with other schedules.
 */
double training_share_s(
	const struct evaluation *evaluation, const struct device_share *shares, struct step *step);
/* Fills the phases and times of such a step. */
void training_phases(
	const struct evaluation *evaluation, const struct step *step, struct paradl_estimate *estimate);
/* Fills the phases of a schedule's busiest device, messages and bubble. */
void phases_fill(const struct step *step, double *phase);
/*
 * Fills the share of a device; step_exchange_add adds those of all to a scheduled step, step_exchange_describe says
 * how gradients travel. step_exchange.c.
 */
void device_share_fill(const struct evaluation *evaluation, const struct pipeline_rank *pipeline_rank,
	struct device_share *own);
void step_exchange_add(
	const struct evaluation *evaluation, const struct device_share *shares, struct step *step);
void step_exchange_describe(
	const struct evaluation *evaluation, const struct step *step, struct paradl_estimate *estimate);
/* Returns the share of the last backward that gradients in this number of buckets hide behind. */
double hiding_share(double buckets);
/* Returns the seconds in which embedding and head with the same weights in different stages sum their gradients. */
double tied_s(const struct evaluation *evaluation);
/* Returns the optimizer's seconds for `weights` weights, owning `owned`; measured_s: of all of them, or 0. update.c. */
double training_update_s(
	const struct evaluation *evaluation, double weights, double owned, double measured_s);
/* Returns training_update_s of some layers, without what each step takes however many weights there are. */
double weights_update_s(const struct evaluation *evaluation, double weights, double owned, double measured_s);
/* Fills the memory of the fullest of the first pipeline_rank_count pipeline devices (net->pipeline_ranks). */
void training_memory(
	const struct evaluation *evaluation, unsigned pipeline_rank_count, struct paradl_estimate *estimate);
/* Returns whether any of these devices needs more than a device has, by more than rounding. */
bool training_memory_lacks(const struct evaluation *evaluation, unsigned pipeline_rank_count);
/* Returns the bytes of the runtime on a device of the pipeline, and of the buffers of its communicators. */
double device_context_bytes(const struct evaluation *evaluation, unsigned device);
/* Returns the bytes of the largest message of one micro-batch between stages, under any plan that the device has. */
double device_message_bytes(const struct evaluation *evaluation, unsigned device);
/* Returns the bytes of weights, gradients and optimizer states of a device with these sums (by enum stage_term). */
double training_states_bytes(const struct evaluation *evaluation, const double *sums);
/* Returns the bytes of one weight's gradient while it is held. */
double training_gradient_bytes(const struct paradl_oracle *oracle);

/*
 * Result of one evaluation of a plan: layers with their costs, units, stages with their terms, the schedule (scratch
 * of evaluation.net), the step with its exchanges, and the estimate. Explanations, layers and timelines read it.
 */
struct result {
	struct evaluation evaluation;
	bool has_routes; /* of training: what replicas exchange is compiled, in all ways there are */
	struct step followed, step; /* of training: after its schedule, and as a whole */
	struct paradl_estimate estimate;
};
/*
 * Returns the result of this plan: the oracle's latest, if that is of this plan and nothing was evaluated since, else
 * a new one. It is good until the oracle evaluates another plan. NULL with an error where the plan cannot run.
 */
const struct result *result_of(
	struct paradl_oracle *oracle, const struct paradl_plan *plan, struct paradl_error *error);
/*
 * Runs a plan and fills the result, but for what follows from step and memory. If `holds`, the scratch is as the
 * result left it, and what the plans have in common is taken from there. evaluation_levels.c.
 */
bool levels_run(struct result *result, struct paradl_oracle *oracle, const struct paradl_plan *plan,
	bool holds, struct paradl_error *error);

#endif
